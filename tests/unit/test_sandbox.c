/*
 * The walls of a sandbox: what lies outside is refused by whatever way a path gets there, what is
 * read-only is not changed, and what lies inside is found. With openat2 and without.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "machine/hostpath.h"

/*
 * /tmp/gumshoe-test-X/in     allowed: file, sub/, data/file, links
 *                    /out    not allowed: secret
 *                    /ro     allowed for reading by some tests: file, sub/file
 */
typedef struct bench {
    char path[64];
    int before; /* the working directory */
    gs_sandbox *sandbox;
    unsigned notes;
    char note[800];
} bench;

static bool without_openat2;

static bool keep_note(void *self, const char *text)
{
    bench *b = self;
    b->notes++;
    snprintf(b->note, sizeof b->note, "%s", text);
    return true;
}

static void write_file(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "text", 4), 4);
    close(fd);
}

static void link_to(const char *name, const char *format, const char *path)
{
    char target[128];
    snprintf(target, sizeof target, format, path);
    assert_int_equal(symlink(target, name), 0);
}

/* Leaves the working directory at "in". */
static void bench_open(bench *b, const gs_sandbox_options *options)
{
    gs_error err;
    *b = (bench){.before = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC)};
    strcpy(b->path, "/tmp/gumshoe-test-XXXXXX");
    assert_non_null(mkdtemp(b->path));
    assert_int_equal(chdir(b->path), 0);
    assert_int_equal(mkdir("out", 0700), 0);
    write_file("out/secret");
    assert_int_equal(mkdir("ro", 0700), 0);
    assert_int_equal(mkdir("ro/sub", 0700), 0);
    write_file("ro/file");
    write_file("ro/sub/file");
    assert_int_equal(mkdir("in", 0700), 0);
    assert_int_equal(chdir("in"), 0);
    assert_int_equal(mkdir("sub", 0700), 0);
    assert_int_equal(mkdir("data", 0700), 0);
    write_file("file");
    write_file("data/file");
    link_to("absolute", "%s/out/secret", b->path);
    link_to("relative", "../out/secret", b->path);
    link_to("to_out", "%s/out", b->path);
    link_to("to_up", "..", b->path);
    link_to("to_root", "/", b->path);
    link_to("to_file", "%s/in/file", b->path);
    link_to("to_data", "sub/../data", b->path);
    link_to("to_new", "../out/new", b->path);
    link_to("to_passwd", "/etc/passwd", b->path);
    link_to("to_null", "/dev/null", b->path);
    link_to("to_proc", "/proc/self", b->path);
    if (gs_sandbox_open(&b->sandbox, options, "none", &err) != GS_OK)
        fail_msg("%s", err.message);
    b->sandbox->without_openat2 = without_openat2;
    b->sandbox->note = keep_note;
    b->sandbox->note_self = b;
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st, (void)type, (void)ftw;
    return remove(path);
}

static void bench_close(bench *b)
{
    gs_sandbox_free(b->sandbox);
    assert_int_equal(fchdir(b->before), 0);
    close(b->before);
    assert_int_equal(nftw(b->path, remove_entry, 16, FTW_DEPTH | FTW_PHYS), 0);
}

static int try_open_at(const bench *b, int dir, const char *path, int flags)
{
    int fd = gs_hostpath_open(b->sandbox, dir, path, flags | O_CLOEXEC, 0600, NULL);
    if (fd < 0)
        return fd;
    close(fd);
    return 0;
}

static int try_open(const bench *b, const char *path, int flags)
{
    return try_open_at(b, AT_FDCWD, path, flags);
}

static int try_find(const bench *b, const char *path, bool follows, gs_hostpath_use use)
{
    int fd = gs_hostpath_find(b->sandbox, AT_FDCWD, path, follows, use);
    if (fd < 0)
        return fd;
    close(fd);
    return 0;
}

/* Every use of a path has this result. */
static void check_all_uses(const bench *b, const char *path, int wanted)
{
    gs_sandbox *sandbox = b->sandbox;
    const int at = AT_FDCWD;
    static const int flags[] = {O_RDONLY, O_RDWR,      O_WRONLY | O_TRUNC, O_RDWR | O_CREAT,
                                O_PATH,   O_DIRECTORY, O_RDONLY | O_TRUNC, O_TMPFILE | O_RDWR};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        int status = try_open(b, path, flags[i]);
        if (status != wanted)
            fail_msg("%s, flags %x: %d, not %d", path, (unsigned)flags[i], status, wanted);
    }
    assert_int_equal(try_find(b, path, true, GS_HOSTPATH_LOOK), wanted);
    assert_int_equal(try_find(b, path, true, GS_HOSTPATH_WRITE), wanted);
    assert_int_equal(try_find(b, path, true, GS_HOSTPATH_CHANGE), wanted);
    assert_int_equal(gs_hostpath_link(sandbox, at, path, at, "name", AT_SYMLINK_FOLLOW), wanted);
}

/* Every change of a name has this result. */
static void check_all_names(const bench *b, const char *path, int wanted)
{
    gs_sandbox *sandbox = b->sandbox;
    const int at = AT_FDCWD;
    assert_int_equal(gs_hostpath_mkdir(sandbox, at, path, 0700), wanted);
    assert_int_equal(gs_hostpath_mknod(sandbox, at, path, S_IFIFO | 0600), wanted);
    assert_int_equal(gs_hostpath_symlink(sandbox, "file", at, path), wanted);
    assert_int_equal(gs_hostpath_link(sandbox, at, "file", at, path, 0), wanted);
    assert_int_equal(gs_hostpath_rename(sandbox, at, "file", at, path, 0), wanted);
    assert_int_equal(gs_hostpath_rename(sandbox, at, path, at, "name", 0), wanted);
    assert_int_equal(gs_hostpath_rename(sandbox, at, "file", at, path, RENAME_EXCHANGE), wanted);
    assert_int_equal(gs_hostpath_unlink(sandbox, at, path, 0), wanted);
    assert_int_equal(gs_hostpath_unlink(sandbox, at, path, AT_REMOVEDIR), wanted);
    assert_int_equal(gs_hostpath_remove(sandbox, at, path), wanted);
}

static const gs_sandbox_options here = {0};

static void test_outside(void **state)
{
    (void)state;
    static const char *const used[] = {
        "../out/secret",
        "../out",
        "../out/missing",
        "./sub/../../out/secret",
        "sub/../../in/../out/secret",
        "absolute",
        "relative",
        "to_out/secret",
        "to_out",
        "to_out/",
        "to_up/out/secret",
        "to_up/in/../out/secret",
        "to_root/etc/passwd",
        "to_passwd",
        "to_new",
        "to_proc/mem",
        "to_proc/cwd/file",
        "/etc/passwd",
        "//etc//passwd",
        "/etc",
        "/missing",
        "/missing/in/file",
        "/proc/self/cwd/file",
        "/proc/self/mem",
        "/proc/version",
        "/dev/fd/0",
        "/dev/mem",
        "/dev/sda",
        "/dev/tty",
        "/dev/../etc/passwd",
        "/dev/null/../../etc/passwd",
        "/dev/null/",
        "/sys/kernel",
    };
    static const char *const names[] = {
        "../out/new", "../out/secret", "../new", "..",           "to_out/new", "to_out/secret",
        "to_up/new",  "/tmp/new",      "/new",   "to_proc/name", "/",          "/dev/null",
        "/dev/sda",   "/etc/new",
    };
    bench b;
    bench_open(&b, &here);
    for (size_t i = 0; i < sizeof used / sizeof *used; i++)
        check_all_uses(&b, used[i], -EACCES);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        check_all_names(&b, names[i], -EACCES);
    struct stat st;
    assert_int_equal(stat("../out/secret", &st), 0);
    assert_int_equal(st.st_size, 4);
    assert_int_equal(access("../out/new", F_OK), -1);
    /* From descriptors that lead outside. */
    int out = open("../out", O_PATH | O_DIRECTORY | O_CLOEXEC);
    int top = open("..", O_PATH | O_DIRECTORY | O_CLOEXEC);
    assert_int_equal(try_open_at(&b, out, "secret", O_RDONLY), -EACCES);
    assert_int_equal(try_open_at(&b, out, "../in/file", O_RDONLY), -EACCES);
    assert_int_equal(try_open_at(&b, top, "out/secret", O_RDONLY), -EACCES);
    assert_int_equal(try_open_at(&b, top, "in/file", O_RDONLY), 0);
    close(out);
    close(top);
    bench_close(&b);
}

/* The way to the sandbox can be passed and looked at, and what is inside is there. */
static void test_inside(void **state)
{
    (void)state;
    static const char *const there[] = {"file",        "to_file",    "to_data/file",
                                        "sub/../file", "../in/file", "to_up/in/file"};
    bench b;
    char path[128];
    bench_open(&b, &here);
    for (size_t i = 0; i < sizeof there / sizeof *there; i++)
        assert_int_equal(try_open(&b, there[i], O_RDWR), 0);
    snprintf(path, sizeof path, "%s/in/file", b.path);
    assert_int_equal(try_open(&b, path, O_RDWR), 0);
    assert_int_equal(try_open(&b, "missing", O_RDONLY), -ENOENT);
    assert_int_equal(try_open(&b, "sub/new", O_WRONLY | O_CREAT | O_EXCL), 0);
    assert_int_equal(try_open(&b, "sub/new", O_WRONLY | O_CREAT | O_EXCL), -EEXIST);
    assert_int_equal(try_find(&b, "/", true, GS_HOSTPATH_LOOK), 0);
    assert_int_equal(try_find(&b, "/tmp", true, GS_HOSTPATH_LOOK), 0);
    assert_int_equal(try_find(&b, b.path, true, GS_HOSTPATH_LOOK), 0);
    assert_int_equal(b.notes, 0);
    assert_int_equal(try_find(&b, b.path, true, GS_HOSTPATH_CHANGE), -EACCES);
    assert_int_equal(try_open(&b, b.path, O_RDONLY), -EACCES);
    assert_int_equal(try_open(&b, "/", O_PATH | O_DIRECTORY), -EACCES);
    assert_int_equal(b.notes, 3);
    /* A link itself is a name like others. */
    assert_int_equal(try_find(&b, "absolute", false, GS_HOSTPATH_LOOK), 0);
    assert_int_equal(gs_hostpath_rename(b.sandbox, AT_FDCWD, "absolute", AT_FDCWD, "other", 0), 0);
    assert_int_equal(gs_hostpath_unlink(b.sandbox, AT_FDCWD, "other", 0), 0);
    bench_close(&b);
}

static void test_read_only(void **state)
{
    (void)state;
    static const gs_sandbox_path data = {"../ro", true};
    static const gs_sandbox_options options = {.paths = &data, .path_count = 1};
    static const char *const names[] = {"../ro/new", "to_ro/new"};
    static const char *const entries[] = {"../ro/file", "to_ro/file", "to_ro/sub/file"};
    bench b;
    bench_open(&b, &options);
    gs_sandbox *sandbox = b.sandbox;
    assert_int_equal(try_open(&b, "../ro/file", O_RDWR), -EROFS);
    assert_non_null(strstr(b.note, "which it was allowed read-only (--allow PATH without :ro)"));
    link_to("to_ro", "%s/ro", b.path);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        check_all_names(&b, names[i], -EROFS);
        assert_int_equal(try_open(&b, names[i], O_CREAT | O_RDONLY), -EROFS);
        assert_int_equal(try_open(&b, names[i], O_RDONLY), -ENOENT);
    }
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        const char *path = entries[i];
        assert_int_equal(try_open(&b, path, O_RDONLY), 0);
        assert_int_equal(try_open(&b, path, O_RDONLY | O_CREAT), 0);
        assert_int_equal(try_open(&b, path, O_RDONLY | O_TRUNC), -EROFS);
        assert_int_equal(try_open(&b, path, O_WRONLY), -EROFS);
        assert_int_equal(try_open(&b, path, O_RDWR | O_CREAT | O_TRUNC), -EROFS);
        assert_int_equal(try_find(&b, path, true, GS_HOSTPATH_LOOK), 0);
        assert_int_equal(try_find(&b, path, true, GS_HOSTPATH_WRITE), -EROFS);
        assert_int_equal(try_find(&b, path, true, GS_HOSTPATH_CHANGE), -EROFS);
        /* A second name in a writable directory would make it writable. */
        assert_int_equal(gs_hostpath_link(sandbox, AT_FDCWD, path, AT_FDCWD, "x", 0), -EROFS);
        assert_int_equal(gs_hostpath_rename(sandbox, AT_FDCWD, path, AT_FDCWD, "x", 0), -EROFS);
    }
    int fd = gs_hostpath_open(sandbox, AT_FDCWD, entries[0], O_RDONLY, 0, NULL);
    assert_int_equal(gs_hostpath_link(sandbox, fd, "", AT_FDCWD, "x", AT_EMPTY_PATH), -EACCES);
    close(fd);
    bench_close(&b);
}

/* The innermost rule decides; leaving it, the one around it does again. */
static void test_nested(void **state)
{
    (void)state;
    static const gs_sandbox_path paths[] = {{".", true}, {"sub", false}, {"sub/../file", false}};
    static const gs_sandbox_options options = {.paths = paths, .path_count = 1};
    bench b;
    gs_error err;
    bench_open(&b, &options);
    assert_int_equal(try_open(&b, "file", O_RDWR), -EROFS);
    assert_int_equal(try_open(&b, "data/new", O_RDWR | O_CREAT), -EROFS);
    gs_sandbox_free(b.sandbox);
    gs_sandbox_options more = {.paths = paths, .path_count = 3};
    assert_int_equal(gs_sandbox_open(&b.sandbox, &more, "none", &err), GS_OK);
    b.sandbox->without_openat2 = without_openat2;
    assert_int_equal(try_open(&b, "file", O_RDWR), 0);
    assert_int_equal(try_open(&b, "data/file", O_RDWR), -EROFS);
    assert_int_equal(try_open(&b, "sub/new", O_RDWR | O_CREAT), 0);
    assert_int_equal(try_open(&b, "sub/../data/file", O_RDWR), -EROFS);
    assert_int_equal(try_open(&b, "sub/../../out/secret", O_RDONLY), -EACCES);
    int sub = open("sub", O_PATH | O_DIRECTORY | O_CLOEXEC);
    assert_int_equal(try_open_at(&b, sub, "new", O_RDWR), 0);
    assert_int_equal(try_open_at(&b, sub, "../data/file", O_RDWR), -EROFS);
    assert_int_equal(try_open_at(&b, sub, "../data/file", O_RDONLY), 0);
    close(sub);
    bench_close(&b);
}

static void test_files_alone(void **state)
{
    (void)state;
    static const gs_sandbox_path paths[] = {{"../ro/file", true}};
    static const gs_sandbox_options options = {
        .files = GS_SANDBOX_LISTED, .paths = paths, .path_count = 1};
    bench b;
    bench_open(&b, &options);
    assert_int_equal(try_open(&b, paths[0].path, O_RDONLY), 0);
    assert_int_equal(try_open(&b, paths[0].path, O_RDWR), -EROFS);
    assert_int_equal(try_open(&b, "../ro/sub/file", O_RDONLY), -EACCES);
    check_all_names(&b, paths[0].path, -EACCES);
    check_all_uses(&b, "file", -EACCES);
    check_all_uses(&b, "missing", -EACCES);
    check_all_names(&b, "new", -EACCES);
    bench_close(&b);
}

/* The devices every program has, and no others. */
static void test_devices(void **state)
{
    (void)state;
    bench b;
    bench_open(&b, &here);
    assert_int_equal(try_open(&b, "/dev/null", O_RDWR), 0);
    assert_int_equal(try_open(&b, "//dev/zero", O_RDONLY), 0);
    assert_int_equal(try_open(&b, "to_null", O_WRONLY | O_CREAT | O_TRUNC), 0);
    assert_int_equal(try_open(&b, "/dev/urandom", O_RDONLY), 0);
    assert_int_equal(try_find(&b, "/dev/null", true, GS_HOSTPATH_WRITE), 0);
    assert_int_equal(try_find(&b, "/dev/null", true, GS_HOSTPATH_CHANGE), -EACCES);
    /* One that lies inside is refused, unless it is allowed itself. */
    if (mknod("node", S_IFCHR | 0600, makedev(1, 3)) == 0) {
        gs_error err;
        gs_sandbox_path node = {"node", false};
        gs_sandbox_options named = {.paths = &node, .path_count = 1};
        assert_int_equal(try_open(&b, "node", O_RDONLY), -EACCES);
        assert_int_equal(try_open(&b, "node", O_PATH), -EACCES);
        assert_int_equal(try_find(&b, "node", true, GS_HOSTPATH_LOOK), 0);
        gs_sandbox_free(b.sandbox);
        assert_int_equal(gs_sandbox_open(&b.sandbox, &named, "none", &err), GS_OK);
        assert_int_equal(try_open(&b, "node", O_RDWR), 0);
    }
    bench_close(&b);
}

static void test_root(void **state)
{
    (void)state;
    static const gs_sandbox_options options = {.root = "."};
    bench b;
    char text[128];
    bench_open(&b, &options);
    assert_int_equal(try_open(&b, "/file", O_RDWR), 0);
    assert_int_equal(try_open(&b, "file", O_RDWR), 0);
    assert_int_equal(try_open(&b, "/../../file", O_RDWR), 0);
    assert_int_equal(try_open(&b, "../sub/../../file", O_RDWR), 0);
    assert_int_equal(try_open(&b, "relative", O_RDONLY), -ENOENT); /* /out/secret */
    assert_int_equal(try_open(&b, "to_root/file", O_RDONLY), 0);
    assert_int_equal(try_open(&b, "to_passwd", O_RDONLY), -ENOENT);
    assert_int_equal(try_open(&b, "absolute", O_RDONLY), -ENOENT);
    assert_int_equal(try_open(&b, "/etc/passwd", O_RDONLY), -ENOENT);
    assert_int_equal(try_open(&b, "/proc/self/mem", O_RDONLY), -ENOENT);
    assert_int_equal(try_open(&b, "/dev/null", O_RDWR), 0);
    assert_int_equal(gs_hostpath_mkdir(b.sandbox, AT_FDCWD, "/../new", 0700), 0);
    assert_int_equal(access("new", F_OK), 0);
    int sub = open("sub", O_PATH | O_DIRECTORY | O_CLOEXEC);
    assert_int_equal(gs_sandbox_guest_path(b.sandbox, sub, text, sizeof text), 0);
    assert_string_equal(text, "/sub");
    close(sub);
    assert_int_equal(gs_sandbox_guest_path(b.sandbox, b.sandbox->home, text, sizeof text), 0);
    assert_string_equal(text, "/");
    bench_close(&b);
}

/* What another process exchanges and moves while paths are walked. */
typedef struct racer {
    volatile bool stop;
    const char *path;
} racer;

static void *exchange(void *self)
{
    racer *r = self;
    int top = open(r->path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    while (!r->stop) {
        (void)renameat2(top, "in/swap", top, "in/trap", RENAME_EXCHANGE);
        (void)renameat(top, "in/deep/a/b", top, "in/b");
        (void)renameat(top, "in/b", top, "in/deep/a/b");
    }
    close(top);
    return NULL;
}

static void test_races(void **state)
{
    (void)state;
    enum { TRIES = 4000 };
    bench b;
    racer r = {0};
    pthread_t thread;
    bench_open(&b, &here);
    assert_int_equal(mkdir("swap", 0700), 0);
    write_file("swap/secret");
    link_to("trap", "%s/out", b.path);
    assert_int_equal(mkdir("deep", 0700), 0);
    assert_int_equal(mkdir("deep/a", 0700), 0);
    assert_int_equal(mkdir("deep/a/b", 0700), 0);
    r.path = b.path;
    struct stat secret, st;
    assert_int_equal(stat("../out/secret", &secret), 0);
    assert_int_equal(pthread_create(&thread, NULL, exchange, &r), 0);
    static const char *const paths[] = {"swap/secret", "trap/secret",
                                        "deep/a/b/../../../../out/secret", "b/../../out/secret",
                                        "swap/../../out/secret"};
    unsigned opened = 0;
    for (unsigned i = 0; i < TRIES; i++) {
        int fd = gs_hostpath_open(b.sandbox, AT_FDCWD, paths[i % 5], O_RDWR | O_CLOEXEC, 0, NULL);
        if (fd < 0)
            continue;
        opened++;
        assert_int_equal(fstat(fd, &st), 0);
        assert_int_not_equal(st.st_ino, secret.st_ino);
        close(fd);
    }
    r.stop = true;
    pthread_join(thread, NULL);
    assert_true(opened > 0);
    bench_close(&b);
}

static void test_notes(void **state)
{
    (void)state;
    bench b;
    char path[32], wanted[200];
    bench_open(&b, &here);
    (void)try_open(&b, "../out/secret", O_RDONLY);
    snprintf(wanted, sizeof wanted,
             "the program was refused %s/in/../out/secret, which is outside its sandbox (--allow "
             "PATH lets it in)",
             b.path);
    assert_string_equal(b.note, wanted);
    (void)try_open(&b, "/etc/\033[2J\n", O_RDONLY);
    assert_null(strchr(b.note, '\033'));
    assert_null(strchr(b.note, '\n'));
    for (unsigned i = 0; i < 100; i++) {
        snprintf(path, sizeof path, "/etc/%u", i);
        (void)try_open(&b, path, O_RDONLY);
    }
    assert_int_equal(b.notes, 11);
    bench_close(&b);
}

/* What a process in a sandbox that is kept by the kernel can still do, as bits; without the gate.
 */
enum {
    READ_SECRET = 1,
    WRITE_SECRET = 2,
    READ_INSIDE = 4,
    WRITE_READ_ONLY = 8,
    LEAVE_BY_RENAME = 16,
    LEAVE_BY_LINK = 32,
    OPEN_SOCKET = 64,
    EXECUTE = 128,
    READ_OTHERS = 1 << 8,
    MOUNT = 1 << 9,
    MAKE_NAMESPACE = 1 << 10,
    PUSH_INPUT = 1 << 11,
    MAKE_THREAD = 1 << 12,
    OPEN_DEVICE = 1 << 13,
    USE_NULL = 1 << 14,
};

static bool can_open(const char *path, int flags)
{
    int fd = open(path, flags | O_CLOEXEC, 0600);
    if (fd < 0)
        return false;
    close(fd);
    return true;
}

static void *do_nothing(void *self)
{
    return self;
}

static unsigned try_all(void)
{
    unsigned can = 0;
    char byte = 0;
    struct iovec iov = {&byte, 1};
    pthread_t thread;
    char *const argv[] = {(char *)"/bin/true", NULL};
    can |= can_open("../out/secret", O_RDONLY) ? READ_SECRET : 0;
    can |= can_open("../out/secret", O_WRONLY) ? WRITE_SECRET : 0;
    can |= can_open("file", O_RDWR) && can_open("sub/new", O_WRONLY | O_CREAT) ? READ_INSIDE : 0;
    can |= can_open("../ro/file", O_WRONLY) ? WRITE_READ_ONLY : 0;
    can |= rename("file", "../out/file") == 0 ? LEAVE_BY_RENAME : 0;
    can |= link("../out/secret", "linked") == 0 ? LEAVE_BY_LINK : 0;
    can |= socket(AF_INET, SOCK_STREAM, 0) >= 0 || socket(AF_UNIX, SOCK_STREAM, 0) >= 0
               ? OPEN_SOCKET
               : 0;
    can |= process_vm_readv(getpid(), &iov, 1, &iov, 1, 0) >= 0 ? READ_OTHERS : 0;
    can |= mount("none", "sub", "tmpfs", 0, NULL) == 0 ? MOUNT : 0;
    can |= unshare(CLONE_NEWUSER) == 0 ? MAKE_NAMESPACE : 0;
    can |= ioctl(0, TIOCSTI, "x") == 0 || errno != EPERM ? PUSH_INPUT : 0;
    can |= pthread_create(&thread, NULL, do_nothing, NULL) == 0 && !pthread_join(thread, NULL)
               ? MAKE_THREAD
               : 0;
    can |= can_open("/dev/tty", O_PATH) && can_open("/dev/mem", O_RDONLY) ? OPEN_DEVICE : 0;
    can |= can_open("/dev/null", O_RDWR) ? USE_NULL : 0;
    /* A wrong format is found only where executing is allowed at all. */
    can |= execv("./file", argv) != 0 && errno == EPERM ? 0 : EXECUTE;
    return can;
}

/* In a process of its own; `without` the one and the other of the kernel's means. */
static unsigned confined(const gs_sandbox_options *options, bool without_landlock,
                         bool without_seccomp, gs_confinement *done)
{
    bench b;
    int ends[2], status;
    unsigned can = ~0U;
    bench_open(&b, options);
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        gs_error err;
        b.sandbox->without_landlock = without_landlock;
        b.sandbox->without_seccomp = without_seccomp;
        gs_status confined = gs_sandbox_confine_process(b.sandbox, NULL, 0, done, &err);
        can = confined == GS_OK ? try_all() : ~0U;
        (void)!write(ends[1], &can, sizeof can);
        (void)!write(ends[1], done, sizeof *done);
        _exit(0);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &can, sizeof can), sizeof can);
    assert_int_equal(read(ends[0], done, sizeof *done), sizeof *done);
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    bench_close(&b);
    return can;
}

static void test_confinement(void **state)
{
    (void)state;
    static const gs_sandbox_path ro = {"../ro", true};
    static const gs_sandbox_options options = {.paths = &ro, .path_count = 1};
    static const unsigned of_files =
        READ_SECRET | WRITE_SECRET | WRITE_READ_ONLY | LEAVE_BY_RENAME | LEAVE_BY_LINK;
    static const unsigned of_calls = EXECUTE | READ_OTHERS | MOUNT | MAKE_NAMESPACE | PUSH_INPUT;
    static const unsigned always = READ_INSIDE | MAKE_THREAD | USE_NULL;
    gs_confinement done;
    unsigned can = confined(&options, false, false, &done);
    bool has_landlock = done.files, has_seccomp = done.calls;
    if (has_landlock && has_seccomp)
        assert_int_equal(can, always);
    can = confined(&options, true, false, &done);
    assert_false(done.files);
    assert_int_equal(done.calls, has_seccomp);
    assert_int_equal(can & always, always);
    assert_int_equal(can & of_files, of_files);
    if (has_seccomp)
        assert_int_equal(can & (of_calls | OPEN_SOCKET), 0);
    can = confined(&options, false, true, &done);
    assert_false(done.calls);
    assert_int_equal(done.files, has_landlock);
    assert_int_equal(can & always, always);
    if (has_landlock)
        assert_int_equal(can & of_files, 0);
    /* Without walls there is nothing for Landlock to do. */
    static const gs_sandbox_options all = {.files = GS_SANDBOX_ALL};
    can = confined(&all, false, false, &done);
    assert_false(done.files);
    assert_int_equal(can & of_files, of_files);
    if (!has_landlock || !has_seccomp)
        print_message("skipped in part: this kernel has %s%s\n", has_landlock ? "" : "no Landlock ",
                      has_seccomp ? "" : "no seccomp");
}

static void test_options(void **state)
{
    (void)state;
    static const gs_sandbox_path missing = {"/missing/file", false};
    static const struct {
        gs_sandbox_options options;
        const char *message;
    } wrong[] = {
        {{.paths = &missing, .path_count = 1},
         "the program cannot be allowed /missing/file: No such file or directory"},
        {{.root = "/missing"}, "/missing cannot be the program's root: No such file or directory"},
        {{.root = ".", .paths = &missing, .path_count = 1},
         "a program with a root of its own sees nothing else: put /missing/file below ."},
    };
    gs_sandbox *sandbox;
    gs_error err;
    char text[200];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(gs_sandbox_open(&sandbox, &wrong[i].options, "none", &err), GS_E_ARGUMENT);
        assert_string_equal(err.message, wrong[i].message);
        assert_null(sandbox);
    }
    static const gs_sandbox_path etc = {"/etc", true};
    static const struct {
        gs_sandbox_options options;
        const char *text;
    } right[] = {
        {{0}, "files below the working directory"},
        {{.paths = &etc, .path_count = 1},
         "files below the working directory, below /etc (read only)"},
        {{.files = GS_SANDBOX_LISTED}, "no files"},
        {{.files = GS_SANDBOX_LISTED, .paths = &etc, .path_count = 1},
         "files below /etc (read only)"},
        {{.files = GS_SANDBOX_ALL}, "all files of the user"},
        {{.root = "/etc"}, "files below /etc, its root"},
    };
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        assert_int_equal(gs_sandbox_open(&sandbox, &right[i].options, "none", &err), GS_OK);
        assert_string_equal(gs_sandbox_describe(sandbox, text, sizeof text), right[i].text);
        assert_int_equal(strlen(gs_sandbox_describe(sandbox, text, 8)), 7);
        assert_int_equal(gs_sandbox_kind(sandbox) == GS_SANDBOX_ALL,
                         right[i].options.files == GS_SANDBOX_ALL);
        assert_int_equal(gs_sandbox_has_root(sandbox), right[i].options.root != NULL);
        size_t count = gs_sandbox_path_count(sandbox);
        if (right[i].options.path_count) /* the last one; the working directory comes first */
            assert_string_equal(gs_sandbox_path_at(sandbox, count - 1).path, etc.path);
        gs_sandbox_free(sandbox);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outside),     cmocka_unit_test(test_inside),
        cmocka_unit_test(test_read_only),   cmocka_unit_test(test_nested),
        cmocka_unit_test(test_devices),     cmocka_unit_test(test_files_alone),
        cmocka_unit_test(test_root),        cmocka_unit_test(test_races),
        cmocka_unit_test(test_confinement), cmocka_unit_test(test_notes),
        cmocka_unit_test(test_options),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    without_openat2 = true;
    return failed + cmocka_run_group_tests(tests, NULL, NULL);
}
