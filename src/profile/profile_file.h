/*
 * profile_file.h - what saving and loading share: the tables, and SQLite's ways.
 *
 * A profile file is a SQLite database with an application id of our own. A run is appended in one
 * transaction with a rollback journal, so whatever happens the file has all of it or nothing.
 */
#ifndef GS_PROFILE_PROFILE_FILE_H
#define GS_PROFILE_PROFILE_FILE_H

#include <sqlite3.h>

#include "profile/profile.h"

enum {
    GS_PROFILE_APPLICATION = 0x47756d73, /* "Gums" */
    GS_PROFILE_VERSION = 1,              /* of the tables: a reader of 1 can read 1 */
};

typedef enum gs_profile_table {
#define METRICS
#define NO_METRICS
#define TABLE(id, name, metrics) GS_TABLE_##id,
#define COLUMN(name, type)
#define END(constraint)
#include "profile/profile_tables.def"
#undef METRICS
#undef NO_METRICS
#undef TABLE
#undef COLUMN
#undef END
    GS_TABLE_COUNT
} gs_profile_table;

/* Column names are identifiers: "stall:load-use" becomes stall_load_use. */
enum { GS_COLUMN_NAME = 64 };
void gs_profile_column(gs_metric metric, char name[GS_COLUMN_NAME]);

const char *gs_profile_table_name(gs_profile_table table);

/* Statements, to be freed with sqlite3_free(); NULL when memory is out. */
char *gs_profile_create_sql(gs_profile_table table);
char *gs_profile_insert_sql(gs_profile_table table);
/* Columns of `table` in their order, then added ones, then all metrics. What `db` has no column
 * for, because the file was made before, is that column's value for such files; a metric is 0. */
char *gs_profile_select_sql(sqlite3 *db, gs_profile_table table);
/* Adds every column that the tables of `db` do not have yet. */
char *gs_profile_add_columns_sql(sqlite3 *db);
/* Of any column if `column` is NULL: whether there is such a table. */
bool gs_profile_has_column(sqlite3 *db, gs_profile_table table, const char *column);

/* As they are written in the file. */
const char *gs_profile_exit_name(gs_exit_kind kind);
const char *gs_profile_kind_name(gs_frame_kind kind);
bool gs_profile_find_exit(const char *name, gs_exit_kind *kind);
bool gs_profile_find_kind(const char *name, gs_frame_kind *kind);
const char *gs_profile_cell_name(gs_cell_type type);
bool gs_profile_find_cell(const char *name, gs_cell_type *type);

/* The section of unit_cell that has a unit's remarks, and their only column. */
#define GS_PROFILE_REMARKS       "remarks"
#define GS_PROFILE_REMARK_COLUMN "text"

/* Opens the database behind `path` with sqlite3_open_v2()'s `flags`. */
gs_status gs_profile_open_database(sqlite3 **out, const char *path, int flags, gs_error *err);

/* Makes what tables and columns are missing, in a transaction of the caller's; `fresh` as from
 * gs_profile_check_identity(). Returns SQLite's code. */
int gs_profile_prepare(sqlite3 *db, bool fresh);

/* Appends a run of which there are totals only, in a transaction of the caller's. *id: its number,
 * or 0 for the next free one, which it becomes. Returns SQLite's code. */
int gs_profile_save_totals(sqlite3 *db, const gs_profile_run *run, const gs_metrics *total,
                           int64_t *id);

/* Opens the file for reading as it was before a transaction that was cut short; changes nothing.
 * *out is to be closed also after a failure. *fresh: there is nothing in it yet. */
gs_status gs_profile_open_reading(sqlite3 **out, const char *path, bool *fresh, gs_error *err);

/* What SQLite complains about, in words for `path`. */
gs_status gs_profile_fail(sqlite3 *db, const char *path, gs_error *err);

/* Is this a profile file, and one that can be read? *fresh: there is nothing in it yet. */
gs_status gs_profile_check_identity(sqlite3 *db, const char *path, bool *fresh, gs_error *err);

#endif
