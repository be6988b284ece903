/*
 * calltree_parts.h - what a call tree consists of, for the files that make it up.
 *
 * calltree.c has the tree and the stack of the thread that runs, calltree_flow.c what jumps, calls
 * and returns do to them, calltree_threads.c the stacks of the threads that do not run.
 */
#ifndef GS_PROFILE_CALLTREE_PARTS_H
#define GS_PROFILE_CALLTREE_PARTS_H

#include "profile/calltree.h"
#include "profile/jumps.h"

enum { GS_CALLTREE_PLACES = 4096 };

/* The node that a call from a node leads to: a child, or one further up that stands for it. From
 * GS_CALLTREE_NONE, a thread that begins with the stack pointer `site`, and `to` is its index + 1.
 */
typedef struct gs_known_call {
    uint32_t from, site, entry, kind;
    uint32_t to; /* 0: the slot is empty */
} gs_known_call;

/* What is at an address. */
typedef struct gs_place {
    uint32_t pc;
    bool known, millicode;
    enum { GS_STACK_NOT_ASKED, GS_STACK_STAYS, GS_STACK_CHANGES } stack; /* before a call there */
    const gs_function *function;                                         /* or NULL */
} gs_place;

/* [0] is the thread itself and never leaves. */
typedef struct gs_frames {
    gs_frame *items;
    size_t count, capacity;
    size_t numbered; /* frames there is room for that have their depth */
} gs_frames;

/* A thread that is not the running one. */
typedef struct gs_suspended {
    gs_frames stack; /* no frames: it has come to its end, or runs */
    uint32_t lowest; /* stack pointer of its frames */
    uint32_t highest;
    /* Of a thread that was called: where it returns to, and in which thread. */
    uint32_t return_address; /* or GS_FRAME_NO_RETURN */
    uint32_t caller;
} gs_suspended;

/* Frames that were left all at once. */
typedef struct gs_remnant {
    gs_frames frames; /* none: there is no remnant */
    uint32_t left_at; /* stack pointer of the frame below them */
} gs_remnant;

enum { GS_CALLTREE_REMNANTS = 64 };

struct gs_calltree {
    const gs_image *image;
    struct {
        gs_call_node *items;
        size_t count, capacity;
    } nodes;
    gs_frames stack;  /* of the running thread */
    gs_metrics mark;  /* the reading when the current node became current */
    uint32_t *active; /* per function of the image: frames up to and with its last one, or 0 */
    gs_contexts *contexts;
    gs_loop_around *loop_around;
    gs_changes_stack *changes_stack;
    void *self;
    uint64_t desyncs, merged;
    bool outside;         /* the region of interest */
    gs_metrics elsewhere; /* what it cost there */
    bool full;            /* out of memory: deeper calls are charged where they are */
    uint64_t frames_made;
    gs_known_call *calls; /* a hash table */
    size_t call_count, call_slots;
    struct {
        gs_thread *items;
        size_t count, capacity;
    } threads;
    struct {
        gs_suspended *items; /* by thread */
        size_t count, capacity;
    } suspended;
    uint32_t thread;   /* that runs */
    gs_jumps switches; /* from one thread to another */
    gs_remnant remnants[GS_CALLTREE_REMNANTS];
    size_t next_remnant;
    gs_place places[GS_CALLTREE_PLACES]; /* looked up recently, by a hash of the pc */
};

static inline gs_frame *gs_calltree_last(const gs_calltree *tree)
{
    return &tree->stack.items[tree->stack.count - 1];
}

static inline uint32_t gs_frame_node(const gs_frame *frame)
{
    return (uint32_t)frame->path;
}

const gs_function *gs_calltree_function_at(gs_calltree *tree, uint32_t pc);
bool gs_calltree_is_millicode(gs_calltree *tree, uint32_t pc);
/* Whether the code before a call at `pc` has changed to another stack. */
bool gs_calltree_changes_stack(gs_calltree *tree, uint32_t pc);
static inline const gs_function *gs_calltree_function_of(const gs_calltree *tree,
                                                         const gs_frame *frame)
{
    return tree->nodes.items[gs_frame_node(frame)].function;
}

/* Frames up to and with the function's last one, or 0; NULL without a function. */
uint32_t *gs_calltree_activity(const gs_calltree *tree, const gs_function *function);

static inline void gs_calltree_add_calls(const gs_calltree *tree, gs_call_node *node,
                                         uint64_t calls)
{
    node->calls += tree->outside ? 0 : calls;
}

void gs_calltree_push(gs_calltree *tree, uint32_t site, uint32_t entry, gs_frame_kind kind,
                      uint32_t return_address, uint32_t sp);
void gs_calltree_pop_to(gs_calltree *tree, size_t depth);

/* The entry for a call, which may be new: then its `to` is 0. NULL when memory is out. */
gs_known_call *gs_calltree_known_call(gs_calltree *tree, uint32_t from, uint32_t site,
                                      uint32_t entry, uint32_t kind);
/* Fills in a new one. */
void gs_calltree_keep_call(gs_calltree *tree, gs_known_call *known, const gs_known_call *call);
/* The node for a call from another, made if there is none yet. GS_CALLTREE_NONE when memory is out.
 */
uint32_t gs_calltree_called_node(gs_calltree *tree, uint32_t from, uint32_t site, uint32_t entry,
                                 gs_frame_kind kind);
/* Makes a node a root that was none. */
void gs_calltree_uproot(gs_calltree *tree, uint32_t node);
/* A node without a parent. GS_CALLTREE_NONE when memory is out. */
uint32_t gs_calltree_make_root(gs_calltree *tree, uint32_t entry);

/* -- threads (calltree_threads.c) -- */

/* Where control arrives that came neither by a call nor back to where the last call was made. */
typedef struct gs_landing {
    uint32_t goal, sp;
    const gs_function *function; /* `goal` is inside of; NULL if it is the first of one */
} gs_landing;

gs_landing gs_landing_at(gs_calltree *tree, uint32_t goal, uint32_t sp);

/* How well control that lands somewhere fits a place in a stack where it had left. */
typedef enum gs_fit {
    GS_FIT_NONE,
    GS_FIT_WITHIN,   /* a function there goes on, with a stack pointer it may have had */
    GS_FIT_FUNCTION, /* the same, and it had that stack pointer when it made its last call */
    GS_FIT_EXACT,    /* behind a call, or in front of where a trap came, with the same one */
} gs_fit;

/* `keep`: how many frames stay. */
gs_fit gs_calltree_fit(const gs_calltree *tree, const gs_frames *stack, const gs_landing *landing,
                       size_t *keep);
/* The thread which it fits best of those that do not run. */
gs_fit gs_calltree_fit_suspended(const gs_calltree *tree, const gs_landing *landing,
                                 uint32_t *thread, size_t *keep);
/* The running thread is suspended, and the other goes on with so many frames. */
void gs_calltree_resume(gs_calltree *tree, uint32_t thread, size_t keep);
/* The running thread is suspended, and a thread begins. */
void gs_calltree_begin(gs_calltree *tree, const gs_landing *landing);
/* The same by a call, from which the thread may return. */
void gs_calltree_begin_called(gs_calltree *tree, uint32_t entry, uint32_t return_address,
                              uint32_t sp);
/* If control comes back from where the running thread was called: its end. */
bool gs_calltree_end_called(gs_calltree *tree, const gs_landing *landing);
/* Whether a thread has begun there with this stack pointer. */
bool gs_calltree_knows_beginning(gs_calltree *tree, const gs_landing *landing);
/* The thread that begins with this frame, which has been found to be in a stack of its own: the
 * node of the frame becomes a root unless the thread has one. UINT32_MAX when memory is out. */
uint32_t gs_calltree_adopt(gs_calltree *tree, const gs_frame *first);
bool gs_calltree_open_threads(gs_calltree *tree);
void gs_calltree_free_threads(gs_calltree *tree);

/* -- threads that began with a call (calltree_remnants.c) -- */

/* Pops the frames above `keep`, to which control may come back. */
void gs_calltree_leave(gs_calltree *tree, size_t keep);
/* Whether control is back in frames that were left, with the thread that they turn out to be. */
bool gs_calltree_revive(gs_calltree *tree, const gs_landing *landing, gs_fit least);
void gs_calltree_free_remnants(gs_calltree *tree);

#endif
