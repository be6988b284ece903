/*
 * The process's address space: break, mappings, files in memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "linux_rig.h"

enum { PAGE = GS_PAGE_SIZE };
enum { FIXED = 0x10, NOREPLACE = 0x100000 };

/* mmap's flags with MAP_PRIVATE and MAP_ANONYMOUS as the guest numbers them. */
static uint32_t anonymous(const linux_rig *rig)
{
    return rig->kind == RIG_RV32 ? 0x22 : 0x802;
}

static int64_t map(linux_rig *rig, uint32_t at, uint32_t size, uint32_t more)
{
    return rig_call(rig, "mmap2", at, size, PROT_READ | PROT_WRITE, anonymous(rig) | more,
                    UINT32_MAX, 0);
}

static void test_break(void **state)
{
    (void)state;
    for (rig_kind kind = 0; kind < RIG_KINDS; kind++) {
        linux_rig rig;
        rig_open(&rig, kind);
        uint32_t start = (uint32_t)rig_call(&rig, "brk", 0);
        assert_int_equal(rig_call(&rig, "brk", start + 5000), start + 5000);
        assert_true(gs_memory_allows(rig.memory, start + 4999, 1, GS_PROT_WRITE));
        rig_put32(&rig, start, 42);
        assert_int_equal(rig_call(&rig, "brk", start - 1), start + 5000);
        assert_int_equal(rig_call(&rig, "brk", 0xfffffff0), start + 5000);
        assert_int_equal(rig_call(&rig, "brk", RIG_DATA + 1), start + 5000);
        assert_int_equal(rig_call(&rig, "brk", start), start);
        assert_false(gs_memory_allows(rig.memory, start, 1, GS_PROT_MAPPED));
        assert_int_equal(rig_call(&rig, "brk", start + 10), start + 10);
        assert_int_equal(rig_get32(&rig, start), 0);
        rig_close(&rig);
    }
}

static void test_map(void **state)
{
    (void)state;
    for (rig_kind kind = 0; kind < RIG_KINDS; kind++) {
        linux_rig rig;
        rig_open(&rig, kind);
        uint32_t a = (uint32_t)map(&rig, 0, 2 * PAGE, 0), b = (uint32_t)map(&rig, 0, PAGE, 0);
        assert_int_equal(a, GS_LINUX_MMAP_BASE);
        assert_int_equal(b, a + 2 * PAGE);
        /* What is freed first is used first. */
        assert_int_equal(rig_call(&rig, "munmap", a, 2 * PAGE), 0);
        assert_int_equal(map(&rig, 0, 3 * PAGE, 0), b + PAGE);
        assert_int_equal(map(&rig, 0, PAGE, 0), a);
        /* A wish is heard if it can be. */
        assert_int_equal(map(&rig, 0x60000000, PAGE, 0), 0x60000000);
        assert_true(map(&rig, 0x60000000, PAGE, 0) != 0x60000000);
        assert_int_equal(map(&rig, 0x60000000, PAGE, NOREPLACE), rig_error(&rig, EEXIST));
        rig_put32(&rig, 0x60000000, 1);
        assert_int_equal(map(&rig, 0x60000000, PAGE, FIXED), 0x60000000);
        assert_int_equal(rig_get32(&rig, 0x60000000), 0);
        /* Places where nothing goes. */
        assert_int_equal(map(&rig, 0, 0, 0), rig_error(&rig, EINVAL));
        assert_int_equal(map(&rig, 100, PAGE, FIXED), rig_error(&rig, EINVAL));
        assert_int_equal(map(&rig, PAGE, PAGE, FIXED), rig_error(&rig, EPERM));
        assert_int_equal(map(&rig, GS_LINUX_TRAMPOLINE, PAGE, FIXED), rig_error(&rig, ENOMEM));
        assert_int_equal(map(&rig, 0xfffff000, PAGE, FIXED), rig_error(&rig, ENOMEM));
        assert_int_equal(map(&rig, 0x50000000, 0xfffffff0, FIXED), rig_error(&rig, ENOMEM));
        assert_int_equal(map(&rig, 0, 0xfffff001, 0), rig_error(&rig, ENOMEM));
        assert_int_equal(map(&rig, 0, 0x7fffffff, 0), rig_error(&rig, ENOMEM));
        assert_int_equal(rig_call(&rig, "munmap", GS_LINUX_TRAMPOLINE, PAGE),
                         rig_error(&rig, EINVAL));
        rig_close(&rig);
    }
}

/* All there is, and not a page more. */
static void test_exhaustion(void **state)
{
    (void)state;
    linux_rig rig;
    rig_open(&rig, RIG_MIPSEL);
    const uint32_t chunk = 0x08000000;
    unsigned count = 0;
    while (map(&rig, 0, chunk, 0) > 0)
        count++;
    assert_int_equal(count, 7);
    while (map(&rig, 0, 0x100000, 0) > 0)
        count++;
    assert_false(gs_memory_allows(rig.memory, GS_LINUX_GUARD_LOW, 1, GS_PROT_MAPPED));
    assert_int_equal(rig_call(&rig, "munmap", GS_LINUX_MMAP_BASE, 0x10000000), 0);
    assert_int_equal(map(&rig, 0, chunk, 0), GS_LINUX_MMAP_BASE);
    rig_close(&rig);
}

static void test_protect(void **state)
{
    (void)state;
    linux_rig rig;
    rig_open(&rig, RIG_RV32);
    uint32_t at = (uint32_t)map(&rig, 0, 3 * PAGE, 0);
    rig_call(&rig, "munmap", at + PAGE, PAGE);
    assert_int_equal(rig_call(&rig, "mprotect", at, 3 * PAGE, PROT_READ), rig_error(&rig, ENOMEM));
    assert_int_equal(rig_call(&rig, "mprotect", at + 1, PAGE, PROT_READ), rig_error(&rig, EINVAL));
    assert_int_equal(rig_call(&rig, "mprotect", at, PAGE, PROT_READ), 0);
    assert_int_equal(rig_call(&rig, "getrandom", at, 4, 0), rig_error(&rig, EFAULT));
    assert_int_equal(rig_call(&rig, "mprotect", at, PAGE, 0), 0);
    assert_int_equal(rig_call(&rig, "write", 1, at, 4), rig_error(&rig, EFAULT));
    rig_close(&rig);
}

static void test_remap(void **state)
{
    (void)state;
    linux_rig rig;
    rig_open(&rig, RIG_MIPSEB);
    uint32_t at = (uint32_t)map(&rig, 0, 2 * PAGE, 0);
    rig_put32(&rig, at, 11);
    rig_put32(&rig, at + PAGE, 22);
    /* In place, then moved because something is in the way. */
    assert_int_equal(rig_call(&rig, "mremap", at, 2 * PAGE, 3 * PAGE, 0), at);
    uint32_t block = (uint32_t)map(&rig, 0, PAGE, 0);
    assert_int_equal(block, at + 3 * PAGE);
    assert_int_equal(rig_call(&rig, "mremap", at, 3 * PAGE, 4 * PAGE, 0), rig_error(&rig, ENOMEM));
    uint32_t moved = (uint32_t)rig_call(&rig, "mremap", at, 3 * PAGE, 4 * PAGE, MREMAP_MAYMOVE);
    assert_int_equal(moved, block + PAGE);
    assert_int_equal(rig_get32(&rig, moved), 11);
    assert_int_equal(rig_get32(&rig, moved + PAGE), 22);
    assert_int_equal(rig_get32(&rig, moved + 3 * PAGE), 0);
    assert_false(gs_memory_allows(rig.memory, at, 1, GS_PROT_MAPPED));
    assert_int_equal(rig_call(&rig, "mremap", at, PAGE, 2 * PAGE, 1), rig_error(&rig, EFAULT));
    assert_int_equal(rig_call(&rig, "mremap", moved, PAGE, 0, 1), rig_error(&rig, EINVAL));
    assert_int_equal(rig_call(&rig, "mremap", moved, PAGE, 0xffffffff, 1), rig_error(&rig, ENOMEM));
    /* To a certain place, which may not overlap. */
    uint32_t flags = MREMAP_MAYMOVE | MREMAP_FIXED;
    assert_int_equal(rig_call(&rig, "mremap", moved, 4 * PAGE, 4 * PAGE, flags, moved + PAGE),
                     rig_error(&rig, EINVAL));
    assert_int_equal(rig_call(&rig, "mremap", moved, 4 * PAGE, PAGE, flags, 0x60000000),
                     0x60000000);
    assert_int_equal(rig_get32(&rig, 0x60000000), 11);
    assert_false(gs_memory_allows(rig.memory, moved, 1, GS_PROT_MAPPED));
    rig_close(&rig);
}

static void test_files(void **state)
{
    (void)state;
    linux_rig rig;
    rig_open(&rig, RIG_MIPSEL);
    uint32_t open_flags = gs_linux_open_flags(GS_LINUX_MIPS, O_RDWR | O_CREAT);
    rig_string(&rig, RIG_DATA, "file");
    uint32_t fd = (uint32_t)rig_call(&rig, "open", RIG_DATA, open_flags, 0600);
    int host = rig.process->files.fds[fd].host;
    char text[3 * PAGE], back[16] = "";
    memset(text, '.', sizeof text);
    memcpy(text + PAGE, "second page", 11);
    assert_int_equal(write(host, text, sizeof text), sizeof text);

    uint32_t prot = PROT_READ | PROT_WRITE;
    uint32_t shared = (uint32_t)rig_call(&rig, "mmap2", 0, 3 * PAGE, prot, MAP_SHARED, fd, 0);
    uint32_t copy = (uint32_t)rig_call(&rig, "mmap2", 0, PAGE, prot, MAP_PRIVATE, fd, 1);
    rig_get(&rig, copy, back, 11);
    assert_string_equal(back, "second page");
    rig_string(&rig, copy, "private");
    rig_string(&rig, shared, "one");
    rig_string(&rig, shared + PAGE, "two");
    rig_string(&rig, shared + 2 * PAGE, "three");
    assert_int_equal(rig_call(&rig, "close", fd), 0);

    /* The middle goes: it is written, the rest is not yet. */
    char path[256];
    snprintf(path, sizeof path, "%s/file", rig.directory);
    host = open(path, O_RDONLY);
    assert_int_equal(rig_call(&rig, "munmap", shared + PAGE, PAGE), 0);
    assert_int_equal(pread(host, back, 4, PAGE), 4);
    assert_string_equal(back, "two");
    assert_int_equal(pread(host, back, 1, 0), 1);
    assert_int_equal(back[0], '.');
    assert_int_equal(rig_call(&rig, "msync", shared, PAGE, 4), 0);
    assert_int_equal(pread(host, back, 4, 0), 4);
    assert_string_equal(back, "one");
    /* A file that got shorter stays so. */
    assert_int_equal(truncate(path, 2 * PAGE + 3), 0);
    rig.machine->environment->stop(rig.machine);
    assert_int_equal(pread(host, back, 16, 2 * PAGE), 3);
    assert_memory_equal(back, "thr", 3);
    close(host);
    rig_close(&rig);
}

static void test_dontneed(void **state)
{
    (void)state;
    linux_rig rig;
    rig_open(&rig, RIG_RV32);
    uint32_t at = (uint32_t)map(&rig, 0, 4 * PAGE, 0);
    rig_put32(&rig, at, 1);
    rig_put32(&rig, at + 3 * PAGE, 2);
    rig_call(&rig, "mprotect", at + 3 * PAGE, PAGE, PROT_READ);
    assert_int_equal(rig_call(&rig, "madvise", at, 4 * PAGE, 4), 0);
    assert_int_equal(rig_get32(&rig, at), 0);
    assert_int_equal(rig_get32(&rig, at + 3 * PAGE), 0);
    assert_false(gs_memory_allows(rig.memory, at + 3 * PAGE, 1, GS_PROT_WRITE));
    assert_true(gs_memory_allows(rig.memory, at + 2 * PAGE, 1, GS_PROT_WRITE));
    assert_int_equal(rig_call(&rig, "madvise", 0x70000000, PAGE, 4), rig_error(&rig, ENOMEM));
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_break),      cmocka_unit_test(test_map),
        cmocka_unit_test(test_exhaustion), cmocka_unit_test(test_protect),
        cmocka_unit_test(test_remap),      cmocka_unit_test(test_files),
        cmocka_unit_test(test_dontneed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
