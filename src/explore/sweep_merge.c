/*
 * Takes over the rows that another process, on another machine, has put into a file of its own.
 *
 * That file may be in use, or be that of a process that was killed: SQLite shows of it what was
 * committed.
 */
#include <string.h>
#include <unistd.h>

#include "explore/sweep_store.h"

typedef struct merger {
    gs_sweep_store *store;
    const char *path;
    sqlite3_stmt *points, *run, *point;
    size_t added;
} merger;

static gs_status complain(const merger *m, gs_error *err)
{
    return gs_profile_fail(m->store->db, m->path, err);
}

static gs_status prepare(const merger *m, sqlite3_stmt **out, const char *sql, gs_error *err)
{
    return sqlite3_prepare_v2(m->store->db, sql, -1, out, NULL) == SQLITE_OK ? GS_OK
                                                                             : complain(m, err);
}

/* Whether the process has come as far as to make the tables. */
static gs_status has_tables(const merger *m, bool *found, gs_error *err)
{
    sqlite3_stmt *query = NULL;
    gs_status status = prepare(m, &query,
                               "SELECT count(*) FROM part.sqlite_master WHERE name IN ('sweep', "
                               "'sweep_point', 'run')",
                               err);
    *found =
        status == GS_OK && sqlite3_step(query) == SQLITE_ROW && sqlite3_column_int(query, 0) == 3;
    sqlite3_finalize(query);
    return status;
}

/* "INSERT INTO main.T (k, a, b) SELECT ?1, a, b FROM part.T WHERE ...": all columns but `skipped`
 * are as they are; sqlite3_free() it, NULL when memory is out. */
static char *copy_sql(const merger *m, const char *table, const char *skipped, const char *values,
                      const char *where)
{
    char *columns = NULL, *sql = NULL;
    sqlite3_stmt *query = NULL;
    char *text = sqlite3_mprintf("SELECT group_concat(name, ', ') FROM pragma_table_info(%Q, "
                                 "'main') WHERE instr(%Q, ',' || name || ',') = 0",
                                 table, skipped);
    if (text && sqlite3_prepare_v2(m->store->db, text, -1, &query, NULL) == SQLITE_OK &&
        sqlite3_step(query) == SQLITE_ROW)
        columns = sqlite3_mprintf("%s", sqlite3_column_text(query, 0));
    sqlite3_finalize(query);
    sqlite3_free(text);
    if (columns)
        sql = sqlite3_mprintf("INSERT INTO main.%s (%.*s, %s) SELECT %s, %s FROM part.%s WHERE %s",
                              table, (int)(strlen(skipped) - 2), skipped + 1, columns, values,
                              columns, table, where);
    sqlite3_free(columns);
    return sql;
}

static gs_status prepare_copies(merger *m, gs_error *err)
{
    char *run = copy_sql(m, "run", ",id,", "?1", "id = ?2");
    char *point =
        copy_sql(m, "sweep_point", ",sweep,id,run,", "?1, id, ?2", "sweep = ?3 AND id = ?4");
    gs_status status = run && point ? GS_OK : gs_fail_no_memory(err);
    if (status == GS_OK)
        status = prepare(m, &m->run, run, err);
    if (status == GS_OK)
        status = prepare(m, &m->point, point, err);
    if (status == GS_OK)
        status = prepare(m, &m->points,
                         "SELECT p.id, p.run, p.sweep FROM part.sweep_point p JOIN part.sweep s ON "
                         "s.id = p.sweep WHERE s.key = ?1 AND NOT EXISTS (SELECT 1 FROM "
                         "main.sweep_point q WHERE q.sweep = ?2 AND q.id = p.id) ORDER BY p.id",
                         err);
    sqlite3_free(run);
    sqlite3_free(point);
    return status;
}

/* Takes a run over under its point's number, unless another run has that. 0 on failure. */
static int64_t copy_run(merger *m, int64_t number, int64_t wanted)
{
    sqlite3_stmt *find = m->store->find_run;
    sqlite3_bind_int64(find, 1, wanted);
    const bool taken = sqlite3_step(find) == SQLITE_ROW;
    sqlite3_reset(find);
    if (taken)
        sqlite3_bind_null(m->run, 1);
    else
        sqlite3_bind_int64(m->run, 1, wanted);
    sqlite3_bind_int64(m->run, 2, number);
    const int code = sqlite3_step(m->run);
    sqlite3_reset(m->run);
    return code == SQLITE_DONE ? sqlite3_last_insert_rowid(m->store->db) : 0;
}

static gs_status copy_point(merger *m, gs_error *err)
{
    const int64_t point = sqlite3_column_int64(m->points, 0);
    sqlite3_bind_int64(m->point, 1, m->store->id);
    sqlite3_bind_null(m->point, 2);
    if (sqlite3_column_type(m->points, 1) != SQLITE_NULL) {
        const int64_t run =
            copy_run(m, sqlite3_column_int64(m->points, 1), m->store->first_run + point);
        if (run == 0)
            return complain(m, err);
        sqlite3_bind_int64(m->point, 2, run);
    }
    sqlite3_bind_int64(m->point, 3, sqlite3_column_int64(m->points, 2));
    sqlite3_bind_int64(m->point, 4, point);
    const int code = sqlite3_step(m->point);
    sqlite3_reset(m->point);
    m->added += code == SQLITE_DONE;
    return code == SQLITE_DONE ? GS_OK : complain(m, err);
}

static gs_status copy_all(merger *m, gs_error *err)
{
    char key[GS_SWEEP_KEY_TEXT];
    int code = SQLITE_DONE;
    gs_sweep_key_text(m->store->sweep, key);
    gs_status status = prepare_copies(m, err);
    if (status != GS_OK)
        return status;
    sqlite3_bind_text(m->points, 1, key, -1, SQLITE_STATIC);
    sqlite3_bind_int64(m->points, 2, m->store->id);
    while (status == GS_OK && (code = sqlite3_step(m->points)) == SQLITE_ROW)
        status = copy_point(m, err);
    return status == GS_OK && code != SQLITE_DONE ? complain(m, err) : status;
}

static void finish(merger *m)
{
    sqlite3_finalize(m->points);
    sqlite3_finalize(m->run);
    sqlite3_finalize(m->point);
    m->points = m->run = m->point = NULL;
}

gs_status gs_sweep_store_merge(gs_sweep_store *store, const char *path, size_t *added,
                               gs_error *err)
{
    merger m = {.store = store, .path = path};
    sqlite3_stmt *attach = NULL;
    bool found = false;
    *added = 0;
    if (access(path, R_OK | W_OK) != 0)
        return GS_OK; /* nothing has been made yet */
    const int before = sqlite3_limit(store->db, SQLITE_LIMIT_ATTACHED, 1); /* otherwise none */
    gs_status status = prepare(&m, &attach, "ATTACH ? AS part", err);
    if (status != GS_OK)
        return status;
    sqlite3_bind_text(attach, 1, path, -1, SQLITE_STATIC);
    if (sqlite3_step(attach) != SQLITE_DONE)
        status = complain(&m, err);
    sqlite3_finalize(attach);
    if (status != GS_OK)
        return status;
    status = has_tables(&m, &found, err);
    if (status == GS_OK && found) {
        if (sqlite3_exec(store->db, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK)
            status = complain(&m, err);
        else
            status = copy_all(&m, err);
        finish(&m);
        if (status == GS_OK && sqlite3_exec(store->db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK)
            status = complain(&m, err);
        if (status != GS_OK)
            sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    }
    sqlite3_exec(store->db, "DETACH part", NULL, NULL, NULL);
    sqlite3_limit(store->db, SQLITE_LIMIT_ATTACHED, before);
    *added = status == GS_OK ? m.added : 0;
    return status;
}
