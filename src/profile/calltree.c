/* Follows calls and returns along the tree of call paths. */
#include "profile/calltree.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "profile/calltree_parts.h"

enum {
    MAX_DEPTH = 1 << 24,
    FIRST_CALLS = 1024,   /* slots */
    REPETITIONS = 4,      /* of a call on one path */
    LARGE_TREE = 1 << 14, /* nodes: from here on, 1 repetition */
};

/* Millicode belongs to its caller. */
static bool has_name_of_millicode(const gs_function *function)
{
    return function && strncmp(function->name, "__riscv_", 8) == 0 &&
           (strncmp(function->name + 8, "save_", 5) == 0 ||
            strncmp(function->name + 8, "restore_", 8) == 0);
}

static __attribute__((noinline)) void look_up(const gs_calltree *tree, gs_place *p, uint32_t pc)
{
    const gs_function *function = gs_image_function_at(tree->image, pc);
    *p = (gs_place){
        .pc = pc,
        .known = true,
        .millicode = has_name_of_millicode(function),
        .function = function,
    };
}

static gs_place *place_at(gs_calltree *tree, uint32_t pc)
{
    gs_place *p = &tree->places[(pc >> 1) % GS_CALLTREE_PLACES];
    if (__builtin_expect(!p->known || p->pc != pc, 0))
        look_up(tree, p, pc);
    return p;
}

const gs_function *gs_calltree_function_at(gs_calltree *tree, uint32_t pc)
{
    return place_at(tree, pc)->function;
}

bool gs_calltree_is_millicode(gs_calltree *tree, uint32_t pc)
{
    return place_at(tree, pc)->millicode;
}

bool gs_calltree_changes_stack(gs_calltree *tree, uint32_t pc)
{
    gs_place *p = place_at(tree, pc);
    if (p->stack == GS_STACK_NOT_ASKED)
        p->stack = tree->changes_stack(tree->self, pc) ? GS_STACK_CHANGES : GS_STACK_STAYS;
    return p->stack == GS_STACK_CHANGES;
}

/* Frames up to and with the function's last one, or 0. */
uint32_t *gs_calltree_activity(const gs_calltree *tree, const gs_function *function)
{
    return function ? &tree->active[function - gs_image_function(tree->image, 0)] : NULL;
}

gs_status gs_calltree_open(gs_calltree **out, const gs_image *image, uint32_t entry,
                           gs_loop_around *loop_around, gs_changes_stack *changes_stack, void *self,
                           gs_error *err)
{
    *out = NULL;
    gs_calltree *tree = calloc(1, sizeof *tree);
    if (!tree)
        return gs_fail_no_memory(err);
    tree->image = image;
    tree->loop_around = loop_around;
    tree->changes_stack = changes_stack;
    tree->self = self;
    gs_call_node root = {
        .parent = GS_CALLTREE_NONE,
        .first_child = GS_CALLTREE_NONE,
        .next = GS_CALLTREE_NONE,
        .entry = entry,
        .function = gs_image_function_at(image, entry),
        .calls = 1,
    };
    gs_frame bottom = {
        .number = ++tree->frames_made,
        .depth = 1,
        .return_address = GS_FRAME_NO_RETURN,
        .sp = GS_THREAD_NO_SP,
    };
    tree->active = calloc(gs_image_function_count(image) + 1, sizeof *tree->active);
    if (!tree->active || !gs_vec_push(&tree->nodes, root) || !gs_vec_push(&tree->stack, bottom) ||
        !gs_calltree_open_threads(tree) || gs_contexts_open(&tree->contexts, err) != GS_OK) {
        gs_calltree_free(tree);
        return gs_fail_no_memory(err);
    }
    gs_call_node *made = &tree->nodes.items[0];
    made->active = gs_calltree_activity(tree, made->function);
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
    gs_calltree_free_threads(tree);
    gs_calltree_free_remnants(tree);
    free(tree->active);
    free(tree->calls);
    gs_contexts_free(tree->contexts);
    free(tree);
}

static uint32_t context_in(const gs_frame *f)
{
    return (uint32_t)(f->path >> 32);
}

static gs_call_node *current(gs_calltree *tree)
{
    return &tree->nodes.items[gs_frame_node(gs_calltree_last(tree))];
}

static gs_metrics *cost_of(gs_calltree *tree, gs_call_node *node)
{
    return tree->outside ? &tree->elsewhere : &node->self;
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
    const gs_function *function = gs_calltree_function_at(tree, entry);
    if (!function || *gs_calltree_activity(tree, function) == 0)
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
    const gs_function *function = gs_calltree_function_at(tree, entry);
    gs_call_node node = {
        .parent = parent,
        .first_child = GS_CALLTREE_NONE,
        .next = GS_CALLTREE_NONE,
        .site = site,
        .entry = entry,
        .function = function,
        .active = gs_calltree_activity(tree, function),
        .kind = kind,
    };
    if (tree->nodes.count >= GS_CALLTREE_NONE || !gs_vec_push(&tree->nodes, node)) {
        tree->full = true;
        return GS_CALLTREE_NONE;
    }
    uint32_t made = (uint32_t)tree->nodes.count - 1;
    uint32_t *first = parent == GS_CALLTREE_NONE ? &tree->nodes.items[0].next
                                                 : &tree->nodes.items[parent].first_child;
    tree->nodes.items[made].next = *first;
    *first = made;
    return made;
}

uint32_t gs_calltree_make_root(gs_calltree *tree, uint32_t entry)
{
    return make_child(tree, GS_CALLTREE_NONE, 0, entry, GS_FRAME_CALL);
}

static size_t hash_call(const gs_calltree *tree, uint32_t from, uint32_t site, uint32_t entry)
{
    uint32_t mixed = (site / 2 + entry / 2 * 31 + from * 1021) * 0x9e3779b1u;
    return (mixed >> 7) & (tree->call_slots - 1);
}

static gs_known_call *find_call(const gs_calltree *tree, uint32_t from, uint32_t site,
                                uint32_t entry, uint32_t kind)
{
    size_t at = hash_call(tree, from, site, entry);
    for (;; at = (at + 1) & (tree->call_slots - 1)) {
        gs_known_call *call = &tree->calls[at];
        if (call->to == 0 || (call->from == from && call->site == site && call->entry == entry &&
                              call->kind == kind))
            return call;
    }
}

static bool grow_calls(gs_calltree *tree)
{
    size_t before = tree->call_slots;
    gs_known_call *old = tree->calls,
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

void gs_calltree_uproot(gs_calltree *tree, uint32_t node)
{
    gs_call_node *items = tree->nodes.items;
    uint32_t *at = &items[items[node].parent].first_child;
    while (*at != node)
        at = &items[*at].next;
    *at = items[node].next;
    items[node].parent = GS_CALLTREE_NONE;
    items[node].next = items[0].next;
    items[0].next = node;
}

gs_known_call *gs_calltree_known_call(gs_calltree *tree, uint32_t from, uint32_t site,
                                      uint32_t entry, uint32_t kind)
{
    if (2 * tree->call_count >= tree->call_slots && !grow_calls(tree)) {
        tree->full = true;
        return NULL;
    }
    return find_call(tree, from, site, entry, kind);
}

void gs_calltree_keep_call(gs_calltree *tree, gs_known_call *known, const gs_known_call *call)
{
    *known = *call;
    tree->call_count++;
}

uint32_t gs_calltree_called_node(gs_calltree *tree, uint32_t from, uint32_t site, uint32_t entry,
                                 gs_frame_kind kind)
{
    gs_known_call *known = gs_calltree_known_call(tree, from, site, entry, kind);
    if (!known)
        return GS_CALLTREE_NONE;
    if (known->to != 0)
        return known->to;
    uint32_t to = find_repeated(tree, from, site, entry, kind);
    if (to == GS_CALLTREE_NONE)
        to = make_child(tree, from, site, entry, kind);
    if (to == GS_CALLTREE_NONE)
        return to;
    gs_calltree_keep_call(tree, known, &(gs_known_call){from, site, entry, kind, to});
    return to;
}

/* The loop in which the function's activation below waits belongs to the context of the new one. */
static uint32_t context_of(gs_calltree *tree, uint32_t same, uint32_t site)
{
    const gs_frame *below = &tree->stack.items[same - 1];
    bool direct = same == tree->stack.count;
    uint32_t waits_at =
        direct ? site : tree->nodes.items[gs_frame_node(&tree->stack.items[same])].site;
    uint32_t header = tree->loop_around(tree->self, waits_at);
    if (header == UINT32_MAX)
        return context_in(below);
    uint32_t context = gs_contexts_with(tree->contexts, context_in(below), header);
    if (context != GS_CONTEXT_NONE)
        return context;
    tree->merged++;
    return context_in(below);
}

void gs_calltree_push(gs_calltree *tree, uint32_t site, uint32_t entry, gs_frame_kind kind,
                      uint32_t return_address, uint32_t sp)
{
    uint32_t node = GS_CALLTREE_NONE;
    if (!tree->full && tree->stack.count < MAX_DEPTH && gs_vec_has_room(&tree->stack))
        node =
            gs_calltree_called_node(tree, gs_frame_node(gs_calltree_last(tree)), site, entry, kind);
    if (node == GS_CALLTREE_NONE) {
        tree->desyncs++;
        return;
    }
    gs_call_node *called = &tree->nodes.items[node];
    uint32_t same = called->active ? *called->active : 0;
    uint32_t context = same ? context_of(tree, same, site) : 0;
    gs_frame *made = &tree->stack.items[tree->stack.count++]; /* in place: it is read again soon */
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
    gs_calltree_add_calls(tree, called, 1);
}

void gs_calltree_pop_to(gs_calltree *tree, size_t depth)
{
    while (tree->stack.count > depth) {
        const gs_frame *gone = &tree->stack.items[--tree->stack.count];
        if (gone->active)
            *gone->active = gone->same;
    }
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
    for (; tree->stack.numbered < tree->stack.capacity; tree->stack.numbered++)
        tree->stack.items[tree->stack.numbered].depth = (uint32_t)tree->stack.numbered + 1;
    stack->top = stack->indexed = gs_calltree_last(tree);
    stack->end = tree->stack.items + (tree->full ? 0 : room);
    stack->made = tree->frames_made;
}

void gs_calltree_take_back(gs_calltree *tree, const gs_call_stack *stack)
{
    size_t depth = stack->top->depth;
    tree->frames_made = stack->made;
    tree->stack.count = stack->indexed->depth;
    while (tree->stack.count < depth) {
        gs_frame *f = &tree->stack.items[tree->stack.count++];
        f->active = tree->nodes.items[gs_frame_node(f)].active;
        f->same = f->active ? *f->active : 0;
        if (f->active)
            *f->active = f->depth;
    }
}

bool gs_calltree_is_crowded(const gs_calltree *tree)
{
    return tree->nodes.count >= GS_CALLTREE_FULL;
}

void gs_calltree_count_calls(gs_calltree *tree, uint32_t node, uint64_t calls)
{
    gs_calltree_add_calls(tree, &tree->nodes.items[node], calls);
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
    return gs_frame_node(&tree->stack.items[tree->stack.count - 1]);
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
