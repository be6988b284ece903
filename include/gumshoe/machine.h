/*
 * machine.h - a program in its memory, ready to run, and what became of it.
 *
 * A gs_machine is the caller's and borrows its image, which must outlive it. Machines share nothing
 * that changes: any number of them can exist in one process and run at the same time, each used by
 * one thread at a time. What is returned is borrowed from the machine; counts and lists grow while
 * it runs, so read them between calls of gs_run(), or from the run's own callbacks.
 */
#ifndef GUMSHOE_MACHINE_H
#define GUMSHOE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gumshoe/error.h"
#include "gumshoe/image.h"
#include "gumshoe/sandbox.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

typedef struct gs_machine gs_machine;

typedef enum gs_env {
    GS_ENV_AUTO,  /* found out from the ELF file */
    GS_ENV_BARE,  /* a board: memory, devices, semihosting */
    GS_ENV_LINUX, /* Linux system calls, one process */
} gs_env;

/* What a guest gets of the host, instead of what is the same on every host and in every run. */
typedef enum gs_inherit {
    GS_INHERIT_NOTHING = 0,
    /* Linux: argv[0] and the program's path as they are, the user and the groups. The variables are
     * the caller's to pass in `envp`. */
    GS_INHERIT_ENVIRONMENT = 1 << 0,
    GS_INHERIT_CLOCK = 1 << 1,    /* the date; without, the run starts at GS_MACHINE_EPOCH */
    GS_INHERIT_TERMINAL = 1 << 2, /* Linux: terminals, and what standard output is */
} gs_inherit;

/* 2020-01-01 00:00:00 UTC, in seconds since 1970. */
#define GS_MACHINE_EPOCH 1577836800

/* What becomes of a load or store where a bare machine has neither memory nor a device. */
typedef enum gs_unmapped {
    GS_UNMAPPED_TRAP,   /* an access fault */
    GS_UNMAPPED_IGNORE, /* loads read 0, stores do nothing; the notes say where and how often */
} gs_unmapped;

/* Begin with gs_machine_options_default() and change what is to be different. */
typedef struct gs_machine_options {
    gs_env env;
    const char *board; /* bare, like the next two: a built-in board's name or a YAML file; NULL for
                          the default */
    uint64_t ram_size; /* bare: 0 for what the board says */
    gs_unmapped unmapped;
    const char *events;      /* bare: a YAML file of what happens from outside at which cycle, see
                                docs/boards.md; NULL for nothing */
    int argc;                /* the guest's command line, argv[0] included; 0 for none (Linux: the
                                program's name alone) */
    const char *const *argv; /* argv[0] becomes its last component unless that is inherited */
    const char *const *envp; /* Linux: NULL-terminated; NULL for gs_machine_variables() */
    unsigned inherit;        /* of gs_inherit */
    uint64_t extensions;   /* of the instruction set; 0 for all of them: see gs_core_configure() */
    bool strict_alignment; /* a misaligned access traps, where the instruction set leaves that
                              to the core */
    uint64_t clock_hz;     /* 0 for what the board says */
    int stdio[3];          /* host descriptors for the guest's stdin, stdout, stderr */
    uint64_t max_memory;   /* bytes that the guest may have mapped at a time; 0 for no limit */
    uint64_t max_output;   /* bytes that it may write to streams and files; 0 for no limit */
    gs_sandbox_options sandbox; /* which files of the host the guest may touch */
} gs_machine_options;

typedef enum gs_exit_kind {
    GS_EXIT_NONE,        /* still runs */
    GS_EXIT_CODE,        /* the guest ended itself with `code` */
    GS_EXIT_SIGNAL,      /* the guest did something that would kill it: `signal`, see `message` */
    GS_EXIT_LIMIT,       /* a limit of the caller's was reached */
    GS_EXIT_HALT,        /* the guest waits for an interrupt that can never come */
    GS_EXIT_INTERRUPTED, /* the caller asked the run to stop */
} gs_exit_kind;

typedef struct gs_exit {
    gs_exit_kind kind;
    int code;
    int signal;        /* the host's number */
    char message[256]; /* one line, for a signal or a halt: what, at which pc, in which function;
                          for a limit of memory, output or time: which */
} gs_exit;

/* A store to the marker register of the test device: the edge of a region of interest. */
typedef struct gs_marker {
    uint32_t value;
    uint64_t instruction; /* number of the storing instruction, counting from 0 */
    uint64_t cycle; /* in which it retired; instructions up to and with it if there is no model */
} gs_marker;

/* No arguments, the environment that the program asks for with all its defaults, and the standard
 * input, output and error of this process. */
gs_machine_options gs_machine_options_default(void);

/* Loads the program. The options and what they point to are read during the call only; descriptors
 * stay the caller's and are used while the machine runs. *out is the caller's, NULL on failure:
 * GS_E_UNSUPPORTED for a program that the environment cannot load, GS_E_NOT_FOUND and GS_E_FORMAT
 * for the board, GS_E_ARGUMENT for arguments that do not fit, and for
 * options of the other environment, GS_E_NO_MEMORY. */
gs_status gs_machine_open(gs_machine **out, const gs_image *image,
                          const gs_machine_options *options, gs_error *err);
void gs_machine_free(gs_machine *machine); /* NULL is fine */

/* The variables of a Linux guest that is given none: NULL-terminated, each NAME=VALUE. */
const char *const *gs_machine_variables(void);

const gs_image *gs_machine_image(const gs_machine *machine);

/* Which files of the host the guest may touch. */
const gs_sandbox *gs_machine_sandbox(const gs_machine *machine);

/* What has become of the program: GS_EXIT_NONE before it has run and while it does. */
const gs_exit *gs_machine_exit(const gs_machine *machine);

/* How many instructions have retired. */
uint64_t gs_machine_instructions(const gs_machine *machine);

/* Whether the run does not go on because the fast engine waits for the compiler; to be asked by the
 * progress callback of gs_run(). */
bool gs_machine_is_compiling(const gs_machine *machine);

/* Whether what the program does may depend on time: it has asked what time it is, slept, set a
 * timer or been interrupted. If not, it does the same on every core that has its instructions. */
bool gs_machine_saw_time(const gs_machine *machine);

/* The markers so far, in their order; `index` is below the count. */
size_t gs_machine_marker_count(const gs_machine *machine);
const gs_marker *gs_machine_marker(const gs_machine *machine, size_t index);

/* Why the last gs_run() with GS_ENGINE_AUTO had to leave the fast engine out, as a clause: "a trace
 * is told of every instruction". NULL if it did not. Borrowed until the next gs_run(). */
const char *gs_machine_reference_reason(const gs_machine *machine);

/* Why gs_run() has compiled nothing with the host's C compiler, or nothing more: it does not work,
 * or there is no place to keep what it makes. The fast engine then has what it compiles by itself.
 * NULL if it has not needed one in vain. */
const char *gs_machine_optimizer_reason(const gs_machine *machine);

/* What the guest asked for and did not get, one line each; `index` is below the count. */
size_t gs_machine_note_count(const gs_machine *machine);
const char *gs_machine_note(const gs_machine *machine, size_t index);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
