/*
 * start_mips_linux.S - MIPS o32 Linux process without libc: entry and system calls.
 */
    .option pic0                    /* absolute addresses: the process is static */
    .text
    .globl _start
    .ent _start
_start:
    lw      $a0, 0($sp)             /* argc */
    addiu   $a1, $sp, 4             /* argv */
    li      $t0, -8
    and     $sp, $sp, $t0
    addiu   $sp, $sp, -16           /* the o32 home area of main's arguments */
    la      $gp, _gp
    jal     main
    move    $a0, $v0
    jal     sys_exit
    .end _start

/* long linux_syscall(long number, long a, long b, long c): $a3 says whether it failed. */
    .globl linux_syscall
    .ent linux_syscall
linux_syscall:
    move    $v0, $a0
    move    $a0, $a1
    move    $a1, $a2
    move    $a2, $a3
    syscall
    beqz    $a3, 1f
    negu    $v0, $v0
1:  jr      $ra
    .end linux_syscall
