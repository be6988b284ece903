/*
 * start_rv32_linux.S - RV32 Linux process without libc: entry and system calls.
 */
    .text
    .globl _start
    .type _start, @function
_start:
    .option push
    .option norelax
    la      gp, __global_pointer$
    .option pop
    lw      a0, 0(sp)               /* argc */
    addi    a1, sp, 4               /* argv */
    andi    sp, sp, -16
    call    main
    call    sys_exit
    .size _start, . - _start

/* long linux_syscall(long number, long a, long b, long c) */
    .globl linux_syscall
    .type linux_syscall, @function
linux_syscall:
    mv      a7, a0
    mv      a0, a1
    mv      a1, a2
    mv      a2, a3
    ecall
    ret
    .size linux_syscall, . - linux_syscall
