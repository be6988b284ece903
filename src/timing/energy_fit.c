/* Fits costs of instructions to measured energies, groups them, and measures the error. */
#include "timing/energy_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/grouping.h"
#include "base/nnls.h"

/* A table in the making. */
typedef struct table {
    double *cost;  /* by column */
    size_t *group; /* by column */
    double *group_cost;
    size_t groups, rank;
} table;

typedef struct fitter {
    const gs_energy_samples *samples;
    size_t wanted;           /* groups */
    double *a, *b;           /* equations */
    double *costs, *weights; /* of instructions, without the stall */
    gs_error *err;
} fitter;

enum { EVERY_ROW = -1 };

/* Rows are divided by their energies, so that b is all ones and errors are relative. `column_of`
 * adds columns up; NULL for each on its own. Returns how many rows there are. */
static size_t set_up(fitter *f, const size_t *column_of, size_t columns, long left_out)
{
    const gs_energy_samples *samples = f->samples;
    size_t used = 0;
    for (size_t i = 0; i < samples->rows.count; i++) {
        const gs_energy_sample *row = &samples->rows.items[i];
        if ((long)i == left_out)
            continue;
        double *to = f->a + used * columns;
        memset(to, 0, columns * sizeof *to);
        for (size_t j = 0; j < samples->column_count; j++)
            to[column_of ? column_of[j] : j] += row->counts[j] / row->energy_j;
        f->b[used++] = 1;
    }
    return used;
}

/* How much of the runs an instruction is, on average. What is hardly ever executed has a cost that
 * is hardly known, and must not get a group of its own for it. */
static double weight_of(const gs_energy_samples *samples, size_t column)
{
    double sum = 0;
    for (size_t i = 0; i < samples->rows.count; i++)
        sum += samples->rows.items[i].counts[column] / samples->rows.items[i].cycles;
    return sum / (double)samples->rows.count;
}

static gs_status make_table(fitter *f, table *t, long left_out)
{
    const gs_energy_samples *samples = f->samples;
    size_t columns = samples->column_count, instructions = 0;
    size_t rows = set_up(f, NULL, columns, left_out);
    gs_status status = gs_nnls(t->cost, &t->rank, f->a, f->b, rows, columns, f->err);
    if (status != GS_OK)
        return status;
    for (size_t j = 0; j < columns; j++) {
        if (samples->columns[j] == GS_SAMPLE_STALL)
            continue;
        f->costs[instructions] = t->cost[j];
        f->weights[instructions++] = weight_of(samples, j);
    }
    status = gs_group_values(t->group, &t->groups, f->costs, f->weights, instructions, f->wanted,
                             f->err);
    if (status != GS_OK)
        return status;
    /* Columns ascend, so the stall's is the first. */
    memmove(t->group + 1, t->group, instructions * sizeof *t->group);
    t->group[0] = t->groups;
    rows = set_up(f, t->group, t->groups + 1, left_out);
    return gs_nnls(t->group_cost, NULL, f->a, f->b, rows, t->groups + 1, f->err);
}

static double energy_of(const gs_energy_samples *samples, const table *t, size_t row)
{
    double sum = 0;
    for (size_t j = 0; j < samples->column_count; j++)
        sum += samples->rows.items[row].counts[j] * t->group_cost[t->group[j]];
    return sum;
}

static bool open_table(table *t, size_t columns)
{
    *t = (table){
        .cost = calloc(columns + 1, sizeof *t->cost),
        .group = calloc(columns + 1, sizeof *t->group),
        .group_cost = calloc(columns + 2, sizeof *t->group_cost),
    };
    return t->cost && t->group && t->group_cost;
}

static void close_table(table *t)
{
    free(t->cost);
    free(t->group);
    free(t->group_cost);
}

static gs_status leave_out(fitter *f, gs_energy_fit *fit, gs_error *err)
{
    size_t rows = f->samples->rows.count;
    table t;
    gs_status status = open_table(&t, f->samples->column_count) ? GS_OK : gs_fail_no_memory(err);
    for (size_t i = 0; i < rows && status == GS_OK; i++) {
        status = make_table(f, &t, (long)i);
        if (status != GS_OK)
            break;
        double measured = f->samples->rows.items[i].energy_j;
        fit->left_out_j[i] = energy_of(f->samples, &t, i);
        fit->error += fabs(fit->left_out_j[i] - measured) / measured / (double)rows;
    }
    close_table(&t);
    return status;
}

static double average_stall(const gs_energy_samples *samples)
{
    double sum = 0;
    for (size_t i = 0; i < samples->rows.count; i++) {
        const gs_energy_sample *row = &samples->rows.items[i];
        sum += 100 * row->counts[0] / row->cycles;
    }
    return sum / (double)samples->rows.count;
}

gs_status gs_energy_fit_open(gs_energy_fit *out, const gs_energy_samples *samples, size_t groups,
                             gs_error *err)
{
    size_t rows = samples->rows.count, columns = samples->column_count;
    fitter f = {
        .samples = samples,
        .wanted = groups,
        .a = calloc(rows * (columns + 2) + 1, sizeof *f.a),
        .b = calloc(rows + 1, sizeof *f.b),
        .costs = calloc(columns + 1, sizeof *f.costs),
        .weights = calloc(columns + 1, sizeof *f.weights),
        .err = err,
    };
    *out = (gs_energy_fit){
        .columns = columns,
        .fitted_j = calloc(rows + 1, sizeof *out->fitted_j),
        .left_out_j = calloc(rows + 1, sizeof *out->left_out_j),
    };
    table t;
    gs_status status = GS_OK;
    if (!open_table(&t, columns) || !f.a || !f.b || !f.costs || !f.weights || !out->fitted_j ||
        !out->left_out_j)
        status = gs_fail_no_memory(err);
    if (status == GS_OK)
        status = make_table(&f, &t, EVERY_ROW);
    out->cost_j = t.cost;
    out->group = t.group;
    out->group_j = t.group_cost;
    out->groups = t.groups;
    out->rank = t.rank;
    out->average_stall = average_stall(samples);
    for (size_t i = 0; i < rows && status == GS_OK; i++)
        out->fitted_j[i] = energy_of(samples, &t, i);
    if (status == GS_OK)
        status = leave_out(&f, out, err);
    free(f.a);
    free(f.b);
    free(f.costs);
    free(f.weights);
    if (status != GS_OK)
        gs_energy_fit_fini(out);
    return status;
}

void gs_energy_fit_fini(gs_energy_fit *fit)
{
    free(fit->cost_j);
    free(fit->group);
    free(fit->group_j);
    free(fit->fitted_j);
    free(fit->left_out_j);
    *fit = (gs_energy_fit){0};
}
