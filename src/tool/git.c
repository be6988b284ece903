/* Asks git for the commit of a directory. */
#include "tool/git.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_OUTPUT = 512 };

/* Runs git without a shell and keeps the start of what it prints. False unless it exits with 0. */
static bool ask_git(const char *const *arguments, char output[MAX_OUTPUT])
{
    extern char **environ;
    int ends[2], status = -1;
    pid_t child;
    posix_spawn_file_actions_t actions;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    int code = posix_spawnp(&child, "git", &actions, NULL, (char *const *)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    size_t length = 0;
    while (code == 0) {
        char rest[MAX_OUTPUT];
        bool room = length < MAX_OUTPUT - 1;
        ssize_t count = room ? read(ends[0], output + length, MAX_OUTPUT - 1 - length)
                             : read(ends[0], rest, sizeof rest);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            break;
        length += room ? (size_t)count : 0;
    }
    output[length] = '\0';
    close(ends[0]);
    if (code != 0)
        return false;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Whether the repository itself, and not its user, has git execute something to look for changes. A
 * repository that came from elsewhere is not trusted with that. */
static bool names_commands(void)
{
    static const char *const settings[] = {
        "git",         "config",       "--show-scope",
        "--name-only", "--get-regexp", "^(filter\\..*|core\\.(fsmonitor|worktree|attributesfile))$",
        NULL};
    char found[MAX_OUTPUT];
    if (!ask_git(settings, found))
        return false; /* there are none */
    for (const char *line = found; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        if (strncmp(line, "global\t", 7) != 0 && strncmp(line, "system\t", 7) != 0 &&
            strncmp(line, "command\t", 8) != 0)
            return true;
    }
    return strlen(found) == MAX_OUTPUT - 1; /* there may be more */
}

char *gs_git_commit(void)
{
    static const char *const head[] = {"git", "rev-parse", "--verify", "HEAD", NULL};
    static const char *const changes[] = {"git",
                                          "--no-optional-locks",
                                          "-c",
                                          "core.fsmonitor=false",
                                          "status",
                                          "--porcelain",
                                          "--untracked-files=no",
                                          "--ignore-submodules=all",
                                          NULL};
    char commit[MAX_OUTPUT], changed[MAX_OUTPUT], *made;
    if (!ask_git(head, commit))
        return NULL;
    commit[strcspn(commit, "\n")] = '\0';
    bool dirty = !names_commands() && ask_git(changes, changed) && changed[0];
    return asprintf(&made, "%s%s", commit, dirty ? "+" : "") < 0 ? NULL : made;
}
