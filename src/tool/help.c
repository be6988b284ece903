/*
 * help.c - a command's help page, wrapped for a terminal of 80 columns.
 */
#include <string.h>

#include "tool/option.h"
#include "tool/tool.h"

enum { WIDTH = 80, TEXT_COLUMN = 26, WORD_COLUMN = TEXT_COLUMN + 2 };

/* Prints a text from `column` on, where the line has come to; further lines begin there, too. */
static void print_wrapped(FILE *to, const char *text, size_t column)
{
    size_t at = column;
    while (*text) {
        size_t length = strcspn(text, " ");
        if (at > column && at + 1 + length > WIDTH) {
            fprintf(to, "\n%*s", (int)column, "");
            at = column;
        } else if (at > column) {
            fputc(' ', to);
            at++;
        }
        fwrite(text, 1, length, to);
        at += length;
        text += length + strspn(text + length, " ");
    }
    fputc('\n', to);
}

/* The values with what they mean, if that is said. */
static void print_words(FILE *to, const gs_word *words)
{
    size_t longest = 0;
    bool explained = false;
    for (const gs_word *word = words; word && word->name; word++) {
        longest = strlen(word->name) > longest ? strlen(word->name) : longest;
        explained |= word->text != NULL;
    }
    for (const gs_word *word = words; explained && word->name; word++) {
        fprintf(to, "%*s", WORD_COLUMN, "");
        if (!word->text) {
            fprintf(to, "%s\n", word->name);
            continue;
        }
        fprintf(to, "%-*s", (int)longest + 2, word->name);
        print_wrapped(to, word->text, WORD_COLUMN + longest + 2);
    }
}

static void print_option(FILE *to, const gs_option *option)
{
    char usage[128], words[96], letter[8] = "", text[1024];
    const char *argument = gs_option_argument(option, words, sizeof words);
    if (option->letter)
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    int length = snprintf(usage, sizeof usage, "  %s--%s%s%s", letter, option->name,
                          argument ? " " : "", argument ? argument : "");
    fputs(usage, to);
    if (length + 2 > TEXT_COLUMN) {
        fputc('\n', to);
        length = 0;
    }
    fprintf(to, "%*s", TEXT_COLUMN - length, "");
    snprintf(text, sizeof text, "%s%s%s", option->only ? option->only : "",
             option->only ? ": " : "", option->text);
    print_wrapped(to, text, TEXT_COLUMN);
    print_words(to, option->words);
}

void gs_options_print(FILE *to, const gs_option *table)
{
    gs_option_rows rows;
    gs_option_rows_make(&rows, table);
    for (size_t i = 0; i < rows.count; i++)
        print_option(to, rows.at[i].option);
}

void gs_command_help(FILE *to, const gs_command *command)
{
    fputs(command->before, to);
    gs_options_print(to, command->options);
    gs_options_print(to, gs_help_options);
    fputs(command->after, to);
}
