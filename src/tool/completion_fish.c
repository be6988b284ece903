/*
 * completion_fish.c - the completion of fish: a line for every option of every command.
 */
#include "gumshoe/unit.h"
#include "tool/completion.h"

static const char head[] =
    "# fish completion for gumshoe, as 'gumshoe completion fish' writes it\n"
    "\n"
    "function __gumshoe_in # COMMAND [KIND]: what is typed is an argument of this\n"
    "    set -l typed (commandline -opc)\n"
    "    test (count $typed) -gt (count $argv); and test \"$typed[2]\" = \"$argv[1]\"\n"
    "    and begin\n"
    "        test (count $argv) -lt 2; or test \"$typed[3]\" = \"$argv[2]\"\n"
    "    end\n"
    "end\n"
    "\n"
    "function __gumshoe_at # COMMAND: what is typed is its first argument\n"
    "    set -l typed (commandline -opc)\n"
    "    test (count $typed) -eq 2; and test \"$typed[2]\" = \"$argv[1]\"\n"
    "end\n"
    "\n"
    "function __gumshoe_run_names\n"
    "    echo last\n"
    "    set -l file gumshoe.db\n"
    "    set -l typed (commandline -opc)\n"
    "    for i in (seq (count $typed))\n"
    "        contains -- \"$typed[$i]\" -p --profile; and set file $typed[(math $i + 1)]\n"
    "    end\n"
    "    test -f \"$file\"; and gumshoe runs $file 2>/dev/null | awk 'NR > 1 { print $1 }'\n"
    "end\n"
    "\n"
    "complete -c gumshoe -n __fish_use_subcommand -f -s h -l help -d 'print the commands'\n"
    "complete -c gumshoe -n __fish_use_subcommand -f -l version -d 'print the version'\n";

/* Between single quotes. */
static void print_text(FILE *to, const char *text)
{
    gs_complete_put(to, text, "\\", "\\'");
}

static void print_line(FILE *to, const char *condition, const char *command, const char *kind)
{
    fprintf(to, "complete -c gumshoe -n '%s %s%s%s'", condition, command, kind ? " " : "",
            kind ? kind : "");
}

static void print_value(FILE *to, gs_value value, const gs_word *words)
{
    char names[GS_COMPLETE_LIST];
    gs_complete_list(value, words, names, sizeof names);
    if (value == GS_VALUE_DIRECTORY)
        fputs(" -a '(__fish_complete_directories)'", to);
    else if (value == GS_VALUE_RUN)
        fputs(" -a '(__gumshoe_run_names)'", to);
    else if (names[0])
        fprintf(to, " -a '%s'", names);
}

static void print_option(FILE *to, const char *command, const char *kind, const gs_option *option)
{
    char text[60];
    print_line(to, "__gumshoe_in", command, kind);
    if (option->letter)
        fprintf(to, " -s %c", option->letter);
    fprintf(to, " -l %s", option->name);
    if (option->argument || option->words) {
        bool files = gs_complete_files(option->value) && option->value != GS_VALUE_DIRECTORY;
        fputs(files ? " -r -F" : " -x", to);
        print_value(to, option->value, option->words);
    }
    fputs(" -d '", to);
    print_text(to, gs_complete_brief(option->text, text, sizeof text));
    fputs("'\n", to);
}

static void print_rows(FILE *to, const gs_command *command, const size_t *kind)
{
    gs_option_rows rows;
    gs_option own[GS_OPTIONS_MAX];
    gs_complete_rows(&rows, command, kind, own);
    for (size_t i = 0; i < rows.count; i++)
        print_option(to, command->name, kind ? gs_unit_kind_name(*kind) : NULL, rows.at[i].option);
}

static void print_arguments(FILE *to, const gs_command *command)
{
    if (command->has_kind || command->actions) {
        print_line(to, "__gumshoe_at", command->name, NULL);
        fputs(" -f", to);
        print_value(to, command->has_kind ? GS_VALUE_UNIT : GS_VALUE_NONE, command->actions);
        fputc('\n', to);
    }
    bool files = gs_complete_files(command->argument);
    print_line(to, "__gumshoe_in", command->name, NULL);
    fputs(files ? " -F" : " -f", to);
    print_value(to, command->argument, NULL);
    fputc('\n', to);
}

void gs_complete_fish(FILE *to)
{
    fputs(head, to);
    for (const gs_command *const *at = gs_commands; *at; at++) {
        const gs_command *command = *at;
        fprintf(to, "\ncomplete -c gumshoe -n __fish_use_subcommand -f -a %s -d '", command->name);
        print_text(to, command->summary);
        fputs("'\n", to);
        print_arguments(to, command);
        for (size_t kind = 0; command->has_kind && kind < gs_unit_kind_count(); kind++) {
            if (command->has_kind(kind))
                print_rows(to, command, &kind);
        }
        if (!command->has_kind)
            print_rows(to, command, NULL);
    }
}
