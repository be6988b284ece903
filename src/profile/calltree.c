/* Follows calls and returns along the tree of call paths. */
#include "profile/calltree.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

enum {
    MAX_DEPTH = 1 << 24,
    PLACES = 4096,
    FIRST_CALLS = 1024,   /* slots */
    REPETITIONS = 4,      /* of a call on one path */
    LARGE_TREE = 1 << 14, /* nodes: from here on, 1 repetition */
};

typedef gs_frame frame;

/* The node that a call from a node leads to: a child, or one further up that stands for it. */
typedef struct known_call {
    uint32_t from, site, entry, kind;
    uint32_t to; /* 0: the slot is empty */
} known_call;

/* What is at an address. */
typedef struct place {
    uint32_t pc;
    bool known, millicode;
    const gs_function *function; /* or NULL */
} place;

struct gs_calltree {
    const gs_image *image;
    struct {
        gs_call_node *items;
        size_t count, capacity;
    } nodes;
    struct {
        frame *items;
        size_t count, capacity;
    } stack;          /* [0] is the program itself and never leaves */
    gs_metrics mark;  /* the reading when the current node became current */
    uint32_t *active; /* per function of the image, see activity_of() */
    gs_contexts *contexts;
    gs_loop_around *loop_around;
    void *self;
    uint64_t desyncs, merged;
    bool outside;         /* the region of interest */
    gs_metrics elsewhere; /* what it cost there */
    bool full;            /* out of memory: deeper calls are charged where they are */
    uint64_t frames_made;
    size_t numbered;   /* frames there is room for that have their depth */
    known_call *calls; /* a hash table */
    size_t call_count, call_slots;
    place places[PLACES]; /* looked up recently, by a hash of the pc */
};

/* Millicode belongs to its caller. */
static bool has_name_of_millicode(const gs_function *function)
{
    return function && strncmp(function->name, "__riscv_", 8) == 0 &&
           (strncmp(function->name + 8, "save_", 5) == 0 ||
            strncmp(function->name + 8, "restore_", 8) == 0);
}

static __attribute__((noinline)) void look_up(const gs_calltree *tree, place *p, uint32_t pc)
{
    const gs_function *function = gs_image_function_at(tree->image, pc);
    *p = (place){pc, true, has_name_of_millicode(function), function};
}

static const place *place_at(gs_calltree *tree, uint32_t pc)
{
    place *p = &tree->places[(pc >> 1) % PLACES];
    if (__builtin_expect(!p->known || p->pc != pc, 0))
        look_up(tree, p, pc);
    return p;
}

static const gs_function *function_at(gs_calltree *tree, uint32_t pc)
{
    return place_at(tree, pc)->function;
}

static bool is_millicode(gs_calltree *tree, uint32_t pc)
{
    return place_at(tree, pc)->millicode;
}

/* Frames up to and with the function's last one, or 0. */
static uint32_t *activity_of(const gs_calltree *tree, const gs_function *function)
{
    return function ? &tree->active[function - gs_image_function(tree->image, 0)] : NULL;
}

gs_status gs_calltree_open(gs_calltree **out, const gs_image *image, uint32_t entry,
                           gs_loop_around *loop_around, void *self, gs_error *err)
{
    *out = NULL;
    gs_calltree *tree = calloc(1, sizeof *tree);
    if (!tree)
        return gs_fail_no_memory(err);
    tree->image = image;
    tree->loop_around = loop_around;
    tree->self = self;
    gs_call_node root = {
        .parent = GS_CALLTREE_NONE,
        .first_child = GS_CALLTREE_NONE,
        .next = GS_CALLTREE_NONE,
        .entry = entry,
        .function = gs_image_function_at(image, entry),
        .calls = 1,
    };
    frame bottom = {
        .number = ++tree->frames_made, .depth = 1, .return_address = GS_FRAME_NO_RETURN};
    tree->active = calloc(gs_image_function_count(image) + 1, sizeof *tree->active);
    if (!tree->active || !gs_vec_push(&tree->nodes, root) || !gs_vec_push(&tree->stack, bottom) ||
        gs_contexts_open(&tree->contexts, err) != GS_OK) {
        gs_calltree_free(tree);
        return gs_fail_no_memory(err);
    }
    gs_call_node *made = &tree->nodes.items[0];
    made->active = activity_of(tree, made->function);
    if (made->active)
        *made->active = 1;
    *out = tree;
    return GS_OK;
}

void gs_calltree_free(gs_calltree *tree)
{
    if (!tree)
        return;
    free(tree->nodes.items);
    free(tree->stack.items);
    free(tree->active);
    free(tree->calls);
    gs_contexts_free(tree->contexts);
    free(tree);
}

static frame *top(gs_calltree *tree)
{
    return &tree->stack.items[tree->stack.count - 1];
}

static uint32_t node_of(const frame *f)
{
    return (uint32_t)f->path;
}

static uint32_t context_in(const frame *f)
{
    return (uint32_t)(f->path >> 32);
}

static gs_call_node *current(gs_calltree *tree)
{
    return &tree->nodes.items[node_of(top(tree))];
}

static gs_metrics *cost_of(gs_calltree *tree, gs_call_node *node)
{
    return tree->outside ? &tree->elsewhere : &node->self;
}

static void count_calls(const gs_calltree *tree, gs_call_node *node, uint64_t calls)
{
    node->calls += tree->outside ? 0 : calls;
}

void gs_calltree_take_side(gs_calltree *tree, bool outside)
{
    tree->outside = outside;
}

void gs_calltree_settle(gs_calltree *tree, const gs_metrics *reading)
{
    gs_metrics_add_difference(cost_of(tree, current(tree)), reading, &tree->mark);
    tree->mark = *reading;
}

void gs_calltree_settle_now(gs_calltree *tree, const gs_timing *timing, uint64_t instructions,
                            uint64_t traps)
{
    gs_metrics_settle(cost_of(tree, current(tree)), &tree->mark, timing, instructions, traps);
}

static bool is_call(const gs_call_node *node, uint32_t site, uint32_t entry, gs_frame_kind kind)
{
    return node->site == site && node->entry == entry && node->kind == kind;
}

/* How often a call is on the path from the root to `node`. */
static unsigned count_on_path(const gs_calltree *tree, uint32_t node, uint32_t site, uint32_t entry,
                              gs_frame_kind kind)
{
    unsigned count = 0;
    for (; node != GS_CALLTREE_NONE; node = tree->nodes.items[node].parent)
        count += is_call(&tree->nodes.items[node], site, entry, kind);
    return count;
}

/* Whether all calls on the path from `above` down to `node` are on the path to `above` too. */
static bool is_repetition(const gs_calltree *tree, uint32_t above, uint32_t node)
{
    for (; node != above; node = tree->nodes.items[node].parent) {
        const gs_call_node *n = &tree->nodes.items[node];
        if (count_on_path(tree, above, n->site, n->entry, n->kind) == 0)
            return false;
    }
    return true;
}

/* The node on the path to `node` that stands for this call as well, or none. */
static uint32_t find_repeated(gs_calltree *tree, uint32_t node, uint32_t site, uint32_t entry,
                              gs_frame_kind kind)
{
    const gs_function *function = function_at(tree, entry);
    if (!function || *activity_of(tree, function) == 0)
        return GS_CALLTREE_NONE;
    unsigned most = tree->nodes.count < LARGE_TREE ? REPETITIONS : 1;
    for (uint32_t at = node; at != GS_CALLTREE_NONE; at = tree->nodes.items[at].parent) {
        if (is_call(&tree->nodes.items[at], site, entry, kind) &&
            count_on_path(tree, at, site, entry, kind) >= most && is_repetition(tree, at, node))
            return at;
    }
    if (tree->nodes.count < GS_CALLTREE_FULL)
        return GS_CALLTREE_NONE;
    for (uint32_t at = node; at != GS_CALLTREE_NONE; at = tree->nodes.items[at].parent) {
        if (tree->nodes.items[at].function == function &&
            tree->nodes.items[at].parent != GS_CALLTREE_NONE) {
            tree->merged++;
            return at;
        }
    }
    return GS_CALLTREE_NONE;
}

static uint32_t make_child(gs_calltree *tree, uint32_t parent, uint32_t site, uint32_t entry,
                           gs_frame_kind kind)
{
    const gs_function *function = function_at(tree, entry);
    gs_call_node node = {
        .parent = parent,
        .first_child = GS_CALLTREE_NONE,
        .next = tree->nodes.items[parent].first_child,
        .site = site,
        .entry = entry,
        .function = function,
        .active = activity_of(tree, function),
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

static size_t hash_call(const gs_calltree *tree, uint32_t from, uint32_t site, uint32_t entry)
{
    uint32_t mixed = (site / 2 + entry / 2 * 31 + from * 1021) * 0x9e3779b1u;
    return (mixed >> 7) & (tree->call_slots - 1);
}

static known_call *find_call(const gs_calltree *tree, uint32_t from, uint32_t site, uint32_t entry,
                             uint32_t kind)
{
    size_t at = hash_call(tree, from, site, entry);
    for (;; at = (at + 1) & (tree->call_slots - 1)) {
        known_call *call = &tree->calls[at];
        if (call->to == 0 || (call->from == from && call->site == site && call->entry == entry &&
                              call->kind == kind))
            return call;
    }
}

static bool grow_calls(gs_calltree *tree)
{
    size_t before = tree->call_slots;
    known_call *old = tree->calls,
               *wider = calloc(before ? 2 * before : FIRST_CALLS, sizeof *wider);
    if (!wider)
        return false;
    tree->calls = wider;
    tree->call_slots = before ? 2 * before : FIRST_CALLS;
    for (size_t i = 0; i < before; i++) {
        if (old[i].to != 0)
            *find_call(tree, old[i].from, old[i].site, old[i].entry, old[i].kind) = old[i];
    }
    free(old);
    return true;
}

/* The node for a call from another, made if there is none yet. */
static uint32_t called_node(gs_calltree *tree, uint32_t from, uint32_t site, uint32_t entry,
                            gs_frame_kind kind)
{
    if (2 * tree->call_count >= tree->call_slots && !grow_calls(tree)) {
        tree->full = true;
        return GS_CALLTREE_NONE;
    }
    known_call *known = find_call(tree, from, site, entry, kind);
    if (known->to != 0)
        return known->to;
    uint32_t to = find_repeated(tree, from, site, entry, kind);
    if (to == GS_CALLTREE_NONE)
        to = make_child(tree, from, site, entry, kind);
    if (to == GS_CALLTREE_NONE)
        return to;
    *known = (known_call){from, site, entry, kind, to};
    tree->call_count++;
    return to;
}

/* The loop in which the function's activation below waits belongs to the context of the new one. */
static uint32_t context_of(gs_calltree *tree, uint32_t same, uint32_t site)
{
    const frame *below = &tree->stack.items[same - 1];
    bool direct = same == tree->stack.count;
    uint32_t waits_at = direct ? site : tree->nodes.items[node_of(&tree->stack.items[same])].site;
    uint32_t header = tree->loop_around(tree->self, waits_at);
    if (header == UINT32_MAX)
        return context_in(below);
    uint32_t context = gs_contexts_with(tree->contexts, context_in(below), header);
    if (context != GS_CONTEXT_NONE)
        return context;
    tree->merged++;
    return context_in(below);
}

static void push(gs_calltree *tree, uint32_t site, uint32_t entry, gs_frame_kind kind,
                 uint32_t return_address, uint32_t sp)
{
    uint32_t node = GS_CALLTREE_NONE;
    if (!tree->full && tree->stack.count < MAX_DEPTH && gs_vec_has_room(&tree->stack))
        node = called_node(tree, node_of(top(tree)), site, entry, kind);
    if (node == GS_CALLTREE_NONE) {
        tree->desyncs++;
        return;
    }
    gs_call_node *called = &tree->nodes.items[node];
    uint32_t same = called->active ? *called->active : 0;
    uint32_t context = same ? context_of(tree, same, site) : 0;
    frame *made = &tree->stack.items[tree->stack.count++]; /* in place: it is read again soon */
    made->number = ++tree->frames_made;
    made->path = (uint64_t)context << 32 | node;
    made->return_address = return_address;
    made->sp = sp;
    made->depth = (uint32_t)tree->stack.count;
    made->kind = kind;
    made->active = called->active;
    made->same = same;
    if (called->active)
        *called->active = made->depth;
    count_calls(tree, called, 1);
}

static void pop_to(gs_calltree *tree, size_t depth)
{
    while (tree->stack.count > depth) {
        const frame *gone = &tree->stack.items[--tree->stack.count];
        if (gone->active)
            *gone->active = gone->same;
    }
}

/* Most returns: the function that was called last comes back to where it was called from. */
static inline bool pop_last(gs_calltree *tree, uint32_t goal)
{
    const frame *last = top(tree);
    if (last->kind != GS_FRAME_CALL || last->return_address != goal || tree->stack.count == 1)
        return false;
    if (last->active)
        *last->active = last->same;
    tree->stack.count--;
    return true;
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

/* longjmp: the stack of everything it leaves lies below the new stack pointer, or starts there:
 * the function that goes on has called it from just where its own stack ends. */
static bool is_left_behind(gs_calltree *tree, const frame *f, uint32_t goal, uint32_t sp)
{
    if (f->kind == GS_FRAME_TRAP)
        return false;
    return f->sp < sp ||
           (f->sp == sp && tree->nodes.items[node_of(f)].function != function_at(tree, goal));
}

/* Pops the frames that a longjmp to `goal` leaves; false if that is none. */
static bool leave_behind(gs_calltree *tree, uint32_t goal, uint32_t sp)
{
    size_t depth = tree->stack.count;
    while (depth > 1 && is_left_behind(tree, &tree->stack.items[depth - 1], goal, sp))
        depth--;
    const gs_call_node *node = &tree->nodes.items[node_of(&tree->stack.items[depth - 1])];
    if (depth == tree->stack.count || node->function != function_at(tree, goal))
        return false;
    pop_to(tree, depth);
    return true;
}

static void follow_return(gs_calltree *tree, uint32_t pc, uint32_t goal, uint32_t sp)
{
    if (is_millicode(tree, pc) && function_at(tree, goal) == current(tree)->function)
        return; /* __riscv_save_* comes back to its caller */
    if (__builtin_expect(pop_last(tree, goal), 1))
        return;
    size_t depth = frames_below_return(tree, goal);
    if (depth > 0) {
        pop_to(tree, depth);
        return;
    }
    if (leave_behind(tree, goal, sp))
        return;
    if (top(tree)->kind == GS_FRAME_TRAP && !function_at(tree, goal))
        return; /* a signal handler goes back through a few instructions of the kernel's */
    tree->desyncs++;
}

static void follow_jump(gs_calltree *tree, gs_flow flow, uint32_t pc, uint32_t goal, uint32_t sp)
{
    const gs_function *from = function_at(tree, pc), *to = function_at(tree, goal);
    if (from == to || !to || is_millicode(tree, goal) || is_millicode(tree, pc))
        return;
    const frame *f = top(tree);
    if (f->kind == GS_FRAME_TAIL && tree->stack.count > 1 && goal != to->start) {
        const frame *below = &tree->stack.items[tree->stack.count - 2];
        if (tree->nodes.items[node_of(below)].function == to)
            pop_to(tree, tree->stack.count - 1);
        return;
    }
    if (goal != to->start) {
        if (flow == GS_FLOW_JUMP_INDIRECT)
            leave_behind(tree, goal, sp);
        return;
    }
    for (size_t depth = tree->stack.count; tree->stack.items[depth - 1].kind == GS_FRAME_TAIL;
         depth--) {
        gs_call_node *node = &tree->nodes.items[node_of(&tree->stack.items[depth - 1])];
        if (node->site == pc && node->entry == goal) {
            pop_to(tree, depth);
            count_calls(tree, node, 1);
            return;
        }
    }
    push(tree, pc, goal, GS_FRAME_TAIL, f->return_address, f->sp);
}

void gs_calltree_flow(gs_calltree *tree, gs_flow flow, uint32_t pc, uint32_t goal,
                      uint32_t return_address, uint32_t sp)
{
    switch (flow) {
    case GS_FLOW_CALL:
    case GS_FLOW_CALL_INDIRECT:
    case GS_FLOW_BRANCH_CALL:
        if (!is_millicode(tree, goal))
            push(tree, pc, goal, GS_FRAME_CALL, return_address, sp);
        break;
    case GS_FLOW_RETURN_CALL:
        follow_return(tree, pc, goal, sp);
        push(tree, pc, goal, GS_FRAME_CALL, return_address, sp);
        break;
    case GS_FLOW_RETURN: follow_return(tree, pc, goal, sp); break;
    case GS_FLOW_BRANCH:
    case GS_FLOW_JUMP:
    case GS_FLOW_JUMP_INDIRECT: follow_jump(tree, flow, pc, goal, sp); break;
    case GS_FLOW_TRAP_RETURN: {
        size_t depth = tree->stack.count;
        while (depth > 1 && tree->stack.items[depth - 1].kind != GS_FRAME_TRAP)
            depth--;
        if (depth > 1)
            pop_to(tree, depth - 1);
        else
            follow_jump(tree, flow, pc, goal, sp); /* into user mode for the first time */
        break;
    }
    default: break;
    }
}

void gs_calltree_trap(gs_calltree *tree, uint32_t pc, uint32_t handler, uint32_t sp)
{
    push(tree, pc, handler, GS_FRAME_TRAP, pc, sp);
}

/* Whether control that is at `goal` after a system call has come back from the trap of the frame at
 * this depth. The handler may have chosen another place in the function it interrupted. */
static bool is_back_from(gs_calltree *tree, size_t depth, uint32_t goal)
{
    const frame *f = &tree->stack.items[depth - 1];
    const gs_function *function = function_at(tree, goal);
    return f->return_address == goal || (function && goal != function->start &&
                                         function == tree->nodes.items[node_of(f - 1)].function);
}

void gs_calltree_signal(gs_calltree *tree, uint32_t pc, uint32_t goal, uint32_t return_address,
                        uint32_t sp)
{
    for (size_t depth = tree->stack.count; depth > 1; depth--) {
        if (tree->stack.items[depth - 1].kind == GS_FRAME_TRAP && is_back_from(tree, depth, goal)) {
            pop_to(tree, depth - 1);
            return;
        }
    }
    push(tree, pc, goal, GS_FRAME_TRAP, return_address, sp);
}

void gs_calltree_shift(gs_calltree *tree, const gs_metrics *now, const gs_metrics *before)
{
    gs_metrics_add_difference(&tree->mark, now, before);
}

void gs_calltree_mark(gs_calltree *tree, const gs_metrics *reading)
{
    tree->mark = *reading;
}

void gs_calltree_lend(gs_calltree *tree, gs_call_stack *stack)
{
    size_t room = tree->stack.capacity < MAX_DEPTH ? tree->stack.capacity : MAX_DEPTH;
    for (; tree->numbered < tree->stack.capacity; tree->numbered++)
        tree->stack.items[tree->numbered].depth = (uint32_t)tree->numbered + 1;
    stack->top = stack->indexed = top(tree);
    stack->end = tree->stack.items + (tree->full ? 0 : room);
    stack->made = tree->frames_made;
}

void gs_calltree_take_back(gs_calltree *tree, const gs_call_stack *stack)
{
    size_t depth = stack->top->depth;
    tree->frames_made = stack->made;
    tree->stack.count = stack->indexed->depth;
    while (tree->stack.count < depth) {
        frame *f = &tree->stack.items[tree->stack.count++];
        f->active = tree->nodes.items[node_of(f)].active;
        f->same = f->active ? *f->active : 0;
        if (f->active)
            *f->active = f->depth;
    }
}

bool gs_calltree_is_crowded(const gs_calltree *tree)
{
    return tree->nodes.count >= GS_CALLTREE_FULL;
}

/* Frames up to and with the last one of a function, which may be NULL; or 0. */
static uint32_t last_frame_of(const gs_calltree *tree, const gs_function *function)
{
    const uint32_t *activity = activity_of(tree, function);
    return activity ? *activity : 0;
}

/* Whether a call of `function` leads to the same path each time it is made on the current one: it
 * is not on the stack, or the last on it. */
static bool is_determined(const gs_calltree *tree, const gs_function *function)
{
    const uint32_t active = last_frame_of(tree, function);
    return !gs_calltree_is_crowded(tree) && (active == 0 || active == tree->stack.count);
}

static gs_move_kind kind_of_jump(gs_calltree *tree, uint32_t pc, uint32_t goal)
{
    const gs_function *from = function_at(tree, pc), *to = function_at(tree, goal);
    if (from == to || !to || is_millicode(tree, goal) || is_millicode(tree, pc))
        return GS_MOVE_LOCAL;
    /* From a tail call to a function that is on the stack it may go back to where that was called.
     */
    const bool is_new = top(tree)->kind != GS_FRAME_TAIL || last_frame_of(tree, to) == 0;
    return goal == to->start && is_new && is_determined(tree, to) ? GS_MOVE_TAIL : GS_MOVE_OTHER;
}

gs_move_kind gs_calltree_kind(gs_calltree *tree, gs_flow flow, uint32_t pc, uint32_t goal)
{
    switch (flow) {
    case GS_FLOW_CALL:
    case GS_FLOW_CALL_INDIRECT:
    case GS_FLOW_BRANCH_CALL:
        if (is_millicode(tree, goal))
            return GS_MOVE_LOCAL;
        return is_determined(tree, function_at(tree, goal)) ? GS_MOVE_CALL : GS_MOVE_OTHER;
    case GS_FLOW_RETURN: return is_millicode(tree, pc) ? GS_MOVE_OTHER : GS_MOVE_RETURN;
    case GS_FLOW_BRANCH:
    case GS_FLOW_JUMP:
    case GS_FLOW_JUMP_INDIRECT: return kind_of_jump(tree, pc, goal);
    default: return GS_MOVE_OTHER;
    }
}

void gs_calltree_count_calls(gs_calltree *tree, uint32_t node, uint64_t calls)
{
    count_calls(tree, &tree->nodes.items[node], calls);
}

void gs_calltree_charge(gs_calltree *tree, uint32_t node, const gs_metrics *cost)
{
    gs_metrics_add(cost_of(tree, &tree->nodes.items[node]), cost);
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

uint64_t gs_calltree_merged(const gs_calltree *tree)
{
    return tree->merged;
}

uint32_t gs_calltree_current(const gs_calltree *tree)
{
    return node_of(&tree->stack.items[tree->stack.count - 1]);
}

const gs_frame *gs_calltree_top(const gs_calltree *tree)
{
    return &tree->stack.items[tree->stack.count - 1];
}

uint32_t gs_calltree_context(const gs_calltree *tree)
{
    return context_in(&tree->stack.items[tree->stack.count - 1]);
}

const gs_contexts *gs_calltree_contexts(const gs_calltree *tree)
{
    return tree->contexts;
}
