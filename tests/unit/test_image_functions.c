/*
 * The function table: aliases, sizes, overlaps, labels, and functions without symbols.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "elf_builder.h"
#include "encode.h"
#include "image/image.h"

enum { BASE = 0x10000, WORDS = 64 };

#define INFO(bind, type) ELF32_ST_INFO(STB_##bind, STT_##type)
#define COUNT(array)     (sizeof(array) / sizeof *(array))

typedef struct expected {
    uint32_t start, end; /* from BASE */
    const char *name;    /* "fn_..." if it is to be discovered */
} expected;

/* WORDS instructions that do nothing but are no padding, at BASE. */
static void start_rv(elf_builder *elf)
{
    uint32_t code[WORDS];
    for (size_t i = 0; i < WORDS; i++)
        code[i] = RV_ADD;
    code[WORDS - 1] = RV_RET;
    elf_start(elf, EM_RISCV, false);
    elf->entry = BASE;
    elf_code(elf, BASE, code, WORDS);
}

static gs_image *open_elf(elf_builder *elf)
{
    size_t size;
    uint8_t *bytes = elf_finish(elf, &size);
    gs_image *image;
    gs_error err;
    gs_status status = gs_image_open_memory(&image, bytes, size, "program", &err);
    free(bytes);
    if (status)
        fail_msg("%s", err.message);
    return image;
}

static void check(elf_builder *elf, const expected *functions, size_t count)
{
    gs_image *image = open_elf(elf);
    assert_int_equal(gs_image_function_count(image), count);
    for (size_t i = 0; i < count; i++) {
        const gs_function *function = gs_image_function(image, i);
        assert_string_equal(function->name, functions[i].name);
        assert_int_equal(function->start, BASE + functions[i].start);
        assert_int_equal(function->end, BASE + functions[i].end);
        assert_int_equal(function->discovered, strncmp(function->name, "fn_", 3) == 0);
        assert_ptr_equal(gs_image_function_at(image, function->start), function);
        assert_ptr_equal(gs_image_function_at(image, function->end - 1), function);
        if (i + 1 == count || functions[i + 1].start > functions[i].end)
            assert_null(gs_image_function_at(image, function->end));
    }
    assert_null(gs_image_function_at(image, 0));
    gs_image_free(image);
}

#define CHECK(elf, ...) \
    check(elf, (const expected[]){__VA_ARGS__}, COUNT(((const expected[]){__VA_ARGS__})))

static void test_sorted(void **state)
{
    (void)state;
    elf_builder elf;
    start_rv(&elf);
    elf_function(&elf, "third", BASE + 0x80, 0x80);
    elf_function(&elf, "first", BASE, 0x40);
    elf_function(&elf, "second", BASE + 0x40, 0x40);
    CHECK(&elf, {0, 0x40, "first"}, {0x40, 0x80, "second"}, {0x80, 0x100, "third"});
}

/* Each case in both orders: the choice must not depend on it. */
static void test_aliases_fold(void **state)
{
    (void)state;
    static const struct {
        const char *chosen;
        unsigned chosen_info;
        const char *other;
        unsigned other_info;
    } cases[] = {
        {"__long_name", INFO(GLOBAL, FUNC), "f", INFO(WEAK, FUNC)},
        {"__long_name", INFO(WEAK, FUNC), "f", INFO(LOCAL, FUNC)},
        {"memcpy", INFO(GLOBAL, FUNC), "_cpy", INFO(GLOBAL, FUNC)},
        {"open", INFO(GLOBAL, FUNC), "open64", INFO(GLOBAL, FUNC)},
        {"aaa", INFO(GLOBAL, FUNC), "bbb", INFO(GLOBAL, FUNC)},
        {"typed", INFO(LOCAL, FUNC), "l", INFO(GLOBAL, NOTYPE)},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        for (int swap = 0; swap < 2; swap++) {
            elf_builder elf;
            start_rv(&elf);
            if (swap)
                elf_symbol(&elf, cases[i].other, BASE, 0x100, cases[i].other_info, 1, 0);
            elf_symbol(&elf, cases[i].chosen, BASE, 0x100, cases[i].chosen_info, 1, 0);
            if (!swap)
                elf_symbol(&elf, cases[i].other, BASE, 0x100, cases[i].other_info, 1, 0);
            CHECK(&elf, {0, 0x100, cases[i].chosen});
        }
    }
}

static void test_alias_gives_the_size(void **state)
{
    (void)state;
    elf_builder elf;
    start_rv(&elf);
    elf_function(&elf, "f", BASE, 0);
    elf_function(&elf, "__f", BASE, 0x100);
    CHECK(&elf, {0, 0x100, "f"});
}

static void test_zero_size_runs_to_the_next_or_the_end(void **state)
{
    (void)state;
    elf_builder elf;
    start_rv(&elf);
    elf_function(&elf, "first", BASE, 0);
    elf_function(&elf, "second", BASE + 0x20, 0x20);
    elf_function(&elf, "third", BASE + 0x40, 0);
    CHECK(&elf, {0, 0x20, "first"}, {0x20, 0x40, "second"}, {0x40, 0x100, "third"});

    /* To the end of the section, not of the segment. */
    uint32_t code[WORDS] = {0};
    code[0] = RV_RET;
    elf_start(&elf, EM_RISCV, false);
    elf.entry = BASE;
    uint8_t bytes[sizeof code];
    memcpy(bytes, code, sizeof code);
    elf_segment(&elf, PT_LOAD, PF_R | PF_X, BASE, bytes, sizeof bytes, sizeof bytes);
    elf_section(&elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, BASE, 0x30);
    elf_section(&elf, ".rodata", SHT_PROGBITS, SHF_ALLOC, BASE + 0x30, 0x30);
    elf_function(&elf, "only", BASE, 0);
    CHECK(&elf, {0, 0x30, "only"});
}

static void test_later_start_wins(void **state)
{
    (void)state;
    elf_builder elf;
    start_rv(&elf);
    elf_function(&elf, "outer", BASE, 0x80);
    elf_function(&elf, "overlaps", BASE + 0x60, 0xa0);
    CHECK(&elf, {0, 0x60, "outer"}, {0x60, 0x100, "overlaps"});

    start_rv(&elf); /* one inside the other: the rest belongs to the inner one too */
    elf_function(&elf, "outer", BASE, 0x100);
    elf_function(&elf, "inner", BASE + 0x40, 0x20);
    CHECK(&elf, {0, 0x40, "outer"}, {0x40, 0x100, "inner"});

    start_rv(&elf); /* a size beyond the end of the code */
    elf_function(&elf, "huge", BASE, 0xffffffff);
    CHECK(&elf, {0, 0x100, "huge"});
}

static void test_labels(void **state)
{
    (void)state;
    elf_builder elf;
    start_rv(&elf);
    elf_symbol(&elf, "_start", BASE, 0, INFO(GLOBAL, NOTYPE), 1, 0);
    elf_symbol(&elf, "handler", BASE + 0x20, 0, INFO(WEAK, NOTYPE), 1, 0);
    elf_symbol(&elf, "loop", BASE + 0x10, 0, INFO(LOCAL, NOTYPE), 1, 0);
    elf_symbol(&elf, "constant", BASE + 0x14, 0, INFO(GLOBAL, NOTYPE), SHN_ABS, 0);
    elf_symbol(&elf, "main", BASE + 0x40, 0x40, INFO(GLOBAL, FUNC), 1, 0);
    elf_symbol(&elf, "inside", BASE + 0x50, 0, INFO(GLOBAL, NOTYPE), 1, 0);
    elf_symbol(&elf, "sizeless", BASE + 0x80, 0, INFO(GLOBAL, FUNC), 1, 0);
    elf_symbol(&elf, "behind", BASE + 0xc0, 0, INFO(GLOBAL, NOTYPE), 1, 0);
    elf_symbol(&elf, "_etext", BASE + 0x100, 0, INFO(GLOBAL, NOTYPE), 1, 0);
    CHECK(&elf, {0, 0x20, "_start"}, {0x20, 0x40, "handler"}, {0x40, 0x80, "main"},
          {0x80, 0xc0, "sizeless"}, {0xc0, 0x100, "behind"});
}

/* A linker script's name for the end of code, with constants behind that are no code. */
static void test_labels_of_constants(void **state)
{
    (void)state;
    const uint32_t constants[] = {0, 0xffffffff, rv_jump(0x1000), rv_beq(0x400), rv_call(-0x800)};
    for (size_t i = 0; i < COUNT(constants); i++) {
        const uint32_t code[] = {RV_ADD, RV_RET, constants[i], RV_RET};
        elf_builder elf;
        elf_start(&elf, EM_RISCV, false);
        elf.entry = BASE;
        elf_code(&elf, BASE, code, COUNT(code));
        elf_function(&elf, "main", BASE, 8);
        elf_symbol(&elf, "__text_end", BASE + 8, 0, INFO(GLOBAL, NOTYPE), 1, 0);
        CHECK(&elf, {0, 8, "main"});
    }
    const uint32_t code[] = {RV_ADD, RV_RET, rv_jump(-8)};
    elf_builder elf;
    elf_start(&elf, EM_RISCV, false);
    elf.entry = BASE;
    elf_code(&elf, BASE, code, COUNT(code));
    elf_function(&elf, "main", BASE, 8);
    elf_symbol(&elf, "again", BASE + 8, 0, INFO(GLOBAL, NOTYPE), 1, 0);
    CHECK(&elf, {0, 8, "main"}, {8, 12, "again"});
}

static void test_overlapping_sections(void **state)
{
    (void)state;
    elf_builder elf;
    start_rv(&elf);
    elf_section(&elf, ".more", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, BASE, 0x20);
    elf_section(&elf, ".beyond", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, BASE + 0x80, 0x1000);
    elf_function(&elf, "main", BASE, 0);
    CHECK(&elf, {0, 0x100, "main"});
}

static void test_what_is_no_function(void **state)
{
    (void)state;
    elf_builder elf;
    start_rv(&elf);
    elf_function(&elf, "main", BASE, 0x100);
    elf_symbol(&elf, "$x", BASE + 4, 0, INFO(GLOBAL, FUNC), 1, 0);
    elf_symbol(&elf, "$d", BASE + 8, 0, INFO(GLOBAL, NOTYPE), 1, 0);
    elf_symbol(&elf, ".L7", BASE + 12, 0, INFO(GLOBAL, FUNC), 1, 0);
    elf_symbol(&elf, ".text", BASE + 16, 0, INFO(LOCAL, SECTION), 1, 0);
    elf_symbol(&elf, "main.c", BASE + 20, 0, INFO(LOCAL, FILE), SHN_ABS, 0);
    elf_symbol(&elf, "table", BASE + 24, 4, INFO(GLOBAL, OBJECT), 1, 0);
    elf_symbol(&elf, "odd", BASE + 29, 4, INFO(GLOBAL, FUNC), 1, 0);
    elf_symbol(&elf, "elsewhere", 0x400, 4, INFO(GLOBAL, FUNC), SHN_UNDEF, 0);
    elf_symbol(&elf, "nowhere", 0x400, 4, INFO(GLOBAL, FUNC), 1, 0);
    elf_symbol(&elf, "", BASE + 32, 4, INFO(GLOBAL, FUNC), 1, 0);
    CHECK(&elf, {0, 0x100, "main"});
}

static void test_mips16_functions_are_ignored(void **state)
{
    (void)state;
    const uint32_t code[] = {MIPS_ADD, MIPS_RET, MIPS_NOP, MIPS_ADD};
    elf_builder elf;
    elf_start(&elf, EM_MIPS, true);
    elf.entry = BASE;
    elf_code(&elf, BASE, code, COUNT(code));
    elf_function(&elf, "main", BASE, 16);
    elf_symbol(&elf, "by_bit", BASE + 5, 4, INFO(GLOBAL, FUNC), 1, 0);
    elf_symbol(&elf, "mips16", BASE + 4, 4, INFO(GLOBAL, FUNC), 1, 0xf0);
    elf_symbol(&elf, "micromips", BASE + 8, 4, INFO(GLOBAL, FUNC), 1, 0x80);
    elf_symbol(&elf, "pic", BASE + 12, 4, INFO(GLOBAL, FUNC), 1, 0x20);
    CHECK(&elf, {0, 12, "main"}, {12, 16, "pic"});
}

static void test_reachable_gaps_become_functions(void **state)
{
    (void)state;
    const uint32_t code[] = {
        rv_call(0x10), rv_beq(0x20), RV_ADD, RV_RET, /* main */
        RV_ADD,        RV_RET,       RV_ADD, RV_RET, /* called, and never reached */
        RV_ADD,        RV_RET,                       /* helper */
        RV_ADD,        RV_RET,                       /* jumped to at 0x24 + 4 */
        RV_NOP,        RV_NOP,                       /* padding */
        RV_RET,                                      /* last */
    };
    elf_builder elf;
    elf_start(&elf, EM_RISCV, false);
    elf.entry = BASE;
    elf_code(&elf, BASE, code, COUNT(code));
    elf_function(&elf, "main", BASE, 0x10);
    elf_function(&elf, "helper", BASE + 0x20, 4);
    elf_function(&elf, "last", BASE + 0x38, 4);
    CHECK(&elf, {0, 0x10, "main"}, {0x10, 0x20, "fn_00010010"}, {0x20, 0x24, "helper"},
          {0x24, 0x38, "fn_00010024"}, {0x38, 0x3c, "last"});
}

/* What follows a call that never returns is reached only by the letter. */
static void test_padding_is_no_function(void **state)
{
    (void)state;
    const uint32_t code[] = {mips_bal(16), MIPS_NOP, MIPS_NOP, MIPS_NOP,
                             MIPS_ADD,     MIPS_RET, MIPS_NOP};
    elf_builder elf;
    elf_start(&elf, EM_MIPS, false);
    elf.entry = BASE;
    elf_code(&elf, BASE, code, COUNT(code));
    elf_function(&elf, "main", BASE, 8);
    elf_function(&elf, "die", BASE + 16, 12);
    CHECK(&elf, {0, 8, "main"}, {16, 28, "die"});
}

static void test_stripped_rv(void **state)
{
    (void)state;
    const uint32_t code[] = {
        rv_call(0x18),
        rv_auipc(10, 0),
        rv_addi(10, 10, 0x24), /* 0: calls 0x18; la a0, 0x28 */
        rv_jalr(1, 6, 0),
        RV_RET,
        RV_ADD,
        RV_ADD,
        rv_call(0x1c),
        RV_RET, /* 18: calls 0x38 */
        RV_ADD,
        RV_ADD,
        rv_beq(4), /* 28: in a register */
        RV_ADD,
        RV_RET, /* 30: jumped to, not called */
        RV_ADD,
        RV_RET, /* 38 */
        rv_auipc(6, 0),
        rv_jalr(0, 6, 16),
        RV_ADD,
        RV_ADD, /* 40: never reached */
        RV_ADD,
        RV_RET,
    };
    elf_builder elf;
    elf_start(&elf, EM_RISCV, false);
    elf.entry = BASE;
    elf_code(&elf, BASE, code, COUNT(code));
    CHECK(&elf, {0, 0x18, "fn_00010000"}, {0x18, 0x28, "fn_00010018"}, {0x28, 0x38, "fn_00010028"},
          {0x38, 0x58, "fn_00010038"});
}

static void test_stripped_rv_far_call(void **state)
{
    (void)state;
    const uint32_t code[] = {
        rv_auipc(1, 0), rv_jalr(1, 1, 16),
        RV_RET,         RV_ADD, /* calls 0x10 */
        RV_ADD,         RV_RET,
    };
    elf_builder elf;
    elf_start(&elf, EM_RISCV, false);
    elf.entry = BASE;
    elf_code(&elf, BASE, code, COUNT(code));
    CHECK(&elf, {0, 0x10, "fn_00010000"}, {0x10, 0x18, "fn_00010010"});
}

/* Before the entry, and in a section of its own. */
static void test_stripped_covers_all_code(void **state)
{
    (void)state;
    const uint32_t code[] = {RV_NOP, RV_ADD, RV_RET, RV_ADD, RV_RET, RV_ADD, RV_RET};
    elf_builder elf;
    elf_start(&elf, EM_RISCV, false);
    elf.entry = BASE + 12;
    uint8_t bytes[sizeof code];
    memcpy(bytes, code, sizeof code);
    elf_segment(&elf, PT_LOAD, PF_R | PF_X, BASE, bytes, sizeof bytes, sizeof bytes);
    elf_section(&elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, BASE, 20);
    elf_section(&elf, ".fini", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, BASE + 20, 8);
    CHECK(&elf, {4, 12, "fn_00010004"}, {12, 20, "fn_0001000c"}, {20, 28, "fn_00010014"});
}

static void test_stripped_mips(void **state)
{
    (void)state;
    enum { GP = 0x20000 + 0x7ff0, A0 = 4, T9 = 25, GP_REG = 28 };
    const uint32_t code[] = {
        mips_jal(BASE + 0x28),
        MIPS_NOP, /* 00: a direct call */
        mips_bal(8),
        MIPS_NOP, /* 08: asks for its own address */
        mips_lw(T9, GP_REG, -0x7ff0),
        MIPS_CALL_T9,                 /* 10: through the table: 0x38 */
        mips_lw(A0, GP_REG, -0x7fec), /* 18: a page, and an offset: 0x48 */
        mips_addiu(A0, A0, 0x48),
        MIPS_RET,
        MIPS_NOP,
        MIPS_ADD,
        MIPS_RET,
        MIPS_NOP,
        MIPS_ADD, /* 28 */
        MIPS_ADD,
        MIPS_RET,
        MIPS_NOP,
        MIPS_ADD, /* 38 */
        mips_lui(T9, 1),
        mips_addiu(T9, T9, 0x58),
        MIPS_JR_T9,
        MIPS_NOP, /* 48: to 0x58 */
        MIPS_ADD,
        MIPS_RET,
        MIPS_NOP, /* 58 */
    };
    for (int big = 0; big < 2; big++) {
        elf_builder elf;
        elf_start(&elf, EM_MIPS, big);
        elf.entry = BASE;
        elf_code(&elf, BASE, code, COUNT(code));
        uint8_t table[8 + 24] = {0};
        elf_put32(&elf, table, BASE + 0x38);
        elf_put32(&elf, table + 4, BASE);
        elf_put32(&elf, table + 8 + 20, GP);
        elf_segment(&elf, PT_LOAD, PF_R | PF_W, 0x20000, table, sizeof table, sizeof table);
        elf_segment(&elf, PT_MIPS_REGINFO, PF_R, 0x20008, table + 8, 24, 24);
        CHECK(&elf, {0, 0x28, "fn_00010000"}, {0x28, 0x38, "fn_00010028"},
              {0x38, 0x48, "fn_00010038"}, {0x48, 0x58, "fn_00010048"},
              {0x58, 0x64, "fn_00010058"});
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sorted),
        cmocka_unit_test(test_aliases_fold),
        cmocka_unit_test(test_alias_gives_the_size),
        cmocka_unit_test(test_zero_size_runs_to_the_next_or_the_end),
        cmocka_unit_test(test_later_start_wins),
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_labels_of_constants),
        cmocka_unit_test(test_overlapping_sections),
        cmocka_unit_test(test_what_is_no_function),
        cmocka_unit_test(test_mips16_functions_are_ignored),
        cmocka_unit_test(test_reachable_gaps_become_functions),
        cmocka_unit_test(test_padding_is_no_function),
        cmocka_unit_test(test_stripped_rv),
        cmocka_unit_test(test_stripped_rv_far_call),
        cmocka_unit_test(test_stripped_covers_all_code),
        cmocka_unit_test(test_stripped_mips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
