/*
 * git.h - which commit the sources are at.
 */
#ifndef GS_TOOL_GIT_H
#define GS_TOOL_GIT_H

/* The commit checked out in the git work tree around the current directory, with "+" behind it if
 * files that git knows have been changed since; free() it. NULL if there is none, or no git. */
char *gs_git_commit(void);

#endif
