/*
 * What units say, as tables for people.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/plain.h"
#include "gumshoe/text.h"
#include "profile/demangle.h"
#include "report/names.h"
#include "report/short_name.h"
#include "report/text_table.h"
#include "report/unit_results.h"
#include "units/units.h"

enum { CELL = 512 };

static bool is_text(gs_cell_type type)
{
    return type == GS_CELL_TEXT;
}

static void write_cell(char to[CELL], const gs_cell *cell)
{
    switch (cell->type) {
    case GS_CELL_TEXT: snprintf(to, CELL, "%s", cell->text); break;
    case GS_CELL_COUNT: gs_text_digits(to, cell->count); break;
    case GS_CELL_DIFFERENCE:
        if (cell->difference)
            *to++ = cell->difference < 0 ? '-' : '+';
        gs_text_digits(to, (uint64_t)(cell->difference < 0 ? -cell->difference : cell->difference));
        break;
    case GS_CELL_REAL: snprintf(to, CELL, "%.4f", cell->real); break;
    case GS_CELL_SHARE: snprintf(to, CELL, "%.2f%%", 100 * cell->real); break;
    case GS_CELL_ADDRESS: snprintf(to, CELL, "0x%08" PRIx32, cell->address); break;
    default: to[0] = '\0'; break;
    }
    gs_plain_text(to, ""); /* names from a program may hold anything */
}

static size_t shown_rows(const gs_result_table *table, size_t top)
{
    bool cut = top > 0 && top < table->row_count && !table->whole;
    return cut ? top : table->row_count;
}

/* A table as it is written: the last column, if it is text, is the name of the row. */
typedef struct view {
    const gs_result_table *table;
    size_t columns; /* without the name's */
    bool named;
} view;

static const gs_cell *cell_at(const view *v, size_t row, size_t column)
{
    return &v->table->cells[row * v->table->column_count + column];
}

static void put_cell(char to[GS_TEXT_CELL], void *self, size_t row, size_t column)
{
    char text[CELL];
    write_cell(text, cell_at(self, row, column));
    snprintf(to, GS_TEXT_CELL, "%.63s", text);
}

static bool is_name(const view *v)
{
    return strcmp(v->table->columns[v->columns].key, "name") == 0;
}

/* A function's name is as the program file has it: mangled, if it is of C++. */
static char *name_of(const view *v, size_t row)
{
    const gs_cell *cell = cell_at(v, row, v->columns);
    const char *text = is_text(cell->type) ? cell->text : "";
    return is_name(v) ? gs_demangle(text) : strdup(text);
}

static void put_name(FILE *to, void *self, size_t row, unsigned room)
{
    char *name = name_of(self, row);
    if (is_name(self))
        gs_report_put_short(to, name ? name : "?", room);
    else
        gs_report_put_fitted(to, name ? name : "?", room);
    free(name);
}

static unsigned name_width(void *self, size_t row)
{
    const view *v = self;
    char *name = v->named ? name_of(v, row) : NULL;
    unsigned columns = name ? gs_report_columns(name) : 0;
    free(name);
    return columns;
}

static bool has_text(const view *v, size_t column, size_t rows)
{
    for (size_t row = 0; row < rows; row++) {
        if (is_text(cell_at(v, row, column)->type))
            return true;
    }
    return false;
}

/* Of several addresses in a row, all but the first can be spared; without a name, all columns but
 * the first two, from the last on. */
static void write_table(FILE *to, const gs_result_table *table, size_t top, unsigned width)
{
    gs_text_column columns[GS_TABLE_COLUMNS] = {0};
    size_t rows = shown_rows(table, top), last = table->column_count - 1;
    bool address = false;
    view v = {.table = table};
    v.named = has_text(&v, last, rows);
    v.columns = v.named ? last : table->column_count;
    for (size_t i = 0; i < v.columns; i++) {
        columns[i].heading = table->columns[i].head;
        columns[i].left = has_text(&v, i, rows);
        if (!v.named && i > 1)
            columns[i].spare = (unsigned)i;
        if (rows > 0 && cell_at(&v, 0, i)->type == GS_CELL_ADDRESS) {
            columns[i].spare = address;
            address = true;
        }
    }
    fputc('\n', to);
    if (table->title)
        fprintf(to, "%s:\n", table->title);
    const gs_text_table written = {.columns = columns,
                                   .count = v.columns,
                                   .rows = rows,
                                   .name = v.named ? table->columns[last].head : "",
                                   .width = width,
                                   .self = &v,
                                   .cell = put_cell,
                                   .put_name = put_name,
                                   .name_width = name_width};
    gs_text_table_put(to, &written);
    if (rows < table->row_count)
        fprintf(to, "(and %s more)\n", GS_TEXT_DIGITS(table->row_count - rows));
}

static void write_result(FILE *to, const gs_result *result, const char *only, size_t top,
                         unsigned width)
{
    fprintf(to, "%s%s%s\n", result->kind, *result->options ? ":" : "", result->options);
    for (const gs_result_table *table = result->tables; table; table = table->next) {
        bool wanted = only ? strcmp(table->key, only) == 0 : !table->hidden;
        if (table->row_count > 0 && wanted)
            write_table(to, table, top, width);
    }
    if (only || !result->remarks)
        return;
    fputc('\n', to);
    for (const gs_remark *remark = result->remarks; remark; remark = remark->next)
        gs_text_put_wrapped(to, remark->text, width);
}

gs_status gs_report_results(FILE *to, gs_results results, const char *only, size_t top,
                            unsigned width, gs_error *err)
{
    const char *space = "";
    for (size_t i = 0; i < results.count; i++) {
        if (only && !gs_result_find_table(results.items[i], only))
            continue;
        fputs(space, to);
        write_result(to, results.items[i], only, top, width);
        space = "\n";
    }
    return ferror(to) ? gs_fail(err, GS_E_IO, "the report could not be written") : GS_OK;
}

gs_status gs_report_units(FILE *to, const gs_units *units, size_t top, unsigned width,
                          gs_error *err)
{
    return gs_report_results(to, gs_units_results(units), NULL, top, width, err);
}
