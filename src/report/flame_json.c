/* Flame graph columns as JSON, for the page. */
#include <stdlib.h>

#include "base/error.h"
#include "report/flame.h"
#include "report/names.h"

/* The names that occur, each once. */
typedef struct name_list {
    const gs_flame *flame;
    uint32_t *slot[2]; /* by function of the later and the earlier profile: number plus one */
    uint32_t *node;    /* per name, a node that has it */
    uint32_t *name;    /* per node */
    uint32_t count;
} name_list;

static const gs_profile *profile_of(const gs_flame *flame, const gs_flame_node *node)
{
    return node->is_before ? flame->earlier : flame->profile;
}

/* Functions, inlined ones, none. */
static size_t places(const gs_profile *profile)
{
    return profile ? profile->functions.count + profile->inlines.count + 1 : 1;
}

static bool list_names(name_list *list, const gs_flame *flame)
{
    *list = (name_list){.flame = flame};
    list->slot[0] = calloc(places(flame->profile), sizeof *list->slot[0]);
    list->slot[1] = calloc(places(flame->earlier), sizeof *list->slot[1]);
    list->node = calloc(flame->count + 1, sizeof *list->node);
    list->name = calloc(flame->count + 1, sizeof *list->name);
    if (!list->slot[0] || !list->slot[1] || !list->node || !list->name)
        return false;
    for (size_t i = 0; i < flame->count; i++) {
        const gs_flame_node *node = &flame->items[i];
        size_t last = places(profile_of(flame, node)) - 1;
        size_t at = node->function < last ? node->function : last;
        uint32_t *slot = &list->slot[node->is_before][at];
        if (*slot == 0) {
            list->node[list->count] = (uint32_t)i;
            *slot = ++list->count;
        }
        list->name[i] = *slot - 1;
    }
    return true;
}

static void free_names(name_list *list)
{
    free(list->slot[0]);
    free(list->slot[1]);
    free(list->node);
    free(list->name);
}

static void put_names(gs_json *json, const name_list *list)
{
    gs_json_open_array(json, "names");
    for (uint32_t i = 0; i < list->count; i++) {
        const gs_flame_node *node = &list->flame->items[list->node[i]];
        const gs_profile *profile = profile_of(list->flame, node);
        gs_json_open_object(json, NULL);
        gs_json_string(json, "name", gs_report_function_name(profile, node->function));
        if (node->function != GS_PROFILE_NONE && !node->is_before)
            gs_json_uint(json, "id", node->function);
        if (gs_report_is_inlined(profile, node->function))
            gs_json_bool(json, "inlined", true);
        else if (node->function < profile->functions.count)
            gs_json_uint(json, "address", profile->functions.items[node->function].start);
        gs_json_close_object(json);
    }
    gs_json_close_array(json);
}

typedef int64_t column(const gs_flame *flame, const gs_flame_node *node);

static int64_t parent_of(const gs_flame *flame, const gs_flame_node *node)
{
    (void)flame;
    return node->parent == GS_PROFILE_NONE ? -1 : (int64_t)node->parent;
}

static int64_t self_of(const gs_flame *flame, const gs_flame_node *node)
{
    return (int64_t)node->self.value[flame->metric];
}

static int64_t inclusive_of(const gs_flame *flame, const gs_flame_node *node)
{
    return (int64_t)node->inclusive.value[flame->metric];
}

static int64_t calls_of(const gs_flame *flame, const gs_flame_node *node)
{
    (void)flame;
    return (int64_t)node->calls;
}

static int64_t cycles_of(const gs_flame *flame, const gs_flame_node *node)
{
    (void)flame;
    return (int64_t)node->inclusive.value[GS_METRIC_CYCLES];
}

static int64_t lost_of(const gs_flame *flame, const gs_flame_node *node)
{
    (void)flame;
    gs_metric most;
    return (int64_t)gs_report_stalls(&node->inclusive, &most);
}

/* The cause that most of them were lost to, by its number among the causes. */
static int64_t cause_of(const gs_flame *flame, const gs_flame_node *node)
{
    (void)flame;
    gs_metric most = GS_METRIC_COUNT;
    gs_report_stalls(&node->inclusive, &most);
    return most == GS_METRIC_COUNT ? -1 : (int64_t)most - GS_METRIC_FIRST_STALL;
}

static int64_t estimated_of(const gs_flame *flame, const gs_flame_node *node)
{
    (void)flame;
    return node->estimated;
}

static int64_t before_of(const gs_flame *flame, const gs_flame_node *node)
{
    (void)flame;
    return (int64_t)node->before;
}

static int64_t before_self_of(const gs_flame *flame, const gs_flame_node *node)
{
    (void)flame;
    return (int64_t)node->before_self;
}

static const struct {
    const char *key;
    column *value;
    bool difference; /* of two profiles only */
} columns[] = {
    {"parent", parent_of, false},       {"self", self_of, false},
    {"inclusive", inclusive_of, false}, {"calls", calls_of, false},
    {"cycles", cycles_of, false},       {"lost", lost_of, false},
    {"cause", cause_of, false},         {"estimated", estimated_of, false},
    {"before", before_of, true},        {"before_self", before_self_of, true},
};

gs_status gs_flame_put_json(gs_json *json, const gs_flame *flame, gs_error *err)
{
    name_list list;
    if (!list_names(&list, flame)) {
        free_names(&list);
        return gs_fail_no_memory(err);
    }
    gs_json_uint(json, "count", flame->count);
    gs_json_uint(json, "omitted", flame->omitted);
    put_names(json, &list);
    gs_json_open_object(json, "nodes");
    gs_json_open_array(json, "name");
    for (size_t i = 0; i < flame->count; i++)
        gs_json_uint(json, NULL, list.name[i]);
    gs_json_close_array(json);
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
        if (columns[c].difference && !flame->earlier)
            continue;
        gs_json_open_array(json, columns[c].key);
        for (size_t i = 0; i < flame->count; i++)
            gs_json_int(json, NULL, columns[c].value(flame, &flame->items[i]));
        gs_json_close_array(json);
    }
    gs_json_close_object(json);
    free_names(&list);
    return GS_OK;
}
