/* Start, files, memory and clocks of an RV32 process, through bare system calls. */
#include "rv32.h"

enum { AT_FDCWD = -100, O_RDWR = 2, O_CREAT = 0x40, O_TRUNC = 0x200, O_DIRECTORY = 0x10000 };

struct statx_part {
    u32 mask, blksize;
    u64 attributes;
    u32 nlink, uid, gid;
    u16 mode, pad;
    u64 ino, size, blocks, attributes_mask;
    u8 rest[256 - 64];
};

struct stat64 {
    u64 dev, ino;
    u32 mode, nlink, uid, gid;
    u64 rdev, pad1;
    i64 size;
    i32 blksize, pad2;
    i64 blocks;
    i32 times[6], unused[2];
};

static u32 aux(const u32 *auxv, u32 type)
{
    for (; auxv[0]; auxv += 2) {
        if (auxv[0] == type)
            return auxv[1];
    }
    return 0;
}

static void files(void)
{
    char text[64];
    struct statx_part x;
    struct stat64 st;
    i64 position = -1;
    long fd = SYS(56, AT_FDCWD, "file", O_RDWR | O_CREAT | O_TRUNC, 0644);
    print_number("openat", fd);
    print_number("write", SYS(64, fd, "0123456789abcdef", 16));
    print_number("llseek", SYS(62, fd, 0, 4, &position, 0));
    print_number("position", (long)position);
    print_number("read", SYS(63, fd, text, 6));
    print_number("same", equal(text, "456789", 6));
    print_number("pread64", SYS(67, fd, text, 4, 10, 0));
    print_number("same", equal(text, "abcd", 4));
    print_number("pwrite64 far", SYS(68, fd, "x", 1, 0x20, 1));
    print_number("statx", SYS(291, AT_FDCWD, "file", 0, 0x7ff, &x));
    print_number("mode", x.mode);
    print_number("size high", (long)(x.size >> 32));
    print_number("size low", (long)x.size);
    print_number("ftruncate64", SYS(46, fd, 9, 0));
    print_number("fstat64", SYS(80, fd, &st));
    print_number("mode", (long)st.mode);
    print_number("size", (long)st.size);
    print_number("links", (long)st.nlink);
    print_number("fstatat64", SYS(79, AT_FDCWD, "missing", &st, 0));
    u32 iov[] = {(u32) "one", 3, (u32) "two", 3};
    SYS(62, fd, 0, 0, &position, 0);
    print_number("writev", SYS(66, fd, iov, 2));
    print_number("dup3", SYS(24, fd, 20, 0));
    print_number("fcntl64", SYS(25, 20, 3) & 3);
    print_number("close", SYS(57, fd));
    print_number("close", SYS(57, fd));
    print_number("mkdirat", SYS(34, AT_FDCWD, "d", 0755));
    print_number("renameat2", SYS(276, AT_FDCWD, "file", AT_FDCWD, "d/file", 0));
    print_number("faccessat", SYS(48, AT_FDCWD, "d/file", 0));
    print_number("symlinkat", SYS(36, "file", AT_FDCWD, "d/link"));
    print_number("readlinkat", SYS(78, AT_FDCWD, "d/link", text, sizeof text));
    fd = SYS(56, AT_FDCWD, "d", O_DIRECTORY);
    u8 entries[1024];
    long got = SYS(61, fd, entries, sizeof entries), count = 0;
    for (long at = 0; at < got; count++)
        at += *(u16 *)(entries + at + 16);
    print_number("entries", count);
    print_number("unlinkat", SYS(35, AT_FDCWD, "d", 0x200));
    SYS(35, AT_FDCWD, "d/file", 0);
    SYS(35, AT_FDCWD, "d/link", 0);
    print_number("unlinkat", SYS(35, AT_FDCWD, "d", 0x200));
    int ends[2];
    print_number("pipe2", SYS(59, ends, 0));
    print_number("write", SYS(64, ends[1], "pipe", 4));
    struct {
        int fd;
        short events, revents;
    } p = {ends[0], 1, 0};
    i64 zero[2] = {0, 0};
    print_number("ppoll", SYS(414, &p, 1, zero, 0, 8));
    print_number("events", p.revents);
    print_number("read", SYS(63, ends[0], text, sizeof text));
    print_number("bad address", SYS(63, ends[0], 8, 4));
    print_number("bad number", SYS(63, 999, text, 4));
    print_number("ioctl", SYS(29, ends[0], 0x5401, text));
    u32 limit[2];
    print_number("getrlimit", SYS(163, 3, limit));
    u64 limits[2];
    print_number("prlimit64", SYS(261, 0, 3, 0, limits));
    print_number("same", limits[0] == limit[0]);
}

static void memory(void)
{
    u32 start = (u32)SYS(214, 0);
    print_number("brk aligned", (start & 4095) == 0);
    print_number("brk", (u32)SYS(214, start + 10000) == start + 10000);
    *(volatile int *)(start + 9996) = 1;
    print_number("brk back", (u32)SYS(214, start) == start);
    u32 at = (u32)SYS(222, 0, 8192, 3, 0x22, -1, 0);
    print_number("mmap2 aligned", (at & 4095) == 0);
    *(volatile int *)at = 42;
    *(volatile int *)(at + 8188) = 43;
    u32 moved = (u32)SYS(216, at, 8192, 16 * 4096, 1);
    print_number("mremap", *(volatile int *)moved);
    print_number("munmap", SYS(215, moved, 16 * 4096));
    print_number("mprotect", SYS(226, 0x50000001, 4096, 1));
    print_number("misaligned", *(volatile int *)((u8 *)&(u64){0x1234567800ULL} + 1));
}

static void clocks(void)
{
    i64 before[2], after[2], sleep[2] = {0, 2000000};
    print_number("clock_gettime64", SYS(403, 1, before));
    print_number("clock_nanosleep", SYS(407, 1, 0, sleep, 0));
    SYS(403, 1, after);
    i64 passed = (after[0] - before[0]) * 1000000000 + after[1] - before[1];
    print_number("slept", passed >= 2000000);
    print_number("bad clock", SYS(403, 77, before));
    print_number("clock_getres", SYS(406, 1, before));
    int word = 3;
    print_number("futex wake", SYS(422, &word, 1, 1));
    print_number("futex wait", SYS(422, &word, 0, 4, 0));
    print_number("futex wait", SYS(422, &word, 0, 3, sleep));
    char uts[6][65];
    print_number("uname", SYS(160, uts));
    print(uts[0]);
    print(" ");
    print(uts[4]);
    print("\n");
    print_number("flush", SYS(259, 0x10000, 0x20000, 0));
    print_number("getpid", SYS(172) > 0);
    u8 random[16];
    print_number("getrandom", SYS(278, random, sizeof random, 0));
}

int program(long argc, char **argv, char **envp, u32 *auxv)
{
    print_number("argc", argc);
    print_number("environment", envp[0] != 0);
    print_number("page", (long)aux(auxv, 6));
    print_number("ticks", (long)aux(auxv, 17));
    print_number("phent", (long)aux(auxv, 4));
    print_number("phnum", aux(auxv, 5) > 0);
    print_number("random", aux(auxv, 25) != 0);
    print_number("name", equal((char *)aux(auxv, 31), argv[0], length(argv[0])));
    files();
    memory();
    clocks();
    return 17;
}
