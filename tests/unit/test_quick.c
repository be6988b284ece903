/*
 * The quick compiler: what it compiles can be called where it is; whatever is wrong with a text or
 * with the compiler is an answer; and it is gone when it is not needed any more.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine/fast/tier/quick.h"
#include "engine/fast/tier/quick_wire.h"

enum { PATIENCE = 20000 }; /* milliseconds */

static const char types[] =
    "typedef unsigned int u32; typedef unsigned long u64;\n"
    "typedef struct end { u64 place, cost; } end;\n"
    "typedef end function(void *c, u32 pc, u32 after, void *b, u64 cost);\n";

static char program[] = "/tmp/gumshoe-quickcc-XXXXXX";

static int setup(void **state)
{
    *state = gs_quick_start();
    return *state ? 0 : -1;
}

static int teardown(void **state)
{
    gs_quick_stop(*state);
    return 0;
}

static gs_compiler_state compile(gs_quick *quick, const char *text)
{
    char *whole = NULL;
    assert_true(asprintf(&whole, "%s%s", types, text) > 0);
    const bool asked = gs_quick_request(quick, whole, strlen(whole));
    free(whole);
    if (!asked)
        return GS_COMPILER_FAILED;
    assert_true(gs_quick_is_busy(quick));
    const gs_compiler_state end = gs_quick_poll(quick, PATIENCE);
    assert_int_not_equal(end, GS_COMPILER_RUNS);
    assert_false(gs_quick_is_busy(quick));
    return end;
}

static uint64_t call(gs_fast_function *f, uint32_t pc, uint64_t cost)
{
    const gs_fast_end end = f(NULL, pc, 3, NULL, cost);
    return end.place * 1000 + end.cost;
}

static void test_functions(void **state)
{
    gs_quick *quick = *state;
    assert_int_equal(compile(quick, "end f(void *c, u32 pc, u32 after, void *b, u64 cost)\n"
                                    "{ return (end){pc + after, cost + 1}; }\n"
                                    "end g(void *c, u32 pc, u32 after, void *b, u64 cost)\n"
                                    "{ return f(c, pc + 1, after, b, cost); }\n"
                                    "function *const functions[] = {f, g};\n"),
                     GS_COMPILER_DONE);
    gs_fast_function *const *functions = gs_quick_functions(quick, 2);
    assert_non_null(functions);
    assert_int_equal(call(functions[0], 4, 5), 7006);
    assert_int_equal(call(functions[1], 4, 5), 8006);
    assert_true(gs_quick_cost(quick) > 0 && gs_quick_cost(quick) < PATIENCE / 1000);
    assert_null(gs_quick_functions(quick, GS_QUICK_CODE_ROOM)); /* so many there cannot be */

    /* What has been compiled before stays where it is. */
    gs_fast_function *before = functions[0];
    assert_int_equal(compile(quick, "end f(void *c, u32 pc, u32 after, void *b, u64 cost)\n"
                                    "{ return (end){pc, cost}; }\n"
                                    "function *const functions[] = {f};\n"),
                     GS_COMPILER_DONE);
    functions = gs_quick_functions(quick, 1);
    assert_non_null(functions);
    assert_int_equal(call(functions[0], 4, 5), 4005);
    assert_int_equal(call(before, 4, 5), 7006);
}

/* Each is a failure that says something, and the next text is compiled as if nothing had been. */
static void test_bad_texts(void **state)
{
    static const char *const bad[] = {
        "end f(",
        "#error no",
        "function *const functions[] = {nowhere};",
        "int nothing;",
        "int f(void) { return g(); }\nfunction *const functions[] = {(function *)f};",
        "#include <stdio.h>\nint functions[2];",
        "\xff\xfe{{{",
        "#define a a a\n#if 1/0\n#endif",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(compile(*state, bad[i]), GS_COMPILER_FAILED);
        assert_non_null(gs_quick_why(*state));
    }
    assert_int_equal(compile(*state, "int functions[2];"), GS_COMPILER_DONE);
    assert_null(gs_quick_functions(*state, 1)); /* they are not in code */
}

/* Nothing of the user's gets into what is compiled, nor into what is said of it. */
static void test_secrets(void **state)
{
    static const char *const ways[] = {"#include \"%s\"\n", "#include <%s>\n",
                                       "__asm__(\".incbin \\\"%s\\\"\");\n"};
    char text[256], path[] = "/tmp/gumshoe-secret-XXXXXX";
    static const char secret[] = "int functions[2]; /* secret */\n";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, secret, strlen(secret)), (ssize_t)strlen(secret));
    assert_int_equal(close(fd), 0);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        snprintf(text, sizeof text, ways[i], path);
        assert_int_equal(compile(*state, text), GS_COMPILER_FAILED);
        assert_null(strstr(gs_quick_why(*state), "secret */"));
    }
    assert_int_equal(remove(path), 0);
    assert_int_equal(compile(*state, "int functions[2];"), GS_COMPILER_DONE);
}

static void test_too_much(void **state)
{
    char *text = calloc(1, GS_QUICK_TEXT_ROOM);
    assert_non_null(text);
    assert_false(gs_quick_request(*state, text, GS_QUICK_TEXT_ROOM));
    assert_false(gs_quick_is_busy(*state));
    free(text);
    assert_int_equal(compile(*state, "char functions[60 << 20] = {1};"), GS_COMPILER_DONE);
    assert_int_equal(compile(*state, "char functions[60 << 20] = {1};"), GS_COMPILER_FAILED);
    assert_string_equal(gs_quick_why(*state), "there is no more room for code");
    assert_int_equal(compile(*state, "int functions[2];"), GS_COMPILER_DONE);
}

/* More than one machine has one of its own. */
static void test_two(void **state)
{
    static const char text[] = "end f(void *c, u32 pc, u32 after, void *b, u64 cost)\n"
                               "{ return (end){pc, cost}; }\nfunction *const functions[] = {f};\n";
    gs_quick *other = gs_quick_start();
    assert_non_null(other);
    assert_int_equal(compile(other, text), GS_COMPILER_DONE);
    assert_int_equal(compile(*state, text), GS_COMPILER_DONE);
    assert_ptr_not_equal(gs_quick_functions(other, 1)[0], gs_quick_functions(*state, 1)[0]);
    gs_quick_stop(other);
    assert_int_equal(call(gs_quick_functions(*state, 1)[0], 4, 5), 4005);
}

/* A program of ours in its place. */
static void pretend(const char *text)
{
    FILE *to = fopen(program, "w");
    assert_non_null(to);
    fprintf(to, "#!/bin/sh\n%s\n", text);
    assert_int_equal(fclose(to), 0);
    assert_int_equal(chmod(program, 0700), 0);
}

static void test_bad_compilers(void **state)
{
    (void)state;
    static const char *const bad[] = {"exit 0", "kill -9 $$", "echo garbage >&3"};
    char *before = strdup(getenv("GUMSHOE_QUICKCC"));
    assert_int_equal(setenv("GUMSHOE_QUICKCC", program, 1), 0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        pretend(bad[i]);
        gs_quick *quick = gs_quick_start();
        assert_non_null(quick);
        assert_int_equal(compile(quick, "int functions[2];"), GS_COMPILER_FAILED);
        assert_string_equal(gs_quick_why(quick), "it has ended");
        assert_int_equal(compile(quick, "int functions[2];"), GS_COMPILER_FAILED);
        gs_quick_stop(quick);
    }
    pretend("exec cat <&3"); /* which reads, and says nothing */
    gs_quick *quick = gs_quick_start();
    assert_non_null(quick);
    assert_true(gs_quick_request(quick, "", 0));
    assert_int_equal(gs_quick_poll(quick, 100), GS_COMPILER_RUNS);
    assert_true(gs_quick_is_busy(quick));
    gs_quick_stop(quick);
    (void)remove(program);
    assert_null(gs_quick_start()); /* it is not there */
    assert_int_equal(setenv("GUMSHOE_QUICKCC", before, 1), 0);
    free(before);
}

/* A name for another program; and the compiler, which is beside the library and
 * not beside this test. */
static int choose_programs(void **state)
{
    (void)state;
    char path[4096];
    const ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
    int made = mkstemp(program);
    if (size < 0 || made < 0)
        return -1;
    close(made);
    path[size] = '\0';
    for (unsigned i = 0; i < 2; i++)
        *strrchr(path, '/') = '\0';
    strncat(path, "/src/gumshoe-quickcc", sizeof path - strlen(path) - 1);
    return setenv("GUMSHOE_QUICKCC", path, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_functions, setup, teardown),
        cmocka_unit_test_setup_teardown(test_bad_texts, setup, teardown),
        cmocka_unit_test_setup_teardown(test_secrets, setup, teardown),
        cmocka_unit_test_setup_teardown(test_too_much, setup, teardown),
        cmocka_unit_test_setup_teardown(test_two, setup, teardown),
        cmocka_unit_test(test_bad_compilers),
    };
    return cmocka_run_group_tests(tests, choose_programs, NULL);
}
