/* The runs of a profile file, as a table and as JSON. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/json.h"
#include "base/plain.h"
#include "gumshoe/profile.h"
#include "report/json_parts.h"
#include "report/names.h"
#include "report/short_name.h"
#include "report/text_table.h"

enum { COMMIT_DIGITS = 10 };

static void describe_exit(const gs_run_info *run, char *to, size_t size)
{
    switch (run->exit) {
    case GS_EXIT_CODE: snprintf(to, size, "exit %d", run->exit_code); break;
    case GS_EXIT_SIGNAL: snprintf(to, size, "signal %d", run->exit_code); break;
    case GS_EXIT_LIMIT: snprintf(to, size, "limit"); break;
    case GS_EXIT_HALT: snprintf(to, size, "halt"); break;
    case GS_EXIT_INTERRUPTED: snprintf(to, size, "interrupted"); break;
    case GS_EXIT_NONE: snprintf(to, size, "unfinished"); break;
    }
}

static void format_time(int64_t seconds, char *to, size_t size, const char *format)
{
    time_t when = (time_t)seconds;
    struct tm parts;
    if (!gmtime_r(&when, &parts) || strftime(to, size, format, &parts) == 0)
        snprintf(to, size, "?");
}

enum { RUN, STARTED, LABEL, CORE, CYCLES, INSTRUCTIONS, ENDED, COMMIT, COLUMNS };

static const gs_text_column columns[COLUMNS] = {
    [RUN] = {.heading = "run"},
    [STARTED] = {.heading = "started (UTC)", .left = true, .spare = 3},
    [LABEL] = {.heading = "label", .left = true},
    [CORE] = {.heading = "core", .left = true},
    [CYCLES] = {.heading = "cycles"},
    [INSTRUCTIONS] = {.heading = "instructions", .spare = 2},
    [ENDED] = {.heading = "ended", .left = true, .spare = 1},
    [COMMIT] = {.heading = "commit", .left = true, .spare = 4},
};

/* Texts from a file may hold anything; a terminal gets none of its control characters. */
static void put_text(char to[GS_TEXT_CELL], const char *text)
{
    snprintf(to, GS_TEXT_CELL, "%.40s", text);
    gs_plain_text(to, "");
}

static void put_cell(char to[GS_TEXT_CELL], void *self, size_t row, size_t column)
{
    const gs_run_info *run = gs_profile_file_run(self, row);
    const char *core = *run->core ? run->core : "-";
    switch (column) {
    case RUN: snprintf(to, GS_TEXT_CELL, "%4" PRId64, run->id); break;
    case STARTED: format_time(run->started, to, GS_TEXT_CELL, "%Y-%m-%d %H:%M"); break;
    case LABEL: put_text(to, run->label); break;
    case CORE: put_text(to, core); break;
    case CYCLES: *run->core ? gs_text_digits(to, run->cycles) : strcpy(to, "-"); break;
    case INSTRUCTIONS: gs_text_digits(to, run->instructions); break;
    case ENDED: describe_exit(run, to, GS_TEXT_CELL); break;
    default: {
        bool changed = *run->commit && run->commit[strlen(run->commit) - 1] == '+';
        char commit[COMMIT_DIGITS + 2];
        snprintf(commit, sizeof commit, "%.*s%s", COMMIT_DIGITS, run->commit, changed ? "+" : "");
        put_text(to, commit);
    }
    }
}

/* Where room is short, the path's last part. */
static void put_program(FILE *to, void *self, size_t row, unsigned room)
{
    const char *program = gs_profile_file_run(self, row)->program;
    bool whole = room == 0 || gs_report_columns(program) <= room;
    gs_report_put_fitted(to, whole ? program : gs_report_last_part(program), room);
}

static unsigned program_width(void *self, size_t row)
{
    return gs_report_columns(gs_report_last_part(gs_profile_file_run(self, row)->program));
}

gs_status gs_report_runs(FILE *to, const gs_profile_file *file, unsigned width, gs_error *err)
{
    const gs_text_table table = {.columns = columns,
                                 .count = COLUMNS,
                                 .rows = gs_profile_file_run_count(file),
                                 .name = "program",
                                 .width = width,
                                 .self = (void *)file,
                                 .cell = put_cell,
                                 .put_name = put_program,
                                 .name_width = program_width};
    gs_text_table_put(to, &table);
    return ferror(to) ? gs_fail(err, GS_E_IO, "cannot write the list of runs") : GS_OK;
}

gs_status gs_report_runs_json(FILE *to, const gs_profile_file *file, gs_error *err)
{
    static const char *const exits[] = {
        [GS_EXIT_NONE] = "none",   [GS_EXIT_CODE] = "code", [GS_EXIT_SIGNAL] = "signal",
        [GS_EXIT_LIMIT] = "limit", [GS_EXIT_HALT] = "halt", [GS_EXIT_INTERRUPTED] = "interrupted",
    };
    gs_json json;
    gs_report_json_begin(&json, to, "gumshoe-runs-1");
    gs_json_string(&json, "file", gs_profile_file_path(file));
    gs_json_open_array(&json, "runs");
    for (size_t i = 0; i < gs_profile_file_run_count(file); i++) {
        const gs_run_info *run = gs_profile_file_run(file, i);
        char when[40];
        format_time(run->started, when, sizeof when, "%Y-%m-%dT%H:%M:%SZ");
        gs_json_open_object(&json, NULL);
        gs_json_int(&json, "id", run->id);
        gs_json_string(&json, "label", run->label);
        gs_json_string(&json, "program", run->program);
        gs_json_string(&json, "core", run->core);
        gs_json_string(&json, "isa", run->isa);
        gs_json_string(&json, "environment", run->environment);
        gs_report_json_guest(&json, run->inherited, run->variables);
        gs_json_string(&json, "region", run->region);
        gs_json_string(&json, "commit", run->commit);
        gs_json_string(&json, "version", run->version);
        gs_json_string(&json, "started", when);
        gs_json_string(&json, "exit", exits[run->exit]);
        gs_json_int(&json, "exit_code", run->exit_code);
        gs_json_uint(&json, "clock_hz", run->clock_hz);
        if (*run->core)
            gs_json_uint(&json, "cycles", run->cycles);
        gs_json_uint(&json, "instructions", run->instructions);
        gs_json_close_object(&json);
    }
    gs_json_close_array(&json);
    gs_json_close_object(&json);
    return gs_json_end(&json) ? GS_OK : gs_fail(err, GS_E_IO, "cannot write the list of runs");
}
