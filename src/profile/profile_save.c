/* Appends a profile to a file as one transaction; creates and extends the tables. */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "profile/profile_file.h"

/* A statement that inserts rows into one table, and the parameter that is bound next. */
typedef struct writer {
    sqlite3 *db;
    sqlite3_stmt *insert;
    int next;
    int code; /* the first failure */
} writer;

static int run_sql(sqlite3 *db, const char *sql)
{
    return sql ? sqlite3_exec(db, sql, NULL, NULL, NULL) : SQLITE_NOMEM;
}

/* All that are not there yet: a file from before a table was invented gets it, too. */
static int create_tables(sqlite3 *db)
{
    int code = SQLITE_OK;
    for (unsigned i = 0; i < GS_TABLE_COUNT && code == SQLITE_OK; i++) {
        if (gs_profile_has_column(db, (gs_profile_table)i, NULL))
            continue;
        char *sql = gs_profile_create_sql((gs_profile_table)i);
        code = run_sql(db, sql);
        sqlite3_free(sql);
    }
    return code;
}

static int set_identity(sqlite3 *db)
{
    char identity[100];
    sqlite3_snprintf(sizeof identity, identity,
                     "PRAGMA application_id = %d; PRAGMA user_version = %d", GS_PROFILE_APPLICATION,
                     GS_PROFILE_VERSION);
    return run_sql(db, identity);
}

/* A file from before a metric was counted, or a column was added, gets it. */
static int add_columns(sqlite3 *db)
{
    char *sql = gs_profile_add_columns_sql(db);
    int code = run_sql(db, sql);
    sqlite3_free(sql);
    return code;
}

int gs_profile_prepare(sqlite3 *db, bool fresh)
{
    int code = create_tables(db);
    return code != SQLITE_OK ? code : fresh ? set_identity(db) : add_columns(db);
}

static void open_writer(writer *w, sqlite3 *db, gs_profile_table table)
{
    char *sql = gs_profile_insert_sql(table);
    *w = (writer){.db = db, .next = 1, .code = SQLITE_NOMEM};
    if (sql)
        w->code = sqlite3_prepare_v2(db, sql, -1, &w->insert, NULL);
    sqlite3_free(sql);
}

static int close_writer(writer *w)
{
    sqlite3_finalize(w->insert);
    return w->code;
}

static void put_null(writer *w)
{
    if (w->code == SQLITE_OK)
        w->code = sqlite3_bind_null(w->insert, w->next++);
}

static void put_int(writer *w, int64_t value)
{
    if (w->code == SQLITE_OK)
        w->code = sqlite3_bind_int64(w->insert, w->next++, value);
}

/* SQLite's integers have a sign. No run lasts 2^63 cycles. */
static void put_count(writer *w, uint64_t value)
{
    put_int(w, value <= INT64_MAX ? (int64_t)value : INT64_MAX);
}

static void put_index(writer *w, uint32_t index)
{
    if (index == GS_PROFILE_NONE)
        put_null(w);
    else
        put_int(w, index);
}

static void put_text(writer *w, const char *text)
{
    if (w->code == SQLITE_OK)
        w->code = sqlite3_bind_text(w->insert, w->next++, text, -1, SQLITE_STATIC);
}

static void put_real(writer *w, double value)
{
    if (w->code == SQLITE_OK)
        w->code = sqlite3_bind_double(w->insert, w->next++, value);
}

static void put_metrics(writer *w, const gs_metrics *metrics)
{
    for (unsigned i = 0; i < GS_METRIC_COUNT; i++)
        put_count(w, metrics->value[i]);
}

static void end_row(writer *w)
{
    if (w->code == SQLITE_OK)
        w->code = sqlite3_step(w->insert);
    if (w->code == SQLITE_DONE)
        w->code = sqlite3_reset(w->insert);
    w->next = 1;
}

/* *id: as wanted, or 0 for the next free one. */
static int save_run(sqlite3 *db, const gs_profile *profile, int64_t *id)
{
    const gs_profile_run *run = &profile->run;
    writer w;
    open_writer(&w, db, GS_TABLE_RUN);
    if (*id)
        put_int(&w, *id);
    else
        put_null(&w);
    put_text(&w, run->label);
    put_text(&w, run->program);
    put_text(&w, run->core);
    put_text(&w, run->core_yaml);
    put_text(&w, run->isa);
    put_text(&w, run->environment);
    put_text(&w, run->commit);
    put_text(&w, run->version);
    put_int(&w, run->started);
    put_text(&w, gs_profile_exit_name(run->exit));
    put_int(&w, run->exit_code);
    put_count(&w, run->clock_hz);
    put_count(&w, run->desyncs);
    put_text(&w, run->inherited);
    put_text(&w, run->variables);
    put_text(&w, run->region);
    put_int(&w, run->totals_only);
    put_metrics(&w, &profile->total);
    end_row(&w);
    *id = sqlite3_last_insert_rowid(db);
    return close_writer(&w);
}

int gs_profile_save_totals(sqlite3 *db, const gs_profile_run *run, const gs_metrics *total,
                           int64_t *id)
{
    const gs_profile profile = {.run = *run, .total = *total};
    return save_run(db, &profile, id);
}

static int save_files(sqlite3 *db, const gs_profile *profile, int64_t run)
{
    writer w;
    open_writer(&w, db, GS_TABLE_FILE);
    for (size_t i = 0; i < profile->files.count && w.code == SQLITE_OK; i++) {
        put_int(&w, run);
        put_int(&w, (int64_t)i);
        put_text(&w, profile->files.items[i]);
        end_row(&w);
    }
    return close_writer(&w);
}

static int save_functions(sqlite3 *db, const gs_profile *profile, int64_t run)
{
    writer w;
    open_writer(&w, db, GS_TABLE_FUNCTION);
    for (size_t i = 0; i < profile->functions.count && w.code == SQLITE_OK; i++) {
        const gs_profile_function *function = &profile->functions.items[i];
        put_int(&w, run);
        put_int(&w, (int64_t)i);
        put_text(&w, function->name);
        put_int(&w, function->start);
        put_int(&w, function->end);
        put_index(&w, function->file);
        put_int(&w, function->line);
        end_row(&w);
    }
    return close_writer(&w);
}

static int save_blocks(sqlite3 *db, const gs_profile *profile, int64_t run)
{
    writer w;
    open_writer(&w, db, GS_TABLE_BLOCK);
    for (size_t i = 0; i < profile->blocks.count && w.code == SQLITE_OK; i++) {
        const gs_profile_block *block = &profile->blocks.items[i];
        put_int(&w, run);
        put_int(&w, (int64_t)i);
        put_int(&w, block->start);
        put_int(&w, block->end);
        put_index(&w, block->function);
        put_count(&w, block->executions);
        end_row(&w);
    }
    return close_writer(&w);
}

static int save_edges(sqlite3 *db, const gs_profile *profile, int64_t run)
{
    writer w;
    open_writer(&w, db, GS_TABLE_EDGE);
    for (size_t i = 0; i < profile->edges.count && w.code == SQLITE_OK; i++) {
        const gs_profile_edge *edge = &profile->edges.items[i];
        put_int(&w, run);
        put_int(&w, edge->from);
        put_int(&w, edge->to);
        put_count(&w, edge->count);
        end_row(&w);
    }
    return close_writer(&w);
}

static int save_loops(sqlite3 *db, const gs_profile *profile, int64_t run)
{
    writer w;
    open_writer(&w, db, GS_TABLE_LOOP);
    for (size_t i = 0; i < profile->loops.count && w.code == SQLITE_OK; i++) {
        const gs_profile_loop *loop = &profile->loops.items[i];
        put_int(&w, run);
        put_int(&w, (int64_t)i);
        put_int(&w, loop->header);
        put_index(&w, loop->function);
        put_index(&w, loop->parent);
        put_int(&w, loop->depth);
        put_count(&w, loop->entries);
        put_count(&w, loop->iterations);
        end_row(&w);
    }
    return close_writer(&w);
}

static void put_trips(writer *w, uint64_t trips)
{
    if (trips)
        put_count(w, trips);
    else
        put_null(w);
}

static int save_loop_totals(sqlite3 *db, const gs_profile *profile, int64_t run)
{
    writer w;
    open_writer(&w, db, GS_TABLE_LOOP_TOTAL);
    for (size_t i = 0; i < profile->loops.count && w.code == SQLITE_OK; i++) {
        const gs_profile_loop *loop = &profile->loops.items[i];
        put_int(&w, run);
        put_int(&w, (int64_t)i);
        put_trips(&w, loop->min_trips);
        put_trips(&w, loop->max_trips);
        put_metrics(&w, &loop->inclusive);
        end_row(&w);
    }
    return close_writer(&w);
}

static int save_timeline(sqlite3 *db, const gs_profile *profile, int64_t run)
{
    writer w;
    open_writer(&w, db, GS_TABLE_TIMELINE);
    for (size_t i = 0; i < profile->timeline.count && w.code == SQLITE_OK; i++) {
        const gs_profile_moment *moment = &profile->timeline.items[i];
        put_int(&w, run);
        put_int(&w, (int64_t)i);
        put_count(&w, moment->start);
        put_count(&w, moment->end);
        put_index(&w, moment->function);
        put_metrics(&w, &moment->cost);
        end_row(&w);
    }
    return close_writer(&w);
}

static int save_markers(sqlite3 *db, const gs_profile *profile, int64_t run)
{
    writer w;
    open_writer(&w, db, GS_TABLE_MARKER);
    for (size_t i = 0; i < profile->markers.count && w.code == SQLITE_OK; i++) {
        const gs_marker *marker = &profile->markers.items[i];
        put_int(&w, run);
        put_int(&w, (int64_t)i);
        put_int(&w, marker->value);
        put_count(&w, marker->instruction);
        put_count(&w, marker->cycle);
        end_row(&w);
    }
    return close_writer(&w);
}

static int save_insns(sqlite3 *db, const gs_profile *profile, int64_t run)
{
    writer w;
    open_writer(&w, db, GS_TABLE_INSN);
    for (size_t i = 0; i < profile->insns.count && w.code == SQLITE_OK; i++) {
        const gs_profile_insn *insn = &profile->insns.items[i];
        put_int(&w, run);
        put_int(&w, insn->pc);
        put_int(&w, insn->word);
        put_int(&w, insn->length);
        put_index(&w, insn->function);
        put_index(&w, insn->file);
        put_int(&w, insn->line);
        put_index(&w, insn->block);
        put_index(&w, insn->loop);
        put_text(&w, insn->text);
        put_count(&w, insn->executions);
        put_count(&w, insn->taken);
        put_metrics(&w, &insn->cost);
        end_row(&w);
    }
    return close_writer(&w);
}

static int save_nodes(sqlite3 *db, const gs_profile *profile, int64_t run)
{
    writer w;
    open_writer(&w, db, GS_TABLE_NODE);
    for (size_t i = 0; i < profile->nodes.count && w.code == SQLITE_OK; i++) {
        const gs_profile_node *node = &profile->nodes.items[i];
        put_int(&w, run);
        put_int(&w, (int64_t)i);
        put_index(&w, node->parent);
        put_index(&w, node->function);
        put_int(&w, node->site);
        put_text(&w, gs_profile_kind_name(node->kind));
        put_count(&w, node->calls);
        put_metrics(&w, &node->self);
        end_row(&w);
    }
    return close_writer(&w);
}

static int save_threads(sqlite3 *db, const gs_profile *profile, int64_t run)
{
    writer w;
    open_writer(&w, db, GS_TABLE_THREAD);
    for (size_t i = 0; i < profile->threads.count && w.code == SQLITE_OK; i++) {
        const gs_profile_thread *thread = &profile->threads.items[i];
        put_int(&w, run);
        put_int(&w, (int64_t)i);
        put_text(&w, thread->name);
        put_index(&w, thread->function);
        put_int(&w, thread->sp);
        end_row(&w);
    }
    int code = close_writer(&w);
    if (code != SQLITE_OK)
        return code;
    open_writer(&w, db, GS_TABLE_THREAD_SWITCH);
    for (size_t i = 0; i < profile->switches.count && w.code == SQLITE_OK; i++) {
        const gs_profile_switch *row = &profile->switches.items[i];
        put_int(&w, run);
        put_int(&w, row->from);
        put_int(&w, row->to);
        put_count(&w, row->count);
        end_row(&w);
    }
    return close_writer(&w);
}

static int save_inlines(sqlite3 *db, const gs_profile *profile, int64_t run)
{
    writer w;
    open_writer(&w, db, GS_TABLE_INLINED_CALL);
    for (size_t i = 0; i < profile->inlines.count && w.code == SQLITE_OK; i++) {
        const gs_profile_inline *call = &profile->inlines.items[i];
        put_int(&w, run);
        put_int(&w, (int64_t)i);
        put_text(&w, call->function);
        put_index(&w, call->outer);
        put_index(&w, call->call_file);
        put_int(&w, call->call_line);
        end_row(&w);
    }
    int code = close_writer(&w);
    if (code != SQLITE_OK)
        return code;
    open_writer(&w, db, GS_TABLE_INLINED_INSN);
    for (size_t i = 0; i < profile->insns.count && w.code == SQLITE_OK; i++) {
        const gs_profile_insn *insn = &profile->insns.items[i];
        if (insn->inlined == GS_PROFILE_NONE)
            continue;
        put_int(&w, run);
        put_int(&w, insn->pc);
        put_int(&w, insn->inlined);
        end_row(&w);
    }
    return close_writer(&w);
}

static int save_units(sqlite3 *db, const gs_profile *profile, int64_t run)
{
    writer w;
    open_writer(&w, db, GS_TABLE_UNIT);
    for (size_t i = 0; i < profile->units.count && w.code == SQLITE_OK; i++) {
        put_int(&w, run);
        put_int(&w, (int64_t)i);
        put_text(&w, profile->units.items[i]->kind);
        put_text(&w, profile->units.items[i]->options);
        end_row(&w);
    }
    return close_writer(&w);
}

static int save_unit_tables(sqlite3 *db, const gs_profile *profile, int64_t run)
{
    writer w;
    open_writer(&w, db, GS_TABLE_UNIT_TABLE);
    for (size_t i = 0; i < profile->units.count && w.code == SQLITE_OK; i++) {
        int64_t number = 0;
        for (const gs_result_table *t = profile->units.items[i]->tables; t; t = t->next) {
            put_int(&w, run);
            put_int(&w, (int64_t)i);
            put_int(&w, number++);
            put_text(&w, t->key);
            put_text(&w, t->title ? t->title : "");
            put_int(&w, t->hidden);
            put_int(&w, t->whole);
            end_row(&w);
        }
    }
    return close_writer(&w);
}

/* How the numbers of a column are written. */
static gs_cell_type kind_of_column(const gs_result_table *table, size_t column)
{
    gs_cell_type kind = GS_CELL_NONE;
    for (size_t row = 0; row < table->row_count; row++) {
        gs_cell_type type = table->cells[row * table->column_count + column].type;
        if (type != GS_CELL_NONE && type != GS_CELL_TEXT)
            return type;
        if (type == GS_CELL_TEXT)
            kind = type;
    }
    return kind;
}

static void save_columns(writer *w, int64_t run, size_t unit, int64_t number,
                         const gs_result_table *table)
{
    for (size_t i = 0; i < table->column_count; i++) {
        put_int(w, run);
        put_int(w, (int64_t)unit);
        put_int(w, number);
        put_int(w, (int64_t)i);
        put_text(w, table->columns[i].key);
        put_text(w, table->columns[i].head);
        put_text(w, gs_profile_cell_name(kind_of_column(table, i)));
        end_row(w);
    }
}

static int save_unit_columns(sqlite3 *db, const gs_profile *profile, int64_t run)
{
    writer w;
    open_writer(&w, db, GS_TABLE_UNIT_COLUMN);
    for (size_t i = 0; i < profile->units.count && w.code == SQLITE_OK; i++) {
        int64_t number = 0;
        for (const gs_result_table *t = profile->units.items[i]->tables; t; t = t->next)
            save_columns(&w, run, i, number++, t);
    }
    return close_writer(&w);
}

static void put_cell(writer *w, const gs_cell *cell)
{
    switch (cell->type) {
    case GS_CELL_TEXT: put_text(w, cell->text); break;
    case GS_CELL_COUNT: put_count(w, cell->count); break;
    case GS_CELL_DIFFERENCE: put_int(w, cell->difference); break;
    case GS_CELL_REAL:
    case GS_CELL_SHARE: put_real(w, cell->real); break;
    case GS_CELL_ADDRESS: put_int(w, cell->address); break;
    case GS_CELL_NONE: break;
    }
}

static void save_cell(writer *w, int64_t run, size_t unit, const char *section, size_t row,
                      const char *name, const gs_cell *cell)
{
    put_int(w, run);
    put_int(w, (int64_t)unit);
    put_text(w, section);
    put_int(w, (int64_t)row);
    put_text(w, name);
    put_cell(w, cell);
    end_row(w);
}

static void save_table(writer *w, int64_t run, size_t unit, const gs_result_table *table)
{
    for (size_t row = 0; row < table->row_count && w->code == SQLITE_OK; row++) {
        for (size_t i = 0; i < table->column_count; i++) {
            const gs_cell *cell = &table->cells[row * table->column_count + i];
            if (cell->type != GS_CELL_NONE)
                save_cell(w, run, unit, table->key, row, table->columns[i].key, cell);
        }
    }
}

static int save_unit_cells(sqlite3 *db, const gs_profile *profile, int64_t run)
{
    writer w;
    open_writer(&w, db, GS_TABLE_UNIT_CELL);
    for (size_t i = 0; i < profile->units.count && w.code == SQLITE_OK; i++) {
        const gs_result *result = profile->units.items[i];
        for (const gs_result_table *table = result->tables; table; table = table->next)
            save_table(&w, run, i, table);
        size_t row = 0;
        for (const gs_remark *remark = result->remarks; remark; remark = remark->next) {
            gs_cell cell = {.type = GS_CELL_TEXT, .text = remark->text};
            save_cell(&w, run, i, GS_PROFILE_REMARKS, row++, GS_PROFILE_REMARK_COLUMN, &cell);
        }
    }
    return close_writer(&w);
}

static int save_all(sqlite3 *db, const gs_profile *profile, bool fresh, int64_t *id)
{
    static int (*const parts[])(sqlite3 *, const gs_profile *, int64_t) = {
        save_files, save_functions,   save_blocks,       save_edges,
        save_loops, save_loop_totals, save_timeline,     save_markers,
        save_insns, save_threads,     save_nodes,        save_inlines,
        save_units, save_unit_tables, save_unit_columns, save_unit_cells,
    };
    int code = gs_profile_prepare(db, fresh);
    if (code == SQLITE_OK)
        code = save_run(db, profile, id);
    for (size_t i = 0; i < sizeof parts / sizeof *parts && code == SQLITE_OK; i++)
        code = parts[i](db, profile, *id);
    return code;
}

/* Appends to the file at `path`; complaints call it `name`. */
static gs_status append(const gs_profile *profile, const char *path, const char *name,
                        int64_t *run_id, gs_error *err)
{
    sqlite3 *db;
    gs_status status =
        gs_profile_open_database(&db, path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err);
    if (status != GS_OK)
        return status;
    int64_t id = 0;
    bool fresh;
    /* A file that was switched to write-ahead logging would be three files; and what SQLite sorts
     * needs no other file. */
    sqlite3_exec(db, "PRAGMA journal_mode = DELETE; PRAGMA temp_store = MEMORY", NULL, NULL, NULL);
    if (sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK) {
        status = gs_profile_fail(db, name, err);
        goto out;
    }
    status = gs_profile_check_identity(db, name, &fresh, err);
    if (status != GS_OK)
        goto out;
    if (save_all(db, profile, fresh, &id) != SQLITE_OK ||
        sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK)
        status = gs_profile_fail(db, name, err);
    else if (run_id)
        *run_id = id;
out:
    sqlite3_close(db); /* rolls back what is not committed */
    return status;
}

/* A new file gets its name when it is complete. Another process may have made one meanwhile. */
static gs_status make_file(const gs_profile *profile, const char *path, int64_t *run_id,
                           gs_error *err)
{
    char *draft = sqlite3_mprintf("%s.%lld-%p", path, (long long)getpid(), (const void *)profile);
    if (!draft)
        return gs_fail_no_memory(err);
    gs_status status = append(profile, draft, path, run_id, err);
    if (status == GS_OK && link(draft, path) != 0) {
        if (errno == EEXIST)
            status = append(profile, path, path, run_id, err);
        else if (rename(draft, path) != 0) /* no links on this file system */
            status = gs_fail(err, GS_E_IO, "%s: %s", path, strerror(errno));
    }
    unlink(draft);
    sqlite3_free(draft);
    return status;
}

gs_status gs_profile_save(const gs_profile *profile, const char *path, int64_t *run_id,
                          gs_error *err)
{
    bool is_new = access(path, F_OK) != 0 && errno == ENOENT;
    return is_new ? make_file(profile, path, run_id, err)
                  : append(profile, path, path, run_id, err);
}
