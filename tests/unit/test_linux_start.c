/*
 * What a program finds in memory and registers when it starts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf_builder.h"
#include "linux_rig.h"

static void assert_text(linux_rig *rig, gs_addr at, const char *expected)
{
    char text[256];
    assert_true(gs_memory_read_string(rig->memory, at, text, sizeof text));
    assert_string_equal(text, expected);
}

static uint32_t aux(linux_rig *rig, gs_addr at, uint32_t type)
{
    for (; rig_get32(rig, at) != AT_NULL; at += 8) {
        if (rig_get32(rig, at) == type)
            return rig_get32(rig, at + 4);
    }
    return UINT32_MAX;
}

static void test_stack(void **state)
{
    (void)state;
    for (rig_kind kind = 0; kind < RIG_KINDS; kind++) {
        linux_rig rig;
        rig_open(&rig, kind);
        gs_addr sp = *rig_sp(&rig);
        assert_int_equal(sp & 15, 0);
        assert_int_equal(rig.hart->pc, RIG_CODE);
        assert_int_equal(rig_get32(&rig, sp), 3);
        assert_text(&rig, rig_get32(&rig, sp + 4), "rig");
        assert_text(&rig, rig_get32(&rig, sp + 8), "first");
        assert_text(&rig, rig_get32(&rig, sp + 12), "second argument");
        assert_int_equal(rig_get32(&rig, sp + 16), 0);
        assert_text(&rig, rig_get32(&rig, sp + 20), "HOME=/");
        assert_text(&rig, rig_get32(&rig, sp + 24), "EMPTY=");
        assert_int_equal(rig_get32(&rig, sp + 28), 0);
        gs_addr vector = sp + 32;
        assert_int_equal(aux(&rig, vector, AT_PAGESZ), 4096);
        assert_int_equal(aux(&rig, vector, AT_ENTRY), RIG_CODE);
        assert_int_equal(aux(&rig, vector, AT_CLKTCK), 100);
        assert_int_equal(aux(&rig, vector, AT_SECURE), 0);
        assert_int_equal(aux(&rig, vector, AT_UID), GS_LINUX_UID);
        assert_text(&rig, aux(&rig, vector, AT_EXECFN), "rig");
        assert_text(&rig, aux(&rig, vector, AT_PLATFORM), kind == RIG_RV32 ? "riscv32" : "mips");
        uint8_t random[16];
        rig_get(&rig, aux(&rig, vector, AT_RANDOM), random, sizeof random);
        rig_close(&rig);

        /* Random or not, it is the same the next time. */
        uint8_t again[16];
        rig_open(&rig, kind);
        rig_get(&rig, aux(&rig, *rig_sp(&rig) + 32, AT_RANDOM), again, sizeof again);
        assert_memory_equal(random, again, sizeof random);
        rig_close(&rig);
    }
}

/* What is the user's, and only if it is asked for. */
static void test_inherited(void **state)
{
    (void)state;
    static const char *const argv[] = {"./rig"};
    static const char *const envp[] = {"MINE=1", NULL};
    static const unsigned choices[] = {GS_INHERIT_NOTHING, GS_INHERIT_ENVIRONMENT};
    for (size_t i = 0; i < 2; i++) {
        linux_rig rig;
        gs_machine *machine;
        gs_error err;
        char text[GS_MACHINE_INHERITED];
        rig_open(&rig, RIG_RV32);
        gs_machine_options options = {.env = GS_ENV_LINUX,
                                      .argc = 1,
                                      .argv = argv,
                                      .envp = i ? envp : NULL,
                                      .inherit = choices[i],
                                      .stdio = {-1, -1, -1}};
        assert_int_equal(gs_machine_open(&machine, rig.image, &options, &err), GS_OK);
        linux_rig view = rig;
        view.machine = machine;
        view.memory = &machine->memory;
        view.hart = &machine->hart;
        gs_addr sp = *rig_sp(&view);
        assert_text(&view, rig_get32(&view, sp + 4), i ? "./rig" : "rig");
        assert_text(&view, rig_get32(&view, sp + 12), i ? "MINE=1" : "HOME=/");
        assert_int_equal(aux(&view, sp + (i ? 20 : 24), AT_UID), i ? getuid() : GS_LINUX_UID);
        assert_string_equal(machine->variables, i ? "" : "HOME=/\nPATH=/usr/bin:/bin");
        gs_machine_inherited(machine, text);
        assert_string_equal(text, i ? "environment" : "nothing");
        gs_machine_free(machine);
        rig_close(&rig);
    }
}

static void test_segments(void **state)
{
    (void)state;
    linux_rig rig;
    rig_open(&rig, RIG_MIPSEB);
    char text[8];
    rig_get(&rig, RIG_CODE + 0x1800, text, 5);
    assert_string_equal(text, "data");
    assert_true(gs_memory_allows(rig.memory, RIG_CODE, 4, GS_PROT_READ | GS_PROT_EXEC));
    assert_false(gs_memory_allows(rig.memory, RIG_CODE, 4, GS_PROT_WRITE));
    assert_true(gs_memory_allows(rig.memory, RIG_CODE + 0x4000, 4, GS_PROT_WRITE));
    assert_false(gs_memory_allows(rig.memory, RIG_CODE + 0x4000, 4, GS_PROT_EXEC));
    /* The break begins after the highest segment's last page. */
    assert_int_equal(rig_call(&rig, "brk", 0), RIG_CODE + 0x5000);
    /* The stack has a guard page below, which mmap leaves alone. */
    assert_true(gs_memory_allows(rig.memory, GS_LINUX_STACK_LOW, 4, GS_PROT_WRITE));
    assert_false(gs_memory_allows(rig.memory, GS_LINUX_GUARD_LOW, 4, GS_PROT_MAPPED));
    rig_close(&rig);
}

/* On bare metal such a segment is memory like any other; here it can only be protected anew. */
static void test_segment_without_flags_has_no_access(void **state)
{
    (void)state;
    const uint32_t code[4] = {0};
    const gs_addr at = 0x400000;
    elf_builder elf;
    size_t size;
    gs_image *image;
    gs_machine *machine;
    gs_error err;
    elf_start(&elf, EM_MIPS, false);
    elf_segment(&elf, PT_LOAD, 0, at, code, sizeof code, sizeof code);
    elf.entry = at;
    uint8_t *bytes = elf_finish(&elf, &size);
    assert_int_equal(gs_image_open_memory(&image, bytes, size, "program", &err), GS_OK);
    free(bytes);
    gs_machine_options options = {.env = GS_ENV_LINUX, .stdio = {-1, -1, -1}};
    assert_int_equal(gs_machine_open(&machine, image, &options, &err), GS_OK);
    assert_true(gs_memory_allows(&machine->memory, at, 4, GS_PROT_MAPPED));
    assert_false(gs_memory_allows(&machine->memory, at, 4, GS_PROT_EXEC));
    gs_machine_free(machine);
    gs_image_free(image);
}

/* One segment at `address`; the error's text, or NULL. */
static const char *start_error(uint32_t address, uint32_t memory_size, int argc,
                               const char *const *argv)
{
    static gs_error err;
    const uint32_t code[4] = {0};
    elf_builder elf;
    size_t size;
    gs_image *image;
    gs_machine *machine;
    elf_start(&elf, EM_MIPS, false);
    elf_segment(&elf, PT_LOAD, PF_R | PF_X, address, code, sizeof code, memory_size);
    elf.entry = address;
    uint8_t *bytes = elf_finish(&elf, &size);
    assert_int_equal(gs_image_open_memory(&image, bytes, size, "program", &err), GS_OK);
    free(bytes);
    gs_machine_options options = {
        .env = GS_ENV_LINUX, .argc = argc, .argv = argv, .stdio = {-1, -1, -1}};
    gs_status status = gs_machine_open(&machine, image, &options, &err);
    if (status == GS_OK)
        gs_machine_free(machine);
    gs_image_free(image);
    return status == GS_OK ? NULL : err.message;
}

static void test_start_errors(void **state)
{
    (void)state;
    assert_null(start_error(0x400000, 16, 0, NULL));
    assert_non_null(strstr(start_error(0x7fff0000, 0x10000, 0, NULL), "user space"));
    assert_non_null(strstr(start_error(0x90000000, 16, 0, NULL), "user space"));
    assert_non_null(strstr(start_error(0x7fe00000, 16, 0, NULL), "stack"));
    assert_non_null(strstr(start_error(0x40000000, 0x3ff00000, 0, NULL), "stack"));
    /* Arguments that fill the stack. */
    enum { COUNT = 30, LENGTH = 100000 };
    static char big[LENGTH];
    const char *argv[COUNT];
    memset(big, 'x', sizeof big - 1);
    for (int i = 0; i < COUNT; i++)
        argv[i] = big;
    assert_non_null(strstr(start_error(0x400000, 16, COUNT, argv), "stack"));
    assert_null(start_error(0x400000, 16, COUNT / 2, argv));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stack),
        cmocka_unit_test(test_inherited),
        cmocka_unit_test(test_segments),
        cmocka_unit_test(test_segment_without_flags_has_no_access),
        cmocka_unit_test(test_start_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
