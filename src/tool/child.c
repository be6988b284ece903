/* Starts a program and reads what it prints. */
#include "tool/child.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PIPE_HOLDS = 4096 }; /* at least */

/* Where the child's input comes from: a pipe that holds all of it. -1 if there is none to be had.
 */
static int open_input(const char *text)
{
    int ends[2];
    if (!text)
        return open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    const size_t length = strlen(text);
    const bool written = length <= PIPE_HOLDS && write(ends[1], text, length) == (ssize_t)length;
    close(ends[1]);
    if (written)
        return ends[0];
    close(ends[0]);
    return -1;
}

static pid_t start(const gs_child *child, int input, int output)
{
    extern char **environ;
    posix_spawn_file_actions_t actions;
    pid_t pid;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (child->errors)
        posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    else
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    const int code = posix_spawnp(&pid, child->arguments[0], &actions, NULL,
                                  (char *const *)child->arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return code == 0 ? pid : -1;
}

static void read_all(int from, char *output, size_t size)
{
    size_t length = 0;
    for (;;) {
        char rest[512];
        const bool room = length < size - 1;
        const ssize_t count =
            room ? read(from, output + length, size - 1 - length) : read(from, rest, sizeof rest);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            break;
        length += room ? (size_t)count : 0;
    }
    output[length] = '\0';
}

bool gs_child_ask(const gs_child *child, char *output, size_t size)
{
    int ends[2], status = -1;
    output[0] = '\0';
    const int input = open_input(child->input);
    if (input < 0 || pipe2(ends, O_CLOEXEC) != 0) {
        if (input >= 0)
            close(input);
        return false;
    }
    const pid_t pid = start(child, input, ends[1]);
    close(input);
    close(ends[1]);
    if (pid > 0)
        read_all(ends[0], output, size);
    close(ends[0]);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}
