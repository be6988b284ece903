/* The stacks of the threads that do not run, and where in them control may come back to. */
#include <stdlib.h>

#include "base/vec.h"
#include "profile/calltree_parts.h"

bool gs_calltree_open_threads(gs_calltree *tree)
{
    const gs_thread first = {.root = 0, .sp = GS_THREAD_NO_SP};
    const gs_suspended none = {.return_address = GS_FRAME_NO_RETURN};
    return gs_vec_push(&tree->threads, first) && gs_vec_push(&tree->suspended, none);
}

void gs_calltree_free_threads(gs_calltree *tree)
{
    for (size_t i = 0; i < tree->suspended.count; i++)
        free(tree->suspended.items[i].stack.items);
    free(tree->suspended.items);
    gs_jumps_fini(&tree->switches);
    free(tree->threads.items);
}

gs_landing gs_landing_at(gs_calltree *tree, uint32_t goal, uint32_t sp)
{
    const gs_function *function = gs_calltree_function_at(tree, goal);
    return (gs_landing){goal, sp, function && function->start != goal ? function : NULL};
}

/* The longest instruction that a handler of a trap may come back behind. */
enum { LONGEST_INSTRUCTION = 4 };

static bool comes_back(const gs_frame *f, const gs_landing *landing)
{
    if (f->kind == GS_FRAME_TRAP)
        return landing->goal - f->return_address <= LONGEST_INSTRUCTION;
    return landing->goal == f->return_address;
}

/* How much of its stack a function that switches threads by itself may have taken. */
enum { FRAME_OF_SWITCH = 512 };

/* Whether the last function goes on that has left by itself, not by a call. */
static bool goes_on(const gs_calltree *tree, const gs_frames *stack, const gs_landing *landing)
{
    const gs_frame *last = &stack->items[stack->count - 1];
    return landing->function && gs_calltree_function_of(tree, last) == landing->function &&
           landing->sp <= last->sp && last->sp - landing->sp <= FRAME_OF_SWITCH;
}

gs_fit gs_calltree_fit(const gs_calltree *tree, const gs_frames *stack, const gs_landing *landing,
                       size_t *keep)
{
    gs_fit best = GS_FIT_NONE;
    if (goes_on(tree, stack, landing)) {
        best = GS_FIT_WITHIN;
        *keep = stack->count;
    }
    for (size_t depth = stack->count; depth > 1; depth--) {
        const gs_frame *f = &stack->items[depth - 1], *below = f - 1;
        gs_fit fit = GS_FIT_NONE;
        if (f->kind == GS_FRAME_TAIL || f->sp > landing->sp)
            continue; /* a tail call goes with the frame below, which has the same stack pointer */
        if (f->sp == landing->sp && comes_back(f, landing))
            fit = GS_FIT_EXACT;
        else if (landing->function && gs_calltree_function_of(tree, below) == landing->function)
            fit = f->sp == landing->sp       ? GS_FIT_FUNCTION
                  : landing->sp <= below->sp ? GS_FIT_WITHIN
                                             : GS_FIT_NONE;
        if (fit > best) {
            best = fit;
            *keep = depth - 1;
        }
        if (fit == GS_FIT_EXACT)
            break;
    }
    return best;
}

gs_fit gs_calltree_fit_suspended(const gs_calltree *tree, const gs_landing *landing,
                                 uint32_t *thread, size_t *keep)
{
    gs_fit best = GS_FIT_NONE;
    for (size_t i = 0; i < tree->suspended.count && best != GS_FIT_EXACT; i++) {
        const gs_suspended *s = &tree->suspended.items[i];
        size_t keep_there = 0;
        if (s->stack.count == 0 || landing->sp > s->highest ||
            (landing->sp < s->lowest && s->lowest - landing->sp > FRAME_OF_SWITCH))
            continue;
        const gs_fit fit = gs_calltree_fit(tree, &s->stack, landing, &keep_there);
        if (fit > best) {
            best = fit;
            *thread = (uint32_t)i;
            *keep = keep_there;
        }
    }
    return best;
}

/* The range of stack pointers in which control may come back. */
static void look_at_range(gs_suspended *s)
{
    const gs_frames *stack = &s->stack;
    s->lowest = UINT32_MAX;
    s->highest = 0;
    for (size_t i = 0; i < stack->count; i++) {
        const uint32_t sp = stack->items[i].sp;
        s->lowest = sp < s->lowest ? sp : s->lowest;
        s->highest = sp > s->highest ? sp : s->highest; /* GS_THREAD_NO_SP: may be any */
    }
}

static void suspend(gs_calltree *tree)
{
    gs_suspended *s = &tree->suspended.items[tree->thread];
    for (size_t i = tree->stack.count; i > 0; i--) {
        const gs_frame *f = &tree->stack.items[i - 1];
        if (f->active)
            *f->active = f->same;
    }
    s->stack = tree->stack;
    tree->stack = (gs_frames){.count = 0};
    look_at_range(s);
}

/* The running thread goes on to be another one. */
static void run(gs_calltree *tree, uint32_t thread)
{
    bool made;
    gs_jump_profile *known = thread == tree->thread
                                 ? NULL
                                 : gs_jumps_between(&tree->switches, tree->thread, thread, &made);
    if (known)
        known->count += !tree->outside;
    else if (thread != tree->thread)
        tree->full = true;
    tree->thread = thread;
}

void gs_calltree_resume(gs_calltree *tree, uint32_t thread, size_t keep)
{
    suspend(tree);
    gs_suspended *s = &tree->suspended.items[thread];
    tree->stack = s->stack;
    tree->stack.count = keep;
    s->stack = (gs_frames){.count = 0};
    run(tree, thread);
    for (size_t i = 0; i < keep; i++) {
        gs_frame *f = &tree->stack.items[i];
        f->active = tree->nodes.items[gs_frame_node(f)].active;
        f->same = f->active ? *f->active : 0;
        if (f->active)
            *f->active = f->depth;
    }
}

/* Whether a stack pointer is in what a thread has used of its own stack: handlers of traps may run
 * on another. */
static bool is_in_own_stack(const gs_frames *stack, uint32_t sp)
{
    uint32_t lowest = UINT32_MAX, highest = 0;
    for (size_t i = 0; i < stack->count; i++) {
        const gs_frame *f = &stack->items[i];
        if (f->sp == GS_THREAD_NO_SP)
            continue;
        lowest = f->sp < lowest ? f->sp : lowest;
        highest = f->sp > highest ? f->sp : highest;
        if (f->kind == GS_FRAME_TRAP)
            break;
    }
    return lowest <= sp && sp <= highest;
}

/* A thread begins at `sp`: what was there belongs to threads that are gone. */
static void bury(gs_calltree *tree, uint32_t sp)
{
    for (size_t i = 0; i < tree->suspended.count; i++) {
        gs_frames *stack = &tree->suspended.items[i].stack;
        if (stack->count > 0 && is_in_own_stack(stack, sp)) {
            free(stack->items);
            *stack = (gs_frames){.count = 0};
        }
    }
}

bool gs_calltree_knows_beginning(gs_calltree *tree, const gs_landing *landing)
{
    const gs_known_call *known =
        gs_calltree_known_call(tree, GS_CALLTREE_NONE, landing->sp, landing->goal, GS_FRAME_CALL);
    return known && known->to != 0;
}

static uint32_t make_thread(gs_calltree *tree, uint32_t root, uint32_t sp)
{
    const gs_suspended none = {.return_address = GS_FRAME_NO_RETURN};
    const gs_thread made = {root, sp};
    if (made.root == GS_CALLTREE_NONE || !gs_vec_push(&tree->suspended, none))
        return UINT32_MAX;
    if (!gs_vec_push(&tree->threads, made)) {
        tree->suspended.count--;
        return UINT32_MAX;
    }
    const uint32_t thread = (uint32_t)tree->threads.count - 1;
    tree->nodes.items[made.root].thread = thread;
    return thread;
}

/* The thread that begins at `entry` with this stack pointer, made if it never has. Its root is then
 * this node, or a new one if that is GS_CALLTREE_NONE. UINT32_MAX when memory is out. */
static uint32_t thread_at(gs_calltree *tree, uint32_t entry, uint32_t sp, uint32_t root)
{
    gs_known_call *known = gs_calltree_known_call(tree, GS_CALLTREE_NONE, sp, entry, GS_FRAME_CALL);
    if (!known)
        return UINT32_MAX;
    if (known->to != 0)
        return known->to - 1;
    if (root == GS_CALLTREE_NONE)
        root = gs_calltree_make_root(tree, entry);
    else
        gs_calltree_uproot(tree, root);
    const uint32_t thread = make_thread(tree, root, sp);
    if (thread != UINT32_MAX)
        gs_calltree_keep_call(
            tree, known, &(gs_known_call){GS_CALLTREE_NONE, sp, entry, GS_FRAME_CALL, thread + 1});
    return thread;
}

uint32_t gs_calltree_adopt(gs_calltree *tree, const gs_frame *first)
{
    const uint32_t node = gs_frame_node(first);
    const uint32_t entry = tree->nodes.items[node].entry;
    const bool is_root = tree->nodes.items[node].parent == GS_CALLTREE_NONE;
    bury(tree, first->sp);
    return thread_at(tree, entry, first->sp, is_root ? GS_CALLTREE_NONE : node);
}

void gs_calltree_begin(gs_calltree *tree, const gs_landing *landing)
{
    const uint32_t thread = thread_at(tree, landing->goal, landing->sp, GS_CALLTREE_NONE);
    gs_frames stack = {.count = 0};
    if (thread == UINT32_MAX || !gs_vec_has_room(&stack)) {
        tree->full = true;
        tree->desyncs++;
        return;
    }
    gs_call_node *root = &tree->nodes.items[tree->threads.items[thread].root];
    stack.items[stack.count++] = (gs_frame){
        .number = ++tree->frames_made,
        .path = tree->threads.items[thread].root,
        .return_address = GS_FRAME_NO_RETURN,
        .sp = landing->sp,
        .depth = 1,
        .kind = GS_FRAME_CALL,
    };
    suspend(tree);
    bury(tree, landing->sp);
    gs_frames *before = &tree->suspended.items[thread].stack;
    free(before->items);
    *before = (gs_frames){.count = 0};
    run(tree, thread);
    tree->suspended.items[thread].return_address = GS_FRAME_NO_RETURN;
    tree->stack = stack;
    tree->stack.items[0].active = root->active;
    if (root->active)
        *root->active = 1;
    gs_calltree_add_calls(tree, root, 1);
}

void gs_calltree_begin_called(gs_calltree *tree, uint32_t entry, uint32_t return_address,
                              uint32_t sp)
{
    const gs_landing landing = {entry, sp, NULL};
    const uint32_t caller = tree->thread;
    gs_calltree_begin(tree, &landing);
    if (tree->thread != caller) {
        tree->suspended.items[tree->thread].return_address = return_address;
        tree->suspended.items[tree->thread].caller = caller;
    }
}

bool gs_calltree_end_called(gs_calltree *tree, const gs_landing *landing)
{
    const uint32_t thread = tree->thread;
    const gs_suspended *own = &tree->suspended.items[thread];
    if (own->return_address != landing->goal || tree->stack.items[0].sp != landing->sp)
        return false;
    const gs_frames *caller = &tree->suspended.items[own->caller].stack;
    if (caller->count == 0)
        return false;
    gs_calltree_resume(tree, own->caller, caller->count);
    gs_frames *over = &tree->suspended.items[thread].stack;
    free(over->items);
    *over = (gs_frames){.count = 0};
    return true;
}

size_t gs_calltree_thread_count(const gs_calltree *tree)
{
    return tree->threads.count;
}

const gs_thread *gs_calltree_thread(const gs_calltree *tree, size_t index)
{
    return &tree->threads.items[index];
}

const gs_jumps *gs_calltree_switches(const gs_calltree *tree)
{
    return &tree->switches;
}

uint32_t gs_calltree_running(const gs_calltree *tree)
{
    return tree->thread;
}

const gs_frame *gs_calltree_top_of(const gs_calltree *tree, uint32_t thread)
{
    const gs_frames *stack = &tree->suspended.items[thread].stack;
    return stack->count > 0 ? &stack->items[stack->count - 1] : NULL;
}
