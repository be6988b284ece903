/*
 * Spike's logs: of --log-commits, a line for every instruction that retires,
 *
 *     core   0: 3 0x80000004 (0xff010113) x2  0x80007ff0 mem 0x80007ffc 0x00000000
 *
 * with what it wrote and accessed, or of -l alone,
 *
 *     core   0: 0x80000004 (0xff010113) addi    sp, sp, -16
 *
 * and in both, "core 0: exception ..., epc 0x80000008" for a trap. With both, an instruction has
 * two lines, of which the second counts. Lines of other cores than the first are passed over.
 */
#include <stdlib.h>

#include "replay/words.h"

typedef struct spike_log {
    gs_input *source;
    unsigned sp;
    uint64_t core;
    bool has_core, has_stack;
    bool held_given;
    gs_replay_record held; /* a line of -l, until it is known that none of the other kind follows */
} spike_log;

static bool recognizes(const char *bytes, size_t size)
{
    return size > 6 && memcmp(bytes, "core  ", 6) == 0;
}

static gs_status open_log(void **state, gs_input *source, const gs_replay_reader_options *options,
                          gs_error *err)
{
    spike_log *log = calloc(1, sizeof *log);
    *state = log;
    if (!log)
        return gs_fail_no_memory(err);
    log->source = source;
    log->sp = options->sp;
    return GS_OK;
}

/* What an instruction wrote and accessed: "x5 0x..", "mem 0x..", "mem 0x.. 0x..". */
static void parse_effects(const spike_log *log, const char *at, gs_replay_record *record)
{
    uint64_t value;
    unsigned digits;
    for (at = gs_words_skip(at); *at; at = gs_words_skip(at)) {
        if (strncmp(at, "mem ", 4) == 0) {
            at = gs_words_skip(at + 4);
            if (!gs_words_hex(&at, &record->address, NULL))
                return;
            record->size = GS_REPLAY_SIZE_OF_INSN;
            at = gs_words_skip(at);
            if (*at == '0' && gs_words_hex(&at, &value, &digits))
                record->size = digits / 2;
            continue;
        }
        if (*at == 'x') {
            uint64_t number;
            at++;
            if (!gs_words_decimal(&at, &number))
                return;
            at = gs_words_skip(at);
            if (!gs_words_hex(&at, &value, NULL))
                return;
            if (number == log->sp) {
                record->has_stack = true;
                record->stack = value;
            }
            continue;
        }
        at += strcspn(at, " \t");
    }
}

/* 1: a line that counts, 0: none, -1: one that cannot be read. *commits: of --log-commits. */
static int parse(spike_log *log, const char *line, gs_replay_record *record, bool *commits)
{
    uint64_t core, word;
    *commits = false;
    if (strncmp(line, "core ", 5) != 0)
        return 0;
    line = gs_words_skip(line + 5);
    if (!gs_words_decimal(&line, &core) || *line++ != ':')
        return -1;
    if (log->has_core && core != log->core)
        return 0;
    log->has_core = true;
    log->core = core;
    line = gs_words_skip(line);
    if (strncmp(line, "exception", 9) == 0) {
        line = gs_words_behind(line, "epc ");
        record->what = GS_REPLAY_TRAPPED;
        return line && gs_words_hex(&line, &record->pc, NULL) ? 1 : -1;
    }
    if (line[0] >= '0' && line[0] <= '3' && line[1] == ' ') {
        *commits = true;
        line += 2;
    }
    if (strncmp(line, "0x", 2) != 0)
        return 0; /* ">>>> symbol", "tval 0x..", and the like */
    if (!gs_words_hex(&line, &record->pc, NULL))
        return -1;
    line = gs_words_skip(line);
    if (*line++ != '(' || !gs_words_hex(&line, &word, NULL) || *line++ != ')')
        return -1;
    record->what = GS_REPLAY_RETIRED;
    gs_words_riscv(record, word);
    record->tells_stack = *commits;
    if (*commits)
        parse_effects(log, line, record);
    return 1;
}

static gs_status next(void *state, gs_replay_record *record, gs_error *err)
{
    spike_log *log = state;
    for (;;) {
        char *line;
        bool commits;
        gs_replay_record read = {.what = GS_REPLAY_END};
        gs_status status = gs_input_line(log->source, &line, err);
        if (status != GS_OK)
            return status;
        const int found = line ? parse(log, line, &read, &commits) : 1;
        if (found < 0)
            return gs_replay_bad_line(log->source, err, "not as Spike writes it: %.80s", line);
        if (found == 0)
            continue;
        const bool given = log->held_given;
        *record = log->held;
        log->held_given = false;
        if (line && !commits && read.what == GS_REPLAY_RETIRED) {
            log->held = read;
            log->held_given = true;
            if (given)
                return GS_OK;
            continue;
        }
        /* The same instruction again; or one that traps: its line of -l is none of a retirement. */
        if (!given || (record->what == GS_REPLAY_RETIRED && record->pc == read.pc &&
                       (commits || read.what == GS_REPLAY_TRAPPED))) {
            *record = read;
            return GS_OK;
        }
        if (!line)
            return GS_OK;
        log->held = read;
        log->held_given = true;
        return GS_OK;
    }
}

const gs_replay_format_reader gs_replay_spike = {
    .name = "spike",
    .recognizes = recognizes,
    .open = open_log,
    .next = next,
    .close = free,
};
