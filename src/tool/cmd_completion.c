/* gumshoe completion: writes the completion script of a shell. */
#include "tool/completion.h"

static const char before_options[] =
    "Usage: gumshoe completion bash|zsh|fish\n"
    "\n"
    "Writes the completion of a shell: a script that lets the Tab key complete\n"
    "commands, options, names of cores, boards and metrics, and files. Installed\n"
    "packages have the scripts where the shells look for them.\n"
    "\n"
    "Options:\n";

static const char after_options[] =
    "\n"
    "Exit status: 0; 2 if the command line is wrong.\n"
    "\n"
    "Examples:\n"
    "  source <(gumshoe completion bash)\n"
    "  gumshoe completion fish > ~/.config/fish/completions/gumshoe.fish\n";

enum { BASH, ZSH, FISH };
static const gs_word shells[] = {[BASH] = {"bash", "a script to be sourced"},
                                 [ZSH] = {"zsh", "the function _gumshoe, for $fpath"},
                                 [FISH] = {"fish", "the file gumshoe.fish"},
                                 {0}};
static const gs_option table[] = {{0}};

static int completion(int argc, char **argv)
{
    static void (*const write[])(FILE *) = {
        [BASH] = gs_complete_bash, [ZSH] = gs_complete_zsh, [FISH] = gs_complete_fish};
    gs_rest rest;
    int usage = gs_command_parse(&gs_cmd_completion, argc, argv, NULL, &rest);
    if (usage >= 0)
        return usage;
    if (rest.count > 0)
        return gs_usage_error(&gs_cmd_completion, "one shell at a time");
    write[rest.action](stdout);
    return GS_TOOL_OK;
}

const gs_command gs_cmd_completion = {
    .name = "completion",
    .summary = "write the completion of a shell",
    .before = before_options,
    .options = table,
    .after = after_options,
    .run = completion,
    .usage_status = GS_TOOL_USAGE,
    .actions = shells,
    .needs_action = true,
};
