/* Parses and prints the options of units by their tables. */
#include "units/options.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"

enum { LIST_MAX = 1024, NAMES = 256 };

typedef struct parser {
    char *config;
    const gs_unit_option *options;
    size_t count;
    const char *prefix;
    gs_arena *arena;
    bool *given; /* per option */
    gs_error *err;
} parser;

static void *field(const parser *p, const gs_unit_option *option)
{
    return p->config + option->offset;
}

static void set_default(char *config, const gs_unit_option *option)
{
    void *to = config + option->offset;
    switch (option->type) {
    case GS_OPTION_NUMBER: *(uint64_t *)to = option->fallback; break;
    case GS_OPTION_FLAG: *(bool *)to = false; break;
    case GS_OPTION_CHOICE: *(unsigned *)to = (unsigned)option->fallback; break;
    case GS_OPTION_TEXT: *(const char **)to = NULL; break;
    case GS_OPTION_LIST: *(gs_option_list *)to = (gs_option_list){0}; break;
    }
}

/* Adds a word to a list of names in a message, as far as there is room. */
static void add_name(char names[NAMES], const char *name)
{
    size_t length = strlen(names);
    snprintf(names + length, NAMES - length, "%s%s", length ? ", " : "", name);
}

static const gs_unit_option *find(const parser *p, const char *name)
{
    for (size_t i = 0; i < p->count; i++) {
        if (strcmp(p->options[i].name, name) == 0)
            return &p->options[i];
    }
    return NULL;
}

static gs_status unknown(const parser *p, const char *name)
{
    char names[NAMES] = "";
    for (size_t i = 0; i < p->count; i++)
        add_name(names, p->options[i].name);
    if (!*name)
        return gs_fail(p->err, GS_E_ARGUMENT,
                       "%s: an option is missing beside a comma; there are %s", p->prefix, names);
    return gs_fail(p->err, GS_E_ARGUMENT, "%s: there is no option '%.40s'; there are %s", p->prefix,
                   name, names);
}

static gs_status set_number(const parser *p, const gs_unit_option *option, const char *value)
{
    uint64_t number;
    uint64_t *to = field(p, option);
    if (option->zero && strcmp(value, option->zero) == 0) {
        *to = 0;
        return GS_OK;
    }
    bool good = gs_number_parse(value, &number) && number >= option->min && number <= option->max &&
                (!option->power_of_two || (number & (number - 1)) == 0);
    if (!good)
        return gs_fail(
            p->err, GS_E_ARGUMENT,
            "%s: %s wants %s from %" PRIu64 " to %" PRIu64 "%s%s, not '%.40s'", p->prefix,
            option->name, option->power_of_two ? "a power of two" : "a number", option->min,
            option->max, option->zero ? " or " : "", option->zero ? option->zero : "", value);
    *to = number;
    return GS_OK;
}

static gs_status set_choice(const parser *p, const gs_unit_option *option, const char *value)
{
    char names[NAMES] = "";
    for (unsigned i = 0; option->choices[i]; i++) {
        if (strcmp(option->choices[i], value) == 0) {
            *(unsigned *)field(p, option) = i;
            return GS_OK;
        }
        add_name(names, option->choices[i]);
    }
    return gs_fail(p->err, GS_E_ARGUMENT, "%s: %s is one of %s, not '%.40s'", p->prefix,
                   option->name, names, value);
}

static gs_status append(const parser *p, const gs_unit_option *option, const char *value)
{
    gs_option_list *list = field(p, option);
    if (list->count == LIST_MAX)
        return gs_fail(p->err, GS_E_ARGUMENT, "%s: %s is given more than %d times", p->prefix,
                       option->name, LIST_MAX);
    if ((list->count & (list->count - 1)) == 0) { /* 0, 1, 2, 4...: full */
        const char **wider =
            gs_arena_alloc(p->arena, (list->count ? 2 * list->count : 1) * sizeof *wider);
        if (!wider)
            return gs_fail_no_memory(p->err);
        if (list->count > 0)
            memcpy(wider, list->items, list->count * sizeof *wider);
        list->items = wider;
    }
    list->items[list->count++] = value;
    return GS_OK;
}

/* `value` is NULL where there was no '='. */
static gs_status set(const parser *p, const char *name, const char *value)
{
    const gs_unit_option *option = find(p, name);
    if (!option)
        return unknown(p, name);
    bool *given = &p->given[option - p->options];
    if (*given && option->type != GS_OPTION_LIST)
        return gs_fail(p->err, GS_E_ARGUMENT, "%s: %s is given twice", p->prefix, name);
    *given = true;
    if (option->type == GS_OPTION_FLAG) {
        if (value)
            return gs_fail(p->err, GS_E_ARGUMENT, "%s: %s takes no value", p->prefix, name);
        *(bool *)field(p, option) = true;
        return GS_OK;
    }
    if (!value || !*value)
        return gs_fail(p->err, GS_E_ARGUMENT, "%s: %s wants a value: %s=%s", p->prefix, name, name,
                       option->argument);
    switch (option->type) {
    case GS_OPTION_NUMBER: return set_number(p, option, value);
    case GS_OPTION_CHOICE: return set_choice(p, option, value);
    case GS_OPTION_LIST: return append(p, option, value);
    default: *(const char **)field(p, option) = value; return GS_OK;
    }
}

/* Where the option at `text` ends: at a comma that nothing escapes, or with the text. */
static const char *end_of(const char *text)
{
    while (*text && *text != ',')
        text += *text == '\\' && text[1] ? 2 : 1;
    return text;
}

static void copy_unescaped(char *to, const char *from, const char *end)
{
    while (from < end) {
        if (*from == '\\' && from + 1 < end)
            from++;
        *to++ = *from++;
    }
    *to = '\0';
}

static gs_status parse_all(const parser *p, const char *text)
{
    for (;;) {
        const char *end = end_of(text);
        char *piece = gs_arena_alloc(p->arena, (size_t)(end - text) + 1);
        if (!piece)
            return gs_fail_no_memory(p->err);
        copy_unescaped(piece, text, end);
        char *equals = strchr(piece, '=');
        if (equals)
            *equals = '\0';
        gs_status status = set(p, piece, equals ? equals + 1 : NULL);
        if (status != GS_OK || !*end)
            return status;
        text = end + 1;
    }
}

gs_status gs_options_parse(void *config, const gs_unit_option *options, size_t count,
                           const char *prefix, const char *text, gs_arena *arena, gs_error *err)
{
    parser p = {
        .config = config, .options = options, .count = count, .prefix = prefix, .arena = arena};
    p.err = err;
    for (size_t i = 0; i < count; i++)
        set_default(p.config, &options[i]);
    if (!text || !*text)
        return GS_OK;
    p.given = gs_arena_alloc(arena, count ? count : 1);
    if (!p.given)
        return gs_fail_no_memory(err);
    return parse_all(&p, text);
}

static void write_value(FILE *to, const char *value)
{
    for (; *value; value++) {
        if (*value == ',' || *value == '\\')
            fputc('\\', to);
        fputc(*value, to);
    }
}

static void write_text(FILE *to, const char *name, const char *value)
{
    fprintf(to, ",%s=", name);
    write_value(to, value);
}

static void write_option(FILE *to, const char *config, const gs_unit_option *option)
{
    const void *from = config + option->offset;
    switch (option->type) {
    case GS_OPTION_NUMBER: {
        uint64_t number = *(const uint64_t *)from;
        if (number == option->fallback)
            break;
        if (number == 0 && option->zero)
            write_text(to, option->name, option->zero);
        else
            fprintf(to, ",%s=%" PRIu64, option->name, number);
        break;
    }
    case GS_OPTION_FLAG:
        if (*(const bool *)from)
            fprintf(to, ",%s", option->name);
        break;
    case GS_OPTION_CHOICE:
        if (*(const unsigned *)from != option->fallback)
            write_text(to, option->name, option->choices[*(const unsigned *)from]);
        break;
    case GS_OPTION_TEXT:
        if (*(const char *const *)from)
            write_text(to, option->name, *(const char *const *)from);
        break;
    case GS_OPTION_LIST: {
        const gs_option_list *list = from;
        for (size_t i = 0; i < list->count; i++)
            write_text(to, option->name, list->items[i]);
        break;
    }
    }
}

char *gs_options_text(const void *config, const gs_unit_option *options, size_t count,
                      gs_arena *arena)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return NULL;
    for (size_t i = 0; i < count; i++)
        write_option(to, config, &options[i]);
    char *kept = NULL;
    if (fclose(to) == 0) /* every option is written with a comma before it */
        kept = gs_arena_copy(arena, size > 0 ? text + 1 : text, size > 0 ? size - 1 : 0);
    free(text);
    return kept;
}
