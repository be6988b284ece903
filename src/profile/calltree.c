#include "profile/calltree.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

enum { MAX_DEPTH = 1 << 20, FUNCTION_CACHE = 4096 };

typedef struct frame {
    uint32_t node;
    uint32_t return_address;
    uint32_t sp;
    gs_frame_kind kind;
} frame;

struct gs_calltree {
    const gs_image *image;
    struct {
        gs_call_node *items;
        size_t count, capacity;
    } nodes;
    struct {
        frame *items;
        size_t count, capacity;
    } stack;         /* [0] is the program itself and never leaves */
    gs_metrics mark; /* the reading when the current node became current */
    uint64_t desyncs;
    bool full; /* out of memory: deeper calls are charged where they are */
    struct {
        uint32_t pc;
        bool known;
        const gs_function *function;
    } functions[FUNCTION_CACHE];
};

static const gs_function *function_at(gs_calltree *tree, uint32_t pc)
{
    size_t slot = (pc >> 1) % FUNCTION_CACHE;
    if (!tree->functions[slot].known || tree->functions[slot].pc != pc) {
        tree->functions[slot].pc = pc;
        tree->functions[slot].known = true;
        tree->functions[slot].function = gs_image_function_at(tree->image, pc);
    }
    return tree->functions[slot].function;
}

gs_status gs_calltree_open(gs_calltree **out, const gs_image *image, uint32_t entry, gs_error *err)
{
    *out = NULL;
    gs_calltree *tree = calloc(1, sizeof *tree);
    if (!tree)
        return gs_fail_no_memory(err);
    tree->image = image;
    gs_call_node root = {
        .parent = GS_CALLTREE_NONE,
        .first_child = GS_CALLTREE_NONE,
        .next = GS_CALLTREE_NONE,
        .entry = entry,
        .function = gs_image_function_at(image, entry),
        .calls = 1,
    };
    frame bottom = {0};
    if (!gs_vec_push(&tree->nodes, root) || !gs_vec_push(&tree->stack, bottom)) {
        gs_calltree_free(tree);
        return gs_fail_no_memory(err);
    }
    *out = tree;
    return GS_OK;
}

void gs_calltree_free(gs_calltree *tree)
{
    if (!tree)
        return;
    free(tree->nodes.items);
    free(tree->stack.items);
    free(tree);
}

static frame *top(gs_calltree *tree)
{
    return &tree->stack.items[tree->stack.count - 1];
}

static gs_call_node *current(gs_calltree *tree)
{
    return &tree->nodes.items[top(tree)->node];
}

/* The current node has had everything since the mark. */
static void settle(gs_calltree *tree, const gs_metrics *reading)
{
    gs_metrics_add_difference(&current(tree)->self, reading, &tree->mark);
    tree->mark = *reading;
}

/* The child of the current node for this call, made if it is the first; the one called last comes
 * first in the list, because it is likely to be called again. */
static uint32_t child(gs_calltree *tree, uint32_t site, uint32_t entry, gs_frame_kind kind)
{
    uint32_t parent = top(tree)->node, before = GS_CALLTREE_NONE;
    gs_call_node *nodes = tree->nodes.items;
    for (uint32_t i = nodes[parent].first_child; i != GS_CALLTREE_NONE; i = nodes[i].next) {
        if (nodes[i].site == site && nodes[i].entry == entry && nodes[i].kind == kind) {
            if (before != GS_CALLTREE_NONE) {
                nodes[before].next = nodes[i].next;
                nodes[i].next = nodes[parent].first_child;
                nodes[parent].first_child = i;
            }
            return i;
        }
        before = i;
    }
    gs_call_node node = {
        .parent = parent,
        .first_child = GS_CALLTREE_NONE,
        .next = nodes[parent].first_child,
        .site = site,
        .entry = entry,
        .function = function_at(tree, entry),
        .kind = kind,
    };
    if (tree->nodes.count >= GS_CALLTREE_NONE || !gs_vec_push(&tree->nodes, node)) {
        tree->full = true;
        return GS_CALLTREE_NONE;
    }
    uint32_t made = (uint32_t)tree->nodes.count - 1;
    tree->nodes.items[parent].first_child = made;
    return made;
}

static void push(gs_calltree *tree, uint32_t site, uint32_t entry, gs_frame_kind kind,
                 uint32_t return_address, uint32_t sp, const gs_metrics *reading)
{
    settle(tree, reading);
    if (tree->full || tree->stack.count >= MAX_DEPTH) {
        tree->desyncs++;
        return;
    }
    uint32_t node = child(tree, site, entry, kind);
    frame made = {node, return_address, sp, kind};
    if (node == GS_CALLTREE_NONE || !gs_vec_push(&tree->stack, made)) {
        tree->desyncs++;
        return;
    }
    tree->nodes.items[node].calls++;
}

static void pop_to(gs_calltree *tree, size_t depth, const gs_metrics *reading)
{
    settle(tree, reading);
    tree->stack.count = depth;
}

static bool is_millicode(const gs_function *function)
{
    return function && strncmp(function->name, "__riscv_", 8) == 0 &&
           (strncmp(function->name + 8, "save_", 5) == 0 ||
            strncmp(function->name + 8, "restore_", 8) == 0);
}

/* How many frames stay if control returns to `goal`: those below the frame with that return
 * address and below the tail calls that share it. 0 if there is none above the nearest trap. */
static size_t frames_below_return(const gs_calltree *tree, uint32_t goal)
{
    for (size_t depth = tree->stack.count; depth > 1; depth--) {
        const frame *f = &tree->stack.items[depth - 1];
        if (f->kind == GS_FRAME_TRAP)
            return 0;
        if (f->return_address == goal) {
            while (f->kind == GS_FRAME_TAIL && depth > 2) {
                depth--;
                f = &tree->stack.items[depth - 1];
            }
            return depth - 1;
        }
    }
    return 0;
}

static void follow_return(gs_calltree *tree, uint32_t pc, uint32_t goal, uint32_t sp,
                          const gs_metrics *reading)
{
    if (is_millicode(function_at(tree, pc)) && function_at(tree, goal) == current(tree)->function)
        return; /* __riscv_save_* comes back to its caller */
    size_t depth = frames_below_return(tree, goal);
    if (depth > 0) {
        pop_to(tree, depth, reading);
        return;
    }
    /* longjmp: the stack of everything it leaves lies below the new stack pointer. */
    depth = tree->stack.count;
    while (depth > 1 && tree->stack.items[depth - 1].kind != GS_FRAME_TRAP &&
           tree->stack.items[depth - 1].sp < sp)
        depth--;
    const gs_call_node *node = &tree->nodes.items[tree->stack.items[depth - 1].node];
    if (depth < tree->stack.count && node->function == function_at(tree, goal)) {
        pop_to(tree, depth, reading);
        return;
    }
    if (top(tree)->kind == GS_FRAME_TRAP && !function_at(tree, goal))
        return; /* a signal handler goes back through a few instructions of the kernel's */
    tree->desyncs++;
}

static void follow_jump(gs_calltree *tree, uint32_t pc, uint32_t goal, const gs_metrics *reading)
{
    const gs_function *from = function_at(tree, pc), *to = function_at(tree, goal);
    if (from == to || !to || is_millicode(to) || is_millicode(from))
        return;
    const frame *f = top(tree);
    if (f->kind == GS_FRAME_TAIL && tree->stack.count > 1 && goal != to->start) {
        const frame *below = &tree->stack.items[tree->stack.count - 2];
        if (tree->nodes.items[below->node].function == to)
            pop_to(tree, tree->stack.count - 1, reading);
        return;
    }
    if (goal == to->start)
        push(tree, pc, goal, GS_FRAME_TAIL, f->return_address, f->sp, reading);
}

void gs_calltree_flow(gs_calltree *tree, gs_flow flow, uint32_t pc, uint32_t goal,
                      uint32_t return_address, uint32_t sp, const gs_metrics *reading)
{
    switch (flow) {
    case GS_FLOW_CALL:
    case GS_FLOW_CALL_INDIRECT:
    case GS_FLOW_BRANCH_CALL:
        if (!is_millicode(function_at(tree, goal)))
            push(tree, pc, goal, GS_FRAME_CALL, return_address, sp, reading);
        break;
    case GS_FLOW_RETURN_CALL:
        follow_return(tree, pc, goal, sp, reading);
        push(tree, pc, goal, GS_FRAME_CALL, return_address, sp, reading);
        break;
    case GS_FLOW_RETURN: follow_return(tree, pc, goal, sp, reading); break;
    case GS_FLOW_BRANCH:
    case GS_FLOW_JUMP:
    case GS_FLOW_JUMP_INDIRECT: follow_jump(tree, pc, goal, reading); break;
    case GS_FLOW_TRAP_RETURN: {
        size_t depth = tree->stack.count;
        while (depth > 1 && tree->stack.items[depth - 1].kind != GS_FRAME_TRAP)
            depth--;
        if (depth > 1)
            pop_to(tree, depth - 1, reading);
        else
            follow_jump(tree, pc, goal, reading); /* into user mode for the first time */
        break;
    }
    default: break;
    }
}

void gs_calltree_trap(gs_calltree *tree, uint32_t pc, uint32_t handler, uint32_t sp,
                      const gs_metrics *reading)
{
    push(tree, pc, handler, GS_FRAME_TRAP, pc, sp, reading);
}

void gs_calltree_signal(gs_calltree *tree, uint32_t pc, uint32_t goal, uint32_t return_address,
                        uint32_t sp, const gs_metrics *reading)
{
    for (size_t depth = tree->stack.count; depth > 1; depth--) {
        const frame *f = &tree->stack.items[depth - 1];
        if (f->kind == GS_FRAME_TRAP && f->return_address == goal) {
            pop_to(tree, depth - 1, reading);
            return;
        }
    }
    push(tree, pc, goal, GS_FRAME_TRAP, return_address, sp, reading);
}

void gs_calltree_finish(gs_calltree *tree, const gs_metrics *reading)
{
    settle(tree, reading);
}

size_t gs_calltree_count(const gs_calltree *tree)
{
    return tree->nodes.count;
}

const gs_call_node *gs_calltree_node(const gs_calltree *tree, size_t index)
{
    return &tree->nodes.items[index];
}

uint64_t gs_calltree_desyncs(const gs_calltree *tree)
{
    return tree->desyncs;
}
