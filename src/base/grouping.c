/* One-dimensional k-means by dynamic programming. */
#include "base/grouping.h"

#include <math.h>
#include <stdlib.h>

typedef struct sorted_value {
    double value, weight;
    size_t index;
} sorted_value;

static int by_value(const void *a, const void *b)
{
    const sorted_value *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* What a group of values[from..to) costs. */
static double spread(const sorted_value *values, size_t from, size_t to)
{
    double mean = 0, weight = 0, sum = 0;
    for (size_t i = from; i < to; i++) {
        mean += values[i].weight * values[i].value;
        weight += values[i].weight;
    }
    mean /= weight;
    for (size_t i = from; i < to; i++)
        sum += values[i].weight * (values[i].value - mean) * (values[i].value - mean);
    return sum;
}

/*
 * Groups are ranges of the sorted values, so the best k groups of the first n values end with a
 * group from some i on, before which there are the best k-1 groups of the first i values.
 */
static void find_groups(size_t count, size_t groups, const double *cost, double *best,
                        size_t *begin)
{
    for (size_t k = 0; k < groups; k++) {
        for (size_t n = k + 1; n <= count; n++) {
            double *least = &best[k * (count + 1) + n];
            size_t *from = &begin[k * (count + 1) + n];
            *least = k == 0 ? cost[n - 1] : INFINITY;
            *from = 0;
            for (size_t i = k; k > 0 && i < n; i++) {
                double sum = best[(k - 1) * (count + 1) + i] + cost[i * count + n - 1];
                if (sum < *least) {
                    *least = sum;
                    *from = i;
                }
            }
        }
    }
}

gs_status gs_group_values(size_t *of, size_t *used, const double *values, const double *weights,
                          size_t count, size_t groups, gs_error *err)
{
    size_t different = count > 0;
    sorted_value *sorted = calloc(count + 1, sizeof *sorted);
    double *cost = calloc(count * count + 1, sizeof *cost);
    double *best = NULL;
    size_t *begin = NULL;
    gs_status status = GS_OK;
    if (!sorted || !cost) {
        status = gs_fail_no_memory(err);
        goto out;
    }
    for (size_t i = 0; i < count; i++)
        sorted[i] = (sorted_value){values[i], weights ? weights[i] : 1, i};
    qsort(sorted, count, sizeof *sorted, by_value);
    for (size_t i = 1; i < count; i++)
        different += sorted[i].value != sorted[i - 1].value;
    groups = groups < different ? groups : different;
    if (used)
        *used = groups;
    best = calloc(groups * (count + 1) + 1, sizeof *best);
    begin = calloc(groups * (count + 1) + 1, sizeof *begin);
    if (!best || !begin) {
        status = gs_fail_no_memory(err);
        goto out;
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i; j < count; j++)
            cost[i * count + j] = spread(sorted, i, j + 1);
    }
    find_groups(count, groups, cost, best, begin);
    for (size_t k = groups, end = count; k > 0; k--) {
        size_t from = begin[(k - 1) * (count + 1) + end];
        for (size_t i = from; i < end; i++)
            of[sorted[i].index] = k - 1;
        end = from;
    }
out:
    free(sorted);
    free(cost);
    free(best);
    free(begin);
    return status;
}
