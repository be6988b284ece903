/*
 * Call paths inverted: every function with its own cost, below it where it was called from.
 *
 * A member is a path with a cost of its own and the place on it that has been reached, first its
 * end, then the caller, and so on. A node has the members that agree so far, side by side in one
 * array; its children are those that agree in the next place, too, and take over its part of the
 * array. So the tree is made level by level and as far as there is room for nodes only, in which
 * each level takes its largest.
 */
#include <stdlib.h>

#include "base/error.h"
#include "base/vec.h"
#include "report/flame.h"
#include "report/paths.h"

typedef struct member {
    uint32_t path;     /* whose own cost it is */
    uint32_t at;       /* the path that has been reached */
    uint32_t function; /* of that one */
} member;

typedef struct span {
    size_t first, count; /* members */
    gs_flame_node node;
} span;

typedef struct inversion {
    const gs_path *paths;
    member *members;
    size_t member_count;
    struct {
        span *items;
        size_t count, capacity;
    } level, next; /* spans of the nodes that were made last; candidates for the next ones */
} inversion;

static int by_function(const void *a, const void *b)
{
    const member *x = a, *y = b;
    if (x->function != y->function)
        return x->function < y->function ? -1 : 1;
    return (x->path > y->path) - (x->path < y->path);
}

static int by_cost(const void *a, const void *b, void *metric)
{
    const gs_metrics *x = &((const span *)a)->node.inclusive;
    const gs_metrics *y = &((const span *)b)->node.inclusive;
    uint64_t p = x->value[*(gs_metric *)metric], q = y->value[*(gs_metric *)metric];
    return (p < q) - (p > q);
}

/* Adds the spans of members[first..end) that have the same function. */
static bool add_spans(inversion *v, size_t first, size_t end, uint32_t parent)
{
    qsort(v->members + first, end - first, sizeof *v->members, by_function);
    while (first < end) {
        span made = {.first = first,
                     .node = {.parent = parent, .function = v->members[first].function}};
        for (; first < end && v->members[first].function == made.node.function; first++) {
            const gs_path *path = &v->paths[v->members[first].path];
            gs_metrics_add(&made.node.inclusive, &path->self);
            made.node.estimated |= path->estimated;
            made.count++;
        }
        if (!gs_vec_push(&v->next, made))
            return false;
    }
    return true;
}

/* Moves the members of a node to their callers; those that have none are left out. */
static bool add_callers(inversion *v, const span *from, uint32_t parent)
{
    size_t end = from->first;
    for (size_t i = from->first; i < from->first + from->count; i++) {
        member moved = v->members[i];
        moved.at = v->paths[moved.at].parent;
        if (moved.at == GS_PROFILE_NONE || v->paths[moved.at].parent == GS_PROFILE_NONE)
            continue; /* the root is no caller */
        moved.function = v->paths[moved.at].function;
        v->members[end++] = moved;
    }
    return add_spans(v, from->first, end, parent);
}

/* Makes the candidates nodes, the largest first, as many as may be. */
static bool take_level(gs_flame *flame, inversion *v, const gs_flame_options *options, size_t depth)
{
    size_t room = options->most > flame->count ? options->most - flame->count : 0;
    size_t most = room / 2 + room % 2;
    gs_metric metric = flame->metric;
    if (v->next.count > 1)
        qsort_r(v->next.items, v->next.count, sizeof *v->next.items, by_cost, &metric);
    v->level.count = 0;
    for (size_t i = 0; i < v->next.count && v->level.count < most; i++) {
        span *made = &v->next.items[i];
        if (depth < options->root_count && made->node.function != options->root[depth])
            continue;
        if (made->node.inclusive.value[metric] == 0)
            break;
        if (!gs_vec_push(flame, made->node) || !gs_vec_push(&v->level, *made))
            return false;
    }
    v->next.count = 0;
    return true;
}

static bool make_levels(gs_flame *flame, inversion *v, const gs_flame_options *options)
{
    gs_flame_node root = {.parent = GS_PROFILE_NONE, .function = GS_PROFILE_NONE};
    root.inclusive = flame->profile->total;
    bool good = gs_vec_push(flame, root) && add_spans(v, 0, v->member_count, 0) &&
                take_level(flame, v, options, 0);
    for (size_t depth = 1; good && v->level.count > 0; depth++) {
        size_t first = flame->count - v->level.count;
        for (size_t i = 0; i < v->level.count && good; i++)
            good = add_callers(v, &v->level.items[i], (uint32_t)(first + i));
        good = good && take_level(flame, v, options, depth);
    }
    return good;
}

/* The nodes on the way to the one that was asked for are not part of the picture. */
static gs_status drop_way(gs_flame *flame, size_t root_count, gs_error *err)
{
    if (flame->count <= root_count)
        return gs_fail(err, GS_E_NOT_FOUND, "there is no such path of callers");
    flame->count -= root_count;
    for (size_t i = 0; i < flame->count; i++) {
        flame->items[i] = flame->items[i + root_count];
        flame->items[i].parent =
            i == 0 ? GS_PROFILE_NONE : flame->items[i].parent - (uint32_t)root_count;
    }
    return GS_OK;
}

gs_status gs_flame_fill_callers(gs_flame *flame, const gs_flame_options *options, gs_error *err)
{
    size_t count;
    gs_path *paths;
    gs_status status =
        gs_paths_open(&paths, &count, flame->profile, flame->metric, options->inlines, err);
    if (status != GS_OK)
        return status;
    inversion v = {.paths = paths, .members = calloc(count ? count : 1, sizeof *v.members)};
    for (size_t i = 0; v.members && i < count; i++) {
        if (paths[i].self.value[flame->metric] > 0)
            v.members[v.member_count++] = (member){(uint32_t)i, (uint32_t)i, paths[i].function};
    }
    if (!v.members || !make_levels(flame, &v, options))
        status = gs_fail_no_memory(err);
    else if (options->root_count > 0)
        status = drop_way(flame, options->root_count, err);
    free(v.members);
    free(v.level.items);
    free(v.next.items);
    free(paths);
    if (status != GS_OK)
        gs_flame_close(flame);
    return status;
}
