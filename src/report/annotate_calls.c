/*
 * What the instructions of annotated functions called: one walk over the call tree. A call counts
 * for four scopes: its instruction together with the callee, its instruction, its row, and its row
 * with the inlined ones behind it. A scope is charged with a call only while no other call of it is
 * active, so that a recursion is charged once.
 */
#include <stdlib.h>

#include "base/vec.h"
#include "report/annotate.h"

typedef struct scope {
    uint32_t active;   /* calls made in it that have not returned */
    uint64_t opened;   /* the function's clock when the outermost of them was made, */
    uint64_t nested;   /* and how far it went during all such */
    gs_metrics called; /* what the outermost cost */
} scope;

/* An instruction of an annotated function. */
typedef struct place {
    const gs_profile_insn *insn;
    size_t function; /* index of the annotated function */
    size_t row, own; /* scopes: its row, and that one with its inlined ones */
} place;

enum { CALL, SITE, ROW, GROUP, SCOPES };

/* A node of the call tree that an annotated function called. */
typedef struct made_call {
    uint32_t node, callee;
    const place *place;
    size_t scopes[SCOPES];
} made_call;

typedef struct walker {
    gs_annotation *a;
    gs_metrics *inclusive; /* by node */
    struct {
        place *items; /* by address */
        size_t count, capacity;
    } places;
    struct {
        made_call *items; /* by address, then callee */
        size_t count, capacity;
    } made;
    size_t *made_of;      /* by node: index + 1 in `made`, 0 for other nodes */
    size_t *annotated_of; /* by function of the profile: index + 1 of the annotated one, or 0 */
    uint64_t *clocks;     /* by annotated function: its own cycles in the nodes walked so far */
    size_t rows;          /* of all functions */
    scope *scopes;        /* rows, groups, sites, calls */
} walker;

static int by_address(const void *a, const void *b)
{
    uint32_t x = ((const place *)a)->insn->pc, y = ((const place *)b)->insn->pc;
    return (x > y) - (x < y);
}

static int by_site(const void *a, const void *b)
{
    const made_call *x = a, *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return (x->callee > y->callee) - (x->callee < y->callee);
}

static bool add_places(walker *w)
{
    for (size_t f = 0; f < w->a->functions.count; f++) {
        const gs_annotated *function = &w->a->functions.items[f];
        size_t own = w->rows;
        for (size_t r = 0; r < function->rows.count; r++) {
            const gs_annotated_row *row = &function->rows.items[r];
            own = row->inlined == GS_PROFILE_NONE ? w->rows + r : own;
            for (size_t i = 0; i < row->count; i++) {
                place p = {function->order[row->first + i], f, w->rows + r, own};
                if (!gs_vec_push(&w->places, p))
                    return false;
            }
        }
        w->rows += function->rows.count;
        uint32_t index = function->function.function;
        if (index < w->a->profile->functions.count)
            w->annotated_of[index] = f + 1;
    }
    if (w->places.count)
        qsort(w->places.items, w->places.count, sizeof *w->places.items, by_address);
    return true;
}

static const place *place_of(const walker *w, uint32_t pc)
{
    const gs_profile_insn insn = {.pc = pc};
    const place wanted = {.insn = &insn};
    return w->places.count ? bsearch(&wanted, w->places.items, w->places.count,
                                     sizeof *w->places.items, by_address)
                           : NULL;
}

/* A trap is no call: it can come at any instruction, whatever that does. Nor is it one when a
 * thread begins. */
static bool find_calls(walker *w)
{
    const gs_profile *profile = w->a->profile;
    for (size_t n = 1; n < profile->nodes.count; n++) {
        const gs_profile_node *node = &profile->nodes.items[n];
        const bool is_called = node->kind == GS_FRAME_CALL || node->kind == GS_FRAME_TAIL;
        const bool begins = profile->nodes.items[node->parent].kind == GS_FRAME_THREAD;
        const place *at = is_called && !begins ? place_of(w, node->site) : NULL;
        made_call made = {.node = (uint32_t)n, .callee = node->function, .place = at};
        if (at && !gs_vec_push(&w->made, made))
            return false;
    }
    if (w->made.count)
        qsort(w->made.items, w->made.count, sizeof *w->made.items, by_site);
    return true;
}

/* Lists sites and calls, which gives every made call its scopes. */
static bool list_calls(walker *w)
{
    gs_annotation *a = w->a;
    for (size_t i = 0; i < w->made.count; i++) {
        made_call *made = &w->made.items[i];
        bool new_site = i == 0 || made[-1].place != made->place;
        const gs_annotated_site site = {.insn = made->place->insn, .first = a->calls.count};
        if (new_site && !gs_vec_push(&a->sites, site))
            return false;
        const gs_annotated_call call = {.pc = made->place->insn->pc, .function = made->callee};
        if (new_site || made[-1].callee != made->callee) {
            if (!gs_vec_push(&a->calls, call))
                return false;
            a->sites.items[a->sites.count - 1].count++;
        }
        a->calls.items[a->calls.count - 1].calls += a->profile->nodes.items[made->node].calls;
        made->scopes[CALL] = a->calls.count - 1;
        made->scopes[SITE] = a->sites.count - 1;
        made->scopes[ROW] = made->place->row;
        made->scopes[GROUP] = w->rows + made->place->own;
        w->made_of[made->node] = i + 1;
        a->functions.items[made->place->function].makes_calls = true;
    }
    for (size_t i = 0; i < w->made.count; i++) {
        w->made.items[i].scopes[SITE] += 2 * w->rows;
        w->made.items[i].scopes[CALL] += 2 * w->rows + a->sites.count;
    }
    w->scopes = calloc(2 * w->rows + a->sites.count + a->calls.count + 1, sizeof *w->scopes);
    return w->scopes != NULL;
}

static void enter(walker *w, uint32_t node)
{
    const gs_profile_node *entered = &w->a->profile->nodes.items[node];
    if (w->made_of[node]) {
        const made_call *made = &w->made.items[w->made_of[node] - 1];
        for (unsigned s = 0; s < SCOPES; s++) {
            scope *in = &w->scopes[made->scopes[s]];
            if (in->active++ > 0)
                continue;
            in->opened = w->clocks[made->place->function];
            gs_metrics_add(&in->called, &w->inclusive[node]);
        }
    }
    if (entered->function < w->a->profile->functions.count && w->annotated_of[entered->function])
        w->clocks[w->annotated_of[entered->function] - 1] += entered->self.value[GS_METRIC_CYCLES];
}

static void leave(walker *w, uint32_t node)
{
    if (!w->made_of[node])
        return;
    const made_call *made = &w->made.items[w->made_of[node] - 1];
    for (unsigned s = 0; s < SCOPES; s++) {
        scope *in = &w->scopes[made->scopes[s]];
        if (--in->active == 0)
            in->nested += w->clocks[made->place->function] - in->opened;
    }
}

/* Depth first, without recursion: a path may be as long as there are nodes. */
static bool walk(walker *w)
{
    const gs_profile *profile = w->a->profile;
    size_t count = profile->nodes.count;
    uint32_t *first = calloc(count + 1, sizeof *first), *next = calloc(count + 1, sizeof *next);
    bool good = first && next;
    for (size_t n = count; good && n > 1; n--) { /* children + 1; 0 ends a list */
        uint32_t parent = profile->nodes.items[n - 1].parent;
        if (parent == GS_PROFILE_NONE)
            continue;
        next[n - 1] = first[parent];
        first[parent] = (uint32_t)n;
    }
    for (uint32_t node = 0; good && count > 0;) {
        enter(w, node);
        if (first[node]) {
            node = first[node] - 1;
            continue;
        }
        while (leave(w, node), node != 0 && next[node] == 0)
            node = profile->nodes.items[node].parent;
        if (node == 0)
            break;
        node = next[node] - 1;
    }
    free(first);
    free(next);
    return good;
}

/* A scope's own cost outside of what it called. True if that is an estimate. */
static bool add_up(gs_metrics *total, const walker *w, const scope *in, size_t function,
                   const gs_metrics *self)
{
    uint64_t all = w->clocks[function];
    double outside = all ? 1 - (double)in->nested / (double)all : 1;
    *total = in->called;
    for (unsigned m = 0; m < GS_METRIC_COUNT; m++)
        total->value[m] +=
            in->nested ? (uint64_t)((double)self->value[m] * outside + 0.5) : self->value[m];
    return in->nested > 0;
}

static int by_cost(const void *a, const void *b, void *metric)
{
    const gs_annotated_call *x = a, *y = b;
    uint64_t left = x->inclusive.value[*(gs_metric *)metric];
    uint64_t right = y->inclusive.value[*(gs_metric *)metric];
    if (left != right)
        return left > right ? -1 : 1;
    return (x->function > y->function) - (x->function < y->function);
}

static void conclude(walker *w)
{
    gs_annotation *a = w->a;
    const scope *sites = w->scopes + 2 * w->rows, *calls = sites + a->sites.count;
    for (size_t i = 0; i < a->calls.count; i++)
        a->calls.items[i].inclusive = calls[i].called;
    for (size_t i = 0; i < a->sites.count; i++) {
        gs_annotated_site *site = &a->sites.items[i];
        size_t function = place_of(w, site->insn->pc)->function;
        site->estimated = add_up(&site->total, w, &sites[i], function, &site->insn->cost);
        qsort_r(a->calls.items + site->first, site->count, sizeof *a->calls.items, by_cost,
                &a->metric);
    }
    const scope *row_scope = w->scopes;
    for (size_t f = 0; f < a->functions.count; f++) {
        gs_annotated *function = &a->functions.items[f];
        gs_annotated_row *own = NULL;
        for (size_t r = 0; r < function->rows.count; r++) {
            gs_annotated_row *row = &function->rows.items[r];
            row->group_self = row->self;
            if (row->inlined == GS_PROFILE_NONE)
                own = row;
            else if (own)
                gs_metrics_add(&own->group_self, &row->self);
        }
        for (size_t r = 0; r < function->rows.count; r++, row_scope++) {
            gs_annotated_row *row = &function->rows.items[r];
            row->estimated = add_up(&row->total, w, row_scope, f, &row->self);
            row->group_total = row->total;
            row->group_estimated = row->estimated;
            if (row->inlined == GS_PROFILE_NONE)
                row->group_estimated =
                    add_up(&row->group_total, w, row_scope + w->rows, f, &row->group_self);
        }
    }
}

bool gs_annotation_add_calls(gs_annotation *a)
{
    const gs_profile *profile = a->profile;
    walker w = {.a = a};
    w.made_of = calloc(profile->nodes.count + 1, sizeof *w.made_of);
    w.annotated_of = calloc(profile->functions.count + 1, sizeof *w.annotated_of);
    w.clocks = calloc(a->functions.count + 1, sizeof *w.clocks);
    w.inclusive = gs_profile_inclusive(profile);
    bool good = w.made_of && w.annotated_of && w.clocks && w.inclusive && add_places(&w) &&
                find_calls(&w) && list_calls(&w) && walk(&w);
    if (good)
        conclude(&w);
    free(w.inclusive);
    free(w.places.items);
    free(w.made.items);
    free(w.made_of);
    free(w.annotated_of);
    free(w.clocks);
    free(w.scopes);
    return good;
}

const gs_annotated_site *gs_annotation_site(const gs_annotation *a, const gs_profile_insn *insn)
{
    size_t low = 0, high = a->sites.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (a->sites.items[middle].insn->pc < insn->pc)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < a->sites.count && a->sites.items[low].insn == insn;
    return found ? &a->sites.items[low] : NULL;
}
