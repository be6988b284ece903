/* Finds commands, complains, and parses numbers: what all commands share. */
#include "tool/tool.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "gumshoe/report.h"
#include "tool/option.h"
#include "tool/progress.h"
#include "tool/terminal.h"

const gs_command *const gs_commands[] = {
    &gs_cmd_cc,     &gs_cmd_run,       &gs_cmd_runs,
    &gs_cmd_report, &gs_cmd_annotate,  &gs_cmd_diff,
    &gs_cmd_serve,  &gs_cmd_check,     &gs_cmd_replay,
    &gs_cmd_unit,   &gs_cmd_rtl,       &gs_cmd_energy,
    &gs_cmd_cores,  &gs_cmd_boards,    &gs_cmd_explore,
    &gs_cmd_sweep,  &gs_cmd_partition, &gs_cmd_schedule,
    &gs_cmd_system, &gs_cmd_collect,   &gs_cmd_completion,
    NULL,
};

const gs_command *gs_command_find(const char *name)
{
    for (const gs_command *const *command = gs_commands; *command; command++) {
        if (strcmp((*command)->name, name) == 0)
            return *command;
    }
    return NULL;
}

void gs_complain(const char *format, ...)
{
    va_list args;
    gs_progress_stop();
    va_start(args, format);
    fputs("gumshoe: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
}

int gs_usage_error(const gs_command *command, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "gumshoe %s: ", command->name);
    vfprintf(stderr, format, args);
    fprintf(stderr, "\nTry 'gumshoe %s --help'.\n", command->name);
    va_end(args);
    return command->usage_status;
}

int gs_tool_fail(const gs_error *err)
{
    if (err->status == GS_E_IO && gs_terminal_is_gone())
        return GS_TOOL_OK;
    gs_complain("%s", err->message);
    return GS_TOOL_INPUT;
}

gs_status gs_tool_error(gs_error *err, const char *format, ...)
{
    va_list args;
    err->status = GS_E_IO;
    va_start(args, format);
    vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    return err->status;
}

int gs_check_metric(const gs_command *command, const char *key)
{
    char known[512] = "";
    const char *keys[GS_METRIC_COUNT];
    for (unsigned i = 0; i < GS_METRIC_COUNT; i++) {
        size_t length = strlen(known);
        keys[i] = gs_metric_key((gs_metric)i);
        if (strcmp(keys[i], key) == 0)
            return -1;
        snprintf(known + length, sizeof known - length, "%s%s", i > 0 ? ", " : "", keys[i]);
    }
    const char *near = gs_nearest(key, keys, GS_METRIC_COUNT);
    return near ? gs_usage_error(command, "there is no metric '%s'; did you mean '%s'?", key, near)
                : gs_usage_error(command, "there is no metric '%s'; there are %s", key, known);
}

static bool parse_scaled(const char *text, uint64_t base, uint64_t *value)
{
    if (!isdigit((unsigned char)text[0]))
        return false;
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 0);
    if (errno != 0 || end == text)
        return false;
    static const char suffixes[] = "KMGT";
    uint64_t scale = 1;
    if (*end) {
        const char *suffix = strchr(suffixes, toupper((unsigned char)*end));
        if (!suffix || end[1] != '\0')
            return false;
        for (long i = suffix - suffixes; i >= 0; i--)
            scale *= base;
    }
    return !__builtin_mul_overflow((uint64_t)number, scale, value);
}

bool gs_parse_count(const char *text, uint64_t *value)
{
    return parse_scaled(text, 1000, value);
}

bool gs_parse_size(const char *text, uint64_t *value)
{
    return parse_scaled(text, 1024, value);
}
