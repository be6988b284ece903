/*
 * Cuts trees of call paths to their largest nodes and puts them into columns, in either direction.
 */
#include "report/flame.h"

#include <stdlib.h>

#include "base/error.h"
#include "report/paths.h"

static int by_size(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x < y) - (x > y);
}

/* The smallest size that is kept, and how many of that size. */
static bool find_least(const uint64_t *sizes, size_t count, size_t most, uint64_t *least,
                       size_t *ties)
{
    uint64_t *sorted = calloc(count, sizeof *sorted);
    if (!sorted)
        return false;
    for (size_t i = 0; i < count; i++)
        sorted[i] = sizes[i];
    qsort(sorted, count, sizeof *sorted, by_size);
    *least = sorted[most - 1];
    *ties = 0;
    for (size_t i = most; i > 0 && sorted[i - 1] == *least; i--)
        ++*ties;
    free(sorted);
    return true;
}

gs_status gs_flame_cut(gs_flame *flame, uint64_t *sizes, size_t most, gs_error *err)
{
    uint64_t least;
    size_t ties, kept = 0;
    if (flame->count <= most)
        return GS_OK;
    uint32_t *place = calloc(flame->count, sizeof *place);
    if (!place || !find_least(sizes, flame->count, most, &least, &ties)) {
        free(place);
        return gs_fail_no_memory(err);
    }
    for (size_t i = 0; i < flame->count; i++) {
        gs_flame_node node = flame->items[i];
        bool is_cut = i > 0 && place[node.parent] == GS_PROFILE_NONE;
        bool keep = !is_cut && (sizes[i] > least || (sizes[i] == least && ties > 0));
        place[i] = keep ? (uint32_t)kept : GS_PROFILE_NONE;
        if (!keep)
            continue;
        ties -= sizes[i] == least;
        if (i > 0)
            node.parent = place[node.parent];
        flame->items[kept++] = node;
    }
    flame->omitted = flame->count - kept;
    flame->count = kept;
    free(place);
    return GS_OK;
}

/* Where the path that `root` leads to stands; `count` if there is none. */
static size_t find_root(const gs_path *paths, size_t count, const uint32_t *root, size_t root_count)
{
    size_t at = 0;
    for (size_t i = 0; i < root_count && at < count; i++) {
        size_t child = at + 1;
        while (child < count && paths[child].depth > paths[at].depth &&
               (paths[child].parent != at || paths[child].function != root[i]))
            child++;
        at = child < count && paths[child].depth > paths[at].depth ? child : count;
    }
    return at;
}

static gs_flame_node node_of(const gs_path *path, size_t first)
{
    return (gs_flame_node){
        .parent = path->parent == GS_PROFILE_NONE || path->parent < first
                      ? GS_PROFILE_NONE
                      : path->parent - (uint32_t)first,
        .function = path->function,
        .estimated = path->estimated,
        .calls = path->calls,
        .self = path->self,
        .inclusive = path->inclusive,
    };
}

/* The path at `first` and those below it. */
static gs_status fill(gs_flame *flame, const gs_path *paths, size_t count, size_t first,
                      size_t most, gs_error *err)
{
    size_t end = first + 1;
    while (end < count && paths[end].depth > paths[first].depth)
        end++;
    flame->items = calloc(end - first, sizeof *flame->items);
    uint64_t *sizes = calloc(end - first, sizeof *sizes);
    if (!flame->items || !sizes) {
        free(sizes);
        return gs_fail_no_memory(err);
    }
    for (size_t i = first; i < end; i++) {
        flame->items[flame->count] = node_of(&paths[i], first);
        sizes[flame->count++] = paths[i].inclusive.value[flame->metric];
    }
    gs_status status = gs_flame_cut(flame, sizes, most, err);
    free(sizes);
    return status;
}

gs_status gs_flame_open(gs_flame *flame, const gs_profile *profile, const gs_flame_options *options,
                        gs_error *err)
{
    *flame =
        (gs_flame){.profile = profile, .metric = options->metric, .inverted = options->inverted};
    if (options->inverted)
        return gs_flame_fill_callers(flame, options, err);
    size_t count;
    gs_path *paths;
    gs_status status =
        gs_paths_open(&paths, &count, profile, options->metric, options->inlines, err);
    size_t first =
        status == GS_OK ? find_root(paths, count, options->root, options->root_count) : 0;
    if (status == GS_OK && first < count)
        status = fill(flame, paths, count, first, options->most, err);
    else if (status == GS_OK && options->root_count > 0)
        status = gs_fail(err, GS_E_NOT_FOUND, "there is no such call path");
    free(paths);
    if (status != GS_OK)
        gs_flame_close(flame);
    return status;
}

void gs_flame_close(gs_flame *flame)
{
    free(flame->items);
    *flame = (gs_flame){0};
}
