# MIPS: the parts of torture.c that C cannot say.
    .set noreorder
    .set noat
    .text
    .globl patched, patched_here
    .type patched, @function
patched:
patched_here:
    addiu $2, $4, 1
    jr $31
    nop
    .size patched, . - patched

    .section .rodata
    .globl add_1, add_2, return_insn
    .balign 4
add_1:
    addiu $2, $4, 1
add_2:
    addiu $2, $4, 2
return_insn:
    jr $31
    nop

    .text
# Stores one of two instructions where it goes next.
.macro changes name, fence
    .globl \name
    .type \name, @function
\name:
    move $5, $4
    li $4, 0
    la $8, add_1
    lw $9, 0($8)
    lw $10, 4($8)
    la $8, 2f
1:  xor $11, $9, $10
    xor $9, $9, $11
    xor $10, $10, $11
    sw $9, 0($8)
    \fence
2:  addiu $2, $4, 1
    addiu $5, $5, -1
    bnez $5, 1b
    move $4, $2
    jr $31
    nop
    .size \name, . - \name
.endm
    changes changes_next, nop
    changes changes_next_fenced, "synci 0($8)"

# Jumps to a slot, which is then no slot, and runs through it.
    .globl in_the_middle
    .type in_the_middle, @function
in_the_middle:
    li $2, 0
    la $8, 3f
1:  andi $9, $4, 1
    beqz $9, 2f
    addiu $2, $2, 1
    jr $8
    nop
2:  b 4f
3:  addiu $2, $2, 1
4:  addiu $4, $4, -1
    bnez $4, 1b
    nop
    jr $31
    nop
    .size in_the_middle, . - in_the_middle

# A counter on the page this very loop is on, its parts stored one by one.
    .globl beside_data
    .type beside_data, @function
beside_data:
    la $8, 2f
    sw $0, 0($8)
1:  lw $9, 0($8)
    addiu $9, $9, 1
    swl $9, SWL_OFFSET($8)
    swr $9, SWR_OFFSET($8)
    addiu $4, $4, -1
    bnez $4, 1b
    nop
    jr $31
    move $2, $9
    .balign 4
2:  .word 0
    .size beside_data, . - beside_data

    .globl side_by_side
    .type side_by_side, @function
side_by_side:
    li $2, 0
1:  lw $8, 0($5)
    ulw $9, 2($5)
    addu $2, $2, $8
    addu $2, $2, $9
    lw $8, 4($5)
    addiu $8, $8, 1
    sw $8, 4($5)
    sw $8, 12($5)
    sw $2, 8($5)
    lw $10, 12($5)
    lw $11, 8($5)
    addu $2, $2, $10
    xor $2, $2, $11
    addiu $4, $4, -1
    bnez $4, 1b
    nop
    jr $31
    nop
    .size side_by_side, . - side_by_side

# Traps in the slots of branches that are taken and that are not, of stores to nowhere; and a call
# that spoils the register it goes by. The handler goes on where $25 says.
    .globl traps_often
    .type traps_often, @function
traps_often:
    move $24, $31
    move $11, $4
    mfc0 $15, $12
    la $8, __vectors
    mtc0 $8, $15, 1
    mtc0 $0, $12
    ehb
    li $2, 0
    lui $9, 0x4000
    lui $10, 0x7fff
    ori $10, $10, 0xffff
1:  la $25, 2f
    bnez $0, 5f
    swl $9, 2($9)
5:  b 4f
    nop
2:  la $25, 3f
    b 4f
    add $9, $10, $10
3:  addiu $2, $2, 1
    la $31, 6f
    .word 0x03e0f809 # jalr $31, $31
    lw $8, 0($8)
6:  addiu $11, $11, -1
    bnez $11, 1b
    nop
4:  jr $24
    nop
    .size traps_often, . - traps_often

    .globl exception
    .type exception, @function
exception:
    mtc0 $25, $14
    ehb
    jr $31
    nop
    .size exception, . - exception

    .section .rodata
    .globl device
    .balign 4
device:
    .word 0xa0100000
