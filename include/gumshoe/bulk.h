/*
 * bulk.h - observers that keep the fast engine.
 *
 * Translated code reports no events. It counts how often runs of instructions, one executed right
 * after the other, have been executed; what a run costs is known. An observer (run.h) that can
 * work with such counts says so with a gs_bulk_observer. Its events then cover what the reference
 * engine executes, add() covers the rest, and every instruction is in exactly one of them.
 *
 * gs_run() uses the fast engine if there is a timing and all observers have a gs_bulk_observer;
 * otherwise it uses the reference engine, and gs_machine_reference_reason() says why.
 *
 * Example, an observer that counts instructions by name:
 *
 *     static void retired(void *self, const gs_machine *machine, const gs_retired *event)
 *     {
 *         count(self, event->insn, 1);
 *     }
 *     static void add(void *self, const gs_bulk_run *run)
 *     {
 *         for (size_t i = 0; i < gs_bulk_run_length(run); i++)
 *             count(self, gs_bulk_run_insn(run, i, NULL), gs_bulk_run_times(run));
 *     }
 *     static const gs_bulk_observer bulk = {.add = add};
 *     gs_observer observer = {.retired = retired, .bulk = &bulk, .self = counts};
 *
 * All functions are called from within gs_run(), on its thread, and must not touch the machine.
 */
#ifndef GUMSHOE_BULK_H
#define GUMSHOE_BULK_H

#include <stddef.h>
#include <stdint.h>

#include "gumshoe/insn.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* A run of instructions and how often it was executed. Valid during add(). */
typedef struct gs_bulk_run gs_bulk_run;

/* `self` is the observer's (gs_observer.self). All but add() may be NULL. */
typedef struct gs_bulk_observer {
    /* Events stop: translated code takes over where control is. All instructions executed so far
     * have been reported, or added. */
    void (*pause)(void *self);
    /* Events go on. gs_timing_cycles() and cache misses have moved on meanwhile; the timing's other
     * counters do so between begin_adding() and end_adding(). */
    void (*resume)(void *self);

    /* Reports counts that have not been reported yet: during the run when the code they are about
     * is about to change, before the region of interest begins or ends, and before gs_run()
     * returns; not between pause() and resume(). The runs come in no order. */
    void (*begin_adding)(void *self);
    void (*add)(void *self, const gs_bulk_run *run);
    void (*end_adding)(void *self);

    /* The instruction at `pc` may be executed by translated code from now on, without a `decoded`
     * event. If another one was there, all counts of that one have been added. Not between pause()
     * and resume(). */
    void (*decoded)(void *self, uint64_t pc, const gs_insn *insn);

    /* All instructions executed so far have been reported, or added; returns the cycle by which
     * this is to be so again, or UINT64_MAX. Called before the run, when the region of interest
     * has begun or ended, and when that cycle has come: with the first instruction to retire at it
     * or later, which is reported as an event, or is in the run that collect() has just named. If
     * it has come already, there is no translated code until the next call, after one instruction;
     * with 0, after a few thousand. */
    uint64_t (*due)(void *self);

    /* For an observer that only adds up, these take the place of add(): the engine multiplies for
     * it, and need not stop to do so.
     *
     * weights() returns a number that changes whenever weigh() would answer otherwise, and in
     * *count how many sums there are. weigh() adds to `sums` what one execution of a run means to
     * each of them; it depends on nothing but the run and the observer's settings. collect() has
     * what all that translated code has executed since the last call means to the sums. If
     * translated code has come to the cycle of due(), `last` is the run that has: its last
     * instruction retired just now, and the ones before it as the charges say. It is among the
     * sums. Otherwise `last` is NULL. */
    uint32_t (*weights)(void *self, size_t *count);
    void (*weigh)(void *self, const gs_bulk_run *run, int64_t *sums);
    void (*collect)(void *self, const int64_t *sums, const gs_bulk_run *last);

    /* Has runs told apart by call path. For the library's own recorder: NULL. */
    const struct gs_path_observer *paths;
} gs_bulk_observer;

/* How often it was executed, or a correction: less than 0 if so many executions cost less than an
 * earlier run said. */
int64_t gs_bulk_run_times(const gs_bulk_run *run);

/* The number of instructions, in the order of execution; 0 if the run is only about the costs of
 * instructions that have been in other runs. */
size_t gs_bulk_run_length(const gs_bulk_run *run);

/* An instruction of the run, and its address in *pc unless that is NULL. `index` is below the
 * length, or that of a charge. Borrowed until add() returns. */
const gs_insn *gs_bulk_run_insn(const gs_bulk_run *run, size_t index, uint64_t *pc);

/* The index of the instruction that jumped; -1 if control went straight on. Its delay slot is
 * behind it. */
int gs_bulk_run_taken(const gs_bulk_run *run);

/* Where control went from the run that collect() names. */
uint64_t gs_bulk_run_next(const gs_bulk_run *run);

/* The cycles of one execution of the whole run: one for each instruction, and the charges'. */
int64_t gs_bulk_run_cycles(const gs_bulk_run *run);

/* What an instruction cost in each execution of the run, beyond one cycle. */
typedef enum gs_charge_kind {
    GS_CHARGE_CYCLES, /* may be less than 0: instructions that issue together */
    GS_CHARGE_I_MISSES,
    GS_CHARGE_D_MISSES,
    GS_CHARGE_MISPREDICTED,
    GS_CHARGE_STALLS, /* + cause, as in gs_timing_stall_key(): these are part of the cycles */
} gs_charge_kind;

typedef struct gs_charge {
    uint16_t insn; /* index */
    uint16_t kind; /* gs_charge_kind, + cause */
    int32_t amount;
} gs_charge;

size_t gs_bulk_run_charge_count(const gs_bulk_run *run);
const gs_charge *gs_bulk_run_charge(const gs_bulk_run *run, size_t index);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
