/*
 * RVFI in a waveform of any core's simulation, as VCD.
 *
 * Signals are found by name, in the scope that has the valid signal: its prefix (rvfi_, trace_) is
 * that of all. They are sampled as flip-flops do: at a rising edge of the clock, as they were
 * before it. A core that retires several instructions at once has signals several times as wide.
 * The clock is the signal clk, clk_i or clock of that scope, or of the nearest around it; a cycle
 * is a rising edge while no reset (rst, reset, rst_i; low: rst_n, rst_ni, resetn) is on.
 */
#include <stdlib.h>

#include "base/vec.h"
#include "replay/rvfi.h"
#include "replay/words.h"

enum { CHANNELS = 8, WIDE = 512 / 64, SCOPE = 512, CLOCK = GS_RVFI_COUNT, RESET, SIGNALS };

typedef struct signal {
    char scope[SCOPE];
    char id[16];
    unsigned width;
    bool found, low;
    uint64_t value[WIDE], before[WIDE];
} signal;

typedef struct candidate {
    char scope[SCOPE], name[64], id[16];
    unsigned width;
} candidate;

typedef struct vcd {
    gs_input *source;
    const char *prefix;
    unsigned sp;
    signal signals[SIGNALS];
    struct {
        candidate *items;
        size_t count, capacity;
    } candidates;
    bool rises;     /* the clock, at the time that is being read */
    uint64_t cycle; /* clocks so far */
    uint64_t stalls[16];
    gs_rvfi_beat beats[CHANNELS];
    unsigned beat_count, beat_next;
    bool ended;
} vcd;

static bool recognizes(const char *bytes, size_t size)
{
    static const char *const words[] = {"$date", "$version", "$timescale", "$comment", "$scope"};
    size_t at = 0;
    while (at < size && strchr(" \t\r\n", bytes[at]))
        at++;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (size - at > strlen(words[i]) && memcmp(bytes + at, words[i], strlen(words[i])) == 0)
            return true;
    }
    return false;
}

/* -- the header -- */

static gs_status add_candidate(vcd *v, const char *scope, const char *words, gs_error *err)
{
    candidate c = {0};
    uint64_t width;
    words = gs_words_skip(words);
    words = gs_words_skip(words + strcspn(words, " \t")); /* wire, reg, logic */
    if (!gs_words_decimal(&words, &width) || width == 0 || width > 1U << 20)
        return gs_replay_bad_line(v->source, err, "a variable has no width");
    words = gs_words_skip(words);
    size_t length = strcspn(words, " \t");
    if (length == 0 || length >= sizeof c.id)
        return gs_replay_bad_line(v->source, err, "a variable has no short name");
    memcpy(c.id, words, length);
    words = gs_words_skip(words + length);
    length = strcspn(words, " \t[");
    if (length >= sizeof c.name || width > 64 * WIDE)
        return GS_OK; /* none that is looked for */
    memcpy(c.name, words, length);
    memcpy(c.scope, scope, strlen(scope) + 1);
    c.width = (unsigned)width;
    if (v->candidates.count > 1U << 20)
        return gs_replay_bad_line(v->source, err, "more variables than any core has");
    return gs_vec_push(&v->candidates, c) ? GS_OK : gs_fail_no_memory(err);
}

static bool is_one_of(const char *name, const char *const *words)
{
    for (; *words; words++) {
        if (strcmp(name, *words) == 0)
            return true;
    }
    return false;
}

static const char *const clocks[] = {"clk", "clk_i", "clock", NULL};
static const char *const high_resets[] = {"rst", "reset", "rst_i", NULL};
static const char *const low_resets[] = {"rst_n", "rst_ni", "resetn", "reset_n", NULL};

static bool is_wanted(const vcd *v, const char *name)
{
    return gs_rvfi_find(name, strlen(name), v->prefix, NULL) >= 0 || is_one_of(name, clocks) ||
           is_one_of(name, high_resets) || is_one_of(name, low_resets);
}

static gs_status read_header(vcd *v, gs_error *err)
{
    char scope[SCOPE] = "", *line;
    gs_status status;
    while ((status = gs_input_line(v->source, &line, err)) == GS_OK) {
        if (!line)
            return gs_replay_bad_line(v->source, err, "the waveform ends before its signals do");
        const char *at = gs_words_skip(line);
        if (strncmp(at, "$enddefinitions", 15) == 0)
            return GS_OK;
        if (strncmp(at, "$scope", 6) == 0) {
            at = gs_words_skip(at + 6);
            at = gs_words_skip(at + strcspn(at, " \t"));
            const size_t length = strcspn(at, " \t"), used = strlen(scope);
            if (used + length + 2 > sizeof scope)
                return gs_replay_bad_line(v->source, err, "scopes are nested too deep");
            scope[used] = '.';
            memcpy(scope + used + 1, at, length);
            scope[used + 1 + length] = '\0';
        } else if (strncmp(at, "$upscope", 8) == 0) {
            char *dot = strrchr(scope, '.');
            if (dot)
                *dot = '\0';
        } else if (strncmp(at, "$var", 4) == 0) {
            status = add_candidate(v, scope, at + 4, err);
            if (status != GS_OK)
                return status;
            const candidate *c = &v->candidates.items[v->candidates.count - 1];
            if (v->candidates.count > 0 && !is_wanted(v, c->name))
                v->candidates.count--;
        }
    }
    return status;
}

static void use(signal *to, const candidate *c)
{
    *to = (signal){.found = true, .width = c->width};
    memcpy(to->scope, c->scope, sizeof to->scope);
    memcpy(to->id, c->id, sizeof to->id);
}

/* Clock and reset are those of the scope that is longest of those around the valid signal's. */
static void choose_nearest(vcd *v, int which, const char *const *words, const char *scope)
{
    signal *best = &v->signals[which];
    for (size_t i = 0; i < v->candidates.count; i++) {
        const candidate *c = &v->candidates.items[i];
        const size_t length = strlen(c->scope);
        if (!is_one_of(c->name, words) || strncmp(scope, c->scope, length) != 0 ||
            (scope[length] != '.' && scope[length] != '\0'))
            continue;
        if (!best->found || strlen(best->scope) < length)
            use(best, c);
    }
}

static gs_status choose_signals(vcd *v, gs_error *err)
{
    const candidate *valid = NULL;
    size_t prefix = 0;
    for (size_t i = 0; i < v->candidates.count; i++) {
        const candidate *c = &v->candidates.items[i];
        size_t length;
        if (gs_rvfi_find(c->name, strlen(c->name), v->prefix, &length) != GS_RVFI_VALID)
            continue;
        /* One with a pc beside it; of several, the one that is called as RVFI does. */
        bool has_pc = false;
        for (size_t j = 0; j < v->candidates.count; j++) {
            const candidate *other = &v->candidates.items[j];
            size_t other_length;
            has_pc |= strcmp(other->scope, c->scope) == 0 &&
                      gs_rvfi_find(other->name, strlen(other->name), v->prefix, &other_length) ==
                          GS_RVFI_PC &&
                      other_length == length && memcmp(other->name, c->name, length) == 0;
        }
        const bool better =
            !valid || (strncmp(c->name, "rvfi_", 5) == 0 && strncmp(valid->name, "rvfi_", 5) != 0);
        if (has_pc && better) {
            valid = c;
            prefix = length;
        }
    }
    if (!valid)
        return gs_fail(err, GS_E_FORMAT,
                       "%.200s: no scope has signals %svalid and %spc_rdata; --prefix says what "
                       "stands before their names",
                       v->source->name, v->prefix ? v->prefix : "rvfi_",
                       v->prefix ? v->prefix : "rvfi_");
    for (size_t i = 0; i < v->candidates.count; i++) {
        const candidate *c = &v->candidates.items[i];
        size_t length;
        int found = gs_rvfi_find(c->name, strlen(c->name), v->prefix, &length);
        if (found >= 0 && strcmp(c->scope, valid->scope) == 0 && length == prefix &&
            memcmp(c->name, valid->name, length) == 0 && !v->signals[found].found)
            use(&v->signals[found], c);
    }
    choose_nearest(v, CLOCK, clocks, valid->scope);
    choose_nearest(v, RESET, high_resets, valid->scope);
    signal low = v->signals[RESET];
    v->signals[RESET].found = false;
    choose_nearest(v, RESET, low_resets, valid->scope);
    if (v->signals[RESET].found)
        v->signals[RESET].low = true;
    else
        v->signals[RESET] = low;
    if (!v->signals[CLOCK].found)
        return gs_fail(err, GS_E_FORMAT, "%.200s: no signal clk, clk_i or clock is around %.100s",
                       v->source->name, valid->scope);
    return GS_OK;
}

static void close_vcd(void *state)
{
    vcd *v = state;
    if (v)
        free(v->candidates.items);
    free(v);
}

static gs_status open_vcd(void **state, gs_input *source, const gs_replay_reader_options *options,
                          gs_error *err)
{
    vcd *v = calloc(1, sizeof *v);
    *state = v;
    if (!v)
        return gs_fail_no_memory(err);
    v->source = source;
    v->prefix = options->prefix;
    v->sp = options->sp;
    gs_status status = read_header(v, err);
    if (status == GS_OK)
        status = choose_signals(v, err);
    free(v->candidates.items);
    v->candidates.items = NULL;
    return status;
}

/* -- values -- */

/* `count` bits from `from` on, at most 64. */
static uint64_t bits_of(const uint64_t value[WIDE], unsigned from, unsigned count)
{
    if (from >= 64 * WIDE)
        return 0;
    uint64_t bits = value[from / 64] >> from % 64;
    if (from % 64 && from / 64 + 1 < WIDE)
        bits |= value[from / 64 + 1] << (64 - from % 64);
    return count < 64 ? bits & ((UINT64_C(1) << count) - 1) : bits;
}

static void set(vcd *v, const char *id, const char *digits, size_t count)
{
    for (unsigned s = 0; s < SIGNALS; s++) {
        signal *to = &v->signals[s];
        if (!to->found || strcmp(to->id, id) != 0)
            continue;
        const bool was = to->value[0] & 1;
        memset(to->value, 0, sizeof to->value);
        for (size_t i = 0; i < count && i < 64 * WIDE; i++) {
            if (digits[count - 1 - i] == '1')
                to->value[i / 64] |= UINT64_C(1) << i % 64;
        }
        if (s == CLOCK && !was && (to->value[0] & 1))
            v->rises = true;
    }
}

/* The instructions that retired, or trapped, with the rising edge. */
static void sample(vcd *v)
{
    const signal *signals = v->signals;
    const signal *reset = &signals[RESET];
    v->beat_count = v->beat_next = 0;
    if (reset->found && (reset->before[0] & 1) == (reset->low ? 0 : 1))
        return;
    v->cycle++;
    const unsigned channels =
        signals[GS_RVFI_VALID].width < CHANNELS ? signals[GS_RVFI_VALID].width : CHANNELS;
    for (unsigned c = 0; c < channels; c++) {
        gs_rvfi_beat beat = {.has = 1U << GS_RVFI_CYCLE};
        for (unsigned s = 0; s < GS_RVFI_COUNT; s++) {
            if (!signals[s].found || s == GS_RVFI_CYCLE)
                continue;
            const unsigned width = signals[s].width / channels;
            beat.value[s] = bits_of(signals[s].before, c * width, width);
            beat.has |= 1U << s;
        }
        beat.value[GS_RVFI_CYCLE] = v->cycle;
        if (beat.value[GS_RVFI_STALL_VALID] & 1)
            v->stalls[beat.value[GS_RVFI_STALL] & 15]++;
        if (beat.value[GS_RVFI_VALID] & 1)
            v->beats[v->beat_count++] = beat;
    }
}

/* One line of changes; *edge: the time moved on, and the clock had risen. */
static gs_status read_change(vcd *v, char *line, bool *edge, gs_error *err)
{
    char *at = (char *)gs_words_skip(line);
    char *id;
    *edge = false;
    switch (*at) {
    case '#':
        *edge = v->rises;
        v->rises = false;
        return GS_OK;
    case 'b':
    case 'B': {
        const size_t count = strspn(at + 1, "01xXzZuU-");
        id = (char *)gs_words_skip(at + 1 + count);
        if (count == 0 || *id == '\0' || at[1 + count] != ' ')
            return gs_replay_bad_line(v->source, err, "a value without its variable: %.60s", line);
        id[strcspn(id, " \t")] = '\0';
        set(v, id, at + 1, count);
        return GS_OK;
    }
    case '0':
    case '1':
    case 'x':
    case 'X':
    case 'z':
    case 'Z':
        id = at + 1;
        id[strcspn(id, " \t")] = '\0';
        set(v, id, at, 1);
        return GS_OK;
    case '$': /* $dumpvars, $end, $comment */
    case 'r':
    case 'R':
    case 's':
    case '\0': return GS_OK;
    default: return gs_replay_bad_line(v->source, err, "no value of a variable: %.60s", line);
    }
}

/* Reads up to the next rising edge with instructions, or the end. */
static gs_status read_edge(vcd *v, gs_error *err)
{
    char *line;
    gs_status status;
    while ((status = gs_input_line(v->source, &line, err)) == GS_OK) {
        bool edge = v->rises;
        v->ended = line == NULL;
        if (line)
            status = read_change(v, line, &edge, err);
        if (status != GS_OK)
            return status;
        if (edge)
            sample(v);
        if (!line || line[0] == '#') {
            for (unsigned s = 0; s < SIGNALS; s++)
                memcpy(v->signals[s].before, v->signals[s].value, sizeof v->signals[s].before);
        }
        if (v->ended || (edge && v->beat_count > 0))
            return GS_OK;
    }
    return status;
}

static gs_status next(void *state, gs_replay_record *record, gs_error *err)
{
    vcd *v = state;
    gs_status status = GS_OK;
    while (v->beat_next == v->beat_count && !v->ended && status == GS_OK)
        status = read_edge(v, err);
    if (status != GS_OK)
        return status;
    if (v->beat_next == v->beat_count) {
        record->what = GS_REPLAY_END;
        return GS_OK;
    }
    const gs_rvfi_beat *beat = &v->beats[v->beat_next++];
    gs_rvfi_record(record, beat, v->sp);
    record->interrupts = (beat->value[GS_RVFI_INTR] & 1) && gs_rvfi_has(beat, GS_RVFI_STALL_VALID);
    record->has_stalls = gs_rvfi_has(beat, GS_RVFI_STALL_VALID);
    memcpy(record->stalls, v->stalls, sizeof record->stalls);
    memset(v->stalls, 0, sizeof v->stalls);
    return GS_OK;
}

const gs_replay_format_reader gs_replay_vcd = {
    .name = "vcd",
    .recognizes = recognizes,
    .open = open_vcd,
    .next = next,
    .close = close_vcd,
};
