/*
 * What the server answers: to whom, and to which parameters. Sockets are not in it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include "report/roots.h"
#include "serve_rig.h"

static gs_server server;

static gs_response answer(const gs_request *request)
{
    gs_response response;
    gs_serve_answer(&server, request, &response);
    return response;
}

static unsigned status_of(const gs_request *request)
{
    gs_response response = answer(request);
    free(response.body);
    return response.status;
}

/* What is answered to a path with parameters "name=value", up to NULL. */
static gs_response ask(const char *path, ...)
{
    gs_request request = serve_rig_request(path);
    char texts[8][64], *value;
    size_t count = 0;
    va_list list;
    va_start(list, path);
    for (const char *text; (text = va_arg(list, const char *)) && count < 8; count++) {
        snprintf(texts[count], sizeof texts[count], "%s", text);
        value = strchr(texts[count], '=');
        *value = '\0';
        serve_rig_add(&request, texts[count], value + 1);
    }
    va_end(list);
    return answer(&request);
}

static void expect(gs_response response, unsigned status, const char *part)
{
    assert_non_null(response.body);
    if (response.status != status || !strstr(response.body, part))
        fail_msg("%u instead of %u, or no '%s' in %.400s", response.status, status, part,
                 response.body);
    free(response.body);
}

static void test_token(void **state)
{
    (void)state;
    gs_request request = serve_rig_request("/api/session");
    assert_int_equal(status_of(&request), 200);
    request.cookie = "a=b; gumshoe-1=" RIG_TOKEN "; c=d";
    assert_int_equal(status_of(&request), 200);
    static const char *const wrong[] = {NULL,
                                        "",
                                        "gumshoe-1=",
                                        "gumshoe-1=0123456789abcde",
                                        "gumshoe-1=0123456789abcdef0",
                                        "gumshoe-2=" RIG_TOKEN,
                                        "gumshoe-1" RIG_TOKEN,
                                        "xgumshoe-1=" RIG_TOKEN};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        request.cookie = wrong[i];
        assert_int_equal(status_of(&request), 401);
    }
    request.authorization = "Bearer " RIG_TOKEN;
    assert_int_equal(status_of(&request), 200);
    request.authorization = "Basic " RIG_TOKEN;
    assert_int_equal(status_of(&request), 401);
    request.authorization = NULL;
    serve_rig_add(&request, "token", RIG_TOKEN);
    gs_response response = answer(&request);
    assert_int_equal(response.status, 200);
    assert_true(response.sets_cookie);
    free(response.body);
    /* No cookie without the token. */
    gs_request page = serve_rig_request("/");
    serve_rig_add(&page, "token", "wrong-wrong-wrong-wrong");
    response = answer(&page);
    assert_false(response.sets_cookie);
    free(response.body);
}

static void test_source(void **state)
{
    (void)state;
    static const struct {
        const char *host, *origin, *site;
        unsigned status;
    } cases[] = {
        {"localhost:1", NULL, NULL, 200},
        {"LOCALHOST", "http://LOCALHOST", "same-origin", 200},
        {"[::1]:1", "http://[::1]:1", "same-origin", 200},
        {"10.1.2.3:99", NULL, "none", 200},
        {"profiles.example:1", NULL, NULL, 200},
        {NULL, NULL, NULL, 403},
        {"", NULL, NULL, 403},
        {"[", NULL, NULL, 403},
        {"[]:1", NULL, NULL, 403},
        {"evil.example:1", NULL, NULL, 403},
        {"127.0.0.1.evil.example", NULL, NULL, 403},
        {"127.0.0.1:1@evil.example", NULL, NULL, 403},
        {"127.0.0.1:1", "http://evil.example", NULL, 403},
        {"127.0.0.1:1", "null", NULL, 403},
        {"127.0.0.1:1", "https://127.0.0.1:1", NULL, 403},
        {"127.0.0.1:1", "http://127.0.0.1:2", NULL, 403},
        {"127.0.0.1:1", NULL, "cross-site", 403},
        {"127.0.0.1:1", NULL, "same-site", 403},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gs_request request = serve_rig_request("/api/session");
        request.host = cases[i].host;
        request.origin = cases[i].origin;
        request.fetch_site = cases[i].site;
        assert_int_equal(status_of(&request), cases[i].status);
    }
}

static void test_methods(void **state)
{
    (void)state;
    static const char *const methods[] = {"POST", "PUT", "DELETE", "OPTIONS", "TRACE", "get", ""};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        gs_request request = serve_rig_request("/api/session");
        request.method = methods[i];
        assert_int_equal(status_of(&request), 405);
    }
    gs_request request = serve_rig_request("/api/session");
    request.method = "HEAD";
    assert_int_equal(status_of(&request), 200);
    request.body_size = SIZE_MAX;
    assert_int_equal(status_of(&request), 413);
    expect(ask("/api/nothing", NULL), 404, "no such path");
    expect(ask("/etc/passwd", NULL), 404, "nothing here");
}

static void test_rows(void **state)
{
    (void)state;
    expect(ask("/api/runs", NULL), 200, "gumshoe-runs-1");
    expect(ask("/api/overview", "run=1.1", NULL), 200, "\"issue_cycles\":101");
    expect(ask("/api/overview", "run=1.1", "brief=1", NULL), 200, "\"markers\":0}}");
    expect(ask("/api/rows", "run=1.1", NULL), 200, "\"found\":4");
    expect(ask("/api/rows", "run=1.1", "by=instruction", "limit=2", NULL), 200, "\"found\":9");
    expect(ask("/api/rows", "run=1.1", "search=FIB", NULL), 200, "\"found\":1");
    expect(ask("/api/rows", "run=1.1", "by=instruction", "function=0x1019", NULL), 200,
           "\"found\":3");
    expect(ask("/api/rows", "run=1.1", "by=instruction", "function=0x2000", NULL), 200,
           "\"found\":0");
    expect(ask("/api/rows", "run=1.1", "by=instruction", "function=4112", NULL), 200,
           "\"found\":3");
    expect(ask("/api/rows", "run=1.1", "sort=name", "limit=1", NULL), 200, "\"function\":\"e;<");
    expect(ask("/api/rows", "run=1.1", "sort=name", "limit=1", "reverse=1", NULL), 200,
           "\"function\":\"odd\"");
    expect(ask("/api/rows", "run=1.1", "by=stall", NULL), 200, "\"cause\":\"load-use\"");
    expect(ask("/api/rows", "run=1.1", "by=line", "limit=1", NULL), 200,
           "\"address\":\"0x00001000\"");
}

static void test_wrong_parameters(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"by=call", "tree"},       {"by=x", "by"},
        {"sort=x", "sorted"},      {"metric=x", "no metric"},
        {"limit=1001", "limit"},   {"limit=-1", "limit"},
        {"offset=1x", "offset"},   {"reverse=2", "reverse"},
        {"function=x", "address"}, {"function=0x1ffffffff", "address"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        expect(ask("/api/rows", "run=1.1", wrong[i][0], NULL), 400, wrong[i][1]);
    static const char *const runs[] = {"run=",     "run=1",    "run=0.1", "run=1.",
                                       "run=1.1.", "run=-1.1", "run=a.b", "run=99999999999.1"};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        expect(ask("/api/rows", runs[i], NULL), 400, "file and a run");
    expect(ask("/api/rows", NULL), 400, "file and a run");
    expect(ask("/api/rows", "run=2.1", NULL), 404, "no profile file");
    expect(ask("/api/rows", "run=1.2", NULL), 404, "no run");
    expect(ask("/api/tree", "run=1.1", "root=1..2", NULL), 400, "root");
    expect(ask("/api/tree", "run=1.1", "root=1.", NULL), 400, "root");
    expect(ask("/api/tree", "run=1.1", "root=17", NULL), 404, "call path");
    expect(ask("/api/rows", "run=1.1", "metric=energy-fj", NULL), 422, "energy");
}

static void test_others(void **state)
{
    (void)state;
    expect(ask("/api/tree", "run=1.1", NULL), 200, "\"count\":7");
    expect(ask("/api/tree", "run=1.1", "inverted=1", "limit=3", NULL), 200, "\"inverted\":true");
    expect(ask("/api/difference", "before=1.1", "after=1.1", NULL), 200, "\"found\":0");
    expect(ask("/api/difference/tree", "before=1.1", "after=1.1", NULL), 200, "\"before\":[151");
    expect(ask("/api/function", "run=1.1", "address=0x1018", NULL), 200, "\"fib\"");
    expect(ask("/api/function", "run=1.1", "address=0x9999", NULL), 404, "0x9999");
    expect(ask("/api/function", "run=1.1", NULL), 400, "address");
    expect(ask("/api/timeline", "run=1.1", NULL), 404, "timeline");
    expect(ask("/api/pipeline", "run=1.1", NULL), 500, "");
    expect(ask("/api/source", "run=1.1", "file=/etc/passwd", NULL), 404, "no such source file");
    expect(ask("/api/source", "run=1.1", "file=/src/main.c", NULL), 200, "not found below");
}

/* Whatever a profile names, and however it is spelled, files elsewhere are not found. */
static void test_roots(void **state)
{
    (void)state;
    char root[] = "/tmp/gumshoe-roots-XXXXXX", path[128], outside[128];
    assert_non_null(mkdtemp(root));
    snprintf(path, sizeof path, "%s/a.c", root);
    snprintf(outside, sizeof outside, "%s-out.c", root);
    fclose(fopen(path, "w"));
    fclose(fopen(outside, "w"));
    const char *at[] = {root};
    const gs_roots roots = {at, 1}, none = {at, 0};
    char *found = gs_roots_find(&roots, "/build/src/a.c");
    assert_non_null(found);
    free(found);
    found = gs_roots_find(&roots, path);
    assert_non_null(found);
    free(found);
    assert_null(gs_roots_find(&none, path));
    assert_null(gs_roots_find(&roots, outside)); /* begins with the root's name, but is beside it */
    assert_null(gs_roots_find(&roots, "/etc/passwd"));
    assert_null(gs_roots_find(&roots, "../../etc/passwd"));
    assert_null(gs_roots_find(&roots, ""));
    char link[128], wanted[128];
    snprintf(link, sizeof link, "%s/link.c", root);
    assert_int_equal(symlink(outside, link), 0);
    snprintf(wanted, sizeof wanted, "%s", link);
    assert_null(gs_roots_find(&roots, wanted));
    unlink(link);
    unlink(path);
    unlink(outside);
    rmdir(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_token),
        cmocka_unit_test(test_source),
        cmocka_unit_test(test_methods),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_wrong_parameters),
        cmocka_unit_test(test_others),
        cmocka_unit_test(test_roots),
    };
    serve_rig_open(&server);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    gs_serve_close(&server);
    return failed;
}
