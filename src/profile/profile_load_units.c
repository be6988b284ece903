/*
 * What on-chip profilers said, from a profile file, as they said it. Rows come in the order of
 * units and tables, and there are few tables to a unit, so that hostile files cost no more than
 * their size. Files from before tables were described have their cells only, whose order
 * is lost: of these a unit has its remarks.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "profile/profile_reader.h"

enum { MAX_TABLES = 64 }; /* of a unit */

/* A copy that lives as long as the result; "" if the row is bad. */
static const char *keep_text(gs_reader *r, gs_result *result)
{
    const char *text = gs_reader_look(r);
    if (!gs_reader_may_keep(r, strlen(text) + 1))
        return "";
    const char *copy = gs_arena_copy(&result->arena, text, strlen(text));
    r->no_memory |= !copy;
    return copy ? copy : "";
}

static gs_result *add_result(gs_reader *r, gs_profile *p)
{
    gs_result *made = calloc(1, sizeof *made);
    if (made && gs_vec_push(&p->loaded_units, made) && gs_vec_push(&p->units, made))
        return made;
    if (p->loaded_units.count == 0 || p->loaded_units.items[p->loaded_units.count - 1] != made)
        free(made);
    r->no_memory = true;
    return NULL;
}

static gs_status load_units(gs_profile *p, gs_profile_file *file, int64_t id, gs_error *err)
{
    gs_reader r;
    gs_status status = gs_reader_open_run(&r, file, GS_TABLE_UNIT, "id", id, err);
    while (status == GS_OK && gs_reader_next_of_run(&r)) {
        gs_reader_expect(&r, p->units.count);
        gs_result *result = add_result(&r, p);
        if (result) {
            result->kind = keep_text(&r, result);
            result->options = keep_text(&r, result);
        }
    }
    return gs_reader_close(&r, status, err);
}

/* A table, and as what the numbers of its columns are written. */
typedef struct layout {
    uint32_t unit, number; /* of the unit, and in it */
    gs_result_table *table;
    gs_cell_type kinds[GS_TABLE_COLUMNS];
} layout;

typedef struct layouts {
    layout *items;
    size_t count, capacity;
} layouts;

/* Rows of unit_column, and whose columns come next. */
typedef struct column_rows {
    gs_reader reader;
    bool more;
    uint32_t unit, table;
} column_rows;

static void next_column(column_rows *c)
{
    c->more = gs_reader_next(&c->reader);
    if (!c->more)
        return;
    gs_reader_skip(&c->reader);
    c->unit = gs_reader_u32(&c->reader);
    c->table = gs_reader_u32(&c->reader);
}

/* The columns of one table; how many there are. */
static size_t take_columns(column_rows *c, gs_result *result, uint32_t unit, uint32_t table,
                           gs_column *columns, gs_cell_type *kinds)
{
    size_t count = 0;
    for (; c->more && c->unit == unit && c->table == table; next_column(c)) {
        gs_reader_expect(&c->reader, count);
        c->reader.bad |= count == GS_TABLE_COLUMNS;
        if (c->reader.bad)
            break;
        columns[count].key = keep_text(&c->reader, result);
        columns[count].head = keep_text(&c->reader, result);
        c->reader.bad |= !gs_profile_find_cell(gs_reader_look(&c->reader), &kinds[count]);
        count++;
    }
    return count;
}

static void read_table(gs_reader *r, column_rows *c, const gs_profile *p, layouts *known)
{
    const layout *last = known->count ? &known->items[known->count - 1] : NULL;
    gs_column columns[GS_TABLE_COLUMNS];
    layout row = {0};
    row.unit = (uint32_t)gs_reader_int(r, 0, (int64_t)p->loaded_units.count - 1);
    row.number = (uint32_t)gs_reader_int(r, 0, MAX_TABLES - 1);
    r->bad |= row.number != (last && last->unit == row.unit ? last->number + 1 : 0);
    if (r->bad)
        return;
    gs_result *result = p->loaded_units.items[row.unit];
    const char *key = keep_text(r, result), *title = keep_text(r, result);
    bool hidden = gs_reader_int(r, 0, 1), whole = gs_reader_int(r, 0, 1);
    size_t count = take_columns(c, result, row.unit, row.number, columns, row.kinds);
    r->bad |= count == 0 || c->reader.bad;
    if (r->bad)
        return;
    row.table = gs_result_add_table(result, key, *title ? title : NULL, columns, count);
    row.table->hidden = hidden;
    row.table->whole = whole;
    r->no_memory |= result->no_memory || !gs_vec_push(known, row);
}

static gs_status load_tables(const gs_profile *p, gs_profile_file *file, int64_t id, layouts *known,
                             gs_error *err)
{
    gs_reader r;
    column_rows c = {0};
    gs_status status =
        gs_reader_open_run(&c.reader, file, GS_TABLE_UNIT_COLUMN, "unit, unit_table, id", id, err);
    if (status != GS_OK)
        return gs_reader_close(&c.reader, status, err);
    next_column(&c);
    status = gs_reader_open_run(&r, file, GS_TABLE_UNIT_TABLE, "unit, id", id, err);
    while (status == GS_OK && gs_reader_next_of_run(&r))
        read_table(&r, &c, p, known);
    r.bad |= c.reader.bad || c.more; /* columns of no table */
    r.no_memory |= c.reader.no_memory;
    status = gs_reader_close(&r, status, err);
    sqlite3_finalize(c.reader.query);
    return status;
}

/* Units come in order: *first is where the tables of the last one begin. */
static const layout *find_layout(const layouts *known, size_t *first, uint32_t unit,
                                 const char *key)
{
    while (*first < known->count && known->items[*first].unit < unit)
        ++*first;
    for (size_t i = *first; i < known->count && known->items[i].unit == unit; i++) {
        if (strcmp(known->items[i].table->key, key) == 0)
            return &known->items[i];
    }
    return NULL;
}

/* NULL if there is no such column. */
static gs_cell *cell_at(gs_reader *r, const layout *in, size_t row, const char *name,
                        gs_cell_type *kind)
{
    gs_result_table *table = in->table;
    if (row == table->row_count)
        gs_result_table_add_row(table);
    r->no_memory |= table->result->no_memory;
    r->bad |= row + 1 != table->row_count;
    for (size_t i = 0; i < table->column_count && !r->bad && !r->no_memory; i++) {
        if (strcmp(table->columns[i].key, name) == 0) {
            *kind = in->kinds[i];
            return &table->cells[row * table->column_count + i];
        }
    }
    return NULL;
}

static gs_cell read_cell(gs_reader *r, gs_result *result, gs_cell_type kind)
{
    switch (sqlite3_column_type(r->query, r->next)) {
    case SQLITE_TEXT: return (gs_cell){.type = GS_CELL_TEXT, .text = keep_text(r, result)};
    case SQLITE_FLOAT: {
        double real = sqlite3_column_double(r->query, r->next);
        r->bad |= !isfinite(real);
        return kind == GS_CELL_SHARE ? gs_cell_share(real) : gs_cell_real(real);
    }
    default: break;
    }
    if (kind == GS_CELL_ADDRESS)
        return gs_cell_address(gs_reader_u32(r));
    if (kind == GS_CELL_DIFFERENCE)
        return gs_cell_difference((uint64_t)gs_reader_int(r, INT64_MIN, INT64_MAX), 0);
    return gs_cell_count(gs_reader_count(r));
}

static gs_status load_cells(const gs_profile *p, gs_profile_file *file, int64_t id,
                            const layouts *known, gs_error *err)
{
    gs_reader r;
    size_t first = 0;
    gs_status status =
        gs_reader_open_run(&r, file, GS_TABLE_UNIT_CELL, "unit, section, row, name", id, err);
    while (status == GS_OK && gs_reader_next_of_run(&r)) {
        uint32_t unit = (uint32_t)gs_reader_int(&r, 0, (int64_t)p->loaded_units.count - 1);
        const char *section = gs_reader_look(&r);
        size_t row = (size_t)gs_reader_int(&r, 0, INT32_MAX);
        const char *name = gs_reader_look(&r);
        if (r.bad)
            break;
        gs_result *result = p->loaded_units.items[unit];
        const layout *in = find_layout(known, &first, unit, section);
        gs_cell_type kind = GS_CELL_NONE;
        gs_cell *cell = in ? cell_at(&r, in, row, name, &kind) : NULL;
        if (cell)
            *cell = read_cell(&r, result, kind);
        else if (!in && strcmp(section, GS_PROFILE_REMARKS) == 0)
            gs_result_remark(result, "%s", keep_text(&r, result));
        r.no_memory |= result->no_memory;
    }
    return gs_reader_close(&r, status, err);
}

gs_status gs_profile_load_units(gs_profile *p, gs_profile_file *file, int64_t id, gs_error *err)
{
    layouts known = {0};
    if (!gs_reader_has_table(file, GS_TABLE_UNIT))
        return GS_OK;
    gs_status status = load_units(p, file, id, err);
    if (status == GS_OK && gs_reader_has_table(file, GS_TABLE_UNIT_TABLE))
        status = load_tables(p, file, id, &known, err);
    if (status == GS_OK)
        status = load_cells(p, file, id, &known, err);
    free(known.items);
    return status;
}
