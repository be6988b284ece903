/*
 * SQLite databases stay databases: what is in their tables changes, by SQL.
 */
#include "mutate.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PLAIN = 6 /* every how manieth change is libFuzzer's own */,
    STEPS = 100000, /* that a change may take */
    TRIES = 10      /* for a table with rows: most are empty */
};

typedef struct base {
    sqlite3 *db;
    fuzz_random random;
} base;

/* One of the results of a query, to be freed; NULL without any. */
static char *pick_text(base *b, char *sql)
{
    sqlite3_stmt *query = NULL;
    char *found = NULL;
    size_t count = 0;
    if (sql && sqlite3_prepare_v2(b->db, sql, -1, &query, NULL) == SQLITE_OK) {
        while (sqlite3_step(query) == SQLITE_ROW && count < 1000) {
            const char *text = (const char *)sqlite3_column_text(query, 0);
            if (text && fuzz_pick(&b->random, ++count) == 0) {
                sqlite3_free(found);
                found = sqlite3_mprintf("%s", text);
            }
        }
    }
    sqlite3_finalize(query);
    sqlite3_free(sql);
    return found;
}

static char *pick_table(base *b)
{
    char *table = NULL;
    for (int i = 0; i < TRIES; i++) {
        sqlite3_free(table);
        table =
            pick_text(b, sqlite3_mprintf("SELECT name FROM sqlite_schema WHERE type = 'table'"));
        char *row =
            table ? pick_text(b, sqlite3_mprintf("SELECT 1 FROM \"%w\" LIMIT 1", table)) : NULL;
        const bool has_rows = row != NULL;
        sqlite3_free(row);
        if (has_rows)
            break;
    }
    return table;
}

static char *pick_column(base *b, const char *table)
{
    return pick_text(b, sqlite3_mprintf("SELECT name FROM pragma_table_xinfo(%Q)", table));
}

/* An expression for what a column may become. */
static char *make_value(base *b, const char *table, const char *column)
{
    static const char *const others[] = {"NULL",
                                         "''",
                                         "x'00'",
                                         "1.5",
                                         "-1",
                                         "1e999",
                                         "'last'",
                                         "-9223372036854775808",
                                         "char(27, 10, 7)",
                                         "replace(hex(zeroblob(500)), '0', 'x')"};
    char *other;
    switch (fuzz_pick(&b->random, 6)) {
    case 0: return sqlite3_mprintf("\"%w\" + 1", column);
    case 1: return sqlite3_mprintf("\"%w\" - 1", column);
    case 2: return sqlite3_mprintf("%lld", (sqlite3_int64)fuzz_number(&b->random));
    case 3:
        other = pick_column(b, table);
        char *value = sqlite3_mprintf("\"%w\"", other ? other : column);
        sqlite3_free(other);
        return value;
    case 4:
        return sqlite3_mprintf("(SELECT \"%w\" FROM \"%w\" LIMIT 1 OFFSET %d)", column, table,
                               (int)fuzz_pick(&b->random, 50));
    default:
        return sqlite3_mprintf("%s", others[fuzz_pick(&b->random, sizeof others / sizeof *others)]);
    }
}

/* A copy of rows in which one column is another value. */
static char *copy_rows(base *b, const char *table, const char *column, const char *value)
{
    char *columns = pick_text(
        b, sqlite3_mprintf("SELECT group_concat(iif(name = %Q, %Q, '\"' || name || '\"')) "
                           "FROM pragma_table_info(%Q)",
                           column, value, table));
    char *sql = sqlite3_mprintf(
        "INSERT OR REPLACE INTO \"%w\" SELECT %s FROM \"%w\" LIMIT %d OFFSET %d", table, columns,
        table, 1 + (int)fuzz_pick(&b->random, 3), (int)fuzz_pick(&b->random, 20));
    sqlite3_free(columns);
    return sql;
}

static char *make_change(base *b, const char *table, const char *column, const char *value)
{
    int row = (int)fuzz_pick(&b->random, 50);
    switch (fuzz_pick(&b->random, 12)) {
    case 0: return sqlite3_mprintf("DROP TABLE \"%w\"", table);
    case 1: /* and with it all constraints */
        return sqlite3_mprintf("CREATE TABLE fuzz AS SELECT * FROM \"%w\"; DROP TABLE \"%w\"; "
                               "ALTER TABLE fuzz RENAME TO \"%w\"",
                               table, table, table);
    case 2:
        return sqlite3_mprintf(
            "DELETE FROM \"%w\" WHERE \"%w\" IS (SELECT \"%w\" FROM \"%w\" LIMIT 1 "
            "OFFSET %d)",
            table, column, column, table, row);
    case 3:
    case 4: return copy_rows(b, table, column, value);
    case 5:
        return sqlite3_mprintf("UPDATE OR REPLACE \"%w\" SET \"%w\" = %s", table, column, value);
    default:
        return sqlite3_mprintf(
            "UPDATE OR REPLACE \"%w\" SET \"%w\" = %s WHERE \"%w\" IS (SELECT \"%w\" "
            "FROM \"%w\" LIMIT 1 OFFSET %d)",
            table, column, value, column, column, table, row);
    }
}

static bool change(base *b)
{
    char *table = pick_table(b), *column = table ? pick_column(b, table) : NULL;
    char *value = column ? make_value(b, table, column) : NULL;
    char *sql = value ? make_change(b, table, column, value) : NULL;
    bool done = sql && sqlite3_exec(b->db, sql, NULL, NULL, NULL) == SQLITE_OK &&
                sqlite3_total_changes(b->db) > 0;
    sqlite3_free(sql);
    sqlite3_free(value);
    sqlite3_free(column);
    sqlite3_free(table);
    return done;
}

static int stop(void *self)
{
    (void)self;
    return 1;
}

/* The changed database into `bytes`; its size, or 0. */
static size_t mutate(base *b, uint8_t *bytes, size_t size, size_t max_size)
{
    sqlite3_int64 changed_size = 0;
    unsigned char *copy = sqlite3_malloc64(size);
    if (!copy)
        return 0;
    memcpy(copy, bytes, size);
    if (sqlite3_deserialize(b->db, "main", copy, (sqlite3_int64)size, (sqlite3_int64)size,
                            SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE) !=
            SQLITE_OK ||
        !change(b))
        return 0;
    unsigned char *changed =
        sqlite3_serialize(b->db, "main", &changed_size, SQLITE_SERIALIZE_NOCOPY);
    if (!changed || (size_t)changed_size > max_size)
        return 0;
    memcpy(bytes, changed, (size_t)changed_size);
    return (size_t)changed_size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t max_size, unsigned seed)
{
    base b = {.random = {seed}};
    size_t changed = 0;
    if (size > 0 && fuzz_pick(&b.random, PLAIN) && sqlite3_open(":memory:", &b.db) == SQLITE_OK) {
        sqlite3_limit(b.db, SQLITE_LIMIT_LENGTH, 1 << 20);
        sqlite3_db_config(b.db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)NULL);
        sqlite3_progress_handler(b.db, STEPS, stop, NULL);
        changed = mutate(&b, bytes, size, max_size);
    }
    sqlite3_close(b.db);
    return changed ? changed : LLVMFuzzerMutate(bytes, size, max_size);
}
