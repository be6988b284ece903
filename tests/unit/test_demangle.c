/* Demangled names, and bounds on the work and output of hostile ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/demangle.h"

static void expect(const char *name, const char *readable)
{
    char *text = gs_demangle(name);
    assert_non_null(text);
    assert_string_equal(text, readable);
    free(text);
}

static void test_readable(void **state)
{
    (void)state;
    expect("main", "main");
    expect("_ZN3Foo3barEi", "Foo::bar(int)");
    expect("_Z", "_Z");
    expect("_Z3fooIJiiEEvDpT_", "void foo<int, int>(int, int)");
    expect("_ZN1AcvT_IiEEv", "A::operator int<int>()");
}

/* `start`, in which `A` is substitution number `first`, and `levels` types each of which has the
 * one before twice. Returns a reference to the last one. */
static const char *double_up(char *name, const char *start, unsigned first, unsigned levels)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    static char reference[8];
    strcpy(name, start);
    for (unsigned i = 0; i <= levels; i++) {
        unsigned number = first + 2 * i; /* the pointer comes after its function type */
        size_t at = 0;
        reference[at++] = 'S';
        if (number > 36)
            reference[at++] = digits[(number - 1) / 36];
        if (number > 0)
            reference[at++] = digits[(number - 1) % 36];
        reference[at++] = '_';
        reference[at] = '\0';
        if (i < levels) {
            strcat(name, "PFv");
            strcat(strcat(name, reference), reference);
            strcat(name, "E");
        }
    }
    return reference;
}

/* The text would take 2^70 bytes. */
static void test_output_is_bounded(void **state)
{
    (void)state;
    char name[GS_DEMANGLE_MAX_INPUT + 1];
    double_up(name, "_Z1f1A", 0, 70);
    expect(name, name);
    double_up(name, "_Z1f1A", 0, 2); /* and this is shown */
    expect(name, "f(A, void (*)(A, A), void (*)(void (*)(A, A), void (*)(A, A)))");
}

/* No text at all, but 2^40 steps to look for a pack in what the function returns, which is shown
 * first. */
static void test_time_of_packs_is_bounded(void **state)
{
    (void)state;
    char name[GS_DEMANGLE_MAX_INPUT + 1];
    const char *last = double_up(name, "_Z1fI1A", 1, 40);
    strcat(strcat(strcat(name, "EDp"), last), "v");
    expect(name, name);
    last = double_up(name, "_Z1fI1A", 1, 1);
    strcat(strcat(strcat(name, "EDp"), last), "v");
    expect(name, "(void (*f<A, void (*)(A, A)>())(A, A))...");
}

/* Nor here, but 2^60 steps to parse a type. */
static void test_time_of_conversions_is_bounded(void **state)
{
    (void)state;
    enum { DEPTH = 60 };
    char name[GS_DEMANGLE_MAX_INPUT + 1];
    strcpy(name, "_ZN1AcvT_");
    for (unsigned i = 0; i < DEPTH; i++)
        strcat(name, "IT_");
    strcat(name, "Ii");
    for (unsigned i = 0; i <= DEPTH; i++)
        strcat(name, "E");
    strcat(name, "Ev");
    expect(name, name);
}

/* The longest name is shown. One of a million characters costs nothing, though to count its
 * references would take the square of that. */
static void test_input_is_bounded(void **state)
{
    (void)state;
    enum { IDENTIFIER = GS_DEMANGLE_MAX_INPUT - 7, LONG = 1 << 20 };
    char *name = calloc(LONG + 1, 1);
    assert_non_null(name);
    char readable[IDENTIFIER + 3] = "";
    memset(readable, 'a', IDENTIFIER);
    snprintf(name, LONG, "_Z%d%sv", IDENTIFIER, readable);
    assert_int_equal(strlen(name), GS_DEMANGLE_MAX_INPUT);
    strcat(readable, "()");
    expect(name, readable);

    memset(name, 'S', LONG);
    memcpy(name, "_ZDp", 4);
    expect(name, name);
    free(name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_readable),
        cmocka_unit_test(test_output_is_bounded),
        cmocka_unit_test(test_time_of_packs_is_bounded),
        cmocka_unit_test(test_time_of_conversions_is_bounded),
        cmocka_unit_test(test_input_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
