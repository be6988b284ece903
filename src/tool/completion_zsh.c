/*
 * completion_zsh.c - the completion of zsh: the specifications of _arguments, made from the tables.
 */
#include "gumshoe/unit.h"
#include "tool/completion.h"

#include <string.h>

static const char head[] = "#compdef gumshoe\n"
                           "# zsh completion for gumshoe, as 'gumshoe completion zsh' writes it\n"
                           "\n"
                           "_gumshoe_run_names() {\n"
                           "    local file=${opt_args[-p]:-${opt_args[--profile]:-gumshoe.db}}\n"
                           "    local -a runs=(last)\n"
                           "    [[ ! -f $file ]] ||\n"
                           "        runs+=(${(f)\"$(gumshoe runs $file 2>/dev/null |\n"
                           "            awk 'NR > 1 { print $1 }')\"})\n"
                           "    compadd -a runs\n"
                           "}\n"
                           "\n";

static const char tail[] = "_gumshoe() {\n"
                           "    local curcontext=$curcontext state line\n"
                           "    typeset -A opt_args\n"
                           "    _arguments -C '(-h --help)'{-h,--help}'[print the commands]' \\\n"
                           "        '--version[print the version]' \\\n"
                           "        '1:command:_gumshoe_commands' '*::argument:->argument'\n"
                           "    [[ $state != argument ]] || _gumshoe_command $words[1]\n"
                           "}\n"
                           "\n"
                           "_gumshoe \"$@\"\n";

/* Text between quotes of the shell, with what _arguments would take for its own escaped. */
static void print_text(FILE *to, const char *text)
{
    gs_complete_put(to, text, ":[]\\", "'\\''");
}

/* What completes a value, behind "message:". */
static void print_action(FILE *to, gs_value value, const gs_word *words)
{
    char names[GS_COMPLETE_LIST];
    gs_complete_list(value, words, names, sizeof names);
    if (value == GS_VALUE_DIRECTORY)
        fputs("_files -/", to);
    else if (value == GS_VALUE_FILE)
        fputs("_files", to);
    else if (value == GS_VALUE_RUN)
        fputs("_gumshoe_run_names", to);
    else if (gs_complete_files(value))
        fprintf(to, "_gumshoe_%s", value == GS_VALUE_CORE ? "cores" : "boards");
    else if (names[0]) {
        fputc('(', to);
        print_text(to, names);
        fputc(')', to);
    } else
        fputc(' ', to);
}

static void print_option(FILE *to, const gs_option *option)
{
    char text[60], words[96];
    const char *argument = gs_option_argument(option, words, sizeof words);
    const char *several =
        option->store == GS_STORE_LIST || option->store == GS_STORE_CALL ? "*" : "";
    fputs(" \\\n            ", to);
    if (option->letter)
        fprintf(to, "'(-%c --%s)'{-%c%s,--%s%s}'", option->letter, option->name, option->letter,
                argument ? "+" : "", option->name, argument ? "=" : "");
    else
        fprintf(to, "'%s--%s%s", several, option->name, argument ? "=" : "");
    fputc('[', to);
    print_text(to, gs_complete_brief(option->text, text, sizeof text));
    fputc(']', to);
    if (argument) {
        fputc(':', to);
        print_text(to, argument);
        fputc(':', to);
        print_action(to, option->value, option->words);
    }
    fputc('\'', to);
}

static void print_rows(FILE *to, const gs_option_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        print_option(to, rows->at[i].option);
}

/* Behind the options. `first` is the number of the first argument that is not a kind. */
static void print_arguments(FILE *to, const gs_command *command, int first)
{
    if (command->actions) {
        fputs(" \\\n            '1:action:", to);
        print_action(to, GS_VALUE_NONE, command->actions);
        fputc('\'', to);
        first++;
    }
    if (command->argument == GS_VALUE_NONE)
        return;
    fputs(" \\\n            '", to);
    if (command->program)
        fprintf(to, "%d:program:_files' '*::argument:_files'", first);
    else {
        fputs("*:argument:", to);
        print_action(to, command->argument, NULL);
        fputc('\'', to);
    }
}

static void print_arguments_call(FILE *to, const gs_command *command)
{
    fprintf(to, "        _arguments%s", command->program ? " -S -A '-*'" : "");
}

/* A kind is a word before the options. */
static void print_kinds(FILE *to, const gs_command *command)
{
    gs_option_rows rows;
    gs_option own[GS_OPTIONS_MAX];
    fputs("        case $words[2] in\n", to);
    for (size_t kind = 0; kind < gs_unit_kind_count(); kind++) {
        if (!command->has_kind(kind))
            continue;
        gs_complete_rows(&rows, command, &kind, own);
        fprintf(to, "        %s)", gs_unit_kind_name(kind));
        fputs(" (( CURRENT == 2 )) || { shift words; (( CURRENT-- )) }\n    ", to);
        print_arguments_call(to, command);
        print_rows(to, &rows);
        print_arguments(to, command, 1);
        fputs(" ;;\n", to);
    }
    fputs("        *) _gumshoe_kinds ;;\n        esac ;;\n", to);
}

static void print_command(FILE *to, const gs_command *command)
{
    gs_option_rows rows;
    gs_option own[GS_OPTIONS_MAX];
    fprintf(to, "    %s)\n", command->name);
    if (command->has_kind) {
        print_kinds(to, command);
        return;
    }
    gs_complete_rows(&rows, command, NULL, own);
    print_arguments_call(to, command);
    print_rows(to, &rows);
    print_arguments(to, command, 1);
    fputs(" ;;\n", to);
}

static void print_name_function(FILE *to, const char *name, gs_value value)
{
    char names[GS_COMPLETE_LIST];
    fprintf(to, "_gumshoe_%s() {\n    compadd -- %s\n%s}\n\n", name,
            gs_complete_list(value, NULL, names, sizeof names),
            gs_complete_files(value) ? "    _files\n" : "");
}

void gs_complete_zsh(FILE *to)
{
    fputs(head, to);
    print_name_function(to, "cores", GS_VALUE_CORE);
    print_name_function(to, "boards", GS_VALUE_BOARD);
    print_name_function(to, "kinds", GS_VALUE_UNIT);
    fputs("_gumshoe_commands() {\n    local -a commands=(\n", to);
    for (const gs_command *const *command = gs_commands; *command; command++) {
        fprintf(to, "        '%s:", (*command)->name);
        print_text(to, (*command)->summary);
        fputs("'\n", to);
    }
    fputs("        'help:print the help of a command'\n    )\n"
          "    _describe command commands\n}\n\n_gumshoe_command() {\n    case $1 in\n"
          "    help) _gumshoe_commands ;;\n",
          to);
    for (const gs_command *const *command = gs_commands; *command; command++)
        print_command(to, *command);
    fputs("    esac\n}\n\n", to);
    fputs(tail, to);
}
