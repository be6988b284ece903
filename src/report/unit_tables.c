/*
 * One table of what units say: as CSV, or drawn as a curve.
 */
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "report/names.h"
#include "report/unit_results.h"
#include "units/units.h"

enum { WIDTH = 720, HEIGHT = 480, LEFT = 70, RIGHT = 20, TOP = 40, BOTTOM = 55 };

gs_status gs_report_find_table(const gs_result_table **out, gs_results results, const char *key,
                               gs_error *err)
{
    char known[400] = "";
    for (size_t i = 0; i < results.count; i++) {
        *out = gs_result_find_table(results.items[i], key);
        if (*out)
            return GS_OK;
        for (const gs_result_table *t = results.items[i]->tables; t; t = t->next) {
            size_t used = strlen(known);
            snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", t->key);
        }
    }
    return gs_fail(err, GS_E_ARGUMENT, "there is no table '%.40s'; there %s %s", key,
                   known[0] ? "are" : "is", known[0] ? known : "none");
}

static void put_cell(FILE *to, const gs_cell *cell)
{
    switch (cell->type) {
    case GS_CELL_TEXT:
        fputc('"', to);
        gs_report_put_csv(to, cell->text);
        fputc('"', to);
        break;
    case GS_CELL_COUNT: fprintf(to, "%" PRIu64, cell->count); break;
    case GS_CELL_DIFFERENCE: fprintf(to, "%" PRId64, cell->difference); break;
    case GS_CELL_REAL:
    case GS_CELL_SHARE: fprintf(to, "%.9g", cell->real); break;
    case GS_CELL_ADDRESS: fprintf(to, "0x%08" PRIx32, cell->address); break;
    default: break;
    }
}

gs_status gs_report_results_csv(FILE *to, gs_results results, const char *key, gs_error *err)
{
    const gs_result_table *table;
    gs_status status = gs_report_find_table(&table, results, key, err);
    if (status != GS_OK)
        return status;
    for (size_t i = 0; i < table->column_count; i++)
        fprintf(to, "%s%s", i ? "," : "", table->columns[i].key);
    fputs("\r\n", to);
    for (size_t row = 0; row < table->row_count; row++) {
        for (size_t i = 0; i < table->column_count; i++) {
            if (i)
                fputc(',', to);
            put_cell(to, &table->cells[row * table->column_count + i]);
        }
        fputs("\r\n", to);
    }
    return gs_report_end(to, err);
}

gs_status gs_report_units_csv(FILE *to, const gs_units *units, const char *key, gs_error *err)
{
    return gs_report_results_csv(to, gs_units_results(units), key, err);
}

static double x_of(double share)
{
    return LEFT + share * (WIDTH - LEFT - RIGHT);
}

static double y_of(double share)
{
    return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
}

static void put_grid(FILE *to, const gs_result_table *table)
{
    for (unsigned percent = 0; percent <= 100; percent += 10) {
        double share = percent / 100.0;
        fprintf(to,
                "<path d=\"M%.1f %.1fV%.1fM%.1f %.1fH%.1f\" stroke=\"#ddd\" fill=\"none\"/>\n"
                "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%u%%</text>\n"
                "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%u%%</text>\n",
                x_of(share), y_of(0), y_of(1), x_of(0), y_of(share), x_of(1), x_of(share),
                HEIGHT - BOTTOM + 18, percent, LEFT - 8, y_of(share) + 4, percent);
    }
    fprintf(to, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">", x_of(0.5), HEIGHT - 12);
    gs_report_put_xml(to, table->columns[0].head);
    fprintf(to,
            "</text>\n<text transform=\"translate(18 %.1f) rotate(-90)\" "
            "text-anchor=\"middle\">",
            y_of(0.5));
    gs_report_put_xml(to, table->columns[1].head);
    fputs("</text>\n", to);
}

/* The text of a row's last cell, if it is one. */
static void put_tip(FILE *to, const gs_result_table *table, const gs_cell *row)
{
    const gs_cell *last = &row[table->column_count - 1];
    fprintf(to, "<title>%.2f%%, %.2f%%", 100 * row[0].real, 100 * row[1].real);
    if (last->type == GS_CELL_TEXT) {
        fputs(": ", to);
        gs_report_put_xml(to, last->text);
    }
    fputs("</title>", to);
}

gs_status gs_report_units_svg(FILE *to, const gs_units *units, const char *key, gs_error *err)
{
    const gs_result_table *table;
    gs_status status = gs_report_find_table(&table, gs_units_results(units), key, err);
    if (status != GS_OK)
        return status;
    const gs_cell *cells = table->cells;
    for (size_t row = 0; row < table->row_count; row++) {
        if (table->column_count < 2 || cells[row * table->column_count].type != GS_CELL_SHARE ||
            cells[row * table->column_count + 1].type != GS_CELL_SHARE)
            return gs_fail(err, GS_E_ARGUMENT,
                           "table '%s' is no curve: its first two columns are not shares", key);
    }
    fprintf(to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
            "<text x=\"%d\" y=\"24\" font-size=\"14\">",
            WIDTH, HEIGHT, WIDTH, HEIGHT, LEFT);
    gs_report_put_xml(to, table->title ? table->title : table->key);
    fputs("</text>\n", to);
    put_grid(to, table);
    fprintf(to, "<path d=\"M%.1f %.1f", x_of(0), y_of(0));
    for (size_t row = 0; row < table->row_count; row++) {
        const gs_cell *at = &cells[row * table->column_count];
        fprintf(to, "L%.1f %.1f", x_of(at[0].real), y_of(at[1].real));
    }
    fputs("\" fill=\"none\" stroke=\"#b03000\" stroke-width=\"2\"/>\n", to);
    for (size_t row = 0; row < table->row_count; row++) {
        const gs_cell *at = &cells[row * table->column_count];
        fprintf(to, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"#b03000\">", x_of(at[0].real),
                y_of(at[1].real));
        put_tip(to, table, at);
        fputs("</circle>\n", to);
    }
    fputs("</svg>\n", to);
    return gs_report_end(to, err);
}
