/*
 * start_mips.S - MIPS bare metal: stack, global pointer, zeroed .bss, main, exit.
 *
 * Only MIPS I instructions, so one file serves every target. The assembler
 * fills the delay slots.
 */
    .section .text.start, "ax", @progbits
    .globl _start
    .ent _start
_start:
    la      $gp, _gp
    la      $sp, __stack_top - 16   /* the o32 home area of main's arguments */
    la      $t0, __bss_start
    la      $t1, __bss_end
    beq     $t0, $t1, 2f
1:  sw      $zero, 0($t0)
    addiu   $t0, $t0, 4
    bne     $t0, $t1, 1b
2:  jal     main
    move    $a0, $v0
    jal     sys_exit
    .end _start
