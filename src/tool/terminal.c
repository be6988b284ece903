/* Width, colour and pager of a terminal. */
#include "tool/terminal.h"

#include "tool/progress.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NARROWEST = 40, USUAL_WIDTH = 80 };

static pid_t pager; /* 0: none */

static const gs_word colour_words[] = {[GS_COLOUR_AUTO] = {.name = "auto"},
                                       [GS_COLOUR_ALWAYS] = {.name = "always"},
                                       [GS_COLOUR_NEVER] = {.name = "never"},
                                       {0}};

const gs_option gs_colour_options[] = {
    {"color", GS_TO_WORD(gs_terminal, when, colour_words),
     .text = "whether to colour: on a terminal (auto, the default), or as told.",
     .more = "A terminal is not coloured by default if the environment variable NO_COLOR is set."},
    {0},
};

const gs_option gs_terminal_options[] = {
    {.rows = gs_colour_options},
    {"no-pager", GS_TO_SWITCH(gs_terminal, no_pager), .text = "do not show long output in a pager.",
     .more = "See gumshoe(1)."},
    {0},
};

const gs_option gs_table_options[] = {
    {.rows = gs_terminal_options},
    {"wide", GS_TO_SWITCH(gs_terminal, wide),
     .text = "all columns and whole names, however wide a table gets.",
     .more = "Without it a table is made to fit the terminal, or 80 columns if standard output is "
             "none: names are shortened, and columns that can be spared are left out."},
    {0},
};

static const char *setting(const char *name)
{
    const char *value = getenv(name);
    return value && value[0] ? value : NULL;
}

static bool is_dumb(void)
{
    const char *kind = setting("TERM");
    return !kind || strcmp(kind, "dumb") == 0;
}

bool gs_terminal_colours(const gs_terminal *terminal, FILE *stream)
{
    if (terminal->when != GS_COLOUR_AUTO)
        return terminal->when == GS_COLOUR_ALWAYS;
    return isatty(fileno(stream)) && !is_dumb() && !setting("NO_COLOR");
}

/* COLUMNS, if it is set, is taken before what the terminal says. */
static unsigned width_of(int fd)
{
    struct winsize size;
    uint64_t columns;
    if (setting("COLUMNS") && gs_parse_count(setting("COLUMNS"), &columns) &&
        columns >= NARROWEST && columns <= UINT16_MAX)
        return (unsigned)columns;
    if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return USUAL_WIDTH;
    return size.ws_col < NARROWEST ? NARROWEST : size.ws_col;
}

unsigned gs_terminal_table_width(const gs_terminal *terminal, FILE *stream)
{
    return terminal->wide ? 0 : width_of(fileno(stream));
}

static bool is_in_path(const char *program)
{
    const char *path = setting("PATH");
    for (const char *at = path ? path : ""; *at;) {
        size_t length = strcspn(at, ":");
        char *file;
        if (asprintf(&file, "%.*s/%s", (int)length, at, program) < 0)
            return false;
        bool found = access(file, X_OK) == 0;
        free(file);
        if (found)
            return true;
        at += length + (at[length] == ':');
    }
    return false;
}

/* The command, for a shell; NULL for none. An empty one, or cat, means that none is wanted. */
static const char *choose_pager(void)
{
    const char *command = getenv("GUMSHOE_PAGER");
    if (!command)
        command = getenv("PAGER");
    if (!command)
        command = is_in_path("less") ? "less" : "";
    return command[0] && strcmp(command, "cat") != 0 ? command : NULL;
}

static void become_pager(const char *command, int input)
{
    struct pollfd text = {.fd = input, .events = POLLIN};
    signal(SIGINT, SIG_IGN); /* is for the program that is run until then */
    while (poll(&text, 1, -1) < 0 && errno == EINTR) {
    }
    if (!(text.revents & POLLIN))
        _exit(0);
    signal(SIGINT, SIG_DFL);
    dup2(input, STDIN_FILENO);
    close(input);
    signal(SIGPIPE, SIG_DFL);
    setenv("LESS", "FRX", 0); /* gone if it fits on the screen; colours; the text stays there */
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

/* Without a pager the output still goes to the terminal, so what fails here fails quietly. */
static void start_pager(const char *command)
{
    int ends[2];
    if (pipe(ends) != 0)
        return;
    fflush(NULL);
    pager = fork();
    if (pager == 0) {
        close(ends[1]);
        become_pager(command, ends[0]);
    }
    close(ends[0]);
    if (pager > 0)
        dup2(ends[1], STDOUT_FILENO);
    else
        pager = 0;
    close(ends[1]);
}

void gs_terminal_prepare(gs_terminal *terminal)
{
    bool to_person = isatty(STDOUT_FILENO);
    terminal->prepared = true;
    terminal->colour = gs_terminal_colours(terminal, stdout);
    terminal->table_width = gs_terminal_table_width(terminal, stdout);
    terminal->width = to_person ? terminal->table_width : 0;
    if (!to_person || terminal->no_pager || is_dumb() || pager)
        return;
    const char *command = choose_pager();
    if (command)
        start_pager(command);
}

void gs_terminal_start(gs_terminal *terminal)
{
    if (pager || isatty(STDOUT_FILENO))
        gs_progress_stop();
    if (!terminal->prepared)
        gs_terminal_prepare(terminal);
    if (pager)
        signal(SIGINT, SIG_IGN); /* the pager's, while it runs */
}

void gs_terminal_finish(void)
{
    if (!pager)
        return;
    fclose(stdout); /* the end of the pager's input */
    while (waitpid(pager, NULL, 0) < 0 && errno == EINTR) {
    }
    pager = 0;
    signal(SIGINT, SIG_DFL);
}

bool gs_terminal_is_gone(void)
{
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&output, 1, 0) == 1 && (output.revents & POLLERR);
}
