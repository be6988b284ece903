/*
 * The process that starts compilers, as one that runs a guest and has come to belong to it would
 * use it: it compiles what lies in its directory, and reads and writes nothing of the user's.
 */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine/fast/tier/compiler.h"
#include "engine/fast/tier/compiler_helper.h"

enum { PATIENCE = 60000 }; /* milliseconds */

static char place[] = "/tmp/gumshoe-compiler-XXXXXX";
static char cache[64], secret[64];

static void write_text(const char *path, const char *text)
{
    FILE *to = fopen(path, "w");
    assert_non_null(to);
    assert_true(fputs(text, to) >= 0);
    assert_int_equal(fclose(to), 0);
}

static const char *in_cache(char to[128], const char *name)
{
    snprintf(to, 128, "%s/%s", cache, name);
    return to;
}

static bool exists(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0;
}

/* Whether a source can be compiled. */
static bool compiles(const char *text)
{
    char source[128], object[128];
    gs_compiler *compiler = gs_compiler_start(cache);
    assert_non_null(compiler);
    write_text(in_cache(source, "source.c"), text);
    assert_true(gs_compiler_request(compiler, source, in_cache(object, "object.so")));
    const gs_compiler_state end = gs_compiler_poll(compiler, PATIENCE);
    assert_int_not_equal(end, GS_COMPILER_RUNS);
    gs_compiler_stop(compiler);
    const bool made = exists(object);
    (void)remove(source);
    (void)remove(object);
    assert_int_equal(end == GS_COMPILER_DONE, made);
    return made;
}

static bool has_landlock(void)
{
    return syscall(SYS_landlock_create_ruleset, NULL, 0, 1) >= 1;
}

static void test_secrets(void **state)
{
    (void)state;
    char text[256];
    if (!gs_compiler_is_there())
        skip();
    assert_true(compiles("int a;\n"));
    if (!has_landlock())
        skip();
    snprintf(text, sizeof text, "#include \"%s\"\n", secret);
    assert_false(compiles(text));
    snprintf(text, sizeof text, "__asm__(\".incbin \\\"%s\\\"\");\n", secret);
    assert_false(compiles(text));
    assert_true(compiles("#include <stddef.h>\n#include <stdint.h>\nint b;\n"));
}

static void test_other_paths(void **state)
{
    (void)state;
    char source[128], object[128], text[128];
    gs_compiler *compiler = gs_compiler_start(cache);
    assert_non_null(compiler);
    write_text(in_cache(source, "source.c"), "int a;\n");
    in_cache(object, "object.so");
    snprintf(text, sizeof text, "%s.c", cache);
    assert_false(gs_compiler_request(compiler, secret, object));
    assert_false(gs_compiler_request(compiler, source, secret));
    assert_false(gs_compiler_request(compiler, text, object));
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    memcpy(text, cache, strlen(cache));
    text[strlen(cache)] = '/';
    assert_false(gs_compiler_request(compiler, text, object));
    gs_compiler_stop(compiler);
    assert_int_equal(remove(source), 0);
}

/* Sends what gs_compiler_request() would not; the process ends, and has done nothing. */
static void try_request(const char *source, const char *object)
{
    int ends[2], status;
    char *environment[] = {NULL};
    const gs_helper_settings settings = {
        .command = "/bin/touch", .directory = cache, .environment = environment, .time_limit = 10};
    gs_helper_request request = {.number = 1};
    gs_helper_reply reply;
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        gs_compiler_help(ends[1], &settings);
    close(ends[1]);
    memcpy(request.source, source, strnlen(source, sizeof request.source));
    memcpy(request.object, object, strnlen(object, sizeof request.object));
    assert_int_equal(send(ends[0], &request, sizeof request, 0), sizeof request);
    assert_int_equal(recv(ends[0], &reply, sizeof reply, 0), 0);
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
}

static void test_strange_requests(void **state)
{
    (void)state;
    static const char *const names[] = {"", ".", "..", "../made", "/tmp/made", "a/b"};
    char made[128], long_name[GS_HELPER_NAME + 1];
    memset(long_name, 'a', GS_HELPER_NAME);
    long_name[GS_HELPER_NAME] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        try_request(names[i], "object.so");
        try_request("source.c", names[i]);
    }
    try_request(long_name, "object.so");
    snprintf(made, sizeof made, "%s/made", place);
    assert_false(exists(made));
}

/* What is cancelled is killed, and the next request gets its own reply. */
static void test_cancelled_requests(void **state)
{
    (void)state;
    char source[128], object[128];
    if (!gs_compiler_is_there())
        skip();
    gs_compiler *compiler = gs_compiler_start(cache);
    assert_non_null(compiler);
    write_text(in_cache(source, "source.c"), "int a;\n");
    in_cache(object, "object.so");
    gs_compiler_cancel(compiler);
    for (int i = 0; i < 3; i++) {
        assert_true(gs_compiler_request(compiler, source, object));
        if (i == 1) /* it has ended by itself, and its reply is there */
            usleep(300000);
        gs_compiler_cancel(compiler);
        assert_false(gs_compiler_is_busy(compiler));
    }
    assert_true(gs_compiler_request(compiler, source, object));
    gs_compiler_state end = GS_COMPILER_RUNS;
    for (int stale = 0; stale < 3 && end == GS_COMPILER_RUNS; stale++)
        end = gs_compiler_poll(compiler, PATIENCE);
    assert_int_equal(end, GS_COMPILER_DONE);
    assert_true(exists(object));
    gs_compiler_stop(compiler);
    (void)remove(source);
    (void)remove(object);
}

static int make_place(void **state)
{
    (void)state;
    if (!mkdtemp(place))
        return -1;
    snprintf(cache, sizeof cache, "%s/cache", place);
    snprintf(secret, sizeof secret, "%s/secret", place);
    if (mkdir(cache, 0700) != 0)
        return -1;
    write_text(secret, "int secret;\n");
    return 0;
}

static int remove_place(void **state)
{
    (void)state;
    (void)remove(secret);
    return remove(cache) == 0 && remove(place) == 0 ? 0 : -1; /* nothing is left in them */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_secrets),
        cmocka_unit_test(test_other_paths),
        cmocka_unit_test(test_strange_requests),
        cmocka_unit_test(test_cancelled_requests),
    };
    return cmocka_run_group_tests(tests, make_place, remove_place);
}
