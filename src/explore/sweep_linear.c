/* Which keys are linear, and the arithmetic. timing/sequential.c has the rules they are taken from.
 */
#include "explore/sweep_linear.h"

#include <string.h>

#include "timing/core.h"

bool gs_sweep_core_is_linear(const gs_core *core)
{
    return core->pipeline == GS_PIPELINE_SEQUENTIAL;
}

/* What an ALU instruction takes decides about first_retire, and the defaults of classes are its. */
static bool is_linear_class(const char *key)
{
    static const char *const others[] = {"ALU.", "DEFAULT.", "FP_DEFAULT."};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (strncmp(key, others[i], strlen(others[i])) == 0)
            return false;
    }
    const char *dot = strchr(key, '.');
    return dot && (strcmp(dot, ".cycles") == 0 || strcmp(dot, ".refill") == 0);
}

bool gs_sweep_key_is_linear(const char *key)
{
    static const char *const keys[] = {
        "branch.jump",
        "branch.jump_reg",
        "branch.not_taken",
        "branch.refill",
        "branch.taken",
        "csr_flush",
        "fetch.jump_misaligned",
        "fetch.next_misaligned",
        "fetch.shadow_misaligned",
        "fetch.wait",
        "memory.crossing",
        "memory.load_wait",
        "memory.uncached",
        "memory.wait",
        "trap_entry",
    };
    static const char classes[] = "classes.";
    if (strncmp(key, classes, sizeof classes - 1) == 0)
        return is_linear_class(key + sizeof classes - 1);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (strcmp(keys[i], key) == 0)
            return true;
    }
    return false;
}

bool gs_sweep_slope_find(gs_sweep_slope *slope, const gs_metrics *base, const gs_metrics *other,
                         uint64_t value)
{
    const int64_t distance = (int64_t)(value - slope->at);
    for (unsigned i = 0; i < GS_METRIC_COUNT; i++) {
        const int64_t difference = (int64_t)(other->value[i] - base->value[i]);
        if (difference % distance != 0)
            return false;
        slope->counts[i] = difference / distance;
    }
    return true;
}

void gs_sweep_slope_add(const gs_sweep_slope *slope, uint64_t value, gs_metrics *counts)
{
    for (unsigned i = 0; i < GS_METRIC_COUNT; i++)
        counts->value[i] += (value - slope->at) * (uint64_t)slope->counts[i];
}
