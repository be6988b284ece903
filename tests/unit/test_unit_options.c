/*
 * Options of units: one table in, a configuration or a message out.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "units/options.h"

typedef struct config {
    uint64_t size, entries;
    bool fast;
    unsigned mode;
    const char *name;
    gs_option_list ranges;
} config;

static const char *const modes[] = {"wrap", "shift", NULL};

static const gs_unit_option options[] = {
    {.name = "size",
     .type = GS_OPTION_NUMBER,
     .offset = offsetof(config, size),
     .fallback = 32,
     .min = 16,
     .max = 64,
     .argument = "N"},
    {.name = "entries",
     .type = GS_OPTION_NUMBER,
     .offset = offsetof(config, entries),
     .min = 1,
     .max = 65536,
     .power_of_two = true,
     .zero = "auto",
     .argument = "N"},
    {.name = "fast", .type = GS_OPTION_FLAG, .offset = offsetof(config, fast)},
    {.name = "mode",
     .type = GS_OPTION_CHOICE,
     .offset = offsetof(config, mode),
     .fallback = 1,
     .choices = modes,
     .argument = "HOW"},
    {.name = "name", .type = GS_OPTION_TEXT, .offset = offsetof(config, name), .argument = "TEXT"},
    {.name = "range",
     .type = GS_OPTION_LIST,
     .offset = offsetof(config, ranges),
     .argument = "RANGE"},
};
enum { OPTIONS = sizeof options / sizeof *options };

static void test_defaults(void **state)
{
    (void)state;
    const char *const empty[] = {NULL, ""};
    for (size_t i = 0; i < 2; i++) {
        gs_arena arena = {0};
        config c;
        memset(&c, 0xa5, sizeof c);
        assert_int_equal(gs_options_parse(&c, options, OPTIONS, "test", empty[i], &arena, NULL),
                         GS_OK);
        assert_int_equal(c.size, 32);
        assert_int_equal(c.entries, 0);
        assert_false(c.fast);
        assert_int_equal(c.mode, 1);
        assert_null(c.name);
        assert_int_equal(c.ranges.count, 0);
        assert_string_equal(gs_options_text(&c, options, OPTIONS, &arena), "");
        gs_arena_free(&arena);
    }
}

static void test_all(void **state)
{
    (void)state;
    gs_arena arena = {0};
    config c;
    static const char text[] = "size=64,entries=1K,fast,mode=wrap,name=a\\,b\\\\c=d,"
                               "range=main,range=x.c:1-2,range=0x10+4,range=d,range=e";
    assert_int_equal(gs_options_parse(&c, options, OPTIONS, "test", text, &arena, NULL), GS_OK);
    assert_int_equal(c.size, 64);
    assert_int_equal(c.entries, 1024);
    assert_true(c.fast);
    assert_int_equal(c.mode, 0);
    assert_string_equal(c.name, "a,b\\c=d");
    assert_int_equal(c.ranges.count, 5);
    assert_string_equal(c.ranges.items[0], "main");
    assert_string_equal(c.ranges.items[1], "x.c:1-2");
    assert_string_equal(c.ranges.items[4], "e");
    assert_string_equal(gs_options_text(&c, options, OPTIONS, &arena),
                        "size=64,entries=1024,fast,mode=wrap,name=a\\,b\\\\c=d,"
                        "range=main,range=x.c:1-2,range=0x10+4,range=d,range=e");
    gs_arena_free(&arena);
}

static void test_messages(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"sizes=3",
         "test: there is no option 'sizes'; there are size, entries, fast, mode, name, range"},
        {",fast", "test: an option is missing beside a comma; there are size, entries, fast, "
                  "mode, name, range"},
        {"fast,", "test: an option is missing beside a comma; there are size, entries, fast, "
                  "mode, name, range"},
        {"size", "test: size wants a value: size=N"},
        {"size=", "test: size wants a value: size=N"},
        {"size=15", "test: size wants a number from 16 to 64, not '15'"},
        {"size=0", "test: size wants a number from 16 to 64, not '0'"},
        {"size=99999999999999999999",
         "test: size wants a number from 16 to 64, not '99999999999999999999'"},
        {"entries=3", "test: entries wants a power of two from 1 to 65536 or auto, not '3'"},
        {"entries=-1", "test: entries wants a power of two from 1 to 65536 or auto, not '-1'"},
        {"fast=yes", "test: fast takes no value"},
        {"fast,fast", "test: fast is given twice"},
        {"size=16,size=16", "test: size is given twice"},
        {"mode=halve", "test: mode is one of wrap, shift, not 'halve'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gs_arena arena = {0};
        gs_error err;
        config c;
        assert_int_equal(
            gs_options_parse(&c, options, OPTIONS, "test", cases[i].text, &arena, &err),
            GS_E_ARGUMENT);
        assert_string_equal(err.message, cases[i].message);
        gs_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_all),
        cmocka_unit_test(test_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
