/* Results in a profile file: the sweep once, a row for each point, and a run for each that ran. */
#include "explore/sweep_store.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/vec.h"
#include "gumshoe/version.h"

void gs_sweep_key_text(const gs_sweep *sweep, char to[GS_SWEEP_KEY_TEXT])
{
    sodium_bin2hex(to, GS_SWEEP_KEY_TEXT, sweep->key, sizeof sweep->key);
}

static gs_status complain(const gs_sweep_store *store, gs_error *err)
{
    return gs_profile_fail(store->db, store->path, err);
}

static gs_status execute(const gs_sweep_store *store, const char *sql, gs_error *err)
{
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK ? GS_OK
                                                                       : complain(store, err);
}

static gs_status prepare(const gs_sweep_store *store, sqlite3_stmt **out, const char *sql,
                         gs_error *err)
{
    return sqlite3_prepare_v3(store->db, sql, -1, SQLITE_PREPARE_PERSISTENT, out, NULL) == SQLITE_OK
               ? GS_OK
               : complain(store, err);
}

static int64_t microseconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* The sweep's row, which is made if need be. */
static gs_status find_sweep(gs_sweep_store *store, gs_error *err)
{
    char key[GS_SWEEP_KEY_TEXT];
    sqlite3_stmt *find = NULL, *insert = NULL;
    gs_sweep_key_text(store->sweep, key);
    gs_status status =
        prepare(store, &insert,
                "INSERT INTO sweep (name, key, description, points, first_run, started) SELECT ?1, "
                "?2, ?3, ?4, coalesce((SELECT max(id) FROM run), 0) + 1, ?5 "
                "WHERE NOT EXISTS (SELECT 1 FROM sweep WHERE key = ?2)",
                err);
    if (status == GS_OK)
        status = prepare(store, &find, "SELECT id, first_run FROM sweep WHERE key = ?", err);
    if (status != GS_OK)
        goto out;
    sqlite3_bind_text(insert, 1, store->sweep->name, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 2, key, -1, SQLITE_STATIC);
    sqlite3_bind_text(insert, 3, store->sweep->text, -1, SQLITE_STATIC);
    sqlite3_bind_int64(insert, 4, (int64_t)gs_sweep_point_count(store->sweep));
    sqlite3_bind_int64(insert, 5, (int64_t)time(NULL));
    sqlite3_bind_text(find, 1, key, -1, SQLITE_STATIC);
    if (sqlite3_step(insert) != SQLITE_DONE || sqlite3_step(find) != SQLITE_ROW) {
        status = complain(store, err);
        goto out;
    }
    store->id = sqlite3_column_int64(find, 0);
    store->first_run = sqlite3_column_int64(find, 1);
out:
    sqlite3_finalize(insert);
    sqlite3_finalize(find);
    return status;
}

static gs_status open_file(gs_sweep_store *store, gs_error *err)
{
    bool fresh;
    gs_status status = gs_profile_open_database(&store->db, store->path,
                                                SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err);
    if (status == GS_OK)
        status = execute(store,
                         "PRAGMA journal_mode = DELETE; PRAGMA temp_store = MEMORY; "
                         "PRAGMA foreign_keys = ON; BEGIN IMMEDIATE",
                         err);
    if (status == GS_OK)
        status = gs_profile_check_identity(store->db, store->path, &fresh, err);
    if (status == GS_OK && gs_profile_prepare(store->db, fresh) != SQLITE_OK)
        status = complain(store, err);
    if (status == GS_OK)
        status = find_sweep(store, err);
    if (status == GS_OK)
        status = execute(store, "COMMIT", err);
    if (status == GS_OK)
        status = prepare(store, &store->find,
                         "SELECT 1 FROM sweep_point WHERE sweep = ? AND id = ?", err);
    if (status == GS_OK)
        status = prepare(store, &store->find_run, "SELECT 1 FROM run WHERE id = ?", err);
    if (status == GS_OK)
        status = prepare(store, &store->insert,
                         "INSERT INTO sweep_point (sweep, id, run, program, settings, code_bytes, "
                         "storage_bits, error, finished) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                         err);
    return status;
}

gs_status gs_sweep_store_open(gs_sweep_store **out, const gs_sweep *sweep, const char *path,
                              gs_error *err)
{
    *out = NULL;
    gs_sweep_store *store = calloc(1, sizeof *store);
    if (!store || !(store->path = strdup(path))) {
        free(store);
        return gs_fail_no_memory(err);
    }
    store->sweep = sweep;
    gs_status status = open_file(store, err);
    if (status != GS_OK) {
        gs_sweep_store_close(store);
        return status;
    }
    *out = store;
    return GS_OK;
}

void gs_sweep_store_close(gs_sweep_store *store)
{
    if (!store)
        return;
    sqlite3_finalize(store->find);
    sqlite3_finalize(store->find_run);
    sqlite3_finalize(store->insert);
    sqlite3_close(store->db); /* rolls back what is not committed */
    free(store->path);
    free(store);
}

const gs_sweep *gs_sweep_store_sweep(const gs_sweep_store *store)
{
    return store->sweep;
}

/* Whether a query has a row. */
static gs_status exists(const gs_sweep_store *store, sqlite3_stmt *query, bool *found,
                        gs_error *err)
{
    const int code = sqlite3_step(query);
    *found = code == SQLITE_ROW;
    gs_status status = code == SQLITE_ROW || code == SQLITE_DONE ? GS_OK : complain(store, err);
    sqlite3_reset(query);
    return status;
}

static gs_status has_point(const gs_sweep_store *store, size_t point, bool *found, gs_error *err)
{
    sqlite3_bind_int64(store->find, 1, store->id);
    sqlite3_bind_int64(store->find, 2, (int64_t)point);
    return exists(store, store->find, found, err);
}

/* A run's number is that of its point, whichever process is first; unless another run has it. */
static gs_status append_run(gs_sweep_store *store, const gs_sweep_row *row, const char *label,
                            int64_t *id, gs_error *err)
{
    const gs_sweep *sweep = store->sweep;
    bool taken;
    gs_profile_run run = {
        .program = (char *)sweep->programs.items[row->point % sweep->programs.count].files.items[0],
        .label = (char *)label,
        .core = (char *)gs_core_title(row->core),
        .core_yaml = (char *)gs_core_yaml(row->core),
        .isa = (char *)row->isa,
        .environment = (char *)row->environment,
        .inherited = (char *)"nothing",
        .variables = (char *)"",
        .region = (char *)"",
        .commit = (char *)"",
        .version = (char *)GUMSHOE_VERSION,
        .started = (int64_t)time(NULL),
        .exit = row->exit.kind,
        .exit_code = row->exit.kind == GS_EXIT_SIGNAL ? row->exit.signal : row->exit.code,
        .clock_hz = row->clock_hz,
        .totals_only = true,
    };
    *id = store->first_run + (int64_t)row->point;
    sqlite3_bind_int64(store->find_run, 1, *id);
    gs_status status = exists(store, store->find_run, &taken, err);
    if (status != GS_OK)
        return status;
    *id = taken ? 0 : *id;
    return gs_profile_save_totals(store->db, &run, &row->total, id) == SQLITE_OK
               ? GS_OK
               : complain(store, err);
}

static gs_status insert_point(gs_sweep_store *store, const gs_sweep_row *row, int64_t run,
                              const char *settings, gs_error *err)
{
    const gs_sweep *sweep = store->sweep;
    const gs_sweep_executable *e = &sweep->builds.items[sweep->build_of[row->point]];
    sqlite3_bind_int64(store->insert, 1, store->id);
    sqlite3_bind_int64(store->insert, 2, (int64_t)row->point);
    if (run)
        sqlite3_bind_int64(store->insert, 3, run);
    else
        sqlite3_bind_null(store->insert, 3);
    sqlite3_bind_text(store->insert, 4, sweep->programs.items[e->program].name, -1, SQLITE_STATIC);
    sqlite3_bind_text(store->insert, 5, settings, -1, SQLITE_STATIC);
    sqlite3_bind_int64(store->insert, 6, (int64_t)e->code_bytes);
    sqlite3_bind_int64(store->insert, 7, (int64_t)row->storage_bits);
    sqlite3_bind_text(store->insert, 8, row->error, -1, SQLITE_STATIC);
    sqlite3_bind_int64(store->insert, 9, microseconds_now());
    const int code = sqlite3_step(store->insert);
    gs_status status = code == SQLITE_DONE ? GS_OK : complain(store, err);
    sqlite3_reset(store->insert);
    return status;
}

static gs_status append_row(gs_sweep_store *store, const gs_sweep_row *row, gs_error *err)
{
    const size_t design = row->point / store->sweep->programs.count;
    bool found;
    int64_t run = 0;
    gs_status status = has_point(store, row->point, &found, err);
    if (status != GS_OK || found)
        return status;
    char *label = gs_sweep_label(store->sweep, design);
    char *settings = gs_sweep_settings_json(store->sweep, design);
    status = label && settings ? GS_OK : gs_fail_no_memory(err);
    if (status == GS_OK && row->core)
        status = append_run(store, row, label, &run, err);
    if (status == GS_OK)
        status = insert_point(store, row, run, settings, err);
    free(label);
    free(settings);
    return status;
}

gs_status gs_sweep_store_append(gs_sweep_store *store, const gs_sweep_row *rows, size_t count,
                                gs_error *err)
{
    gs_status status = execute(store, "BEGIN IMMEDIATE", err);
    if (status != GS_OK)
        return status;
    for (size_t i = 0; i < count && status == GS_OK; i++)
        status = append_row(store, &rows[i], err);
    if (status == GS_OK)
        status = execute(store, "COMMIT", err);
    if (status != GS_OK)
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

gs_status gs_sweep_store_pending(gs_sweep_store *store, bool *pending, size_t *done, gs_error *err)
{
    const gs_sweep *sweep = store->sweep;
    gs_status status = GS_OK;
    *done = 0;
    for (size_t g = 0; g < sweep->groups.count && status == GS_OK; g++) {
        pending[g] = false;
        for (size_t i = 0; i < sweep->groups.items[g].count && status == GS_OK; i++) {
            bool found = false;
            status = has_point(store, sweep->order[sweep->groups.items[g].first + i], &found, err);
            pending[g] |= !found;
            *done += found;
        }
    }
    return status;
}
