/*
 * The logs of tracers in RTL simulations, whose lines are a list of words.
 *
 * Ibex (ibex_tracer, under a line of headings): time, cycle, pc, instruction, its text, and
 *     ... x2=0x0000fff0 PA:0x0000fffc store:0x00000000
 * CVA6 (instr_tracer): time, cycle, privilege, pc, mispredicted, instruction, its text, and
 *     ... sp  :000000008000fff0 VA: 000000008000fffc PA: ...
 * Both end an instruction's line with what it wrote and where it accessed memory.
 */
#include <stdlib.h>

#include "replay/words.h"

typedef struct tracer_log {
    gs_input *source;
    uint64_t last;
} tracer_log;

static gs_status open_log(void **state, gs_input *source, const gs_replay_reader_options *options,
                          gs_error *err)
{
    tracer_log *log = calloc(1, sizeof *log);
    (void)options;
    *state = log;
    if (!log)
        return gs_fail_no_memory(err);
    log->source = source;
    return GS_OK;
}

static bool ibex_recognizes(const char *bytes, size_t size)
{
    return size > 4 && memcmp(bytes, "Time", 4) == 0 &&
           memmem(bytes, size < 200 ? size : 200, "Cycle", 5) != NULL;
}

static bool behind(const char *text, const char *word, uint64_t *value)
{
    const char *at = gs_words_behind(text, word);
    if (!at)
        return false;
    at = gs_words_skip(at);
    return gs_words_hex(&at, value, NULL);
}

static bool take(const char **at, uint64_t *value)
{
    *at = gs_words_skip(*at);
    return gs_words_hex(at, value, NULL);
}

static bool ibex_parse(const char *line, gs_replay_record *record)
{
    uint64_t word;
    line = gs_words_skip(line);
    line += strcspn(line, " \t"); /* the time, perhaps with its unit */
    line = gs_words_skip(line);
    if (!gs_words_decimal(&line, &record->cycle) || !take(&line, &record->pc) ||
        !take(&line, &word))
        return false;
    record->has_cycle = record->tells_stack = true;
    gs_words_riscv(record, word);
    record->has_stack =
        behind(line, " x2=", &record->stack) || behind(line, "\tx2=", &record->stack);
    if (behind(line, "PA:", &record->address))
        record->size = GS_REPLAY_SIZE_OF_INSN;
    return true;
}

static bool cva6_head(const char *line, uint64_t *cycle, const char **rest)
{
    uint64_t time;
    line = gs_words_skip(line);
    if (!gs_words_decimal(&line, &time))
        return false;
    line = gs_words_skip(line);
    if (strncmp(line, "ns", 2) == 0)
        line = gs_words_skip(line + 2);
    if (!gs_words_decimal(&line, cycle))
        return false;
    line = gs_words_skip(line);
    if (!strchr("MSUDH", *line) || *line == '\0' || line[1] != ' ')
        return false;
    *rest = line + 1;
    return true;
}

static bool cva6_recognizes(const char *bytes, size_t size)
{
    char line[128] = "";
    uint64_t cycle;
    const char *rest;
    memcpy(line, bytes, size < sizeof line - 1 ? size : sizeof line - 1);
    line[strcspn(line, "\n")] = '\0';
    return cva6_head(line, &cycle, &rest);
}

static bool cva6_parse(const char *line, gs_replay_record *record)
{
    uint64_t word, mispredicted;
    if (!cva6_head(line, &record->cycle, &line) || !take(&line, &record->pc) ||
        !take(&line, &mispredicted) || !take(&line, &word))
        return false;
    record->has_cycle = record->tells_stack = true;
    gs_words_riscv(record, word);
    record->has_stack =
        behind(line, " sp  :", &record->stack) || behind(line, " sp :", &record->stack);
    if (behind(line, "VA:", &record->address))
        record->size = GS_REPLAY_SIZE_OF_INSN;
    return true;
}

static gs_status next(tracer_log *log, bool (*parse)(const char *, gs_replay_record *),
                      const char *heading, gs_replay_record *record, gs_error *err)
{
    char *line;
    gs_status status;
    while ((status = gs_input_line(log->source, &line, err)) == GS_OK) {
        uint64_t pc;
        record->what = line ? GS_REPLAY_RETIRED : GS_REPLAY_END;
        if (!line)
            break;
        if (*gs_words_skip(line) == '\0' ||
            (heading && strncmp(line, heading, strlen(heading)) == 0))
            continue;
        if (strstr(line, "xception") || strstr(line, "nterrupt")) {
            if (!behind(line, "PC: ", &pc) && !behind(line, "PC:", &pc) && !behind(line, "@", &pc))
                continue;
            record->what = GS_REPLAY_TRAPPED;
            record->pc = pc;
            break;
        }
        if (!parse(line, record))
            return gs_replay_bad_line(log->source, err, "not as this tracer writes it: %.80s",
                                      line);
        if (record->cycle < log->last)
            return gs_replay_bad_line(
                log->source, err, "time goes backwards, from cycle %llu to %llu",
                (unsigned long long)log->last, (unsigned long long)record->cycle);
        log->last = record->cycle;
        break;
    }
    return status;
}

static gs_status ibex_next(void *state, gs_replay_record *record, gs_error *err)
{
    return next(state, ibex_parse, "Time", record, err);
}

static gs_status cva6_next(void *state, gs_replay_record *record, gs_error *err)
{
    return next(state, cva6_parse, NULL, record, err);
}

const gs_replay_format_reader gs_replay_ibex = {
    .name = "ibex",
    .recognizes = ibex_recognizes,
    .open = open_log,
    .next = ibex_next,
    .close = free,
};

const gs_replay_format_reader gs_replay_cva6 = {
    .name = "cva6",
    .recognizes = cva6_recognizes,
    .open = open_log,
    .next = cva6_next,
    .close = free,
};
