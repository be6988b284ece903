/*
 * Texts of strangers: what a terminal takes for commands goes, in messages of a run and of errors,
 * and everything that can be read stays.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/plain.h"

static void check(const char *text, const char *expected)
{
    char copy[64];
    snprintf(copy, sizeof copy, "%s", text);
    gs_plain_text(copy, "");
    assert_string_equal(copy, expected);
}

static void test_texts(void **state)
{
    (void)state;
    check("", "");
    check("main()", "main()");
    check("gr\xc3\xb6\xc3\x9f"
          "e \xe2\x82\xac \xf0\x9f\x98\x80",
          "gr\xc3\xb6\xc3\x9f"
          "e \xe2\x82\xac \xf0\x9f\x98\x80");
    check("a\x1b[31mb\x7f"
          "c\td\n",
          "a?[31mb?c?d?");
    check("\x9b"
          "31m",
          "?31m"); /* CSI of Latin-1 */
    check("\xc2\x9b"
          "31m",
          "??31m"); /* the same in UTF-8 */
    check("\xc2\x85|\xc2\xa0|", "??|\xc2\xa0|");
    check("\xe2\x82", "??"); /* cut */
    check("\xc3", "?");
    check("\xff\xfe\xc0\x80", "????");
}

static void test_errors(void **state)
{
    (void)state;
    gs_error err;
    assert_int_equal(gs_fail(&err, GS_E_FORMAT, "one\ntwo %s", "\x1b]0;x\x07\xc2\x9b"),
                     GS_E_FORMAT);
    assert_string_equal(err.message, "one\ntwo ?]0;x???");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts), cmocka_unit_test(test_errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
