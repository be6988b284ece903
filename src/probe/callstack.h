/*
 * callstack.h - the guest's call stack, and the loops its functions are in.
 *
 * An observer that follows call paths keeps this call stack (the recorder's is in
 * profile/calltree.h). While translated code runs, that code pushes and pops the frames: what it
 * knows by itself, plain calls, tail calls and returns, costs a few instructions here; for anything
 * else the fast engine calls the observer (probe/paths.h).
 *
 * The text of this file is compiled into every translation, so it needs nothing but the C
 * language, and the layout of these structures is the same on both sides. What is read before a
 * decision is a macro: the compiler runs at a low level of optimization, and would materialize the
 * result of a function before it branches on it.
 *
 * Frames of a thread are in one array, the first function's first. A frame's `depth` is its index
 * + 1. Translated code knows of one thread, the running one; it leaves what may be a switch to
 * another, a return or a jump through a register with an unexpected stack pointer, to the observer.
 */
#ifndef GS_PROBE_CALLSTACK_H
#define GS_PROBE_CALLSTACK_H

#include <stdbool.h>
#include <stdint.h>

typedef enum gs_frame_kind {
    GS_FRAME_CALL,
    GS_FRAME_TAIL,
    GS_FRAME_TRAP,
    GS_FRAME_THREAD, /* of a finished profile only: what a thread did, or all threads */
} gs_frame_kind;

/* The return address of a frame that has none: code addresses are even. */
#define GS_FRAME_NO_RETURN UINT32_MAX

/* A function that has been called and has not returned. */
typedef struct gs_frame {
    uint64_t number; /* counts all frames of the run, from 1 on: no two have the same */
    uint64_t path;   /* the place in the call tree, as the observer numbers places */
    uint32_t return_address, sp;
    uint32_t depth; /* index + 1; set for all frames there is room for, also unused ones */
    uint32_t kind;  /* gs_frame_kind */
    /* The observer's index of active functions: points to the cell with the depth of the
     * function's last frame, which is this one (NULL: the function is not known); and the depth
     * of the function's frame before it (0: none). Valid up to gs_call_stack.indexed. */
    uint32_t *active;
    uint32_t same;
} gs_frame;

/* What a jump to a loop's header does to the loop. */
typedef enum gs_arrival {
    GS_ARRIVAL_UNKNOWN, /* not classified yet */
    GS_ARRIVAL_ENTRY,   /* enters the loop */
    GS_ARRIVAL_BACK,    /* starts another iteration */
    GS_ARRIVAL_UNSURE,  /* one or the other: the code it comes from is not known yet */
    GS_ARRIVAL_ONWARDS, /* no jump: control falls into the header from the code before it */
} gs_arrival;

typedef struct gs_call_stack {
    gs_frame *top;     /* the last frame; there always is one */
    gs_frame *indexed; /* the last frame that is in the observer's index of active functions */
    gs_frame *end;     /* there is room for frames before this one */
    uint64_t made;     /* number of frames made so far */
    /* Where it is handed over: a jump has led to this pc and means this to a loop there, and
     * nothing has been executed since (GS_CALL_NO_PC: there is no such jump). */
    uint32_t arrives_at;
    gs_arrival arrival;
    uint32_t last; /* when it is handed back: the last instruction executed; GS_CALL_NO_PC: none */
} gs_call_stack;

#define GS_CALL_NO_PC UINT32_MAX

/* What a jump does to the call stack. */
typedef enum gs_move_kind {
    GS_MOVE_UNSEEN, /* not classified yet */
    GS_MOVE_LOCAL,  /* nothing */
    GS_MOVE_CALL,   /* pushes a frame, always with the same path */
    GS_MOVE_TAIL,   /* the same, a tail call: the frame is popped together with the one below */
    GS_MOVE_RETURN, /* pops a frame, if it fits where the jump leads: GS_CALL_CAN_POP() */
    GS_MOVE_OTHER,  /* only the observer can tell, every time */
} gs_move_kind;

/* Whether there is room for another frame. */
#define GS_CALL_HAS_ROOM(stack_) __builtin_expect((stack_)->top + 1 < (stack_)->end, 1)

/* GS_MOVE_CALL. There has to be room. */
static inline void gs_call_push(gs_call_stack *stack, uint64_t path, uint32_t return_address,
                                uint32_t sp)
{
    gs_frame *frame = stack->top + 1;
    frame->number = ++stack->made;
    frame->path = path;
    frame->return_address = return_address;
    frame->sp = sp;
    frame->kind = GS_FRAME_CALL;
    stack->top = frame;
}

/* Whether a function that is left by a jump through a register leaves the stack pointer as it found
 * it. */
#define GS_CALL_IS_LEVEL(stack_, sp_) __builtin_expect((stack_)->top->sp == (sp_), 1)

/* GS_MOVE_TAIL. There has to be room, and GS_CALL_IS_LEVEL() for a jump through a register. */
static inline void gs_call_push_tail(gs_call_stack *stack, uint64_t path)
{
    const gs_frame *frame = stack->top;
    gs_call_push(stack, path, frame->return_address, frame->sp);
    stack->top->kind = GS_FRAME_TAIL;
}

/* Whether the last frame is of a tail call, and the first tail call in a row was made by a frame
 * that was called. */
static inline bool gs_call_pops_tails(const gs_call_stack *stack)
{
    const gs_frame *frame = stack->top;
    if (frame->kind != GS_FRAME_TAIL)
        return false;
    while (frame->kind == GS_FRAME_TAIL)
        frame--;
    return frame->kind == GS_FRAME_CALL;
}

/* GS_MOVE_RETURN: whether a return to `goal` with a stack pointer ends the last call and the tail
 * calls made after it. Never true of the first frame: it has no return address. */
#define GS_CALL_CAN_POP(stack_, goal_, sp_)                           \
    (__builtin_expect((stack_)->top->return_address == (goal_), 1) && \
     __builtin_expect((stack_)->top->sp == (sp_), 1) &&               \
     (__builtin_expect((stack_)->top->kind == GS_FRAME_CALL, 1) || gs_call_pops_tails(stack_)))

/* Makes a return for which GS_CALL_CAN_POP() is true. */
static inline void gs_call_pop(gs_call_stack *stack)
{
    gs_frame *gone;
    do {
        gone = stack->top--;
        if (__builtin_expect(gone == stack->indexed, 0)) {
            stack->indexed--;
            if (gone->active)
                *gone->active = gone->same;
        }
    } while (__builtin_expect(gone->kind == GS_FRAME_TAIL, 0));
}

/* -- loops -- */

/* The iterations of a loop, from an entry to the next. One frame's are being counted; those that
 * are over are summed up. Code that counts the loop's back edge in a counter of its own need not
 * count the iterations as well: they are `iterations` + *counter, modulo 2^64. */
typedef struct gs_loop_run {
    uint64_t frame; /* number of the frame that is in the loop; 0: none */
    uint64_t iterations;
    const uint64_t *counter;     /* never NULL: see gs_loop_run_detach() */
    uint64_t fewest, most, runs; /* of the runs that are over */
    uint64_t onwards;            /* arrivals GS_ARRIVAL_ONWARDS */
    uint32_t depth;              /* of the frame; UINT32_MAX without one */
    uint8_t special;             /* GS_LOOP_*: why arrivals need the observer; or 0 */
} gs_loop_run;

#define GS_LOOP_AWAITED 1u /* frames further down the stack are in the loop, too */
#define GS_LOOP_DOUBTED 2u /* the run has unsure arrivals, or began with a back edge */

static inline uint64_t gs_loop_run_iterations(const gs_loop_run *run)
{
    return run->iterations + *run->counter;
}

/* From now on iterations are counted in `counter`. */
static inline void gs_loop_run_count_in(gs_loop_run *run, uint64_t iterations,
                                        const uint64_t *counter)
{
    run->iterations = iterations - *counter;
    run->counter = counter;
}

/* Sums up the run. */
static inline void gs_loop_run_end(gs_loop_run *run)
{
    const uint64_t iterations = gs_loop_run_iterations(run);
    if (__builtin_expect(iterations < run->fewest, 0))
        run->fewest = iterations;
    if (__builtin_expect(iterations > run->most, 0))
        run->most = iterations;
    run->runs++;
}

/* Whether a frame below `frame_`, which is the last on the stack, is in the loop and has not
 * returned. */
#define GS_LOOP_RUN_IS_BUSY(run_, frame_)                                                         \
    ((run_)->depth < (frame_)->depth &&                                                           \
     __builtin_expect((frame_)[(int64_t)(run_)->depth - (frame_)->depth].number == (run_)->frame, \
                      0))

/* Whether gs_loop_run_enter() is all there is to do when `frame_`, the last on the stack, enters
 * the loop. */
#define GS_LOOP_RUN_IS_OPEN(run_, frame_)      \
    (__builtin_expect((run_)->special == 0, 1) \
         ? !GS_LOOP_RUN_IS_BUSY(run_, frame_)  \
         : (run_)->special == GS_LOOP_AWAITED && (run_)->frame == (frame_)->number)

static inline void gs_loop_run_enter(gs_loop_run *run, const gs_frame *frame,
                                     const uint64_t *counter)
{
    if (__builtin_expect(run->frame != 0, 1))
        gs_loop_run_end(run);
    run->frame = frame->number;
    run->depth = frame->depth;
    gs_loop_run_count_in(run, 1, counter);
}

/* Counts iterations in gs_loop_run.iterations from now on, because the counter elsewhere is
 * about to be freed. (callstack.c; not for translated code.) */
void gs_loop_run_detach(gs_loop_run *run);

/* A run of a loop that has not been entered. */
gs_loop_run gs_loop_run_none(void);

#endif
