/* Threads as rows, and the switches between them. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "report/names.h"
#include "report/short_name.h"
#include "report/text_table.h"
#include "report/views.h"

/* As many threads as a matrix may have; of more, the most frequent switches are listed. */
enum { MATRIX = 12, LISTED = 20, NAME = 24 };

/* Which thread a node belongs to; 0 where there is only one. */
static uint32_t thread_of(const gs_profile *profile, const uint32_t *threads, size_t node)
{
    const gs_profile_node *n = &profile->nodes.items[node];
    if (n->thread != GS_PROFILE_NONE && n->kind == GS_FRAME_THREAD)
        return n->thread;
    return node == 0 || n->parent == GS_PROFILE_NONE ? 0 : threads[n->parent];
}

/* What a handler cost. A sleep counts for the instruction that comes after it, the handler's first:
 * that is not the handler's. */
static uint64_t cost_of_handler(const gs_metrics *cost, gs_metric metric)
{
    return cost->value[metric] -
           (metric == GS_METRIC_CYCLES ? cost->value[GS_METRIC_STALL_IDLE] : 0);
}

/* What each path cost goes to its thread, and what it cost in a handler besides to `other`. */
static bool add_costs(gs_view *view, const gs_profile *profile)
{
    const size_t count = profile->nodes.count;
    uint32_t *threads = calloc(count + 1, sizeof *threads);
    bool *handled = calloc(count + 1, sizeof *handled);
    for (size_t i = 0; threads && handled && i < count; i++) {
        const gs_profile_node *node = &profile->nodes.items[i];
        threads[i] = thread_of(profile, threads, i);
        handled[i] = node->kind == GS_FRAME_TRAP || (i > 0 && handled[node->parent]);
        gs_view_row *row = &view->items[threads[i]];
        gs_metrics_add(&row->self, &node->self);
        row->other += handled[i] ? cost_of_handler(&node->self, view->metric) : 0;
    }
    const bool good = threads && handled;
    free(threads);
    free(handled);
    return good;
}

static void name_row(gs_view_row *row, const gs_profile *profile, const char *name,
                     uint32_t function)
{
    *row = (gs_view_row){
        .parent = GS_PROFILE_NONE,
        .function = function,
        .file = GS_PROFILE_NONE,
        .inlined = GS_PROFILE_NONE,
        .text = name,
    };
    if (function == GS_PROFILE_NONE)
        return;
    row->file = profile->functions.items[function].file;
    row->line = profile->functions.items[function].line;
}

bool gs_view_make_threads(gs_view *view, const gs_profile *profile, gs_error *err)
{
    const size_t threads = profile->threads.count;
    const size_t count = threads > 0 ? threads : profile->nodes.count > 0;
    view->items = calloc(count + 1, sizeof *view->items);
    if (!view->items) {
        gs_fail_no_memory(err);
        return false;
    }
    view->count = view->capacity = count;
    for (size_t i = 0; i < threads; i++)
        name_row(&view->items[i], profile, profile->threads.items[i].name,
                 profile->threads.items[i].function);
    if (threads == 0 && count > 0) {
        const uint32_t function = profile->nodes.items[0].function;
        name_row(&view->items[0], profile, gs_report_function_name(profile, function), function);
    }
    for (size_t i = 0; i < profile->switches.count; i++)
        view->items[profile->switches.items[i].to].count += profile->switches.items[i].count;
    if (!add_costs(view, profile)) {
        gs_fail_no_memory(err);
        return false;
    }
    return true;
}

static const char *name_of(const gs_profile *profile, size_t thread)
{
    return profile->threads.items[thread].name;
}

/* A row per thread that was left, a column per thread that went on. */
typedef struct matrix {
    const gs_profile *profile;
    uint64_t count[MATRIX][MATRIX];
    char headings[MATRIX][NAME];
} matrix;

static void put_cell(char to[GS_TEXT_CELL], void *self, size_t row, size_t column)
{
    const matrix *m = self;
    to[0] = '\0';
    if (m->count[row][column])
        gs_text_digits(to, m->count[row][column]);
}

static void put_row_name(FILE *to, void *self, size_t row, unsigned room)
{
    const matrix *m = self;
    gs_report_put_fitted(to, name_of(m->profile, row), room);
}

static unsigned row_name_width(void *self, size_t row)
{
    const matrix *m = self;
    return gs_report_columns(name_of(m->profile, row));
}

static void put_matrix(FILE *to, const gs_profile *profile, unsigned width)
{
    matrix m = {.profile = profile};
    gs_text_column columns[MATRIX] = {{0}};
    const size_t count = profile->threads.count;
    for (size_t i = 0; i < profile->switches.count; i++) {
        const gs_profile_switch *row = &profile->switches.items[i];
        m.count[row->from][row->to] = row->count;
    }
    for (size_t i = 0; i < count; i++) {
        snprintf(m.headings[i], NAME, "%.*s", NAME - 1, name_of(profile, i));
        columns[i] = (gs_text_column){.heading = m.headings[i], .spare = (unsigned)i};
    }
    const gs_text_table table = {.columns = columns,
                                 .count = count,
                                 .rows = count,
                                 .name = "from",
                                 .width = width,
                                 .self = &m,
                                 .cell = put_cell,
                                 .put_name = put_row_name,
                                 .name_width = row_name_width};
    fputs("\nswitches from the thread of a row to that of a column\n", to);
    gs_text_table_put(to, &table);
}

static int by_count(const void *a, const void *b)
{
    const gs_profile_switch *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

static gs_status put_list(FILE *to, const gs_profile *profile, gs_error *err)
{
    const size_t count = profile->switches.count;
    gs_profile_switch *sorted = calloc(count + 1, sizeof *sorted);
    if (!sorted)
        return gs_fail_no_memory(err);
    for (size_t i = 0; i < count; i++)
        sorted[i] = profile->switches.items[i];
    qsort(sorted, count, sizeof *sorted, by_count);
    fputs("\nmost frequent switches\n", to);
    for (size_t i = 0; i < count && i < LISTED; i++) {
        fprintf(to, "%12s  ", GS_TEXT_DIGITS(sorted[i].count));
        gs_report_put(to, name_of(profile, sorted[i].from), "");
        fputs(" to ", to);
        gs_report_put(to, name_of(profile, sorted[i].to), "");
        fputc('\n', to);
    }
    if (count > LISTED)
        fprintf(to, "%12s  and %s more\n", "", GS_TEXT_DIGITS(count - LISTED));
    free(sorted);
    return GS_OK;
}

gs_status gs_view_put_switches(FILE *to, const gs_profile *profile, unsigned width, gs_error *err)
{
    if (profile->switches.count == 0)
        return GS_OK;
    if (profile->threads.count > MATRIX)
        return put_list(to, profile, err);
    put_matrix(to, profile, width);
    return GS_OK;
}

void gs_view_put_json_switches(gs_json *json, const gs_profile *profile)
{
    gs_json_open_array(json, "switches");
    for (size_t i = 0; i < profile->switches.count; i++) {
        const gs_profile_switch *row = &profile->switches.items[i];
        gs_json_open_object(json, NULL);
        gs_json_string(json, "from", name_of(profile, row->from));
        gs_json_string(json, "to", name_of(profile, row->to));
        gs_json_uint(json, "switches", row->count);
        gs_json_close_object(json);
    }
    gs_json_close_array(json);
}
