/*
 * tool.h - what the subcommands share.
 *
 * Only this directory prints for people or ends the process. A command gets its own
 * argument vector, with its name first, and returns the exit status.
 */
#ifndef GS_TOOL_TOOL_H
#define GS_TOOL_TOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "gumshoe/error.h"
#include "tool/option.h"

/* Exit statuses of every command but `run`, which passes the guest's on. */
enum {
    GS_TOOL_OK = 0,
    GS_TOOL_FAILED = 1, /* a check did not hold */
    GS_TOOL_USAGE = 2,  /* the command line is wrong */
    GS_TOOL_INPUT = 3,  /* a file or the host is */
};

/* Exit statuses of `run`, as env(1) and timeout(1) use them. */
enum {
    GS_RUN_LIMIT = 124,
    GS_RUN_FAILED = 125,
    GS_RUN_CANNOT_RUN = 126,
    GS_RUN_NOT_FOUND = 127,
    GS_RUN_SIGNALLED = 128, /* plus the signal's number */
};

struct gs_command {
    const char *name;
    const char *summary;      /* one line, for the list of commands */
    const char *before;       /* the help page up to its list of options */
    const gs_option *options; /* in the order in which they are explained */
    const char *after;        /* the rest of the page */
    int (*run)(int argc, char **argv);
    int usage_status;          /* for a wrong command line */
    bool program;              /* a program and its arguments follow, and options end there */
    bool needs_action;         /* has to be told one of `actions` */
    bool first_action_implied; /* the first of them is meant where none is given */
    const gs_word *actions;    /* what its first argument may be; or NULL */
    gs_value argument;         /* what further arguments are */
    /* Of a command whose first argument is a kind of unit: whether it knows this one, and the
     * options of the kind, which are added to its own. Otherwise NULL. */
    bool (*has_kind)(size_t kind);
    void (*kind_options)(gs_option rows[GS_OPTIONS_MAX], size_t kind);
    const char *where; /* "leap has no option --x" there; or NULL */
};

/* In the order in which a new user meets them; the last one is followed by NULL. */
extern const gs_command *const gs_commands[];

/* The command of this name, or NULL. */
const gs_command *gs_command_find(const char *name);

extern const gs_command gs_cmd_run, gs_cmd_runs, gs_cmd_report, gs_cmd_annotate, gs_cmd_diff,
    gs_cmd_serve, gs_cmd_energy, gs_cmd_check, gs_cmd_cores, gs_cmd_boards, gs_cmd_unit, gs_cmd_rtl,
    gs_cmd_completion, gs_cmd_cc, gs_cmd_collect, gs_cmd_explore, gs_cmd_sweep, gs_cmd_schedule,
    gs_cmd_partition, gs_cmd_system, gs_cmd_replay;

/* The profile file of every command that is not told another. */
#define GS_DEFAULT_PROFILE "gumshoe.db"

/* "gumshoe: message" to standard error. */
void gs_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Complains, points at the help page and returns the command's status for wrong usage. */
int gs_usage_error(const gs_command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Complains about what failed and returns the status for it; but a reader of standard output that
 * has left is no failure. */
int gs_tool_fail(const gs_error *err);

/* Fails with this message, for what the library knows nothing of. */
gs_status gs_tool_error(gs_error *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* -1 if there is such a metric; else complains, lists those there are, and returns the status. */
int gs_check_metric(const gs_command *command, const char *key);

/* A count such as 5000000, 5M or 2G; false for anything else. */
bool gs_parse_count(const char *text, uint64_t *value);

/* A size such as 65536, 64K or 128M (powers of two). */
bool gs_parse_size(const char *text, uint64_t *value);

#endif
