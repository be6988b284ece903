/* What a sweep says, for people: the best, the cheapest that is near, the front, and what axes do.
 */
#include <stdlib.h>
#include <string.h>

#include "explore/sweep_results.h"
#include "gumshoe/text.h"
#include "report/names.h"
#include "report/text_table.h"

/* A step that gains less does not pay. */
static const double pays_percent = 1;

typedef struct front {
    const gs_sweep_results *results;
    size_t *order; /* outcomes of the front, by the first objective */
    size_t count;
    gs_text_column *columns;
} front;

static const char *objective_name(const gs_sweep_results *r, size_t i)
{
    return r->sweep->objectives.items[i].name;
}

static void put_label(FILE *to, const gs_sweep_results *r, size_t outcome)
{
    char *label = gs_sweep_label(r->sweep, r->outcomes[outcome].design);
    fputs(label ? label : "", to);
    free(label);
}

static void put_cell(char to[GS_TEXT_CELL], void *self, size_t row, size_t column)
{
    const front *f = self;
    char text[GS_SWEEP_NUMBER];
    const gs_sweep_outcome *o = &f->results->outcomes[f->order[row]];
    snprintf(to, GS_TEXT_CELL, "%s", gs_sweep_number(text, o->values[column]));
}

static void put_name(FILE *to, void *self, size_t row, unsigned room)
{
    const front *f = self;
    (void)room; /* settings are not cut: what is left out could be the difference */
    put_label(to, f->results, f->order[row]);
}

static unsigned name_width(void *self, size_t row)
{
    const front *f = self;
    char *label = gs_sweep_label(f->results->sweep, f->results->outcomes[f->order[row]].design);
    const unsigned width = label ? (unsigned)strlen(label) : 0;
    free(label);
    return width;
}

static int by_first(const void *a, const void *b, void *self)
{
    const gs_sweep_results *r = self;
    const gs_sweep_outcome *x = &r->outcomes[*(const size_t *)a];
    const gs_sweep_outcome *y = &r->outcomes[*(const size_t *)b];
    if (x->values[0] != y->values[0])
        return x->values[0] < y->values[0] ? -1 : 1;
    return x->design < y->design ? -1 : x->design > y->design;
}

static gs_status put_front(FILE *to, const gs_sweep_results *r, gs_error *err)
{
    const size_t objectives = r->sweep->objectives.count;
    front f = {.results = r,
               .order = calloc(r->count, sizeof *f.order),
               .columns = calloc(objectives, sizeof *f.columns)};
    if (!f.order || !f.columns) {
        free(f.order);
        free(f.columns);
        return gs_fail_no_memory(err);
    }
    for (size_t i = 0; i < r->count; i++) {
        if (r->outcomes[i].front)
            f.order[f.count++] = i;
    }
    qsort_r(f.order, f.count, sizeof *f.order, by_first, (void *)r);
    for (size_t i = 0; i < objectives; i++)
        f.columns[i].heading = objective_name(r, i);
    fprintf(to, "\nNo other design is as good in %s", objective_name(r, 0));
    for (size_t i = 1; i < r->front_objectives; i++)
        fprintf(to, "%s%s", i + 1 == r->front_objectives ? " and " : ", ", objective_name(r, i));
    fprintf(to, "%s: %s of %s\n\n", r->front_objectives > 1 ? " and better in one" : "",
            GS_TEXT_DIGITS(f.count), GS_TEXT_DIGITS(r->count));
    const gs_text_table table = {
        .columns = f.columns,
        .count = objectives < GS_TEXT_COLUMNS ? objectives : GS_TEXT_COLUMNS,
        .rows = f.count,
        .name = "design",
        .self = &f,
        .cell = put_cell,
        .put_name = put_name,
        .name_width = name_width,
    };
    gs_text_table_put(to, &table);
    free(f.order);
    free(f.columns);
    return GS_OK;
}

static gs_status put_axis(FILE *to, const gs_sweep_results *r, size_t axis, bool *any,
                          gs_error *err)
{
    const gs_sweep_axis *a = &r->sweep->axes.items[axis];
    gs_sweep_step *steps = calloc(a->values.count, sizeof *steps);
    gs_status status = steps ? gs_sweep_steps(r, axis, 0, steps, err) : gs_fail_no_memory(err);
    size_t pairs = 0;
    for (size_t i = 1; i < a->values.count && status == GS_OK; i++)
        pairs += steps[i].pairs;
    if (status == GS_OK && pairs > 0) {
        if (!*any)
            fprintf(to,
                    "\nWhat each step along an axis does to %s, in the mean of all designs that "
                    "differ in\nnothing else:\n",
                    objective_name(r, 0));
        *any = true;
        fprintf(to, "\n%s:", a->node->key);
        for (size_t i = 0; i < a->values.count; i++) {
            if (i > 0 && steps[i].pairs == 0)
                fprintf(to, " (?) %s", a->values.items[i]);
            else if (i > 0)
                fprintf(to, " (%+.2f%%) %s", 100 * (steps[i].ratio - 1), a->values.items[i]);
            else
                fprintf(to, " %s", a->values.items[i]);
        }
        const size_t last = gs_sweep_pays_to(steps, a->values.count, pays_percent);
        if (last == 0)
            fprintf(to, "; no step gains %g%%", pays_percent);
        else if (last + 1 < a->values.count)
            fprintf(to, "; pays to %s", a->values.items[last]);
        fputc('\n', to);
    }
    free(steps);
    return status;
}

static gs_status put_axes(FILE *to, const gs_sweep_results *r, gs_error *err)
{
    gs_status status = GS_OK;
    bool any = false;
    for (size_t i = 0; i < r->sweep->axes.count && status == GS_OK; i++)
        status = put_axis(to, r, i, &any, err);
    return status;
}

gs_status gs_report_sweep(FILE *to, const gs_sweep_results *r, gs_error *err)
{
    char text[GS_SWEEP_NUMBER];
    const size_t cost = r->sweep->objectives.count > 1;
    gs_status status = GS_OK;
    fprintf(to, "%s: %s designs", r->sweep->name, GS_TEXT_DIGITS(r->sweep->design_count));
    if (r->failed)
        fprintf(to, ", %s with an error", GS_TEXT_DIGITS(r->failed));
    if (r->missing)
        fprintf(to, ", %s not run yet", GS_TEXT_DIGITS(r->missing));
    fputc('\n', to);
    if (r->count == 0) {
        fputs("There is nothing to compare.\n", to);
        return gs_report_end(to, err);
    }
    fprintf(to, "\nBest: %s %s with\n  ", objective_name(r, 0),
            gs_sweep_number(text, r->outcomes[r->best].values[0]));
    put_label(to, r, r->best);
    fputc('\n', to);
    if (cost) {
        fprintf(to, "Within %g%% of that, least %s:", r->within, objective_name(r, cost));
        fprintf(to, " %s", gs_sweep_number(text, r->outcomes[r->cheapest].values[cost]));
        fprintf(to, ", %s %s with\n  ", objective_name(r, 0),
                gs_sweep_number(text, r->outcomes[r->cheapest].values[0]));
        put_label(to, r, r->cheapest);
        fputc('\n', to);
        status = put_front(to, r, err);
    }
    if (status == GS_OK && !r->sweep->is_list)
        status = put_axes(to, r, err);
    return status == GS_OK ? gs_report_end(to, err) : status;
}
