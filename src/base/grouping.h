/*
 * grouping.h - sorting numbers into groups of similar ones.
 *
 * One-dimensional k-means, and not by trying: groups are ranges of the sorted numbers, so
 * dynamic programming finds the best ones.
 */
#ifndef GS_BASE_GROUPING_H
#define GS_BASE_GROUPING_H

#include <stddef.h>

#include "base/error.h"

/*
 * Sorts `values`, which stay where they are, into at most `groups` groups such that the squares of
 * their distances to the mean of their group, each times its weight, add up to the least there can
 * be. `weights` are above 0; NULL for all the same. of[i] is the group of values[i]; groups are
 * numbered from the smallest values up. *used (or NULL) gets how many groups there are: fewer than
 * asked for if there are not that many different values.
 */
gs_status gs_group_values(size_t *of, size_t *used, const double *values, const double *weights,
                          size_t count, size_t groups, gs_error *err);

#endif
