/*
 * sys_linux.c - output and exit through Linux system calls, without libc.
 */
#include "workload.h"

#if defined(__riscv) || defined(__hexagon__)
enum { LINUX_WRITE = 64, LINUX_EXIT_GROUP = 94 };
#elif defined(__mips__)
enum { LINUX_WRITE = 4004, LINUX_EXIT_GROUP = 4246 };
#else
#error "no system call numbers for this target"
#endif

enum { STDOUT = 1 };

long linux_syscall(long number, long a, long b, long c); /* start_*_linux.S */

void sys_write(const char *text, size_t length)
{
    while (length) {
        long n = linux_syscall(LINUX_WRITE, STDOUT, (long)(uintptr_t)text, (long)length);
        if (n <= 0)
            return;
        text += n;
        length -= (size_t)n;
    }
}

_Noreturn void sys_exit(int status)
{
    for (;;)
        linux_syscall(LINUX_EXIT_GROUP, status, 0, 0);
}
