/* Requests about what is live: streams, places in a program that can be counted, commands. */
#include <arpa/inet.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/error.h"
#include "live/module.h"
#include "report/names.h"
#include "serve/api.h"
#include "serve/streams.h"
#include "units/ranges.h"

enum {
    STREAMS = 200,    /* of the newest that are listed, per source */
    PLACES = 50,      /* found at most */
    ANSWER_MS = 9000, /* for a command, which is repeated for some seven seconds */
};

/* -- the list -----------------------------------------------------------------------------------
 */

static void put_signals(gs_json *json)
{
    gs_json_open_array(json, "signals");
    for (size_t i = 0; i < gs_live_signal_count(); i++) {
        gs_json_open_object(json, NULL);
        gs_json_string(json, "key", gs_live_signal_key(i));
        gs_json_string(json, "text", gs_live_signal_text(i));
        gs_json_close_object(json);
    }
    gs_json_close_array(json);
}

static void put_collector(gs_json *json, const gs_hub *hub)
{
    const gs_collector_refused refused = gs_collector_refusals(hub->collector);
    const size_t count = gs_collector_stream_count(hub->collector);
    gs_json_string(json, "listens_at", gs_collector_address(hub->collector));
    gs_json_string(json, "keeps_in", hub->file);
    if (hub->problem.message[0])
        gs_json_string(json, "problem", hub->problem.message);
    gs_json_open_object(json, "refused");
    gs_json_uint(json, "foreign", refused.foreign);
    gs_json_uint(json, "forged", refused.forged);
    gs_json_uint(json, "unanswered", refused.unanswered);
    gs_json_uint(json, "overrun", refused.overrun);
    gs_json_close_object(json);
    gs_json_open_array(json, "streams");
    for (size_t i = count < STREAMS ? 0 : count - STREAMS; i < count; i++)
        gs_stream_put_live(json, NULL, hub, i);
}

/* Those of a file that this server does not receive itself. What is wrong with a file, the list of
 * runs says. */
static void put_file(gs_call *call, size_t number)
{
    gs_hub *hub = &call->server->hub;
    gs_live_file *file;
    if (gs_live_file_open(&file, call->server->shelf.files[number], NULL) != GS_OK)
        return;
    const size_t count = gs_live_file_count(file);
    for (size_t i = count < STREAMS ? 0 : count - STREAMS; i < count; i++) {
        const gs_live_stream *s = gs_live_file_stream(file, i);
        const gs_stream_name name = {s->device, s->session, s->stream};
        size_t index;
        gs_hub_lock(hub);
        const bool is_live = gs_stream_find_live(hub, &name, &index);
        gs_hub_unlock(hub);
        if (!is_live)
            gs_stream_put_kept(&call->json, NULL, file, number, s);
    }
    gs_live_file_free(file);
}

gs_status gs_api_live(gs_call *call, gs_error *err)
{
    gs_hub *hub = &call->server->hub;
    gs_api_begin(call, "gumshoe-streams-1");
    put_signals(&call->json);
    gs_hub_lock(hub);
    if (hub->collector)
        put_collector(&call->json, hub);
    gs_hub_unlock(hub);
    if (!hub->collector)
        gs_json_open_array(&call->json, "streams");
    for (size_t i = 0; i < call->server->shelf.file_count; i++)
        put_file(call, i);
    gs_json_close_array(&call->json);
    return gs_api_end(call, err);
}

/* -- places -------------------------------------------------------------------------------------
 */

static void put_place(gs_call *call, const char *kind, const char *text, uint32_t first,
                      uint32_t last)
{
    char address[12];
    gs_json_open_object(&call->json, NULL);
    gs_json_string(&call->json, "kind", kind);
    gs_json_string(&call->json, "text", text);
    snprintf(address, sizeof address, "0x%08" PRIx32, first);
    gs_json_string(&call->json, "first", address);
    snprintf(address, sizeof address, "0x%08" PRIx32, last);
    gs_json_string(&call->json, "last", address);
    gs_json_close_object(&call->json);
}

/* Those whose names begin with the text, then those that have it elsewhere. */
static size_t put_functions(gs_call *call, const gs_image *image, const char *search, size_t most)
{
    size_t found = 0;
    for (unsigned turn = 0; turn < 2; turn++) {
        for (size_t i = 0; i < gs_image_function_count(image) && found < most; i++) {
            const gs_function *function = gs_image_function(image, i);
            const gs_unit_range range = gs_range_of_function(function);
            const bool begins = strncasecmp(function->name, search, strlen(search)) == 0;
            if (function->end <= function->start || function->end > UINT64_C(1) << 32)
                continue;
            if (turn == 0 ? !begins : begins || !strcasestr(function->name, search))
                continue;
            put_place(call, "function", function->name, range.first, range.last);
            found++;
        }
    }
    return found;
}

/* "file.c:12-20", "first..last", "0x1000-0x1100". False: the text is none of these. */
static bool put_range(gs_call *call, const gs_image *image, const char *search, gs_error *why)
{
    gs_arena arena = {0};
    gs_unit_range range;
    const bool is_address = isdigit((unsigned char)search[0]) && strpbrk(search, "-+");
    const char *colon = strrchr(search, ':');
    const bool is_line = image && colon && isdigit((unsigned char)colon[1]);
    if (!is_address && !is_line && !(image && strstr(search, "..")))
        return false;
    const gs_status status = gs_range_parse(&range, search, image, false, "live", &arena, why);
    gs_arena_free(&arena);
    if (status == GS_OK)
        put_place(call,
                  is_address ? "address"
                  : is_line  ? "line"
                             : "functions",
                  search, range.first, range.last);
    return true;
}

gs_status gs_api_live_places(gs_call *call, gs_error *err)
{
    gs_hub *hub = &call->server->hub;
    const char *search = gs_request_parameter(call->request, "search");
    uint64_t most = PLACES;
    gs_stream_name name;
    gs_error why = {0};
    size_t index;
    const gs_image *image = NULL;
    gs_status status = gs_request_stream(call->request, "stream", &name, err);
    if (status == GS_OK)
        status = gs_request_count(call->request, "limit", PLACES, &most, err);
    if (status != GS_OK)
        return status;
    gs_hub_lock(hub);
    const bool found = gs_stream_find_live(hub, &name, &index);
    if (found) /* it lives as long as the hub, and does not change */
        image = gs_collector_program(hub->collector,
                                     &gs_collector_stream(hub->collector, index)->program);
    gs_hub_unlock(hub);
    if (!found)
        return gs_fail(err, GS_E_NOT_FOUND, "there is no such stream that this server receives");
    search = search ? search : "";
    gs_api_begin(call, "gumshoe-places-1");
    gs_json_bool(&call->json, "has_program", image != NULL);
    gs_json_open_array(&call->json, "places");
    if (!put_range(call, image, search, &why) && image)
        put_functions(call, image, search, (size_t)most);
    gs_json_close_array(&call->json);
    if (why.message[0])
        gs_json_string(&call->json, "problem", why.message);
    return gs_api_end(call, err);
}

/* -- commands -----------------------------------------------------------------------------------
 */

static const char *const outcome_keys[] = {
    [GS_LIVE_DONE] = "done",
    [GS_LIVE_OLD] = "old",
    [GS_LIVE_OTHER_SESSION] = "other-session",
    [GS_LIVE_OTHER_PROGRAM] = "other-program",
    [GS_LIVE_IMPOSSIBLE] = "impossible",
    [GS_LIVE_ENDED] = "ended",
    [GS_LIVE_PENDING] = "pending",
    [GS_LIVE_UNANSWERED] = "unanswered",
};

static gs_status need_collector(const gs_hub *hub, gs_error *err)
{
    return hub->collector ? GS_OK
                          : gs_fail(err, GS_E_UNSUPPORTED,
                                    "this server only shows; 'gumshoe serve --live' receives from "
                                    "devices and tells them what to do");
}

/* What the page may say: nothing that names a file, or what the module is made like. */
static gs_status check_options(const char *body, gs_error *err)
{
    for (const char *at = body; *at; at += *at == ',') {
        if (strncmp(at, "count=", 6) != 0 && strncmp(at, "interval=", 9) != 0)
            return gs_fail(err, GS_E_ARGUMENT,
                           "'%.40s': a setting has count=SIGNAL[@RANGE] and interval=CLOCKS, with "
                           "commas between them",
                           at);
        at += strcspn(at, ",");
    }
    return GS_OK;
}

/* What the request's body says is to be counted; the module is the stream's. */
static gs_status read_setting(gs_live_setting *setting, const gs_live_stream *stream,
                              const char *body, const gs_image *image, gs_error *err)
{
    char *options;
    gs_status status = check_options(body, err);
    if (status != GS_OK)
        return status;
    if (asprintf(&options, "counters=%u,ranges=%u,width=%u%s%s", stream->counters, stream->ranges,
                 stream->width, *body ? "," : "", body) < 0)
        return gs_fail_no_memory(err);
    status = gs_live_setting_parse(setting, options, image, err);
    free(options);
    return status;
}

/* Under the lock: gives the order. */
static gs_status give_order(gs_call *call, size_t index, const char *order, bool keep,
                            uint64_t *number, gs_error *err)
{
    gs_collector *collector = call->server->hub.collector;
    const gs_live_stream *stream = gs_collector_stream(collector, index);
    const bool sets = call->request->body_size > 0;
    const bool stops = strcmp(order, "stop") == 0;
    gs_live_setting setting;
    gs_status status = GS_OK;
    if (!stops && strcmp(order, "start") != 0)
        return gs_fail(err, GS_E_ARGUMENT, "parameter 'order' has to be start or stop");
    if (!stops && sets)
        status = read_setting(&setting, stream, call->request->body,
                              gs_collector_program(collector, &stream->program), err);
    if (status == GS_OK && !stops)
        status = gs_collector_keep(collector, stream->device, keep, err);
    if (status != GS_OK)
        return status;
    const unsigned orders =
        stops ? GS_LIVE_STOP : GS_LIVE_START | GS_LIVE_TO_SENDER | (sets ? GS_LIVE_SET : 0u);
    return gs_collector_command(collector, index, orders, !stops && sets ? &setting : NULL, number,
                                err);
}

/* Under the lock: until the device has answered, or has been asked often enough. */
static gs_live_outcome wait_for_outcome(gs_hub *hub, size_t index)
{
    enum { TURN_MS = 50 };
    gs_live_outcome outcome;
    for (unsigned waited = 0; waited < ANSWER_MS; waited += TURN_MS) {
        outcome = gs_collector_outcome(hub->collector, index);
        if (outcome != GS_LIVE_PENDING || !gs_hub_wait(hub, TURN_MS))
            return outcome;
    }
    return gs_collector_outcome(hub->collector, index);
}

static void put_outcome(gs_call *call, const gs_live_stream *stream, gs_live_outcome outcome,
                        uint64_t number)
{
    char name[GS_STREAM_NAME];
    snprintf(name, sizeof name, "%" PRIu64 "-%016" PRIx64 "-%" PRIu64, stream->device,
             stream->session, number);
    gs_api_begin(call, "gumshoe-command-1");
    gs_json_string(&call->json, "outcome", outcome_keys[outcome]);
    gs_json_string(&call->json, "text", gs_live_outcome_text(outcome));
    gs_json_string(&call->json, "stream", name); /* that a start has begun */
}

gs_status gs_api_live_command(gs_call *call, gs_error *err)
{
    gs_hub *hub = &call->server->hub;
    const char *order = gs_request_parameter(call->request, "order");
    bool keep = true;
    gs_stream_name name;
    size_t index;
    uint64_t number;
    gs_status status = need_collector(hub, err);
    if (status == GS_OK)
        status = gs_request_stream(call->request, "stream", &name, err);
    if (status == GS_OK)
        status = gs_request_switch(call->request, "keep", &keep, err);
    if (status != GS_OK)
        return status;
    gs_hub_lock(hub);
    if (hub->problem.message[0])
        status = gs_fail(err, GS_E_IO, "nothing is received any more: %s", hub->problem.message);
    else if (!gs_stream_find_live(hub, &name, &index))
        status = gs_fail(err, GS_E_NOT_FOUND, "there is no such stream that this server receives");
    if (status == GS_OK)
        status = give_order(call, index, order ? order : "", keep, &number, err);
    if (status == GS_OK) {
        const gs_live_outcome outcome = wait_for_outcome(hub, index);
        put_outcome(call, gs_collector_stream(hub->collector, index), outcome, number);
        hub->changes++;
    }
    gs_hub_unlock(hub);
    return status == GS_OK ? gs_api_end(call, err) : status;
}

/* Names would have to be asked for, and everything would wait for the answer. */
static bool is_in_numbers(const char *address)
{
    char host[INET6_ADDRSTRLEN + 2];
    struct in6_addr any;
    const char *colon = strrchr(address, ':');
    const bool brackets = address[0] == '[' && colon && colon > address && colon[-1] == ']';
    const char *begin = address + brackets, *end = colon ? colon - brackets : begin;
    if (end <= begin || (size_t)(end - begin) >= sizeof host)
        return false;
    memcpy(host, begin, (size_t)(end - begin));
    host[end - begin] = '\0';
    return inet_pton(brackets ? AF_INET6 : AF_INET, host, &any) == 1;
}

gs_status gs_api_live_device(gs_call *call, gs_error *err)
{
    gs_hub *hub = &call->server->hub;
    const char *address = gs_request_parameter(call->request, "address");
    gs_status status = need_collector(hub, err);
    if (status != GS_OK)
        return status;
    if (!address || !is_in_numbers(address))
        return gs_fail(err, GS_E_ARGUMENT,
                       "parameter 'address' has to be an address in numbers and a port, such as "
                       "10.0.0.2:4750 or [fe80::2]:4750");
    gs_hub_lock(hub);
    status = gs_collector_greet(hub->collector, address, err);
    gs_hub_unlock(hub);
    if (status != GS_OK)
        return status;
    gs_api_begin(call, "gumshoe-asked-1");
    gs_json_string(&call->json, "address", address);
    return gs_api_end(call, err);
}
