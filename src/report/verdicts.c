/* Measures each limit of a budget in a profile, and says what is exceeded. */
#include "report/verdicts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/config.h"
#include "base/error.h"
#include "base/vec.h"
#include "report/called.h"
#include "report/names.h"
#include "report/views.h"

/* A profile's rows of each kind, made when they are first needed. */
typedef struct judge {
    const gs_profile *profile;
    const gs_budget *budget;
    gs_view views[GS_PART_KINDS];
    bool open[GS_PART_KINDS];
} judge;

/* What a part cost; the sum, if its name is that of several. */
typedef struct measured {
    size_t rows;
    uint64_t count, entries;
    gs_metrics self, inclusive;
} measured;

static gs_status rows_of(judge *j, gs_part_kind kind, const gs_view **view, gs_error *err)
{
    static const gs_report_by by[] = {[GS_PART_FUNCTION] = GS_REPORT_BY_FUNCTION,
                                      [GS_PART_LOOP] = GS_REPORT_BY_LOOP,
                                      [GS_PART_LINE] = GS_REPORT_BY_LINE};
    const gs_report_options options = {.by = by[kind]};
    gs_status status = GS_OK;
    if (!j->open[kind])
        status = gs_view_open(&j->views[kind], j->profile, &options, err);
    j->open[kind] = status == GS_OK;
    *view = &j->views[kind];
    return status;
}

static void take(measured *m, const gs_view_row *row)
{
    m->rows++;
    m->count += row->count;
    m->entries += row->other;
    gs_metrics_add(&m->self, &row->self);
    gs_metrics_add(&m->inclusive, &row->inclusive);
}

/*
 * Several functions as one, such as crc32 and its clone crc32.constprop.0: what one of them called
 * is counted once, at the outermost of them, and going to a piece that was split off is no call.
 */
static gs_status measure_together(const judge *j, const bool *chosen, measured *m, gs_error *err)
{
    const gs_profile *profile = j->profile;
    const gs_profile_node *nodes = profile->nodes.items;
    size_t count = profile->nodes.count;
    gs_metrics *inclusive = gs_profile_inclusive(profile);
    bool *within = calloc(count + 1, sizeof *within);
    gs_status status = inclusive && within ? GS_OK : gs_fail_no_memory(err);
    m->count = 0;
    m->inclusive = (gs_metrics){0};
    for (size_t i = 0; i < count && status == GS_OK; i++) {
        bool is_root = nodes[i].parent == GS_PROFILE_NONE;
        bool around = !is_root && within[nodes[i].parent];
        bool is_chosen = nodes[i].function != GS_PROFILE_NONE && chosen[nodes[i].function];
        bool from_chosen = !is_root && nodes[nodes[i].parent].function != GS_PROFILE_NONE &&
                           chosen[nodes[nodes[i].parent].function];
        within[i] = around || is_chosen;
        if (!is_chosen)
            continue;
        if (!around)
            gs_metrics_add(&m->inclusive, &inclusive[i]);
        if (!from_chosen ||
            !gs_report_is_split(gs_report_function_name(profile, nodes[i].function)))
            m->count += nodes[i].calls;
    }
    for (unsigned i = 0; i < GS_METRIC_COUNT; i++) {
        if (m->inclusive.value[i] < m->self.value[i])
            m->inclusive.value[i] = m->self.value[i];
    }
    free(inclusive);
    free(within);
    return status;
}

static gs_status measure_functions(const judge *j, const gs_part *part, const gs_view *view,
                                   measured *m, gs_error *err)
{
    bool *chosen = calloc(j->profile->functions.count + 1, sizeof *chosen);
    if (!chosen)
        return gs_fail_no_memory(err);
    for (size_t i = 0; i < view->count; i++) {
        uint32_t function = view->items[i].function;
        if (!gs_report_is_called(gs_report_function_name(j->profile, function), part->name))
            continue;
        take(m, &view->items[i]);
        if (function != GS_PROFILE_NONE)
            chosen[function] = true;
    }
    gs_status status = m->rows > 1 ? measure_together(j, chosen, m, err) : GS_OK;
    free(chosen);
    return status;
}

/* `wanted` is the end of `path`, from some slash on. */
static bool is_file(const char *path, const char *wanted)
{
    size_t length = strlen(path), end = strlen(wanted);
    return end <= length && strcmp(path + length - end, wanted) == 0 &&
           (end == length || wanted[0] == '/' || path[length - end - 1] == '/');
}

static void measure_lines(const judge *j, const gs_part *part, const gs_view *view, measured *m)
{
    for (size_t i = 0; i < view->count; i++) {
        const gs_view_row *row = &view->items[i];
        if (row->file != GS_PROFILE_NONE && row->line == part->line &&
            is_file(gs_report_file_name(j->profile, row->file), part->name))
            take(m, row);
    }
}

/* The n-th loop of a function is the one with the n-th header. */
static uint32_t number_of(const judge *j, const gs_view *view, const gs_view_row *row,
                          const char *function)
{
    uint32_t number = 1;
    for (size_t i = 0; i < view->count; i++) {
        const gs_view_row *other = &view->items[i];
        if (!other->text && other->address < row->address &&
            gs_report_is_called(gs_report_function_name(j->profile, other->function), function))
            number++;
    }
    return number;
}

static bool is_loop_of(const judge *j, const gs_view_row *row, const char *function)
{
    return !row->text &&
           gs_report_is_called(gs_report_function_name(j->profile, row->function), function);
}

/* "lines 12, 15"; or the addresses, if the program says nothing about lines. */
static void list_loops(char *to, size_t size, const judge *j, const gs_view *view,
                       const char *function)
{
    bool lines = true;
    for (size_t i = 0; i < view->count; i++)
        lines = lines && (!is_loop_of(j, &view->items[i], function) || view->items[i].line > 0);
    size_t length = (size_t)snprintf(to, size, "%s", lines ? "lines" : "addresses");
    const char *comma = "";
    for (size_t i = 0; i < view->count && length < size; i++) {
        const gs_view_row *row = &view->items[i];
        if (!is_loop_of(j, row, function))
            continue;
        length +=
            (size_t)snprintf(to + length, size - length, lines ? "%s %" PRIu32 : "%s 0x%08" PRIx32,
                             comma, lines ? row->line : row->address);
        comma = ",";
    }
}

static gs_status measure_loops(const judge *j, const gs_part *part, const gs_view *view,
                               measured *m, gs_error *err)
{
    char loops[120];
    size_t all = 0;
    for (size_t i = 0; i < view->count; i++) {
        const gs_view_row *row = &view->items[i];
        if (!is_loop_of(j, row, part->name))
            continue;
        all++;
        if ((!part->line || row->line == part->line) &&
            (!part->number || number_of(j, view, row, part->name) == part->number))
            take(m, row);
    }
    list_loops(loops, sizeof loops, j, view, part->name);
    if (m->rows == 0 && all > 0 && !part->optional)
        return gs_config_fail_at(part->node, err,
                                 "no such loop of %.60s was executed; there are %zu, at %s",
                                 part->name, all, loops);
    if (m->rows > 1)
        return gs_config_fail_at(part->node, err,
                                 "%.60s has %zu loops, at %s; number: 1 to %zu says which",
                                 part->name, all, loops, all);
    return GS_OK;
}

/* A part that was not executed: most likely its name is not, or no longer, right. */
static gs_status fail_missing(const judge *j, const gs_part *part, gs_error *err)
{
    char what[160], why[300];
    if (part->kind == GS_PART_FUNCTION) {
        gs_report_explain_missing(j->profile, part->name, why, sizeof why);
        return gs_config_fail_at(part->node, err, "%s", why);
    }
    gs_part_describe(part, what, sizeof what);
    return gs_config_fail_at(
        part->node, err,
        "no %s%s was executed; 'gumshoe report --by %s --top 0' lists those that were",
        part->kind == GS_PART_LINE ? "line " : "", what,
        gs_report_by_name(part->kind == GS_PART_LINE ? GS_REPORT_BY_LINE : GS_REPORT_BY_LOOP));
}

static gs_status measure(judge *j, const gs_part *part, measured *m, gs_error *err)
{
    const gs_view *view;
    *m = (measured){0};
    if (part->kind == GS_PART_PROGRAM) {
        m->rows = 1;
        m->self = m->inclusive = j->profile->total;
        return GS_OK;
    }
    gs_status status = rows_of(j, part->kind, &view, err);
    if (status != GS_OK)
        return status;
    switch (part->kind) {
    case GS_PART_FUNCTION: status = measure_functions(j, part, view, m, err); break;
    case GS_PART_LOOP: status = measure_loops(j, part, view, m, err); break;
    default: measure_lines(j, part, view, m); break;
    }
    if (status == GS_OK && m->rows == 0 && !part->optional)
        status = fail_missing(j, part, err);
    return status;
}

static uint64_t amount_of(const gs_limit *limit, const measured *m)
{
    const gs_metrics *cost = limit->inclusive ? &m->inclusive : &m->self;
    gs_metric most;
    switch (limit->quantity) {
    case GS_QUANTITY_STALLS: return gs_report_stalls(cost, &most);
    case GS_QUANTITY_MISSES:
        return cost->value[GS_METRIC_I_MISSES] + cost->value[GS_METRIC_D_MISSES];
    case GS_QUANTITY_SHARE: return cost->value[GS_METRIC_CYCLES];
    case GS_QUANTITY_COUNT: return m->count;
    case GS_QUANTITY_ENTRIES: return m->entries;
    default: return cost->value[limit->metric];
    }
}

static uint64_t divisor_of(const gs_limit *limit, const measured *m)
{
    const gs_metrics *cost = limit->inclusive ? &m->inclusive : &m->self;
    switch (limit->per) {
    case GS_PER_COUNT: return m->count;
    case GS_PER_ENTRY: return m->entries;
    case GS_PER_INSTRUCTION: return cost->value[GS_METRIC_INSTRUCTIONS];
    default: return 1;
    }
}

/* Whole numbers are compared as such: amount <= most * per. */
static gs_verdict judge_limit(const judge *j, const gs_part *part, const gs_limit *limit,
                              const measured *m)
{
    gs_verdict v = {.part = part, .limit = limit, .skipped = m->rows == 0, .held = true};
    if (v.skipped)
        return v;
    v.amount = amount_of(limit, m);
    v.per = divisor_of(limit, m);
    if (limit->quantity == GS_QUANTITY_SHARE) {
        uint64_t whole = j->profile->total.value[GS_METRIC_CYCLES];
        v.value = whole ? 100 * (long double)v.amount / (long double)whole : 0;
        v.held = 100 * (long double)v.amount <= limit->most * (long double)whole;
        return v;
    }
    v.value = v.per ? (long double)v.amount / (long double)v.per : 0;
    v.held = v.per == 0 || (long double)v.amount <= limit->most * (long double)v.per;
    return v;
}

/* Without a core nothing but instructions and traps is known. */
static bool needs_timing(const gs_limit *limit)
{
    if (limit->quantity == GS_QUANTITY_METRIC)
        return limit->metric != GS_METRIC_INSTRUCTIONS && limit->metric != GS_METRIC_TRAPS;
    return limit->quantity != GS_QUANTITY_COUNT && limit->quantity != GS_QUANTITY_ENTRIES;
}

/* A limit on what the run cannot have would always hold. */
static gs_status check_known(const gs_profile *profile, const gs_limit *limit, gs_error *err)
{
    gs_error why;
    gs_metric metric;
    const gs_report_options options = {.metric = gs_metric_key(limit->metric)};
    if (!profile->run.core[0] && needs_timing(limit))
        return gs_config_fail_at(limit->node, err,
                                 "the run was not timed; 'gumshoe run --core' times one");
    if (limit->quantity == GS_QUANTITY_METRIC &&
        gs_report_metric(profile, &options, &metric, &why) != GS_OK)
        return gs_config_fail_at(limit->node, err, "%s", why.message);
    return GS_OK;
}

static gs_status judge_part(judge *j, const gs_part *part, gs_verdicts *to, gs_error *err)
{
    measured m;
    gs_status status = measure(j, part, &m, err);
    for (size_t i = 0; i < part->count && status == GS_OK; i++) {
        const gs_limit *limit = &j->budget->limits.items[part->first + i];
        status = check_known(j->profile, limit, err);
        if (status != GS_OK)
            break;
        gs_verdict verdict = judge_limit(j, part, limit, &m);
        to->exceeded += !verdict.held;
        to->skipped += verdict.skipped;
        if (!gs_vec_push(to, verdict))
            status = gs_fail_no_memory(err);
    }
    return status;
}

gs_status gs_verdicts_open(gs_verdicts *verdicts, const gs_profile *profile,
                           const gs_budget *budget, gs_error *err)
{
    judge j = {.profile = profile, .budget = budget};
    gs_status status = GS_OK;
    *verdicts = (gs_verdicts){0};
    for (size_t i = 0; i < budget->parts.count && status == GS_OK; i++)
        status = judge_part(&j, &budget->parts.items[i], verdicts, err);
    for (size_t i = 0; i < GS_PART_KINDS; i++) {
        if (j.open[i])
            gs_view_close(&j.views[i]);
    }
    if (status != GS_OK)
        gs_verdicts_close(verdicts);
    return status;
}

void gs_verdicts_close(gs_verdicts *verdicts)
{
    free(verdicts->items);
    *verdicts = (gs_verdicts){0};
}

void gs_part_describe(const gs_part *part, char *to, size_t size)
{
    switch (part->kind) {
    case GS_PART_PROGRAM: snprintf(to, size, "program"); break;
    case GS_PART_LINE: snprintf(to, size, "%.80s:%" PRIu32, part->name, part->line); break;
    case GS_PART_LOOP:
        if (part->line)
            snprintf(to, size, "loop of %.80s at line %" PRIu32, part->name, part->line);
        else if (part->number)
            snprintf(to, size, "loop %" PRIu32 " of %.80s", part->number, part->name);
        else
            snprintf(to, size, "loop of %.80s", part->name);
        break;
    default: snprintf(to, size, "%.80s", part->name); break;
    }
}
