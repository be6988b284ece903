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
#include "profile/profile_journal.h"
#include "profile/profile_reader.h"

enum { STEPS_PER_CALL = 100000 };

static int count_steps(void *self)
{
    gs_profile_file *file = self;
    if (file->steps_left < STEPS_PER_CALL)
        return 1;
    file->steps_left -= STEPS_PER_CALL;
    return 0;
}

static uint64_t size_of(const char *path, const char *ending)
{
    struct stat info;
    char *name = NULL;
    const bool found = asprintf(&name, "%s%s", path, ending) >= 0 && stat(name, &info) == 0;
    free(name);
    return found ? (uint64_t)info.st_size : 0;
}

/* With what has been written ahead. */
void gs_reader_set_limits(gs_profile_file *file)
{
    file->size = size_of(file->path, "") + size_of(file->path, "-wal");
    file->text_left = 2 * file->size;
    file->steps_left = 100 * file->size + ((uint64_t)10 << 20);
}

static void get_run(gs_reader *r, gs_profile_run *run, gs_metrics *total)
{
    run->id = gs_reader_int(r, 1, INT64_MAX);
    run->label = gs_reader_text(r);
    run->program = gs_reader_text(r);
    run->core = gs_reader_text(r);
    run->core_yaml = gs_reader_text(r);
    run->isa = gs_reader_text(r);
    run->environment = gs_reader_text(r);
    run->commit = gs_reader_text(r);
    run->version = gs_reader_text(r);
    run->started = gs_reader_int(r, 0, INT64_MAX);
    r->bad |= !gs_profile_find_exit(gs_reader_look(r), &run->exit);
    run->exit_code = (int)gs_reader_int(r, INT32_MIN, INT32_MAX);
    run->clock_hz = gs_reader_count(r);
    run->desyncs = gs_reader_count(r);
    run->inherited = gs_reader_text(r);
    run->variables = gs_reader_text(r);
    run->region = gs_reader_text(r);
    run->totals_only = gs_reader_int(r, 0, 1) != 0;
    gs_reader_metrics(r, total);
}

static gs_status list_runs(gs_profile_file *file, gs_error *err)
{
    gs_reader r;
    gs_status status = gs_reader_open(&r, file, GS_TABLE_RUN, "ORDER BY id", 0, err);
    int64_t last = 0;
    while (status == GS_OK && gs_reader_next(&r)) {
        listed_run empty = {0};
        if (!gs_vec_push(&file->runs, empty)) {
            r.no_memory = true;
            break;
        }
        listed_run *row = &file->runs.items[file->runs.count - 1];
        get_run(&r, &row->run, &row->total);
        r.bad |= row->run.id <= last;
        last = row->run.id;
        row->info = gs_profile_run_info(&row->run, &row->total);
    }
    return gs_reader_close(&r, status, err);
}

/* A writer that was killed may have left a journal behind; to undo its unfinished transaction
 * SQLite has to write, which it does to a copy: reading a file changes nothing. */
gs_status gs_profile_open_reading(sqlite3 **out, const char *path, bool *fresh, gs_error *err)
{
    gs_status status = gs_profile_open_database(out, path, SQLITE_OPEN_READONLY, err);
    if (status != GS_OK)
        return status;
    status = gs_profile_check_identity(*out, path, fresh, err);
    if (status == GS_OK || (sqlite3_errcode(*out) & 0xff) != SQLITE_READONLY)
        return status;
    sqlite3_close(*out);
    *out = NULL;
    status = gs_journal_open_copy(out, path, err);
    if (status == GS_OK)
        status = gs_profile_check_identity(*out, path, fresh, err);
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
    gs_status status = gs_profile_open_reading(&file->db, file->path, &fresh, err);
    if (status == GS_OK) {
        gs_reader_set_limits(file);
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
    gs_reader r;
    size_t count = 0;
    gs_status status = gs_reader_open(&r, file, GS_TABLE_RUN, "WHERE id = ?", id, err);
    while (status == GS_OK && gs_reader_next(&r)) {
        if (count++ == 0)
            get_run(&r, &p->run, &p->total);
    }
    r.bad |= count != 1 || p->run.id != id;
    return gs_reader_close(&r, status, err);
}

static gs_status load_files(gs_profile *p, gs_profile_file *file, int64_t id, gs_error *err)
{
    gs_reader r;
    gs_status status = gs_reader_open_run(&r, file, GS_TABLE_FILE, "id", id, err);
    while (status == GS_OK && gs_reader_next_of_run(&r)) {
        gs_reader_expect(&r, p->files.count);
        char *path = gs_reader_text(&r);
        if (!path || !gs_vec_push(&p->files, path)) {
            free(path);
            r.no_memory |= path != NULL;
        }
    }
    return gs_reader_close(&r, status, err);
}

/* A range may end where the address space does. */
static bool is_range(uint32_t start, uint32_t end)
{
    return end - 1 >= start;
}

static gs_status load_functions(gs_profile *p, gs_profile_file *file, int64_t id, gs_error *err)
{
    gs_reader r;
    gs_status status = gs_reader_open_run(&r, file, GS_TABLE_FUNCTION, "id", id, err);
    while (status == GS_OK && gs_reader_next_of_run(&r)) {
        gs_profile_function row = {0};
        gs_reader_expect(&r, p->functions.count);
        row.name = gs_reader_text(&r);
        row.start = gs_reader_u32(&r);
        row.end = gs_reader_u32(&r);
        row.file = gs_reader_index(&r, p->files.count);
        row.line = gs_reader_u32(&r);
        size_t count = p->functions.count;
        r.bad |= !is_range(row.start, row.end) ||
                 (count > 0 && p->functions.items[count - 1].start >= row.start);
        if (!row.name || !gs_vec_push(&p->functions, row)) {
            free(row.name);
            r.no_memory |= row.name != NULL;
        }
    }
    return gs_reader_close(&r, status, err);
}

static gs_status load_blocks(gs_profile *p, gs_profile_file *file, int64_t id, gs_error *err)
{
    gs_reader r;
    gs_status status = gs_reader_open_run(&r, file, GS_TABLE_BLOCK, "id", id, err);
    while (status == GS_OK && gs_reader_next_of_run(&r)) {
        gs_profile_block row = {0};
        gs_reader_expect(&r, p->blocks.count);
        row.start = gs_reader_u32(&r);
        row.end = gs_reader_u32(&r);
        row.function = gs_reader_index(&r, p->functions.count);
        row.executions = gs_reader_count(&r);
        size_t count = p->blocks.count;
        r.bad |= !is_range(row.start, row.end) ||
                 (count > 0 && p->blocks.items[count - 1].start >= row.start);
        r.no_memory |= !gs_vec_push(&p->blocks, row);
    }
    return gs_reader_close(&r, status, err);
}

static gs_status load_edges(gs_profile *p, gs_profile_file *file, int64_t id, gs_error *err)
{
    gs_reader r;
    gs_status status = gs_reader_open_run(&r, file, GS_TABLE_EDGE, "from_block, to_block", id, err);
    while (status == GS_OK && gs_reader_next_of_run(&r)) {
        gs_profile_edge row = {0};
        row.from = gs_reader_index(&r, p->blocks.count);
        row.to = gs_reader_index(&r, p->blocks.count);
        row.count = gs_reader_count(&r);
        r.bad |= row.from == GS_PROFILE_NONE || row.to == GS_PROFILE_NONE;
        if (p->edges.count > 0) {
            const gs_profile_edge *last = &p->edges.items[p->edges.count - 1];
            r.bad |= last->from > row.from || (last->from == row.from && last->to >= row.to);
        }
        r.no_memory |= !gs_vec_push(&p->edges, row);
    }
    return gs_reader_close(&r, status, err);
}

static gs_status load_loops(gs_profile *p, gs_profile_file *file, int64_t id, gs_error *err)
{
    gs_reader r;
    gs_status status = gs_reader_open_run(&r, file, GS_TABLE_LOOP, "id", id, err);
    while (status == GS_OK && gs_reader_next_of_run(&r)) {
        gs_profile_loop row = {0};
        gs_reader_expect(&r, p->loops.count);
        row.header = gs_reader_u32(&r);
        row.function = gs_reader_index(&r, p->functions.count);
        row.parent = gs_reader_index(&r, UINT32_MAX);
        row.depth = gs_reader_u32(&r);
        row.entries = gs_reader_count(&r);
        row.iterations = gs_reader_count(&r);
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
    return gs_reader_close(&r, status, err);
}

/* NULL: not known, which is 0 here. */
static uint64_t get_trips(gs_reader *r)
{
    if (sqlite3_column_type(r->query, r->next) != SQLITE_NULL)
        return (uint64_t)gs_reader_int(r, 1, INT64_MAX);
    gs_reader_skip(r);
    return 0;
}

/* Files from before there was this table know nothing of what loops called. */
static gs_status load_loop_totals(gs_profile *p, gs_profile_file *file, int64_t id, gs_error *err)
{
    gs_reader r;
    size_t at = 0;
    if (!gs_reader_has_table(file, GS_TABLE_LOOP_TOTAL))
        return GS_OK;
    gs_status status = gs_reader_open_run(&r, file, GS_TABLE_LOOP_TOTAL, "loop", id, err);
    while (status == GS_OK && gs_reader_next_of_run(&r)) {
        gs_reader_expect(&r, at);
        r.bad |= at >= p->loops.count;
        if (r.bad)
            break;
        gs_profile_loop *loop = &p->loops.items[at++];
        loop->min_trips = get_trips(&r);
        loop->max_trips = get_trips(&r);
        gs_reader_metrics(&r, &loop->inclusive);
        r.bad |=
            loop->min_trips > loop->max_trips || (loop->min_trips == 0) != (loop->max_trips == 0);
    }
    r.bad |= at != 0 && at != p->loops.count;
    return gs_reader_close(&r, status, err);
}

/* Only of runs with --timeline. */
static gs_status load_timeline(gs_profile *p, gs_profile_file *file, int64_t id, gs_error *err)
{
    gs_reader r;
    if (!gs_reader_has_table(file, GS_TABLE_TIMELINE))
        return GS_OK;
    gs_status status = gs_reader_open_run(&r, file, GS_TABLE_TIMELINE, "id", id, err);
    while (status == GS_OK && gs_reader_next_of_run(&r)) {
        gs_profile_moment row = {0};
        gs_reader_expect(&r, p->timeline.count);
        row.start = gs_reader_count(&r);
        row.end = gs_reader_count(&r);
        row.function = gs_reader_index(&r, p->functions.count);
        gs_reader_metrics(&r, &row.cost);
        r.bad |= row.start >= row.end;
        if (p->timeline.count > 0) {
            const gs_profile_moment *last = &p->timeline.items[p->timeline.count - 1];
            bool same = row.start == last->start && row.end == last->end;
            r.bad |= same ? row.function <= last->function : row.start < last->end;
        }
        r.no_memory |= !gs_vec_push(&p->timeline, row);
    }
    return gs_reader_close(&r, status, err);
}

/* Only of runs of programs that set any. */
static gs_status load_markers(gs_profile *p, gs_profile_file *file, int64_t id, gs_error *err)
{
    gs_reader r;
    if (!gs_reader_has_table(file, GS_TABLE_MARKER))
        return GS_OK;
    gs_status status = gs_reader_open_run(&r, file, GS_TABLE_MARKER, "id", id, err);
    while (status == GS_OK && gs_reader_next_of_run(&r)) {
        gs_marker row = {0};
        gs_reader_expect(&r, p->markers.count);
        row.value = gs_reader_u32(&r);
        row.instruction = gs_reader_count(&r);
        row.cycle = gs_reader_count(&r);
        if (p->markers.count > 0) {
            const gs_marker *last = &p->markers.items[p->markers.count - 1];
            r.bad |= row.instruction <= last->instruction || row.cycle < last->cycle;
        }
        r.bad |= p->markers.count == GS_PROFILE_MARKERS;
        r.no_memory |= !gs_vec_push(&p->markers, row);
    }
    return gs_reader_close(&r, status, err);
}

static gs_status load_insns(gs_profile *p, gs_profile_file *file, int64_t id, gs_error *err)
{
    gs_reader r;
    gs_status status = gs_reader_open_run(&r, file, GS_TABLE_INSN, "pc", id, err);
    while (status == GS_OK && gs_reader_next_of_run(&r)) {
        gs_profile_insn row = {.inlined = GS_PROFILE_NONE};
        row.pc = gs_reader_u32(&r);
        row.word = gs_reader_u32(&r);
        row.length = (uint8_t)gs_reader_int(&r, 1, 16);
        row.function = gs_reader_index(&r, p->functions.count);
        row.file = gs_reader_index(&r, p->files.count);
        row.line = gs_reader_u32(&r);
        row.block = gs_reader_index(&r, p->blocks.count);
        row.loop = gs_reader_index(&r, p->loops.count);
        row.text = gs_reader_text(&r);
        row.executions = gs_reader_count(&r);
        row.taken = gs_reader_count(&r);
        gs_reader_metrics(&r, &row.cost);
        size_t count = p->insns.count;
        r.bad |=
            row.taken > row.executions || (count > 0 && p->insns.items[count - 1].pc >= row.pc);
        if (!row.text || !gs_vec_push(&p->insns, row)) {
            free(row.text);
            r.no_memory |= row.text != NULL;
        }
    }
    return gs_reader_close(&r, status, err);
}

/* Files from before threads were told apart have no such table. */
static gs_status load_threads(gs_profile *p, gs_profile_file *file, int64_t id, gs_error *err)
{
    gs_reader r;
    if (!gs_reader_has_table(file, GS_TABLE_THREAD))
        return GS_OK;
    gs_status status = gs_reader_open_run(&r, file, GS_TABLE_THREAD, "id", id, err);
    while (status == GS_OK && gs_reader_next_of_run(&r)) {
        gs_profile_thread row = {0};
        gs_reader_expect(&r, p->threads.count);
        const bool named = gs_profile_thread_set_name(&row, gs_reader_text(&r));
        row.function = gs_reader_index(&r, p->functions.count);
        row.sp = gs_reader_u32(&r);
        if (!named || !gs_vec_push(&p->threads, row)) {
            r.no_memory |= row.name != NULL;
            free(row.name);
            free(row.label);
        }
    }
    return gs_reader_close(&r, status, err);
}

static gs_status load_switches(gs_profile *p, gs_profile_file *file, int64_t id, gs_error *err)
{
    gs_reader r;
    if (!gs_reader_has_table(file, GS_TABLE_THREAD_SWITCH))
        return GS_OK;
    gs_status status =
        gs_reader_open_run(&r, file, GS_TABLE_THREAD_SWITCH, "from_thread, to_thread", id, err);
    while (status == GS_OK && gs_reader_next_of_run(&r)) {
        gs_profile_switch row = {0};
        row.from = gs_reader_index(&r, p->threads.count);
        row.to = gs_reader_index(&r, p->threads.count);
        row.count = gs_reader_count(&r);
        r.bad |= row.from == GS_PROFILE_NONE || row.to == GS_PROFILE_NONE;
        if (!r.bad)
            r.no_memory |= !gs_vec_push(&p->switches, row);
    }
    return gs_reader_close(&r, status, err);
}

/* The root stands for all threads if there are any; theirs are the nodes behind it. */
static bool is_in_place(const gs_profile *p, const gs_profile_node *node)
{
    const size_t at = p->nodes.count, threads = p->threads.count;
    const bool of_threads = threads > 0 && at <= threads;
    if ((node->parent == GS_PROFILE_NONE) != (at == 0) ||
        (node->kind == GS_FRAME_THREAD) != of_threads)
        return false;
    return !of_threads || (node->function == GS_PROFILE_NONE && (at == 0 || node->parent == 0));
}

static gs_status load_nodes(gs_profile *p, gs_profile_file *file, int64_t id, gs_error *err)
{
    gs_reader r;
    gs_status status = gs_reader_open_run(&r, file, GS_TABLE_NODE, "id", id, err);
    while (status == GS_OK && gs_reader_next_of_run(&r)) {
        gs_profile_node row = {0};
        gs_reader_expect(&r, p->nodes.count);
        row.parent = gs_reader_index(&r, p->nodes.count);
        row.function = gs_reader_index(&r, p->functions.count);
        row.site = gs_reader_u32(&r);
        r.bad |= !gs_profile_find_kind(gs_reader_look(&r), &row.kind);
        row.calls = gs_reader_count(&r);
        gs_reader_metrics(&r, &row.self);
        r.bad |= !is_in_place(p, &row);
        row.thread = row.kind == GS_FRAME_THREAD && p->nodes.count > 0
                         ? (uint32_t)p->nodes.count - 1
                         : GS_PROFILE_NONE;
        r.no_memory |= !gs_vec_push(&p->nodes, row);
    }
    return gs_reader_close(&r, status, err);
}

/* Files from before inlined calls were kept have no such tables. */
static gs_status load_inlined_calls(gs_profile *p, gs_profile_file *file, int64_t id, gs_error *err)
{
    gs_reader r;
    if (!gs_reader_has_table(file, GS_TABLE_INLINED_CALL))
        return GS_OK;
    gs_status status = gs_reader_open_run(&r, file, GS_TABLE_INLINED_CALL, "id", id, err);
    while (status == GS_OK && gs_reader_next_of_run(&r)) {
        gs_profile_inline row = {0};
        gs_reader_expect(&r, p->inlines.count);
        row.function = gs_reader_text(&r);
        row.outer = gs_reader_index(&r, p->inlines.count);
        row.call_file = gs_reader_index(&r, p->files.count);
        row.call_line = gs_reader_u32(&r);
        if (!row.function || !gs_vec_push(&p->inlines, row)) {
            free(row.function);
            r.no_memory |= row.function != NULL;
        }
    }
    return gs_reader_close(&r, status, err);
}

static gs_status load_inlined_insns(gs_profile *p, gs_profile_file *file, int64_t id, gs_error *err)
{
    gs_reader r;
    size_t at = 0;
    if (!gs_reader_has_table(file, GS_TABLE_INLINED_INSN))
        return GS_OK;
    gs_status status = gs_reader_open_run(&r, file, GS_TABLE_INLINED_INSN, "pc", id, err);
    while (status == GS_OK && gs_reader_next_of_run(&r)) {
        uint32_t pc = gs_reader_u32(&r);
        uint32_t inlined = gs_reader_index(&r, p->inlines.count);
        while (at < p->insns.count && p->insns.items[at].pc < pc)
            at++;
        r.bad |= at >= p->insns.count || p->insns.items[at].pc != pc || inlined == GS_PROFILE_NONE;
        if (!r.bad)
            p->insns.items[at++].inlined = inlined;
    }
    return gs_reader_close(&r, status, err);
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
        load_run,     load_files,         load_functions,     load_blocks,
        load_edges,   load_loops,         load_loop_totals,   load_timeline,
        load_markers, load_insns,         load_threads,       load_switches,
        load_nodes,   load_inlined_calls, load_inlined_insns, gs_profile_load_units,
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
    gs_reader_set_limits(file);
    for (size_t i = 0; i < sizeof parts / sizeof *parts && status == GS_OK; i++) {
        status = parts[i](profile, file, run->id, err);
        if (status == GS_OK && profile->run.totals_only)
            status = gs_fail(err, GS_E_UNSUPPORTED,
                             "%s: run %" PRId64 " is a point of a sweep, of which there are totals "
                             "only: 'gumshoe sweep report %s' compares the points, and 'gumshoe "
                             "run' with the settings of one records all of it",
                             file->path, run->id, file->path);
    }
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
