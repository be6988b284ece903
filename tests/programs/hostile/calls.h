/*
 * calls.h - system calls by number, with the errno as a negative result, for RISC-V without a C
 * library and for MIPS with one.
 */
#ifndef CALLS_H
#define CALLS_H

#ifdef __riscv

#include "../linux/rv32.h"

#define NUL             ((void *)0)
#define NR(riscv, mips) (riscv)

#else

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define NUL             NULL
#define NR(riscv, mips) (mips)
#define SYS(n, ...)     SYS_(n, __VA_ARGS__ __VA_OPT__(, ) 0, 0, 0, 0, 0, 0)
#define SYS_(n, a, b, c, d, e, f, ...) \
    call(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

typedef unsigned u32;
typedef unsigned char u8;
typedef long long i64;

static long call(long number, long a, long b, long c, long d, long e, long f)
{
    long result = syscall(number, a, b, c, d, e, f);
    return result == -1 ? -errno : result;
}

static void print(const char *text)
{
    (void)!write(1, text, strlen(text));
}

int program(int argc, char **argv);

int main(int argc, char **argv)
{
    return program(argc, argv);
}

#endif

/* A number that does not exist on one of them is refused there like any other. */
enum {
    NONE = 4999,
    OPENAT = NR(56, 4288),
    CLOSE = NR(57, 4006),
    MKNODAT = NR(33, 4290),
    MKDIRAT = NR(34, 4289),
    UNLINKAT = NR(35, 4294),
    SYMLINKAT = NR(36, 4297),
    LINKAT = NR(37, 4296),
    RENAMEAT = NR(38, 4295),
    RENAMEAT2 = NR(276, 4351),
    STATFS64 = NR(43, 4255),
    TRUNCATE = NR(NONE, 4092),
    TRUNCATE64 = NR(45, 4211),
    FACCESSAT = NR(48, 4300),
    FACCESSAT2 = NR(439, 4439),
    CHDIR = NR(49, 4012),
    FCHDIR = NR(50, 4133),
    FCHMOD = NR(52, 4094),
    FCHMODAT = NR(53, 4299),
    FCHMODAT2 = NR(452, 4452),
    FCHOWNAT = NR(54, 4291),
    FCHOWN = NR(55, 4095),
    GETDENTS64 = NR(61, 4219),
    READ = NR(63, 4003),
    WRITE = NR(64, 4004),
    READLINKAT = NR(78, 4298),
    FSTATAT64 = NR(79, 4293),
    FSTAT64 = NR(80, 4215),
    UTIMENSAT64 = NR(412, 4412),
    STATX = NR(291, 4366),
    OPENAT2 = NR(437, 4437),
    NAME_TO_HANDLE = NR(264, 4339),
    OPEN_BY_HANDLE = NR(265, 4340),
    SETXATTR = NR(5, 4224),
    CHROOT = NR(51, 4061),
    MOUNT = NR(40, 4021),
    EXECVE = NR(221, 4011),
    SOCKET = NR(198, 4183),
    PTRACE = NR(117, 4026),
    MEMFD_CREATE = NR(279, 4354),
    IOCTL = NR(29, 4054),
    FCNTL = NR(25, 4220),
    DUP = NR(23, 4041),
    PROCESS_VM_WRITEV = NR(271, 4346),
    PIDFD_OPEN = NR(434, 4434),
    KILL = NR(129, 4037),
    /* Of MIPS alone. */
    OPEN = NR(NONE, 4005),
    CREAT = NR(NONE, 4008),
    LINK = NR(NONE, 4009),
    UNLINK = NR(NONE, 4010),
    MKNOD = NR(NONE, 4014),
    CHMOD = NR(NONE, 4015),
    LCHOWN = NR(NONE, 4016),
    UTIME = NR(NONE, 4030),
    ACCESS = NR(NONE, 4033),
    RENAME = NR(NONE, 4038),
    MKDIR = NR(NONE, 4039),
    RMDIR = NR(NONE, 4040),
    SYMLINK = NR(NONE, 4083),
    READLINK = NR(NONE, 4085),
    CHOWN = NR(NONE, 4202),
    STAT64 = NR(NONE, 4213),
    LSTAT64 = NR(NONE, 4214),
    UTIMES = NR(NONE, 4267),
};

enum {
    AT_CWD = -100,
    NOFOLLOW_AT = 0x100,
    REMOVEDIR = 0x200,
    FOLLOW_AT = 0x400,
    EMPTY = 0x1000,
    O_READ = 0,
    O_WRITE = 1,
    O_BOTH = 2,
    O_MAKE = NR(0x40, 0x100),
    O_EMPTIED = 0x200,
    O_DIR = 0x10000,
    O_NOLINK = 0x20000,
    O_NAME = 0x200000, /* O_PATH */
    O_TEMPORARY = 0x410000,
};

#endif
