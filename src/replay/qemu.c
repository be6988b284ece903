/*
 * The log of QEMU's -d exec,nochain: a line for every block that is executed,
 *
 *     Trace 0: 0x7f0e9c000100 [00000000/80000000/00000003/00000000] _start
 *
 * with the pc as the second number in brackets. A line "Stopped execution of TB chain before ..."
 * takes the one before back.
 */
#include <stdlib.h>

#include "replay/words.h"

typedef struct qemu_log {
    gs_input *source;
    uint64_t cpu, pc;
    bool has_cpu, held;
} qemu_log;

static bool recognizes(const char *bytes, size_t size)
{
    static const char start[] = "Trace ";
    const char *end = bytes + size;
    for (const char *line = bytes; line && line < end; line++) {
        if ((size_t)(end - line) > sizeof start && memcmp(line, start, sizeof start - 1) == 0)
            return true;
        line = memchr(line, '\n', (size_t)(end - line));
        if (!line)
            return false;
    }
    return false;
}

static gs_status open_log(void **state, gs_input *source, const gs_replay_reader_options *options,
                          gs_error *err)
{
    qemu_log *log = calloc(1, sizeof *log);
    (void)options;
    *state = log;
    if (!log)
        return gs_fail_no_memory(err);
    log->source = source;
    return GS_OK;
}

/* Trace CPU: HOST [CS/PC/...] */
static bool parse(const char *line, uint64_t *cpu, uint64_t *pc)
{
    uint64_t ignored;
    line += strlen("Trace ");
    if (!gs_words_decimal(&line, cpu) || !(line = strchr(line, '[')))
        return false;
    line++;
    if (!gs_words_hex(&line, &ignored, NULL) || *line++ != '/')
        return false;
    return gs_words_hex(&line, pc, NULL);
}

static gs_status next(void *state, gs_replay_record *record, gs_error *err)
{
    qemu_log *log = state;
    char *line;
    gs_status status;
    while ((status = gs_input_line(log->source, &line, err)) == GS_OK) {
        uint64_t cpu, pc;
        record->what = log->held ? GS_REPLAY_BLOCK : GS_REPLAY_END;
        record->pc = log->pc;
        if (!line) {
            log->held = false;
            return GS_OK;
        }
        if (strncmp(line, "Stopped execution", 17) == 0)
            log->held = false;
        if (strncmp(line, "Trace ", 6) != 0)
            continue;
        if (!parse(line, &cpu, &pc))
            return gs_replay_bad_line(log->source, err, "no pc is where QEMU writes it: %.60s",
                                      line);
        if (log->has_cpu && cpu != log->cpu)
            continue; /* another processor */
        const bool held = log->held;
        log->has_cpu = log->held = true;
        log->cpu = cpu;
        log->pc = pc;
        if (held) {
            record->next_pc = pc;
            return GS_OK;
        }
    }
    return status;
}

const gs_replay_format_reader gs_replay_qemu = {
    .name = "qemu",
    .recognizes = recognizes,
    .open = open_log,
    .next = next,
    .close = free,
};
