/*
 * calltree.h - call paths, and what was spent on each.
 *
 * Follows calls and returns as they retire and keeps a tree of call paths. A node is a
 * function reached from one call site of its parent; it has how often it was called
 * and its own cost, all metrics at once. Costs are not added per instruction: when the
 * path changes, the node that was current gets the difference of two readings.
 *
 * Recursion is followed to any depth on the stack, but the tree stays small: a call that is on
 * its own path four times already leads back to the node it led to before, provided that
 * the calls since then are on the path to that node as well. So a node stands for all deeper
 * iterations of a recursion, no cost is lost or counted twice, and what calls led to a node stays
 * true. A tree that grows large does so from the first repetition. One that is still too
 * large leads a recursive call to the nearest node of its function whatever the calls since
 * then were; `gs_calltree_merged()` counts these.
 *
 * The rules, from the top frame {node, return address, stack pointer, kind}:
 *
 *  call      pushes a frame. A call whose target the isa calls no call (bal .+8) is none;
 *            millicode (__riscv_save_*, __riscv_restore_*) belongs to its caller.
 *  return    pops to the nearest frame with that return address and stack pointer, tail calls above
 *            the same address included. Without one, see "threads" below; then to one with that
 *            return address; then frames whose stack is gone (longjmp) are popped; if the return
 *            still leads nowhere known, `desyncs` goes up and the stack stays.
 *  jump      to the entry of another function is a tail call: a frame that goes with its
 *            caller's. Out of a tail-called function back into the one below (a cold
 *            part), it pops, and so it does where a longjmp jumps through a register. A tail
 *            call that has been made already since the last call pops to where it led:
 *            functions that hand over to each other for ever need no stack.
 *  trap      pushes a frame of its own kind; a return from a trap pops to the nearest. A signal's
 *            handler that returns, by a system call, pops to the nearest that came from there, or
 *            from the same function.
 *
 * A thread is a stack. Functions leave the stack pointer as they found it, so control that comes
 * back by a return, a return from a trap or a jump through a register with another one is in
 * another thread: in one that is suspended, if control is back behind a call or in front of an
 * instruction where a trap came, and with the stack pointer of then; or in a function that made a
 * call with that stack pointer (longjmp). Where none fits, a thread begins: a root of the tree. It
 * is the same as one before if it begins at the same place with the same stack pointer. Stacks that
 * a new thread begins in belong to threads that are gone. A function that is called in a stack of
 * its own is a thread as well, unless that is for the handler of a trap: until it returns.
 *
 * Changes take effect after the instruction and its delay slot have retired, so a call's
 * own cycles belong to the caller.
 */
#ifndef GS_PROFILE_CALLTREE_H
#define GS_PROFILE_CALLTREE_H

#include "gumshoe/run.h"
#include "probe/callstack.h"
#include "probe/metrics.h"
#include "profile/contexts.h"
#include "profile/jumps.h"

typedef struct gs_calltree gs_calltree;

#define GS_CALLTREE_NONE UINT32_MAX
enum { GS_CALLTREE_FULL = 1 << 17 }; /* nodes: from here on, recursion is merged where it can be */

typedef struct gs_call_node {
    uint32_t parent;             /* or GS_CALLTREE_NONE for the root of a thread */
    uint32_t first_child;        /* or GS_CALLTREE_NONE */
    uint32_t next;               /* sibling */
    uint32_t site;               /* address of the calling instruction */
    uint32_t entry;              /* first address of the function as called */
    const gs_function *function; /* or NULL where none is known */
    uint32_t *active;            /* the tree's: the function's frames up to its last one; or NULL */
    gs_frame_kind kind;
    uint32_t thread; /* of a root */
    uint64_t calls;
    gs_metrics self;
} gs_call_node;

#define GS_THREAD_NO_SP UINT32_MAX

typedef struct gs_thread {
    uint32_t root; /* node */
    uint32_t sp;   /* with which it began; or GS_THREAD_NO_SP: that is not known */
} gs_thread;

/* `loop_around` tells the innermost loop around an address by its header, or UINT32_MAX.
 * `changes_stack`, whether the code before a call has changed to another stack. */
typedef uint32_t gs_loop_around(void *self, uint32_t pc);
typedef bool gs_changes_stack(void *self, uint32_t site);
gs_status gs_calltree_open(gs_calltree **out, const gs_image *image, uint32_t entry,
                           gs_loop_around *loop_around, gs_changes_stack *changes_stack, void *self,
                           gs_error *err);
void gs_calltree_free(gs_calltree *tree);

/* Charges the current node with everything up to this reading, or up to now. To be called before
 * every move: the node that is current afterwards has what follows. */
void gs_calltree_settle(gs_calltree *tree, const gs_metrics *reading);
void gs_calltree_settle_now(gs_calltree *tree, const gs_timing *timing, uint64_t instructions,
                            uint64_t traps);

/* A retired instruction that moves control, `taken`. */
void gs_calltree_flow(gs_calltree *tree, gs_flow flow, uint32_t pc, uint32_t goal,
                      uint32_t return_address, uint32_t sp);
void gs_calltree_trap(gs_calltree *tree, uint32_t pc, uint32_t handler, uint32_t sp);
/* A system call at `pc` after which control is at `goal`: back where the nearest trap came from, or
 * in a handler that will come back to `return_address`. */
void gs_calltree_signal(gs_calltree *tree, uint32_t pc, uint32_t goal, uint32_t return_address,
                        uint32_t sp);

/* The engine has charged what happened between two readings by itself. */
void gs_calltree_shift(gs_calltree *tree, const gs_metrics *now, const gs_metrics *before);

/* Charges what has happened up to this reading to no node. */
void gs_calltree_mark(gs_calltree *tree, const gs_metrics *reading);

/* Between these two the engine pushes and pops frames on `stack`, as gs_calltree_kind() allows. The
 * calls it makes have to be counted (gs_calltree_count_calls()). */
void gs_calltree_lend(gs_calltree *tree, gs_call_stack *stack);
void gs_calltree_take_back(gs_calltree *tree, const gs_call_stack *stack);
/* Classifies a jump that is about to be made, or has just been made and looked up. */
gs_move_kind gs_calltree_kind(gs_calltree *tree, gs_flow flow, uint32_t pc, uint32_t goal);
/* So full that it leaves functions on the stack out of the path: calls are determined no more. */
bool gs_calltree_is_crowded(const gs_calltree *tree);
void gs_calltree_count_calls(gs_calltree *tree, uint32_t node, uint64_t calls);
void gs_calltree_charge(gs_calltree *tree, uint32_t node, const gs_metrics *cost);

/* Outside the region of interest calls are followed, but neither they nor their cost count. */
void gs_calltree_take_side(gs_calltree *tree, bool outside);

size_t gs_calltree_count(const gs_calltree *tree);
const gs_call_node *gs_calltree_node(const gs_calltree *tree, size_t index); /* 0 is the root */
size_t gs_calltree_thread_count(const gs_calltree *tree);
const gs_thread *gs_calltree_thread(const gs_calltree *tree, size_t index); /* 0 was first */
uint32_t gs_calltree_running(const gs_calltree *tree);                      /* thread */
/* From which thread to which, how often. */
const gs_jumps *gs_calltree_switches(const gs_calltree *tree);
/* The last frame of a thread that does not run, or NULL if that has come to its end. */
const gs_frame *gs_calltree_top_of(const gs_calltree *tree, uint32_t thread);

uint64_t gs_calltree_desyncs(const gs_calltree *tree);
uint64_t gs_calltree_merged(const gs_calltree *tree);

uint32_t gs_calltree_current(const gs_calltree *tree); /* node */

/* The last frame on the stack, until that changes. */
const gs_frame *gs_calltree_top(const gs_calltree *tree);

/* The current function's context, see contexts.h. */
uint32_t gs_calltree_context(const gs_calltree *tree);
const gs_contexts *gs_calltree_contexts(const gs_calltree *tree);

#endif
