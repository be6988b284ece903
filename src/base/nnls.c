/*
 * The method of Lawson and Hanson ("Solving Least Squares Problems", chapter 23): unknowns at 0
 * are set free one at a time, the one that helps most first; whenever the solution over the free
 * ones would make some negative, those go back to 0.
 *
 * Each of these solutions is by Householder reflections, not by the normal equations, which would
 * square the condition number. The matrix is reduced to a triangle first, so that the work in the
 * loop does not grow with the number of rows.
 */
#include "base/nnls.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Columns are contiguous: element (i, j) is at[j * rows + i]. */
typedef struct matrix {
    double *at;
    size_t rows, columns;
} matrix;

typedef struct problem {
    matrix a; /* columns of length 1 */
    double *b;
    double *x, *try, *gradient;
    size_t *free; /* unknowns not held at 0, in the order they were set free */
    size_t free_count;
    bool *is_free, *refused;
    matrix work;
    double *work_b;
} problem;

static double dot(const double *x, const double *y, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += x[i] * y[i];
    return sum;
}

/* Makes column `at` zero below row `row`, in all columns from it on and in b. */
static void reflect(const matrix *m, double *b, size_t row, size_t at)
{
    double *pivot = m->at + at * m->rows + row;
    size_t length = m->rows - row;
    double norm = sqrt(dot(pivot, pivot, length));
    if (norm == 0)
        return;
    double head = pivot[0] > 0 ? -norm : norm; /* away from cancellation */
    double first = pivot[0] - head;
    double scale = -1 / (first * head); /* 2 / |v|^2 with v = (first, pivot[1..]) */
    pivot[0] = first;
    for (size_t j = at + 1; j < m->columns; j++) {
        double *column = m->at + j * m->rows + row;
        double factor = scale * dot(pivot, column, length);
        for (size_t i = 0; i < length; i++)
            column[i] -= factor * pivot[i];
    }
    double factor = scale * dot(pivot, b + row, length);
    for (size_t i = 0; i < length; i++)
        b[row + i] -= factor * pivot[i];
    pivot[0] = head;
    memset(pivot + 1, 0, (length - 1) * sizeof *pivot);
}

/* The solution over the free unknowns, in `try`. False if the last one depends on the others. */
static bool solve_free(problem *p)
{
    size_t rows = p->a.rows;
    if (p->free_count > rows)
        return false;
    matrix m = {p->work.at, rows, p->free_count};
    for (size_t j = 0; j < p->free_count; j++)
        memcpy(m.at + j * rows, p->a.at + p->free[j] * rows, rows * sizeof *m.at);
    memcpy(p->work_b, p->b, rows * sizeof *p->work_b);
    for (size_t j = 0; j < m.columns; j++)
        reflect(&m, p->work_b, j, j);
    for (size_t j = m.columns; j > 0; j--) {
        double diagonal = m.at[(j - 1) * rows + j - 1];
        if (fabs(diagonal) < 1e-10)
            return false;
        double value = p->work_b[j - 1];
        for (size_t k = j; k < m.columns; k++)
            value -= m.at[k * rows + j - 1] * p->try[p->free[k]];
        p->try[p->free[j - 1]] = value / diagonal;
    }
    return true;
}

static void compute_gradient(problem *p)
{
    size_t rows = p->a.rows;
    memcpy(p->work_b, p->b, rows * sizeof *p->work_b);
    for (size_t k = 0; k < p->free_count; k++) {
        const double *column = p->a.at + p->free[k] * rows;
        for (size_t i = 0; i < rows; i++)
            p->work_b[i] -= column[i] * p->x[p->free[k]];
    }
    for (size_t j = 0; j < p->a.columns; j++)
        p->gradient[j] = dot(p->a.at + j * rows, p->work_b, rows);
}

/* The unknown at 0 that helps most, or the number of columns if none does. */
static size_t best_to_free(const problem *p, double tolerance)
{
    size_t best = p->a.columns;
    for (size_t j = 0; j < p->a.columns; j++) {
        if (!p->is_free[j] && !p->refused[j] && p->gradient[j] > tolerance &&
            (best == p->a.columns || p->gradient[j] > p->gradient[best]))
            best = j;
    }
    return best;
}

/* Goes from x towards `try` as far as nothing becomes negative, and holds what has become 0. */
static void step_back(problem *p)
{
    double most = 1;
    for (size_t k = 0; k < p->free_count; k++) {
        size_t j = p->free[k];
        if (p->try[j] <= 0 && p->x[j] / (p->x[j] - p->try[j]) < most)
            most = p->x[j] / (p->x[j] - p->try[j]);
    }
    size_t kept = 0;
    for (size_t k = 0; k < p->free_count; k++) {
        size_t j = p->free[k];
        p->x[j] += most * (p->try[j] - p->x[j]);
        if (p->x[j] > DBL_EPSILON * fabs(p->try[j])) {
            p->free[kept++] = j;
        } else {
            p->x[j] = 0;
            p->is_free[j] = false;
        }
    }
    p->free_count = kept;
}

static bool is_feasible(const problem *p)
{
    for (size_t k = 0; k < p->free_count; k++) {
        if (p->try[p->free[k]] <= 0)
            return false;
    }
    return true;
}

static gs_status search(problem *p, gs_error *err)
{
    double tolerance = 1e-12 * sqrt(dot(p->b, p->b, p->a.rows));
    size_t steps_left = 100 + 10 * p->a.columns;
    compute_gradient(p);
    for (size_t next = best_to_free(p, tolerance); next < p->a.columns;
         next = best_to_free(p, tolerance)) {
        p->is_free[next] = true;
        p->free[p->free_count++] = next;
        if (!solve_free(p) || p->try[next] <= 0) {
            /* It is a mixture of the others, up to rounding. */
            p->free_count--;
            p->is_free[next] = false;
            p->refused[next] = true;
            continue;
        }
        while (!is_feasible(p)) {
            step_back(p);
            if (steps_left-- == 0 || !solve_free(p))
                return gs_fail(err, GS_E_UNSUPPORTED, "least squares do not converge");
        }
        for (size_t k = 0; k < p->free_count; k++)
            p->x[p->free[k]] = p->try[p->free[k]];
        memset(p->refused, 0, p->a.columns * sizeof *p->refused);
        compute_gradient(p);
        if (steps_left-- == 0)
            return gs_fail(err, GS_E_UNSUPPORTED, "least squares do not converge");
    }
    return GS_OK;
}

/* Makes the problem one of as many rows as its rank, which is returned, with the same solutions. A
 * column that depends on those before it gets no row of its own. */
static size_t reduce(matrix *m, double *b)
{
    size_t row = 0;
    for (size_t j = 0; j < m->columns && row < m->rows; j++) {
        const double *rest = m->at + j * m->rows + row;
        if (sqrt(dot(rest, rest, m->rows - row)) < 1e-10)
            continue;
        reflect(m, b, row++, j);
    }
    for (size_t j = 0; j < m->columns; j++)
        memmove(m->at + j * row, m->at + j * m->rows, row * sizeof *m->at);
    m->rows = row;
    return row;
}

static void close_problem(problem *p)
{
    free(p->a.at);
    free(p->b);
    free(p->try);
    free(p->gradient);
    free(p->free);
    free(p->is_free);
    free(p->refused);
    free(p->work.at);
    free(p->work_b);
}

gs_status gs_nnls(double *x, size_t *rank, const double *a, const double *b, size_t rows,
                  size_t columns, gs_error *err)
{
    size_t cells = (rows ? rows : 1) * (columns ? columns : 1);
    problem p = {
        .a = {malloc(cells * sizeof(double)), rows, columns},
        .b = malloc((rows + 1) * sizeof(double)),
        .x = x,
        .try = calloc(columns + 1, sizeof(double)),
        .gradient = calloc(columns + 1, sizeof(double)),
        .free = calloc(columns + 1, sizeof(size_t)),
        .is_free = calloc(columns + 1, sizeof(bool)),
        .refused = calloc(columns + 1, sizeof(bool)),
        .work = {malloc(cells * sizeof(double)), rows, columns},
        .work_b = malloc((rows + 1) * sizeof(double)),
    };
    double *length = calloc(columns + 1, sizeof *length);
    gs_status status = GS_OK;
    if (!p.a.at || !p.b || !p.try || !p.gradient || !p.free || !p.is_free || !p.refused ||
        !p.work.at || !p.work_b || !length) {
        status = gs_fail_no_memory(err);
        goto out;
    }
    for (size_t j = 0; j < columns; j++) {
        x[j] = 0;
        for (size_t i = 0; i < rows; i++)
            length[j] += a[i * columns + j] * a[i * columns + j];
        length[j] = sqrt(length[j]);
        for (size_t i = 0; i < rows; i++)
            p.a.at[j * rows + i] = length[j] > 0 ? a[i * columns + j] / length[j] : 0;
    }
    for (size_t i = 0; i < rows; i++)
        p.b[i] = b[i];
    size_t found = reduce(&p.a, p.b);
    if (rank)
        *rank = found;
    status = search(&p, err);
    for (size_t j = 0; j < columns; j++)
        x[j] = length[j] > 0 ? x[j] / length[j] : 0;
out:
    free(length);
    close_problem(&p);
    return status;
}
