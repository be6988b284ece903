/*
 * Frames that were left all at once, which may turn out to be a thread.
 *
 * A kernel may begin a thread with a call, once it has changed the stack pointer: the thread's
 * functions are then above those of the caller, until control leaves them by a longjmp() or a
 * switch. If it comes back to them after that, they were not gone but in a stack of their own.
 */
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "profile/calltree_parts.h"

enum {
    MOST_FRAMES = 1 << 12, /* of a remnant */
    LEAST_CALLS = 2,       /* of a thread: its first function, and one that leaves it */
};

void gs_calltree_free_remnants(gs_calltree *tree)
{
    for (size_t i = 0; i < GS_CALLTREE_REMNANTS; i++)
        free(tree->remnants[i].frames.items);
}

static size_t count_calls(const gs_frames *stack, size_t first)
{
    size_t count = 0;
    for (size_t i = first; i < stack->count; i++)
        count += stack->items[i].kind == GS_FRAME_CALL;
    return count;
}

static void keep_remnant(gs_calltree *tree, size_t first)
{
    gs_remnant *r = &tree->remnants[tree->next_remnant++ % GS_CALLTREE_REMNANTS];
    r->frames.count = 0;
    r->left_at = tree->stack.items[first - 1].sp;
    for (size_t i = first; i < tree->stack.count; i++) {
        if (!gs_vec_push(&r->frames, tree->stack.items[i])) {
            r->frames.count = 0;
            return;
        }
    }
}

void gs_calltree_leave(gs_calltree *tree, size_t keep)
{
    const size_t count = tree->stack.count - keep;
    if (count >= LEAST_CALLS && count <= MOST_FRAMES && keep > 0 &&
        count_calls(&tree->stack, keep) >= LEAST_CALLS)
        keep_remnant(tree, keep);
    gs_calltree_pop_to(tree, keep);
}

/* The first frame of the other stack: where the stack pointer makes its largest step. */
static size_t first_of_thread(const gs_remnant *r)
{
    size_t first = 0;
    uint32_t largest = 0, before = r->left_at;
    for (size_t i = 0; i < r->frames.count; i++) {
        const uint32_t sp = r->frames.items[i].sp;
        const uint32_t step = before == GS_THREAD_NO_SP ? 0
                              : sp > before             ? sp - before
                                                        : before - sp;
        if (step > largest && r->frames.items[i].kind == GS_FRAME_CALL) {
            largest = step;
            first = i;
        }
        before = sp;
    }
    return first;
}

static uint32_t find(gs_calltree *tree, const gs_landing *landing, gs_fit least, size_t *keep)
{
    for (uint32_t i = 0; i < GS_CALLTREE_REMNANTS; i++) {
        const gs_remnant *r = &tree->remnants[i];
        if (r->frames.count > 0 && gs_calltree_fit(tree, &r->frames, landing, keep) >= least &&
            *keep > first_of_thread(r))
            return i;
    }
    return UINT32_MAX;
}

/* Has the frames lead along the tree from another root. */
static bool move_below(gs_calltree *tree, gs_frames *frames, uint32_t root)
{
    uint32_t node = root;
    frames->items[0].path = root;
    for (size_t i = 1; i < frames->count; i++) {
        gs_frame *f = &frames->items[i];
        const gs_call_node *before = &tree->nodes.items[gs_frame_node(f)];
        node = gs_calltree_called_node(tree, node, before->site, before->entry, before->kind);
        if (node == GS_CALLTREE_NONE)
            return false;
        f->path = (f->path >> 32) << 32 | node;
    }
    return true;
}

bool gs_calltree_revive(gs_calltree *tree, const gs_landing *landing, gs_fit least)
{
    size_t keep = 0;
    const uint32_t number = find(tree, landing, least, &keep);
    if (number == UINT32_MAX)
        return false;
    gs_remnant *r = &tree->remnants[number];
    const size_t first = first_of_thread(r);
    gs_frames frames = {.count = 0};
    for (size_t i = first; i < keep; i++) {
        if (!gs_vec_push(&frames, r->frames.items[i])) {
            free(frames.items);
            return false;
        }
        gs_frame *f = &frames.items[frames.count - 1];
        f->number = ++tree->frames_made; /* the loops it was in have been left */
        f->depth = (uint32_t)frames.count;
    }
    frames.numbered = frames.count;
    r->frames.count = 0;
    frames.items[0].return_address = GS_FRAME_NO_RETURN;
    const uint32_t thread = gs_calltree_adopt(tree, &frames.items[0]);
    if (thread == UINT32_MAX || !move_below(tree, &frames, tree->threads.items[thread].root)) {
        free(frames.items);
        return false;
    }
    gs_frames *there = &tree->suspended.items[thread].stack;
    free(there->items);
    *there = frames;
    gs_calltree_resume(tree, thread, frames.count);
    return true;
}
