/*
 * The boot ROM of boards/rp2350.yaml, which has its words (tests/programs/bare/rom_words compares).
 *
 * Linked to 0x7df4. What start-up code of the Pico SDK wants of it: a way from an ELF file's entry
 * to the reset handler of its image, and functions to look up, which there are not.
 */
        .option norvc
        .option norelax
        .equ    ENTRY, 0x7dfc
        .equ    WATCHDOG, 0x400d8000
        .equ    SCRATCH2, 0x14
        .equ    SCRATCH4, 0x1c
        .equ    RAM_IMAGE, 0xb007c0d3       /* in SCRATCH4: SCRATCH2 is where the image is */
        .equ    FLASH, 0x10000000
        .equ    BLOCK, 0xffffded3           /* begins the block that describes an image, */
        .equ    ITEM_ENTRY, 0x44            /* which has items */
        .equ    ITEM_LAST, 0xff
        .equ    LONG, 0x80                  /* of a type with two bytes for its size in words */
        .equ    MASK_DATA, 0x40
        .equ    STATE_RESET, 'S' | 'R' << 8
        .equ    FLUSH_CACHE, 'F' | 'C' << 8
        .equ    NOT_PERMITTED, -4

        .text
        .globl  _start
        .half   0, table - _start + ENTRY
        .half   lookup - _start + ENTRY, lookup_entry - _start + ENTRY
_start: /* 0x7dfc: where a hart begins */
        li      t0, WATCHDOG
        lw      t1, SCRATCH4(t0)
        li      t2, RAM_IMAGE
        li      s0, FLASH
        bne     t1, t2, 1f
        lw      s0, SCRATCH2(t0)
1:      mv      t3, s0
        li      t4, 4096
        add     t4, t4, s0
        li      t5, BLOCK
2:      lw      t1, 0(t3)
        addi    t3, t3, 4
        beq     t1, t5, item
        bltu    t3, t4, 2b
none:   ebreak /* no image */
        j       none
item:   lbu     t1, 0(t3)
        lbu     t2, 1(t3)
        li      t5, ITEM_ENTRY
        beq     t1, t5, enter
        li      t5, ITEM_LAST
        beq     t1, t5, at_base
        andi    t1, t1, LONG
        beqz    t1, 3f
        lbu     t1, 2(t3)
        slli    t1, t1, 8
        or      t2, t2, t1
3:      beqz    t2, none
        slli    t2, t2, 2
        add     t3, t3, t2
        j       item
enter:  lw      sp, 8(t3)
        lw      s0, 4(t3)
at_base:
        jr      s0

lookup_entry: /* of an entry for data: there is none */
        li      a0, 0
        ret
lookup: /* a0: two letters, a1: for whom. In a0 where the function is, or 0 */
        andi    a1, a1, MASK_DATA
        bnez    a1, lookup_entry
        li      t0, STATE_RESET
        beq     a0, t0, 1f
        li      t0, FLUSH_CACHE
        beq     a0, t0, 1f
        la      a0, refuse
        ret
1:      la      a0, done
        ret
table:  .word   0 /* empty */
done:   li      a0, 0
        ret
refuse: li      a0, NOT_PERMITTED
        ret
