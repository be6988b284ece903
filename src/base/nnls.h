/*
 * nnls.h - least squares with unknowns that cannot be negative.
 *
 * Plain numbers in, plain numbers out. The same input gives the same output on every host that
 * rounds as IEEE 754 says.
 */
#ifndef GS_BASE_NNLS_H
#define GS_BASE_NNLS_H

#include <stddef.h>

#include "base/error.h"

/*
 * x >= 0 that minimises |A x - b|, A having `rows` x `columns` numbers, row by row. Where several x
 * do, one of those with few unknowns above 0. *rank (or NULL) gets the rank of A. x is the
 * caller's.
 */
gs_status gs_nnls(double *x, size_t *rank, const double *a, const double *b, size_t rows,
                  size_t columns, gs_error *err);

#endif
