/*
 * What units say, as JSON: a list of rows per table, with the columns' keys.
 */
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "report/json_parts.h"
#include "report/unit_results.h"
#include "units/units.h"

static void write_cell(gs_json *json, const char *key, const gs_cell *cell)
{
    switch (cell->type) {
    case GS_CELL_TEXT: gs_json_string(json, key, cell->text); break;
    case GS_CELL_COUNT: gs_json_uint(json, key, cell->count); break;
    case GS_CELL_DIFFERENCE: gs_json_int(json, key, cell->difference); break;
    case GS_CELL_REAL:
    case GS_CELL_SHARE: gs_json_double(json, key, cell->real); break;
    case GS_CELL_ADDRESS: gs_json_uint(json, key, cell->address); break;
    case GS_CELL_NONE: break;
    }
}

static void write_table(gs_json *json, const gs_result_table *table)
{
    gs_json_open_array(json, table->key);
    for (size_t row = 0; row < table->row_count; row++) {
        gs_json_open_object(json, NULL);
        for (size_t i = 0; i < table->column_count; i++)
            write_cell(json, table->columns[i].key, &table->cells[row * table->column_count + i]);
        gs_json_close_object(json);
    }
    gs_json_close_array(json);
}

static void write_result(gs_json *json, const gs_result *result, const char *only)
{
    gs_json_open_object(json, NULL);
    gs_json_string(json, "kind", result->kind);
    gs_json_string(json, "options", result->options);
    gs_json_open_object(json, "tables");
    for (const gs_result_table *table = result->tables; table; table = table->next) {
        if (!only || strcmp(table->key, only) == 0)
            write_table(json, table);
    }
    gs_json_close_object(json);
    gs_json_open_array(json, "remarks");
    for (const gs_remark *remark = result->remarks; remark; remark = remark->next)
        gs_json_string(json, NULL, remark->text);
    gs_json_close_array(json);
    gs_json_close_object(json);
}

static void write_results(gs_json *json, const char *key, gs_results results, const char *only)
{
    gs_json_open_array(json, key);
    for (size_t i = 0; i < results.count; i++) {
        if (!only || gs_result_find_table(results.items[i], only))
            write_result(json, results.items[i], only);
    }
    gs_json_close_array(json);
}

void gs_report_json_units(gs_json *json, const char *key, const gs_units *units)
{
    write_results(json, key, gs_units_results(units), NULL);
}

gs_status gs_report_results_json(FILE *to, gs_results results, const char *only, gs_error *err)
{
    gs_json json;
    gs_report_json_begin(&json, to, "gumshoe-units-1");
    write_results(&json, "units", results, only);
    gs_json_close_object(&json);
    return gs_json_end(&json) ? GS_OK : gs_fail(err, GS_E_IO, "the JSON could not be written");
}

gs_status gs_report_units_json(FILE *to, const gs_units *units, gs_error *err)
{
    return gs_report_results_json(to, gs_units_results(units), NULL, err);
}
