/* SQL for the tables of a profile file, and checks that a file is one. */
#include "profile/profile_file.h"
#include "profile/profile_journal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    BUSY_MS = 20000,       /* how long to wait for another process that writes */
    MAX_LENGTH = 16 << 20, /* of one row, in bytes */
    STATEMENT_LENGTH = 1 << 16,
};

static const struct {
    const char *name, *head, *tail;
    bool metrics;
} tables[GS_TABLE_COUNT] = {
#define METRICS              true
#define NO_METRICS           false
#define TABLE(id, text, has) [GS_TABLE_##id] = {.name = text, .metrics = has, .head = ""
#define COLUMN(name, type)   name " " type ",\n  "
#define END(constraint)  \
    , .tail = constraint \
    }                    \
    ,
#include "profile/profile_tables.def"
#undef TABLE
#undef COLUMN
#undef END
};

static const char *const columns[GS_TABLE_COUNT] = {
#define TABLE(id, name, has) [GS_TABLE_##id] = ""
#define COLUMN(name, type)   ", " name
#define END(constraint)      ,
#include "profile/profile_tables.def"
#undef TABLE
#undef COLUMN
#undef END
};

static const struct {
    gs_profile_table table;
    const char *name, *type, *before;
} added[] = {
#define TABLE(id, name, has)
#define COLUMN(name, type)
#define END(constraint)
#define ADDED(id, name, type, before) {GS_TABLE_##id, name, type, before},
#include "profile/profile_tables.def"
#undef TABLE
#undef COLUMN
#undef END
};
enum { ADDED_COUNT = sizeof added / sizeof *added };

static const char *const exit_names[] = {
    [GS_EXIT_NONE] = "none",   [GS_EXIT_CODE] = "code", [GS_EXIT_SIGNAL] = "signal",
    [GS_EXIT_LIMIT] = "limit", [GS_EXIT_HALT] = "halt", [GS_EXIT_INTERRUPTED] = "interrupted",
};

static const char *const kind_names[] = {
    [GS_FRAME_CALL] = "call",
    [GS_FRAME_TAIL] = "tail",
    [GS_FRAME_TRAP] = "trap",
    [GS_FRAME_THREAD] = "thread",
};

static const char *const cell_names[] = {
    [GS_CELL_NONE] = "none",       [GS_CELL_TEXT] = "text",
    [GS_CELL_COUNT] = "count",     [GS_CELL_DIFFERENCE] = "difference",
    [GS_CELL_REAL] = "real",       [GS_CELL_SHARE] = "share",
    [GS_CELL_ADDRESS] = "address",
};

/* The index of a name, or -1. */
static int find_name(const char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(name, names[i]) == 0)
            return (int)i;
    }
    return -1;
}
#define FIND_NAME(names, name) find_name(names, sizeof(names) / sizeof *(names), name)

const char *gs_profile_exit_name(gs_exit_kind kind)
{
    return exit_names[kind];
}

const char *gs_profile_kind_name(gs_frame_kind kind)
{
    return kind_names[kind];
}

const char *gs_profile_cell_name(gs_cell_type type)
{
    return cell_names[type];
}

bool gs_profile_find_exit(const char *name, gs_exit_kind *kind)
{
    int found = FIND_NAME(exit_names, name);
    *kind = found < 0 ? GS_EXIT_NONE : (gs_exit_kind)found;
    return found >= 0;
}

bool gs_profile_find_kind(const char *name, gs_frame_kind *kind)
{
    int found = FIND_NAME(kind_names, name);
    *kind = found < 0 ? GS_FRAME_CALL : (gs_frame_kind)found;
    return found >= 0;
}

bool gs_profile_find_cell(const char *name, gs_cell_type *type)
{
    int found = FIND_NAME(cell_names, name);
    *type = found < 0 ? GS_CELL_NONE : (gs_cell_type)found;
    return found >= 0;
}

void gs_profile_column(gs_metric metric, char name[GS_COLUMN_NAME])
{
    sqlite3_snprintf(GS_COLUMN_NAME, name, "%s", gs_metric_key(metric));
    for (char *c = name; *c; c++) {
        if (*c == '-' || *c == ':')
            *c = '_';
    }
}

const char *gs_profile_table_name(gs_profile_table table)
{
    return tables[table].name;
}

char *gs_profile_create_sql(gs_profile_table table)
{
    sqlite3_str *sql = sqlite3_str_new(NULL);
    sqlite3_str_appendf(sql, "CREATE TABLE %s (\n  %s", tables[table].name, tables[table].head);
    for (unsigned i = 0; i < ADDED_COUNT; i++) {
        if (added[i].table == table)
            sqlite3_str_appendf(sql, "%s %s NOT NULL DEFAULT %s,\n  ", added[i].name, added[i].type,
                                added[i].before);
    }
    for (unsigned i = 0; tables[table].metrics && i < GS_METRIC_COUNT; i++) {
        char name[GS_COLUMN_NAME];
        gs_profile_column((gs_metric)i, name);
        sqlite3_str_appendf(sql, "%s INTEGER NOT NULL DEFAULT 0,\n  ", name);
    }
    sqlite3_str_appendall(sql, tables[table].tail);
    return sqlite3_str_finish(sql);
}

char *gs_profile_insert_sql(gs_profile_table table)
{
    sqlite3_str *sql = sqlite3_str_new(NULL);
    unsigned count = 0;
    sqlite3_str_appendf(sql, "INSERT INTO %s (%s", tables[table].name, columns[table] + 2);
    for (const char *c = columns[table]; *c; c++)
        count += *c == ',';
    for (unsigned i = 0; i < ADDED_COUNT; i++) {
        if (added[i].table != table)
            continue;
        sqlite3_str_appendf(sql, ", %s", added[i].name);
        count++;
    }
    for (unsigned i = 0; tables[table].metrics && i < GS_METRIC_COUNT; i++, count++) {
        char name[GS_COLUMN_NAME];
        gs_profile_column((gs_metric)i, name);
        sqlite3_str_appendf(sql, ", %s", name);
    }
    sqlite3_str_appendall(sql, ") VALUES (?");
    for (unsigned i = 1; i < count; i++)
        sqlite3_str_appendall(sql, ", ?");
    sqlite3_str_appendall(sql, ")");
    return sqlite3_str_finish(sql);
}

bool gs_profile_has_column(sqlite3 *db, gs_profile_table table, const char *column)
{
    return sqlite3_table_column_metadata(db, NULL, tables[table].name, column, NULL, NULL, NULL,
                                         NULL, NULL) == SQLITE_OK;
}

char *gs_profile_select_sql(sqlite3 *db, gs_profile_table table)
{
    sqlite3_str *sql = sqlite3_str_new(NULL);
    sqlite3_str_appendf(sql, "SELECT %s", columns[table] + 2);
    for (unsigned i = 0; i < ADDED_COUNT; i++) {
        if (added[i].table == table)
            sqlite3_str_appendf(sql, ", %s",
                                gs_profile_has_column(db, table, added[i].name) ? added[i].name
                                                                                : added[i].before);
    }
    for (unsigned i = 0; tables[table].metrics && i < GS_METRIC_COUNT; i++) {
        char name[GS_COLUMN_NAME];
        gs_profile_column((gs_metric)i, name);
        sqlite3_str_appendf(sql, ", %s", gs_profile_has_column(db, table, name) ? name : "0");
    }
    sqlite3_str_appendf(sql, " FROM main.%s", tables[table].name);
    return sqlite3_str_finish(sql);
}

char *gs_profile_add_columns_sql(sqlite3 *db)
{
    sqlite3_str *sql = sqlite3_str_new(NULL);
    sqlite3_str_appendall(sql, ";");
    for (unsigned i = 0; i < ADDED_COUNT; i++) {
        if (!gs_profile_has_column(db, added[i].table, added[i].name))
            sqlite3_str_appendf(sql, "ALTER TABLE %s ADD COLUMN %s %s NOT NULL DEFAULT %s;",
                                tables[added[i].table].name, added[i].name, added[i].type,
                                added[i].before);
    }
    for (unsigned t = 0; t < GS_TABLE_COUNT; t++) {
        for (unsigned i = 0; tables[t].metrics && i < GS_METRIC_COUNT; i++) {
            char name[GS_COLUMN_NAME];
            gs_profile_column((gs_metric)i, name);
            if (!gs_profile_has_column(db, (gs_profile_table)t, name))
                sqlite3_str_appendf(sql, "ALTER TABLE %s ADD COLUMN %s INTEGER NOT NULL DEFAULT 0;",
                                    tables[t].name, name);
        }
    }
    return sqlite3_str_finish(sql);
}

/* SQLite takes a file that is too short to have a header for an empty database, and would overwrite
 * it. */
static gs_status check_header(const char *path, gs_error *err)
{
    static const char magic[16] = "SQLite format 3";
    char header[sizeof magic];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return gs_fail(err, GS_E_IO, "%s: %s", path, strerror(errno));
    ssize_t size = pread(fd, header, sizeof header, 0);
    close(fd);
    if (size != (ssize_t)sizeof header || memcmp(header, magic, sizeof magic) != 0)
        return gs_fail(err, GS_E_FORMAT, "%s: not a profile file", path);
    return GS_OK;
}

static gs_status check_path(const char *path, bool may_be_new, gs_error *err)
{
    struct stat info;
    if (stat(path, &info) != 0) {
        if (errno == ENOENT && may_be_new)
            return GS_OK;
        if (errno == ENOENT)
            return gs_fail(err, GS_E_NOT_FOUND,
                           "%s: no such file; 'gumshoe run -o FILE PROGRAM' makes one", path);
        return gs_fail(err, GS_E_IO, "%s: %s", path, strerror(errno));
    }
    if (S_ISDIR(info.st_mode))
        return gs_fail(err, GS_E_IO, "%s: is a directory, not a profile file", path);
    if (!S_ISREG(info.st_mode))
        return gs_fail(err, GS_E_IO, "%s: a profile file has to be an ordinary file", path);
    return info.st_size == 0 ? GS_OK : check_header(path, err);
}

gs_status gs_profile_open_database(sqlite3 **out, const char *path, int flags, gs_error *err)
{
    *out = NULL;
    gs_status status = check_path(path, flags & SQLITE_OPEN_CREATE, err);
    if (status != GS_OK)
        return status;
    /* Some names mean something else to SQLite: "", ":memory:", "file:...". */
    char *plain = sqlite3_mprintf("%s%s", path[0] == '/' ? "" : "./", path);
    if (!plain)
        return gs_fail_no_memory(err);
    sqlite3 *db = NULL;
    /* A file is used by one thread at a time: SQLite's locks around every value would be a fifth of
     * the time of loading a run. */
    int code =
        sqlite3_open_v2(plain, &db, flags | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_NOMUTEX, NULL);
    sqlite3_free(plain);
    if (code != SQLITE_OK) {
        status = db ? gs_profile_fail(db, path, err) : gs_fail_no_memory(err);
        sqlite3_close(db);
        return status;
    }
    if (flags & SQLITE_OPEN_READWRITE && (status = gs_journal_check(db, path, err)) != GS_OK) {
        sqlite3_close(db);
        return status;
    }
    sqlite3_extended_result_codes(db, 1);
    sqlite3_busy_timeout(db, BUSY_MS);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, MAX_LENGTH);
    sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, STATEMENT_LENGTH);
    sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
    /* A file from elsewhere must not be able to make us do anything but read its tables. */
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)NULL);
    *out = db;
    return GS_OK;
}

gs_status gs_profile_fail(sqlite3 *db, const char *path, gs_error *err)
{
    int code = sqlite3_errcode(db) & 0xff, system = sqlite3_system_errno(db);
    switch (code) {
    case SQLITE_NOMEM: return gs_fail_no_memory(err);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return gs_fail(err, GS_E_IO, "%s: another process is writing to it; try again later", path);
    case SQLITE_NOTADB: return gs_fail(err, GS_E_FORMAT, "%s: not a profile file", path);
    case SQLITE_FULL: return gs_fail(err, GS_E_IO, "%s: no space left on the device", path);
    case SQLITE_READONLY: return gs_fail(err, GS_E_IO, "%s: cannot be written to", path);
    case SQLITE_CANTOPEN:
    case SQLITE_IOERR:
    case SQLITE_PERM:
        return gs_fail(err, GS_E_IO, "%s: %s", path,
                       system ? strerror(system) : sqlite3_errstr(code));
    default:
        /* SQLite's own text may quote the file, which may have anything in it. */
        return gs_fail(err, GS_E_FORMAT, "%s: damaged (%s)", path, sqlite3_errstr(code));
    }
}

static gs_status read_number(sqlite3 *db, const char *path, const char *sql, int64_t *value,
                             gs_error *err)
{
    sqlite3_stmt *query = NULL;
    gs_status status = GS_OK;
    if (sqlite3_prepare_v2(db, sql, -1, &query, NULL) != SQLITE_OK ||
        sqlite3_step(query) != SQLITE_ROW)
        status = gs_profile_fail(db, path, err);
    else
        *value = sqlite3_column_int64(query, 0);
    sqlite3_finalize(query);
    return status;
}

gs_status gs_profile_check_identity(sqlite3 *db, const char *path, bool *fresh, gs_error *err)
{
    int64_t application = 0, version = 0, things = 0, pages = 0;
    gs_status status = read_number(db, path, "PRAGMA application_id", &application, err);
    if (status == GS_OK)
        status = read_number(db, path, "PRAGMA user_version", &version, err);
    if (status == GS_OK)
        status = read_number(db, path, "SELECT count(*) FROM main.sqlite_schema", &things, err);
    /* An empty database that something else has made is not ours to fill. In a transaction there is
     * a page already. */
    if (status == GS_OK && sqlite3_get_autocommit(db))
        status = read_number(db, path, "PRAGMA page_count", &pages, err);
    if (status != GS_OK)
        return status;
    *fresh = application == 0 && version == 0 && things == 0 && pages == 0;
    if (*fresh)
        return GS_OK;
    if (application != GS_PROFILE_APPLICATION)
        return gs_fail(err, GS_E_FORMAT, "%s: a database, but not a profile file", path);
    if (version > GS_PROFILE_VERSION)
        return gs_fail(err, GS_E_UNSUPPORTED,
                       "%s: made by a newer Gumshoe (version %" PRId64 " of the file, this one "
                       "knows %d); please use that one, or another file",
                       path, version, GS_PROFILE_VERSION);
    if (version < 1)
        return gs_fail(err, GS_E_FORMAT, "%s: damaged (it has version %" PRId64 ")", path, version);
    return GS_OK;
}

gs_status gs_profile_file_check(const char *path, gs_error *err)
{
    if (access(path, F_OK) != 0 && errno == ENOENT) {
        const char *slash = strrchr(path, '/');
        char *folder =
            slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
        if (!folder)
            return gs_fail_no_memory(err);
        bool writable = *path && access(folder, W_OK | X_OK) == 0;
        int reason = errno;
        free(folder);
        return writable ? GS_OK : gs_fail(err, GS_E_IO, "%s: %s", path, strerror(reason));
    }
    sqlite3 *db;
    bool fresh;
    gs_status status = gs_profile_open_database(&db, path, SQLITE_OPEN_READWRITE, err);
    if (status == GS_OK)
        status = gs_profile_check_identity(db, path, &fresh, err);
    if (status == GS_OK && sqlite3_db_readonly(db, "main") == 1)
        status = gs_fail(err, GS_E_IO, "%s: cannot be written to", path);
    sqlite3_close(db);
    return status;
}
