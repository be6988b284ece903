/*
 * The choice as an integer program for GLPK: x is 1 for what is moved; the sum of gains is to be
 * largest, areas stay within the budget, and of two that exclude each other at most one is moved.
 *
 * GLPK keeps an environment for each thread, and what is set there, as whether it prints, would be
 * the calling program's as well. So each solution is found on a thread of its own, whose
 * environment goes with it.
 */
#include "partition/choose.h"

#include <glpk.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct task {
    const gs_hw_choice *choice;
    bool *chosen;
    int result; /* of GLPK */
    bool optimal;
} task;

typedef struct matrix {
    int *rows, *columns;
    double *values;
    int count;
} matrix;

static void put(matrix *m, int row, size_t item, double value)
{
    m->count++; /* GLPK counts from 1 */
    m->rows[m->count] = row;
    m->columns[m->count] = (int)item + 1;
    m->values[m->count] = value;
}

static size_t count_exclusions(const gs_hw_choice *c)
{
    size_t count = 0;
    for (size_t a = 0; a < c->count; a++)
        for (size_t b = a + 1; b < c->count; b++)
            count += c->exclude[a * c->count + b];
    return count;
}

static void add_exclusions(glp_prob *problem, const gs_hw_choice *c, matrix *m)
{
    for (size_t a = 0; a < c->count; a++) {
        for (size_t b = a + 1; b < c->count; b++) {
            if (!c->exclude[a * c->count + b])
                continue;
            const int row = glp_add_rows(problem, 1);
            glp_set_row_bnds(problem, row, GLP_UP, 0, 1);
            put(m, row, a, 1);
            put(m, row, b, 1);
        }
    }
}

static void add_budgets(glp_prob *problem, const gs_hw_choice *c, matrix *m)
{
    for (unsigned r = 0; r < GS_HLS_RESOURCE_COUNT; r++) {
        const int row = glp_add_rows(problem, 1);
        glp_set_row_bnds(problem, row, GLP_UP, 0, (double)c->budget[r]);
        for (size_t i = 0; i < c->count; i++) {
            if (c->items[i].area[r] > 0)
                put(m, row, i, (double)c->items[i].area[r]);
        }
    }
}

static void solve(task *t, matrix *m)
{
    const gs_hw_choice *c = t->choice;
    glp_prob *problem = glp_create_prob();
    double largest = 0;
    for (size_t i = 0; i < c->count; i++)
        largest = c->items[i].gain > largest ? c->items[i].gain : largest;
    glp_set_obj_dir(problem, GLP_MAX);
    glp_add_cols(problem, (int)c->count);
    for (size_t i = 0; i < c->count; i++) {
        glp_set_col_kind(problem, (int)i + 1, GLP_BV);
        glp_set_obj_coef(problem, (int)i + 1, c->items[i].gain / largest);
    }
    add_exclusions(problem, c, m);
    add_budgets(problem, c, m);
    glp_load_matrix(problem, m->count, m->rows, m->columns, m->values);
    glp_iocp parameters;
    glp_init_iocp(&parameters);
    parameters.msg_lev = GLP_MSG_OFF;
    parameters.presolve = GLP_ON;
    t->result = glp_intopt(problem, &parameters);
    t->optimal = t->result == 0 && glp_mip_status(problem) == GLP_OPT;
    for (size_t i = 0; i < c->count; i++)
        t->chosen[i] = t->optimal && glp_mip_col_val(problem, (int)i + 1) > 0.5;
    glp_delete_prob(problem);
}

static void *solve_alone(void *self)
{
    task *t = self;
    const size_t most =
        t->choice->count * GS_HLS_RESOURCE_COUNT + 2 * count_exclusions(t->choice) + 1;
    matrix m = {.rows = calloc(most, sizeof *m.rows),
                .columns = calloc(most, sizeof *m.columns),
                .values = calloc(most, sizeof *m.values)};
    t->result = GLP_EFAIL;
    if (m.rows && m.columns && m.values) {
        glp_term_out(GLP_OFF);
        solve(t, &m);
    }
    glp_free_env();
    free(m.rows);
    free(m.columns);
    free(m.values);
    return NULL;
}

gs_status gs_hw_choose(const gs_hw_choice *choice, bool *chosen, gs_error *err)
{
    task t = {.choice = choice, .chosen = chosen};
    pthread_t thread;
    if (choice->count == 0)
        return GS_OK;
    if (pthread_create(&thread, NULL, solve_alone, &t) != 0)
        return gs_fail_no_memory(err);
    pthread_join(thread, NULL);
    if (t.optimal)
        return GS_OK;
    return gs_fail(err, GS_E_UNSUPPORTED, "the integer program was not solved (GLPK says %d)",
                   t.result);
}
