/* Reads CSV files of measured runs. */
#include "timing/energy_samples.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec.h"
#include "timing/energy.h"

enum { CELL_MAX = 256, COLUMNS_MAX = 2048, ROWS_MAX = 100000 };

/* Columns that are none of the samples'. */
enum { COLUMN_NAME = -1, COLUMN_ENERGY = -2 };

typedef struct reader {
    const gs_core *core;
    const gs_isa *isa;
    const char *file;
    const char *at, *end;
    unsigned line;
    int *what; /* by column of the file */
    size_t width;
    double joules; /* the unit of the energy column */
    gs_error *err;
    char cell[CELL_MAX];
    bool last; /* the cell ended its line */
} reader;

const char *gs_sample_column_name(const gs_isa *isa, unsigned column)
{
    switch (column) {
    case GS_SAMPLE_STALL: return "stalls";
    case GS_SAMPLE_NOP: return "nop";
    default: return isa->ops[column].name;
    }
}

/* "samples.csv:3: ..." */
static gs_status fail(const reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static gs_status fail(const reader *r, const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return gs_fail(r->err, GS_E_FORMAT, "%s:%u: %s", r->file, r->line, text);
}

/* Cells end up in messages and reports. */
static char printable(char c)
{
    if (c == '\t' || c == '\r')
        return ' ';
    return (unsigned char)c < 0x20 || c == 0x7f ? '?' : c;
}

/* The next cell of the line, without its quotes and the space around it. */
static gs_status next_cell(reader *r)
{
    size_t length = 0;
    bool quoted = false;
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t'))
        r->at++;
    if (r->at < r->end && *r->at == '"') {
        quoted = true;
        r->at++;
    }
    for (; r->at < r->end; r->at++) {
        if (quoted && *r->at == '"') {
            if (r->at + 1 == r->end || r->at[1] != '"')
                break;
            r->at++;
        } else if (!quoted && *r->at == ',') {
            break;
        }
        if (*r->at == '\n')
            break;
        if (*r->at == '\0' || length == CELL_MAX - 1)
            return fail(r, *r->at ? "a cell is too long" : "this is not a text file");
        r->cell[length++] = printable(*r->at);
    }
    if (quoted) {
        if (r->at == r->end || *r->at != '"')
            return fail(r, "a quote does not end in its line");
        r->at++;
    }
    while (!quoted && length > 0 && isspace((unsigned char)r->cell[length - 1]))
        length--;
    r->cell[length] = '\0';
    while (quoted && r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r'))
        r->at++;
    if (r->at < r->end && *r->at != ',' && *r->at != '\n')
        return fail(r, "there is something behind a quote");
    r->last = r->at == r->end || *r->at == '\n';
    if (r->at < r->end)
        r->at++;
    return GS_OK;
}

static bool is_energy(reader *r)
{
    static const struct {
        const char *name;
        double joules;
    } units[] = {{"energy_j", 1},
                 {"energy_mj", 1e-3},
                 {"energy_uj", 1e-6},
                 {"energy_nj", 1e-9},
                 {"energy_pj", 1e-12}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strcmp(r->cell, units[i].name) == 0) {
            r->joules = units[i].joules;
            return true;
        }
    }
    return false;
}

static gs_status read_heading(reader *r, int *what)
{
    unsigned op = gs_energy_find_op(r->isa, r->cell);
    if (strcmp(r->cell, "run") == 0)
        *what = COLUMN_NAME;
    else if (is_energy(r))
        *what = COLUMN_ENERGY;
    else if (strcmp(r->cell, "stalls") == 0)
        *what = GS_SAMPLE_STALL;
    else if (strcmp(r->cell, "nop") == 0)
        *what = GS_SAMPLE_NOP;
    else if (op != 0)
        *what = (int)op;
    else
        return fail(r,
                    "there is no column '%.40s'; a column is run, energy_j (or _mj, _uj, _nj, "
                    "_pj), stalls, or an instruction of the core",
                    r->cell);
    return GS_OK;
}

static gs_status read_header(reader *r)
{
    bool energy = false, stalls = false;
    r->last = false;
    while (!r->last) {
        int what = 0;
        gs_status status = next_cell(r);
        if (status == GS_OK)
            status = read_heading(r, &what);
        for (size_t i = 0; i < r->width && status == GS_OK; i++) {
            if (r->what[i] == what)
                status = fail(r, "there are two columns '%.40s'", r->cell);
        }
        if (status == GS_OK && r->width == COLUMNS_MAX)
            status = fail(r, "there are too many columns");
        if (status != GS_OK)
            return status;
        energy |= what == COLUMN_ENERGY;
        stalls |= what == GS_SAMPLE_STALL;
        r->what[r->width++] = what;
    }
    if (!energy)
        return fail(r,
                    "there is no column with the measured energy: energy_j, or _mj, _uj, _nj, _pj");
    if (!stalls)
        return fail(r, "there is no column 'stalls', with lost cycles");
    if (r->width < 3)
        return fail(r, "there is no column for an instruction");
    return GS_OK;
}

/* Numbers as they are written in any country's C locale; no nan, no infinity, no hexadecimal. */
static bool parse_number(const char *text, double *value)
{
    char *end;
    if (text[strspn(text, "0123456789.eE+-")] != '\0' || !isdigit((unsigned char)text[0]))
        return false;
    *value = strtod(text, &end);
    return *end == '\0' && isfinite(*value) && *value >= 0;
}

static size_t column_of(const gs_energy_samples *samples, unsigned what)
{
    for (size_t i = 0; i < samples->column_count; i++) {
        if (samples->columns[i] == what)
            return i;
    }
    return samples->column_count;
}

static gs_status read_number(reader *r, gs_energy_samples *samples, gs_energy_sample *row, int what)
{
    double value;
    if (what == COLUMN_ENERGY) {
        if (!r->cell[0])
            return fail(r, "the energy of this run is missing; measure it, or remove the line");
        if (!parse_number(r->cell, &value) || value * r->joules <= 0)
            return fail(r, "an energy is a number above 0, not '%.40s'", r->cell);
        row->energy_j = value * r->joules;
        return GS_OK;
    }
    if (!parse_number(r->cell, &value) || value > 1e18 || value != floor(value))
        return fail(r, "a count is a whole number, not '%.40s'", r->cell);
    row->counts[column_of(samples, (unsigned)what)] = value;
    row->cycles += value;
    return GS_OK;
}

static gs_status read_row(reader *r, gs_energy_samples *samples)
{
    gs_energy_sample empty = {.line = r->line};
    if (samples->rows.count == ROWS_MAX)
        return fail(r, "there are too many lines");
    if (!gs_vec_push(&samples->rows, empty))
        return gs_fail_no_memory(r->err);
    gs_energy_sample *row = &samples->rows.items[samples->rows.count - 1];
    row->counts = calloc(samples->column_count + 1, sizeof *row->counts);
    if (!row->counts)
        return gs_fail_no_memory(r->err);
    r->last = false;
    for (size_t i = 0; i < r->width; i++) {
        if (r->last)
            return fail(r, "this line has fewer cells than the header");
        gs_status status = next_cell(r);
        if (status != GS_OK)
            return status;
        if (r->what[i] != COLUMN_NAME) {
            status = read_number(r, samples, row, r->what[i]);
            if (status != GS_OK)
                return status;
            continue;
        }
        row->name = strdup(r->cell);
        if (!row->name)
            return gs_fail_no_memory(r->err);
    }
    if (!r->last)
        return fail(r, "this line has more cells than the header");
    if (row->cycles <= 0)
        return fail(r, "nothing was executed in this run");
    if (!row->name && !(row->name = strdup("")))
        return gs_fail_no_memory(r->err);
    return GS_OK;
}

static int by_number(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return (x > y) - (x < y);
}

static gs_status make_columns(const reader *r, gs_energy_samples *samples)
{
    samples->columns = calloc(r->width + 1, sizeof *samples->columns);
    if (!samples->columns)
        return gs_fail_no_memory(r->err);
    for (size_t i = 0; i < r->width; i++) {
        if (r->what[i] >= 0)
            samples->columns[samples->column_count++] = (unsigned)r->what[i];
    }
    qsort(samples->columns, samples->column_count, sizeof *samples->columns, by_number);
    return GS_OK;
}

/* The stall stays whatever it counts; it is part of every table. */
static void drop_empty_columns(gs_energy_samples *samples)
{
    size_t kept = 0;
    for (size_t column = 0; column < samples->column_count; column++) {
        bool used = samples->columns[column] == GS_SAMPLE_STALL;
        for (size_t i = 0; i < samples->rows.count && !used; i++)
            used = samples->rows.items[i].counts[column] > 0;
        if (!used)
            continue;
        for (size_t i = 0; i < samples->rows.count; i++)
            samples->rows.items[i].counts[kept] = samples->rows.items[i].counts[column];
        samples->columns[kept++] = samples->columns[column];
    }
    samples->column_count = kept;
}

static bool is_blank(const reader *r)
{
    const char *at = r->at;
    while (at < r->end && (*at == ' ' || *at == '\t' || *at == '\r'))
        at++;
    return at == r->end || *at == '\n';
}

static void skip_line(reader *r)
{
    while (r->at < r->end && *r->at++ != '\n')
        ;
}

gs_status gs_energy_samples_parse(gs_energy_samples *out, const gs_core *core, const char *file,
                                  const char *text, size_t size, gs_error *err)
{
    reader r = {
        .core = core,
        .isa = gs_isa_for(core->arch),
        .file = file,
        .at = text,
        .end = text + size,
        .err = err,
        .what = calloc(COLUMNS_MAX, sizeof(int)),
    };
    gs_status status = r.what ? GS_OK : gs_fail_no_memory(err);
    *out = (gs_energy_samples){0};
    while (status == GS_OK && r.at < r.end) {
        r.line++;
        if (is_blank(&r)) {
            skip_line(&r);
        } else if (r.width == 0) {
            status = read_header(&r);
            if (status == GS_OK)
                status = make_columns(&r, out);
        } else {
            status = read_row(&r, out);
        }
    }
    if (status == GS_OK && out->rows.count < 2) {
        r.line = r.line ? r.line : 1;
        status = fail(&r, "at least two measured runs are needed");
    }
    free(r.what);
    if (status != GS_OK) {
        gs_energy_samples_fini(out);
        return status;
    }
    drop_empty_columns(out);
    return GS_OK;
}

void gs_energy_samples_fini(gs_energy_samples *samples)
{
    for (size_t i = 0; i < samples->rows.count; i++) {
        free(samples->rows.items[i].name);
        free(samples->rows.items[i].counts);
    }
    free(samples->rows.items);
    free(samples->columns);
    *samples = (gs_energy_samples){0};
}
