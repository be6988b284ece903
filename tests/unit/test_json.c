/*
 * The JSON writer, by what it writes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "base/json.h"

static void test_document(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    gs_json json;
    gs_json_begin(&json, out);
    gs_json_open_object(&json, NULL);
    gs_json_string(&json, "quote\"", "tab\tback\\slash \x80 \xc3\xa9 \xed\xa0\x80");
    gs_json_uint(&json, "most", UINT64_MAX);
    gs_json_int(&json, "least", INT64_MIN);
    gs_json_open_array(&json, "list");
    gs_json_double(&json, NULL, 0.5);
    gs_json_double(&json, NULL, INFINITY);
    gs_json_bool(&json, NULL, true);
    gs_json_open_object(&json, NULL);
    gs_json_close_object(&json);
    gs_json_close_array(&json);
    gs_json_close_object(&json);
    assert_true(gs_json_end(&json));
    fclose(out);
    assert_string_equal(text, "{\n"
                              "  \"quote\\\"\": \"tab\\u0009back\\\\slash \xef\xbf\xbd \xc3\xa9 "
                              "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\",\n"
                              "  \"most\": 18446744073709551615,\n"
                              "  \"least\": -9223372036854775808,\n"
                              "  \"list\": [\n"
                              "    0.5,\n"
                              "    null,\n"
                              "    true,\n"
                              "    {}\n"
                              "  ]\n"
                              "}\n");
    free(text);
}

static void test_full_disk(void **state)
{
    (void)state;
    FILE *out = fopen("/dev/full", "w");
    if (!out)
        skip();
    gs_json json;
    gs_json_begin(&json, out);
    gs_json_open_array(&json, NULL);
    gs_json_close_array(&json);
    assert_false(gs_json_end(&json));
    fclose(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_document),
        cmocka_unit_test(test_full_disk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
