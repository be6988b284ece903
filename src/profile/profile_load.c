/*
 * Reading trusts nothing: a row is taken only if its number is the next one, its indices lie
 * within their tables and its counts are not negative, and a profile only if its instructions and
 * its call paths both add up to its totals. Work and memory are bounded by the size of the file,
 * because a damaged B-tree can present the same page again and again.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/vec.h"
#include "profile/profile_file.h"

enum { STEPS_PER_CALL = 100000 };

typedef struct listed_run {
    gs_profile_run run;
    gs_metrics total;
    gs_run_info info; /* borrows from `run` */
} listed_run;

struct gs_profile_file {
    sqlite3 *db;
    char *path;
    uint64_t size;
    uint64_t steps_left; /* of SQLite's machine */
    uint64_t text_left;  /* bytes */
    struct {
        listed_run *items;
        size_t count, capacity;
    } runs;
};

/* The rows of a table, and the column that is read next. */
typedef struct reader {
    gs_profile_file *file;
    sqlite3_stmt *query;
    const char *table;
    int next;
    bool bad, no_memory;
} reader;

static int count_steps(void *self)
{
    gs_profile_file *file = self;
    if (file->steps_left < STEPS_PER_CALL)
        return 1;
    file->steps_left -= STEPS_PER_CALL;
    return 0;
}

/* For listing the runs, and for every one that is loaded. */
static void set_limits(gs_profile_file *file)
{
    file->text_left = 2 * file->size;
    file->steps_left = 100 * file->size + ((uint64_t)10 << 20);
}

/* Hostile files have views and virtual tables where tables should be. */
static bool is_table(sqlite3 *db, gs_profile_table table)
{
    sqlite3_stmt *query = NULL;
    bool good =
        sqlite3_prepare_v2(db,
                           "SELECT count(*) FROM main.sqlite_schema "
                           "WHERE name = ? AND type = 'table' AND rootpage > 1",
                           -1, &query, NULL) == SQLITE_OK &&
        sqlite3_bind_text(query, 1, gs_profile_table_name(table), -1, SQLITE_STATIC) == SQLITE_OK &&
        sqlite3_step(query) == SQLITE_ROW && sqlite3_column_int(query, 0) == 1;
    sqlite3_finalize(query);
    return good;
}

/* `rest` goes behind the SELECT. */
static gs_status open_reader(reader *r, gs_profile_file *file, gs_profile_table table,
                             const char *rest, int64_t run, gs_error *err)
{
    *r = (reader){.file = file, .table = gs_profile_table_name(table)};
    if (!is_table(file->db, table))
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

/* True if there is another row. */
static bool next_row(reader *r)
{
    r->next = 0;
    return !r->bad && !r->no_memory && sqlite3_step(r->query) == SQLITE_ROW;
}

/* After the last row. */
static gs_status close_reader(reader *r, gs_status status, gs_error *err)
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

static int64_t get_int(reader *r, int64_t least, int64_t most)
{
    int column = r->next++;
    int64_t value = sqlite3_column_int64(r->query, column);
    if (sqlite3_column_type(r->query, column) == SQLITE_INTEGER && value >= least && value <= most)
        return value;
    r->bad = true;
    return least;
}

static uint64_t get_count(reader *r)
{
    return (uint64_t)get_int(r, 0, INT64_MAX);
}

static uint32_t get_u32(reader *r)
{
    return (uint32_t)get_int(r, 0, UINT32_MAX);
}

/* Below `count`, or none. */
static uint32_t get_index(reader *r, size_t count)
{
    if (sqlite3_column_type(r->query, r->next) == SQLITE_NULL) {
        r->next++;
        return GS_PROFILE_NONE;
    }
    return (uint32_t)get_int(r, 0, (int64_t)count - 1);
}

/* The row's number has to be the one that comes next. */
static void expect_number(reader *r, size_t number)
{
    if (get_int(r, 0, UINT32_MAX - 1) != (int64_t)number)
        r->bad = true;
}

static void skip(reader *r)
{
    r->next++;
}

/* Never NULL to look at; NULL to keep if the row is bad. */
static const char *look_text(reader *r)
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

static char *get_text(reader *r)
{
    const char *text = look_text(r);
    size_t size = strlen(text) + 1;
    if (r->bad || size > r->file->text_left) {
        r->bad = true;
        return NULL;
    }
    r->file->text_left -= size;
    char *copy = strdup(text);
    r->no_memory |= !copy;
    return copy;
}

static void get_metrics(reader *r, gs_metrics *metrics)
{
    for (unsigned i = 0; i < GS_METRIC_COUNT; i++)
        metrics->value[i] = get_count(r);
}

static void get_run(reader *r, gs_profile_run *run, gs_metrics *total)
{
    run->id = get_int(r, 1, INT64_MAX);
    run->label = get_text(r);
    run->program = get_text(r);
    run->core = get_text(r);
    run->core_yaml = get_text(r);
    run->isa = get_text(r);
    run->environment = get_text(r);
    run->commit = get_text(r);
    run->version = get_text(r);
    run->started = get_int(r, 0, INT64_MAX);
    r->bad |= !gs_profile_find_exit(look_text(r), &run->exit);
    run->exit_code = (int)get_int(r, INT32_MIN, INT32_MAX);
    run->clock_hz = get_count(r);
    run->desyncs = get_count(r);
    get_metrics(r, total);
}

static gs_run_info info_of(const gs_profile_run *run, const gs_metrics *total)
{
    return (gs_run_info){
        .id = run->id,
        .label = run->label,
        .program = run->program,
        .core = run->core,
        .isa = run->isa,
        .environment = run->environment,
        .commit = run->commit,
        .version = run->version,
        .started = run->started,
        .exit = run->exit,
        .exit_code = run->exit_code,
        .clock_hz = run->clock_hz,
        .cycles = total->value[GS_METRIC_CYCLES],
        .instructions = total->value[GS_METRIC_INSTRUCTIONS],
    };
}

static gs_status list_runs(gs_profile_file *file, gs_error *err)
{
    reader r;
    gs_status status = open_reader(&r, file, GS_TABLE_RUN, "ORDER BY id", 0, err);
    int64_t last = 0;
    while (status == GS_OK && next_row(&r)) {
        listed_run empty = {0};
        if (!gs_vec_push(&file->runs, empty)) {
            r.no_memory = true;
            break;
        }
        listed_run *row = &file->runs.items[file->runs.count - 1];
        get_run(&r, &row->run, &row->total);
        r.bad |= row->run.id <= last;
        last = row->run.id;
        row->info = info_of(&row->run, &row->total);
    }
    return close_reader(&r, status, err);
}

/* A writer that was killed may have left a journal behind; to undo its half-done transaction SQLite
 * has to write. */
static gs_status open_reading(gs_profile_file *file, bool *fresh, gs_error *err)
{
    gs_status status = gs_profile_open_database(&file->db, file->path, SQLITE_OPEN_READONLY, err);
    if (status != GS_OK)
        return status;
    status = gs_profile_check_identity(file->db, file->path, fresh, err);
    if (status == GS_OK || (sqlite3_errcode(file->db) & 0xff) != SQLITE_READONLY)
        return status;
    sqlite3_close(file->db);
    status = gs_profile_open_database(&file->db, file->path, SQLITE_OPEN_READWRITE, err);
    if (status == GS_OK)
        status = gs_profile_check_identity(file->db, file->path, fresh, err);
    return status;
}

gs_status gs_profile_file_open(gs_profile_file **out, const char *path, gs_error *err)
{
    *out = NULL;
    gs_profile_file *file = calloc(1, sizeof *file);
    if (!file || !(file->path = strdup(path))) {
        free(file);
        return gs_fail_no_memory(err);
    }
    bool fresh = false;
    struct stat info = {0};
    gs_status status = open_reading(file, &fresh, err);
    if (status == GS_OK) {
        file->size = stat(path, &info) == 0 ? (uint64_t)info.st_size : 0;
        set_limits(file);
        sqlite3_progress_handler(file->db, STEPS_PER_CALL, count_steps, file);
        sqlite3_exec(file->db, "PRAGMA cell_size_check = ON; PRAGMA query_only = ON", NULL, NULL,
                     NULL);
        if (!fresh)
            status = list_runs(file, err);
    }
    if (status != GS_OK) {
        gs_profile_file_free(file);
        return status;
    }
    *out = file;
    return GS_OK;
}

void gs_profile_file_free(gs_profile_file *file)
{
    if (!file)
        return;
    for (size_t i = 0; i < file->runs.count; i++)
        gs_profile_run_clear(&file->runs.items[i].run);
    free(file->runs.items);
    sqlite3_close(file->db);
    free(file->path);
    free(file);
}

size_t gs_profile_file_run_count(const gs_profile_file *file)
{
    return file->runs.count;
}

const gs_run_info *gs_profile_file_run(const gs_profile_file *file, size_t index)
{
    return &file->runs.items[index].info;
}

const char *gs_profile_file_path(const gs_profile_file *file)
{
    return file->path;
}

const gs_run_info *gs_profile_file_find(const gs_profile_file *file, const char *which)
{
    if (file->runs.count == 0)
        return NULL;
    if (strcmp(which, "last") == 0)
        return &file->runs.items[file->runs.count - 1].info;
    char *end;
    int64_t id = strtoll(which, &end, 10);
    bool is_number = *which && *end == '\0';
    for (size_t i = file->runs.count; i > 0; i--) {
        const gs_run_info *run = &file->runs.items[i - 1].info;
        if (is_number ? run->id == id : *which && strcmp(run->label, which) == 0)
            return run;
    }
    return NULL;
}

static gs_status load_run(gs_profile *p, gs_profile_file *file, int64_t id, gs_error *err)
{
    reader r;
    size_t count = 0;
    gs_status status = open_reader(&r, file, GS_TABLE_RUN, "WHERE id = ?", id, err);
    while (status == GS_OK && next_row(&r)) {
        if (count++ == 0)
            get_run(&r, &p->run, &p->total);
    }
    r.bad |= count != 1 || p->run.id != id;
    return close_reader(&r, status, err);
}

static gs_status load_files(gs_profile *p, gs_profile_file *file, int64_t id, gs_error *err)
{
    reader r;
    gs_status status = open_reader(&r, file, GS_TABLE_FILE, "WHERE run = ? ORDER BY id", id, err);
    while (status == GS_OK && next_row(&r)) {
        skip(&r);
        expect_number(&r, p->files.count);
        char *path = get_text(&r);
        if (!path || !gs_vec_push(&p->files, path)) {
            free(path);
            r.no_memory |= path != NULL;
        }
    }
    return close_reader(&r, status, err);
}

/* A range may end where the address space does. */
static bool is_range(uint32_t start, uint32_t end)
{
    return end - 1 >= start;
}

static gs_status load_functions(gs_profile *p, gs_profile_file *file, int64_t id, gs_error *err)
{
    reader r;
    gs_status status =
        open_reader(&r, file, GS_TABLE_FUNCTION, "WHERE run = ? ORDER BY id", id, err);
    while (status == GS_OK && next_row(&r)) {
        gs_profile_function row = {0};
        skip(&r);
        expect_number(&r, p->functions.count);
        row.name = get_text(&r);
        row.start = get_u32(&r);
        row.end = get_u32(&r);
        row.file = get_index(&r, p->files.count);
        row.line = get_u32(&r);
        size_t count = p->functions.count;
        r.bad |= !is_range(row.start, row.end) ||
                 (count > 0 && p->functions.items[count - 1].start >= row.start);
        if (!row.name || !gs_vec_push(&p->functions, row)) {
            free(row.name);
            r.no_memory |= row.name != NULL;
        }
    }
    return close_reader(&r, status, err);
}

static gs_status load_blocks(gs_profile *p, gs_profile_file *file, int64_t id, gs_error *err)
{
    reader r;
    gs_status status = open_reader(&r, file, GS_TABLE_BLOCK, "WHERE run = ? ORDER BY id", id, err);
    while (status == GS_OK && next_row(&r)) {
        gs_profile_block row = {0};
        skip(&r);
        expect_number(&r, p->blocks.count);
        row.start = get_u32(&r);
        row.end = get_u32(&r);
        row.function = get_index(&r, p->functions.count);
        row.executions = get_count(&r);
        size_t count = p->blocks.count;
        r.bad |= !is_range(row.start, row.end) ||
                 (count > 0 && p->blocks.items[count - 1].start >= row.start);
        r.no_memory |= !gs_vec_push(&p->blocks, row);
    }
    return close_reader(&r, status, err);
}

static gs_status load_edges(gs_profile *p, gs_profile_file *file, int64_t id, gs_error *err)
{
    reader r;
    gs_status status = open_reader(&r, file, GS_TABLE_EDGE,
                                   "WHERE run = ? ORDER BY from_block, to_block", id, err);
    while (status == GS_OK && next_row(&r)) {
        gs_profile_edge row = {0};
        skip(&r);
        row.from = get_index(&r, p->blocks.count);
        row.to = get_index(&r, p->blocks.count);
        row.count = get_count(&r);
        r.bad |= row.from == GS_PROFILE_NONE || row.to == GS_PROFILE_NONE;
        if (p->edges.count > 0) {
            const gs_profile_edge *last = &p->edges.items[p->edges.count - 1];
            r.bad |= last->from > row.from || (last->from == row.from && last->to >= row.to);
        }
        r.no_memory |= !gs_vec_push(&p->edges, row);
    }
    return close_reader(&r, status, err);
}

static gs_status load_loops(gs_profile *p, gs_profile_file *file, int64_t id, gs_error *err)
{
    reader r;
    gs_status status = open_reader(&r, file, GS_TABLE_LOOP, "WHERE run = ? ORDER BY id", id, err);
    while (status == GS_OK && next_row(&r)) {
        gs_profile_loop row = {0};
        skip(&r);
        expect_number(&r, p->loops.count);
        row.header = get_u32(&r);
        row.function = get_index(&r, p->functions.count);
        row.parent = get_index(&r, UINT32_MAX);
        row.depth = get_u32(&r);
        row.entries = get_count(&r);
        row.iterations = get_count(&r);
        r.no_memory |= !gs_vec_push(&p->loops, row);
    }
    /* A parent may come later. Depths that count up along the parents leave no room for a circle.
     */
    for (size_t i = 0; i < p->loops.count && !r.bad; i++) {
        const gs_profile_loop *loop = &p->loops.items[i];
        if (loop->parent == GS_PROFILE_NONE)
            r.bad = loop->depth != 1;
        else
            r.bad = loop->parent >= p->loops.count || loop->depth < 2 ||
                    p->loops.items[loop->parent].depth != loop->depth - 1;
    }
    return close_reader(&r, status, err);
}

/* NULL: not known, which is 0 here. */
static uint64_t get_trips(reader *r)
{
    if (sqlite3_column_type(r->query, r->next) != SQLITE_NULL)
        return (uint64_t)get_int(r, 1, INT64_MAX);
    skip(r);
    return 0;
}

/* Files from before there was this table know nothing of what loops called. */
static gs_status load_loop_totals(gs_profile *p, gs_profile_file *file, int64_t id, gs_error *err)
{
    reader r;
    size_t at = 0;
    if (!is_table(file->db, GS_TABLE_LOOP_TOTAL))
        return GS_OK;
    gs_status status =
        open_reader(&r, file, GS_TABLE_LOOP_TOTAL, "WHERE run = ? ORDER BY loop", id, err);
    while (status == GS_OK && next_row(&r)) {
        skip(&r);
        expect_number(&r, at);
        r.bad |= at >= p->loops.count;
        if (r.bad)
            break;
        gs_profile_loop *loop = &p->loops.items[at++];
        loop->min_trips = get_trips(&r);
        loop->max_trips = get_trips(&r);
        get_metrics(&r, &loop->inclusive);
        r.bad |=
            loop->min_trips > loop->max_trips || (loop->min_trips == 0) != (loop->max_trips == 0);
    }
    r.bad |= at != 0 && at != p->loops.count;
    return close_reader(&r, status, err);
}

/* Only of runs with --timeline. */
static gs_status load_timeline(gs_profile *p, gs_profile_file *file, int64_t id, gs_error *err)
{
    reader r;
    if (!is_table(file->db, GS_TABLE_TIMELINE))
        return GS_OK;
    gs_status status =
        open_reader(&r, file, GS_TABLE_TIMELINE, "WHERE run = ? ORDER BY id", id, err);
    while (status == GS_OK && next_row(&r)) {
        gs_profile_moment row = {0};
        skip(&r);
        expect_number(&r, p->timeline.count);
        row.start = get_count(&r);
        row.end = get_count(&r);
        row.function = get_index(&r, p->functions.count);
        get_metrics(&r, &row.cost);
        r.bad |= row.start >= row.end;
        if (p->timeline.count > 0) {
            const gs_profile_moment *last = &p->timeline.items[p->timeline.count - 1];
            bool same = row.start == last->start && row.end == last->end;
            r.bad |= same ? row.function <= last->function : row.start < last->end;
        }
        r.no_memory |= !gs_vec_push(&p->timeline, row);
    }
    return close_reader(&r, status, err);
}

static gs_status load_insns(gs_profile *p, gs_profile_file *file, int64_t id, gs_error *err)
{
    reader r;
    gs_status status = open_reader(&r, file, GS_TABLE_INSN, "WHERE run = ? ORDER BY pc", id, err);
    while (status == GS_OK && next_row(&r)) {
        gs_profile_insn row = {.inlined = GS_PROFILE_NONE};
        skip(&r);
        row.pc = get_u32(&r);
        row.word = get_u32(&r);
        row.length = (uint8_t)get_int(&r, 1, 16);
        row.function = get_index(&r, p->functions.count);
        row.file = get_index(&r, p->files.count);
        row.line = get_u32(&r);
        row.block = get_index(&r, p->blocks.count);
        row.loop = get_index(&r, p->loops.count);
        row.text = get_text(&r);
        row.executions = get_count(&r);
        row.taken = get_count(&r);
        get_metrics(&r, &row.cost);
        size_t count = p->insns.count;
        r.bad |=
            row.taken > row.executions || (count > 0 && p->insns.items[count - 1].pc >= row.pc);
        if (!row.text || !gs_vec_push(&p->insns, row)) {
            free(row.text);
            r.no_memory |= row.text != NULL;
        }
    }
    return close_reader(&r, status, err);
}

static gs_status load_nodes(gs_profile *p, gs_profile_file *file, int64_t id, gs_error *err)
{
    reader r;
    gs_status status = open_reader(&r, file, GS_TABLE_NODE, "WHERE run = ? ORDER BY id", id, err);
    while (status == GS_OK && next_row(&r)) {
        gs_profile_node row = {0};
        skip(&r);
        expect_number(&r, p->nodes.count);
        row.parent = get_index(&r, p->nodes.count);
        row.function = get_index(&r, p->functions.count);
        row.site = get_u32(&r);
        r.bad |= !gs_profile_find_kind(look_text(&r), &row.kind);
        row.calls = get_count(&r);
        get_metrics(&r, &row.self);
        r.bad |= (row.parent == GS_PROFILE_NONE) != (p->nodes.count == 0);
        r.no_memory |= !gs_vec_push(&p->nodes, row);
    }
    return close_reader(&r, status, err);
}

/* Files from before inlined calls were kept have no such tables. */
static gs_status load_inlined_calls(gs_profile *p, gs_profile_file *file, int64_t id, gs_error *err)
{
    reader r;
    if (!is_table(file->db, GS_TABLE_INLINED_CALL))
        return GS_OK;
    gs_status status =
        open_reader(&r, file, GS_TABLE_INLINED_CALL, "WHERE run = ? ORDER BY id", id, err);
    while (status == GS_OK && next_row(&r)) {
        gs_profile_inline row = {0};
        skip(&r);
        expect_number(&r, p->inlines.count);
        row.function = get_text(&r);
        row.outer = get_index(&r, p->inlines.count);
        row.call_file = get_index(&r, p->files.count);
        row.call_line = get_u32(&r);
        if (!row.function || !gs_vec_push(&p->inlines, row)) {
            free(row.function);
            r.no_memory |= row.function != NULL;
        }
    }
    return close_reader(&r, status, err);
}

static gs_status load_inlined_insns(gs_profile *p, gs_profile_file *file, int64_t id, gs_error *err)
{
    reader r;
    size_t at = 0;
    if (!is_table(file->db, GS_TABLE_INLINED_INSN))
        return GS_OK;
    gs_status status =
        open_reader(&r, file, GS_TABLE_INLINED_INSN, "WHERE run = ? ORDER BY pc", id, err);
    while (status == GS_OK && next_row(&r)) {
        skip(&r);
        uint32_t pc = get_u32(&r);
        uint32_t inlined = get_index(&r, p->inlines.count);
        while (at < p->insns.count && p->insns.items[at].pc < pc)
            at++;
        r.bad |= at >= p->insns.count || p->insns.items[at].pc != pc || inlined == GS_PROFILE_NONE;
        if (!r.bad)
            p->insns.items[at++].inlined = inlined;
    }
    return close_reader(&r, status, err);
}

static gs_status check_sums(const gs_profile *p, const gs_profile_file *file, gs_error *err)
{
    gs_metrics insns = {0}, nodes = {0}, moments = {0};
    for (size_t i = 0; i < p->insns.count; i++)
        gs_metrics_add(&insns, &p->insns.items[i].cost);
    for (size_t i = 0; i < p->nodes.count; i++)
        gs_metrics_add(&nodes, &p->nodes.items[i].self);
    for (size_t i = 0; i < p->timeline.count; i++)
        gs_metrics_add(&moments, &p->timeline.items[i].cost);
    if (p->timeline.count == 0)
        moments = p->total;
    for (unsigned i = 0; i < GS_METRIC_COUNT; i++) {
        if (insns.value[i] != p->total.value[i] || nodes.value[i] != p->total.value[i] ||
            moments.value[i] != p->total.value[i])
            return gs_fail(err, GS_E_FORMAT, "%s: damaged (run %" PRId64 "'s %s do not add up)",
                           file->path, p->run.id, gs_metric_key((gs_metric)i));
    }
    return GS_OK;
}

gs_status gs_profile_file_load(gs_profile **out, gs_profile_file *file, const char *which,
                               gs_error *err)
{
    static gs_status (*const parts[])(gs_profile *, gs_profile_file *, int64_t, gs_error *) = {
        load_run,   load_files, load_functions,     load_blocks,
        load_edges, load_loops, load_loop_totals,   load_timeline,
        load_insns, load_nodes, load_inlined_calls, load_inlined_insns,
    };
    *out = NULL;
    const gs_run_info *run = gs_profile_file_find(file, which);
    if (file->runs.count == 0)
        return gs_fail(err, GS_E_NOT_FOUND, "%s: there is no run in it", file->path);
    if (!run)
        return gs_fail(err, GS_E_NOT_FOUND,
                       "%s: no run has the number or label '%s'; 'gumshoe runs' lists them",
                       file->path, which);
    gs_profile *profile = calloc(1, sizeof *profile);
    if (!profile)
        return gs_fail_no_memory(err);
    gs_status status = GS_OK;
    set_limits(file);
    for (size_t i = 0; i < sizeof parts / sizeof *parts && status == GS_OK; i++)
        status = parts[i](profile, file, run->id, err);
    if (status == GS_OK)
        status = check_sums(profile, file, err);
    if (status != GS_OK) {
        gs_profile_free(profile);
        return status;
    }
    *out = profile;
    return GS_OK;
}

gs_status gs_profile_load(gs_profile **out, const char *path, const char *which, gs_error *err)
{
    gs_profile_file *file;
    *out = NULL;
    gs_status status = gs_profile_file_open(&file, path, err);
    if (status == GS_OK)
        status = gs_profile_file_load(out, file, which, err);
    gs_profile_file_free(file);
    return status;
}
