/*
 * gumshoe - follows every cycle an embedded program spends and never touches it.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "gumshoe/version.h"
#include "tool/progress.h"
#include "tool/terminal.h"
#include "tool/tool.h"

static const char overview[] =
    "Usage: gumshoe COMMAND [OPTIONS] ...\n"
    "\n"
    "Gumshoe runs unmodified RISC-V and MIPS programs and follows what they do.\n"
    "\n"
    "Commands:\n";

static const char after_overview[] =
    "\n"
    "'gumshoe COMMAND --help' describes one command, 'gumshoe --version' prints\n"
    "the version. Every command has a manual page: man gumshoe-run, for example.\n"
    "\n"
    "Start with\n"
    "    gumshoe run program.elf\n";

static void print_overview(FILE *to)
{
    fputs(overview, to);
    for (const gs_command *const *command = gs_commands; *command; command++)
        fprintf(to, "  %-10s %s\n", (*command)->name, (*command)->summary);
    fputs(after_overview, to);
}

static int no_such_command(const char *name)
{
    const char *names[32];
    size_t count = 0;
    while (gs_commands[count]) {
        names[count] = gs_commands[count]->name;
        count++;
    }
    const char *near = gs_nearest(name, names, count);
    if (near)
        gs_complain("there is no command '%s'; did you mean '%s'?", name, near);
    else
        gs_complain("there is no command '%s'; 'gumshoe --help' lists them", name);
    return GS_TOOL_USAGE;
}

/* Output that could not be written is an error, even when everything else went well; unless its
 * other end was closed, as behind "| head". */
static int finish(int status)
{
    gs_progress_stop();
    bool written = fflush(stdout) == 0 && !ferror(stdout);
    if (!written && status == GS_TOOL_OK && !gs_terminal_is_gone()) {
        gs_complain("cannot write to standard output: %s", strerror(errno));
        status = GS_TOOL_INPUT;
    }
    gs_terminal_finish();
    return status;
}

static bool is_help(const char *text)
{
    return strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0;
}

static int show_help(const char *name)
{
    const gs_command *command = gs_command_find(name);
    if (!command)
        return no_such_command(name);
    gs_command_help(stdout, command);
    return finish(GS_TOOL_OK);
}

int main(int argc, char **argv)
{
    signal(SIGPIPE, SIG_IGN); /* a closed pipe is an error to report, not a way to die */
    signal(SIGXFSZ, SIG_IGN); /* and so is a file that becomes too large */
    if (argc < 2) {
        print_overview(stderr);
        return GS_TOOL_USAGE;
    }
    if (is_help(argv[1]) || (strcmp(argv[1], "help") == 0 && argc == 2)) {
        print_overview(stdout);
        return finish(GS_TOOL_OK);
    }
    if (strcmp(argv[1], "help") == 0)
        return show_help(argv[2]);
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        printf("gumshoe %s\n", GUMSHOE_VERSION);
        return finish(GS_TOOL_OK);
    }
    const gs_command *command = gs_command_find(argv[1]);
    if (!command)
        return no_such_command(argv[1]);
    if (argc > 2 && is_help(argv[2])) {
        gs_command_help(stdout, command);
        return finish(GS_TOOL_OK);
    }
    return finish(command->run(argc - 1, argv + 1));
}
