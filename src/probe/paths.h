/*
 * paths.h - a bulk observer that follows call paths.
 *
 * Has the fast engine tell runs apart by call path and count the iterations of loops. Observer and
 * engine share the call stack (callstack.h): it belongs to the engine between
 * gs_bulk_observer.pause() and resume(), and to the observer at all other times. Places in the call
 * tree and loops are known to the engine by the numbers the observer gives them.
 *
 * The engine has each jump classified once (classify()), and from then on mostly follows it without
 * the observer, as long as gs_path_view.knowledge stays the same.
 */
#ifndef GS_PROBE_PATHS_H
#define GS_PROBE_PATHS_H

#include "isa/isa.h"
#include "machine/memory.h"
#include "probe/callstack.h"

/* What the observer has found out about the program. */
typedef struct gs_path_view {
    uint64_t knowledge; /* grows when an earlier result of classify() may have become wrong */
    gs_loop_run *loops; /* by number */
    size_t loop_count;
    bool crowded; /* no call leads to the same path every time any more */
} gs_path_view;

/* A jump that is made, or has just been made, with its delay slot. */
typedef struct gs_move {
    gs_flow flow;
    const gs_insn *insn;
    gs_addr from, goal, return_address;
    uint32_t sp;
    uint64_t instructions; /* that have retired, with the jump */
} gs_move;

/* `self` is the observer's (gs_observer.self). */
typedef struct gs_path_observer {
    /* Called right after pause(): puts the call stack into *stack, which is the engine's from
     * then on. At resume() the observer takes it back from there. */
    void (*lend)(void *self, gs_call_stack *stack);

    /* Valid until the next event or call of a function below. */
    gs_path_view (*view)(void *self);
    /* The address of a loop's header. */
    gs_addr (*loop_header)(void *self, size_t loop);

    /* What a jump does to the call stack, and to a loop at its goal. Between pause() and resume(),
     * the jump is being made for the first time. At any other time nothing is made of it, and of a
     * direct jump within a function flow, from and goal are enough; the last byte of the code
     * before a loop's header stands for a jump when control falls into it. */
    gs_move_kind (*classify)(void *self, const gs_move *move, gs_arrival *arrival);

    /* Between pause() and resume(): has the call stack follow a jump that is not GS_MOVE_LOCAL.
     * `counts`: the jump will not be counted as a call in any gs_bulk_run. Returns what the jump
     * means to a loop at its goal if that is not what classify() said; or GS_ARRIVAL_UNKNOWN. */
    gs_arrival (*follow)(void *self, const gs_move *move, bool counts);

    /* Between pause() and resume(), where gs_loop_run_enter() and a loop's counter will not do.
     * Control has come to a loop's header; iterations are counted in `counter` from now on. */
    void (*arrive)(void *self, size_t loop, gs_arrival arrival, const uint64_t *counter);
    /* Takes the last arrive() back; nothing has happened since. */
    void (*undo_arrival)(void *self, size_t loop, gs_arrival arrival);
    /* Control goes on in the middle of a loop. Whether the last frame's run of it is the one that
     * is being counted. */
    bool (*resume_loop)(void *self, size_t loop);
} gs_path_observer;

#endif
