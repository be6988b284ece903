/*
 * System calls one by one: numbers, arguments, structures and errors of each ABI.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "linux_rig.h"

static const uint32_t cwd = (uint32_t)-100;

/* Numbers of open's flags differ. */
static uint32_t flags(const linux_rig *rig, int host_flags)
{
    return gs_linux_open_flags(rig->process->abi->flavor, host_flags);
}

static uint32_t open_file(linux_rig *rig, const char *name, int host_flags)
{
    rig_string(rig, RIG_DATA, name);
    int64_t fd = rig_call(rig, "openat", cwd, RIG_DATA, flags(rig, host_flags), 0644);
    assert_true(fd >= 0);
    return (uint32_t)fd;
}

static void test_convention(void **state)
{
    (void)state;
    for (rig_kind kind = 0; kind < RIG_KINDS; kind++) {
        linux_rig rig;
        rig_open(&rig, kind);
        uint64_t retired = rig.hart->instret;
        assert_int_equal(rig_call(&rig, "getpid"), GS_LINUX_PID);
        assert_int_equal(rig.hart->pc, RIG_CODE + 12);
        assert_int_equal(rig.hart->instret, retired + 1);
        assert_int_equal(rig_call(&rig, "close", 77), rig_error(&rig, EBADF));
        rig_close(&rig);
    }
}

static void test_delay_slot(void **state)
{
    (void)state;
    linux_rig rig;
    rig_open(&rig, RIG_MIPSEL);
    rig.hart->mips.in_delay_slot = true;
    rig.hart->mips.delay_target = RIG_CODE + 0x100;
    assert_int_equal(rig_call(&rig, "getpid"), GS_LINUX_PID);
    assert_int_equal(rig.hart->pc, RIG_CODE + 0x100);
    assert_false(rig.hart->mips.in_delay_slot);
    rig_close(&rig);
}

static void test_errnos(void **state)
{
    (void)state;
    assert_int_equal(gs_linux_errno(GS_LINUX_MIPS, ENOSYS), 89);
    assert_int_equal(gs_linux_errno(GS_LINUX_MIPS, EDEADLK), 45);
    assert_int_equal(gs_linux_errno(GS_LINUX_MIPS, ENAMETOOLONG), 78);
    assert_int_equal(gs_linux_errno(GS_LINUX_MIPS, ELOOP), 90);
    assert_int_equal(gs_linux_errno(GS_LINUX_MIPS, EDQUOT), 1133);
    assert_int_equal(gs_linux_errno(GS_LINUX_GENERIC, ENOSYS), 38);
    assert_int_equal(gs_linux_errno(GS_LINUX_GENERIC, ELOOP), 40);
    assert_int_equal(gs_linux_errno(GS_LINUX_GENERIC, 99999), 5);
}

static void test_refusal(void **state)
{
    (void)state;
    linux_rig rig;
    rig_open(&rig, RIG_MIPSEL);
    assert_int_equal(rig_call(&rig, "fork"), -89);
    assert_int_equal(rig_call(&rig, "fork"), -89);
    assert_int_equal(rig_call(&rig, "rseq"), -89);
    assert_int_equal(rig_call_number(&rig, 4999, RIG_ARGS(0)), -89);
    assert_int_equal(gs_machine_note_count(rig.machine), 2);
    assert_string_equal(gs_machine_note(rig.machine, 0),
                        "system call fork (4002) is not supported");
    assert_non_null(strstr(gs_machine_note(rig.machine, 1), "4999"));
    /* Numbers that are far from any table, and one call through another. */
    assert_int_equal(rig_call_number(&rig, 0, RIG_ARGS(0)), -89);
    assert_int_equal(rig_call_number(&rig, UINT32_MAX, RIG_ARGS(0)), -89);
    assert_int_equal(rig_call_number(&rig, 4000, RIG_ARGS(4020)), GS_LINUX_PID);
    assert_int_equal(rig_call_number(&rig, 4000, RIG_ARGS(4000, 4020)), -89);
    rig_close(&rig);
}

static void test_output(void **state)
{
    (void)state;
    char text[64] = "";
    for (rig_kind kind = 0; kind < RIG_KINDS; kind++) {
        linux_rig rig;
        rig_open(&rig, kind);
        rig_string(&rig, RIG_DATA, "to the world");
        assert_int_equal(rig_call(&rig, "write", 1, RIG_DATA, 6), 6);
        /* Two pieces are one write. */
        rig_put32(&rig, RIG_DATA + 64, RIG_DATA);
        rig_put32(&rig, RIG_DATA + 68, 3);
        rig_put32(&rig, RIG_DATA + 72, RIG_DATA + 7);
        rig_put32(&rig, RIG_DATA + 76, 5);
        assert_int_equal(rig_call(&rig, "writev", 1, RIG_DATA + 64, 2), 8);
        memset(text, 0, sizeof text);
        assert_int_equal(read(rig.out, text, sizeof text), 14);
        assert_string_equal(text, "to theto world");
        /* Closing and even replacing it leaves the host's descriptor alone. */
        assert_int_equal(rig_call(&rig, "dup3", 1, 9), 9);
        assert_int_equal(rig_call(&rig, "close", 1), 0);
        assert_int_equal(rig_call(&rig, "write", 1, RIG_DATA, 1), rig_error(&rig, EBADF));
        assert_int_equal(rig_call(&rig, "write", 9, RIG_DATA, 1), 1);
        assert_int_equal(write(rig.guest_out, "!", 1), 1);
        /* Descriptors that are open on the host, but not the guest's. */
        for (uint32_t fd = 2; fd < 64; fd++) {
            if (fd != 9)
                assert_int_equal(rig_call(&rig, "write", fd, RIG_DATA, 1), rig_error(&rig, EBADF));
        }
        rig_close(&rig);
    }
}

/* What a guest does to streams that others have as well ends with it. */
static void test_given_streams(void **state)
{
    (void)state;
    linux_rig rig;
    rig_open(&rig, RIG_RV32);
    int shared = dup(rig.guest_out), before = fcntl(shared, F_GETFL);
    assert_int_equal(rig_call(&rig, "fcntl64", 1, F_SETFL, flags(&rig, O_WRONLY | O_NONBLOCK)), 0);
    assert_true(fcntl(shared, F_GETFL) & O_NONBLOCK);
    /* Nor does a stream get a name or other rights. */
    rig_string(&rig, RIG_DATA, "");
    rig_string(&rig, RIG_DATA + 8, "name");
    assert_int_equal(rig_call(&rig, "linkat", 1, RIG_DATA, cwd, RIG_DATA + 8, AT_EMPTY_PATH),
                     rig_error(&rig, EACCES));
    assert_int_equal(rig_call(&rig, "fchmod", 1, 0777), rig_error(&rig, EROFS));
    rig_close(&rig);
    assert_int_equal(fcntl(shared, F_GETFL), before);
    close(shared);
}

static void test_set_id(void **state)
{
    (void)state;
    linux_rig rig;
    rig_open(&rig, RIG_MIPSEL);
    uint32_t fd = open_file(&rig, "file", O_RDWR | O_CREAT);
    rig_string(&rig, RIG_DATA, "file");
    assert_int_equal(rig_call(&rig, "fchmod", fd, 04755), rig_error(&rig, EPERM));
    assert_int_equal(rig_call(&rig, "chmod", RIG_DATA, 02755), rig_error(&rig, EPERM));
    assert_int_equal(rig_call(&rig, "chmod", RIG_DATA, 0755), 0);
    /* The directory that the sandbox hangs on keeps its mode. */
    rig_string(&rig, RIG_DATA, ".");
    assert_int_equal(rig_call(&rig, "chmod", RIG_DATA, 0777), rig_error(&rig, EBUSY));
    rig_close(&rig);
}

/* Disk that is taken without writing counts as output, too. */
static void test_fallocate(void **state)
{
    (void)state;
    linux_rig rig;
    rig_open(&rig, RIG_RV32);
    rig.machine->max_output = 1 << 20;
    uint32_t fd = open_file(&rig, "file", O_RDWR | O_CREAT);
    assert_int_equal(rig_call(&rig, "fallocate", fd, 0, 0, 0, 1 << 10, 0), 0);
    assert_int_equal(rig_call(&rig, "fallocate", fd, 0, 0, 0, 0, 1 << 8), rig_error(&rig, ENOSPC));
    assert_int_equal(rig.machine->exit.kind, GS_EXIT_LIMIT);
    struct stat st;
    assert_int_equal(fstat(rig.process->files.fds[fd].host, &st), 0);
    assert_true(st.st_size <= 1 << 10);
    rig_close(&rig);
    /* And so do files in which there is nothing. */
    rig_open(&rig, RIG_RV32);
    rig.machine->max_output = 4 * GS_MACHINE_NAME;
    for (unsigned i = 0; i < 5; i++) {
        const char name[] = {(char)('a' + i), '\0'};
        assert_int_equal(rig.machine->exit.kind, GS_EXIT_NONE);
        rig_string(&rig, RIG_DATA, name);
        if (i % 2)
            assert_int_equal(rig_call(&rig, "mkdirat", cwd, RIG_DATA, 0700), 0);
        else
            open_file(&rig, name, O_RDWR | O_CREAT);
        open_file(&rig, name, O_RDONLY); /* it is there already */
    }
    assert_int_equal(rig.machine->exit.kind, GS_EXIT_LIMIT);
    rig_close(&rig);
}

static void test_wide_arguments(void **state)
{
    (void)state;
    for (rig_kind kind = 0; kind < RIG_KINDS; kind++) {
        linux_rig rig;
        rig_open(&rig, kind);
        uint32_t fd = open_file(&rig, "wide", O_RDWR | O_CREAT);
        uint32_t low = 0x10, high = 3;
        struct stat st;
        rig_string(&rig, RIG_DATA, "x");
        if (kind == RIG_RV32) { /* follows at once, low half first */
            assert_int_equal(rig_call(&rig, "pwrite64", fd, RIG_DATA, 1, low, high), 1);
        } else { /* at an even place, in the order of memory */
            bool big = kind == RIG_MIPSEB;
            assert_int_equal(
                rig_call(&rig, "pwrite64", fd, RIG_DATA, 1, 99, big ? high : low, big ? low : high),
                1);
        }
        assert_int_equal(fstat(rig.process->files.fds[fd].host, &st), 0);
        assert_int_equal(st.st_size, 0x300000011);
        if (kind == RIG_RV32)
            assert_int_equal(rig_call(&rig, "ftruncate64", fd, 5, 1), 0);
        else if (kind == RIG_MIPSEL)
            assert_int_equal(rig_call(&rig, "ftruncate64", fd, 99, 5, 1), 0);
        else
            assert_int_equal(rig_call(&rig, "ftruncate64", fd, 99, 1, 5), 0);
        assert_int_equal(fstat(rig.process->files.fds[fd].host, &st), 0);
        assert_int_equal(st.st_size, 0x100000005);
        rig_close(&rig);
    }
}

static void test_seek(void **state)
{
    (void)state;
    linux_rig rig;
    rig_open(&rig, RIG_RV32);
    uint32_t fd = open_file(&rig, "file", O_RDWR | O_CREAT);
    assert_int_equal(rig_call(&rig, "llseek", fd, 1, 2, RIG_DATA + 64, SEEK_SET), 0);
    assert_true(rig_get64(&rig, RIG_DATA + 64) == 0x100000002);
    /* The way newlib does it. */
    assert_int_equal(rig_call(&rig, "llseek", fd, 7, SEEK_SET), 7);
    assert_int_equal(rig_call(&rig, "llseek", fd, (uint32_t)-2, SEEK_CUR), 5);
    rig_close(&rig);
    rig_open(&rig, RIG_MIPSEB);
    fd = open_file(&rig, "file", O_RDWR | O_CREAT);
    assert_int_equal(rig_call(&rig, "_llseek", fd, 1, 2, RIG_DATA + 64, SEEK_SET), 0);
    assert_true(rig_get64(&rig, RIG_DATA + 64) == 0x100000002);
    assert_int_equal(rig_call(&rig, "lseek", fd, 0, SEEK_CUR), rig_error(&rig, EOVERFLOW));
    rig_close(&rig);
}

static void test_stat_layout(void **state)
{
    (void)state;
    /* Offsets: mode, size of 64 bits, seconds of the modification. */
    static const struct {
        const char *call;
        gs_addr mode, size, mtime, end;
    } layouts[RIG_KINDS] = {
        {"fstat64", 24, 56, 72, 104}, {"fstat64", 24, 56, 72, 104}, {"fstat64", 16, 48, 80, 104}};
    for (rig_kind kind = 0; kind < RIG_KINDS; kind++) {
        linux_rig rig;
        rig_open(&rig, kind);
        gs_addr at = RIG_DATA + 256;
        uint32_t fd = open_file(&rig, "file", O_RDWR | O_CREAT);
        rig_call(&rig, "write", fd, RIG_DATA, 123);
        rig_put32(&rig, at + layouts[kind].end, 0x5a5a5a5a);
        assert_int_equal(rig_call(&rig, layouts[kind].call, fd, at), 0);
        assert_int_equal(rig_get32(&rig, at + layouts[kind].mode) & S_IFMT, S_IFREG);
        assert_int_equal(rig_get64(&rig, at + layouts[kind].size), 123);
        assert_true(rig_get32(&rig, at + layouts[kind].mtime) > 1500000000);
        assert_int_equal(rig_get32(&rig, at + layouts[kind].end), 0x5a5a5a5a);
        rig_close(&rig);
    }
}

static void test_directory_positions(void **state)
{
    (void)state;
    for (rig_kind kind = 0; kind < RIG_KINDS; kind++) {
        linux_rig rig;
        rig_open(&rig, kind);
        for (int i = 0; i < 40; i++) {
            char name[32];
            snprintf(name, sizeof name, "file-%d", i);
            rig_call(&rig, "close", open_file(&rig, name, O_RDWR | O_CREAT));
        }
        uint32_t fd = open_file(&rig, ".", O_RDONLY | O_DIRECTORY);
        gs_addr at = RIG_DATA + 1024;
        char names[64][32];
        unsigned count = 0;
        int64_t got;
        while ((got = rig_call(&rig, "getdents64", fd, at, 200)) > 0) {
            for (gs_addr entry = at; entry < at + got;) {
                uint8_t length[2];
                /* Positions are small numbers, whatever the host's file system makes of them. */
                assert_int_equal(rig_get64(&rig, entry + 8), count + 1);
                rig_get(&rig, entry + 16, length, 2);
                rig_get(&rig, entry + 19, names[count], 31);
                names[count++][31] = '\0';
                entry += rig.memory->big_endian ? length[0] * 256u + length[1]
                                                : length[1] * 256u + length[0];
            }
        }
        assert_int_equal(got, 0);
        assert_int_equal(count, 42);
        const char *seek = kind == RIG_RV32 ? "llseek" : "lseek";
        assert_int_equal(rig_call(&rig, seek, fd, 20, SEEK_SET), 20);
        assert_true(rig_call(&rig, "getdents64", fd, at, 64) > 0);
        char again[32];
        rig_get(&rig, at + 19, again, 31);
        again[31] = '\0';
        assert_string_equal(again, names[20]);
        assert_int_equal(rig_call(&rig, seek, fd, 1000, SEEK_SET), rig_error(&rig, EINVAL));
        assert_int_equal(rig_call(&rig, seek, fd, 0, SEEK_SET), 0);
        rig_close(&rig);
    }
}

/* The guest must not find Gumshoe's own files by any name. */
static void test_own_files(void **state)
{
    (void)state;
    linux_rig rig;
    rig_open(&rig, RIG_MIPSEL);
    char path[64];
    static const char *const hidden[] = {"/proc/self/mem", "/proc/self/fd/0", "/dev/fd/0",
                                         "/proc/self/maps", "/proc/1000/environ"};
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++) {
        rig_string(&rig, RIG_DATA, hidden[i]);
        assert_true(rig_call(&rig, "openat", cwd, RIG_DATA, 0, 0) < 0);
    }
    snprintf(path, sizeof path, "/proc/%d/mem", getpid());
    rig_string(&rig, RIG_DATA, path);
    assert_int_equal(rig_call(&rig, "openat", cwd, RIG_DATA, flags(&rig, O_RDWR), 0),
                     rig_error(&rig, EACCES));
    /* Through a link of its own. */
    rig_string(&rig, RIG_DATA, "/proc/self/mem");
    rig_string(&rig, RIG_DATA + 64, "link");
    assert_int_equal(rig_call(&rig, "symlinkat", RIG_DATA, cwd, RIG_DATA + 64), 0);
    assert_int_equal(rig_call(&rig, "openat", cwd, RIG_DATA + 64, flags(&rig, O_RDWR), 0),
                     rig_error(&rig, EACCES));
    snprintf(path, sizeof path, "/proc/self/fd/%d", rig.out);
    rig_string(&rig, RIG_DATA, path);
    rig_string(&rig, RIG_DATA + 64, "magic");
    assert_int_equal(rig_call(&rig, "symlinkat", RIG_DATA, cwd, RIG_DATA + 64), 0);
    assert_int_equal(rig_call(&rig, "openat", cwd, RIG_DATA + 64, 0, 0), rig_error(&rig, EACCES));
    /* Nor give them names, or take names away. */
    rig_string(&rig, RIG_DATA, "name");
    assert_int_equal(rig_call(&rig, "linkat", cwd, RIG_DATA + 64, cwd, RIG_DATA, AT_SYMLINK_FOLLOW),
                     rig_error(&rig, EACCES));
    snprintf(path, sizeof path, "/proc/%d/mem", getppid());
    rig_string(&rig, RIG_DATA + 64, path);
    assert_int_equal(rig_call(&rig, "openat", cwd, RIG_DATA + 64, 0, 0), rig_error(&rig, EACCES));
    assert_int_equal(rig_call(&rig, "unlinkat", cwd, RIG_DATA + 64, 0), rig_error(&rig, EACCES));
    assert_int_equal(rig_call(&rig, "renameat", cwd, RIG_DATA + 64, cwd, RIG_DATA),
                     rig_error(&rig, EACCES));
    /* But its own it does find. */
    rig_string(&rig, RIG_DATA, "/dev/stdout");
    assert_true(rig_call(&rig, "openat", cwd, RIG_DATA, flags(&rig, O_WRONLY), 0) >= 0);
    rig_string(&rig, RIG_DATA, "/proc/self/exe");
    assert_int_equal(rig_call(&rig, "readlinkat", cwd, RIG_DATA, RIG_DATA + 64, 100),
                     (int)strlen("/gumshoe/rig"));
    char shown[sizeof "/gumshoe/rig"] = "";
    rig_get(&rig, RIG_DATA + 64, shown, sizeof shown - 1);
    assert_string_equal(shown, "/gumshoe/rig");
    rig_close(&rig);
}

static void test_paths(void **state)
{
    (void)state;
    linux_rig rig;
    rig_open(&rig, RIG_MIPSEB);
    char text[4200], here[4096];
    memset(text, 'x', sizeof text);
    rig_put(&rig, RIG_DATA, text, sizeof text);
    assert_int_equal(rig_call(&rig, "chdir", RIG_DATA), rig_error(&rig, ENAMETOOLONG));
    /* The string runs off mapped memory. */
    gs_addr end = RIG_DATA + RIG_DATA_SIZE;
    rig_put(&rig, end - 8, "xxxxxxxx", 8);
    assert_int_equal(rig_call(&rig, "chdir", end - 8), rig_error(&rig, EFAULT));
    assert_int_equal(rig_call(&rig, "chdir", UINT32_MAX), rig_error(&rig, EFAULT));
    /* The guest changes its directory, and not the host's. */
    assert_non_null(getcwd(here, sizeof here));
    rig_string(&rig, RIG_DATA, "sub");
    assert_int_equal(rig_call(&rig, "mkdir", RIG_DATA, 0755), 0);
    assert_int_equal(rig_call(&rig, "chdir", RIG_DATA), 0);
    assert_non_null(getcwd(text, sizeof text));
    assert_string_equal(text, here);
    int64_t length = rig_call(&rig, "getcwd", RIG_DATA, 4096);
    assert_int_equal(length, strlen(rig.directory) + 5);
    assert_int_equal(rig_call(&rig, "getcwd", RIG_DATA, (uint32_t)length - 1),
                     rig_error(&rig, ERANGE));
    rig_close(&rig);
}

static void test_clocks(void **state)
{
    (void)state;
    for (rig_kind kind = 0; kind < RIG_KINDS; kind++) {
        linux_rig rig;
        rig_open(&rig, kind);
        gs_addr at = RIG_DATA, end = RIG_DATA + 16;
        rig.machine->clock_hz = 50000000;
        rig.machine->time = 1000;
        /* The date is the model's. */
        assert_int_equal(rig_call(&rig, "clock_gettime64", 0, at), 0);
        assert_int_equal(rig_get64(&rig, at), GS_MACHINE_EPOCH);
        assert_int_equal(rig_get64(&rig, at + 8), 1000 * 20);
        assert_int_equal(rig_call(&rig, "clock_gettime64", 1, at), 0);
        rig.machine->time += 50000000 + 5;
        assert_int_equal(rig_call(&rig, "clock_gettime64", 1, end), 0);
        assert_int_equal(rig_get64(&rig, end) - rig_get64(&rig, at), 1);
        assert_int_equal(rig_get64(&rig, end + 8) - rig_get64(&rig, at + 8), 100);
        /* CPU time stands still while the process sleeps; others do not. */
        rig_put64(&rig, at, 7);
        rig_put64(&rig, at + 8, 250);
        assert_int_equal(rig_call(&rig, "clock_nanosleep_time64", 0, 0, at, 0), 0);
        rig_call(&rig, "clock_gettime64", 1, at);
        assert_int_equal(rig_get64(&rig, at) - rig_get64(&rig, end), 7);
        assert_int_equal(rig_get64(&rig, at + 8) - rig_get64(&rig, end + 8), 250);
        rig_call(&rig, "clock_gettime64", 2, at);
        assert_int_equal(rig_get64(&rig, at), 1);
        rig_put64(&rig, at, (uint64_t)-1);
        assert_int_equal(rig_call(&rig, "clock_nanosleep_time64", 0, 0, at, 0),
                         rig_error(&rig, EINVAL));
        rig_put64(&rig, at, INT64_MAX);
        assert_int_equal(rig_call(&rig, "clock_nanosleep_time64", 0, 0, at, 0), 0);
        rig_close(&rig);
    }
}

static void test_waiting_for_nothing(void **state)
{
    (void)state;
    linux_rig rig;
    rig_open(&rig, RIG_RV32);
    rig_put32(&rig, RIG_DATA, 5);
    rig_call(&rig, "futex_time64", RIG_DATA, 0, 5, 0);
    assert_int_equal(rig.machine->exit.kind, GS_EXIT_HALT);
    assert_non_null(strstr(rig.machine->exit.message, "another thread"));
    rig_close(&rig);
    rig_open(&rig, RIG_MIPSEL);
    rig_call(&rig, "pause");
    assert_int_equal(rig.machine->exit.kind, GS_EXIT_HALT);
    rig_close(&rig);
}

static void test_exit(void **state)
{
    (void)state;
    linux_rig rig;
    rig_open(&rig, RIG_MIPSEL);
    uint64_t retired = rig.hart->instret;
    rig_call(&rig, "exit_group", 0x1203);
    assert_int_equal(rig.machine->exit.kind, GS_EXIT_CODE);
    assert_int_equal(rig.machine->exit.code, 3);
    assert_int_equal(rig.hart->instret, retired + 1);
    rig_close(&rig);
}

static void test_limits(void **state)
{
    (void)state;
    /* RLIMIT_NOFILE is 5 on MIPS and 7 elsewhere. */
    linux_rig rig;
    rig_open(&rig, RIG_MIPSEB);
    assert_int_equal(rig_call(&rig, "getrlimit", 5, RIG_DATA), 0);
    assert_int_equal(rig_get32(&rig, RIG_DATA), GS_LINUX_FD_MAX);
    assert_int_equal(rig_call(&rig, "getrlimit", 9, RIG_DATA), 0);
    assert_int_equal(rig_get32(&rig, RIG_DATA), INT32_MAX);
    rig_close(&rig);
    rig_open(&rig, RIG_RV32);
    assert_int_equal(rig_call(&rig, "prlimit64", 0, 7, 0, RIG_DATA), 0);
    assert_int_equal(rig_get64(&rig, RIG_DATA), GS_LINUX_FD_MAX);
    rig_put64(&rig, RIG_DATA, 5);
    rig_put64(&rig, RIG_DATA + 8, 4);
    assert_int_equal(rig_call(&rig, "prlimit64", 0, 7, RIG_DATA, 0), rig_error(&rig, EINVAL));
    rig_close(&rig);
}

/* Calls that end the process, can wait on the host for good, or could reach beyond the test. */
static bool leave_out(const char *name)
{
    static const char *const names[] = {
        "exit",   "exit_group", "sync",     "syncfs",       "_newselect",
        "poll",   "ppoll",      "pselect6", "ppoll_time64", "pselect6_time64",
        "pipe",   "pipe2",      "mknod",    "mknodat",      "getcwd",
        "chmod",  "fchmodat",   "chown",    "fchownat",     "lchown",
        "chdir",  "rename",     "renameat", "renameat2",    "rmdir",
        "unlink", "unlinkat",   "link",     "linkat",       "truncate"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i]) == 0)
            return true;
    }
    return false;
}

/* Only in a guest whose memory holds no text can arguments be arbitrary: none is a path then. */
static void wipe(linux_rig *rig)
{
    const unsigned prot = GS_PROT_READ | GS_PROT_WRITE;
    gs_memory_map(rig->memory, RIG_DATA, RIG_DATA_SIZE, prot, NULL);
    memset(rig->memory->bytes + RIG_DATA, 0, RIG_DATA_SIZE);
    gs_memory_map(rig->memory, GS_LINUX_STACK_TOP - 0x4000, 0x4000, prot, NULL);
    memset(rig->memory->bytes + GS_LINUX_STACK_TOP - 0x4000, 0, 0x4000);
    gs_memory_unmap(rig->memory, 0x50000, 0x10000);
    gs_memory_unmap(rig->memory, GS_LINUX_MMAP_BASE, 0x1000000);
}

/* Every call with arguments that no program would pass. Nothing to assert but survival. */
static void test_hostile_arguments(void **state)
{
    (void)state;
    static const uint32_t values[] = {
        0,
        1,
        2,
        3,
        5,
        7,
        16,
        4096,
        0x7fffffff,
        0x80000000,
        0xffffffff,
        0xfffff000,
        (uint32_t)-100,
        RIG_DATA,
        RIG_DATA + 1,
        RIG_DATA + RIG_DATA_SIZE - 4,
        RIG_CODE,
        GS_LINUX_STACK_TOP - 8,
        GS_LINUX_MMAP_BASE,
        0x50000,
    };
    for (rig_kind kind = 0; kind < RIG_KINDS; kind++) {
        linux_rig rig;
        uint64_t random = 1;
        rig_open(&rig, kind);
        const gs_linux_abi *abi = rig.process->abi;
        uint32_t file = open_file(&rig, "file", O_RDWR | O_CREAT);
        assert_int_equal(rig_call(&rig, "dup3", file, 1), 1);
        for (unsigned i = 0; i < 40 * abi->call_count; i++) {
            const gs_linux_syscall *call = &abi->calls[i % abi->call_count];
            if (!call->name || leave_out(call->name))
                continue;
            uint32_t args[8];
            for (unsigned k = 0; k < 8; k++) {
                random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
                args[k] = values[(random >> 33) % (sizeof values / sizeof *values)];
            }
            uint32_t sp = GS_LINUX_STACK_TOP - 4096;
            *rig_sp(&rig) = i % 7 == 0 ? args[7] : sp;
            wipe(&rig);
            rig_call_number(&rig, abi->first_call + i % abi->call_count, args);
            rig.machine->exit = (gs_exit){0};
        }
        rig_close(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_convention),
        cmocka_unit_test(test_delay_slot),
        cmocka_unit_test(test_errnos),
        cmocka_unit_test(test_given_streams),
        cmocka_unit_test(test_set_id),
        cmocka_unit_test(test_fallocate),
        cmocka_unit_test(test_refusal),
        cmocka_unit_test(test_output),
        cmocka_unit_test(test_wide_arguments),
        cmocka_unit_test(test_seek),
        cmocka_unit_test(test_stat_layout),
        cmocka_unit_test(test_directory_positions),
        cmocka_unit_test(test_own_files),
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_clocks),
        cmocka_unit_test(test_waiting_for_nothing),
        cmocka_unit_test(test_exit),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_hostile_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
