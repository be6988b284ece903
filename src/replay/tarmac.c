/*
 * Tarmac, as Arm's models and cores write it: a time, its unit, perhaps the core's name, and then
 *
 *     IT (16) 00000100 e3a00000 A svc_s : MOV r0,#0     an instruction: pc, encoding
 *     IS (17) ...                                       one whose condition does not hold
 *     R sp 20007ff0                                     a register that it wrote
 *     MW4 20007ffc 00000000, MR4 ...                    an access of 4 bytes
 *     E 00000018 ... CoreEvent_...                      an exception, and its handler
 *
 * What an instruction did stands on the lines behind its own.
 */
#include <stdlib.h>

#include "replay/words.h"

typedef struct tarmac_log {
    gs_input *source;
    bool big_endian, held_given;
    gs_replay_record held;
} tarmac_log;

/* Where a line has what happened: behind the time, its unit, and the core's name. */
static const char *find_kind(const char *line, uint64_t *time)
{
    static const char *const kinds[] = {"IT ", "IS ", "R ", "MR", "MW", "E "};
    line = gs_words_skip(line);
    if (!gs_words_decimal(&line, time))
        return NULL;
    for (unsigned words = 0; words < 3; words++) {
        line = gs_words_skip(line);
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
            if (strncmp(line, kinds[i], strlen(kinds[i])) == 0)
                return line;
        }
        line += strcspn(line, " \t");
    }
    return NULL;
}

static bool recognizes(const char *bytes, size_t size)
{
    char line[256] = "";
    uint64_t time;
    memcpy(line, bytes, size < sizeof line - 1 ? size : sizeof line - 1);
    line[strcspn(line, "\n")] = '\0';
    return find_kind(line, &time) != NULL;
}

static gs_status open_log(void **state, gs_input *source, const gs_replay_reader_options *options,
                          gs_error *err)
{
    tarmac_log *log = calloc(1, sizeof *log);
    *state = log;
    if (!log)
        return gs_fail_no_memory(err);
    log->source = source;
    log->big_endian = options->big_endian;
    return GS_OK;
}

static bool parse_insn(const char *at, gs_replay_record *record)
{
    uint64_t word;
    unsigned digits;
    at = gs_words_skip(at + 2);
    if (*at == '(') {
        at = strchr(at, ')');
        at = at ? gs_words_skip(at + 1) : NULL;
    }
    if (!at || !gs_words_hex(&at, &record->pc, NULL))
        return false;
    if (*at == ':') /* and its physical address */
        at += strcspn(at, " \t");
    at = gs_words_skip(at);
    if (!gs_words_hex(&at, &word, &digits) || (digits != 4 && digits != 8))
        return false;
    record->what = GS_REPLAY_RETIRED;
    record->code_size = digits / 2;
    for (unsigned i = 0; i < record->code_size; i++)
        record->code[i] = (uint8_t)(word >> 8 * i);
    if (digits == 8 && strncmp(gs_words_skip(at), "T ", 2) == 0) { /* of Thumb: two halves */
        record->code[0] = (uint8_t)(word >> 16);
        record->code[1] = (uint8_t)(word >> 24);
        record->code[2] = (uint8_t)word;
        record->code[3] = (uint8_t)(word >> 8);
    }
    return true;
}

static void parse_register(const char *at, gs_replay_record *of)
{
    static const char *const names[] = {"sp ", "r13 ", "SP ", "R13 ", "sp_", "r13_", "SP_", "R13_"};
    at = gs_words_skip(at + 1);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strncmp(at, names[i], strlen(names[i])) != 0)
            continue;
        at = gs_words_skip(at + strcspn(at, " \t"));
        of->has_stack = gs_words_hex(&at, &of->stack, NULL);
        return;
    }
}

static bool parse_access(const char *at, gs_replay_record *of)
{
    uint64_t size;
    at += 2;
    if (!gs_words_decimal(&at, &size) || size == 0 || size > 128)
        return false;
    at += strcspn(at, " \t");
    at = gs_words_skip(at);
    of->size = (unsigned)size;
    return gs_words_hex(&at, &of->address, NULL);
}

/* A line's part of what is held, or the beginning of something else. */
static bool parse(tarmac_log *log, const char *at, uint64_t time, gs_replay_record *fresh)
{
    switch (at[0]) {
    case 'I':
        fresh->has_cycle = fresh->tells_stack = true;
        fresh->cycle = time;
        return parse_insn(at, fresh);
    case 'E':
        at = gs_words_skip(at + 1);
        fresh->what = GS_REPLAY_TRAPPED;
        return gs_words_hex(&at, &fresh->pc, NULL);
    case 'R': parse_register(at, &log->held); return true;
    default: return parse_access(at, &log->held);
    }
}

static gs_status next(void *state, gs_replay_record *record, gs_error *err)
{
    tarmac_log *log = state;
    for (;;) {
        char *line;
        uint64_t time;
        gs_replay_record fresh = {.what = GS_REPLAY_END};
        gs_status status = gs_input_line(log->source, &line, err);
        if (status != GS_OK)
            return status;
        if (line) {
            const char *at = find_kind(line, &time);
            if (!at)
                continue;
            if (!parse(log, at, time, &fresh))
                return gs_replay_bad_line(log->source, err, "not as Tarmac has it: %.80s", line);
            if (fresh.what == GS_REPLAY_TRAPPED && !log->held_given)
                continue;
            if (fresh.what == GS_REPLAY_END)
                continue;
        }
        const bool given = log->held_given;
        *record = log->held;
        log->held = fresh;
        log->held_given = line != NULL;
        if (given || !line) {
            record->what = given ? record->what : GS_REPLAY_END;
            return GS_OK;
        }
    }
}

const gs_replay_format_reader gs_replay_tarmac = {
    .name = "tarmac",
    .recognizes = recognizes,
    .open = open_log,
    .next = next,
    .close = free,
};
