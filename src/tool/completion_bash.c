/*
 * completion_bash.c - the completion of bash.
 *
 * The script asks two functions made from the tables: one prints the options of a command (and
 * a kind of unit), the other sets what can stand behind an option. bash takes "=" and ":" for
 * ends of words, which is why the line is split again.
 */
#include "gumshoe/unit.h"
#include "tool/completion.h"

static const char head[] = "# bash completion for gumshoe, as 'gumshoe completion bash' writes it\n"
                           "\n";

static const char tail[] =
    "_gumshoe_runs() { # of the profile file that -p or the default names\n"
    "    local i file=gumshoe.db\n"
    "    for ((i = 2; i < ${#typed[@]} - 1; i++)); do\n"
    "        case ${typed[i]} in\n"
    "        -p | --profile) file=${typed[i + 1]} ;;\n"
    "        --profile=*) file=${typed[i]#*=} ;;\n"
    "        *.db) file=${typed[i]} ;;\n"
    "        esac\n"
    "    done\n"
    "    [[ ! -f $file ]] || \"${typed[0]}\" runs \"$file\" 2>/dev/null | awk 'NR > 1 { print $1 "
    "}'\n"
    "}\n"
    "\n"
    "_gumshoe() {\n"
    "    local line=${COMP_LINE:0:COMP_POINT} cur value word command kind='' pending='' breaks "
    "keep=''\n"
    "    local words='' files='' runs='' program='' prefix='' arguments=0 i last\n"
    "    local -a typed\n"
    "    read -ra typed <<<\"$line\"\n"
    "    [[ $line != *[[:space:]] ]] || typed+=('')\n"
    "    last=$((${#typed[@]} - 1))\n"
    "    cur=${typed[last]} value=$cur command=${typed[1]}\n"
    "    for ((i = 2; i < last; i++)); do\n"
    "        word=${typed[i]}\n"
    "        if [[ $pending ]]; then\n"
    "            pending=\n"
    "        elif [[ $word == --*=* ]]; then\n"
    "            :\n"
    "        elif [[ $word == -?* ]]; then\n"
    "            ! _gumshoe_value \"$command\" \"$kind\" \"$word\" || pending=$word\n"
    "        else\n"
    "            arguments=$((arguments + 1))\n"
    "            [[ $arguments -gt 1 || \" $_gumshoe_with_kinds \" != *\" $command \"* ]] || "
    "kind=$word\n"
    "            _gumshoe_arguments \"$command\" $arguments\n"
    "            [[ ! $program ]] || break # what follows belongs to the program\n"
    "        fi\n"
    "    done\n"
    "    words= files= runs=\n"
    "    if [[ $last -le 1 ]]; then\n"
    "        words=$_gumshoe_commands' help --help --version'\n"
    "    elif [[ $program ]]; then\n"
    "        files=-f\n"
    "    elif [[ $pending ]]; then\n"
    "        _gumshoe_value \"$command\" \"$kind\" \"$pending\"\n"
    "    elif [[ $cur == --*=* ]]; then\n"
    "        prefix=${cur%%=*}= value=${cur#*=}\n"
    "        _gumshoe_value \"$command\" \"$kind\" \"${cur%%=*}\"\n"
    "    elif [[ $cur == -* ]]; then\n"
    "        words=$(_gumshoe_options \"$command\" \"$kind\")\n"
    "    else\n"
    "        _gumshoe_arguments \"$command\" $((arguments + 1))\n"
    "    fi\n"
    "    [[ ! $runs ]] || words+=\" $(_gumshoe_runs)\"\n"
    "    mapfile -t COMPREPLY < <(\n"
    "        compgen -W \"$words\" -- \"$value\"\n"
    "        [[ ! $files ]] || compgen $files -- \"$value\"\n"
    "    )\n"
    "    [[ ! $files ]] || compopt -o filenames 2>/dev/null\n"
    "    # What bash takes for earlier words stays on the line.\n"
    "    breaks=${COMP_WORDBREAKS//[^=:]/}\n"
    "    [[ ! $breaks ]] || {\n"
    "        keep=${cur%\"${cur##*[$breaks]}\"}\n"
    "        keep=${keep#\"$prefix\"}\n"
    "        COMPREPLY=(\"${COMPREPLY[@]#\"$keep\"}\")\n"
    "    }\n"
    "    [[ $breaks == *=* || $keep || ! $prefix ]] || COMPREPLY=(\"${COMPREPLY[@]/#/$prefix}\")\n"
    "}\n"
    "complete -F _gumshoe gumshoe\n";

/* Sets what can be completed, as assignments of the shell. */
static void print_value(FILE *to, gs_value value, const gs_word *words)
{
    char names[GS_COMPLETE_LIST];
    gs_complete_list(value, words, names, sizeof names);
    if (names[0])
        fprintf(to, " words='%s'", names);
    else if (value == GS_VALUE_NONE)
        fputs(" :", to);
    if (gs_complete_files(value))
        fprintf(to, " files=%s", value == GS_VALUE_DIRECTORY ? "-d" : "-f");
    if (value == GS_VALUE_RUN)
        fputs(" runs=1", to);
}

static void print_options_case(FILE *to, const char *command, const char *kind,
                               const gs_option_rows *rows)
{
    fprintf(to, "    \"%s %s\") echo '", command, kind);
    for (size_t i = 0; i < rows->count; i++) {
        const gs_option *option = rows->at[i].option;
        fprintf(to, "%s--%s", i ? " " : "", option->name);
        if (option->letter)
            fprintf(to, " -%c", option->letter);
    }
    fputs("' ;;\n", to);
}

static void print_value_cases(FILE *to, const char *command, const char *kind,
                              const gs_option_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        const gs_option *option = rows->at[i].option;
        if (!option->argument && !option->words)
            continue;
        fprintf(to, "    \"%s %s --%s\"", command, kind, option->name);
        if (option->letter)
            fprintf(to, " | \"%s %s -%c\"", command, kind, option->letter);
        fputs(")", to);
        print_value(to, option->value, option->words);
        fputs(" ;;\n", to);
    }
}

typedef void case_printer(FILE *to, const char *command, const char *kind,
                          const gs_option_rows *rows);

/* For each command, and each of its kinds if it has any. */
static void print_cases(FILE *to, case_printer *print)
{
    for (const gs_command *const *command = gs_commands; *command; command++) {
        gs_option_rows rows;
        gs_option own[GS_OPTIONS_MAX];
        for (size_t kind = 0; (*command)->has_kind && kind < gs_unit_kind_count(); kind++) {
            if (!(*command)->has_kind(kind))
                continue;
            gs_complete_rows(&rows, *command, &kind, own);
            print(to, (*command)->name, gs_unit_kind_name(kind), &rows);
        }
        gs_complete_rows(&rows, *command, NULL, own);
        print(to, (*command)->name, "", &rows);
    }
}

static void print_arguments_case(FILE *to, const gs_command *command)
{
    int first = 1;
    const char *name = command->name;
    if (command->has_kind || command->actions) {
        fprintf(to, "    \"%s 1\")", name);
        print_value(to, command->has_kind ? GS_VALUE_UNIT : GS_VALUE_NONE, command->actions);
        fputs(" ;;\n", to);
        first = 2;
    }
    if (command->argument == GS_VALUE_NONE)
        return;
    if (command->program)
        fprintf(to, "    \"%s %d\") program=1", name, first);
    else
        fprintf(to, "    \"%s \"*)", name);
    print_value(to, command->argument, NULL);
    fputs(" ;;\n", to);
}

static void print_names(FILE *to, const char *variable, bool with_kinds)
{
    fprintf(to, "%s='", variable);
    for (const gs_command *const *command = gs_commands; *command; command++) {
        if (!with_kinds || (*command)->has_kind)
            fprintf(to, "%s ", (*command)->name);
    }
    fputs("'\n", to);
}

void gs_complete_bash(FILE *to)
{
    fputs(head, to);
    print_names(to, "_gumshoe_commands", false);
    print_names(to, "_gumshoe_with_kinds", true);
    fputs("\n_gumshoe_options() { # COMMAND KIND\n    case \"$1 $2\" in\n", to);
    print_cases(to, print_options_case);
    fputs("    esac\n}\n\n_gumshoe_value() { # COMMAND KIND OPTION; false if it takes none\n"
          "    words='' files='' runs=''\n    case \"$1 $2 $3\" in\n",
          to);
    print_cases(to, print_value_cases);
    fputs("    *) return 1 ;;\n    esac\n}\n\n_gumshoe_arguments() { # COMMAND NUMBER\n"
          "    case \"$1 $2\" in\n    \"help 1\") words=$_gumshoe_commands ;;\n",
          to);
    for (const gs_command *const *command = gs_commands; *command; command++)
        print_arguments_case(to, *command);
    fputs("    esac\n}\n\n", to);
    fputs(tail, to);
}
