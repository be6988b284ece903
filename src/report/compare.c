/* Pairs functions, loops and lines of two profiles. */
#include "report/compare.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec.h"
#include "report/names.h"

const gs_diff_section gs_diff_sections[GS_DIFF_SECTIONS] = {
    {GS_REPORT_BY_FUNCTION, "functions", "functions (their own instructions)", "calls"},
    {GS_REPORT_BY_LOOP, "loops", "loops (without the loops inside)", "iterations"},
    {GS_REPORT_BY_LINE, "lines", "source lines", "executions"},
};

gs_status gs_diff_metric(const gs_profile *before, const gs_profile *after,
                         const gs_diff_options *options, gs_metric *metric, gs_error *err)
{
    const gs_report_options wanted = {.metric = options->metric};
    gs_status status = gs_report_metric(before, &wanted, metric, err);
    if (status == GS_OK)
        status = gs_report_metric(after, &wanted, metric, err);
    /* What both runs have. */
    if (status == GS_OK && !wanted.metric && !gs_report_is_timed(before))
        *metric = GS_METRIC_INSTRUCTIONS;
    return status;
}

bool gs_diff_wants(const gs_diff_options *options, size_t section)
{
    return !options->only || options->by == gs_diff_sections[section].by;
}

/* A row on one side, with all that it may be recognised by. */
typedef struct side {
    const gs_view_row *row;
    const char *function, *path, *file; /* `file` is the last part of `path` */
    uint32_t siblings;                  /* loops: how many its function has */
    bool done;
} side;

typedef int key_order(const side *x, const side *y);

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int by_name_and_file(const side *x, const side *y)
{
    int order = strcmp(x->function, y->function);
    return order ? order : strcmp(x->file, y->file);
}

static int by_name(const side *x, const side *y)
{
    return strcmp(x->function, y->function);
}

static int by_siblings(const side *x, const side *y)
{
    int order = strcmp(x->function, y->function);
    return order ? order : compare(x->siblings, y->siblings);
}

static int by_name_and_line(const side *x, const side *y)
{
    int order = by_name_and_file(x, y);
    return order ? order : compare(x->row->line, y->row->line);
}

static int by_path_and_line(const side *x, const side *y)
{
    int order = strcmp(x->path, y->path);
    return order ? order : compare(x->row->line, y->row->line);
}

static int by_file_and_line(const side *x, const side *y)
{
    int order = strcmp(x->file, y->file);
    return order ? order : compare(x->row->line, y->row->line);
}

/* The strictest first; what a key leaves over is left to the next. */
static key_order *const keys[GS_REPORT_BY_COUNT][3] = {
    [GS_REPORT_BY_FUNCTION] = {by_name_and_file, by_name},
    [GS_REPORT_BY_LOOP] = {by_siblings, by_name_and_line},
    [GS_REPORT_BY_LINE] = {by_path_and_line, by_file_and_line},
};

static int by_key(const void *a, const void *b, void *key)
{
    const side *x = a, *y = b;
    int order = compare(x->done, y->done);
    order = order ? order : (*(key_order *const *)key)(x, y);
    /* Source order: an edit moves lines, and a compiler code, but rarely past each other. */
    order = order ? order : strcmp(x->file, y->file);
    order = order ? order : compare(x->row->line, y->row->line);
    order = order ? order : compare(x->row->depth, y->row->depth);
    return order ? order : compare(x->row->address, y->row->address);
}

static side *sides_of(const gs_view *view, const gs_profile *profile)
{
    side *sides = calloc(view->count + 1, sizeof *sides);
    for (size_t i = 0; sides && i < view->count; i++) {
        const gs_view_row *row = &view->items[i];
        const char *path = gs_report_file_name(profile, row->file);
        sides[i] = (side){
            .row = row,
            .function = row->text ? row->text : gs_report_function_name(profile, row->function),
            .path = path,
            .file = gs_report_last_part(path),
        };
    }
    if (!sides || view->by != GS_REPORT_BY_LOOP)
        return sides;
    key_order *key = by_name;
    qsort_r(sides, view->count, sizeof *sides, by_key, &key);
    for (size_t from = 0, to; from < view->count; from = to) {
        for (to = from; to < view->count && by_name(&sides[from], &sides[to]) == 0; to++) {
        }
        for (size_t i = from; i < to; i++)
            sides[i].siblings = (uint32_t)(to - from);
    }
    return sides;
}

static bool add(gs_comparison *c, const gs_profile *of, side *before, side *after)
{
    gs_compared row = {
        .of = of,
        .row = after ? after->row : before->row,
        .is_before = before != NULL,
        .is_after = after != NULL,
    };
    if (before) {
        row.before = *before->row;
        before->done = true;
    }
    if (after) {
        row.after = *after->row;
        after->done = true;
    }
    return gs_vec_push(c, row);
}

/* Walks along both sides at once, sorted by the key. Equals pair up in the order they come. */
static bool pair_up(gs_comparison *c, const gs_profile *of, side *a, size_t a_count, side *b,
                    size_t b_count, key_order *key)
{
    qsort_r(a, a_count, sizeof *a, by_key, &key);
    qsort_r(b, b_count, sizeof *b, by_key, &key);
    size_t i = 0, j = 0;
    while (i < a_count && j < b_count && !a[i].done && !b[j].done) {
        int order = key(&a[i], &b[j]);
        if (order == 0 && !add(c, of, &a[i], &b[j]))
            return false;
        i += order <= 0;
        j += order >= 0;
    }
    return true;
}

static bool match(gs_comparison *c, const gs_profile *before, const gs_profile *after,
                  gs_report_by by)
{
    side *a = sides_of(&c->before, before), *b = sides_of(&c->after, after);
    bool good = a && b;
    for (size_t k = 0; good && k < 3 && keys[by][k]; k++)
        good = pair_up(c, after, a, c->before.count, b, c->after.count, keys[by][k]);
    for (size_t i = 0; good && i < c->before.count; i++)
        good = a[i].done || add(c, before, &a[i], NULL);
    for (size_t i = 0; good && i < c->after.count; i++)
        good = b[i].done || add(c, after, NULL, &b[i]);
    free(a);
    free(b);
    return good;
}

static uint64_t distance(const gs_compared *row, gs_metric metric)
{
    uint64_t x = row->before.self.value[metric], y = row->after.self.value[metric];
    return x > y ? x - y : y - x;
}

/* What changed most comes first; what got slower before what got faster by as much. */
static int by_change(const void *a, const void *b, void *metric)
{
    const gs_compared *x = a, *y = b;
    gs_metric m = *(gs_metric *)metric;
    int order = compare(distance(y, m), distance(x, m));
    order = order ? order : compare(y->after.self.value[m], x->after.self.value[m]);
    order = order ? order : compare(x->row->address, y->row->address);
    return order ? order : compare(x->row->line, y->row->line);
}

gs_status gs_comparison_open(gs_comparison *c, const gs_profile *before, const gs_profile *after,
                             gs_report_by by, gs_metric metric, gs_error *err)
{
    const gs_report_options options = {.by = by, .metric = gs_metric_key(metric)};
    *c = (gs_comparison){0};
    gs_status status = gs_view_open(&c->before, before, &options, err);
    if (status == GS_OK)
        status = gs_view_open(&c->after, after, &options, err);
    if (status == GS_OK && !match(c, before, after, by))
        status = gs_fail_no_memory(err);
    if (status != GS_OK) {
        gs_comparison_close(c);
        return status;
    }
    size_t kept = 0;
    for (size_t i = 0; i < c->count; i++) {
        if (distance(&c->items[i], metric) > 0)
            c->items[kept++] = c->items[i];
    }
    c->count = kept;
    if (c->count > 1)
        qsort_r(c->items, c->count, sizeof *c->items, by_change, &metric);
    return GS_OK;
}

void gs_comparison_close(gs_comparison *c)
{
    gs_view_close(&c->before);
    gs_view_close(&c->after);
    free(c->items);
    *c = (gs_comparison){0};
}
