/*
 * parse.c - reads a command line as the command's table of options says.
 */
#include <getopt.h>
#include <string.h>

#include "tool/option.h"
#include "tool/tool.h"

enum { FIRST_LONG = 256 }; /* what getopt_long() returns for the first row's long name */

static int no_such_option(const gs_syntax *syntax, const gs_option_rows *rows, const char *given)
{
    const char *names[GS_OPTIONS_MAX], *near = NULL;
    char wrong[64], hint[96] = "";
    for (size_t i = 0; i < rows->count; i++)
        names[i] = rows->at[i].option->name;
    if (strncmp(given, "--", 2) == 0) {
        snprintf(wrong, sizeof wrong, "%.*s", (int)strcspn(given + 2, "="), given + 2);
        near = gs_nearest(wrong, names, rows->count);
    }
    if (near)
        snprintf(hint, sizeof hint, "; did you mean --%s?", near);
    if (!syntax->unit)
        return gs_usage_error(syntax->command, "there is no option %s%s", given, hint);
    return gs_usage_error(syntax->command, "%s has no option %s%s%s", syntax->unit, given,
                          syntax->command->where ? syntax->command->where : "", hint);
}

/* getopt_long() has returned '?' for `given`. */
static int refuse(const gs_syntax *syntax, const gs_option_rows *rows, const char *given)
{
    char letter[] = {'-', (char)optopt, '\0'};
    if (optopt >= FIRST_LONG)
        return gs_usage_error(syntax->command, "--%s takes no value",
                              rows->at[optopt - FIRST_LONG].option->name);
    if (optopt != 0)
        return no_such_option(syntax, rows, letter);
    size_t length = strcspn(given + 2, "="), fitting = 0;
    for (size_t i = 0; i < rows->count; i++)
        fitting += strncmp(rows->at[i].option->name, given + 2, length) == 0;
    if (fitting > 1)
        return gs_usage_error(syntax->command, "%s is short for more than one option", given);
    return no_such_option(syntax, rows, given);
}

static int wants(const gs_command *command, const gs_option *option, const char *standard,
                 const char *value)
{
    return gs_usage_error(command, "--%s wants %s, not '%s'", option->name,
                          option->wants ? option->wants : standard, value);
}

static int store_count(uint64_t *to, const gs_command *command, const gs_option *option,
                       const char *value)
{
    if (gs_parse_count(value, to) && *to >= option->least &&
        (option->most == 0 || *to <= option->most))
        return -1;
    return wants(command, option, "a number", value);
}

static int store_word(unsigned *to, const gs_command *command, const gs_option *option,
                      const char *value)
{
    char known[256];
    for (const gs_word *word = option->words; word->name; word++) {
        if (strcmp(word->name, value) == 0) {
            *to = (unsigned)(word - option->words);
            return -1;
        }
    }
    gs_words_join(option->words, " or ", known, sizeof known);
    return gs_usage_error(command, "--%s is %s, not '%s'", option->name, known, value);
}

static int store_item(gs_list *list, const gs_command *command, const gs_option *option,
                      const char *value)
{
    if (list->count == GS_LIST_MAX)
        return gs_usage_error(command, "--%s at most %d times", option->name, GS_LIST_MAX);
    list->at[list->count++] = value;
    return -1;
}

/* -1 to go on, or the exit status. */
static int store(const gs_syntax *syntax, const gs_option *option, void *member, const char *value)
{
    const gs_command *command = syntax->command;
    switch (option->store) {
    case GS_STORE_SWITCH: *(bool *)member = true; return -1;
    case GS_STORE_TEXT:
        *(const char **)member = value;
        return option->value == GS_VALUE_METRIC ? gs_check_metric(command, value) : -1;
    case GS_STORE_LIST: return store_item(member, command, option, value);
    case GS_STORE_COUNT: return store_count(member, command, option, value);
    case GS_STORE_SIZE:
        return gs_parse_size(value, member) ? -1
                                            : wants(command, option, "a size such as 64M", value);
    case GS_STORE_WORD: return store_word(member, command, option, value);
    case GS_STORE_CALL: return option->set(member, command, option, value);
    case GS_STORE_HELP:
    case GS_STORE_GROUP: break;
    }
    return -1;
}

static int take(const gs_syntax *syntax, gs_option_row row, char *arguments)
{
    const gs_option *option = row.option;
    if (option->store == GS_STORE_HELP) {
        if (syntax->help)
            syntax->help(arguments);
        else
            gs_command_help(stdout, syntax->command);
        return GS_TOOL_OK;
    }
    if (option->given)
        *(bool *)(arguments + row.base + option->given - 1) = true;
    return store(syntax, option, arguments + row.base + option->at, optarg);
}

/* The table as getopt_long() wants it. `letters` begins with "+:" or ":". */
static void make_getopt(const gs_option_rows *rows, struct option *options, char *letters)
{
    char *to = letters + strlen(letters);
    for (size_t i = 0; i < rows->count; i++) {
        const gs_option *option = rows->at[i].option;
        bool takes_value = option->argument || option->words;
        options[i] = (struct option){option->name, takes_value ? required_argument : no_argument,
                                     NULL, FIRST_LONG + (int)i};
        if (option->letter)
            *to++ = option->letter;
        if (option->letter && takes_value)
            *to++ = ':';
    }
    options[rows->count] = (struct option){0};
    *to = '\0';
}

static size_t find_row(const gs_option_rows *rows, int returned)
{
    size_t i = 0;
    if (returned >= FIRST_LONG)
        return (size_t)(returned - FIRST_LONG);
    while (rows->at[i].option->letter != returned)
        i++;
    return i;
}

/* The first action that an option is for, if it is for some only. */
static bool is_for(const gs_option *option, const char *action)
{
    size_t length = strlen(action);
    for (const char *at = option->only; at && *at; at += strcspn(at, " ")) {
        at += strspn(at, ", ");
        if (strncmp(at, action, length) == 0 && strchr(", ", at[length]))
            return true;
    }
    return !option->only;
}

/* Takes the action from what is left, and holds the options to it. -1 or the exit status. */
static int take_action(const gs_command *command, const gs_option_rows *rows, const bool *given,
                       gs_rest *rest)
{
    char known[128];
    const gs_word *actions = command->actions;
    gs_words_join(actions, " or ", known, sizeof known);
    if (rest->count == 0 && command->needs_action)
        return actions[1].name ? gs_usage_error(command, "%s?", known)
                               : gs_usage_error(command, "'%s' has to follow", known);
    while (actions[rest->action].name &&
           (rest->count == 0 || strcmp(actions[rest->action].name, rest->at[0]) != 0))
        rest->action++;
    const char *action = actions[rest->action].name;
    const bool implied = !action && command->first_action_implied;
    if (implied)
        action = actions[rest->action = 0].name;
    if (!action && rest->count > 0)
        return gs_usage_error(command, "%s%s, not '%s'", known,
                              command->needs_action ? "" : " or nothing", rest->at[0]);
    for (size_t i = 0; i < rows->count; i++) {
        const gs_option *option = rows->at[i].option;
        if (given[i] && !is_for(option, action ? action : ""))
            return action
                       ? gs_usage_error(command, "--%s means nothing to '%s'", option->name, action)
                       : gs_usage_error(command, "--%s is for '%s'", option->name, known);
    }
    if (action && !implied) {
        rest->count--;
        rest->at++;
    }
    return -1;
}

int gs_options_parse(const gs_syntax *syntax, int argc, char **argv, void *arguments, gs_rest *rest)
{
    gs_option_rows rows;
    struct option options[GS_OPTIONS_MAX + 1];
    bool given[GS_OPTIONS_MAX] = {false};
    char letters[2 * GS_OPTIONS_MAX + 3];
    int option, status = -1;
    gs_option_rows_make(&rows, syntax->table);
    strcpy(letters, syntax->command->program ? "+:" : ":");
    make_getopt(&rows, options, letters);
    opterr = 0;
    optind = 1;
    /* Where options end at a program, its action comes before them. */
    const bool action_first =
        syntax->command->program && syntax->command->actions && argc > 1 && argv[1][0] != '-';
    char **action_at = argv + 1;
    if (action_first) {
        argc--;
        argv++;
    }
    while (status < 0 && (option = getopt_long(argc, argv, letters, options, NULL)) != -1) {
        const char *at = argv[optind - 1];
        if (option == '?')
            return refuse(syntax, &rows, at);
        if (option == ':')
            return gs_usage_error(syntax->command, "%s wants a value", at);
        size_t row = find_row(&rows, option);
        given[row] = true;
        status = take(syntax, rows.at[row], arguments);
    }
    *rest = (gs_rest){.count = argc - optind, .at = argv + optind};
    if (status >= 0 || !syntax->command->actions)
        return status;
    if (!syntax->command->program)
        return take_action(syntax->command, &rows, given, rest);
    gs_rest first = {.count = action_first, .at = action_at};
    status = take_action(syntax->command, &rows, given, &first);
    rest->action = first.action;
    return status;
}

int gs_command_parse(const gs_command *command, int argc, char **argv, void *arguments,
                     gs_rest *rest)
{
    const gs_option table[] = {{.rows = command->options}, {.rows = gs_help_options}, {0}};
    gs_syntax syntax = {.command = command, .table = table};
    return gs_options_parse(&syntax, argc, argv, arguments, rest);
}
