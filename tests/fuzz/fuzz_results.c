/*
 * What units said, as a profile file has it: whatever the values of its rows, they become tables
 * that are reported, in text without control characters, or a message.
 *
 * An input is rows, each a letter for the table (u, t, c, v), then values up to a newline with
 * tabs between them: an integer, a number with a '.', or a text.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/profile_reader.h"
#include "report/unit_results.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { TABLES = 4 };
static const struct {
    char letter;
    gs_profile_table table;
} tables[TABLES] = {{'u', GS_TABLE_UNIT},
                    {'t', GS_TABLE_UNIT_TABLE},
                    {'c', GS_TABLE_UNIT_COLUMN},
                    {'v', GS_TABLE_UNIT_CELL}};

static sqlite3 *db; /* kept until the end */
static sqlite3_stmt *inserts[TABLES];

static void require(bool condition)
{
    if (!condition)
        abort();
}

static void open_database(void)
{
    require(sqlite3_open(":memory:", &db) == SQLITE_OK);
    for (unsigned i = 0; i < TABLES; i++) {
        char *create = gs_profile_create_sql(tables[i].table);
        char *insert = gs_profile_insert_sql(tables[i].table);
        require(create && sqlite3_exec(db, create, NULL, NULL, NULL) == SQLITE_OK);
        require(insert && sqlite3_prepare_v2(db, insert, -1, &inserts[i], NULL) == SQLITE_OK);
        sqlite3_free(create);
        sqlite3_free(insert);
    }
}

static void bind(sqlite3_stmt *insert, int column, const char *value)
{
    char *end;
    const int64_t integer = strtoll(value, &end, 10);
    if (*value && !*end) {
        sqlite3_bind_int64(insert, column, integer);
        return;
    }
    const double real = strtod(value, &end);
    if (*value && !*end && strchr(value, '.'))
        sqlite3_bind_double(insert, column, real);
    else
        sqlite3_bind_text(insert, column, value, -1, SQLITE_STATIC);
}

/* Of run 1. Rows that SQLite does not want stay out. */
static void add_row(char *row)
{
    for (unsigned i = 0; i < TABLES; i++) {
        if (row[0] != tables[i].letter)
            continue;
        char *rest = row + 1;
        sqlite3_stmt *insert = inserts[i];
        sqlite3_bind_int(insert, 1, 1);
        for (int column = 2; column <= sqlite3_bind_parameter_count(insert); column++) {
            const char *value = rest ? strsep(&rest, "\t") : "0";
            bind(insert, column, value);
        }
        (void)sqlite3_step(insert);
        sqlite3_reset(insert);
    }
}

static void check_text(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        require(text[i] == '\n' || ((unsigned char)text[i] >= ' ' && text[i] != 0x7f));
}

static void report(const gs_profile *p)
{
    const gs_results results = {p->units.items, p->units.count};
    gs_error err;
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    require(to && gs_report_results(to, results, NULL, 3, 80, &err) == GS_OK);
    require(gs_report_results(to, results, NULL, 0, 0, &err) == GS_OK);
    require(gs_report_results_json(to, results, NULL, &err) == GS_OK);
    require(fclose(to) == 0);
    check_text(text, size);
    free(text);
    to = open_memstream(&text, &size);
    for (size_t i = 0; i < p->units.count; i++) {
        const gs_result_table *table = p->units.items[i]->tables;
        require(!table || gs_report_results_csv(to, results, table->key, &err) == GS_OK);
    }
    require(fclose(to) == 0);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (!db)
        open_database();
    char *text = malloc(size + 1), *rest = text;
    require(text != NULL);
    if (size > 0)
        memcpy(text, bytes, size);
    text[size] = '\0';
    for (char *row; (row = strsep(&rest, "\n"));)
        add_row(row);
    gs_profile *profile = calloc(1, sizeof *profile);
    gs_profile_file file = {.db = db, .path = (char *)"fuzz", .size = size};
    gs_error err;
    require(profile != NULL);
    gs_reader_set_limits(&file);
    if (gs_profile_load_units(profile, &file, 1, &err) == GS_OK)
        report(profile);
    else
        require(strncmp(err.message, "fuzz", 4) == 0 && !strchr(err.message, '\n'));
    gs_profile_free(profile);
    free(text);
    require(sqlite3_exec(db,
                         "DELETE FROM unit; DELETE FROM unit_table; DELETE FROM unit_column; "
                         "DELETE FROM unit_cell",
                         NULL, NULL, NULL) == SQLITE_OK);
    return 0;
}
