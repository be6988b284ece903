/*
 * machine.h - a program in its memory, on a hart, in an environment.
 *
 * The environment is what surrounds the program: a bare board with devices and
 * semihosting, or a Linux kernel's system calls. It loads the image, answers traps
 * and owns time-driven events. The engine runs instructions in between.
 */
#ifndef GS_MACHINE_MACHINE_H
#define GS_MACHINE_MACHINE_H

#include "gumshoe/machine.h"
#include "image/image.h"
#include "machine/sandbox.h"
#include "machine/bus_port.h"
#include "machine/hart.h"
#include "machine/memory.h"

typedef struct gs_environment {
    const char *name;

    /* Maps and loads the image, sets up registers and devices. Called once. */
    gs_status (*start)(gs_machine *machine, const gs_machine_options *options, gs_error *err);

    /* The hart trapped (hart.trap). Either changes the hart so that it can go on, or ends
     * the run with gs_machine_end(). */
    void (*trap)(gs_machine *machine);

    /* Called between slices of execution at time `now`: raise or clear interrupts, enter one if
     * it is due, and return the time of the next thing to happen (UINT64_MAX for none). */
    uint64_t (*events)(gs_machine *machine, uint64_t now);

    void (*flush)(gs_machine *machine); /* lets out what output is held back; may be NULL */
    void (*stop)(gs_machine *machine);  /* frees what start() made, even if it made half of it */

    /* For snapshots: the environment's state as bytes to be freed, NULL when memory is out; and
     * back to it. NULL if it cannot be saved. */
    void *(*save)(gs_machine *machine);
    void (*restore)(gs_machine *machine, const void *saved);

    /* For journals: keeps all input from now on, so that it comes again after restore(). And what
     * an answer to a trap has changed besides the hart and memory. */
    void (*keep_input)(gs_machine *machine);
    void *(*save_input)(gs_machine *machine);
    void (*restore_input)(gs_machine *machine, const void *saved);
} gs_environment;

extern const gs_environment gs_environment_bare;
extern const gs_environment gs_environment_linux;

struct gs_machine {
    const gs_image *image; /* borrowed */
    const gs_isa *isa;
    uint64_t extensions; /* of the isa, that this hart has */
    gs_decoder decoder;
    gs_memory memory;
    gs_sandbox *sandbox;
    gs_hart hart;
    gs_bus_port *port; /* to a bus that other machines are on, too; or NULL */
    const gs_environment *environment;
    void *environment_state;
    struct gs_stops *stops;     /* where a debugger stops it; or NULL */
    struct gs_journal *journal; /* for running its past again; or NULL */
    int wake_fd;                /* readable: a wait for input is given up; or -1 */
    unsigned inherit;           /* of gs_inherit */
    char *variables;            /* Linux: NAME=VALUE lines; "" if they are the host's. Never NULL */
    uint64_t clock_hz;          /* how the machine's time relates to seconds */
    uint64_t time;       /* in clock ticks: instructions without a timing model. Set by the engine
                            before every slow path, so a device or a system call may read it.
                            events() may move it forward: the hart has slept. */
    bool saw_time;       /* the program has asked for it, waited, or been interrupted */
    uint64_t idle;       /* of that, ticks slept; kept by the engine */
    uint64_t translated; /* of the instructions retired: by translated code */
    bool compiling;      /* the engine waits for the compiler */
    char reference_reason[160]; /* see gs_machine_reference_reason() */
    char optimizer_reason[256]; /* why code is compiled quickly only; or empty */
    gs_exit exit;
    uint64_t written, max_output; /* bytes; 0 for no limit */
    struct {
        gs_marker *items;
        size_t count, capacity;
    } markers;
    struct {
        char **items;
        size_t count, capacity;
    } notes;
};

/* As gs_machine_open(), in an environment of the caller's. */
gs_status gs_machine_open_in(gs_machine **out, const gs_image *image,
                             const gs_environment *environment, const gs_machine_options *options,
                             gs_error *err);

/* The time, for what the program gets to see of it. */
static inline uint64_t gs_machine_show_time(gs_machine *machine)
{
    machine->saw_time = true;
    return machine->time;
}

/* What the guest gets of the host, in words: "nothing", or "environment, clock". */
enum { GS_MACHINE_INHERITED = 40 };
void gs_machine_inherited(const gs_machine *machine, char text[GS_MACHINE_INHERITED]);

/* Keeps a remark for the user, such as a system call that is not supported. Each text once; true
 * if it is new. */
bool gs_machine_add_note(gs_machine *machine, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Whether the lines of the machine's port are not known through its time: then the machine stops
 * before the instruction, and tries again. */
bool gs_machine_is_undecided(gs_machine *machine);

/* Decodes the instruction at `pc` into its slot; a trap kind if it cannot be fetched, or -1. */
int gs_machine_decode(gs_machine *machine, gs_insn *slot, gs_addr pc);

/* The guest has written to a stream or a file. Ends the run if that is more than it may. */
void gs_machine_wrote(gs_machine *machine, uint64_t bytes);

/* The guest has made a file, a directory or another name, which takes some of the host's disk
 * however little is written to it: counts as GS_MACHINE_NAME bytes. Returns `status`, of which only
 * 0 and more is success. */
enum { GS_MACHINE_NAME = 4096 };
int gs_machine_made(gs_machine *machine, int status);

/* Before it writes much at once: false if that would be more, which ends the run. */
bool gs_machine_may_write(gs_machine *machine, uint64_t bytes);

/* The guest may have mapped memory. Ends the run if it wanted more than it may have. */
void gs_machine_mapped(gs_machine *machine);

/* Ends the run after the current instruction. The first caller's reason stays. */
void gs_machine_end(gs_machine *machine, gs_exit exit);

/* The exit of a program that raised `trap` and has no handler for it. */
gs_exit gs_machine_fault(const gs_machine *machine, const gs_trap *trap);

#endif
