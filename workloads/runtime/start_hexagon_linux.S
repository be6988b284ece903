/*
 * start_hexagon_linux.S - Hexagon Linux process without libc: entry and system calls.
 */
    .text
    .globl _start
    .type _start, @function
_start:
    {
        r0 = memw(r29+#0)           /* argc */
        r1 = add(r29, #4)           /* argv */
        r29 = and(r29, #-16)
    }
    call main
    call sys_exit
    .size _start, . - _start

/* long linux_syscall(long number, long a, long b, long c) */
    .globl linux_syscall
    .type linux_syscall, @function
linux_syscall:
    {
        r6 = r0
        r0 = r1
        r1 = r2
        r2 = r3
    }
    trap0(#1)
    jumpr r31
    .size linux_syscall, . - linux_syscall
