/*
 * From axes to designs: all combinations of values that fulfil the constraints, the last axis
 * changing fastest, or a sample of them.
 *
 * A sample is drawn in a second walk over the combinations, in which each is taken with the
 * probability that is left for it (Knuth's selection sampling): it is uniform, in the order of the
 * combinations, and the same everywhere for a seed.
 */
#include <stdlib.h>
#include <string.h>

#include "base/config.h"
#include "explore/sweep.h"

typedef struct chosen_values {
    const gs_sweep *sweep;
    const char *const *values;
} chosen_values;

static bool look_up(void *self, const char *name, gs_formula_value *value, gs_error *err)
{
    const chosen_values *v = self;
    for (size_t i = 0; i < v->sweep->axes.count; i++) {
        if (strcmp(v->sweep->axes.items[i].node->key, name) != 0)
            continue;
        if (!v->values[i]) {
            gs_fail(err, GS_E_FORMAT, "'%s' is not given here", name);
            return false;
        }
        *value = (gs_formula_value){0};
        if (!gs_formula_number(v->values[i], &value->number))
            value->text = v->values[i];
        return true;
    }
    gs_fail(err, GS_E_FORMAT, "there is no axis '%.60s'", name);
    return false;
}

gs_status gs_sweep_allows(const gs_sweep *sweep, const char *const *values, bool *allowed,
                          gs_error *err)
{
    chosen_values chosen = {sweep, values};
    *allowed = true;
    for (size_t i = 0; i < sweep->constraints.count && *allowed; i++) {
        double result;
        gs_status status =
            gs_formula_evaluate(sweep->constraints.items[i], look_up, &chosen, &result, err);
        if (status != GS_OK)
            return status;
        *allowed = result != 0;
    }
    return GS_OK;
}

/* Moves on to the next combination; false behind the last. */
static bool advance(const gs_sweep *sweep, size_t *at, const char **values)
{
    for (size_t i = sweep->axes.count; i-- > 0;) {
        const gs_sweep_texts *all = &sweep->axes.items[i].values;
        at[i] = at[i] + 1 == all->count ? 0 : at[i] + 1;
        values[i] = all->items[at[i]];
        if (at[i] != 0)
            return true;
    }
    return false;
}

static void start(const gs_sweep *sweep, size_t *at, const char **values)
{
    for (size_t i = 0; i < sweep->axes.count; i++) {
        at[i] = 0;
        values[i] = sweep->axes.items[i].values.items[0];
    }
}

/* Numbers from 0 to below `limit`, all equally likely: splitmix64. */
static uint64_t draw(uint64_t *state, uint64_t limit)
{
    const uint64_t beyond = UINT64_MAX - UINT64_MAX % limit;
    uint64_t z;
    do {
        z = *state += UINT64_C(0x9e3779b97f4a7c15);
        z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
        z ^= z >> 31;
    } while (z >= beyond);
    return z % limit;
}

static gs_status count_allowed(const gs_sweep *sweep, const gs_config_node *where, uint64_t *count,
                               gs_error *err)
{
    size_t at[GS_SWEEP_MAX_AXES];
    const char *values[GS_SWEEP_MAX_AXES];
    uint64_t product = 1;
    for (size_t i = 0; i < sweep->axes.count; i++) {
        product *= sweep->axes.items[i].values.count;
        if (product > GS_SWEEP_MAX_COMBINATIONS)
            return gs_config_fail_at(where, err,
                                     "the axes have more than %d combinations; give them fewer "
                                     "values",
                                     GS_SWEEP_MAX_COMBINATIONS);
    }
    *count = 0;
    start(sweep, at, values);
    do {
        bool allowed;
        gs_status status = gs_sweep_allows(sweep, values, &allowed, err);
        if (status != GS_OK)
            return status;
        *count += allowed;
    } while (advance(sweep, at, values));
    return GS_OK;
}

gs_status gs_sweep_combine(gs_sweep *sweep, const gs_config_node *where, gs_error *err)
{
    size_t at[GS_SWEEP_MAX_AXES];
    const char *values[GS_SWEEP_MAX_AXES];
    const size_t axes = sweep->axes.count;
    uint64_t left, wanted, state = sweep->seed;
    gs_status status = count_allowed(sweep, where, &left, err);
    if (status != GS_OK)
        return status;
    if (left == 0)
        return gs_config_fail_at(where, err, "no combination of these fulfils the constraints");
    wanted = sweep->sample && sweep->sample < left ? sweep->sample : left;
    if (wanted > GS_SWEEP_MAX_DESIGNS)
        return gs_config_fail_at(where, err,
                                 "%llu combinations fulfil the constraints, and a sweep has at "
                                 "most %d designs; the key 'sample' takes some of them at random",
                                 (unsigned long long)left, GS_SWEEP_MAX_DESIGNS);
    sweep->values = calloc((size_t)wanted * axes + 1, sizeof *sweep->values);
    if (!sweep->values)
        return gs_fail_no_memory(err);
    start(sweep, at, values);
    do {
        bool allowed;
        status = gs_sweep_allows(sweep, values, &allowed, err);
        if (status != GS_OK)
            return status;
        if (!allowed)
            continue;
        const uint64_t missing = wanted - sweep->design_count;
        if (missing == left || (missing > 0 && draw(&state, left) < missing))
            memcpy(sweep->values + sweep->design_count++ * axes, values, axes * sizeof *values);
        left--;
    } while (advance(sweep, at, values));
    return GS_OK;
}
