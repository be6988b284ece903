/* Turns options on a command line into a unit's text of options. */
#include "tool/unit_options.h"

#include <stdlib.h>
#include <string.h>

int gs_unit_find_kind(size_t *kind, const char *name, bool (*which)(size_t kind),
                      const gs_command *command)
{
    char names[256] = "";
    if (gs_unit_kind_find(name, kind) && (!which || which(*kind)))
        return -1;
    for (size_t i = 0; i < gs_unit_kind_count(); i++) {
        size_t length = strlen(names);
        if (!which || which(i))
            snprintf(names + length, sizeof names - length, "%s%s", length ? ", " : "",
                     gs_unit_kind_name(i));
    }
    return gs_usage_error(command, "there is no unit '%s'; there are %s", name, names);
}

static bool append_option(char **options, const char *name, const char *value)
{
    char *old = *options, *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return false;
    fprintf(to, "%s%s%s", old ? old : "", old ? "," : "", name);
    if (value)
        fputc('=', to);
    for (; value && *value; value++) {
        if (*value == ',' || *value == '\\')
            fputc('\\', to);
        fputc(*value, to);
    }
    if (fclose(to) != 0) {
        free(text);
        return false;
    }
    free(old);
    *options = text;
    return true;
}

static int set_option(void *member, const gs_command *command, const gs_option *option,
                      const char *value)
{
    (void)command;
    if (append_option(member, option->name, value))
        return -1;
    gs_complain("no memory left");
    return GS_TOOL_INPUT;
}

size_t gs_unit_options_make(gs_option *rows, size_t kind, bool (*which)(size_t kind, size_t option),
                            size_t at)
{
    size_t count = 0;
    for (size_t i = 0; i < gs_unit_option_count(kind); i++) {
        gs_unit_option_info info = gs_unit_option_at(kind, i);
        if (!which || which(kind, i))
            rows[count++] = (gs_option){info.name,         .argument = info.argument,
                                        .text = info.help, .store = GS_STORE_CALL,
                                        .at = at,          .set = set_option};
    }
    return count;
}

int gs_unit_parse(const gs_command *command, size_t kind, void (*help)(const void *arguments),
                  int argc, char **argv, void *arguments, gs_rest *rest)
{
    gs_option own[GS_OPTIONS_MAX] = {0};
    const gs_option table[] = {
        {.rows = command->options}, {.rows = own}, {.rows = gs_help_options}, {0}};
    gs_syntax syntax = {
        .command = command, .table = table, .unit = gs_unit_kind_name(kind), .help = help};
    command->kind_options(own, kind);
    return gs_options_parse(&syntax, argc, argv, arguments, rest);
}
