/* Which designs are worth it: fronts, what a step along an axis gains, and where it stops to. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "explore/sweep_results.h"

typedef struct sorting {
    const gs_sweep_results *results;
    size_t axis;
} sorting;

static int compare_numbers(double a, double b)
{
    return a < b ? -1 : a > b;
}

/* By the objectives of the front. */
static int by_values(const void *a, const void *b, void *self)
{
    const gs_sweep_results *r = self;
    const gs_sweep_outcome *x = &r->outcomes[*(const size_t *)a];
    const gs_sweep_outcome *y = &r->outcomes[*(const size_t *)b];
    for (size_t i = 0; i < r->front_objectives; i++) {
        const int order = compare_numbers(x->values[i], y->values[i]);
        if (order)
            return order;
    }
    return x->design < y->design ? -1 : x->design > y->design;
}

static bool dominates(const gs_sweep_results *r, const double *a, const double *b)
{
    bool better = false;
    for (size_t i = 0; i < r->front_objectives; i++) {
        if (a[i] > b[i])
            return false;
        better |= a[i] < b[i];
    }
    return better;
}

/* In this order nothing is dominated by what comes later, nor by anything but the front before it.
 */
static gs_status find_front(gs_sweep_results *r, gs_error *err)
{
    size_t *order = calloc(r->count, sizeof *order), *front = calloc(r->count, sizeof *front);
    size_t found = 0;
    for (size_t i = 0; i < r->count && order; i++)
        order[i] = i;
    if (order && front)
        qsort_r(order, r->count, sizeof *order, by_values, r);
    for (size_t i = 0; i < r->count && order && front; i++) {
        gs_sweep_outcome *o = &r->outcomes[order[i]];
        o->front = true;
        for (size_t k = found; k-- > 0 && o->front;)
            o->front = !dominates(r, r->outcomes[front[k]].values, o->values);
        if (o->front)
            front[found++] = order[i];
    }
    const bool ok = order && front;
    free(order);
    free(front);
    return ok ? GS_OK : gs_fail_no_memory(err);
}

gs_status gs_sweep_choose(gs_sweep_results *r, gs_error *err)
{
    const size_t cost = r->sweep->objectives.count > 1;
    r->best = r->cheapest = 0;
    if (r->count == 0)
        return GS_OK;
    for (size_t i = 1; i < r->count; i++) {
        if (r->outcomes[i].values[0] < r->outcomes[r->best].values[0])
            r->best = i;
    }
    const double best = r->outcomes[r->best].values[0], most = best + fabs(best) * r->within / 100;
    r->cheapest = r->best;
    for (size_t i = 0; i < r->count; i++) {
        const double *values = r->outcomes[i].values, *so_far = r->outcomes[r->cheapest].values;
        if (values[0] <= most && (values[cost] < so_far[cost] ||
                                  (values[cost] == so_far[cost] && values[0] < so_far[0])))
            r->cheapest = i;
    }
    return find_front(r, err);
}

size_t gs_sweep_value_index(const gs_sweep_results *r, const gs_sweep_outcome *outcome, size_t axis)
{
    const char *value = gs_sweep_values(r->sweep, outcome->design)[axis];
    const gs_sweep_texts *all = &r->sweep->axes.items[axis].values;
    for (size_t i = 0; value && i < all->count; i++) {
        if (strcmp(all->items[i], value) == 0)
            return i;
    }
    return GS_SWEEP_NO_VALUE;
}

static int compare_texts(const char *a, const char *b)
{
    return a == b ? 0 : !a ? -1 : !b ? 1 : strcmp(a, b);
}

/* Zero if they differ in this axis alone. */
static int compare_others(const sorting *s, const gs_sweep_outcome *a, const gs_sweep_outcome *b)
{
    const char *const *x = gs_sweep_values(s->results->sweep, a->design);
    const char *const *y = gs_sweep_values(s->results->sweep, b->design);
    for (size_t i = 0; i < s->results->sweep->axes.count; i++) {
        const int order = i == s->axis ? 0 : compare_texts(x[i], y[i]);
        if (order)
            return order;
    }
    return 0;
}

static int by_others(const void *a, const void *b, void *self)
{
    const sorting *s = self;
    const gs_sweep_outcome *x = &s->results->outcomes[*(const size_t *)a];
    const gs_sweep_outcome *y = &s->results->outcomes[*(const size_t *)b];
    const int order = compare_others(s, x, y);
    if (order)
        return order;
    const size_t i = gs_sweep_value_index(s->results, x, s->axis);
    const size_t k = gs_sweep_value_index(s->results, y, s->axis);
    return i < k ? -1 : i > k;
}

gs_status gs_sweep_steps(const gs_sweep_results *r, size_t axis, size_t objective,
                         gs_sweep_step *steps, gs_error *err)
{
    sorting s = {r, axis};
    const size_t values = r->sweep->axes.items[axis].values.count;
    size_t *order = calloc(r->count + 1, sizeof *order);
    if (!order)
        return gs_fail_no_memory(err);
    for (size_t i = 0; i < values; i++)
        steps[i] = (gs_sweep_step){0};
    for (size_t i = 0; i < r->count; i++)
        order[i] = i;
    qsort_r(order, r->count, sizeof *order, by_others, &s);
    for (size_t i = 1; i < r->count; i++) {
        const gs_sweep_outcome *a = &r->outcomes[order[i - 1]], *b = &r->outcomes[order[i]];
        const size_t from = gs_sweep_value_index(r, a, axis), to = gs_sweep_value_index(r, b, axis);
        const double before = a->values[objective], behind = b->values[objective];
        if (to == GS_SWEEP_NO_VALUE || from + 1 != to || compare_others(&s, a, b) != 0 ||
            before <= 0 || behind <= 0)
            continue;
        steps[to].pairs++;
        steps[to].ratio += log(behind / before);
    }
    for (size_t i = 0; i < values; i++)
        steps[i].ratio = steps[i].pairs ? exp(steps[i].ratio / (double)steps[i].pairs) : 1;
    free(order);
    return GS_OK;
}

size_t gs_sweep_pays_to(const gs_sweep_step *steps, size_t count, double percent)
{
    for (size_t value = 0; value < count; value++) {
        double ratio = 1, least = 1;
        for (size_t i = value + 1; i < count; i++) {
            ratio *= steps[i].ratio;
            least = ratio < least ? ratio : least;
        }
        if (least > 1 - percent / 100)
            return value;
    }
    return count - 1;
}

const char *gs_sweep_number(char text[GS_SWEEP_NUMBER], double value)
{
    if (value != floor(value) || fabs(value) >= 1e15) {
        snprintf(text, GS_SWEEP_NUMBER, "%.5g", value);
        return text;
    }
    char digits[GS_SWEEP_NUMBER];
    const int length = snprintf(digits, sizeof digits, "%.0f", fabs(value));
    size_t at = 0;
    if (value < 0)
        text[at++] = '-';
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            text[at++] = ',';
        text[at++] = digits[i];
    }
    text[at] = '\0';
    return text;
}
