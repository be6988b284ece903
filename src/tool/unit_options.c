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

size_t gs_unit_add_options(struct option *options, size_t count, size_t max, size_t kind,
                           bool (*which)(size_t kind, size_t option))
{
    for (size_t i = 0; i < gs_unit_option_count(kind) && count < max; i++) {
        gs_unit_option_info info = gs_unit_option_at(kind, i);
        if (!which || which(kind, i))
            options[count++] =
                (struct option){info.name, info.argument ? required_argument : no_argument, NULL,
                                GS_OPT_UNIT + (int)i};
    }
    return count;
}

bool gs_unit_append_option(char **options, const char *name, const char *value)
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

void gs_unit_print_option(const char *name, const char *argument, const char *help)
{
    char usage[80];
    snprintf(usage, sizeof usage, "--%s%s%s", name, argument ? " " : "", argument ? argument : "");
    printf(strlen(usage) < 24 ? "  %-23s %s\n" : "  %s\n                          %s\n", usage,
           help);
}
