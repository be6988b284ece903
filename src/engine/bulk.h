/*
 * bulk.h - an observer that need not see every instruction.
 *
 * Translated code reports nothing along the exit. It counts how often each run of instructions was
 * executed, and by which call path; what the runs cost is known. So an observer that can work with
 * that is given runs, `times` over, when somebody wants to know; and it is asked where calls and
 * returns lead in the call tree, and told of arrivals at loops, as they happen.
 *
 * Between pause() and resume() it gets no events. All the rest comes in the order of the program.
 */
#ifndef GS_ENGINE_BULK_H
#define GS_ENGINE_BULK_H

#include "engine/fast/runtime/runtime.h"
#include "engine/fast/translate/superblock.h"

/* What an instruction of a run had beyond its execution. */
typedef enum gs_charge_kind {
    GS_CHARGE_CYCLES, /* beyond one; may be less than 0 */
    GS_CHARGE_I_MISSES,
    GS_CHARGE_D_MISSES,
    GS_CHARGE_MISPREDICTED,
    GS_CHARGE_STALLS, /* and the cause, of gs_stall */
    GS_CHARGE_KINDS = GS_CHARGE_STALLS + GS_STALL_COUNT
} gs_charge_kind;

typedef struct gs_charge {
    uint16_t step;
    uint16_t kind;
    int32_t amount;
} gs_charge;

/* Some instructions executed one after the other, so many times. */
typedef struct gs_bulk_run {
    uint64_t path;
    uint64_t times;
    const gs_step *steps;
    unsigned step_count;
    int taken; /* the step that jumps, to `goal`; or -1 */
    gs_addr goal;
    bool calls;                /* that is a call nobody has been asked about, */
    uint64_t new_path;         /* and leads there */
    uint64_t cycles, issue_fj; /* of one of them, like the rest */
    gs_branch_counts branches;
    const gs_charge *charges;
    unsigned charge_count;
} gs_bulk_run;

/* A jump that has been made, with its delay slot. */
typedef struct gs_move {
    gs_flow flow;
    const gs_insn *insn;
    gs_addr from, goal, return_address;
    uint32_t sp;
    uint64_t instructions; /* that have retired */
} gs_move;

typedef struct gs_bulk {
    void *self;

    /* Somebody has counted what he has not told yet. settle() makes him tell, with add(); who that
     * is of use to calls it. NULL: he is gone. */
    void (*attach)(void *self, void (*settle)(void *engine), void *engine);

    /* Code that may be executed without any event from now on. */
    void (*decoded)(void *self, gs_addr pc, const gs_insn *insn);

    /* From pause() to resume() the call stack is in `stack`. */
    void (*pause)(void *self, gs_fast_stack *stack);
    void (*resume)(void *self, gs_addr last); /* the last instruction, or GS_FAST_LEFT: none */

    /* What it will be to a loop there if control, that is at `pc` now, goes on; or, before
     * resume(): the last jump led to `pc`, with that arrival, and nothing has been executed since.
     * GS_FAST_LEFT for the pc: it was before something else. */
    uint8_t (*expected)(void *self, gs_addr pc);
    void (*expect)(void *self, gs_addr pc, uint8_t arrival);

    /* A jump is made for the first time. */
    void (*look)(void *self, const gs_move *move);
    /* Has the call stack follow a jump that is not local. `counts` if no run will. What it is to a
     * loop at its goal, if that is not as usual; or 0. */
    uint8_t (*follow)(void *self, const gs_move *move, bool counts);

    /* Loops have numbers, from 0. After look(), follow() or an event there may be more of them,
     * and what is known of jumps may have changed: then knowledge() is more than before. */
    uint64_t (*knowledge)(void *self);
    size_t (*loop_count)(void *self);
    gs_addr (*loop_header)(void *self, size_t loop);
    gs_fast_loop *(*loops)(void *self);
    /* What a jump, or NULL for none, is to the call stack and to a loop at its goal by now. */
    gs_move_kind (*judge)(void *self, const gs_move *move, uint8_t *arrival);
    /* Whether from now on no call leads to the same path each time. */
    bool (*crowded)(void *self);
    /* What a direct jump is to a loop at its goal; of code before the loop, from its last byte. */
    uint8_t (*jump)(void *self, gs_addr from, gs_addr goal);
    /* Control has come to a loop, whose iterations are counted there from now on; or has not, after
     * all, and nothing has happened since. */
    void (*arrive)(void *self, size_t loop, uint8_t arrival, const uint64_t *counter);
    void (*undo_arrival)(void *self, size_t loop, uint8_t arrival);
    /* Control goes on in the middle of a loop: whether its frame is known to be in there. */
    bool (*resume_loop)(void *self, size_t loop);

    /* What had been done up to now. All of it between begin_adding() and end_adding(); the timing
     * is told in between as well. */
    void (*begin_adding)(void *self);
    void (*add)(void *self, const gs_bulk_run *run);
    void (*end_adding)(void *self);
} gs_bulk;

#endif
