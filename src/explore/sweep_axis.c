/* The values of an axis. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/config.h"
#include "base/number.h"
#include "base/vec.h"
#include "explore/sweep.h"

enum { MAX_VALUES = 4096 };

static const char allowed[] =
    "a list of values belongs here, or from, to and times or step: [1K, 2K, 4K], or "
    "{from: 1K, to: 64K, times: 2}";

static gs_status add(gs_sweep *sweep, gs_sweep_axis *axis, const gs_config_node *node,
                     const char *text, gs_error *err)
{
    if (axis->values.count == MAX_VALUES)
        return gs_config_fail_at(node, err, "an axis has at most %d values", MAX_VALUES);
    const char *copy = gs_arena_copy(&sweep->arena, text, strlen(text));
    return copy && gs_vec_push(&axis->values, copy) ? GS_OK : gs_fail_no_memory(err);
}

static gs_status read_list(gs_sweep *sweep, gs_sweep_axis *axis, const gs_config_node *node,
                           gs_error *err)
{
    for (const gs_config_node *child = node->first; child; child = child->next) {
        if (child->kind != GS_CONFIG_VALUE)
            return gs_config_fail_at(child, err, "a value belongs here");
        for (size_t i = 0; i < axis->values.count; i++) {
            if (strcmp(axis->values.items[i], child->text) == 0)
                return gs_config_fail_at(child, err, "%.60s is given twice", child->text);
        }
        gs_status status = add(sweep, axis, child, child->text, err);
        if (status != GS_OK)
            return status;
    }
    return axis->values.count ? GS_OK : gs_config_fail_at(node, err, "%s", allowed);
}

static gs_status read_number(const gs_config_node *keys, const char *key, uint64_t least,
                             uint64_t *to, gs_error *err)
{
    const gs_config_node *node = gs_config_child(keys, key);
    if (!node)
        return gs_config_fail_at(keys, err, "the key '%s' is missing", key);
    if (node->kind != GS_CONFIG_VALUE || !gs_number_parse(node->text, to) || *to < least)
        return gs_config_fail_at(node, err, "a whole number from %" PRIu64 " belongs here", least);
    return GS_OK;
}

/* Sizes stay readable: 4096 is 4K. */
static void put_number(char to[32], uint64_t value, bool in_powers)
{
    static const char *const suffixes[] = {"", "K", "M", "G"};
    unsigned power = 0;
    while (in_powers && power < 3 && value && value % 1024 == 0) {
        value /= 1024;
        power++;
    }
    snprintf(to, 32, "%" PRIu64 "%s", value, suffixes[power]);
}

static gs_status read_range(gs_sweep *sweep, gs_sweep_axis *axis, const gs_config_node *node,
                            gs_error *err)
{
    static const char *const keys[] = {"from", "to", "times", "step"};
    uint64_t from, to, by;
    for (const gs_config_node *child = node->first; child; child = child->next) {
        size_t i = 0;
        while (i < 4 && strcmp(keys[i], child->key) != 0)
            i++;
        if (i == 4)
            return gs_config_fail_at(child, err,
                                     "unknown key; allowed are from, to, times and step");
    }
    const bool times = gs_config_child(node, "times");
    if (times == (gs_config_child(node, "step") != NULL))
        return gs_config_fail_at(node, err, "times or step, one of the two");
    gs_status status = read_number(node, "from", times, &from, err);
    if (status == GS_OK)
        status = read_number(node, "to", from, &to, err);
    if (status == GS_OK)
        status = read_number(node, times ? "times" : "step", times ? 2 : 1, &by, err);
    while (status == GS_OK) {
        char text[32];
        put_number(text, from, times);
        status = add(sweep, axis, node, text, err);
        if (times ? from > to / by : by > to - from)
            break;
        from = times ? from * by : from + by;
    }
    return status;
}

gs_status gs_sweep_read_axis(gs_sweep *sweep, gs_sweep_axis *axis, const gs_config_node *node,
                             gs_error *err)
{
    if (node->kind == GS_CONFIG_LIST)
        return read_list(sweep, axis, node, err);
    if (node->kind == GS_CONFIG_KEYS)
        return read_range(sweep, axis, node, err);
    return gs_config_fail_at(node, err, "%s", allowed);
}
