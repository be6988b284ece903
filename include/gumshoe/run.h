/*
 * run.h - running a machine, and watching it.
 *
 * gs_run() executes until the guest ends, a limit is reached or the caller's `cancel`
 * stops it; it may then be called again. Observers are called from within gs_run(),
 * on its thread, and must not touch the machine.
 */
#ifndef GUMSHOE_RUN_H
#define GUMSHOE_RUN_H

#include <signal.h>
#include <stdio.h>

#include "gumshoe/bulk.h"
#include "gumshoe/error.h"
#include "gumshoe/insn.h"
#include "gumshoe/machine.h"
#include "gumshoe/timing.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* One instruction that has just retired. */
typedef struct gs_retired {
    uint64_t number; /* counting from 0 */
    uint64_t pc;
    uint64_t next_pc;    /* of the instruction that retires next, unless a trap comes */
    const gs_insn *insn; /* decoded: see insn.h */
    bool transfers;      /* control does not go straight on, or will not behind its delay slot */
    bool taken;          /* as a branch or jump does, */
    uint64_t goal;       /* and where it goes, after its delay slot if it has one */
    uint64_t address;    /* of its last data access, */
    unsigned size;       /* in bytes; 0 if it made none */
    uint64_t value[2];   /* of its first two general source registers, before it ran */
} gs_retired;

/* Control has gone to a handler: a trap, an interrupt, a Linux signal. */
typedef struct gs_trapped {
    uint64_t pc;      /* the instruction it will come back to, or that trapped */
    uint64_t handler; /* where it went */
} gs_trapped;

/*
 * An observer says what it wants to see, and the less that is the faster the run. Each may be NULL.
 * What there is of one instruction comes in the order noted, retired, when the timing has moved on
 * and its counters can be read.
 *
 * `noted` and `decoded` are enough to count: between two instructions that transfer control, and up
 * to a trap, all that was decoded in between has retired, one behind the other, in a cycle each.
 */
typedef struct gs_observer {
    /* Every instruction. */
    void (*retired)(void *self, const gs_machine *machine, const gs_retired *event);
    void (*trapped)(void *self, const gs_machine *machine, const gs_trapped *event);
    /* Those of which there is more to say: all that transfer control, and perhaps some branches
     * with a delay slot that are not taken; all that took another number of cycles than one since
     * the instruction before; all during which a cache or a predictor missed. */
    void (*noted)(void *self, const gs_machine *machine, const gs_retired *event, uint64_t cycles,
                  bool missed);
    /* What is at `pc` is going to be executed, for the first time since it was written. */
    void (*decoded)(void *self, const gs_machine *machine, uint64_t pc, const gs_insn *insn);
    /* The region of interest begins or ends before the next instruction; also once before the first
     * one of a run that has a region. What comes while it is not inside is not to be counted. */
    void (*region)(void *self, const gs_machine *machine, bool inside);
    void *self;
    const char *name;             /* for messages: "a trace"; or NULL */
    const gs_bulk_observer *bulk; /* keeps the fast engine, see bulk.h; or NULL */
} gs_observer;

/* What runs the program. The result is the same, to the last cycle. */
typedef enum gs_engine {
    GS_ENGINE_AUTO,      /* the fast engine where possible, the reference engine otherwise */
    GS_ENGINE_REFERENCE, /* one instruction after the other */
    GS_ENGINE_FAST, /* as AUTO, but translates sooner; an error if there can be no translation */
} gs_engine;

/*
 * A region of interest: what is counted of a run. The run itself, its timing and the state of
 * pipeline, caches and predictors are the same with and without it.
 *
 * It begins and ends between two instructions; the cycles between the retirement of one and of the
 * next are the later one's. An edge is
 *   - a function's name or an address: before the instruction there is executed,
 *   - "marker" or "marker:VALUE": behind the store that sets a marker of the test device, any or
 * one of this value,
 *   - NULL: the beginning, or the end, of the run.
 * Once it has ended it begins again where `from` is reached again, and all of it counts. Where both
 * edges are the same, they alternate. Only one thread may use it, for one machine.
 */
typedef struct gs_region gs_region;

/* The image is used during the call only. GS_E_ARGUMENT if it has no such function, or a text is
 * none of these. *out is the caller's, NULL on failure. */
gs_status gs_region_open(gs_region **out, const gs_image *image, const char *from, const char *to,
                         gs_error *err);
void gs_region_free(gs_region *region); /* NULL is fine */

/* How often it has begun. */
uint64_t gs_region_times(const gs_region *region);

/*
 * The processes that compile for the fast engine. gs_run() starts them before anything of the
 * program runs, and ends them, unless it is given some, which serve one run after the other. A
 * process that is going to run several machines and calls gs_sandbox_confine_process() starts them
 * before, as it can start no more processes then. GS_E_NO_MEMORY; that there is no compiler is not
 * an error here. *out is the caller's, NULL on failure.
 */
typedef struct gs_compilers gs_compilers;
gs_status gs_compilers_start(gs_compilers **out, gs_error *err);
const char *gs_compilers_cache(
    const gs_compilers *compilers);              /* the directory of translations,
                                                    which runs read and write; or NULL */
void gs_compilers_stop(gs_compilers *compilers); /* NULL is fine */

/* A debugger's turn; see debug.h. */
typedef struct gs_control gs_control;

typedef struct gs_run_options {
    uint64_t max_instructions; /* in all, over the machine's life; 0 for no limit */
    uint64_t max_cycles;       /* the same in cycles; only with a timing */
    gs_timing *timing;         /* NULL for none: every instruction is one tick */
    /* Timings of the same machine on other cores, which are told of the same instructions; or NULL.
     * What they count is what a run of their own counts if their cores are alike
     * (gs_core_is_alike()) and the program has not seen time (gs_machine_saw_time()). All of it on
     * the reference engine. GS_E_ARGUMENT without `timing`. */
    gs_timing *const *followers;
    size_t follower_count;
    gs_engine engine;
    gs_compilers *compilers;    /* NULL: of its own */
    const char *emit_directory; /* is made, and the fast engine's translation goes there; or NULL */
    const gs_observer *const *observers; /* or NULL; see bulk.h */
    size_t observer_count;
    gs_region *region;                   /* what the observers are to count; NULL for everything */
    const volatile sig_atomic_t *cancel; /* becomes non-zero to stop the run: SIGALRM as a limit of
                                            time, others as an interruption; NULL for never */
    void (*progress)(void *self, const gs_machine *machine); /* now and then; NULL for none */
    void *progress_self;
    /* Called once all processes that the run needs are started and before anything of the program
     * runs: the moment for gs_sandbox_confine_process(). `cache` is the directory of the fast
     * engine's translations, which it reads and writes, or NULL. A failure ends the run. NULL for
     * none. */
    gs_status (*ready)(void *self, const char *cache, gs_error *err);
    void *ready_self;
    gs_control *control; /* gs_debugger_control(); or NULL */
} gs_run_options;

/*
 * Runs the machine. The result is in gs_machine_exit(): what the guest does wrong is a result, not
 * an error. After a limit or a cancellation it may be called again, with other limits and
 * observers, and goes on where it was; once the guest has ended it does nothing. GS_E_ARGUMENT for
 * a limit in cycles without a timing, GS_E_UNSUPPORTED for GS_ENGINE_FAST where nothing can be
 * translated, GS_E_IO for the directory, GS_E_NO_MEMORY; the machine can then be freed, but not run
 * any more.
 */
gs_status gs_run(gs_machine *machine, const gs_run_options *options, gs_error *err);

/* An observer that writes one line per retired instruction to `to`, which stays the caller's and is
 * borrowed: number, pc, symbol+offset, disassembly, what it wrote. Whether all could be written,
 * the stream knows. *out is the caller's, NULL on failure: GS_E_NO_MEMORY, or GS_E_UNSUPPORTED as
 * for gs_disassembler_open(). */
typedef struct gs_trace gs_trace;
gs_status gs_trace_open(gs_trace **out, const gs_machine *machine, FILE *to, gs_error *err);
const gs_observer *gs_trace_observer(const gs_trace *trace); /* borrowed from the trace */
void gs_trace_free(gs_trace *trace);                         /* NULL is fine */

/* Draws the instructions chosen with gs_timing_record(), after the run: a row each, a column per
 * cycle. `to` stays the caller's. GS_E_IO, GS_E_NO_MEMORY. */
gs_status gs_report_pipeline(FILE *to, gs_timing *timing, gs_error *err);

/* What counted in a region of interest, by a recorder that has been finished; see profile.h. */
struct gs_recorder;
typedef struct gs_region_report {
    const gs_region *region; /* NULL: the run has none */
    const char *from, *to;   /* as they were given to gs_region_open() */
    const struct gs_recorder *recorder;
} gs_region_report;

/* The run as JSON: schema, program, engine, exit, instructions, markers; with a timing (which may
 * be NULL) core, cycles, stalls, caches, branches; with units (which may, too; see unit.h) their
 * results; with a region of interest (which may, too) how often it began and what counted in it,
 * while all the rest is of the whole run. `to` stays the caller's. GS_E_IO, GS_E_NO_MEMORY. */
struct gs_units;
gs_status gs_report_run_json(FILE *to, const gs_machine *machine, const gs_timing *timing,
                             const struct gs_units *units, const gs_region_report *region,
                             gs_error *err);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
