/*
 * manual.c - fills the manual pages at build time: fill-manual PAGE.1.in > PAGE.1
 *
 * A page has a line with one of the markers below in place of what the tables of options say.
 * Within their texts, options and what is quoted become bold, 'gumshoe COMMAND' a reference to
 * its page, and the argument's names, in capitals as in --help, italic.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tool/tool.h"

static const char options_marker[] = ".\\\" OPTIONS "; /* followed by the command's name */
static const char commands_marker[] = ".\\\" COMMANDS\n";

static void print_char(FILE *to, char c)
{
    if (c == '\\')
        fputs("\\e", to);
    else if (c == '-')
        fputs("\\-", to);
    else
        fputc(c, to);
}

static void print_marked(FILE *to, char font, const char *text, size_t length)
{
    fprintf(to, "\\f%c", font);
    for (size_t i = 0; i < length; i++)
        print_char(to, font == 'I' ? (char)tolower((unsigned char)text[i]) : text[i]);
    fputs("\\fR", to);
}

/* The names in an argument such as KIND[:OPTIONS] are its words in capitals. */
static bool is_argument_name(const char *argument, const char *text, size_t length)
{
    for (const char *at = argument; at && *at;) {
        size_t name = strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
        if (name == length && strncmp(at, text, length) == 0)
            return true;
        at += name ? name : 1;
    }
    return false;
}

/* 'gumshoe report' and 'gumshoe run --unit', without the quotes. */
static void print_quoted(FILE *to, const char *text, size_t length)
{
    static const char gumshoe[] = "gumshoe ";
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    if (strncmp(name, gumshoe, strlen(gumshoe)) == 0 && gs_command_find(name + strlen(gumshoe))) {
        name[strlen(gumshoe) - 1] = '-';
        print_marked(to, 'B', name, length);
        fputs("(1)", to);
    } else {
        print_marked(to, 'B', text, length);
    }
}

static size_t quoted(const char *text, char before)
{
    const char *end = strchr(text + 1, '\'');
    return text[0] == '\'' && strchr(" (", before) && end ? (size_t)(end - text - 1) : 0;
}

static size_t option_length(const char *text, char before)
{
    size_t dashes = strspn(text, "-");
    if (dashes == 0 || dashes > 2 || !strchr(" (", before) || !isalpha((unsigned char)text[dashes]))
        return 0;
    return dashes + strspn(text + dashes, "abcdefghijklmnopqrstuvwxyz-");
}

/* A text in the language of manual pages, each sentence on its own line. */
static void print_text(FILE *to, const char *text, const char *argument, bool capital)
{
    char before = ' ';
    while (*text) {
        size_t option = option_length(text, before), quote = quoted(text, before);
        size_t name = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
        bool starts = !isalnum((unsigned char)before) && before != '_';
        const char *at = text;
        if (option) {
            print_marked(to, 'B', text, option);
            text += option;
        } else if (quote) {
            print_quoted(to, text + 1, quote);
            text += quote + 2;
        } else if (name && starts && !isalnum((unsigned char)text[name]) && text[name] != '_' &&
                   is_argument_name(argument, text, name)) {
            print_marked(to, 'I', text, name);
            text += name;
        } else if (strncmp(text, ". ", 2) == 0 && isupper((unsigned char)text[2])) {
            fputs(".\n", to);
            text += 2;
        } else if (name && starts) {
            fwrite(text, 1, name, to);
            text += name;
        } else if (*text == '\\') {
            print_char(to, *text++);
        } else {
            fputc(capital ? toupper((unsigned char)*text) : *text, to);
            text++;
        }
        capital = false;
        before = at < text ? text[-1] : ' ';
    }
    fputc('\n', to);
}

/* An argument such as NAME|FILE: names are italic, what is to be typed is bold. */
static void print_argument(FILE *to, const char *argument)
{
    for (const char *at = argument; *at;) {
        size_t name = strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
        size_t word = strcspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ|:=[]");
        if (name)
            print_marked(to, 'I', at, name);
        else if (word)
            print_marked(to, 'B', at, word);
        else
            fputc(*at, to);
        at += name ? name : word ? word : 1;
    }
}

static void print_words(FILE *to, const gs_word *words)
{
    if (!words || !words->name || !words->text)
        return;
    fputs(".RS\n", to);
    for (const gs_word *word = words; word->name; word++) {
        fputs(".TP\n", to);
        print_marked(to, 'B', word->name, strlen(word->name));
        fputc('\n', to);
        print_text(to, word->text, NULL, false);
    }
    fputs(".RE\n", to);
}

static void print_option(FILE *to, const gs_option *option)
{
    char buffer[128];
    const char *argument = gs_option_argument(option, buffer, sizeof buffer);
    fputs(".TP\n", to);
    if (option->letter)
        fprintf(to, "\\fB\\-%c\\fR, ", option->letter);
    fputs("\\fB\\-\\-", to);
    for (const char *c = option->name; *c; c++)
        print_char(to, *c);
    fputs("\\fR", to);
    if (argument) {
        fputc(' ', to);
        print_argument(to, argument);
    }
    fputc('\n', to);
    if (option->only) {
        print_marked(to, 'B', option->only, strlen(option->only));
        fputs(": ", to);
    }
    print_text(to, option->text, argument, !option->only);
    print_words(to, option->words);
    if (option->more && option->words && option->words->text)
        fputs(".IP\n", to);
    if (option->more)
        print_text(to, option->more, argument, false);
}

static void print_options(FILE *to, const gs_command *command)
{
    const gs_option table[] = {{.rows = command->options}, {.rows = gs_help_options}, {0}};
    gs_option_rows rows;
    gs_option_rows_make(&rows, table);
    for (size_t i = 0; i < rows.count; i++)
        print_option(to, rows.at[i].option);
}

static void print_commands(FILE *to)
{
    for (const gs_command *const *command = gs_commands; *command; command++)
        fprintf(to, ".TP\n.BR gumshoe-%s (1)\n%s\n", (*command)->name, (*command)->summary);
}

/* False if the line asks for a command that there is not. */
static bool print_line(FILE *to, const char *line)
{
    size_t marker = strlen(options_marker);
    if (strcmp(line, commands_marker) == 0) {
        print_commands(to);
    } else if (strncmp(line, options_marker, marker) == 0) {
        char name[32];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(line + marker, "\n"), line + marker);
        const gs_command *command = gs_command_find(name);
        if (!command)
            return false;
        print_options(to, command);
    } else {
        fputs(line, to);
    }
    return true;
}

int main(int argc, char **argv)
{
    FILE *page = argc == 2 ? fopen(argv[1], "r") : NULL;
    char *line = NULL;
    size_t size = 0;
    bool right = page != NULL;
    while (right && getline(&line, &size, page) > 0)
        right = print_line(stdout, line);
    free(line);
    if (page)
        fclose(page);
    if (right && fflush(stdout) == 0)
        return 0;
    fprintf(stderr, "fill-manual: cannot fill %s\n", argc == 2 ? argv[1] : "nothing");
    return 1;
}
