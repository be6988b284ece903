/* Symbols from a linker's map, whole and damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "image/mapfile.h"

#define HEADING "Linker script and memory map\n\n"

static gs_mapfile *parse(const char *text)
{
    gs_mapfile *map;
    gs_error err;
    if (gs_mapfile_parse(&map, "a.map", text, strlen(text), &err) != GS_OK)
        fail_msg("%s", err.message);
    return map;
}

static void expect(const gs_mapfile *map, size_t index, const char *name, uint32_t start,
                   uint32_t end)
{
    const gs_map_function *function = &map->functions.items[index];
    assert_string_equal(function->name, name);
    assert_int_equal(function->start, start);
    assert_int_equal(function->end, end);
}

/* As GNU ld writes it with -ffunction-sections: a static function shows by its section only. */
static void test_sections(void **state)
{
    (void)state;
    gs_mapfile *map = parse(" .text.early    0x00001000       0x28 dropped.o\n" HEADING
                            ".text           0x00010094       0x98\n"
                            " *(.text.unlikely .text.*_unlikely .text.unlikely.*)\n"
                            " .text          0x00010094        0x0 main.o\n"
                            " .text.helper   0x00010094       0x28 main.o\n"
                            " .text.a_very_long_section_name_that_wraps_the_line\n"
                            "                0x000100bc       0x1c main.o\n"
                            "                0x000100bc                long_one\n"
                            " .text.unlikely.rare\n"
                            "                0x000100d8       0x10 main.o\n"
                            " *fill*         0x000100e8        0x8 \n"
                            " .rodata.x      0x000100f0        0x8 main.o\n"
                            "                0x000100f0                table\n"
                            "\n.fini\n"
                            "                [!provide]        PROVIDE (__etext = .)\n");
    assert_int_equal(map->functions.count, 3);
    expect(map, 0, "helper", 0x10094, 0x100bc);
    expect(map, 1, "long_one", 0x100bc, 0x100d8);
    expect(map, 2, "rare", 0x100d8, 0x100e8);
    gs_mapfile_free(map);
}

/* Several functions in a section, an alias, an assignment, a name with spaces, CR at the ends. */
static void test_symbols(void **state)
{
    (void)state;
    gs_mapfile *map = parse(HEADING ".text           0x80000000       0x98\r\n"
                                    " .text          0x80000000       0x40 b.o\r\n"
                                    "                0x80000010                second\r\n"
                                    "                0x80000004                first\r\n"
                                    "                0x80000010                alias\r\n"
                                    "                0x80000020                __end = .\r\n"
                                    "                0x80000020                f(int, char)\r\n"
                                    "                0x90000000                elsewhere\r\n"
                                    " .init          0x7fffff00       0x10 a.o\r\n"
                                    "                0x7fffff00                _init\r\n");
    assert_int_equal(map->functions.count, 5);
    expect(map, 0, "_init", 0x7fffff00, 0x7fffff10);
    expect(map, 1, "first", 0x80000004, 0x80000010);
    expect(map, 2, "alias", 0x80000010, 0x80000020);
    expect(map, 3, "second", 0x80000010, 0x80000020);
    expect(map, 4, "f(int, char)", 0x80000020, 0x80000040);
    bool several;
    assert_ptr_equal(gs_mapfile_find(map, "first", &several), &map->functions.items[1]);
    assert_false(several);
    assert_null(gs_mapfile_find(map, "elsewhere", &several));
    gs_mapfile_free(map);
}

static void test_several(void **state)
{
    (void)state;
    gs_mapfile *map = parse(HEADING " .text.f        0x1000       0x10 a.o\n"
                                    " .text.f        0x1010       0x10 b.o\n");
    bool several;
    assert_int_equal(gs_mapfile_find(map, "f", &several)->start, 0x1000);
    assert_true(several);
    gs_mapfile_free(map);
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "a.map: no line 'Linker script and memory map' in it; a map of GNU ld is made with "
             "-Wl,-Map=FILE"},
        {HEADING ".text 0x1000 0x10\n", "a.map: there is no function in it"},
        {HEADING " .data.x 0x1000 0x10 a.o\n                0x1000   x\n",
         "a.map: there is no function in it"},
        /* An address that is none, one beyond 4 GiB, a size that wraps */
        {HEADING " .text.f 0x1000q 0x10 a.o\n .text.g 0x1fffffff8 0x10 a.o\n"
                 " .text.h 0x1000 0xffffffffffffffff a.o\n",
         "a.map: there is no function in it"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gs_mapfile *map;
        gs_error err;
        assert_int_equal(
            gs_mapfile_parse(&map, "a.map", cases[i].text, strlen(cases[i].text), &err),
            GS_E_FORMAT);
        assert_null(map);
        assert_string_equal(err.message, cases[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sections),
        cmocka_unit_test(test_symbols),
        cmocka_unit_test(test_several),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("mapfile", tests, NULL, NULL);
}
