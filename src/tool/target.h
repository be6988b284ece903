/*
 * target.h - what is run, on what, and for how long: for every command that runs a program.
 *
 * A command adds GS_TARGET_OPTIONS to its options and GS_TARGET_HELP to its help.
 */
#ifndef GS_TOOL_TARGET_H
#define GS_TOOL_TARGET_H

#include <getopt.h>
#include <signal.h>

#include "gumshoe/core.h"
#include "gumshoe/image.h"
#include "gumshoe/machine.h"
#include "gumshoe/timing.h"
#include "tool/tool.h"

enum { GS_TARGET_SETTINGS = 64 };

typedef struct gs_target_arguments {
    gs_machine_options machine;
    const char *program; /* a path; its arguments are in `machine` */
    const char *core;    /* or NULL */
    const char *set[GS_TARGET_SETTINGS];
    size_t set_count;
    uint64_t max_instructions, max_cycles; /* 0 for no limit */
} gs_target_arguments;

/* A program ready to run. */
typedef struct gs_target {
    gs_core *core; /* or NULL */
    gs_image *image;
    gs_machine *machine;
    gs_timing *timing; /* or NULL */
} gs_target;

enum {
    GS_OPT_ENV = 1100,
    GS_OPT_BOARD,
    GS_OPT_RAM,
    GS_OPT_CORE,
    GS_OPT_SET,
    GS_OPT_MAX_INSTRUCTIONS,
    GS_OPT_MAX_CYCLES
};

#define GS_TARGET_OPTIONS                                                       \
    {"env", required_argument, NULL, GS_OPT_ENV},                               \
        {"board", required_argument, NULL, GS_OPT_BOARD},                       \
        {"ram", required_argument, NULL, GS_OPT_RAM},                           \
        {"core", required_argument, NULL, GS_OPT_CORE},                         \
        {"set", required_argument, NULL, GS_OPT_SET},                           \
        {"max-instructions", required_argument, NULL, GS_OPT_MAX_INSTRUCTIONS}, \
    {                                                                           \
        "max-cycles", required_argument, NULL, GS_OPT_MAX_CYCLES                \
    }

#define GS_TARGET_HELP                                                                  \
    "  --env auto|bare|linux   what surrounds the program: bare hardware with\n"        \
    "                          semihosting, or Linux system calls. By default this\n"   \
    "                          is found out from the file.\n"                           \
    "  --board NAME|FILE       the bare hardware: where memory and devices are.\n"      \
    "                          'gumshoe boards' lists the built-in ones.\n"             \
    "  --ram SIZE              memory of the board, such as 64M.\n"                     \
    "  --core NAME|FILE        count cycles on this processor core; 'gumshoe cores'\n"  \
    "                          lists the built-in ones. Without it nothing is timed.\n" \
    "  --set KEY=VALUE         change one key of the core's description, such as\n"     \
    "                          dcache.size=16K. May be given several times.\n"          \
    "  --max-instructions N    stop after N instructions (K, M, G: thousands...).\n"    \
    "  --max-cycles N          stop after N cycles; needs --core.\n"

/* Takes one of these options: -1 to go on, or the exit status. */
int gs_target_option(gs_target_arguments *arguments, const gs_command *command, int option,
                     const char *value);

/* After all options: takes program and arguments from argv[optind] on. -1 to go on, or the exit
 * status. */
int gs_target_program(gs_target_arguments *arguments, const gs_command *command, int argc,
                      char **argv);

/* Opens all of it; what is open is to be closed even if the rest fails. */
gs_status gs_target_open(gs_target *target, const gs_target_arguments *arguments, gs_error *err);
void gs_target_close(gs_target *target);

/* From here on one interrupt or termination signal only sets what is returned to its number, so
 * that a run stops and is still reported; a second one ends Gumshoe at once. */
const volatile sig_atomic_t *gs_catch_interrupts(void);

#endif
