/*
 * A guest that tries to get out of its sandbox: escape OUT, or escape OUT ROUNDS for races
 *
 * OUT is a directory beside the working directory, made for the test, with what is in `run`, beside
 * this file. Every call that takes a path or a descriptor is tried on every way to OUT and to what
 * is in it. What is written to or changed is below OUT or below the working directory, never a file
 * of the system, so that a Gumshoe that lets everything through does no harm. Prints what it
 * reached, and how often it tried.
 */
#include "calls.h"

enum { PATH = 512 };

static u32 tried, reached;
static char buffer[4096];

static char *put(char *to, const char *text)
{
    while (*text)
        *to++ = *text++;
    *to = 0;
    return to;
}

static void print_count(const char *after, u32 value)
{
    char digits[12], *at = digits + sizeof digits;
    *--at = 0;
    do {
        *--at = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    print(at);
    print(after);
}

/* Anything but an error is a way out. */
static long expect_refused(const char *what, const char *path, long result)
{
    tried++;
    if (result < 0)
        return result;
    reached++;
    print("REACHED ");
    print(path);
    print(" by ");
    print(what);
    print("\n");
    return result;
}

static const int open_flags[] = {O_READ,
                                 O_BOTH,
                                 O_WRITE | O_MAKE | O_EMPTIED,
                                 O_NAME,
                                 O_READ | O_DIR,
                                 O_READ | O_EMPTIED,
                                 O_BOTH | O_TEMPORARY};

static void try_open(int dir, const char *path)
{
    for (u32 i = 0; i < sizeof open_flags / sizeof *open_flags; i++) {
        long fd = expect_refused("open", path, SYS(OPENAT, dir, path, open_flags[i], 0600));
        if (fd >= 0)
            SYS(CLOSE, fd);
    }
}

/* Calls that follow a link at the end of a path. */
static void try_following(int dir, const char *path)
{
    static const i64 times[4] = {1, 0, 1, 0};
    static const int old_times[4] = {1, 0, 1, 0};
    try_open(dir, path);
    expect_refused("fchmodat", path, SYS(FCHMODAT, dir, path, 0777));
    expect_refused("fchmodat2", path, SYS(FCHMODAT2, dir, path, 0777, 0));
    expect_refused("fchownat", path, SYS(FCHOWNAT, dir, path, 1000, 1000, 0));
    expect_refused("utimensat", path, SYS(UTIMENSAT64, dir, path, times, 0));
    expect_refused("faccessat", path, SYS(FACCESSAT, dir, path, 0));
    expect_refused("faccessat2", path, SYS(FACCESSAT2, dir, path, 2, 0));
    expect_refused("fstatat", path, SYS(FSTATAT64, dir, path, buffer, 0));
    expect_refused("statx", path, SYS(STATX, dir, path, 0, 0x7ff, buffer));
    expect_refused("openat2", path, SYS(OPENAT2, dir, path, buffer, 24));
    expect_refused("name_to_handle_at", path,
                   SYS(NAME_TO_HANDLE, dir, path, buffer, buffer + 512, 0));
    expect_refused("linkat", path, SYS(LINKAT, dir, path, AT_CWD, "stolen", FOLLOW_AT));
    if (dir != AT_CWD)
        return;
    expect_refused("truncate", path, SYS(TRUNCATE, path, 0));
    expect_refused("truncate64", path, SYS(TRUNCATE64, path, 0, 0, 0));
    expect_refused("chdir", path, SYS(CHDIR, path));
    expect_refused("statfs64", path, SYS(STATFS64, path, 88, buffer));
    expect_refused("setxattr", path, SYS(SETXATTR, path, "user.x", "y", 1, 0));
    expect_refused("chroot", path, SYS(CHROOT, path));
    expect_refused("execve", path, SYS(EXECVE, path, NUL, NUL));
    expect_refused("mount", path, SYS(MOUNT, "sub", path, "none", 4096, NUL));
    expect_refused("open", path, SYS(OPEN, path, O_BOTH, 0));
    expect_refused("creat", path, SYS(CREAT, path, 0600));
    expect_refused("chmod", path, SYS(CHMOD, path, 0777));
    expect_refused("chown", path, SYS(CHOWN, path, 1000, 1000));
    expect_refused("utime", path, SYS(UTIME, path, NUL));
    expect_refused("utimes", path, SYS(UTIMES, path, old_times));
    expect_refused("access", path, SYS(ACCESS, path, 0));
    expect_refused("stat64", path, SYS(STAT64, path, buffer));
}

/* Calls on the name itself. */
static void try_name(int dir, const char *path)
{
    expect_refused("mkdirat", path, SYS(MKDIRAT, dir, path, 0777));
    expect_refused("mknodat", path, SYS(MKNODAT, dir, path, 0010666, 0));
    expect_refused("symlinkat", path, SYS(SYMLINKAT, "file", dir, path));
    expect_refused("linkat", path, SYS(LINKAT, AT_CWD, "file", dir, path, 0));
    expect_refused("linkat from", path, SYS(LINKAT, dir, path, AT_CWD, "stolen", 0));
    expect_refused("renameat", path, SYS(RENAMEAT, AT_CWD, "file", dir, path));
    expect_refused("renameat from", path, SYS(RENAMEAT, dir, path, AT_CWD, "stolen"));
    expect_refused("renameat2", path, SYS(RENAMEAT2, AT_CWD, "file", dir, path, 2));
    expect_refused("renameat2 directory", path, SYS(RENAMEAT2, AT_CWD, "sub", dir, path, 2));
    expect_refused("renameat2 whiteout", path, SYS(RENAMEAT2, dir, path, AT_CWD, "stolen", 4));
    expect_refused("unlinkat", path, SYS(UNLINKAT, dir, path, 0));
    expect_refused("rmdir", path, SYS(UNLINKAT, dir, path, REMOVEDIR));
    expect_refused("readlinkat", path, SYS(READLINKAT, dir, path, buffer, 64));
    expect_refused("lstat", path, SYS(FSTATAT64, dir, path, buffer, NOFOLLOW_AT));
    expect_refused("lchown", path, SYS(FCHOWNAT, dir, path, 1000, 1000, NOFOLLOW_AT));
    if (dir != AT_CWD)
        return;
    expect_refused("mkdir", path, SYS(MKDIR, path, 0777));
    expect_refused("mknod", path, SYS(MKNOD, path, 0010666, 0));
    expect_refused("symlink", path, SYS(SYMLINK, "file", path));
    expect_refused("link", path, SYS(LINK, "file", path));
    expect_refused("rename", path, SYS(RENAME, "file", path));
    expect_refused("rename from", path, SYS(RENAME, path, "stolen"));
    expect_refused("unlink", path, SYS(UNLINK, path));
    expect_refused("old rmdir", path, SYS(RMDIR, path));
    expect_refused("readlink", path, SYS(READLINK, path, buffer, 64));
    expect_refused("lstat64", path, SYS(LSTAT64, path, buffer));
    expect_refused("old lchown", path, SYS(LCHOWN, path, 1000, 1000));
}

/* Ways to OUT; what is in it goes behind. */
static const char *const ways[] = {
    "%",
    "../out",
    "./sub/../../out",
    "sub/../../in/../out",
    "to_out",
    "to_up/out",
    "to_root%",
    "sub/to_up_up/out",
    "//%",
    "/proc/self/root%",
    "/proc/self/cwd/../out",
    "/proc/thread-self/cwd/../out",
    "/proc/1/root%",
    "/dev/fd/7",
    "/proc/self/fd/7",
    "to_proc/cwd/../out",
    "/dev/fd/../../%",
    "/dev/null/../..%",
    "../../../../../../../../../../..%",
    "loop/../../out",
    "to_data/../../out",
};
static const char *const names[] = {"",        "/",    "/secret", "/secret/",  "/dir", "/dir/.",
                                    "/dir/..", "/new", "/link",   "/dir/file", "/.",   "/pipe"};

static void build(char *to, const char *way, const char *out, const char *name)
{
    for (; *way; way++) {
        if (*way == '%')
            to = put(to, out);
        else
            *to++ = *way;
    }
    put(to, name);
}

static void try_ways(const char *out)
{
    char path[PATH];
    for (u32 w = 0; w < sizeof ways / sizeof *ways; w++) {
        for (u32 n = 0; n < sizeof names / sizeof *names; n++) {
            build(path, ways[w], out, names[n]);
            try_following(AT_CWD, path);
            /* The links themselves are the guest's. */
            if (n > 0 && !(n == 1 && w == 4))
                try_name(AT_CWD, path);
        }
    }
}

static void try_links(void)
{
    static const char *const links[] = {"to_secret", "to_new", "to_pipe", "to_out", "chain"};
    for (u32 i = 0; i < sizeof links / sizeof *links; i++) {
        try_following(AT_CWD, links[i]);
        /* A name for the link, as a descriptor. */
        long fd = SYS(OPENAT, AT_CWD, links[i], O_NAME | O_NOLINK, 0);
        if (fd < 0)
            continue;
        char path[PATH], digits[4] = {(char)('0' + fd / 10 % 10), (char)('0' + fd % 10), 0};
        put(put(path, "/proc/self/fd/"), fd < 10 ? digits + 1 : digits);
        expect_refused("open by /proc/self/fd", links[i], SYS(OPENAT, AT_CWD, path, O_BOTH, 0));
        expect_refused("openat", links[i], SYS(OPENAT, fd, "", O_BOTH, 0));
        expect_refused("openat below", links[i], SYS(OPENAT, fd, "secret", O_READ, 0));
        expect_refused("fchmod", links[i], SYS(FCHMOD, fd, 0777));
        expect_refused("fchmodat", links[i], SYS(FCHMODAT, AT_CWD, path, 0777));
        expect_refused("linkat", links[i], SYS(LINKAT, fd, "", AT_CWD, "stolen", EMPTY));
        expect_refused("linkat", links[i], SYS(LINKAT, AT_CWD, path, AT_CWD, "stolen", FOLLOW_AT));
        expect_refused("fchdir", links[i], SYS(FCHDIR, fd));
        SYS(CLOSE, fd);
    }
}

/* Directories of its own to start from, also one that is moved and one that is gone. */
static void try_directories(void)
{
    static const char *const paths[] = {"../out/secret", "../../out/secret", "../../../out/secret",
                                        "../../../../out/new", "../to_out/secret"};
    SYS(MKDIRAT, AT_CWD, "deep", 0700);
    SYS(MKDIRAT, AT_CWD, "deep/a", 0700);
    SYS(MKDIRAT, AT_CWD, "deep/a/b", 0700);
    SYS(MKDIRAT, AT_CWD, "gone", 0700);
    long dirs[4] = {
        SYS(OPENAT, AT_CWD, ".", O_DIR, 0), SYS(OPENAT, AT_CWD, "sub", O_NAME | O_DIR, 0),
        SYS(OPENAT, AT_CWD, "deep/a/b", O_DIR, 0), SYS(OPENAT, AT_CWD, "gone", O_DIR, 0)};
    SYS(RENAMEAT, AT_CWD, "deep/a/b", AT_CWD, "b");
    SYS(UNLINKAT, AT_CWD, "gone", REMOVEDIR);
    for (u32 d = 0; d < 4; d++) {
        for (u32 i = 0; i < sizeof paths / sizeof *paths; i++) {
            try_following((int)dirs[d], paths[i]);
            try_name((int)dirs[d], paths[i]);
        }
        SYS(FCHDIR, dirs[d]);
        for (u32 i = 0; i < sizeof paths / sizeof *paths; i++)
            try_open(AT_CWD, paths[i]);
        SYS(FCHDIR, dirs[0]);
    }
    for (u32 d = 0; d < 4; d++)
        SYS(CLOSE, dirs[d]);
    SYS(UNLINKAT, AT_CWD, "deep/a", REMOVEDIR);
    SYS(UNLINKAT, AT_CWD, "deep", REMOVEDIR);
    SYS(UNLINKAT, AT_CWD, "b", REMOVEDIR);
}

/* What was open where Gumshoe was started, and what its standard streams are. */
static void try_descriptors(void)
{
    for (int fd = 3; fd < 64; fd++) {
        expect_refused("fstat", "a descriptor", SYS(FSTAT64, fd, buffer));
        expect_refused("dup", "a descriptor", SYS(DUP, fd));
        expect_refused("fchdir", "a descriptor", SYS(FCHDIR, fd));
        expect_refused("fchmod", "a descriptor", SYS(FCHMOD, fd, 0777));
        expect_refused("openat", "a descriptor", SYS(OPENAT, fd, "secret", O_READ, 0));
        expect_refused("openat", "a descriptor", SYS(OPENAT, fd, "out/secret", O_READ, 0));
    }
    /* Standard input is OUT itself, standard error a file in it that is written to. */
    for (int fd = 0; fd < 3; fd++) {
        try_following(fd, "secret");
        try_name(fd, "new");
        expect_refused("fchmod", "a stream", SYS(FCHMOD, fd, 0777));
        expect_refused("fchown", "a stream", SYS(FCHOWN, fd, 1000, 1000));
        expect_refused("fchownat", "a stream", SYS(FCHOWNAT, fd, "", 1000, 1000, EMPTY));
        expect_refused("utimensat", "a stream", SYS(UTIMENSAT64, fd, NUL, NUL, 0));
        expect_refused("utimensat", "a stream", SYS(UTIMENSAT64, fd, "", NUL, EMPTY));
        expect_refused("linkat", "a stream", SYS(LINKAT, fd, "", AT_CWD, "stolen", EMPTY));
    }
    expect_refused("open", "/dev/stderr", SYS(OPENAT, AT_CWD, "/dev/stderr", O_BOTH, 0));
    expect_refused("open", "/proc/self/fd/2", SYS(OPENAT, AT_CWD, "/proc/self/fd/2", O_READ, 0));
    expect_refused("fchmodat", "/dev/stdin", SYS(FCHMODAT, AT_CWD, "/dev/stdin", 0777));
    expect_refused("linkat", "/dev/stderr",
                   SYS(LINKAT, AT_CWD, "/dev/stderr", AT_CWD, "stolen", FOLLOW_AT));
    if (SYS(FCHDIR, 0) >= 0) { /* it was given that, but nothing in it */
        try_open(AT_CWD, "secret");
        try_name(AT_CWD, "new");
        try_open(AT_CWD, "../out/secret");
    }
}

/* What Gumshoe writes beside the guest's files: the profile, and its cache. */
static void try_own(void)
{
    static const char *const own[] = {"app.db",       "app.db-journal",     "app.db-wal",
                                      "app.db.1-0x1", "cache/gumshoe",      "cache/gumshoe/x.so",
                                      "report.json",  "report.json.AbCdEf", "gumshoe.db"};
    for (u32 i = 0; i < sizeof own / sizeof *own; i++) {
        try_open(AT_CWD, own[i]);
        expect_refused("fchmodat", own[i], SYS(FCHMODAT, AT_CWD, own[i], 0777));
        expect_refused("mkdirat", own[i], SYS(MKDIRAT, AT_CWD, own[i], 0777));
        expect_refused("symlinkat", own[i], SYS(SYMLINKAT, "../out/new", AT_CWD, own[i]));
        expect_refused("linkat", own[i], SYS(LINKAT, AT_CWD, "file", AT_CWD, own[i], 0));
        expect_refused("linkat from", own[i], SYS(LINKAT, AT_CWD, own[i], AT_CWD, "stolen", 0));
        expect_refused("renameat", own[i], SYS(RENAMEAT, AT_CWD, "file", AT_CWD, own[i]));
        expect_refused("renameat from", own[i], SYS(RENAMEAT, AT_CWD, own[i], AT_CWD, "stolen"));
        expect_refused("renameat2", own[i], SYS(RENAMEAT2, AT_CWD, "file", AT_CWD, own[i], 2));
        expect_refused("unlinkat", own[i], SYS(UNLINKAT, AT_CWD, own[i], 0));
    }
    expect_refused("renameat from", "cache", SYS(RENAMEAT, AT_CWD, "cache", AT_CWD, "moved"));
}

/* What git executes. */
static void try_git(void)
{
    static const char *const paths[] = {".git/config", ".git/hooks/post-checkout",
                                        "sub/.git",    "to_git/config",
                                        ".git",        "sub/.git/config"};
    long fd = SYS(OPENAT, AT_CWD, ".git", O_DIR, 0);
    SYS(MKDIRAT, AT_CWD, "plain", 0700);
    expect_refused("openat", "the directory of git",
                   SYS(OPENAT, fd, "config", O_WRITE | O_MAKE, 0600));
    expect_refused("mkdirat", "the directory of git", SYS(MKDIRAT, fd, "new", 0700));
    SYS(CLOSE, fd);
    for (u32 i = 0; i < sizeof paths / sizeof *paths; i++) {
        expect_refused("open", paths[i], SYS(OPENAT, AT_CWD, paths[i], O_BOTH | O_MAKE, 0600));
        expect_refused("mkdirat", paths[i], SYS(MKDIRAT, AT_CWD, paths[i], 0777));
        expect_refused("symlinkat", paths[i], SYS(SYMLINKAT, "plain", AT_CWD, paths[i]));
        expect_refused("linkat", paths[i], SYS(LINKAT, AT_CWD, "file", AT_CWD, paths[i], 0));
        expect_refused("renameat", paths[i], SYS(RENAMEAT, AT_CWD, "plain", AT_CWD, paths[i]));
        expect_refused("renameat from", paths[i], SYS(RENAMEAT, AT_CWD, paths[i], AT_CWD, "moved"));
        expect_refused("renameat2", paths[i], SYS(RENAMEAT2, AT_CWD, "plain", AT_CWD, paths[i], 2));
        expect_refused("unlinkat", paths[i], SYS(UNLINKAT, AT_CWD, paths[i], 0));
    }
    SYS(UNLINKAT, AT_CWD, "plain", REMOVEDIR);
}

static void try_devices(void)
{
    static const char *const devices[] = {"/dev/mem",
                                          "/dev/kmem",
                                          "/dev/tty",
                                          "/dev/tty0",
                                          "/dev/sda",
                                          "/dev/vda",
                                          "/dev/kmsg",
                                          "/dev/ptmx",
                                          "/dev/pts/0",
                                          "/dev/kvm",
                                          "/dev/net/tun",
                                          "/dev/fuse",
                                          "/dev/loop-control",
                                          "/dev/console",
                                          "/dev/shm",
                                          "/sys",
                                          "/sys/kernel",
                                          "/proc/sysrq-trigger",
                                          "/proc/self/mem",
                                          "/proc/self/maps",
                                          "/proc/self/environ",
                                          "/proc/self/auxv",
                                          "/proc/self/pagemap",
                                          "/proc/kcore",
                                          "/proc",
                                          "/proc/sys/kernel/core_pattern",
                                          "/run",
                                          "/root",
                                          "/home",
                                          "/etc",
                                          "/etc/passwd",
                                          "/etc/shadow"};
    for (u32 i = 0; i < sizeof devices / sizeof *devices; i++) {
        expect_refused("open", devices[i], SYS(OPENAT, AT_CWD, devices[i], O_READ, 0));
        expect_refused("open", devices[i], SYS(OPENAT, AT_CWD, devices[i], O_NAME, 0));
        expect_refused("faccessat", devices[i], SYS(FACCESSAT, AT_CWD, devices[i], 2));
    }
    expect_refused("mknodat", "a device", SYS(MKNODAT, AT_CWD, "node", 0020666, 0x103));
    expect_refused("mknodat", "a disk", SYS(MKNODAT, AT_CWD, "node", 0060666, 0x800));
    expect_refused("fchmodat", "set-user-ID", SYS(FCHMODAT, AT_CWD, "file", 04755));
    long file = SYS(OPENAT, AT_CWD, "file", O_BOTH, 0);
    expect_refused("fchmod", "set-user-ID", SYS(FCHMOD, file, 06755));
    expect_refused("ioctl", "FS_IOC_SETFLAGS", SYS(IOCTL, file, 0x40086602, buffer));
    expect_refused("ioctl", "FICLONE", SYS(IOCTL, file, 0x40049409, 0));
    expect_refused("ioctl", "TIOCSTI", SYS(IOCTL, 1, 0x5412, "x"));
    expect_refused("fcntl", "F_NOTIFY", SYS(FCNTL, file, 1026, 0));
    expect_refused("fcntl", "F_SETLEASE", SYS(FCNTL, file, 1024, 0));
    SYS(CLOSE, file);
    expect_refused("socket", "the network", SYS(SOCKET, 2, NR(1, 2), 0));
    expect_refused("ptrace", "a process", SYS(PTRACE, 16, 1, 0, 0));
    expect_refused("process_vm_writev", "a process",
                   SYS(PROCESS_VM_WRITEV, 1, buffer, 1, buffer, 1, 0));
    expect_refused("pidfd_open", "a process", SYS(PIDFD_OPEN, 1, 0));
    expect_refused("kill", "a process", SYS(KILL, 1, 0));
    expect_refused("kill", "all processes", SYS(KILL, -1, 0));
    expect_refused("open_by_handle_at", "a handle", SYS(OPEN_BY_HANDLE, AT_CWD, buffer, 0));
    expect_refused("memfd_create", "a program", SYS(MEMFD_CREATE, "x", 0));
}

/* "swap" is exchanged meanwhile by another process, with a link to OUT. */
static void try_races(u32 rounds)
{
    static const char *const paths[] = {"swap/secret", "swap/../swap/secret", "trap/secret"};
    u32 inside = 0, outside = 0;
    for (u32 i = 0; i < rounds; i++) {
        char text[8] = "";
        long fd = SYS(OPENAT, AT_CWD, paths[i % 3], O_BOTH, 0);
        if (fd < 0)
            continue;
        SYS(READ, fd, text, 3);
        outside += text[0] == 'o';
        inside += text[0] == 'i';
        SYS(CLOSE, fd);
        SYS(FCHMODAT, AT_CWD, paths[i % 3], 0600 | (i & 7));
        SYS(UNLINKAT, AT_CWD, "swap/new", 0);
        SYS(MKNODAT, AT_CWD, "swap/new", 0100600, 0);
    }
    tried += rounds;
    reached += outside;
    print(outside ? "REACHED out by a race\n" : inside ? "the race was run\n" : "no race\n");
}

static u32 number(const char *text)
{
    u32 value = 0;
    while (*text >= '0' && *text <= '9')
        value = 10 * value + (u32)(*text++ - '0');
    return value;
}

#ifdef __riscv
int program(long argc, char **argv, char **envp, u32 *auxv)
{
    (void)envp, (void)auxv;
#else
int program(int argc, char **argv)
{
#endif
    if (argc < 2)
        return 2;
    if (argc > 2) {
        try_races(number(argv[2]));
    } else {
        try_ways(argv[1]);
        try_links();
        try_directories();
        try_own();
        try_git();
        try_devices();
        try_descriptors();
    }
    print_count(" attempts, ", tried);
    print_count(" reached\n", reached);
    return reached > 0;
}
