/*
 * Source lines and inlined calls, from DWARF written by hand.
 *
 * The program is one function of 16 instructions:
 *
 *    00  main.c:5     main
 *    08  main.c:3     cube, inlined at main.c:6
 *    10  math.h:2:9   sq, inlined at main.c:3 into cube
 *    18  main.c:3
 *    20  main.c:6     main
 *    28  nowhere      (line 0)
 *    30  main.c:8
 *    38  end
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dwarf.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "elf_builder.h"
#include "encode.h"
#include "image/image.h"

enum { BASE = 0x10000, CODE_BYTES = 0x40, MAX_BYTES = 1024, MAX_FRAMES = 4 };

/* A section under construction. */
typedef struct buffer {
    const elf_builder *elf;
    uint8_t bytes[MAX_BYTES];
    size_t size;
} buffer;

static void put8(buffer *b, unsigned value)
{
    assert_true(b->size < MAX_BYTES);
    b->bytes[b->size++] = (uint8_t)value;
}

static void put16(buffer *b, unsigned value)
{
    put8(b, 0);
    put8(b, 0);
    elf_put16(b->elf, b->bytes + b->size - 2, (uint16_t)value);
}

static size_t put32(buffer *b, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        put8(b, 0);
    elf_put32(b->elf, b->bytes + b->size - 4, value);
    return b->size - 4;
}

static void put_text(buffer *b, const char *text)
{
    do
        put8(b, (unsigned char)*text);
    while (*text++);
}

/* Numbers below 64 are one byte in both LEB128 forms. */
static void put_leb(buffer *b, int value)
{
    assert_true(value > -64 && value < 64);
    put8(b, (unsigned)value & 0x7f);
}

/* Fills in a length in front of what has been written since. */
static void close_length(buffer *b, size_t at)
{
    elf_put32(b->elf, b->bytes + at, (uint32_t)(b->size - at - 4));
}

enum { UNIT = 1, ABSTRACT, LINKED, CONCRETE, INLINED };

static void put_abbreviation(buffer *b, unsigned code, unsigned tag, bool children,
                             const uint16_t (*attributes)[2], size_t count)
{
    put_leb(b, (int)code);
    put_leb(b, (int)tag);
    put8(b, children);
    for (size_t i = 0; i < count; i++) {
        for (int j = 0; j < 2; j++) {
            unsigned value = attributes[i][j]; /* LEB128, up to two bytes */
            put8(b, value < 0x80 ? value : (value & 0x7f) | 0x80);
            if (value >= 0x80)
                put8(b, value >> 7);
        }
    }
    put16(b, 0);
}

#define ABBREVIATION(b, code, tag, children, ...)                                \
    put_abbreviation(b, code, tag, children, (const uint16_t[][2]){__VA_ARGS__}, \
                     sizeof((const uint16_t[][2]){__VA_ARGS__}) / 4)

static void put_abbreviations(buffer *b)
{
    ABBREVIATION(b, UNIT, DW_TAG_compile_unit, true, {DW_AT_name, DW_FORM_string},
                 {DW_AT_comp_dir, DW_FORM_string}, {DW_AT_stmt_list, DW_FORM_sec_offset},
                 {DW_AT_low_pc, DW_FORM_addr}, {DW_AT_high_pc, DW_FORM_data4});
    ABBREVIATION(b, ABSTRACT, DW_TAG_subprogram, false, {DW_AT_name, DW_FORM_string},
                 {DW_AT_inline, DW_FORM_data1});
    ABBREVIATION(b, LINKED, DW_TAG_subprogram, false, {DW_AT_name, DW_FORM_string},
                 {DW_AT_linkage_name, DW_FORM_string}, {DW_AT_inline, DW_FORM_data1});
    ABBREVIATION(b, CONCRETE, DW_TAG_subprogram, true, {DW_AT_name, DW_FORM_string},
                 {DW_AT_low_pc, DW_FORM_addr}, {DW_AT_high_pc, DW_FORM_data4});
    ABBREVIATION(b, INLINED, DW_TAG_inlined_subroutine, true, {DW_AT_abstract_origin, DW_FORM_ref4},
                 {DW_AT_low_pc, DW_FORM_addr}, {DW_AT_high_pc, DW_FORM_data4},
                 {DW_AT_call_file, DW_FORM_data1}, {DW_AT_call_line, DW_FORM_data1});
    put8(b, 0);
}

static void put_inlined(buffer *b, uint32_t origin, uint32_t start, uint32_t end, unsigned line)
{
    put_leb(b, INLINED);
    put32(b, origin);
    put32(b, start);
    put32(b, end - start);
    put8(b, 1);
    put8(b, line);
}

static size_t start_unit(buffer *b, uint32_t low, uint32_t high)
{
    size_t length = put32(b, 0);
    put16(b, 4);
    put32(b, 0); /* abbreviations */
    put8(b, 4);  /* bytes in an address */
    put_leb(b, UNIT);
    put_text(b, "main.c");
    put_text(b, "/src");
    put32(b, 0); /* lines */
    put32(b, low);
    put32(b, high - low);
    return length;
}

static void put_info(buffer *b)
{
    size_t length = start_unit(b, BASE, BASE + 0x38);
    uint32_t sq = (uint32_t)(b->size - length);
    put_leb(b, ABSTRACT);
    put_text(b, "sq");
    put8(b, DW_INL_inlined);
    uint32_t cube = (uint32_t)(b->size - length);
    put_leb(b, LINKED);
    put_text(b, "cube");
    put_text(b, "_Z4cubei");
    put8(b, DW_INL_inlined);
    put_leb(b, CONCRETE);
    put_text(b, "main");
    put32(b, BASE);
    put32(b, 0x38);
    put_inlined(b, cube, BASE + 8, BASE + 0x20, 6);
    put_inlined(b, sq, BASE + 0x10, BASE + 0x18, 3);
    put32(b, 0); /* ends of sq, cube, main and the unit */
    close_length(b, length);
}

static size_t start_lines(buffer *b)
{
    static const uint8_t operands[] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
    size_t length = put32(b, 0);
    put16(b, 4);
    size_t header = put32(b, 0);
    put8(b, 4);  /* minimum instruction length */
    put8(b, 1);  /* operations per instruction */
    put8(b, 1);  /* is_stmt */
    put8(b, 0);  /* line base */
    put8(b, 10); /* line range */
    put8(b, 13); /* opcode base */
    for (size_t i = 0; i < sizeof operands; i++)
        put8(b, operands[i]);
    put_text(b, "/usr/include");
    put8(b, 0);
    put_text(b, "main.c"); /* in the directory of compilation */
    put8(b, 0);
    put16(b, 0);
    put_text(b, "math.h");
    put8(b, 1);
    put16(b, 0);
    put8(b, 0);
    close_length(b, header);
    return length;
}

static void put_address(buffer *b, uint32_t address)
{
    put8(b, 0);
    put_leb(b, 5);
    put8(b, DW_LNE_set_address);
    put32(b, address);
}

static void put_row(buffer *b, int words, unsigned file, int lines, int column)
{
    put8(b, DW_LNS_advance_pc);
    put_leb(b, words);
    put8(b, DW_LNS_set_file);
    put_leb(b, (int)file);
    put8(b, DW_LNS_advance_line);
    put_leb(b, lines);
    put8(b, DW_LNS_set_column);
    put_leb(b, column);
    put8(b, DW_LNS_copy);
}

static void put_end(buffer *b, int words)
{
    put8(b, DW_LNS_advance_pc);
    put_leb(b, words);
    put8(b, 0);
    put_leb(b, 1);
    put8(b, DW_LNE_end_sequence);
}

static void put_lines(buffer *b)
{
    size_t length = start_lines(b);
    put_address(b, BASE);
    put_row(b, 0, 1, 4, 0);  /* 5 */
    put_row(b, 2, 1, -2, 0); /* 3 */
    put_row(b, 2, 2, -1, 9); /* 2 */
    put_row(b, 2, 1, 1, 0);  /* 3 */
    put_row(b, 2, 1, 3, 0);  /* 6 */
    put_row(b, 0, 1, 1, 0);  /* 7: empty */
    put_row(b, 0, 1, -1, 0); /* 6 */
    put_row(b, 2, 1, -6, 0); /* 0 */
    put_row(b, 2, 1, 8, 0);  /* 8 */
    put_end(b, 2);
    close_length(b, length);
}

typedef struct sections {
    buffer abbreviations, info, lines;
} sections;

static void start_program(elf_builder *elf, sections *s, uint16_t machine, bool big_endian,
                          uint32_t address)
{
    uint32_t code[CODE_BYTES / 4];
    for (size_t i = 0; i < CODE_BYTES / 4; i++)
        code[i] = machine == EM_RISCV ? RV_ADD : MIPS_ADD;
    elf_start(elf, machine, big_endian);
    elf->entry = address;
    elf_code(elf, address, code, CODE_BYTES / 4);
    *s = (sections){0};
    s->abbreviations.elf = s->info.elf = s->lines.elf = elf;
}

static gs_image *open_program(elf_builder *elf, const sections *s)
{
    elf_loose_section(elf, ".debug_abbrev", s->abbreviations.bytes, s->abbreviations.size);
    elf_loose_section(elf, ".debug_info", s->info.bytes, s->info.size);
    elf_loose_section(elf, ".debug_line", s->lines.bytes, s->lines.size);
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

static gs_image *open_example(uint16_t machine, bool big_endian)
{
    elf_builder elf;
    sections s;
    start_program(&elf, &s, machine, big_endian, BASE);
    elf_function(&elf, "main", BASE, CODE_BYTES);
    put_abbreviations(&s.abbreviations);
    put_info(&s.info);
    put_lines(&s.lines);
    return open_program(&elf, &s);
}

static void expect_line(const gs_image *image, uint32_t offset, const char *file, unsigned line,
                        unsigned column)
{
    gs_line found = {0};
    assert_true(gs_image_line_at(image, BASE + offset, &found));
    assert_string_equal(found.file, file);
    assert_int_equal(found.line, line);
    assert_int_equal(found.column, column);
}

static void expect_no_line(const gs_image *image, uint32_t address)
{
    gs_line found;
    assert_false(gs_image_line_at(image, address, &found));
}

static void test_lines(void **state)
{
    (void)state;
    for (int big = 0; big < 2; big++) {
        gs_image *image = open_example(big ? EM_MIPS : EM_RISCV, big);
        expect_no_line(image, BASE);
        assert_int_equal(gs_image_inlines_at(image, BASE + 8, NULL, 0), 0);
        for (int again = 0; again < 2; again++) {
            assert_int_equal(gs_image_load_lines(image, NULL), GS_OK);
            expect_line(image, 0, "/src/main.c", 5, 0);
            expect_line(image, 7, "/src/main.c", 5, 0);
            expect_line(image, 8, "/src/main.c", 3, 0);
            expect_line(image, 0x10, "/usr/include/math.h", 2, 9);
            expect_line(image, 0x18, "/src/main.c", 3, 0);
            expect_line(image, 0x20, "/src/main.c", 6, 0);
            expect_line(image, 0x30, "/src/main.c", 8, 0);
            expect_no_line(image, BASE + 0x28);
            expect_no_line(image, BASE + 0x38);
            expect_no_line(image, BASE - 4);
            expect_no_line(image, 0);
        }
        gs_image_free(image);
    }
}

static void test_inlined_calls(void **state)
{
    (void)state;
    for (int big = 0; big < 2; big++) {
        gs_image *image = open_example(big ? EM_MIPS : EM_RISCV, big);
        gs_inline frames[MAX_FRAMES];
        assert_int_equal(gs_image_load_lines(image, NULL), GS_OK);
        assert_int_equal(gs_image_inlines_at(image, BASE, frames, MAX_FRAMES), 0);
        assert_int_equal(gs_image_inlines_at(image, BASE + 0x20, frames, MAX_FRAMES), 0);
        assert_int_equal(gs_image_inlines_at(image, BASE + 0x18, frames, MAX_FRAMES), 1);
        assert_string_equal(frames[0].function, "_Z4cubei");
        assert_string_equal(frames[0].call_file, "/src/main.c");
        assert_int_equal(frames[0].call_line, 6);
        assert_int_equal(gs_image_inlines_at(image, BASE + 0x14, frames, MAX_FRAMES), 2);
        assert_string_equal(frames[0].function, "sq");
        assert_int_equal(frames[0].call_line, 3);
        assert_string_equal(frames[1].function, "_Z4cubei");
        /* It says how many there are, and writes what fits. */
        frames[0].function = frames[1].function = "untouched";
        assert_int_equal(gs_image_inlines_at(image, BASE + 0x14, frames, 1), 2);
        assert_string_equal(frames[0].function, "sq");
        assert_string_equal(frames[1].function, "untouched");
        assert_int_equal(gs_image_inlines_at(image, BASE + 0x14, NULL, 0), 2);
        gs_image_free(image);
    }
}

static void test_no_debug_information(void **state)
{
    (void)state;
    elf_builder elf;
    const sections none = {0};
    sections s;
    start_program(&elf, &s, EM_RISCV, false, BASE);
    gs_image *image = open_program(&elf, &none);
    assert_int_equal(gs_image_load_lines(image, NULL), GS_OK);
    expect_no_line(image, BASE);
    gs_image_free(image);
}

/* Version 5 has another header, and leaves directories relative to that of compilation. */
static void test_version_5(void **state)
{
    (void)state;
    static const uint8_t operands[] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
    elf_builder elf;
    sections s;
    start_program(&elf, &s, EM_RISCV, false, BASE);
    put_abbreviations(&s.abbreviations);
    buffer *b = &s.info;
    size_t length = put32(b, 0);
    put16(b, 5);
    put8(b, DW_UT_compile);
    put8(b, 4);
    put32(b, 0);
    put_leb(b, UNIT);
    put_text(b, "main.c");
    put_text(b, "/src");
    put32(b, 0);
    put32(b, BASE);
    put32(b, 0x10);
    put8(b, 0);
    close_length(b, length);

    b = &s.lines;
    length = put32(b, 0);
    put16(b, 5);
    put8(b, 4);
    put8(b, 0);
    size_t header = put32(b, 0);
    static const uint8_t parameters[] = {4, 1, 1, 0, 10, 13};
    for (size_t i = 0; i < sizeof parameters; i++)
        put8(b, parameters[i]);
    for (size_t i = 0; i < sizeof operands; i++)
        put8(b, operands[i]);
    put8(b, 1); /* directories have a path */
    put_leb(b, DW_LNCT_path);
    put_leb(b, DW_FORM_string);
    put_leb(b, 2);
    put_text(b, "/src");
    put_text(b, "include");
    put8(b, 2); /* files have a path and a directory */
    put_leb(b, DW_LNCT_path);
    put_leb(b, DW_FORM_string);
    put_leb(b, DW_LNCT_directory_index);
    put_leb(b, DW_FORM_udata);
    put_leb(b, 2);
    put_text(b, "main.c");
    put_leb(b, 0);
    put_text(b, "math.h");
    put_leb(b, 1);
    close_length(b, header);
    put_address(b, BASE);
    put_row(b, 0, 0, 4, 0);
    put_row(b, 2, 1, 1, 3);
    put_end(b, 2);
    close_length(b, length);

    gs_image *image = open_program(&elf, &s);
    assert_int_equal(gs_image_load_lines(image, NULL), GS_OK);
    expect_line(image, 0, "/src/main.c", 5, 0);
    expect_line(image, 8, "/src/include/math.h", 6, 3);
    expect_no_line(image, BASE + 0x10);
    gs_image_free(image);
}

/* Linkers put the lines of functions they drop at address 0, where a board may have its ROM. */
static void test_dropped_functions_at_zero(void **state)
{
    (void)state;
    for (int dropped = 0; dropped < 2; dropped++) {
        elf_builder elf;
        sections s;
        start_program(&elf, &s, EM_RISCV, false, 0);
        elf_function(&elf, "reset", 0, 0x20);
        elf_function(&elf, "main", 0x20, 0x20);
        put_abbreviations(&s.abbreviations);
        size_t length = start_unit(&s.info, 0, 0x40);
        const char *names[] = {dropped ? "dropped" : "reset", "main"};
        for (uint32_t i = 0; i < 2; i++) {
            put_leb(&s.info, CONCRETE);
            put_text(&s.info, names[i]);
            put32(&s.info, 0x20 * i);
            put32(&s.info, 0x20);
            put8(&s.info, 0);
        }
        put8(&s.info, 0);
        close_length(&s.info, length);
        length = start_lines(&s.lines);
        for (uint32_t i = 0; i < 2; i++) {
            put_address(&s.lines, 0x20 * i);
            put_row(&s.lines, 0, 1, 4, 0);
            put_end(&s.lines, 8);
        }
        close_length(&s.lines, length);

        gs_image *image = open_program(&elf, &s);
        gs_line line;
        assert_int_equal(gs_image_load_lines(image, NULL), GS_OK);
        assert_int_equal(gs_image_line_at(image, 0, &line), !dropped);
        assert_true(gs_image_line_at(image, 0x20, &line));
        assert_int_equal(line.line, 5);
        gs_image_free(image);
    }
}

/* Every byte of every section, wrong in several ways: less may be known, but nothing breaks. */
static void test_damaged_debug_information(void **state)
{
    (void)state;
    static const uint8_t wrong[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
    for (size_t section = 0; section < 3; section++) {
        size_t size = 1;
        for (size_t at = 0; at < size; at++) {
            for (size_t w = 0; w <= sizeof wrong; w++) {
                elf_builder elf;
                sections s;
                start_program(&elf, &s, EM_RISCV, false, BASE);
                put_abbreviations(&s.abbreviations);
                put_info(&s.info);
                put_lines(&s.lines);
                buffer *damaged = (buffer *[]){&s.abbreviations, &s.info, &s.lines}[section];
                size = damaged->size;
                if (w < sizeof wrong)
                    damaged->bytes[at] = wrong[w];
                else
                    damaged->size = at; /* cut off */
                gs_image *image = open_program(&elf, &s);
                assert_int_equal(gs_image_load_lines(image, NULL), GS_OK);
                gs_line line;
                gs_inline frames[MAX_FRAMES];
                for (uint32_t pc = BASE; pc < BASE + CODE_BYTES; pc += 4) {
                    if (gs_image_line_at(image, pc, &line))
                        assert_true(strlen(line.file) > 0 && line.line > 0);
                    gs_image_inlines_at(image, pc, frames, MAX_FRAMES);
                }
                gs_image_free(image);
            }
        }
    }
}

static void *load(void *image)
{
    gs_line line;
    return gs_image_load_lines(image, NULL) == GS_OK && gs_image_line_at(image, BASE, &line) ? image
                                                                                             : NULL;
}

/* Machines in several threads may share an image, and each of their profiles wants its lines. */
static void test_several_threads(void **state)
{
    (void)state;
    gs_image *image = open_example(EM_RISCV, false);
    pthread_t threads[8];
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, load, image), 0);
    for (size_t i = 0; i < 8; i++) {
        void *result;
        assert_int_equal(pthread_join(threads[i], &result), 0);
        assert_ptr_equal(result, image);
    }
    gs_image_free(image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_inlined_calls),
        cmocka_unit_test(test_no_debug_information),
        cmocka_unit_test(test_version_5),
        cmocka_unit_test(test_dropped_functions_at_zero),
        cmocka_unit_test(test_damaged_debug_information),
        cmocka_unit_test(test_several_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
