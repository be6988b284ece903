/* Threads in a profile: which there are, their nodes above the call paths, and their names. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "profile/profile_build.h"

typedef gs_profile_builder builder;

bool gs_profile_choose_threads(builder *b)
{
    const gs_calltree *calls = gs_recorder_calls(b->recorder);
    const size_t count = gs_calltree_thread_count(calls);
    uint32_t chosen = 0;
    b->thread_of = malloc(count * sizeof *b->thread_of);
    if (!b->thread_of)
        return false;
    for (size_t i = 0; i < count; i++) {
        const uint32_t root = gs_calltree_thread(calls, i)->root;
        b->thread_of[i] = b->node_of[root] != GS_PROFILE_NONE ? chosen++ : GS_PROFILE_NONE;
    }
    b->thread_count = chosen > 1 ? chosen : 0;
    return true;
}

uint32_t gs_profile_thread_node(const builder *b, uint32_t thread)
{
    return b->thread_count ? 1 + b->thread_of[thread] : GS_PROFILE_NONE;
}

bool gs_profile_add_threads(builder *b)
{
    gs_profile *profile = b->profile;
    const gs_calltree *calls = gs_recorder_calls(b->recorder);
    gs_profile_node node = {
        .parent = GS_PROFILE_NONE,
        .function = GS_PROFILE_NONE,
        .thread = GS_PROFILE_NONE,
        .kind = GS_FRAME_THREAD,
    };
    if (b->thread_count == 0)
        return true;
    if (!gs_vec_push(&profile->nodes, node))
        return false;
    for (size_t i = 0; i < gs_calltree_thread_count(calls); i++) {
        const gs_thread *thread = gs_calltree_thread(calls, i);
        const gs_function *function = gs_calltree_node(calls, thread->root)->function;
        const gs_profile_thread row = {
            .function = function ? b->function_of[function - gs_image_function(b->image, 0)]
                                 : GS_PROFILE_NONE,
            .sp = thread->sp,
        };
        if (b->thread_of[i] == GS_PROFILE_NONE)
            continue;
        node.parent = 0;
        node.thread = b->thread_of[i];
        if (!gs_vec_push(&profile->threads, row) || !gs_vec_push(&profile->nodes, node))
            return false;
    }
    return true;
}

static int by_threads(const void *a, const void *b)
{
    const gs_profile_switch *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

bool gs_profile_add_switches(builder *b)
{
    gs_profile *profile = b->profile;
    const gs_jumps *switches = gs_calltree_switches(gs_recorder_calls(b->recorder));
    for (size_t i = 0; b->thread_count > 0 && i < switches->count; i++) {
        const gs_jump_profile *from = &switches->items[i];
        const gs_profile_switch row = {b->thread_of[from->from], b->thread_of[from->to],
                                       from->count};
        if (row.count == 0 || row.from == GS_PROFILE_NONE || row.to == GS_PROFILE_NONE)
            continue;
        if (!gs_vec_push(&profile->switches, row))
            return false;
    }
    if (profile->switches.count > 0)
        qsort(profile->switches.items, profile->switches.count, sizeof *profile->switches.items,
              by_threads);
    return true;
}

/* -- names -- */

/* Many kernels begin all threads in one function, which calls each one's own: the function, by its
 * index, that the node on a thread's path called most of, or GS_PROFILE_NONE. */
static uint32_t called_most(const gs_profile *p, const gs_metrics *inclusive, uint32_t *node)
{
    uint32_t most = GS_PROFILE_NONE;
    for (uint32_t i = *node + 1; i < p->nodes.count; i++) {
        const gs_profile_node *n = &p->nodes.items[i];
        if (n->parent == *node && n->kind != GS_FRAME_TRAP &&
            (most == GS_PROFILE_NONE || inclusive[i].value[GS_METRIC_INSTRUCTIONS] >
                                            inclusive[most].value[GS_METRIC_INSTRUCTIONS]))
            most = i;
    }
    if (most == GS_PROFILE_NONE)
        return GS_PROFILE_NONE;
    *node = most;
    return p->nodes.items[most].function;
}

/* What a thread is called after, while names are looked for. */
typedef struct naming {
    uint32_t node; /* on its path */
    uint32_t function;
} naming;

static bool is_shared(const naming *names, size_t count, size_t thread)
{
    for (size_t i = 0; i < count; i++) {
        if (i != thread && names[i].function == names[thread].function)
            return true;
    }
    return false;
}

/* Threads that begin with the same function are called after what that called, if it called
 * something different in one of them. */
static void tell_apart(const gs_profile *p, const gs_metrics *inclusive, naming *names,
                       uint32_t function)
{
    uint32_t first = GS_PROFILE_NONE;
    bool differ = false;
    for (size_t i = 0; i < p->threads.count; i++) {
        uint32_t node = names[i].node;
        if (names[i].function != function)
            continue;
        const uint32_t called = called_most(p, inclusive, &node);
        if (called == GS_PROFILE_NONE)
            return;
        differ |= first != GS_PROFILE_NONE && called != first;
        first = first == GS_PROFILE_NONE ? called : first;
    }
    for (size_t i = 0; differ && i < p->threads.count; i++) {
        if (names[i].function == function)
            names[i].function = called_most(p, inclusive, &names[i].node);
    }
}

static char *name_of(const gs_profile *p, const naming *names, size_t thread)
{
    const uint32_t function = names[thread].function;
    size_t before = 0;
    char *name;
    for (size_t i = 0; i < thread; i++)
        before += names[i].function == function;
    const char *text =
        function == GS_PROFILE_NONE ? "(no function)" : p->functions.items[function].name;
    if (before == 0)
        return strdup(text);
    return asprintf(&name, "%s #%zu", text, before + 1) < 0 ? NULL : name;
}

bool gs_profile_name_threads(gs_profile *p)
{
    const size_t count = p->threads.count;
    naming *names = calloc(count + 1, sizeof *names);
    gs_metrics *inclusive = gs_profile_inclusive(p);
    bool good = names && inclusive;
    for (uint32_t i = 0; good && i < p->nodes.count; i++) {
        const uint32_t parent = p->nodes.items[i].parent;
        if (parent != GS_PROFILE_NONE && p->nodes.items[parent].thread != GS_PROFILE_NONE)
            names[p->nodes.items[parent].thread] = (naming){i, p->nodes.items[i].function};
    }
    for (size_t i = 0; good && i < count; i++) {
        if (is_shared(names, count, i))
            tell_apart(p, inclusive, names, names[i].function);
    }
    for (size_t i = 0; good && i < count; i++) {
        good = gs_profile_thread_set_name(&p->threads.items[i], name_of(p, names, i));
    }
    free(names);
    free(inclusive);
    return good;
}
