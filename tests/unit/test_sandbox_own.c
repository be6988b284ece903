/*
 * What is Gumshoe's own in a sandbox: files it writes, its cache, and the directories that rules
 * hang on; what a guest makes; and what the kernel keeps the whole process from.
 *
 * All that is written or changed lies in a directory of its own below /tmp.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "machine/hostpath.h"

/*
 * /tmp/gumshoe-test-X/in     allowed: file, a/b/, cache/
 *                    /out    not allowed: secret
 */
typedef struct bench {
    char path[64];
    int before; /* the working directory */
    gs_sandbox *sandbox;
    char note[800];
} bench;

static bool keep_note(void *self, const char *text)
{
    bench *b = self;
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

static void bench_open(bench *b)
{
    *b = (bench){.before = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC)};
    strcpy(b->path, "/tmp/gumshoe-test-XXXXXX");
    assert_non_null(mkdtemp(b->path));
    assert_int_equal(chdir(b->path), 0);
    assert_int_equal(mkdir("out", 0700), 0);
    write_file("out/secret");
    assert_int_equal(mkdir("in", 0700), 0);
    assert_int_equal(chdir("in"), 0);
    assert_int_equal(mkdir("a", 0700), 0);
    assert_int_equal(mkdir("a/b", 0700), 0);
    assert_int_equal(mkdir("cache", 0700), 0);
    assert_int_equal(mkdir("cache/gumshoe", 0700), 0);
    write_file("file");
    write_file("a/b/file");
    write_file("cache/gumshoe/object");
}

static void sandbox_open(bench *b, const gs_sandbox_options *options)
{
    gs_error err;
    if (gs_sandbox_open(&b->sandbox, options, "none", &err) != GS_OK)
        fail_msg("%s", err.message);
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

static int try_open(const bench *b, const char *path, int flags)
{
    int fd = gs_hostpath_open(b->sandbox, AT_FDCWD, path, flags | O_CLOEXEC, 0600, NULL);
    if (fd < 0)
        return fd;
    close(fd);
    return 0;
}

static int try_find(const bench *b, const char *path, gs_hostpath_use use)
{
    int fd = gs_hostpath_find(b->sandbox, AT_FDCWD, path, true, use);
    if (fd < 0)
        return fd;
    close(fd);
    return 0;
}

/* Nothing but looking at it is allowed. */
static void expect_reserved(const bench *b, const char *path)
{
    gs_sandbox *sandbox = b->sandbox;
    const int at = AT_FDCWD;
    sandbox->noted = 0;
    assert_int_equal(try_open(b, path, O_RDONLY), -EPERM);
    assert_non_null(strstr(b->note, "which Gumshoe itself keeps its files in"));
    assert_int_equal(try_open(b, path, O_PATH), -EPERM);
    assert_int_equal(try_open(b, path, O_WRONLY | O_CREAT), -EPERM);
    assert_int_equal(try_open(b, path, O_WRONLY | O_CREAT | O_EXCL), -EPERM);
    assert_int_equal(gs_hostpath_mkdir(sandbox, at, path, 0700), -EPERM);
    assert_int_equal(gs_hostpath_mknod(sandbox, at, path, S_IFREG | 0600), -EPERM);
    assert_int_equal(gs_hostpath_symlink(sandbox, "../out/secret", at, path), -EPERM);
    assert_int_equal(gs_hostpath_unlink(sandbox, at, path, 0), -EPERM);
    assert_int_equal(gs_hostpath_unlink(sandbox, at, path, AT_REMOVEDIR), -EPERM);
    assert_int_equal(gs_hostpath_rename(sandbox, at, path, at, "name", 0), -EPERM);
    assert_int_equal(gs_hostpath_rename(sandbox, at, "file", at, path, 0), -EPERM);
    assert_int_equal(gs_hostpath_rename(sandbox, at, "file", at, path, RENAME_EXCHANGE), -EPERM);
    assert_int_equal(gs_hostpath_link(sandbox, at, path, at, "name", 0), -EPERM);
    assert_int_equal(gs_hostpath_link(sandbox, at, "file", at, path, 0), -EPERM);
}

static void test_own_files(void **state)
{
    (void)state;
    bench b;
    bench_open(&b);
    write_file("app.db");
    assert_int_equal(link("app.db", "second"), 0);
    assert_int_equal(symlink("app.db", "to_app"), 0);
    assert_int_equal(symlink("../a/b/real.db", "cache/linked.db"), 0);
    write_file("a/b/real.db");
    static const char *const own[] = {"app.db", "./new.json", "cache/linked.db", "a/out/"};
    sandbox_open(&b, &(gs_sandbox_options){.reserved = own, .reserved_count = 4});
    static const char *const reserved[] = {
        "app.db",          "app.db-journal", "app.db.123-0x5",      "new.json",
        "new.json.AbCdEf", "a/b/real.db",    "a/b/real.db-journal", "second",
        "cache/linked.db", "a/out",          "a/out.part"};
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        expect_reserved(&b, reserved[i]);
    assert_int_equal(try_open(&b, "to_app", O_WRONLY | O_TRUNC), -EPERM);
    assert_int_equal(try_open(&b, "a/../app.db", O_RDWR), -EPERM);
    assert_int_equal(try_find(&b, "app.db", GS_HOSTPATH_CHANGE), -EPERM);
    assert_int_equal(try_find(&b, "second", GS_HOSTPATH_CHANGE), -EPERM);
    assert_int_equal(try_find(&b, "app.db", GS_HOSTPATH_LOOK), 0);
    /* Made meanwhile, by Gumshoe. */
    assert_int_equal(mkdir("a/out", 0700), 0);
    assert_int_equal(try_open(&b, "a/out/program.c", O_WRONLY | O_CREAT), -EPERM);
    /* Others that begin alike are not meant. */
    assert_int_equal(try_open(&b, "app.dbx", O_WRONLY | O_CREAT), 0);
    assert_int_equal(try_open(&b, "app", O_WRONLY | O_CREAT), 0);
    assert_int_equal(try_open(&b, "a/b/app.db", O_WRONLY | O_CREAT), 0);
    struct stat st;
    assert_int_equal(stat("app.db", &st), 0);
    assert_int_equal(st.st_size, 4);
    bench_close(&b);
}

/* The cache of translations, which later runs execute, is reserved without being named. */
static void test_cache(void **state)
{
    (void)state;
    bench b;
    char path[128];
    bench_open(&b);
    char *before = getenv("XDG_CACHE_HOME") ? strdup(getenv("XDG_CACHE_HOME")) : NULL;
    snprintf(path, sizeof path, "%s/in/cache", b.path);
    setenv("XDG_CACHE_HOME", path, 1);
    sandbox_open(&b, &(gs_sandbox_options){0});
    expect_reserved(&b, "cache/gumshoe");
    assert_int_equal(try_open(&b, "cache/gumshoe/object", O_RDONLY), -EPERM);
    assert_int_equal(try_open(&b, "cache/gumshoe/new", O_WRONLY | O_CREAT), -EPERM);
    assert_int_equal(try_open(&b, "cache/gumshoe/../../file", O_RDONLY), -EPERM);
    assert_int_equal(try_open(&b, "cache/other", O_WRONLY | O_CREAT), 0);
    /* Another directory in its place would be another cache. */
    assert_int_equal(gs_hostpath_rename(b.sandbox, AT_FDCWD, "cache", AT_FDCWD, "x", 0), -EBUSY);
    assert_int_equal(
        gs_hostpath_rename(b.sandbox, AT_FDCWD, "a", AT_FDCWD, "cache", RENAME_EXCHANGE), -EBUSY);
    gs_sandbox_free(b.sandbox);
    /* With all files, and from inside of it. */
    sandbox_open(&b, &(gs_sandbox_options){.files = GS_SANDBOX_ALL});
    expect_reserved(&b, "cache/gumshoe");
    gs_sandbox_free(b.sandbox);
    assert_int_equal(chdir("cache/gumshoe"), 0);
    sandbox_open(&b, &(gs_sandbox_options){0});
    assert_int_equal(try_open(&b, "object", O_RDONLY), -EACCES);
    assert_int_equal(try_open(&b, "new", O_WRONLY | O_CREAT), -EACCES);
    assert_int_equal(gs_hostpath_unlink(b.sandbox, AT_FDCWD, "object", 0), -EACCES);
    gs_sandbox_free(b.sandbox);
    assert_int_equal(chdir("../.."), 0);
    /* One that is not there yet is not made by the guest. */
    snprintf(path, sizeof path, "%s/in/a/b/none/deep", b.path);
    setenv("XDG_CACHE_HOME", path, 1);
    sandbox_open(&b, &(gs_sandbox_options){0});
    expect_reserved(&b, "a/b/none");
    assert_int_equal(gs_hostpath_rename(b.sandbox, AT_FDCWD, "a/b", AT_FDCWD, "x", 0), -EBUSY);
    if (before)
        setenv("XDG_CACHE_HOME", before, 1);
    else
        unsetenv("XDG_CACHE_HOME");
    free(before);
    bench_close(&b);
}

/* A rule hangs on a directory, and the directories above that keep their names. */
static void test_ways(void **state)
{
    (void)state;
    static const gs_sandbox_path paths[] = {{"a/b", true}};
    bench b;
    bench_open(&b);
    sandbox_open(&b, &(gs_sandbox_options){.paths = paths, .path_count = 1});
    assert_int_equal(gs_hostpath_rename(b.sandbox, AT_FDCWD, "a", AT_FDCWD, "x", 0), -EBUSY);
    assert_int_equal(gs_hostpath_rename(b.sandbox, AT_FDCWD, "a/b", AT_FDCWD, "x", 0), -EROFS);
    assert_int_equal(gs_hostpath_mkdir(b.sandbox, AT_FDCWD, "a", 0700), -EEXIST);
    /* And their attributes: what is below stays within reach. */
    assert_int_equal(try_find(&b, "a", GS_HOSTPATH_CHANGE), -EBUSY);
    assert_int_equal(try_find(&b, ".", GS_HOSTPATH_CHANGE), -EBUSY);
    assert_non_null(strstr(b.note, "on which its sandbox depends"));
    assert_int_equal(try_find(&b, "cache", GS_HOSTPATH_CHANGE), 0);
    gs_hostpath_opened opened;
    int fd = gs_hostpath_open(b.sandbox, AT_FDCWD, ".", O_RDONLY | O_CLOEXEC, 0, &opened);
    assert_true(fd >= 0 && opened.read_only);
    close(fd);
    assert_int_equal(gs_hostpath_rename(b.sandbox, AT_FDCWD, "cache", AT_FDCWD, "x", 0), 0);
    assert_int_equal(gs_hostpath_rename(b.sandbox, AT_FDCWD, "x", AT_FDCWD, "y", 4), -EINVAL);
    bench_close(&b);
}

/* What git executes when it is called there is not the guest's to write. */
static void test_git(void **state)
{
    (void)state;
    static const gs_sandbox_path named[] = {{"a/.git", false}};
    bench b;
    bench_open(&b);
    gs_sandbox *s;
    const int at = AT_FDCWD;
    assert_int_equal(mkdir("a/.git", 0700), 0);
    assert_int_equal(mkdir("a/.git/hooks", 0700), 0);
    write_file("a/.git/config");
    assert_int_equal(symlink("a/.git", "to_git"), 0);
    sandbox_open(&b, &(gs_sandbox_options){0});
    s = b.sandbox;
    static const char *const paths[] = {"a/.git/config", "a/.git/hooks/../config", "to_git/config",
                                        "a/.git/new"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        assert_int_equal(try_open(&b, paths[i], O_WRONLY | O_CREAT), -EROFS);
        assert_int_equal(gs_hostpath_rename(s, at, "file", at, paths[i], 0), -EROFS);
        assert_int_equal(gs_hostpath_unlink(s, at, paths[i], 0), -EROFS);
    }
    assert_int_equal(try_open(&b, "a/.git/config", O_RDONLY), 0);
    assert_int_equal(gs_hostpath_mkdir(s, at, "a/.git/hooks/new", 0700), -EROFS);
    assert_int_equal(try_find(&b, "a/.git", GS_HOSTPATH_CHANGE), -EROFS);
    /* By another way: from a descriptor, and where there is none yet. */
    int git = gs_hostpath_open(s, at, "a/.git", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0, NULL);
    assert_true(git >= 0);
    assert_int_equal(gs_hostpath_open(s, git, "config", O_WRONLY | O_CLOEXEC, 0, NULL), -EROFS);
    assert_int_equal(gs_hostpath_open(s, git, "../b/file", O_PATH | O_CLOEXEC, 0, NULL) >= 0, 1);
    assert_int_equal(gs_hostpath_mkdir(s, git, "hooks/new", 0700), -EROFS);
    close(git);
    assert_int_equal(gs_hostpath_rename(s, at, "a/.git", at, "plain", 0), -EROFS);
    assert_int_equal(gs_hostpath_mkdir(s, at, ".git", 0700), -EROFS);
    assert_int_equal(gs_hostpath_mkdir(s, at, "cache/.GIT/", 0700), -EROFS);
    assert_int_equal(gs_hostpath_symlink(s, "a", at, ".git"), -EROFS);
    assert_int_equal(gs_hostpath_rename(s, at, "cache", at, ".git", 0), -EROFS);
    assert_int_equal(try_open(&b, "a/b/.git", O_WRONLY | O_CREAT), -EROFS);
    assert_int_equal(try_open(&b, "a/.gitignore", O_WRONLY | O_CREAT), 0);
    gs_sandbox_free(s);
    /* Unless it is named. */
    sandbox_open(&b, &(gs_sandbox_options){.paths = named, .path_count = 1});
    assert_int_equal(try_open(&b, "a/.git/config", O_WRONLY), 0);
    assert_int_equal(try_open(&b, "a/.git/new", O_WRONLY | O_CREAT), 0);
    bench_close(&b);
}

static mode_t mode_of(const char *path)
{
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    return st.st_mode & 07777;
}

static void test_set_id(void **state)
{
    (void)state;
    bench b;
    bench_open(&b);
    sandbox_open(&b, &(gs_sandbox_options){0});
    int fd = gs_hostpath_open(b.sandbox, AT_FDCWD, "new", O_WRONLY | O_CREAT, 06700, NULL);
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(mode_of("new"), 0700);
    assert_int_equal(gs_hostpath_mknod(b.sandbox, AT_FDCWD, "node", S_IFREG | 06700), 0);
    assert_int_equal(mode_of("node"), 0700);
    bench_close(&b);
}

/* Where the working directory is /, what is below it is everything. */
static void test_at_root(void **state)
{
    (void)state;
    bench b;
    char text[200];
    bench_open(&b);
    assert_int_equal(chdir("/"), 0);
    sandbox_open(&b, &(gs_sandbox_options){0});
    assert_int_equal(try_open(&b, "etc/passwd", O_RDONLY), -EACCES);
    assert_int_equal(try_open(&b, "/etc", O_RDONLY | O_DIRECTORY), -EACCES);
    assert_int_equal(try_find(&b, "etc", GS_HOSTPATH_CHANGE), -EACCES);
    assert_int_equal(try_open(&b, "/dev/null", O_RDWR), 0);
    assert_string_equal(gs_sandbox_describe(b.sandbox, text, sizeof text),
                        "no files, as the working directory is / (--allow PATH)");
    bench_close(&b);
}

/* With all files, what is in procfs is not to be changed either. */
static void test_procfs(void **state)
{
    (void)state;
    bench b;
    bench_open(&b);
    sandbox_open(&b, &(gs_sandbox_options){.files = GS_SANDBOX_ALL});
    assert_int_equal(try_find(&b, "/proc", GS_HOSTPATH_LOOK), 0);
    assert_int_equal(try_find(&b, "/proc", GS_HOSTPATH_CHANGE), -EACCES);
    assert_int_equal(try_find(&b, "/proc/version", GS_HOSTPATH_CHANGE), -EACCES);
    assert_int_equal(try_find(&b, "/proc/sys/kernel", GS_HOSTPATH_WRITE), -EACCES);
    bench_close(&b);
}

/* What a process that the kernel holds can still do to files that it has not opened, as bits. */
enum {
    CHANGE_MODE = 1,
    CHANGE_OWNER = 2,
    CHANGE_TIMES = 4,
    CHANGE_ATTRIBUTE = 8,
    CHANGE_OPEN = 16,
    SET_ID = 32,
    MAKE_NODE = 64,
    MAKE_ADMIN = 128, /* has a capability that is not about files */
    SHARE_MEMORY = 256,
    WATCH = 512,
    SIGNAL_OTHERS = 1024,
    TOUCH = 2048,
};

static bool has_capability(unsigned number)
{
    char line[256];
    unsigned long long set = 0;
    FILE *status = fopen("/proc/self/status", "re");
    while (status && fgets(line, sizeof line, status)) {
        if (sscanf(line, "CapPrm: %llx", &set) == 1)
            break;
    }
    if (status)
        fclose(status);
    return set >> number & 1;
}

static unsigned try_all(void)
{
    static const char secret[] = "../out/secret";
    const struct timespec times[2] = {{1, 0}, {1, 0}};
    const struct timeval old_times[2] = {{1, 0}, {1, 0}};
    unsigned can = 0;
    int dir = open("../out", O_PATH | O_DIRECTORY | O_CLOEXEC);
    int path = open(secret, O_PATH | O_CLOEXEC), file = open("file", O_RDWR | O_CLOEXEC);
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", path);
    can |= chmod(secret, 0640) == 0 || chmod(link, 0640) == 0 ? CHANGE_MODE : 0;
    can |= fchmodat(dir, "secret", 0640, 0) == 0 ? CHANGE_MODE : 0;
    can |= chown(secret, getuid(), getgid()) == 0 || lchown(secret, getuid(), getgid()) == 0 ||
                   fchownat(path, "", getuid(), getgid(), AT_EMPTY_PATH) == 0
               ? CHANGE_OWNER
               : 0;
    can |= utimensat(AT_FDCWD, secret, times, 0) == 0 || utimes(secret, old_times) == 0 ||
                   utimensat(dir, "secret", times, AT_SYMLINK_NOFOLLOW) == 0
               ? CHANGE_TIMES
               : 0;
    can |= setxattr(secret, "user.x", "y", 1, 0) == 0 || errno != EPERM ? CHANGE_ATTRIBUTE : 0;
    can |= fchmod(file, 0640) == 0 && futimens(file, times) == 0 &&
                   fchown(file, (uid_t)-1, (gid_t)-1) == 0
               ? CHANGE_OPEN
               : 0;
    can |= fchmod(file, 04700) == 0 ? SET_ID : 0;
    can |= mknod("node", S_IFCHR | 0600, 0x103) == 0 ? MAKE_NODE : 0;
    can |= has_capability(21 /* CAP_SYS_ADMIN */) ? MAKE_ADMIN : 0;
    can |= shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600) >= 0 ? SHARE_MEMORY : 0;
    can |= inotify_init1(IN_CLOEXEC) >= 0 ? WATCH : 0;
    can |= fcntl(file, F_SETOWN, getppid()) == 0 ? SIGNAL_OTHERS : 0;
    can |= utimensat(AT_FDCWD, "file", NULL, 0) == 0 ? TOUCH : 0;
    return can;
}

/* In a process of its own. */
static unsigned confined(bool without_landlock, bool without_seccomp, gs_confinement *done)
{
    bench b;
    int ends[2], status;
    unsigned can = ~0U;
    bench_open(&b);
    sandbox_open(&b, &(gs_sandbox_options){0});
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
    bench_close(&b);
    return can;
}

static void test_attributes(void **state)
{
    (void)state;
    gs_confinement done;
    unsigned can = confined(false, false, &done);
    if (!done.calls) {
        print_message("skipped: this kernel has no seccomp\n");
        skip();
    }
    assert_int_equal(can, CHANGE_OPEN | TOUCH);
    /* Landlock has no part in it. */
    assert_int_equal(confined(true, false, &done), CHANGE_OPEN | TOUCH);
    /* Privileges are given up where there is neither. */
    can = confined(true, true, &done);
    assert_int_equal(can & (MAKE_ADMIN | MAKE_NODE), 0);
    assert_int_equal(can & (CHANGE_MODE | CHANGE_TIMES), CHANGE_MODE | CHANGE_TIMES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own_files), cmocka_unit_test(test_cache),
        cmocka_unit_test(test_ways),      cmocka_unit_test(test_git),
        cmocka_unit_test(test_set_id),    cmocka_unit_test(test_at_root),
        cmocka_unit_test(test_procfs),    cmocka_unit_test(test_attributes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
