/* A Statistics Module between datagrams: makes results, and does what commands say. */
#include "live/module.h"

#include <string.h>

enum {
    TIMER_LEAST = 4,       /* clocks of an interval, more than there are counters */
    REPEATS_SENT = 1 << 12 /* of the intervals of a long sleep; the others are left out */
};

bool gs_live_setting_fits(const gs_live_setting *setting, uint32_t made, uint32_t signals)
{
    const unsigned counters = gs_live_made_counters(made);
    if (setting->counters == 0 || setting->counters > counters || counters > GS_LIVE_COUNTERS)
        return false;
    if (setting->interval > 0 && setting->interval < counters + TIMER_LEAST)
        return false;
    for (unsigned i = 0; i < setting->counters; i++) {
        const uint32_t select = setting->selector[i].select;
        if (!(signals >> gs_live_signal_of(select) & 1) ||
            gs_live_range_of(select) >= gs_live_made_ranges(made))
            return false;
    }
    return true;
}

static gs_wire_header header_of(const gs_live_module *m)
{
    return (gs_wire_header){
        .device = m->device, .session = m->session, .stream = m->stream, .program = m->program};
}

/* -- results ------------------------------------------------------------------------------------
 */

static void send_result(gs_live_module *m, const gs_stats_record *record, uint64_t cycle)
{
    gs_wire_result result = {.header = header_of(m),
                             .sequence = m->sent,
                             .interval = m->interval,
                             .cycle = cycle,
                             .marks = record->last ? GS_WIRE_MARK_LAST : 0,
                             .counters = record->count};
    for (unsigned i = 0; i < record->count; i++)
        result.counter[i] = (gs_wire_counter){record->value[i], record->total[i]};
    m->last_length = gs_wire_write_result(m->last, &result, &m->key);
    m->sent++;
    m->interval++;
    m->all_sent++;
    m->send(m->self, m->last, m->last_length);
}

static void dispatched(void *self, const gs_stats_record *record, uint64_t times)
{
    gs_live_module *m = self;
    const uint64_t sent = times < REPEATS_SENT ? times : REPEATS_SENT;
    /* With the last of them, the reader has all numbers. */
    m->interval += (uint32_t)(times - sent);
    m->skipped += (uint32_t)(times - sent);
    m->all_skipped += times - sent;
    for (uint64_t i = times - sent; i < times; i++)
        send_result(m, record, record->cycle + i * m->stats.interval);
}

/* -- streams ------------------------------------------------------------------------------------
 */

static void apply(gs_live_module *m)
{
    gs_stats *stats = &m->stats;
    stats->count = m->setting.counters;
    stats->width = gs_live_made_width(m->made);
    stats->interval = m->setting.interval;
    for (unsigned i = 0; i < GS_LIVE_RANGES; i++) {
        stats->range[i].first = m->setting.range[i].first;
        stats->range[i].last = m->setting.range[i].last;
    }
    for (unsigned i = 0; i < stats->count; i++) {
        stats->signal_of[i] = (uint8_t)gs_live_signal_of(m->setting.selector[i].select);
        stats->range_of[i] = (uint8_t)gs_live_range_of(m->setting.selector[i].select);
    }
}

static void start(gs_live_module *m, uint64_t stream)
{
    apply(m);
    gs_stats_reset(&m->stats);
    m->stream = stream;
    m->sent = m->interval = m->skipped = m->heard = 0;
    m->last_length = 0;
    m->running = true;
}

static void stop(gs_live_module *m)
{
    if (!m->running)
        return;
    gs_stats_end(&m->stats);
    m->running = false;
}

static bool is_zero(const gs_live_program *program)
{
    static const gs_live_program none;
    return memcmp(program, &none, sizeof none) == 0;
}

void gs_live_module_begin(gs_live_module *m)
{
    m->stats.dispatch = dispatched;
    m->stats.dispatch_self = m;
    m->told = is_zero(&m->program);
    if (m->setting.counters > 0)
        start(m, 0);
}

void gs_live_module_end(gs_live_module *m)
{
    stop(m);
    m->ended = true;
}

/* -- commands -----------------------------------------------------------------------------------
 */

/* Why it is not done, or DONE. */
static unsigned judge(const gs_live_module *m, const gs_wire_command *command)
{
    const uint32_t orders = command->orders;
    const gs_live_program *program = &command->header.program;
    const uint32_t start_and_stop = GS_LIVE_ORDER_START | GS_LIVE_ORDER_STOP;
    if (!is_zero(program) && !m->told && memcmp(program, &m->program, sizeof *program) != 0)
        return GS_WIRE_OUTCOME_OTHER_PROGRAM;
    if (m->ended && orders & (start_and_stop | GS_LIVE_ORDER_SET))
        return GS_WIRE_OUTCOME_ENDED;
    if ((orders & start_and_stop) == start_and_stop ||
        (orders & GS_LIVE_ORDER_SET &&
         !gs_live_setting_fits(&command->setting, m->made, m->signals)) ||
        (orders & GS_LIVE_ORDER_START && !(orders & GS_LIVE_ORDER_SET) && m->setting.counters == 0))
        return GS_WIRE_OUTCOME_IMPOSSIBLE;
    return GS_WIRE_OUTCOME_DONE;
}

/* Without what is not in use, as a STATE shows it. */
static gs_live_setting in_use(const gs_live_setting *from, uint32_t made)
{
    gs_live_setting setting = {.interval = from->interval, .counters = from->counters};
    const unsigned ranges = gs_live_made_ranges(made);
    memcpy(setting.selector, from->selector, from->counters * sizeof *from->selector);
    memcpy(setting.range, from->range,
           (ranges < GS_LIVE_RANGES ? ranges : GS_LIVE_RANGES) * sizeof *from->range);
    return setting;
}

static void obey(gs_live_module *m, const gs_wire_command *command)
{
    const uint32_t orders = command->orders;
    if (orders & GS_LIVE_ORDER_SET) {
        m->stats.ended = true; /* what was counted since the last dispatch is dropped */
        m->running = false;
        m->setting = in_use(&command->setting, m->made);
        m->last_length = 0;
        if (m->told)
            m->program = command->header.program;
    }
    if (orders & GS_LIVE_ORDER_START)
        start(m, command->number);
    if (orders & GS_LIVE_ORDER_STOP)
        stop(m);
    if (m->changed)
        m->changed(m->self);
}

/* The outcome of a command that changes something. */
static unsigned heed(gs_live_module *m, const gs_wire_command *command, bool *to_sender)
{
    if (command->header.session != m->session) {
        m->old++;
        return GS_WIRE_OUTCOME_OTHER_SESSION;
    }
    if (command->number == m->accepted) {
        m->repeated++;
        return m->outcome;
    }
    if (command->number < m->accepted) {
        m->old++;
        return GS_WIRE_OUTCOME_OLD;
    }
    m->accepted = command->number;
    m->commands++;
    m->outcome = judge(m, command);
    if (m->outcome == GS_WIRE_OUTCOME_DONE) {
        *to_sender = (command->orders & GS_LIVE_ORDER_TO_SENDER) != 0;
        obey(m, command);
    }
    return m->outcome;
}

static void answer_question(gs_live_module *m, const gs_wire_command *command)
{
    if (command->header.session == m->session && command->header.stream == m->stream)
        m->heard = command->heard;
    if (command->orders & GS_LIVE_ORDER_AGAIN && m->last_length > 0)
        m->send(m->self, m->last, m->last_length);
}

static size_t write_state(const gs_live_module *m, uint64_t answers, unsigned outcome,
                          uint8_t *bytes)
{
    const gs_wire_state state = {
        .header = header_of(m),
        .answers = answers,
        .outcome = outcome,
        .status = (m->running ? GS_WIRE_STATUS_RUNNING : 0) | (m->ended ? GS_WIRE_STATUS_ENDED : 0),
        .accepted = m->accepted,
        .module = m->made,
        .signals = m->signals,
        .clock_hz = m->clock_hz,
        .sent = m->sent,
        .skipped = m->skipped,
        .strangers = m->strangers,
        .old = m->old,
        .repeated = m->repeated,
        .setting = m->setting,
    };
    return gs_wire_write_state(bytes, &state, &m->key);
}

size_t gs_live_module_state(const gs_live_module *m, uint8_t *bytes)
{
    return write_state(m, 0, GS_WIRE_OUTCOME_DONE, bytes);
}

size_t gs_live_module_receive(gs_live_module *m, const uint8_t *bytes, size_t length,
                              uint8_t *answer, bool *to_sender)
{
    gs_wire_command command;
    unsigned kind, outcome = GS_WIRE_OUTCOME_DONE;
    *to_sender = false;
    if (gs_wire_check(bytes, length, &m->key, &kind) != GS_WIRE_FINE || kind != GS_WIRE_COMMAND) {
        m->strangers++;
        return 0;
    }
    gs_wire_read_command(&command, bytes);
    const bool question = !(command.orders & GS_WIRE_CHANGES);
    if (command.header.device != m->device && !(question && command.header.device == 0)) {
        m->strangers++;
        return 0;
    }
    m->asked = true;
    if (question)
        answer_question(m, &command);
    else
        outcome = heed(m, &command, to_sender);
    return write_state(m, command.number, outcome, answer);
}
