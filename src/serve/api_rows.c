/* Rows of a table: sorted, searched, and a page of them at a time. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "report/json_parts.h"
#include "report/names.h"
#include "serve/api.h"

enum { SEARCH_MOST = 200, SORT_BITS = 16 };

/* What rows can be sorted by; costs are those in the metric that was asked for. */
typedef enum sort_key {
    SORT_SELF,
    SORT_INCLUSIVE,
    SORT_COUNT, /* calls, executions, iterations */
    SORT_OTHER, /* taken, entries */
    SORT_TRIPS, /* iterations per entry */
    SORT_NAME,
    SORT_PLACE,
    SORT_KEYS
} sort_key;

static const char *const sort_names[SORT_KEYS] = {"self",  "inclusive", "count", "other",
                                                  "trips", "name",      "place"};

typedef struct row_query {
    const gs_profile *profile;
    gs_report_options options;
    gs_metric metric;
    sort_key sort;
    bool is_reverse;
    uint64_t offset, limit;
    const char *search; /* or "" */
    uint32_t function;  /* only rows of the one with this address */
    bool in_function;
} row_query;

typedef struct sorting {
    const gs_sorted *table;
    const row_query *query;
} sorting;

static double trips_of(const gs_view_row *row)
{
    return row->other ? (double)row->count / (double)row->other : 0;
}

static int compare_counts(uint64_t a, uint64_t b)
{
    return (a < b) - (a > b);
}

static int compare_places(const sorting *s, const gs_view_row *a, const gs_view_row *b)
{
    const gs_profile *profile = s->query->profile;
    int order =
        strcmp(gs_report_file_name(profile, a->file), gs_report_file_name(profile, b->file));
    return order ? order : compare_counts(b->line, a->line);
}

static int compare(const sorting *s, const gs_view_row *a, const gs_view_row *b)
{
    const gs_profile *profile = s->query->profile;
    gs_metric metric = s->query->metric;
    double x, y;
    switch (s->query->sort) {
    case SORT_INCLUSIVE:
        return compare_counts(a->inclusive.value[metric], b->inclusive.value[metric]);
    case SORT_COUNT: return compare_counts(a->count, b->count);
    case SORT_OTHER: return compare_counts(a->other, b->other);
    case SORT_TRIPS:
        x = trips_of(a);
        y = trips_of(b);
        return (x < y) - (x > y);
    case SORT_NAME:
        return strcmp(gs_report_function_name(profile, a->function),
                      gs_report_function_name(profile, b->function));
    case SORT_PLACE: return compare_places(s, a, b);
    default: return compare_counts(a->self.value[metric], b->self.value[metric]);
    }
}

/* Rows that are equal stay in the view's own order, which is by cost. */
static int by_key(const void *a, const void *b, void *context)
{
    const sorting *s = context;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    int order = compare(s, &s->table->view.items[x], &s->table->view.items[y]);
    order = s->query->is_reverse ? -order : order;
    return order ? order : (x > y) - (x < y);
}

static void sort(gs_sorted *table, const row_query *query)
{
    int wanted =
        1 + (int)query->sort + SORT_BITS * query->is_reverse + 2 * SORT_BITS * (int)query->metric;
    sorting s = {table, query};
    if (table->sorted_by == wanted)
        return;
    if (table->view.count > 1)
        qsort_r(table->order, table->view.count, sizeof *table->order, by_key, &s);
    table->sorted_by = wanted;
}

static bool has(const char *text, const char *part)
{
    return text && strcasestr(text, part) != NULL;
}

/* Whether the address is in the function. */
static bool is_in(const gs_profile *profile, uint32_t function, uint32_t address)
{
    if (function >= profile->functions.count)
        return false;
    const gs_profile_function *in = &profile->functions.items[function];
    return address >= in->start && address <= in->end - 1;
}

static bool matches(const gs_view *view, const row_query *query, const gs_view_row *row)
{
    const gs_profile *profile = query->profile;
    if (query->in_function && !is_in(profile, row->function, query->function))
        return false;
    if (!query->search[0])
        return true;
    char place[32], address[16];
    snprintf(place, sizeof place, ":%u", row->line);
    snprintf(address, sizeof address, "%08x", row->address);
    return (row->function != GS_PROFILE_NONE &&
            has(gs_report_function_name(profile, row->function), query->search)) ||
           has(row->text, query->search) ||
           (row->file != GS_PROFILE_NONE &&
            (has(gs_report_file_name(profile, row->file), query->search) ||
             strcmp(place, query->search) == 0)) ||
           (view->by != GS_REPORT_BY_STALL && has(address, query->search));
}

static gs_status parse_kind(gs_call *call, row_query *query, gs_error *err)
{
    const char *by = gs_request_parameter(call->request, "by");
    const char *sort = gs_request_parameter(call->request, "sort");
    if (by && !gs_report_by_find(by, &query->options.by))
        return gs_fail(err, GS_E_ARGUMENT, "there are no rows by '%.40s'", by);
    if (query->options.by == GS_REPORT_BY_CALL)
        return gs_fail(err, GS_E_ARGUMENT, "call paths are a tree: /api/tree has them");
    for (unsigned i = 0; i < SORT_KEYS && sort; i++) {
        query->sort = (sort_key)i;
        if (strcmp(sort_names[i], sort) == 0)
            return GS_OK;
    }
    return sort ? gs_fail(err, GS_E_ARGUMENT, "rows cannot be sorted by '%.40s'", sort) : GS_OK;
}

static gs_status parse(gs_call *call, row_query *query, gs_error *err)
{
    const gs_request *request = call->request;
    *query = (row_query){.limit = 100, .search = gs_request_parameter(request, "search")};
    query->search = query->search ? query->search : "";
    gs_status status = gs_api_profile(call, "run", &query->profile, err);
    if (status == GS_OK)
        status = gs_api_metric(call, query->profile, &query->metric, err);
    if (status == GS_OK)
        status = parse_kind(call, query, err);
    if (status == GS_OK)
        status = gs_request_switch(request, "inlines", &query->options.inlines, err);
    if (status == GS_OK)
        status = gs_request_switch(request, "reverse", &query->is_reverse, err);
    if (status == GS_OK)
        status = gs_request_count(request, "offset", UINT32_MAX, &query->offset, err);
    if (status == GS_OK)
        status = gs_request_count(request, "limit", GS_API_ROWS, &query->limit, err);
    if (status == GS_OK)
        status =
            gs_request_address(request, "function", &query->function, &query->in_function, err);
    if (status == GS_OK && strlen(query->search) > SEARCH_MOST)
        status = gs_fail(err, GS_E_ARGUMENT, "at most %d characters can be searched", SEARCH_MOST);
    query->options.inlines &= query->options.by == GS_REPORT_BY_LINE;
    if (query->options.by != GS_REPORT_BY_STALL)
        query->options.metric = gs_metric_key(query->metric);
    return status;
}

/* Lines say in addition where their first instruction is, to be looked at there. */
static void put_row(gs_json *json, const gs_view *view, const gs_profile *profile,
                    const gs_view_row *row)
{
    gs_json_open_object(json, NULL);
    gs_view_put_json_members(json, view, profile, row);
    if (view->by == GS_REPORT_BY_LINE)
        gs_report_json_address(json, "address", row->address);
    gs_json_close_object(json);
}

static void put_rows(gs_json *json, const gs_sorted *table, const row_query *query)
{
    uint64_t found = 0;
    gs_json_open_array(json, "rows");
    for (size_t i = 0; i < table->view.count; i++) {
        const gs_view_row *row = &table->view.items[table->order[i]];
        if (!matches(&table->view, query, row))
            continue;
        if (found >= query->offset && found - query->offset < query->limit)
            put_row(json, &table->view, query->profile, row);
        found++;
    }
    gs_json_close_array(json);
    gs_json_uint(json, "found", found);
}

gs_status gs_api_rows(gs_call *call, gs_error *err)
{
    row_query query;
    gs_sorted *table;
    gs_status status = parse(call, &query, err);
    if (status == GS_OK)
        status = gs_shelf_table(&call->server->shelf, &table, query.profile, &query.options, err);
    if (status != GS_OK)
        return status;
    sort(table, &query);
    gs_api_begin(call, "gumshoe-rows-1");
    gs_json_string(&call->json, "by", gs_report_by_name(query.options.by));
    gs_json_string(&call->json, "metric", gs_metric_key(query.metric));
    gs_report_json_metrics(&call->json, "total", &query.profile->total,
                           gs_report_counted(query.profile));
    gs_json_uint(&call->json, "row_count", table->view.count);
    gs_json_uint(&call->json, "offset", query.offset);
    put_rows(&call->json, table, &query);
    return gs_api_end(call, err);
}
