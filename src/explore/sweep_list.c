/* The sweeps of a profile file, and how far they are. */
#include <stdlib.h>
#include <string.h>

#include "base/plain.h"
#include "base/vec.h"
#include "explore/sweep.h"
#include "profile/profile_file.h"

/* So many of the newest rows say how fast it goes. */
#define RECENT "100"

struct gs_sweep_list {
    struct {
        gs_sweep_status *items;
        size_t count, capacity;
    } sweeps;
};

static const char query_text[] =
    "SELECT s.id, s.name, s.points, s.started, count(p.id), coalesce(sum(p.error <> ''), 0), "
    "coalesce(max(p.finished), 0), (SELECT count(*) FROM (SELECT 1 FROM sweep_point r WHERE "
    "r.sweep = s.id ORDER BY r.finished DESC LIMIT " RECENT ")), (SELECT min(finished) FROM "
    "(SELECT finished FROM sweep_point r WHERE r.sweep = s.id ORDER BY r.finished DESC "
    "LIMIT " RECENT ")), (SELECT error FROM sweep_point r WHERE r.sweep = s.id AND r.error <> '' "
    "ORDER BY r.id LIMIT "
    "1) FROM sweep s LEFT JOIN sweep_point p ON p.sweep = s.id GROUP BY s.id ORDER BY s.id";

static char *copy_text(sqlite3_stmt *query, int column)
{
    const char *text = (const char *)sqlite3_column_text(query, column);
    char *copy = strdup(text ? text : "");
    if (copy)
        gs_plain_text(copy, "\n"); /* a file may say anything */
    return copy;
}

static void clear(const gs_sweep_status *s)
{
    free((char *)s->name);
    free((char *)s->error);
}

static bool add_sweep(gs_sweep_list *list, sqlite3_stmt *query)
{
    const int64_t last = sqlite3_column_int64(query, 6), first = sqlite3_column_int64(query, 8);
    const int64_t recent = sqlite3_column_int64(query, 7);
    gs_sweep_status s = {
        .id = sqlite3_column_int64(query, 0),
        .name = copy_text(query, 1),
        .error = copy_text(query, 9),
        .points = (uint64_t)sqlite3_column_int64(query, 2),
        .started = sqlite3_column_int64(query, 3),
        .done = (uint64_t)sqlite3_column_int64(query, 4),
        .failed = (uint64_t)sqlite3_column_int64(query, 5),
        .last = last / 1000000,
        .rate =
            recent > 1 && last > first ? (double)(recent - 1) * 1e6 / (double)(last - first) : 0,
    };
    if (s.name && s.error && gs_vec_push(&list->sweeps, s))
        return true;
    clear(&s);
    return false;
}

static gs_status read_sweeps(gs_sweep_list *list, sqlite3 *db, const char *path, gs_error *err)
{
    sqlite3_stmt *query;
    if (!gs_profile_has_column(db, GS_TABLE_SWEEP, NULL) ||
        !gs_profile_has_column(db, GS_TABLE_SWEEP_POINT, NULL))
        return GS_OK;
    if (sqlite3_prepare_v2(db, query_text, -1, &query, NULL) != SQLITE_OK)
        return gs_profile_fail(db, path, err);
    gs_status status = GS_OK;
    int code;
    while (status == GS_OK && (code = sqlite3_step(query)) != SQLITE_DONE)
        status = code != SQLITE_ROW       ? gs_profile_fail(db, path, err)
                 : add_sweep(list, query) ? GS_OK
                                          : gs_fail_no_memory(err);
    sqlite3_finalize(query);
    return status;
}

gs_status gs_sweep_list_open(gs_sweep_list **out, const char *path, gs_error *err)
{
    sqlite3 *db = NULL;
    bool fresh = false;
    *out = NULL;
    gs_sweep_list *list = calloc(1, sizeof *list);
    if (!list)
        return gs_fail_no_memory(err);
    gs_status status = gs_profile_open_reading(&db, path, &fresh, err);
    if (status == GS_OK)
        status = read_sweeps(list, db, path, err);
    sqlite3_close(db);
    if (status != GS_OK) {
        gs_sweep_list_free(list);
        return status;
    }
    *out = list;
    return GS_OK;
}

void gs_sweep_list_free(gs_sweep_list *list)
{
    if (!list)
        return;
    for (size_t i = 0; i < list->sweeps.count; i++)
        clear(&list->sweeps.items[i]);
    free(list->sweeps.items);
    free(list);
}

size_t gs_sweep_list_count(const gs_sweep_list *list)
{
    return list->sweeps.count;
}

const gs_sweep_status *gs_sweep_list_at(const gs_sweep_list *list, size_t index)
{
    return &list->sweeps.items[index];
}
