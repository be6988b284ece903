# RISC-V: the parts of torture.c that C cannot say.
    .option norvc
    .text
    .globl patched, patched_here
    .type patched, @function
patched:
patched_here:
    addi a0, a0, 1
    ret
    .size patched, . - patched

    .section .rodata
    .globl add_1, add_2, return_insn
    .balign 4
add_1:
    addi a0, a0, 1
add_2:
    addi a0, a0, 2
return_insn:
    ret
    nop

    .text
# Stores one of two instructions where it goes next.
.macro changes name, fence
    .globl \name
    .type \name, @function
\name:
    mv a1, a0
    li a0, 0
    la t0, add_1
    lw t1, 0(t0)
    lw t2, 4(t0)
    la t0, 2f
1:  xor t3, t1, t2
    xor t1, t1, t3
    xor t2, t2, t3
    sw t1, 0(t0)
    \fence
2:  addi a0, a0, 1
    addi a1, a1, -1
    bnez a1, 1b
    ret
    .size \name, . - \name
.endm
    changes changes_next, nop
    changes changes_next_fenced, fence.i

# The second half of an instruction is one as well: c.addi a2, 1 within a lui.
    .globl in_the_middle
    .type in_the_middle, @function
    .balign 4
in_the_middle:
    mv a1, a0
    li a2, 0
    la t0, 2f
1:  xori t0, t0, 2
    andi t1, a1, 1
    addi a2, a2, 1
    jr t0
2:  .word 0x06050537 # lui a0, 0x6050; or c.addi a2, 1 from its middle
    addi a2, a2, 1
    xori t1, t1, 1
    andi t2, t0, 2
    srli t2, t2, 1
    sub a2, a2, t2
    addi a1, a1, -1
    bnez a1, 1b
    mv a0, a2
    ret
    .size in_the_middle, . - in_the_middle

# A counter on the page this very loop is on.
    .globl beside_data
    .type beside_data, @function
beside_data:
    la t0, 2f
    sw zero, 0(t0)
1:  lw t1, 0(t0)
    addi t1, t1, 1
    sw t1, 0(t0)
    addi a0, a0, -1
    bnez a0, 1b
    mv a0, t1
    ret
    .balign 4
2:  .word 0
    .size beside_data, . - beside_data

    .globl side_by_side
    .type side_by_side, @function
side_by_side:
    li a2, 0
1:  lw t1, 0(a1)
    lhu t2, 2(a1)
    lhu t3, 4(a1)
    slli t3, t3, 16
    or t2, t2, t3
    add a2, a2, t1
    add a2, a2, t2
    lw t1, 4(a1)
    addi t1, t1, 1
    sw t1, 4(a1)
    sw t1, 12(a1)
    sw a2, 8(a1)
    lw t3, 12(a1)
    lw t4, 8(a1)
    add a2, a2, t3
    xor a2, a2, t4
    addi a0, a0, -1
    bnez a0, 1b
    mv a0, a2
    ret
    .size side_by_side, . - side_by_side

# Misaligned loads and illegal instructions, counted by the handler.
    .globl traps_often
    .type traps_often, @function
traps_often:
    csrr t5, mtvec
    la t0, handler
    csrw mtvec, t0
    li t6, 0
    la a1, traps_often
1:  lw t2, 0(a1)
    lw t1, 2(a1)
    lw t2, 4(a1)
    .word 0xffffffff
    addi a0, a0, -1
    bnez a0, 1b
    csrw mtvec, t5
    # where a misaligned load is allowed only one of the two traps
    mv a0, t6
    ret
    .balign 4
handler:
    csrr t3, mepc
    addi t3, t3, 4
    csrw mepc, t3
    csrr t3, mcause
    addi t3, t3, -2
    seqz t3, t3
    add t6, t6, t3
    mret
    .size traps_often, . - traps_often

    .section .rodata
    .globl device
    .balign 4
device:
    .word 0x0200bff8
