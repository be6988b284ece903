/* Asks git for the commit of a directory. */
#include "tool/git.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tool/child.h"

enum { MAX_OUTPUT = 512 };

/* The start of what git prints. False unless it exits with 0. */
static bool ask_git(const char *const *arguments, char output[MAX_OUTPUT])
{
    return gs_child_ask(&(gs_child){.arguments = arguments}, output, MAX_OUTPUT);
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
