/*
 * RVFI as text: a line per instruction, either of NAME=VALUE,
 *
 *     rvfi_pc_rdata=80000000 rvfi_insn=ff010113 rvfi_mem_addr=0
 *
 * or of values alone, behind a first line with their names. Words are separated by spaces, tabs or
 * commas. Values are hexadecimal, but for `cycle`, which is decimal. What has no column is passed
 * over; pc_rdata has to be there.
 */
#include <stdlib.h>

#include "replay/rvfi.h"
#include "replay/words.h"

enum { COLUMNS = 64 };

typedef struct rvfi_text {
    gs_input *source;
    const char *prefix;
    unsigned sp;
    int8_t columns[COLUMNS]; /* signal, or -1 */
    unsigned column_count;   /* 0: every value has its name */
    bool looked;
} rvfi_text;

static const char separators[] = " \t,";

static bool recognizes(const char *bytes, size_t size)
{
    const char *end = memchr(bytes, '\n', size);
    const size_t length = end ? (size_t)(end - bytes) : size;
    return memmem(bytes, length, "pc_rdata", 8) != NULL;
}

static gs_status open_text(void **state, gs_input *source, const gs_replay_reader_options *options,
                           gs_error *err)
{
    rvfi_text *text = calloc(1, sizeof *text);
    *state = text;
    if (!text)
        return gs_fail_no_memory(err);
    text->source = source;
    text->prefix = options->prefix;
    text->sp = options->sp;
    return GS_OK;
}

static gs_status read_names(rvfi_text *text, const char *line, gs_error *err)
{
    bool has_pc = false;
    for (const char *at = line + strspn(line, separators); *at; at += strspn(at, separators)) {
        const size_t length = strcspn(at, separators);
        if (text->column_count == COLUMNS)
            return gs_replay_bad_line(text->source, err, "there may be %d columns", COLUMNS);
        int signal = gs_rvfi_find(at, length, text->prefix, NULL);
        has_pc |= signal == GS_RVFI_PC;
        text->columns[text->column_count++] = (int8_t)signal;
        at += length;
    }
    return has_pc ? GS_OK
                  : gs_replay_bad_line(text->source, err, "no column is named %spc_rdata",
                                       text->prefix ? text->prefix : "rvfi_");
}

static bool read_value(gs_rvfi_beat *beat, int signal, const char *at)
{
    if (signal < 0)
        return true;
    beat->has |= 1U << signal;
    return signal == GS_RVFI_CYCLE ? gs_words_decimal(&at, &beat->value[signal])
                                   : gs_words_hex(&at, &beat->value[signal], NULL);
}

static gs_status read_line(const rvfi_text *text, const char *line, gs_rvfi_beat *beat,
                           gs_error *err)
{
    unsigned column = 0;
    for (const char *at = line + strspn(line, separators); *at; at += strspn(at, separators)) {
        const size_t length = strcspn(at, separators);
        const char *value = at;
        int signal = -1;
        if (text->column_count == 0) {
            const char *equals = memchr(at, '=', length);
            if (equals)
                signal = gs_rvfi_find(at, (size_t)(equals - at), text->prefix, NULL);
            value = equals ? equals + 1 : at;
        } else if (column < text->column_count) {
            signal = text->columns[column++];
        }
        if (!read_value(beat, signal, value))
            return gs_replay_bad_line(text->source, err, "'%.*s' is no value of a signal",
                                      (int)(length < 60 ? length : 60), at);
        at += length;
    }
    if (!gs_rvfi_has(beat, GS_RVFI_PC))
        return gs_replay_bad_line(text->source, err, "it does not have the pc, as pc_rdata");
    return GS_OK;
}

static gs_status next(void *state, gs_replay_record *record, gs_error *err)
{
    rvfi_text *text = state;
    char *line;
    gs_status status;
    while ((status = gs_input_line(text->source, &line, err)) == GS_OK) {
        gs_rvfi_beat beat = {0};
        record->what = GS_REPLAY_END;
        if (!line)
            break;
        if (line[strspn(line, separators)] == '\0' || line[0] == '#')
            continue;
        if (!text->looked) {
            text->looked = true;
            if (!strchr(line, '=')) {
                if ((status = read_names(text, line, err)) != GS_OK)
                    break;
                continue;
            }
        }
        status = read_line(text, line, &beat, err);
        if (status == GS_OK && gs_rvfi_has(&beat, GS_RVFI_VALID) &&
            !(beat.value[GS_RVFI_VALID] & 1))
            continue;
        if (status == GS_OK)
            gs_rvfi_record(record, &beat, text->sp);
        break;
    }
    return status;
}

const gs_replay_format_reader gs_replay_rvfi = {
    .name = "rvfi",
    .recognizes = recognizes,
    .open = open_text,
    .next = next,
    .close = free,
};
