/* Reads columns of a row, and notes values that cannot be. */
#include "profile/profile_reader.h"

#include <stdio.h>
#include <string.h>

bool gs_reader_has_table(const gs_profile_file *file, gs_profile_table table)
{
    sqlite3_stmt *query = NULL;
    bool good =
        sqlite3_prepare_v2(file->db,
                           "SELECT count(*) FROM main.sqlite_schema "
                           "WHERE name = ? AND type = 'table' AND rootpage > 1",
                           -1, &query, NULL) == SQLITE_OK &&
        sqlite3_bind_text(query, 1, gs_profile_table_name(table), -1, SQLITE_STATIC) == SQLITE_OK &&
        sqlite3_step(query) == SQLITE_ROW && sqlite3_column_int(query, 0) == 1;
    sqlite3_finalize(query);
    return good;
}

gs_status gs_reader_open(gs_reader *r, gs_profile_file *file, gs_profile_table table,
                         const char *rest, int64_t run, gs_error *err)
{
    *r = (gs_reader){.file = file, .table = gs_profile_table_name(table)};
    if (!gs_reader_has_table(file, table))
        return gs_fail(err, GS_E_FORMAT, "%s: damaged (it has no table %s)", file->path, r->table);
    char *head = gs_profile_select_sql(file->db, table);
    char *sql = head ? sqlite3_mprintf("%s %s", head, rest) : NULL;
    sqlite3_free(head);
    if (!sql)
        return gs_fail_no_memory(err);
    int code = sqlite3_prepare_v2(file->db, sql, -1, &r->query, NULL);
    sqlite3_free(sql);
    if (code == SQLITE_OK && sqlite3_bind_parameter_count(r->query) > 0)
        code = sqlite3_bind_int64(r->query, 1, run);
    return code == SQLITE_OK ? GS_OK : gs_profile_fail(file->db, file->path, err);
}

gs_status gs_reader_open_run(gs_reader *r, gs_profile_file *file, gs_profile_table table,
                             const char *order, int64_t run, gs_error *err)
{
    char rest[80];
    snprintf(rest, sizeof rest, "WHERE run = ? ORDER BY %s", order);
    return gs_reader_open(r, file, table, rest, run, err);
}

bool gs_reader_next(gs_reader *r)
{
    r->next = 0;
    return !r->bad && !r->no_memory && sqlite3_step(r->query) == SQLITE_ROW;
}

bool gs_reader_next_of_run(gs_reader *r)
{
    bool another = gs_reader_next(r);
    gs_reader_skip(r);
    return another;
}

gs_status gs_reader_close(gs_reader *r, gs_status status, gs_error *err)
{
    gs_profile_file *file = r->file;
    if (status == GS_OK && r->no_memory)
        status = gs_fail_no_memory(err);
    else if (status == GS_OK && r->bad)
        status = gs_fail(err, GS_E_FORMAT, "%s: damaged (an impossible value in table %s)",
                         file->path, r->table);
    else if (status == GS_OK && sqlite3_errcode(file->db) != SQLITE_DONE)
        status = gs_profile_fail(file->db, file->path, err);
    sqlite3_finalize(r->query);
    return status;
}

int64_t gs_reader_int(gs_reader *r, int64_t least, int64_t most)
{
    /* One search for the column instead of two, as most of loading is this. The value is safe to
     * look at because no other thread uses the file. */
    sqlite3_value *cell = sqlite3_column_value(r->query, r->next++);
    int64_t value = sqlite3_value_int64(cell);
    if (sqlite3_value_type(cell) == SQLITE_INTEGER && value >= least && value <= most)
        return value;
    r->bad = true;
    return least;
}

uint64_t gs_reader_count(gs_reader *r)
{
    return (uint64_t)gs_reader_int(r, 0, INT64_MAX);
}

uint32_t gs_reader_u32(gs_reader *r)
{
    return (uint32_t)gs_reader_int(r, 0, UINT32_MAX);
}

uint32_t gs_reader_index(gs_reader *r, size_t count)
{
    if (sqlite3_column_type(r->query, r->next) == SQLITE_NULL) {
        r->next++;
        return GS_PROFILE_NONE;
    }
    return (uint32_t)gs_reader_int(r, 0, (int64_t)count - 1);
}

void gs_reader_expect(gs_reader *r, size_t number)
{
    if (gs_reader_int(r, 0, UINT32_MAX - 1) != (int64_t)number)
        r->bad = true;
}

void gs_reader_skip(gs_reader *r)
{
    r->next++;
}

const char *gs_reader_look(gs_reader *r)
{
    int column = r->next++;
    bool is_text = sqlite3_column_type(r->query, column) == SQLITE_TEXT; /* before a conversion */
    const char *text = (const char *)sqlite3_column_text(r->query, column);
    size_t length = (size_t)sqlite3_column_bytes(r->query, column);
    if (!is_text || !text || strlen(text) != length) {
        r->bad = true;
        return "";
    }
    return text;
}

bool gs_reader_may_keep(gs_reader *r, size_t bytes)
{
    r->bad |= bytes > r->file->text_left;
    if (!r->bad)
        r->file->text_left -= bytes;
    return !r->bad;
}

char *gs_reader_text(gs_reader *r)
{
    const char *text = gs_reader_look(r);
    if (!gs_reader_may_keep(r, strlen(text) + 1))
        return NULL;
    char *copy = strdup(text);
    r->no_memory |= !copy;
    return copy;
}

void gs_reader_metrics(gs_reader *r, gs_metrics *metrics)
{
    for (unsigned i = 0; i < GS_METRIC_COUNT; i++)
        metrics->value[i] = gs_reader_count(r);
}
