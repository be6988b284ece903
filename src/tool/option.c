/* Parses command lines by tables of options, and prints help from them. */
#include "tool/option.h"

#include <assert.h>
#include <string.h>

const gs_option gs_help_options[] = {
    {"help", 'h', .store = GS_STORE_HELP, .text = "print a summary of these options."},
    {0},
};

static void add_row(gs_option_rows *rows, const gs_option *option, size_t base)
{
    assert(rows->count < GS_OPTIONS_MAX);
    rows->at[rows->count++] = (gs_option_row){option, base};
}

static void add_rows(gs_option_rows *rows, const gs_option *table, size_t base)
{
    for (const gs_option *option = table; option && (option->name || option->rows); option++) {
        if (option->rows)
            add_rows(rows, option->rows, base + option->at);
        else
            add_row(rows, option, base);
    }
}

void gs_option_rows_make(gs_option_rows *rows, const gs_option *table)
{
    rows->count = 0;
    add_rows(rows, table, 0);
}

/* What comes between two words, and before the last one. */
static void join(const gs_word *words, const char *between, const char *last, char *to, size_t size)
{
    size_t length = 0;
    to[0] = '\0';
    for (const gs_word *word = words; word->name && length < size; word++) {
        const char *joint = word == words ? "" : word[1].name ? between : last;
        length += (size_t)snprintf(to + length, size - length, "%s%s", joint, word->name);
    }
}

void gs_words_join(const gs_word *words, const char *last, char *to, size_t size)
{
    join(words, ", ", last, to, size);
}

const char *gs_option_argument(const gs_option *option, char *buffer, size_t size)
{
    if (option->argument || !option->words)
        return option->argument;
    join(option->words, "|", "|", buffer, size);
    return buffer;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* How many letters have to be put in, left out or replaced, or neighbours exchanged, to make one
 * name of the other. */
static size_t distance(const char *a, const char *b)
{
    enum { LONGEST = 48 };
    size_t rows[3][LONGEST + 1], length = strlen(b); /* row i is rows[i % 3] */
    if (length > LONGEST)
        return SIZE_MAX;
    for (size_t j = 0; j <= length; j++)
        rows[0][j] = j;
    size_t i = 0;
    for (; a[i]; i++) {
        const size_t *before = rows[(i + 2) % 3], *above = rows[i % 3];
        size_t *row = rows[(i + 1) % 3];
        row[0] = i + 1;
        for (size_t j = 0; j < length; j++) {
            row[j + 1] = least(above[j] + (a[i] != b[j]), least(row[j], above[j + 1]) + 1);
            if (i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j])
                row[j + 1] = least(row[j + 1], before[j - 1] + 1);
        }
    }
    return rows[i % 3][length];
}

const char *gs_nearest(const char *wrong, const char *const *names, size_t count)
{
    const char *nearest = NULL;
    size_t best = SIZE_MAX, given = strlen(wrong);
    for (size_t i = 0; i < count; i++) {
        size_t found = distance(wrong, names[i]), length = strlen(names[i]);
        size_t longer = length > given ? length : given;
        if (found >= best || found > longer / 3) /* a third may be wrong */
            continue;
        nearest = names[i];
        best = found;
    }
    return nearest;
}
