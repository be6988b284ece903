/*
 * Streams of a collector: what has arrived, what is missing, which commands wait for their answer.
 */
#include <inttypes.h>
#include <poll.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "live/collector_parts.h"
#include "live/module.h"

enum {
    COMMIT_MS = 500,
    AT_ONCE = 4096, /* datagrams between two looks at the time */
};

uint64_t gs_collector_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* -- streams ------------------------------------------------------------------------------------
 */

static gs_stream **bucket_of(const gs_collector *c, uint64_t device, uint64_t session,
                             uint64_t stream)
{
    const uint64_t mixed = (device ^ session * 3 ^ stream * 5) * 0x9e3779b97f4a7c15u;
    return (gs_stream **)&c->buckets[(mixed >> 32) % GS_STREAM_BUCKETS];
}

gs_stream *gs_collector_find(const gs_collector *c, const gs_wire_header *name)
{
    gs_stream *s = *bucket_of(c, name->device, name->session, name->stream);
    while (s && !(s->info.device == name->device && s->info.session == name->session &&
                  s->info.stream == name->stream))
        s = s->chained;
    return s;
}

static void free_stream(gs_stream *s)
{
    free(s->held.items);
    free(s->held_us);
    free(s);
}

/* A stream that has not been confirmed. NULL: there is no room. */
static gs_stream *add_stream(gs_collector *c, const gs_wire_header *name,
                             const gs_udp_address *from, int64_t arrived_us)
{
    if (c->waiting.count + c->shown.count >= GS_STREAMS_MOST || !gs_vec_has_room(&c->waiting) ||
        !gs_vec_has_room(&c->shown))
        return NULL;
    gs_stream *s = calloc(1, sizeof *s), **bucket;
    if (!s)
        return NULL;
    s->info = (gs_live_stream){.device = name->device,
                               .session = name->session,
                               .stream = name->stream,
                               .program = name->program,
                               .began_us = arrived_us,
                               .running = true};
    s->from = *from;
    gs_udp_text(s->info.address, from);
    bucket = bucket_of(c, name->device, name->session, name->stream);
    s->chained = *bucket;
    *bucket = s;
    c->waiting.items[c->waiting.count++] = s;
    return s;
}

static void stop_waiting(gs_collector *c, const gs_stream *s)
{
    for (size_t i = 0; i < c->waiting.count; i++) {
        if (c->waiting.items[i] == s) {
            c->waiting.items[i] = c->waiting.items[--c->waiting.count];
            return;
        }
    }
}

void gs_collector_forget(gs_collector *c, gs_stream *s)
{
    gs_stream **at = bucket_of(c, s->info.device, s->info.session, s->info.stream);
    while (*at != s)
        at = &(*at)->chained;
    *at = s->chained;
    stop_waiting(c, s);
    c->refused.unanswered += s->held.count;
    free_stream(s);
}

static void tell_stream(gs_collector *c, gs_stream *s)
{
    s->dirty = true;
    if (c->options.stream)
        c->options.stream(c->options.self, &s->info);
}

/* -- intervals ----------------------------------------------------------------------------------
 */

/* A number of 32 bits goes on from one of 64; false: it lies before the beginning. */
static bool extend(uint64_t near, uint32_t low, uint64_t *number)
{
    const int64_t distance = (int32_t)(low - (uint32_t)near);
    *number = near + (uint64_t)distance;
    return distance >= 0 || near >= (uint64_t)-distance;
}

/* Where no file says what has come before. */
static bool is_first_time(gs_stream *s, uint64_t sequence)
{
    uint64_t *word = &s->seen[sequence % GS_WINDOW / 64], bit = UINT64_C(1) << sequence % 64;
    if (sequence >= s->info.next) {
        const uint64_t skipped = sequence - s->info.next;
        for (uint64_t i = 0; i < skipped && i < GS_WINDOW; i++)
            s->seen[(sequence - 1 - i) % GS_WINDOW / 64] &=
                ~(UINT64_C(1) << (sequence - 1 - i) % 64);
        *word |= bit;
        return true;
    }
    if (s->info.next - sequence > GS_WINDOW || *word & bit)
        return false;
    *word |= bit;
    return true;
}

static void count_interval(gs_stream *s, const gs_live_interval *interval)
{
    gs_live_stream *info = &s->info;
    info->received++;
    if (interval->sequence < info->next) {
        info->late++;
        info->lost -= info->lost > 0;
    } else {
        info->lost += interval->sequence - info->next;
        info->next = interval->sequence + 1;
        info->interval = interval->interval;
        info->cycle = interval->cycle;
        memcpy(info->total, interval->total, interval->count * sizeof *info->total);
    }
    if (interval->last) {
        info->ended = true;
        info->running = false;
    }
}

/* Of a stream that is confirmed. */
static gs_status take_interval(gs_collector *c, gs_stream *s, const gs_wire_result *result,
                               int64_t arrived_us, gs_error *err)
{
    gs_live_interval interval = {.cycle = result->cycle,
                                 .arrived_us = arrived_us,
                                 .last = result->marks & GS_WIRE_MARK_LAST,
                                 .count = result->counters};
    bool fresh = extend(s->info.next, result->sequence, &interval.sequence) &&
                 extend(s->info.interval, result->interval, &interval.interval);
    gs_status status = GS_OK;
    for (unsigned i = 0; i < result->counters; i++) {
        interval.value[i] = result->counter[i].value;
        interval.total[i] = result->counter[i].total;
    }
    if (fresh && s->info.kept)
        status = gs_live_store_add(c->store, &s->info, &interval, &fresh, err);
    else if (fresh)
        fresh = is_first_time(s, interval.sequence);
    if (status != GS_OK)
        return status;
    s->dirty = true;
    if (!fresh) {
        s->info.doubled++;
        return GS_OK;
    }
    count_interval(s, &interval);
    if (c->options.interval)
        c->options.interval(c->options.self, &s->info, &interval);
    if (interval.last)
        tell_stream(c, s);
    return GS_OK;
}

/* Until the device has been asked. */
static void hold(gs_collector *c, gs_stream *s, const gs_wire_result *result, int64_t arrived_us)
{
    const size_t capacity = s->held.capacity;
    if (s->held.count == GS_HELD_MOST || !gs_vec_has_room(&s->held)) {
        c->refused.overrun++;
        return;
    }
    if (s->held.capacity != capacity) {
        int64_t *times = realloc(s->held_us, s->held.capacity * sizeof *times);
        if (!times) {
            c->refused.overrun++;
            return;
        }
        s->held_us = times;
    }
    s->held_us[s->held.count] = arrived_us;
    s->held.items[s->held.count++] = *result;
}

static gs_status take_held(gs_collector *c, gs_stream *s, gs_error *err)
{
    gs_status status = GS_OK;
    for (size_t i = 0; i < s->held.count && status == GS_OK; i++)
        status = take_interval(c, s, &s->held.items[i], s->held_us[i], err);
    free(s->held.items);
    free(s->held_us);
    s->held.items = NULL;
    s->held.count = s->held.capacity = 0;
    s->held_us = NULL;
    return status;
}

/* Tells the device of an ended stream that all has come. */
static void release(gs_collector *c, gs_stream *s)
{
    if (s->info.ended && !s->released) {
        s->released = true;
        gs_stream_ask(c, s, 0);
    }
}

static gs_status on_result(gs_collector *c, const gs_intake_datagram *d, gs_error *err)
{
    gs_wire_result result;
    gs_wire_read_result(&result, d->bytes);
    gs_stream *s = gs_collector_find(c, &result.header);
    if (!s) {
        s = add_stream(c, &result.header, &d->from, d->arrived_us);
        if (!s) {
            c->refused.overrun++;
            return GS_OK;
        }
        gs_stream_ask(c, s, 0);
    }
    s->heard_ms = gs_collector_now_ms();
    s->info.heard_us = d->arrived_us;
    if (!s->confirmed) {
        hold(c, s, &result, d->arrived_us);
        return GS_OK;
    }
    if (!gs_udp_equal(&s->from, &d->from)) {
        s->from = d->from;
        gs_udp_text(s->info.address, &s->from);
    }
    s->info.running = !s->info.ended;
    gs_status status = take_interval(c, s, &result, d->arrived_us, err);
    release(c, s);
    return status;
}

/* -- states -------------------------------------------------------------------------------------
 */

static gs_status write_counters(gs_collector *c, gs_stream *s, gs_error *err)
{
    const gs_image *image = gs_collector_program(c, &s->info.program);
    gs_status status = GS_OK;
    char name[GS_LIVE_NAME];
    for (unsigned i = 0; s->info.kept && i < s->info.setting.counters && status == GS_OK; i++)
        status = gs_live_store_counter(c->store, &s->info, i,
                                       gs_live_counter_name(name, &s->info.setting, i, image), err);
    return status;
}

static void read_state(gs_live_stream *info, const gs_wire_state *state)
{
    info->program = state->header.program;
    info->counters = gs_live_made_counters(state->module);
    info->ranges = gs_live_made_ranges(state->module);
    info->width = gs_live_made_width(state->module);
    info->signals = state->signals;
    info->clock_hz = state->clock_hz;
    info->setting = state->setting;
    if (info->setting.counters > GS_LIVE_COUNTERS)
        info->setting.counters = GS_LIVE_COUNTERS;
    info->running = !info->ended && state->status & GS_WIRE_STATUS_RUNNING;
    info->program_ended = state->status & GS_WIRE_STATUS_ENDED;
    info->skipped = state->skipped;
    info->strangers = state->strangers;
    info->old = state->old;
    info->repeated = state->repeated;
}

/* Another stream of the device has begun: those before it go on no more. */
static void end_others(gs_collector *c, const gs_stream *s)
{
    for (size_t i = 0; i < c->shown.count; i++) {
        gs_stream *other = c->shown.items[i];
        if (other != s && other->info.device == s->info.device && other->info.running) {
            other->info.running = false;
            tell_stream(c, other);
        }
    }
}

static uint64_t *find_unkept(const gs_collector *c, uint64_t device)
{
    for (size_t i = 0; i < c->unkept.count; i++) {
        if (c->unkept.items[i] == device)
            return &c->unkept.items[i];
    }
    return NULL;
}

gs_status gs_collector_keep(gs_collector *c, uint64_t device, bool keep, gs_error *err)
{
    uint64_t *found = find_unkept(c, device);
    if (keep && found)
        *found = c->unkept.items[--c->unkept.count];
    else if (!keep && !found && !gs_vec_push(&c->unkept, device))
        return gs_fail_no_memory(err);
    return GS_OK;
}

/* The device has just said that this is its stream. */
static gs_status confirm(gs_collector *c, gs_stream *s, const gs_wire_state *state, gs_error *err)
{
    gs_status status = GS_OK;
    stop_waiting(c, s);
    c->shown.items[c->shown.count++] = s; /* there is room: see add_stream() */
    s->confirmed = true;
    read_state(&s->info, state);
    s->info.id = (int64_t)c->shown.count;
    s->info.kept = c->store && !find_unkept(c, s->info.device);
    if (s->info.kept)
        status = gs_live_store_begin(c->store, &s->info, err);
    s->info.running &= !s->info.ended;
    if (status == GS_OK)
        status = write_counters(c, s, err);
    if (status == GS_OK) {
        end_others(c, s);
        tell_stream(c, s);
        status = take_held(c, s, err);
    }
    return status;
}

/* Whether the device has sent a last result that has not come. */
static bool misses_last(const gs_stream *s, const gs_wire_state *state)
{
    return !(state->status & GS_WIRE_STATUS_RUNNING) &&
           (int32_t)(state->sent - (uint32_t)s->info.next) > 0;
}

static gs_status on_answer(gs_collector *c, gs_stream *s, const gs_wire_state *state, gs_error *err)
{
    gs_status status = GS_OK;
    if (!s->confirmed) {
        status = confirm(c, s, state, err);
    } else {
        read_state(&s->info, state);
        tell_stream(c, s);
    }
    if (status == GS_OK && misses_last(s, state))
        gs_stream_ask(c, s, GS_LIVE_ORDER_AGAIN);
    release(c, s);
    return status;
}

static gs_status on_state(gs_collector *c, const gs_intake_datagram *d, gs_error *err)
{
    gs_wire_state state;
    gs_wire_read_state(&state, d->bytes);
    const gs_answered answered = gs_collector_answered(c, &state);
    gs_stream *s = gs_collector_find(c, &state.header);
    if (!s)
        s = add_stream(c, &state.header, &d->from, d->arrived_us);
    if (!s) {
        c->refused.overrun++;
        return GS_OK;
    }
    s->heard_ms = gs_collector_now_ms();
    if (!answered.fresh) {
        if (!s->confirmed && s->question.number == 0)
            gs_stream_ask(c, s, 0);
        return GS_OK;
    }
    s->info.heard_us = d->arrived_us;
    /* It was asked about a stream that is its no more. */
    if (answered.stream && answered.stream != s && !answered.stream->confirmed)
        gs_collector_forget(c, answered.stream);
    return on_answer(c, s, &state, err);
}

/* -- the whole ----------------------------------------------------------------------------------
 */

gs_status gs_collector_take_in(gs_collector *c, const gs_intake_datagram *d, gs_error *err)
{
    unsigned kind;
    switch (gs_wire_check(d->bytes, d->length, &c->options.key, &kind)) {
    case GS_WIRE_FINE: break;
    case GS_WIRE_FORGED: c->refused.forged++; return GS_OK;
    default: c->refused.foreign++; return GS_OK;
    }
    switch (kind) {
    case GS_WIRE_RESULT: return on_result(c, d, err);
    case GS_WIRE_STATE: return on_state(c, d, err);
    default: c->refused.foreign++; return GS_OK; /* commands are for devices */
    }
}

static gs_status write_refusals(gs_collector *c, gs_error *err)
{
    const struct {
        const char *reason;
        uint64_t now, *saved;
    } reasons[] = {
        {"foreign", c->refused.foreign, &c->saved.foreign},
        {"forged", c->refused.forged, &c->saved.forged},
        {"unanswered", c->refused.unanswered, &c->saved.unanswered},
        {"overrun", gs_collector_refusals(c).overrun, &c->saved.overrun},
    };
    gs_status status = GS_OK;
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons && status == GS_OK; i++) {
        if (reasons[i].now == *reasons[i].saved)
            continue;
        status = gs_live_store_refuse(c->store, reasons[i].reason,
                                      reasons[i].now - *reasons[i].saved, err);
        *reasons[i].saved = reasons[i].now;
    }
    return status;
}

static gs_status commit(gs_collector *c, gs_error *err)
{
    gs_status status = GS_OK;
    if (!c->store)
        return GS_OK;
    for (size_t i = 0; i < c->shown.count && status == GS_OK; i++) {
        gs_stream *s = c->shown.items[i];
        if (s->dirty && s->info.kept)
            status = gs_live_store_update(c->store, &s->info, err);
        s->dirty = false;
    }
    if (status == GS_OK)
        status = write_refusals(c, err);
    return status == GS_OK ? gs_live_store_commit(c->store, err) : status;
}

static gs_status do_what_is_due(gs_collector *c, gs_error *err)
{
    const uint64_t now = gs_collector_now_ms();
    gs_collector_do_asks(c, now);
    if (now - c->committed_ms < COMMIT_MS)
        return GS_OK;
    c->committed_ms = now;
    return commit(c, err);
}

gs_status gs_collector_serve(gs_collector *c, int wait_ms, gs_error *err)
{
    struct pollfd ready = {.fd = gs_intake_descriptor(c->intake), .events = POLLIN};
    const uint64_t now = gs_collector_now_ms(), ask = gs_collector_next_ask(c, now),
                   since = now - c->committed_ms, left = since < COMMIT_MS ? COMMIT_MS - since : 0;
    const uint64_t least = ask < left ? ask : left;
    const gs_intake_datagram *d;
    gs_status status = GS_OK;
    (void)poll(&ready, 1, (uint64_t)wait_ms < least ? wait_ms : (int)least);
    for (unsigned i = 0; i < AT_ONCE && status == GS_OK && (d = gs_intake_first(c->intake)); i++) {
        status = gs_collector_take_in(c, d, err);
        gs_intake_drop(c->intake);
    }
    return status == GS_OK ? do_what_is_due(c, err) : status;
}

int gs_collector_descriptor(const gs_collector *c)
{
    return gs_intake_descriptor(c->intake);
}

static gs_status open_socket(gs_collector *c, gs_error *err)
{
    gs_udp_address local;
    gs_status status = gs_udp_parse(&local, c->options.listen, err);
    if (status == GS_OK)
        status = gs_udp_open(&c->socket, &local, NULL, err);
    if (status != GS_OK)
        return status;
    local.length = sizeof local.name;
    (void)getsockname(c->socket, (struct sockaddr *)&local.name, &local.length);
    gs_udp_text(c->address, &local);
    return gs_intake_open(&c->intake, c->socket, err);
}

gs_status gs_collector_open(gs_collector **out, const gs_collector_options *options, gs_error *err)
{
    gs_collector *c = calloc(1, sizeof *c);
    gs_status status = GS_OK;
    *out = NULL;
    if (!c)
        return gs_fail_no_memory(err);
    c->options = *options;
    c->socket = -1;
    c->committed_ms = gs_collector_now_ms();
    if (options->file)
        status = gs_live_store_open(&c->store, options->file, err);
    if (status == GS_OK)
        status = open_socket(c, err);
    c->options.listen = c->options.file = NULL;
    if (status == GS_OK)
        *out = c;
    else
        (void)gs_collector_close(c, NULL);
    return status;
}

gs_status gs_collector_close(gs_collector *c, gs_error *err)
{
    if (!c)
        return GS_OK;
    gs_status status = commit(c, err);
    gs_status closed = gs_live_store_close(c->store, status == GS_OK ? err : NULL);
    gs_intake_close(c->intake);
    if (c->socket >= 0)
        close(c->socket);
    for (size_t i = 0; i < c->shown.count; i++)
        free_stream(c->shown.items[i]);
    for (size_t i = 0; i < c->waiting.count; i++)
        free_stream(c->waiting.items[i]);
    for (size_t i = 0; i < c->images.count; i++)
        gs_image_free(c->images.items[i].image);
    free(c->shown.items);
    free(c->waiting.items);
    free(c->greetings.items);
    free(c->images.items);
    free(c->unkept.items);
    sodium_memzero(&c->options.key, sizeof c->options.key);
    free(c);
    return status == GS_OK ? closed : status;
}

const char *gs_collector_address(const gs_collector *c)
{
    return c->address;
}

size_t gs_collector_stream_count(const gs_collector *c)
{
    return c->shown.count;
}

const gs_live_stream *gs_collector_stream(const gs_collector *c, size_t index)
{
    return &c->shown.items[index]->info;
}

gs_collector_refused gs_collector_refusals(const gs_collector *c)
{
    gs_collector_refused refused = c->refused;
    if (c->intake)
        refused.overrun += gs_intake_overrun(c->intake);
    return refused;
}

gs_status gs_collector_add_program(gs_collector *c, const char *path, gs_error *err)
{
    struct gs_collector_image item;
    gs_status status = gs_live_program_read(&item.program, path, err);
    if (status == GS_OK)
        status = gs_image_open(&item.image, path, err);
    if (status == GS_OK && !gs_vec_push(&c->images, item)) {
        gs_image_free(item.image);
        status = gs_fail_no_memory(err);
    }
    return status;
}

const struct gs_collector_image *gs_collector_find_image(const gs_collector *c,
                                                         const gs_live_program *program)
{
    static const gs_live_program unknown;
    if (c->images.count == 1 && memcmp(program, &unknown, sizeof unknown) == 0)
        return &c->images.items[0];
    for (size_t i = 0; i < c->images.count; i++) {
        if (memcmp(&c->images.items[i].program, program, sizeof *program) == 0)
            return &c->images.items[i];
    }
    return NULL;
}

const gs_image *gs_collector_program(const gs_collector *c, const gs_live_program *program)
{
    const struct gs_collector_image *found = gs_collector_find_image(c, program);
    return found ? found->image : NULL;
}
