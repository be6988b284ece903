#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/json.h"
#include "gumshoe/profile.h"
#include "report/json_parts.h"
#include "report/names.h"

enum { COMMIT_DIGITS = 10 };

/* Texts from a file may hold anything; a terminal gets none of its control characters. */
static void print_text(FILE *to, const char *text)
{
    for (; *text; text++)
        fputc((unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text, to);
}

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

gs_status gs_report_runs(FILE *to, const gs_profile_file *file, gs_error *err)
{
    size_t count = gs_profile_file_run_count(file);
    fprintf(to, "%4s  %-16s  %-12s  %-14s  %15s  %15s  %-11s  %-11s  %s\n", "run", "started (UTC)",
            "label", "core", "cycles", "instructions", "ended", "commit", "program");
    for (size_t i = 0; i < count; i++) {
        const gs_run_info *run = gs_profile_file_run(file, i);
        char when[32], how[32], digits[28];
        format_time(run->started, when, sizeof when, "%Y-%m-%d %H:%M");
        describe_exit(run, how, sizeof how);
        fprintf(to, "%4" PRId64 "  %-16s  ", run->id, when);
        print_text(to, run->label);
        int pad = 12 - (int)strnlen(run->label, 12);
        fprintf(to, "%*s  ", pad, "");
        print_text(to, *run->core ? run->core : "-");
        pad = 14 - (int)strnlen(*run->core ? run->core : "-", 14);
        fprintf(to, "%*s  ", pad, "");
        if (*run->core)
            fprintf(to, "%15s", gs_text_digits(digits, run->cycles));
        else
            fprintf(to, "%15s", "-");
        fprintf(to, "  %15s  %-11s  ", gs_text_digits(digits, run->instructions), how);
        char commit[COMMIT_DIGITS + 2];
        bool changed = *run->commit && run->commit[strlen(run->commit) - 1] == '+';
        snprintf(commit, sizeof commit, "%.*s%s", COMMIT_DIGITS, run->commit, changed ? "+" : "");
        print_text(to, commit);
        fprintf(to, "%*s  ", COMMIT_DIGITS + 1 - (int)strlen(commit), "");
        print_text(to, run->program);
        fputc('\n', to);
    }
    return ferror(to) ? gs_fail(err, GS_E_IO, "cannot write the list of runs") : GS_OK;
}

gs_status gs_report_runs_json(FILE *to, const gs_profile_file *file, gs_error *err)
{
    static const char *const exits[] = {
        [GS_EXIT_NONE] = "none",   [GS_EXIT_CODE] = "code", [GS_EXIT_SIGNAL] = "signal",
        [GS_EXIT_LIMIT] = "limit", [GS_EXIT_HALT] = "halt", [GS_EXIT_INTERRUPTED] = "interrupted",
    };
    gs_json json;
    gs_json_begin(&json, to);
    gs_json_open_object(&json, NULL);
    gs_json_string(&json, "schema", "gumshoe-runs-1");
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
        gs_json_string(&json, "commit", run->commit);
        gs_json_string(&json, "version", run->version);
        gs_json_string(&json, "started", when);
        gs_json_string(&json, "exit", exits[run->exit]);
        gs_json_int(&json, "exit_code", run->exit_code);
        gs_json_uint(&json, "clock_hz", run->clock_hz);
        gs_json_uint(&json, "cycles", run->cycles);
        gs_json_uint(&json, "instructions", run->instructions);
        gs_json_close_object(&json);
    }
    gs_json_close_array(&json);
    gs_json_close_object(&json);
    return gs_json_end(&json) ? GS_OK : gs_fail(err, GS_E_IO, "cannot write the list of runs");
}
