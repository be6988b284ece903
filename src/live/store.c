/* Writes what a collector received into the live tables of a profile file. */
#include "live/store.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "live/module.h"
#include "profile/profile_file.h"

/* The statements, each prepared once. */
#define STATEMENTS(ROW)                                                                         \
    ROW(FIND, "SELECT id, began, late, doubled, ended FROM live_stream "                        \
              "WHERE device = ? AND session = ? AND stream = ?")                                \
    ROW(COUNT, "SELECT count(*), coalesce(max(sequence) + 1, 0) FROM live_interval "            \
               "WHERE stream = ?")                                                              \
    ROW(STREAM, "INSERT INTO live_stream VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, " \
                "?, ?, ?, ?)")                                                                  \
    ROW(COUNTER, "INSERT OR REPLACE INTO live_counter VALUES (?, ?, ?, ?, ?, ?, ?)")            \
    ROW(INTERVAL, "INSERT OR IGNORE INTO live_interval VALUES (?, ?, ?, ?, ?, ?, ?, ?)")        \
    ROW(UPDATE, "UPDATE live_stream SET address = ?, heard = ?, ended = ?, received = ?, "      \
                "lost = ?, late = ?, doubled = ?, unsent = ? WHERE id = ?")                     \
    ROW(TOTAL, "UPDATE live_counter SET total = ? WHERE stream = ? AND id = ?")                 \
    ROW(REFUSE, "INSERT INTO live_refused VALUES (?, ?) ON CONFLICT (reason) DO UPDATE "        \
                "SET datagrams = datagrams + excluded.datagrams")

enum {
#define ROW(name, sql) name,
    STATEMENTS(ROW)
#undef ROW
        STATEMENT_COUNT
};

static const char *const texts[STATEMENT_COUNT] = {
#define ROW(name, sql) sql,
    STATEMENTS(ROW)
#undef ROW
};

struct gs_live_store {
    sqlite3 *db;
    char *path;
    sqlite3_stmt *statements[STATEMENT_COUNT];
    bool open; /* a transaction */
};

static gs_status complain(const gs_live_store *store, gs_error *err)
{
    return gs_profile_fail(store->db, store->path, err);
}

static gs_status run(gs_live_store *store, const char *sql, gs_error *err)
{
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK ? GS_OK
                                                                       : complain(store, err);
}

static gs_status begin(gs_live_store *store, gs_error *err)
{
    if (store->open)
        return GS_OK;
    gs_status status = run(store, "BEGIN IMMEDIATE", err);
    store->open = status == GS_OK;
    return status;
}

gs_status gs_live_store_commit(gs_live_store *store, gs_error *err)
{
    if (!store->open)
        return GS_OK;
    gs_status status = run(store, "COMMIT", err);
    store->open = status != GS_OK;
    return status;
}

static gs_status prepare(gs_live_store *store, gs_error *err)
{
    for (unsigned i = 0; i < STATEMENT_COUNT; i++) {
        if (sqlite3_prepare_v3(store->db, texts[i], -1, SQLITE_PREPARE_PERSISTENT,
                               &store->statements[i], NULL) != SQLITE_OK)
            return complain(store, err);
    }
    return GS_OK;
}

static gs_status open_file(gs_live_store *store, gs_error *err)
{
    bool fresh;
    gs_status status = gs_profile_open_database(&store->db, store->path,
                                                SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err);
    if (status == GS_OK)
        status = gs_profile_check_identity(store->db, store->path, &fresh, err);
    if (status == GS_OK)
        status = run(store,
                     "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; "
                     "PRAGMA temp_store = MEMORY; PRAGMA foreign_keys = ON",
                     err);
    if (status == GS_OK)
        status = begin(store, err);
    if (status == GS_OK) /* another process may have been first */
        status = gs_profile_check_identity(store->db, store->path, &fresh, err);
    if (status == GS_OK && gs_profile_prepare(store->db, fresh) != SQLITE_OK)
        status = complain(store, err);
    if (status == GS_OK)
        status = gs_live_store_commit(store, err);
    return status == GS_OK ? prepare(store, err) : status;
}

gs_status gs_live_store_open(gs_live_store **out, const char *path, gs_error *err)
{
    gs_live_store *store = calloc(1, sizeof *store);
    *out = NULL;
    if (!store || !(store->path = strdup(path))) {
        free(store);
        return gs_fail_no_memory(err);
    }
    gs_status status = open_file(store, err);
    if (status == GS_OK)
        *out = store;
    else
        (void)gs_live_store_close(store, NULL);
    return status;
}

gs_status gs_live_store_close(gs_live_store *store, gs_error *err)
{
    if (!store)
        return GS_OK;
    gs_status status = gs_live_store_commit(store, err);
    for (unsigned i = 0; i < STATEMENT_COUNT; i++)
        sqlite3_finalize(store->statements[i]);
    if (store->db) /* fails while it is being read, which leaves it as it is */
        sqlite3_exec(store->db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    sqlite3_close(store->db);
    free(store->path);
    free(store);
    return status;
}

/* -- rows ---------------------------------------------------------------------------------------
 */

/* A statement, and the parameter that is bound next. */
typedef struct row {
    sqlite3_stmt *statement;
    int next;
} row;

static row row_of(const gs_live_store *store, unsigned statement)
{
    return (row){store->statements[statement], 1};
}

/* Numbers have no sign on the wire; of those above 2^63, which no clock and no counter reaches, a
 * file has the same bits. */
static void put(row *r, uint64_t value)
{
    (void)sqlite3_bind_int64(r->statement, r->next++, (int64_t)value);
}

static void put_text(row *r, const char *text)
{
    (void)sqlite3_bind_text(r->statement, r->next++, text, -1, SQLITE_TRANSIENT);
}

/* Runs a statement that has no rows. */
static gs_status step(gs_live_store *store, const row *r, gs_error *err)
{
    const int code = sqlite3_step(r->statement);
    gs_status status = code == SQLITE_DONE ? GS_OK : complain(store, err);
    sqlite3_reset(r->statement);
    return status;
}

static void put_name(row *r, const gs_live_stream *stream)
{
    char session[17];
    snprintf(session, sizeof session, "%016" PRIx64, stream->session);
    put(r, stream->device);
    put_text(r, session);
    put(r, stream->stream);
}

static gs_status insert_stream(gs_live_store *store, gs_live_stream *stream, gs_error *err)
{
    char program[2 * sizeof stream->program.bytes + 1];
    row r = row_of(store, STREAM);
    sodium_bin2hex(program, sizeof program, stream->program.bytes, sizeof stream->program.bytes);
    put_name(&r, stream);
    put_text(&r, program);
    put_text(&r, stream->address);
    put(&r, stream->clock_hz);
    put(&r, (uint32_t)(stream->width << 16 | stream->ranges << 8 | stream->counters));
    put(&r, stream->signals);
    put(&r, stream->setting.interval);
    put(&r, (uint64_t)stream->began_us);
    put(&r, (uint64_t)stream->heard_us);
    while (r.next <= sqlite3_bind_parameter_count(r.statement))
        put(&r, 0);
    gs_status status = step(store, &r, err);
    stream->id = sqlite3_last_insert_rowid(store->db);
    return status;
}

static gs_status count_intervals(gs_live_store *store, gs_live_stream *stream, gs_error *err)
{
    row r = row_of(store, COUNT);
    gs_status status = GS_OK;
    put(&r, (uint64_t)stream->id);
    if (sqlite3_step(r.statement) == SQLITE_ROW) {
        stream->received = (uint64_t)sqlite3_column_int64(r.statement, 0);
        stream->next = (uint64_t)sqlite3_column_int64(r.statement, 1);
        stream->lost = stream->next - stream->received;
    } else {
        status = complain(store, err);
    }
    sqlite3_reset(r.statement);
    return status;
}

gs_status gs_live_store_begin(gs_live_store *store, gs_live_stream *stream, gs_error *err)
{
    gs_status status = begin(store, err);
    if (status != GS_OK)
        return status;
    row r = row_of(store, FIND);
    put_name(&r, stream);
    const int code = sqlite3_step(r.statement);
    if (code == SQLITE_ROW) {
        stream->id = sqlite3_column_int64(r.statement, 0);
        stream->began_us = sqlite3_column_int64(r.statement, 1);
        stream->late = (uint64_t)sqlite3_column_int64(r.statement, 2);
        stream->doubled = (uint64_t)sqlite3_column_int64(r.statement, 3);
        stream->ended = sqlite3_column_int64(r.statement, 4) != 0;
    } else if (code != SQLITE_DONE) {
        status = complain(store, err);
    }
    sqlite3_reset(r.statement);
    if (status != GS_OK)
        return status;
    return code == SQLITE_ROW ? count_intervals(store, stream, err)
                              : insert_stream(store, stream, err);
}

gs_status gs_live_store_counter(gs_live_store *store, const gs_live_stream *stream,
                                unsigned counter, const char *name, gs_error *err)
{
    const uint32_t select = stream->setting.selector[counter].select;
    const unsigned range = gs_live_range_of(select), signal = gs_live_signal_of(select);
    gs_status status = begin(store, err);
    if (status != GS_OK)
        return status;
    row r = row_of(store, COUNTER);
    put(&r, (uint64_t)stream->id);
    put(&r, counter);
    put_text(&r, signal < GS_STATS_SIGNAL_COUNT ? gs_stats_signal_key(signal) : "?");
    put(&r, stream->setting.range[range].first);
    put(&r, stream->setting.range[range].last);
    put_text(&r, name);
    put(&r, stream->total[counter]);
    return step(store, &r, err);
}

/* "[1,2,3]" */
typedef struct list {
    char text[GS_LIVE_COUNTERS * 21 + 3];
    size_t length;
} list;

static void append(list *l, uint64_t value)
{
    char digits[20];
    unsigned count = 0;
    do
        digits[count++] = (char)('0' + value % 10);
    while ((value /= 10) != 0);
    l->text[l->length] = l->length ? ',' : '[';
    l->length++;
    while (count > 0)
        l->text[l->length++] = digits[--count];
}

static void put_list(row *r, list *l)
{
    l->text[l->length++] = ']';
    (void)sqlite3_bind_text(r->statement, r->next++, l->text, (int)l->length, SQLITE_STATIC);
}

gs_status gs_live_store_add(gs_live_store *store, const gs_live_stream *stream,
                            const gs_live_interval *interval, bool *fresh, gs_error *err)
{
    list values = {.length = 0}, totals = {.length = 0};
    gs_status status = begin(store, err);
    *fresh = false;
    if (status != GS_OK)
        return status;
    for (unsigned i = 0; i < interval->count; i++) {
        append(&values, interval->value[i]);
        append(&totals, interval->total[i]);
    }
    row r = row_of(store, INTERVAL);
    put(&r, (uint64_t)stream->id);
    put(&r, interval->sequence);
    put(&r, interval->interval);
    put(&r, interval->cycle);
    put(&r, (uint64_t)interval->arrived_us);
    put(&r, interval->last);
    put_list(&r, &values);
    put_list(&r, &totals);
    status = step(store, &r, err);
    *fresh = status == GS_OK && sqlite3_changes(store->db) > 0;
    return status;
}

static gs_status update_total(gs_live_store *store, const gs_live_stream *stream, unsigned counter,
                              gs_error *err)
{
    row r = row_of(store, TOTAL);
    put(&r, stream->total[counter]);
    put(&r, (uint64_t)stream->id);
    put(&r, counter);
    return step(store, &r, err);
}

gs_status gs_live_store_update(gs_live_store *store, const gs_live_stream *stream, gs_error *err)
{
    gs_status status = begin(store, err);
    if (status != GS_OK)
        return status;
    row r = row_of(store, UPDATE);
    put_text(&r, stream->address);
    put(&r, (uint64_t)stream->heard_us);
    put(&r, stream->ended);
    put(&r, stream->received);
    put(&r, stream->lost);
    put(&r, stream->late);
    put(&r, stream->doubled);
    put(&r, stream->skipped);
    put(&r, (uint64_t)stream->id);
    status = step(store, &r, err);
    for (unsigned i = 0; i < stream->setting.counters && status == GS_OK; i++)
        status = update_total(store, stream, i, err);
    return status;
}

gs_status gs_live_store_refuse(gs_live_store *store, const char *reason, uint64_t datagrams,
                               gs_error *err)
{
    gs_status status = begin(store, err);
    if (status != GS_OK)
        return status;
    row r = row_of(store, REFUSE);
    put_text(&r, reason);
    put(&r, datagrams);
    return step(store, &r, err);
}
