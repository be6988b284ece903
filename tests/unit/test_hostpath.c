/*
 * The gate for paths of the host: what leads to a process is refused before anything happens to
 * it, and all other paths lead where the kernel would go.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "machine/hostpath.h"

static gs_sandbox *sandbox; /* without walls */

static int set_up(void **state)
{
    static const gs_sandbox_options all = {.files = GS_SANDBOX_ALL};
    gs_error err;
    (void)state;
    return gs_sandbox_open(&sandbox, &all, "none", &err) != GS_OK;
}

static int tear_down(void **state)
{
    (void)state;
    gs_sandbox_free(sandbox);
    return 0;
}

/* As on an old kernel. */
static int set_up_without_openat2(void **state)
{
    int status = set_up(state);
    sandbox->without_openat2 = true;
    return status;
}

/* A directory with a file, a directory and links. */
typedef struct bench {
    char path[64];
    int dir;
} bench;

static const char *const links[][2] = {
    {"to_file", "file"},       {"to_sub", "sub"},          {"up", "sub/../file"},
    {"loop", "loop"},          {"dangling", "sub/new"},    {"to_mem", "/proc/self/mem"},
    {"to_self", "/proc/self"}, {"to_fd", "/proc/self/fd"}, {"to_proc", "/proc"},
};
enum { LINKS = sizeof links / sizeof *links };

static void bench_open(bench *b)
{
    strcpy(b->path, "/tmp/gumshoe-test-XXXXXX");
    assert_non_null(mkdtemp(b->path));
    b->dir = open(b->path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    assert_true(b->dir >= 0);
    int file = openat(b->dir, "file", O_WRONLY | O_CREAT, 0600);
    assert_int_equal(write(file, "text", 4), 4);
    close(file);
    assert_int_equal(mkdirat(b->dir, "sub", 0700), 0);
    for (size_t i = 0; i < LINKS; i++)
        assert_int_equal(symlinkat(links[i][1], b->dir, links[i][0]), 0);
}

static void bench_close(bench *b)
{
    for (size_t i = 0; i < LINKS; i++)
        unlinkat(b->dir, links[i][0], 0);
    unlinkat(b->dir, "file", 0);
    unlinkat(b->dir, "sub", AT_REMOVEDIR);
    close(b->dir);
    assert_int_equal(rmdir(b->path), 0);
}

static int try_open(int dir, const char *path, int flags)
{
    int fd = gs_hostpath_open(sandbox, dir, path, flags | O_CLOEXEC, 0600, NULL);
    if (fd < 0)
        return fd;
    close(fd);
    return 0;
}

static off_t size_of(const bench *b, const char *name)
{
    struct stat st;
    return fstatat(b->dir, name, &st, 0) == 0 ? st.st_size : -1;
}

static void test_processes(void **state)
{
    (void)state;
    static const int flags[] = {O_RDONLY, O_RDWR, O_WRONLY | O_TRUNC, O_RDWR | O_CREAT, O_PATH};
    static const char *const refused[] = {
        "/proc/self/mem",
        "/proc/self",
        "/proc/self/",
        "/proc/self/fd",
        "/proc/self/fd/0",
        "/proc/self/exe",
        "/proc/self/root/etc",
        "/proc/self/task/1/mem",
        "/proc/thread-self/maps",
        "/proc/sys/../self/mem",
        "/proc/self/../version",
        "/dev/fd/0",
        "/dev/stdout",
        "/proc/mounts",
        "/proc/1/status",
        "to_mem",
        "to_self",
        "to_self/mem",
        "to_fd/0",
        "to_proc/self/mem",
        "sub/../to_self/fd",
        "../../../../proc/self/mem",
    };
    bench b;
    bench_open(&b);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        for (size_t f = 0; f < sizeof flags / sizeof *flags; f++) {
            int status = try_open(b.dir, refused[i], flags[f]);
            if (status != -EACCES)
                fail_msg("%s, flags %x: %d", refused[i], (unsigned)flags[f], status);
        }
    }
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/mem", getpid());
    assert_int_equal(try_open(b.dir, path, O_RDWR), -EACCES);
    snprintf(path, sizeof path, "/proc/%d/mem", getppid());
    assert_int_equal(try_open(b.dir, path, O_RDONLY), -EACCES);
    bench_close(&b);
}

/* A file that the process has open is not truncated through its descriptor. */
static void test_no_truncation(void **state)
{
    (void)state;
    bench b;
    char path[64];
    bench_open(&b);
    int file = openat(b.dir, "file", O_RDWR | O_CLOEXEC);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    assert_int_equal(try_open(b.dir, path, O_WRONLY | O_TRUNC), -EACCES);
    snprintf(path, sizeof path, "to_fd/%d", file);
    assert_int_equal(try_open(b.dir, path, O_WRONLY | O_CREAT | O_TRUNC), -EACCES);
    assert_int_equal(size_of(&b, "file"), 4);
    assert_int_equal(try_open(b.dir, "up", O_WRONLY | O_TRUNC), 0);
    assert_int_equal(size_of(&b, "file"), 0);
    close(file);
    bench_close(&b);
}

/* Relative paths that start in procfs. */
static void test_starts(void **state)
{
    (void)state;
    static const struct {
        const char *from, *path;
        int status;
    } cases[] = {
        {"/proc", "self/mem", -EACCES},
        {"/proc", "version", 0},
        {"/proc", ".", 0},
        {"/proc/self", "mem", -EACCES},
        {"/proc/self/fd", "0", -EACCES},
        {"/proc/self/task", "../mem", -EACCES},
        {"/proc/sys/kernel", "ostype", 0},
        {"/proc/sys/kernel", "../../self/mem", -EACCES},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int dir = open(cases[i].from, O_PATH | O_DIRECTORY | O_CLOEXEC);
        assert_true(dir >= 0);
        assert_int_equal(try_open(dir, cases[i].path, O_RDONLY), cases[i].status);
        close(dir);
    }
    /* The rest of procfs is for reading. */
    assert_int_equal(try_open(AT_FDCWD, "/proc/version", O_RDONLY), 0);
    assert_int_equal(try_open(AT_FDCWD, "/proc/sys/kernel/core_pattern", O_WRONLY), -EACCES);
}

/* With the results of openat(2). */
static void test_like_the_kernel(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        int flags;
    } cases[] = {
        {"file", O_RDONLY},
        {"./file", O_RDONLY},
        {"sub/../file", O_RDONLY},
        {"to_file", O_RDONLY},
        {"to_file", O_NOFOLLOW},
        {"to_file", O_PATH | O_NOFOLLOW},
        {"up", O_RDWR},
        {"to_sub", O_RDONLY},
        {"to_sub/", O_RDONLY},
        {"to_sub/.", O_RDONLY},
        {"to_sub//..", O_RDONLY},
        {"file/", O_RDONLY},
        {"file/x", O_RDONLY},
        {"to_file/x", O_RDONLY},
        {"missing", O_RDONLY},
        {"missing/x", O_RDONLY},
        {"loop", O_RDONLY},
        {"loop/x", O_RDONLY},
        {"dangling", O_RDONLY},
        {"", O_RDONLY},
        {"/", O_RDONLY},
        {"//", O_DIRECTORY},
        {"/..", O_RDONLY},
        {"sub", O_WRONLY},
        {"new/", O_WRONLY | O_CREAT},
        {"file", O_CREAT | O_EXCL},
        {"loop", O_CREAT | O_EXCL},
        {"/dev/null", O_RDWR},
        {"to_proc", O_RDONLY},
        {"to_proc/version", O_RDONLY},
        {".", O_TMPFILE | O_RDWR},
        {"to_file", O_DIRECTORY},
    };
    bench b;
    bench_open(&b);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int fd = openat(b.dir, cases[i].path, cases[i].flags | O_CLOEXEC, 0600);
        int wanted = fd < 0 ? -errno : 0;
        if (fd >= 0)
            close(fd);
        int status = try_open(b.dir, cases[i].path, cases[i].flags);
        if (status != wanted)
            fail_msg("%s, flags %x: %d, not %d", cases[i].path, (unsigned)cases[i].flags, status,
                     wanted);
    }
    assert_int_equal(try_open(b.dir, "dangling", O_WRONLY | O_CREAT), 0);
    assert_int_equal(size_of(&b, "sub/new"), 0);
    assert_int_equal(gs_hostpath_unlink(sandbox, b.dir, "to_sub/new", 0), 0);
    assert_int_equal(try_open(-1, "file", O_RDONLY), -EBADF);

    char text[PATH_MAX + 1];
    memset(text, 'x', sizeof text);
    text[PATH_MAX] = '\0';
    assert_int_equal(try_open(b.dir, text, O_RDONLY), -ENAMETOOLONG);
    text[NAME_MAX + 1] = '\0';
    assert_int_equal(try_open(b.dir, text, O_RDONLY), -ENAMETOOLONG);
    text[NAME_MAX] = '\0';
    assert_int_equal(try_open(b.dir, text, O_RDONLY), -ENOENT);
    bench_close(&b);
}

static void test_names(void **state)
{
    (void)state;
    bench b;
    bench_open(&b);
    int dir = b.dir;
    assert_int_equal(gs_hostpath_link(sandbox, dir, "file", dir, "sub/other", 0), 0);
    assert_int_equal(gs_hostpath_rename(sandbox, dir, "sub/other", dir, "to_sub/third", 0), 0);
    assert_int_equal(gs_hostpath_rename(sandbox, dir, "sub/third", dir, "file", RENAME_NOREPLACE),
                     -EEXIST);
    assert_int_equal(gs_hostpath_link(sandbox, dir, "to_file", dir, "sub/file", AT_SYMLINK_FOLLOW),
                     0);
    assert_int_equal(size_of(&b, "sub/file"), 4);
    assert_int_equal(gs_hostpath_unlink(sandbox, dir, "sub/file", 0), 0);
    assert_int_equal(gs_hostpath_remove(sandbox, dir, "sub/third"), 0);
    assert_int_equal(gs_hostpath_unlink(sandbox, dir, "to_sub/", AT_REMOVEDIR), -ENOTDIR);
    assert_int_equal(gs_hostpath_unlink(sandbox, dir, "sub", 0), -EISDIR);
    assert_int_equal(gs_hostpath_remove(sandbox, dir, "sub"), 0);
    assert_int_equal(gs_hostpath_remove(sandbox, dir, "sub"), -ENOENT);
    /* The link, not what it leads to. */
    assert_int_equal(gs_hostpath_remove(sandbox, dir, "to_mem"), 0);

    assert_int_equal(gs_hostpath_unlink(sandbox, dir, "/proc/self/mem", 0), -EACCES);
    assert_int_equal(gs_hostpath_remove(sandbox, dir, "to_self/mem"), -EACCES);
    assert_int_equal(gs_hostpath_remove(sandbox, dir, "/proc/version"), -EACCES);
    assert_int_equal(gs_hostpath_rename(sandbox, dir, "/proc/self/mem", dir, "x", 0), -EACCES);
    assert_int_equal(gs_hostpath_rename(sandbox, dir, "file", dir, "to_self/x", 0), -EACCES);
    assert_int_equal(gs_hostpath_link(sandbox, dir, "file", dir, "/proc/self/x", 0), -EACCES);
    /* A file that the process has open gets no name. */
    char path[64];
    int file = openat(dir, "file", O_RDONLY | O_CLOEXEC);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    assert_int_equal(gs_hostpath_link(sandbox, dir, path, dir, "x", AT_SYMLINK_FOLLOW), -EACCES);
    close(file);
    assert_int_equal(size_of(&b, "file"), 4);
    bench_close(&b);
}

/* Of another user, in a directory that all users share. */
static void test_links_of_others(void **state)
{
    (void)state;
    bench b;
    if (geteuid() != 0)
        skip(); /* only root can make such a link */
    bench_open(&b);
    assert_int_equal(try_open(b.dir, "to_file", O_RDONLY), 0);
    assert_int_equal(fchownat(b.dir, "to_file", 1, 1, AT_SYMLINK_NOFOLLOW), 0);
    assert_int_equal(fchownat(b.dir, "to_sub", 1, 1, AT_SYMLINK_NOFOLLOW), 0);
    assert_int_equal(try_open(b.dir, "to_file", O_RDONLY), 0);
    assert_int_equal(chmod(b.path, 01777), 0);
    assert_int_equal(try_open(b.dir, "to_file", O_RDONLY), -EACCES);
    assert_int_equal(try_open(b.dir, "to_sub/x", O_RDONLY), -EACCES);
    assert_int_equal(try_open(b.dir, "up", O_RDONLY), 0);
    bench_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_processes),       cmocka_unit_test(test_no_truncation),
        cmocka_unit_test(test_starts),          cmocka_unit_test(test_names),
        cmocka_unit_test(test_like_the_kernel), cmocka_unit_test(test_links_of_others),
    };
    int failed = cmocka_run_group_tests(tests, set_up, tear_down);
    return failed + cmocka_run_group_tests(tests, set_up_without_openat2, tear_down);
}
