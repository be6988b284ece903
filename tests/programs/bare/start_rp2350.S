/*
 * start_rp2350.S - a flash image for the RP2350, started as the Pico SDK starts its own.
 *
 * The ELF's entry goes to the boot ROM, which finds the block that describes the image and enters
 * at reset. Interrupts are vectored; external ones are dispatched by Hazard3's controller, and may
 * interrupt each other.
 */
    .equ MEICONTEXT, 0xbe5
    .equ MEINEXT, 0xbe4

    .section .embedded_block, "a", @progbits
    .balign 4
block:
    .word 0xffffded3
    .byte 0x42, 1           /* an image: RISC-V, RP2350 */
    .half 0x1101
    .byte 0x44, 3, 0, 0     /* its entry point and stack */
    .word reset
    .word 0x20082000
    .byte 0xff
    .half (block_end - block - 16) / 4
    .byte 0
    .word 0
    .word 0xab123579
block_end:

    .section .text.start, "ax", @progbits
    .globl _start
    .type _start, @function
_start:
    li      a0, 0x7dfc
    jr      a0
    .size _start, . - _start

    .type reset, @function
reset:
    .option push
    .option norelax
    la      gp, __global_pointer$
    .option pop
    la      sp, __stack_top
    la      a0, vectors + 1
    csrw    mtvec, a0
    csrr    a0, mhartid
    bnez    a0, _start
    la      a1, __data_source
    la      a2, __data
    la      a3, __data_end
    j       2f
1:  lw      a0, 0(a1)
    sw      a0, 0(a2)
    addi    a1, a1, 4
    addi    a2, a2, 4
2:  bltu    a2, a3, 1b
    la      a1, __bss
    la      a2, __bss_end
    j       4f
3:  sw      zero, 0(a1)
    addi    a1, a1, 4
4:  bne     a1, a2, 3b
    call    runtime_init
    call    main
    call    finish
    .size reset, . - reset

    .section .vectors, "awx", @progbits
    .option norvc
    .option norelax
    .balign 64
    .type vectors, @function
vectors:
    j       unexpected
    .word   0, 0
    j       unexpected
    .word   0, 0, 0
    j       unexpected
    .word   0, 0, 0
    addi    sp, sp, -80     /* external: vector 11 */
    sw      ra, 0(sp)
    sw      t0, 4(sp)
    sw      t1, 8(sp)
    sw      t2, 12(sp)
    sw      a0, 16(sp)
    sw      a1, 20(sp)
    sw      a2, 24(sp)
    sw      a3, 28(sp)
    sw      a4, 32(sp)
    sw      a5, 36(sp)
    sw      a6, 40(sp)
    sw      a7, 44(sp)
    sw      t3, 48(sp)
    sw      t4, 52(sp)
    sw      t5, 56(sp)
    sw      t6, 60(sp)
    csrr    a0, mepc
    csrr    a1, mstatus
    sw      a0, 64(sp)
    sw      a1, 68(sp)
    csrrsi  a2, MEICONTEXT, 2
    sw      a2, 72(sp)
    csrrsi  a0, MEINEXT, 1
    bltz    a0, 2f
1:  csrsi   mstatus, 8
    srli    a0, a0, 2
    call    handle
    csrci   mstatus, 8
    csrrsi  a0, MEINEXT, 1
    bgez    a0, 1b
2:  lw      a0, 64(sp)
    lw      a1, 68(sp)
    lw      a2, 72(sp)
    csrw    mepc, a0
    csrw    mstatus, a1
    csrw    MEICONTEXT, a2
    lw      ra, 0(sp)
    lw      t0, 4(sp)
    lw      t1, 8(sp)
    lw      t2, 12(sp)
    lw      a0, 16(sp)
    lw      a1, 20(sp)
    lw      a2, 24(sp)
    lw      a3, 28(sp)
    lw      a4, 32(sp)
    lw      a5, 36(sp)
    lw      a6, 40(sp)
    lw      a7, 44(sp)
    lw      t3, 48(sp)
    lw      t4, 52(sp)
    lw      t5, 56(sp)
    lw      t6, 60(sp)
    addi    sp, sp, 80
    mret
    .size vectors, . - vectors

    .type unexpected, @function
unexpected:
    li      a0, 0xf0000000
    li      a1, 99
    sw      a1, 0(a0)
    j       unexpected
    .size unexpected, . - unexpected
