#include "tool/terminal.h"

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

int gs_terminal_option(gs_terminal *terminal, const gs_command *command, int option,
                       const char *value)
{
    static const char *const names[] = {
        [GS_COLOUR_AUTO] = "auto", [GS_COLOUR_ALWAYS] = "always", [GS_COLOUR_NEVER] = "never"};
    if (option == GS_OPT_NO_PAGER) {
        terminal->no_pager = true;
        return -1;
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i], value) == 0) {
            terminal->when = (gs_colour_when)i;
            return -1;
        }
    }
    return gs_usage_error(command, "--color is auto, always or never, not '%s'", value);
}

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

/* COLUMNS is for those who know better. */
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
    if (pager > 0) {
        signal(SIGINT, SIG_IGN); /* the pager's, while it runs */
        dup2(ends[1], STDOUT_FILENO);
    } else {
        pager = 0;
    }
    close(ends[1]);
}

void gs_terminal_start(gs_terminal *terminal)
{
    bool to_person = isatty(STDOUT_FILENO);
    terminal->colour = gs_terminal_colours(terminal, stdout);
    terminal->width = to_person ? width_of(STDOUT_FILENO) : 0;
    if (!to_person || terminal->no_pager || is_dumb() || pager)
        return;
    const char *command = choose_pager();
    if (command)
        start_pager(command);
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
