/*
 * bulk.h - from the fast engine's counts to the observers.
 *
 * The inside of a gs_bulk_run (gumshoe/bulk.h), and all bulk observers of a run as one. The engine
 * owns both; nothing here is kept by an observer.
 */
#ifndef GS_PROBE_BULK_H
#define GS_PROBE_BULK_H

#include "gumshoe/bulk.h"
#include "gumshoe/run.h"
#include "machine/memory.h"
#include "timing/timing.h"

enum { GS_CHARGE_KINDS = GS_CHARGE_STALLS + GS_STALL_COUNT };

/* What an observer needs to know of an instruction of translated code. */
typedef struct gs_bulk_insn {
    gs_addr pc;
    gs_insn insn;
} gs_bulk_insn;

struct gs_bulk_run {
    uint64_t times;            /* modulo 2^64, like all that is multiplied by it */
    const gs_bulk_insn *first; /* the first of the instructions, */
    size_t stride;             /* and the bytes from one to the next */
    unsigned length;
    gs_addr next; /* of the last run: where control is */
    int taken;    /* index, or -1 */
    gs_addr goal; /* where that jumps; 0: to several targets */
    uint64_t cycles, issue_fj;
    gs_branch_counts branches;
    const gs_charge *charges;
    unsigned charge_count;
    /* For a gs_path_observer: */
    uint64_t path;     /* the run's place in the call tree, */
    bool calls;        /* whether the jump is a call that was made without follow(), */
    uint64_t new_path; /* and the place that this call leads to */
};

static inline const gs_bulk_insn *gs_bulk_insn_at(const gs_bulk_run *run, size_t index)
{
    return (const gs_bulk_insn *)(const void *)((const char *)run->first + index * run->stride);
}

/* The observers of a run. */
typedef struct gs_bulk_group {
    const gs_observer *const *observers;
    size_t count;
    const struct gs_path_observer *paths; /* of the one that follows call paths; or NULL: none */
    void *paths_self;
    bool weighs;  /* one of them has weigh() */
    bool crosses; /* and all that have due() do: translated code need not stop there */
} gs_bulk_group;

/* Borrows the observers. `timing` (or NULL) is the run's. False if there is an observer that has to
 * be told of every instruction as it is executed: `why`, of `size` bytes, says why. */
bool gs_bulk_group_init(gs_bulk_group *group, const gs_observer *const *observers, size_t count,
                        const gs_timing *timing, char *why, size_t size);

/* As in gs_bulk_observer, to all of them. */
void gs_bulk_pause(const gs_bulk_group *group);
void gs_bulk_resume(const gs_bulk_group *group);
void gs_bulk_begin_adding(const gs_bulk_group *group);
void gs_bulk_add(const gs_bulk_group *group, const gs_bulk_run *run);
void gs_bulk_end_adding(const gs_bulk_group *group);
uint64_t gs_bulk_due(const gs_bulk_group *group); /* the earliest */
void gs_bulk_decoded(const gs_bulk_group *group, gs_addr pc, const gs_insn *insn);

#endif
