/*
 * What a live server answers: streams, what can be counted, commands to a device, and events.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "serve/events.h"
#include "serve_rig.h"

static gs_server server;

static gs_response ask(const char *method, const char *path, const char *body, ...)
{
    gs_request request = serve_rig_request(path);
    char texts[8][80], *value;
    size_t count = 0;
    va_list list;
    gs_response response;
    va_start(list, body);
    for (const char *text; (text = va_arg(list, const char *)) && count < 8; count++) {
        snprintf(texts[count], sizeof texts[count], "%s", text);
        value = strchr(texts[count], '=');
        *value = '\0';
        serve_rig_add(&request, texts[count], value + 1);
    }
    va_end(list);
    request.method = method;
    request.body = body;
    request.body_size = strlen(body);
    gs_serve_answer(&server, &request, &response);
    return response;
}

static void expect(gs_response response, unsigned status, const char *part)
{
    assert_non_null(response.body);
    if (response.status != status || !strstr(response.body, part))
        fail_msg("%u instead of %u, or no '%s' in %.800s", response.status, status, part,
                 response.body);
    free(response.body);
}

static void test_list(void **state)
{
    (void)state;
    expect(ask("GET", "/api/session", "", NULL), 200, "\"live\":true");
    expect(ask("GET", "/api/live", "", NULL), 200, "\"listens_at\":\"127.0.0.1:");
    expect(ask("GET", "/api/live", "", NULL), 200, "\"name\":\"" RIG_STREAM "\"");
    expect(ask("GET", "/api/live", "", NULL), 200, "\"received\":300,\"lost\":0");
    expect(ask("GET", "/api/live", "", NULL), 200, "\"signals\":[\"cycle\",\"instruction\"");
    expect(ask("POST", "/api/live", "", NULL), 405, "GET");
}

static void test_places(void **state)
{
    (void)state;
    const char *path = "/api/live/places";
    expect(ask("GET", path, "", "stream=" RIG_STREAM, "search=WORK", NULL), 200,
           "\"has_program\":true,\"places\":[{\"kind\":\"function\",\"text\":\"work\","
           "\"first\":\"0x00001000\",\"last\":\"0x0000100f\"}]");
    expect(ask("GET", path, "", "stream=" RIG_STREAM, "search=o", NULL), 200,
           "\"text\":\"main_loop\"");
    expect(ask("GET", path, "", "stream=" RIG_STREAM, "search=o", "limit=1", NULL), 200, "}]}");
    expect(ask("GET", path, "", "stream=" RIG_STREAM, "search=work..main_loop", NULL), 200,
           "\"last\":\"0x0000101f\"");
    expect(ask("GET", path, "", "stream=" RIG_STREAM, "search=a.c:12", NULL), 200,
           "is it compiled with -g?");
    expect(ask("GET", path, "", "stream=" RIG_STREAM, "search=nothing", NULL), 200,
           "\"places\":[]}");
    expect(ask("GET", path, "", "stream=" RIG_STREAM, "limit=51", NULL), 400, "limit");
    expect(ask("GET", path, "", "stream=" RIG_STREAM, "search=0x1000-0x1100", NULL), 200,
           "\"first\":\"0x00001000\",\"last\":\"0x000010ff\"");
    expect(ask("GET", path, "", "stream=" RIG_STREAM, "search=0x2000-0x1000", NULL), 200,
           "\"problem\":\"live: the range");
    expect(ask("GET", path, "", "search=main", NULL), 400, "stream");
    expect(ask("GET", path, "", "stream=9-21-1", NULL), 404, "no such stream");
    static const char *const wrong[] = {"stream=",
                                        "stream=9",
                                        "stream=9-21",
                                        "stream=x-21-0",
                                        "stream=9-21-0x",
                                        "stream=-9-21-0",
                                        "stream=99999999999999999999-21-0"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        expect(ask("GET", path, "", wrong[i], NULL), 400, "name of a stream");
}

/* The device answers, and the answer says which stream has begun. */
static void test_commands(void **state)
{
    (void)state;
    const char *path = "/api/live/command";
    expect(ask("GET", path, "", "stream=" RIG_STREAM, "order=stop", NULL), 405, "POST");
    expect(ask("POST", path, "", "stream=" RIG_STREAM, NULL), 400, "start or stop");
    expect(ask("POST", path, "", "stream=9-21-7", "order=stop", NULL), 404, "no such stream");
    expect(ask("POST", path, "count=luck", "stream=" RIG_STREAM, "order=start", NULL), 400,
           "no signal 'luck'");
    expect(ask("POST", path, "count=cycle@main", "stream=" RIG_STREAM, "order=start", NULL), 400,
           "has no function 'main'");
    expect(
        ask("POST", path, "count=cycle,map=/etc/passwd", "stream=" RIG_STREAM, "order=start", NULL),
        400, "'map=/etc/passwd'");
    expect(ask("POST", path, "interval=200,count=cycle,count=stall", "stream=" RIG_STREAM,
               "order=start", NULL),
           200, "\"outcome\":\"impossible\""); /* it does not have that signal */
    expect(ask("POST", path, "interval=200,count=cycle,count=read@0x1000-0x2000",
               "stream=" RIG_STREAM, "order=start", "keep=0", NULL),
           200, "\"outcome\":\"done\"");
    expect(ask("POST", path, "interval=200,count=read@work", "stream=" RIG_STREAM, "order=start",
               "keep=0", NULL),
           200, "\"outcome\":\"done\"");
    expect(ask("POST", path, "", "stream=" RIG_STREAM, "order=stop", NULL), 200,
           "\"outcome\":\"done\"");
    gs_hub_lock(&server.hub);
    assert_int_equal(gs_collector_stream_count(server.hub.collector), 3);
    assert_true(gs_collector_stream(server.hub.collector, 0)->kept);
    assert_false(gs_collector_stream(server.hub.collector, 1)->kept);
    assert_int_equal(gs_collector_keep(server.hub.collector, 9, true, NULL), GS_OK);
    gs_hub_unlock(&server.hub);
    expect(ask("GET", "/api/live", "", NULL), 200, "\"file\":0,\"program_file\":\"/tmp/");
    expect(ask("GET", "/api/live", "", NULL), 200, "\"name\":\"read@work\"");
    expect(ask("POST", "/api/live/device", "", "address=nowhere:1", NULL), 400, "numbers");
    expect(ask("POST", "/api/live/device", "", "address=[::1]:", NULL), 400, "");
    expect(ask("POST", "/api/live/device", "", NULL), 400, "numbers");
    expect(ask("POST", "/api/live/device", "", "address=127.0.0.1:9", NULL), 200, "127.0.0.1:9");
}

/* Reads events until a part has come. */
static void expect_event(gs_events *events, const char *part)
{
    static char text[1 << 20];
    size_t size = 0, got;
    while (size < sizeof text - 1 && (size == 0 || !strstr(text, ": still here")) &&
           (got = gs_events_read(events, text + size, sizeof text - 1 - size)) > 0) {
        size += got;
        text[size] = '\0';
        if (strstr(text, part))
            return;
    }
    fail_msg("'%s' does not come, but %.2000s", part, text);
}

static void test_events(void **state)
{
    (void)state;
    gs_response response = ask("GET", "/api/live/events", "", "stream=" RIG_STREAM, NULL);
    assert_int_equal(response.status, 200);
    assert_non_null(response.events);
    expect_event(response.events, "event: points\ndata: {\"begins\":true,\"first\":[0,1,2,3");
    gs_events_close(response.events);
    response = ask("GET", "/api/live/events", "", "stream=" RIG_STREAM, NULL);
    expect_event(response.events, "\"received\":300,\"lost\":0");
    gs_events_close(response.events);
    response = ask("GET", "/api/live/events", "", NULL);
    expect_event(response.events, "event: list");
    expect_event(response.events, ": still here");
    gs_events_close(response.events);
    expect(ask("HEAD", "/api/live/events", "", NULL), 405, "GET");
    expect(ask("GET", "/api/live/events", "", "stream=9-21-77", NULL), 404, "no such stream");
    expect(ask("GET", "/api/live/events", "", "stream=x", NULL), 400, "name of a stream");
}

static void test_too_many(void **state)
{
    (void)state;
    gs_events *open[GS_HUB_WATCHERS];
    for (size_t i = 0; i < GS_HUB_WATCHERS; i++) {
        open[i] = ask("GET", "/api/live/events", "", NULL).events;
        assert_non_null(open[i]);
    }
    expect(ask("GET", "/api/live/events", "", NULL), 422, "close one");
    for (size_t i = 0; i < GS_HUB_WATCHERS; i++)
        gs_events_close(open[i]);
}

/* A server that reads only shows the same stream, from the file. */
static void test_file(void **state)
{
    (void)state;
    static gs_server reader;
    const char *files[] = {server.shelf.files[0]};
    const gs_server_options options = {.files = files, .file_count = 1, .token = RIG_TOKEN};
    assert_int_equal(gs_serve_open(&reader, &options, NULL), GS_OK);
    strcpy(reader.guard.cookie, "gumshoe-1");
    gs_request request = serve_rig_request("/api/live/events");
    serve_rig_add(&request, "stream", RIG_STREAM);
    gs_response response;
    for (unsigned i = 0; i < 300; i++) { /* it is in the file after half a second */
        gs_serve_answer(&reader, &request, &response);
        if (response.status == 200)
            break;
        free(response.body);
        usleep(20000);
    }
    assert_int_equal(response.status, 200);
    expect_event(response.events, "\"live\":false");
    gs_events_close(response.events);
    request = serve_rig_request("/api/live/command");
    request.method = "POST";
    gs_serve_answer(&reader, &request, &response);
    expect(response, 422, "gumshoe serve --live");
    gs_serve_close(&reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list),     cmocka_unit_test(test_places),
        cmocka_unit_test(test_events),   cmocka_unit_test(test_too_many),
        cmocka_unit_test(test_commands), cmocka_unit_test(test_file),
    };
    serve_rig_open_live(&server);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    gs_serve_close(&server);
    return failed;
}
