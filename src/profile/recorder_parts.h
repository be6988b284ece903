/*
 * recorder_parts.h - what a recorder consists of, for the files that make it up.
 */
#ifndef GS_PROFILE_RECORDER_PARTS_H
#define GS_PROFILE_RECORDER_PARTS_H

#include "probe/bulk.h"
#include "probe/paths.h"
#include "profile/counters.h"
#include "profile/recorder.h"

/* A jump that had been made when a trap came, before it arrived. */
typedef struct held_arrival {
    uint32_t thread;
    size_t depth; /* with the trap's frame */
    uint32_t to;
    gs_arrival arrival;
} held_arrival;

enum { PLACES = 256 };

/* The loop around a call that a function made while it was active further down. */
typedef struct place {
    uint32_t site, header;
} place;

struct gs_recorder {
    /* What every jump needs, close together. */
    gs_counters counters;
    const gs_timing *timing;
    uint64_t first;      /* instructions retired before it was opened */
    uint64_t run_number; /* of the first instruction since control was transferred last, */
    uint32_t run_from;   /* and where it is */
    uint32_t last;       /* instruction that did that */
    uint32_t thread;     /* that runs */
    uint64_t began_last; /* instructions retired when a first function of a thread went on */
    unsigned countdown;  /* to a change of the call path, for the delay slot */
    uint32_t arrives_at; /* where the last jump leads, or GS_NOWHERE if that is of no interest */
    gs_arrival arrival;
    const gs_frame *frame; /* the last on the call stack */
    const uint32_t *sp;    /* the guest's stack pointer */
    gs_loop_run *loops;    /* what is going on in them, by header */

    const gs_machine *machine;
    gs_observer observer;
    gs_call_stack *stack; /* the call stack while it is lent to the engine; or NULL */
    gs_metrics paused;    /* the reading when the engine began to charge by itself */
    uint64_t knowledge;   /* how often something has been learnt */
    gs_calltree *calls;
    gs_iterations *iterations;
    gs_timeline *timeline; /* or NULL */
    uint64_t deadline;     /* in cycles: when an interval of it ends */
    struct {
        const gs_function *function; /* or NULL: of the instruction that is next */
        uint64_t start, size;        /* of its code; 0 without a function */
    } shown;                         /* by the timeline */
    gs_jumps jumps;
    bool outside;     /* the region of interest */
    bool has_region;  /* the run has one */
    gs_metrics began; /* the reading when it began last */
    struct {
        gs_stop_profile *items;
        size_t count, capacity;
    } stops;
    place recent_places[PLACES]; /* by a hash of `site`, which is 0 in an empty one */
    struct {
        place *items;
        size_t count, capacity;
    } places;              /* each once */
    uint64_t misplaced;    /* calls that turned out to be in another loop than was known */
    size_t headers_marked; /* in the slots */
    uint64_t effort;       /* spent on learning, see gs_iterations_effort() */
    bool has_to_learn;
    uint64_t instructions, traps; /* as of the last event out of the ordinary */

    /* The change of the call path. */
    gs_flow flow;
    uint32_t from, goal, return_address;

    struct {
        held_arrival *items;
        size_t count, capacity;
    } held;

    bool no_memory, finished;
    gs_metrics total;
    struct {
        gs_insn_profile *items;
        size_t count, capacity;
    } insns, context_insns;
};

/* The jump that is made, or has been, which is counted by the caller; NULL when memory is out. */
gs_jump_profile *gs_recorder_jump(gs_recorder *recorder, uint32_t from, uint32_t to);

/* A direct jump is made for the first time. */
void gs_recorder_look_at(gs_recorder *recorder, gs_slot *slot, uint32_t pc, const gs_insn *insn);

/* The call path follows what is in flow, from, goal and return_address. */
void gs_recorder_change_path(gs_recorder *recorder, uint32_t sp);
void gs_recorder_look_at_stack(gs_recorder *recorder);

/* Marks the loops that have become known; in a page that has been made, those that were. */
void gs_recorder_mark_headers(gs_recorder *recorder);
void gs_recorder_page_made(void *recorder, gs_slot_page *page);
/* For calltree.h. */
uint32_t gs_recorder_loop_around(void *recorder, uint32_t site);
bool gs_recorder_changes_stack(void *recorder, uint32_t site);
/* What a jump between these means for a loop has to wait until more is known. */
void gs_recorder_doubt(gs_recorder *recorder, uint32_t from, uint32_t to);
/* Control is about to go to `pc`: learns if that is in code that was not known, and there is time.
 */
void gs_recorder_learn_of(gs_recorder *recorder, uint32_t pc);
/* Learns all that the run has shown so far. */
gs_status gs_recorder_learn(gs_recorder *recorder, gs_error *err);

/* In the middle of a run: something else than its next instruction comes. */
void gs_recorder_cut_run(gs_recorder *recorder);

#endif
