/*
 * What a collector asks and orders, and how often.
 */
#include <time.h>

#include "base/error.h"
#include "live/collector_parts.h"

enum {
    FIRST_MS = 50,     /* until a command is repeated, */
    LONGEST_MS = 1000, /* which then takes twice as long each time, up to this */
    ATTEMPTS = 10,
    SILENCE_MS = 500, /* of a device, after which it is asked */
    NEVER_MS = 60000,
};

static uint64_t new_number(gs_collector *c)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    const uint64_t time = (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
    c->last_number = time > c->last_number ? time : c->last_number + 1;
    return c->last_number;
}

void gs_ask_begin(gs_collector *c, gs_ask *ask, uint32_t orders, const gs_live_setting *setting)
{
    *ask = (gs_ask){.number = new_number(c), .orders = orders, .outcome = GS_LIVE_PENDING};
    if (setting)
        ask->setting = *setting;
}

/* Sends it, and says when next. */
static void send_ask(gs_collector *c, gs_ask *ask, const gs_wire_header *header, uint32_t heard,
                     const gs_udp_address *to, uint64_t now_ms)
{
    uint8_t bytes[GS_LIVE_DATAGRAM];
    const gs_wire_command command = {.header = *header,
                                     .number = ask->number,
                                     .orders = ask->orders,
                                     .heard = heard,
                                     .setting = ask->setting};
    const size_t length = gs_wire_write_command(bytes, &command, &c->options.key);
    const uint64_t pause = (uint64_t)FIRST_MS << ask->attempts;
    (void)sendto(c->socket, bytes, length, MSG_DONTWAIT, (const struct sockaddr *)&to->name,
                 to->length); /* what is lost is repeated */
    ask->attempts++;
    ask->due_ms = now_ms + (pause < LONGEST_MS ? pause : LONGEST_MS);
}

static void send_stream_ask(gs_collector *c, gs_stream *s, gs_ask *ask, uint64_t now_ms)
{
    gs_wire_header header = {
        .device = s->info.device, .session = s->info.session, .stream = s->info.stream};
    if (ask->orders & GS_LIVE_SET) {
        const struct gs_collector_image *image = gs_collector_find_image(c, &s->info.program);
        header.program = image ? image->program : s->info.program;
    }
    send_ask(c, ask, &header, (uint32_t)s->info.next, &s->from, now_ms);
}

void gs_stream_ask(gs_collector *c, gs_stream *s, uint32_t orders)
{
    gs_ask_begin(c, &s->question, orders, NULL);
    send_stream_ask(c, s, &s->question, gs_collector_now_ms());
}

/* Whether it has been given up now. */
static bool repeat(gs_collector *c, gs_stream *s, gs_ask *ask, uint64_t now_ms)
{
    if (!gs_ask_is_pending(ask) || ask->due_ms > now_ms)
        return false;
    if (ask->attempts == ATTEMPTS) {
        ask->outcome = GS_LIVE_UNANSWERED;
        return true;
    }
    send_stream_ask(c, s, ask, now_ms);
    return false;
}

/* A device that has said nothing for a while may have ended, and the word of it been lost. */
static void mind_silence(gs_collector *c, gs_stream *s, uint64_t now_ms)
{
    if (!s->info.running || gs_ask_is_pending(&s->question))
        return;
    if (s->question.outcome == GS_LIVE_UNANSWERED && s->heard_ms <= s->question.due_ms)
        return; /* until it is heard again */
    if (now_ms - s->heard_ms >= SILENCE_MS)
        gs_stream_ask(c, s, 0);
}

static void do_greetings(gs_collector *c, uint64_t now_ms)
{
    const gs_wire_header anyone = {0};
    for (size_t i = 0; i < c->greetings.count;) {
        gs_greeting *g = &c->greetings.items[i];
        const bool over = !gs_ask_is_pending(&g->ask) || g->ask.attempts == ATTEMPTS;
        if (g->ask.due_ms <= now_ms && over) {
            *g = c->greetings.items[--c->greetings.count];
            continue;
        }
        if (g->ask.due_ms <= now_ms)
            send_ask(c, &g->ask, &anyone, 0, &g->to, now_ms);
        i++;
    }
}

void gs_collector_do_asks(gs_collector *c, uint64_t now_ms)
{
    do_greetings(c, now_ms);
    for (size_t i = 0; i < c->waiting.count;) {
        gs_stream *s = c->waiting.items[i];
        if (repeat(c, s, &s->question, now_ms))
            gs_collector_forget(c, s);
        else
            i++;
    }
    for (size_t i = 0; i < c->shown.count; i++) {
        gs_stream *s = c->shown.items[i];
        if (repeat(c, s, &s->question, now_ms))
            s->info.running = false; /* as far as one can tell */
        (void)repeat(c, s, &s->command, now_ms);
        mind_silence(c, s, now_ms);
    }
}

static uint64_t earlier(uint64_t least, const gs_ask *ask, uint64_t now_ms)
{
    if (!gs_ask_is_pending(ask))
        return least;
    const uint64_t wait = ask->due_ms > now_ms ? ask->due_ms - now_ms : 0;
    return wait < least ? wait : least;
}

uint64_t gs_collector_next_ask(const gs_collector *c, uint64_t now_ms)
{
    uint64_t least = NEVER_MS;
    for (size_t i = 0; i < c->greetings.count; i++)
        least = earlier(least, &c->greetings.items[i].ask, now_ms);
    for (size_t i = 0; i < c->waiting.count; i++)
        least = earlier(least, &c->waiting.items[i]->question, now_ms);
    for (size_t i = 0; i < c->shown.count; i++) {
        const gs_stream *s = c->shown.items[i];
        least = earlier(earlier(least, &s->question, now_ms), &s->command, now_ms);
        const uint64_t silent = now_ms - s->heard_ms,
                       left = silent < SILENCE_MS ? SILENCE_MS - silent : 0;
        if (s->info.running && left > 0 && left < least)
            least = left;
    }
    return least;
}

/* -- answers ------------------------------------------------------------------------------------
 */

static bool answers(const gs_wire_state *state, const gs_stream *s, gs_ask *ask)
{
    if (ask->number != state->answers || s->info.device != state->header.device)
        return false;
    if (gs_ask_is_pending(ask))
        ask->outcome =
            state->outcome <= GS_LIVE_ENDED ? (gs_live_outcome)state->outcome : GS_LIVE_IMPOSSIBLE;
    return true;
}

static gs_stream *answered_in(gs_stream **streams, size_t count, const gs_wire_state *state)
{
    for (size_t i = count; i-- > 0;) {
        gs_stream *s = streams[i];
        if (answers(state, s, &s->question) || answers(state, s, &s->command))
            return s;
    }
    return NULL;
}

gs_answered gs_collector_answered(gs_collector *c, const gs_wire_state *state)
{
    if (state->answers == 0)
        return (gs_answered){0};
    for (size_t i = 0; i < c->greetings.count; i++) {
        gs_ask *ask = &c->greetings.items[i].ask;
        if (ask->number == state->answers && gs_ask_is_pending(ask)) {
            ask->outcome = GS_LIVE_DONE;
            return (gs_answered){.fresh = true};
        }
    }
    gs_stream *s = answered_in(c->waiting.items, c->waiting.count, state);
    if (!s)
        s = answered_in(c->shown.items, c->shown.count, state);
    return (gs_answered){.fresh = s != NULL, .stream = s};
}

gs_status gs_collector_greet(gs_collector *c, const char *address, gs_error *err)
{
    gs_greeting greeting;
    gs_status status = gs_udp_parse(&greeting.to, address, err);
    if (status != GS_OK)
        return status;
    gs_ask_begin(c, &greeting.ask, 0, NULL);
    return gs_vec_push(&c->greetings, greeting) ? GS_OK : gs_fail_no_memory(err);
}

gs_status gs_collector_command(gs_collector *c, size_t stream, unsigned orders,
                               const gs_live_setting *setting, uint64_t *number, gs_error *err)
{
    gs_stream *s = c->shown.items[stream];
    for (size_t i = 0; i < c->shown.count; i++) {
        const gs_stream *other = c->shown.items[i];
        if (other->info.device == s->info.device && gs_ask_is_pending(&other->command))
            return gs_fail(err, GS_E_ARGUMENT,
                           "the device has not answered the command before this one yet");
    }
    gs_ask_begin(c, &s->command, orders, setting);
    send_stream_ask(c, s, &s->command, gs_collector_now_ms());
    *number = s->command.number;
    return GS_OK;
}

gs_live_outcome gs_collector_outcome(const gs_collector *c, size_t stream)
{
    return c->shown.items[stream]->command.outcome;
}

const char *gs_live_outcome_text(gs_live_outcome outcome)
{
    static const char *const texts[] = {
#define OUTCOME(name, value, text) [value] = text,
#include "live/wire.def"
        [GS_LIVE_PENDING] = "the device has not answered yet",
        [GS_LIVE_UNANSWERED] = "the device has not answered",
    };
    return texts[outcome];
}
