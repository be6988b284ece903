/*
 * Numbers as reports write them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gumshoe/text.h"

static void test_digits(void **state)
{
    char text[GS_TEXT_NUMBER];
    (void)state;
    assert_string_equal(gs_text_digits(text, 0), "0");
    assert_string_equal(gs_text_digits(text, 999), "999");
    assert_string_equal(gs_text_digits(text, 1000), "1,000");
    assert_string_equal(gs_text_digits(text, UINT64_MAX), "18,446,744,073,709,551,615");
    assert_string_equal(GS_TEXT_DIGITS(1234567), "1,234,567");
}

/* Never as 5.532e+04. */
static void test_mean(void **state)
{
    char text[GS_TEXT_NUMBER];
    (void)state;
    assert_string_equal(gs_text_mean(text, 0), "0");
    assert_string_equal(gs_text_mean(text, 7.4), "7.4");
    assert_string_equal(gs_text_mean(text, 210.11), "210.1");
    assert_string_equal(gs_text_mean(text, 999.94), "999.9");
    assert_string_equal(gs_text_mean(text, 999.97), "1,000");
    assert_string_equal(gs_text_mean(text, 55320.4), "55,320");
    assert_string_equal(gs_text_mean(text, 123456789012.0), "123,456,789,012");
}

static void test_units(void **state)
{
    char text[GS_TEXT_NUMBER];
    (void)state;
    assert_string_equal(gs_text_joules(text, 0), "0.000 J");
    assert_string_equal(gs_text_joules(text, 0.13375802), "133.758 mJ");
    assert_string_equal(gs_text_joules(text, 999.9994e-6), "999.999 uJ");
    assert_string_equal(gs_text_joules(text, 999.9996e-6), "1.000 mJ");
    assert_string_equal(gs_text_joules(text, 12345.6), "12345.600 J");
    assert_string_equal(gs_text_watts(text, 0.064916), "64.916 mW");
    assert_string_equal(gs_text_seconds(text, 1.38879), "1.389 s");
    assert_string_equal(gs_text_seconds(text, 20e-9), "20.000 ns");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_digits),
        cmocka_unit_test(test_mean),
        cmocka_unit_test(test_units),
    };
    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
