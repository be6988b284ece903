/* start_mips.S - stack, main, exit; and room for a handler at the general exception vector,
 * 0x180 from the beginning, which calls `exception` if the program has one. */
    .set noreorder
    .section .text.vectors, "ax", @progbits
    .globl __vectors
__vectors:
    .space 0x180
    .weak exception
    la      $k0, exception
    beqz    $k0, 1f
     nop
    addiu   $sp, $sp, -128
    .set noat
    sw      $1, 16($sp)
    .set at
    sw      $2, 20($sp)
    sw      $3, 24($sp)
    sw      $4, 28($sp)
    sw      $5, 32($sp)
    sw      $6, 36($sp)
    sw      $7, 40($sp)
    sw      $8, 44($sp)
    sw      $9, 48($sp)
    sw      $10, 52($sp)
    sw      $11, 56($sp)
    sw      $12, 60($sp)
    sw      $13, 64($sp)
    sw      $14, 68($sp)
    sw      $15, 72($sp)
    sw      $24, 76($sp)
    sw      $25, 80($sp)
    sw      $31, 84($sp)
    mfhi    $8
    mflo    $9
    sw      $8, 88($sp)
    jalr    $k0
     sw     $9, 92($sp)
    lw      $8, 88($sp)
    lw      $9, 92($sp)
    mthi    $8
    mtlo    $9
    lw      $31, 84($sp)
    lw      $25, 80($sp)
    lw      $24, 76($sp)
    lw      $15, 72($sp)
    lw      $14, 68($sp)
    lw      $13, 64($sp)
    lw      $12, 60($sp)
    lw      $11, 56($sp)
    lw      $10, 52($sp)
    lw      $9, 48($sp)
    lw      $8, 44($sp)
    lw      $7, 40($sp)
    lw      $6, 36($sp)
    lw      $5, 32($sp)
    lw      $4, 28($sp)
    lw      $3, 24($sp)
    lw      $2, 20($sp)
    .set noat
    lw      $1, 16($sp)
    .set at
    addiu   $sp, $sp, 128
    eret
1:  b       1b
     nop

    .section .text.start, "ax", @progbits
    .globl _start
    .ent _start
_start:
    la      $sp, __stack_top - 32
    jal     main
     nop
    jal     finish
     move   $a0, $v0
    .end _start
