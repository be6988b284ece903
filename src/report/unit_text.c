/*
 * What units say, as tables for people.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "gumshoe/text.h"
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
    for (char *c = to; *c; c++) { /* names from a program may hold anything */
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
    }
}

static size_t shown_rows(const gs_table *table, size_t top)
{
    bool cut = top > 0 && top < table->row_count && !table->whole;
    return cut ? top : table->row_count;
}

/* How wide a column is, and whether its texts go to the left. */
static size_t measure(const gs_table *table, size_t column, size_t rows, bool *left)
{
    char text[CELL];
    size_t width = strlen(table->columns[column].head);
    *left = false;
    for (size_t row = 0; row < rows; row++) {
        const gs_cell *cell = &table->cells[row * table->column_count + column];
        write_cell(text, cell);
        if (strlen(text) > width)
            width = strlen(text);
        *left = *left || is_text(cell->type);
    }
    return width;
}

/* Without spaces at its end. */
static void write_line(FILE *to, const gs_table *table, const size_t *widths, const bool *left,
                       const gs_cell *row)
{
    char text[CELL];
    size_t spaces = 0;
    for (size_t i = 0; i < table->column_count; i++) {
        if (row)
            write_cell(text, &row[i]);
        else
            snprintf(text, sizeof text, "%s", table->columns[i].head);
        size_t length = strlen(text), padding = widths[i] - length;
        spaces += (i ? 2 : 0) + (left[i] ? 0 : padding);
        if (length > 0) {
            fprintf(to, "%*s%s", (int)spaces, "", text);
            spaces = 0;
        }
        spaces += left[i] ? padding : 0;
    }
    fputc('\n', to);
}

static void write_table(FILE *to, const gs_table *table, size_t top)
{
    size_t widths[GS_TABLE_COLUMNS], rows = shown_rows(table, top);
    bool left[GS_TABLE_COLUMNS];
    for (size_t i = 0; i < table->column_count; i++)
        widths[i] = measure(table, i, rows, &left[i]);
    fputc('\n', to);
    if (table->title)
        fprintf(to, "%s:\n", table->title);
    write_line(to, table, widths, left, NULL);
    for (size_t row = 0; row < rows; row++)
        write_line(to, table, widths, left, &table->cells[row * table->column_count]);
    if (rows < table->row_count)
        fprintf(to, "(and %zu more)\n", table->row_count - rows);
}

static void write_result(FILE *to, const gs_result *result, const char *only, size_t top)
{
    fprintf(to, "%s%s%s\n", result->kind, *result->options ? ":" : "", result->options);
    for (const gs_table *table = result->tables; table; table = table->next) {
        bool wanted = only ? strcmp(table->key, only) == 0 : !table->hidden;
        if (table->row_count > 0 && wanted)
            write_table(to, table, top);
    }
    if (only || !result->remarks)
        return;
    fputc('\n', to);
    for (const gs_remark *remark = result->remarks; remark; remark = remark->next)
        fprintf(to, "%s\n", remark->text);
}

gs_status gs_report_results(FILE *to, gs_results results, const char *only, size_t top,
                            gs_error *err)
{
    const char *space = "";
    for (size_t i = 0; i < results.count; i++) {
        if (only && !gs_result_find_table(results.items[i], only))
            continue;
        fputs(space, to);
        write_result(to, results.items[i], only, top);
        space = "\n";
    }
    return ferror(to) ? gs_fail(err, GS_E_IO, "the report could not be written") : GS_OK;
}

gs_status gs_report_units(FILE *to, const gs_units *units, size_t top, gs_error *err)
{
    return gs_report_results(to, gs_units_results(units), NULL, top, err);
}
