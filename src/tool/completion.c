/* Lists of names and files that the completions of all shells are written from. */
#include "tool/completion.h"

#include <string.h>

#include "gumshoe/board.h"
#include "gumshoe/core.h"
#include "gumshoe/report.h"
#include "gumshoe/unit.h"

void gs_complete_names(gs_value value, const gs_word *words,
                       void (*take)(void *self, const char *name), void *self)
{
    for (const gs_word *word = words; word && word->name; word++)
        take(self, word->name);
    switch (value) {
    case GS_VALUE_CORE:
        for (size_t i = 0; i < gs_core_count(); i++)
            take(self, gs_core_builtin(i));
        break;
    case GS_VALUE_BOARD:
        for (size_t i = 0; i < gs_board_count(); i++)
            take(self, gs_board_builtin(i));
        break;
    case GS_VALUE_METRIC:
        for (unsigned i = 0; i < GS_METRIC_COUNT; i++)
            take(self, gs_metric_key((gs_metric)i));
        break;
    case GS_VALUE_UNIT:
        for (size_t i = 0; i < gs_unit_kind_count(); i++)
            take(self, gs_unit_kind_name(i));
        break;
    case GS_VALUE_RUN: take(self, "last"); break;
    default: break;
    }
}

typedef struct list {
    char *to;
    size_t size, length;
} list;

static void add_name(void *self, const char *name)
{
    list *l = self;
    if (l->length < l->size)
        l->length += (size_t)snprintf(l->to + l->length, l->size - l->length, "%s%s",
                                      l->length ? " " : "", name);
}

const char *gs_complete_list(gs_value value, const gs_word *words, char *to, size_t size)
{
    list l = {to, size, 0};
    to[0] = '\0';
    gs_complete_names(value, words, add_name, &l);
    return to;
}

bool gs_complete_files(gs_value value)
{
    return value == GS_VALUE_FILE || value == GS_VALUE_DIRECTORY || value == GS_VALUE_CORE ||
           value == GS_VALUE_BOARD;
}

const char *gs_complete_brief(const char *text, char *to, size_t size)
{
    size_t length = 0;
    while (text[length] && !(strchr(".;:", text[length]) && strchr(" ", text[length + 1])))
        length++;
    snprintf(to, size, "%.*s", (int)length, text);
    if (length >= size) {
        char *blank = strrchr(to, ' ');
        if (blank)
            *blank = '\0';
    }
    return to;
}

void gs_complete_put(FILE *to, const char *text, const char *escaped, const char *quote)
{
    for (; *text; text++) {
        if (*text == '\'') {
            fputs(quote, to);
            continue;
        }
        if (strchr(escaped, *text))
            fputc('\\', to);
        fputc(*text, to);
    }
}

void gs_complete_rows(gs_option_rows *rows, const gs_command *command, const size_t *kind,
                      gs_option own[GS_OPTIONS_MAX])
{
    const gs_option table[] = {
        {.rows = command->options}, {.rows = own}, {.rows = gs_help_options}, {0}};
    memset(own, 0, GS_OPTIONS_MAX * sizeof *own);
    if (kind)
        command->kind_options(own, *kind);
    gs_option_rows_make(rows, table);
}
