/* Makes the rows of each view (functions, call paths, loops, lines, ...), sorts and cuts them. */
#include "report/views.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec.h"
#include "report/names.h"
#include "report/paths.h"

static const gs_view_field fields[GS_REPORT_BY_COUNT][12] = {
    [GS_REPORT_BY_FUNCTION] = {GS_VIEW_FUNCTION, GS_VIEW_FILE, GS_VIEW_LINE, GS_VIEW_ADDRESS,
                               GS_VIEW_CALLS},
    [GS_REPORT_BY_CALL] = {GS_VIEW_ID, GS_VIEW_PARENT, GS_VIEW_DEPTH, GS_VIEW_FUNCTION,
                           GS_VIEW_CALLS},
    [GS_REPORT_BY_LINE] = {GS_VIEW_FILE, GS_VIEW_LINE, GS_VIEW_FUNCTION, GS_VIEW_EXECUTIONS},
    [GS_REPORT_BY_LOOP] = {GS_VIEW_FUNCTION, GS_VIEW_FILE, GS_VIEW_LINE, GS_VIEW_ADDRESS,
                           GS_VIEW_DEPTH, GS_VIEW_AROUND, GS_VIEW_ENTRIES, GS_VIEW_ITERATIONS,
                           GS_VIEW_MIN_TRIPS, GS_VIEW_MEAN_TRIPS, GS_VIEW_MAX_TRIPS},
    [GS_REPORT_BY_BLOCK] = {GS_VIEW_FUNCTION, GS_VIEW_FILE, GS_VIEW_LINE, GS_VIEW_ADDRESS,
                            GS_VIEW_END, GS_VIEW_EXECUTIONS},
    [GS_REPORT_BY_INSTRUCTION] = {GS_VIEW_FUNCTION, GS_VIEW_FILE, GS_VIEW_LINE, GS_VIEW_ADDRESS,
                                  GS_VIEW_TEXT, GS_VIEW_EXECUTIONS, GS_VIEW_TAKEN},
    [GS_REPORT_BY_STALL] = {GS_VIEW_CAUSE, GS_VIEW_FUNCTION},
    [GS_REPORT_BY_THREAD] = {GS_VIEW_THREAD, GS_VIEW_FUNCTION, GS_VIEW_FILE, GS_VIEW_LINE,
                             GS_VIEW_SWITCHES, GS_VIEW_HANDLERS},
};

/* The same with inlined calls, where that makes a difference. */
static const gs_view_field inline_fields[GS_REPORT_BY_COUNT][10] = {
    [GS_REPORT_BY_CALL] = {GS_VIEW_ID, GS_VIEW_PARENT, GS_VIEW_DEPTH, GS_VIEW_FUNCTION,
                           GS_VIEW_IS_INLINED, GS_VIEW_ESTIMATED, GS_VIEW_CALLS},
    [GS_REPORT_BY_LINE] = {GS_VIEW_FILE, GS_VIEW_LINE, GS_VIEW_FUNCTION, GS_VIEW_INLINED,
                           GS_VIEW_EXECUTIONS},
};

const char *gs_view_field_name(gs_view_field field)
{
    static const char *const names[] = {
        [GS_VIEW_ID] = "id",
        [GS_VIEW_PARENT] = "parent",
        [GS_VIEW_DEPTH] = "depth",
        [GS_VIEW_AROUND] = "outer",
        [GS_VIEW_CAUSE] = "cause",
        [GS_VIEW_THREAD] = "thread",
        [GS_VIEW_FUNCTION] = "function",
        [GS_VIEW_INLINED] = "inlined",
        [GS_VIEW_IS_INLINED] = "inlined",
        [GS_VIEW_ESTIMATED] = "estimated",
        [GS_VIEW_FILE] = "file",
        [GS_VIEW_LINE] = "line",
        [GS_VIEW_ADDRESS] = "address",
        [GS_VIEW_END] = "end",
        [GS_VIEW_TEXT] = "instruction",
        [GS_VIEW_CALLS] = "calls",
        [GS_VIEW_SWITCHES] = "switches",
        [GS_VIEW_HANDLERS] = "in_handlers",
        [GS_VIEW_ENTRIES] = "entries",
        [GS_VIEW_ITERATIONS] = "iterations",
        [GS_VIEW_MIN_TRIPS] = "min_trips",
        [GS_VIEW_MEAN_TRIPS] = "mean_trips",
        [GS_VIEW_MAX_TRIPS] = "max_trips",
        [GS_VIEW_EXECUTIONS] = "executions",
        [GS_VIEW_TAKEN] = "taken",
    };
    return names[field];
}

/* `count` empty rows. */
static bool make_rows(gs_view *view, size_t count)
{
    view->items = calloc(count ? count : 1, sizeof *view->items);
    view->count = view->capacity = view->items ? count : 0;
    for (size_t i = 0; i < view->count; i++) {
        gs_view_row *row = &view->items[i];
        row->parent = row->function = row->file = row->inlined = GS_PROFILE_NONE;
    }
    return view->items != NULL;
}

static bool has_cost(const gs_metrics *cost)
{
    for (unsigned i = 0; i < GS_METRIC_COUNT; i++) {
        if (cost->value[i])
            return true;
    }
    return false;
}

/* What `index` is, or the number of the extra row for everything unknown. */
static size_t or_last(uint32_t index, size_t count)
{
    return index < count ? index : count;
}

/* The last row is for what belongs to nothing; it goes if nothing does. */
static void drop_empty_last(gs_view *view)
{
    const gs_view_row *last = &view->items[view->count - 1];
    if (!has_cost(&last->self) && !has_cost(&last->inclusive) && last->count == 0)
        view->count--;
}

/*
 * Of the activations of a function with all they called, the outermost of a recursion counts.
 * Code that belongs to its caller's frame, such as the millicode that saves registers, has no
 * activations; what it includes is at least itself.
 */
static bool add_activations(gs_view *view, const gs_profile *profile, gs_error *err)
{
    size_t functions = profile->functions.count, count;
    gs_path *paths;
    if (gs_paths_open(&paths, &count, profile, view->metric, false, err) != GS_OK)
        return false;
    uint32_t *active = calloc(functions + 1, sizeof *active);
    for (size_t i = 0; active && i < count; i++) {
        const gs_path *path = &paths[i];
        size_t at = or_last(path->function, functions);
        const bool is_thread = gs_report_is_thread(profile, path->function);
        view->items[at].count += path->calls;
        if (active[at] == 0 && !is_thread)
            gs_metrics_add(&view->items[at].inclusive, &path->inclusive);
        active[at] += !is_thread;
        /* The next path is a part of this one, or ends it and some of those around it. */
        uint32_t depth = i + 1 < count ? paths[i + 1].depth : 0;
        for (uint32_t up = (uint32_t)i; up != GS_PROFILE_NONE && paths[up].depth >= depth;
             up = paths[up].parent)
            active[or_last(paths[up].function, functions)] -=
                !gs_report_is_thread(profile, paths[up].function);
    }
    bool good = active || count == 0;
    free(active);
    free(paths);
    if (!good)
        gs_fail_no_memory(err);
    return good;
}

static bool view_functions(gs_view *view, const gs_profile *profile, gs_error *err)
{
    size_t functions = profile->functions.count;
    if (!make_rows(view, functions + 1)) {
        gs_fail_no_memory(err);
        return false;
    }
    for (size_t i = 0; i < functions; i++) {
        const gs_profile_function *function = &profile->functions.items[i];
        view->items[i].function = (uint32_t)i;
        view->items[i].file = function->file;
        view->items[i].line = function->line;
        view->items[i].address = function->start;
        view->items[i].end = function->end;
    }
    for (size_t i = 0; i < profile->insns.count; i++) {
        const gs_profile_insn *insn = &profile->insns.items[i];
        gs_metrics_add(&view->items[or_last(insn->function, functions)].self, &insn->cost);
    }
    if (!add_activations(view, profile, err))
        return false;
    for (size_t i = 0; i <= functions; i++) {
        gs_view_row *row = &view->items[i];
        for (unsigned m = 0; m < GS_METRIC_COUNT; m++) {
            if (row->inclusive.value[m] < row->self.value[m])
                row->inclusive.value[m] = row->self.value[m];
        }
    }
    drop_empty_last(view);
    return true;
}

static bool view_calls(gs_view *view, const gs_profile *profile, gs_error *err)
{
    size_t count;
    gs_path *paths;
    if (gs_paths_open(&paths, &count, profile, view->metric, view->inlines, err) != GS_OK)
        return false;
    if (!make_rows(view, count)) {
        free(paths);
        gs_fail_no_memory(err);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        gs_view_row *row = &view->items[i];
        row->id = (uint32_t)i;
        row->parent = paths[i].parent;
        row->depth = paths[i].depth;
        row->function = paths[i].function;
        row->estimated = paths[i].estimated;
        row->count = paths[i].calls;
        row->self = paths[i].self;
        row->inclusive = paths[i].inclusive;
    }
    free(paths);
    return true;
}

static int by_place(const void *a, const void *b, void *view)
{
    const gs_profile_insn *x = *(const gs_profile_insn *const *)a;
    const gs_profile_insn *y = *(const gs_profile_insn *const *)b;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    if (((const gs_view *)view)->inlines && x->inlined != y->inlined)
        return x->inlined < y->inlined ? -1 : 1;
    return (x->pc > y->pc) - (x->pc < y->pc);
}

/* Of the functions a line is in, the one in which it costs most. Instructions come by address. */
static void find_function(gs_view_row *row, const gs_profile_insn *const *insns, size_t count,
                          gs_metric metric)
{
    uint64_t most = 0, sum = 0;
    row->function = insns[0]->function;
    for (size_t i = 0; i < count; i++) {
        bool first = i == 0 || insns[i]->function != insns[i - 1]->function;
        row->others |= first && i > 0;
        sum = (first ? 0 : sum) + insns[i]->cost.value[metric];
        if (sum > most) {
            most = sum;
            row->function = insns[i]->function;
        }
    }
}

static bool is_same_line(const gs_view *view, const gs_profile_insn *x, const gs_profile_insn *y)
{
    return x->file == y->file && x->line == y->line && (!view->inlines || x->inlined == y->inlined);
}

/* A line was executed as often as the most executed of its instructions. */
static bool view_lines(gs_view *view, const gs_profile *profile, gs_error *err)
{
    size_t count = profile->insns.count;
    const gs_profile_insn **order = calloc(count ? count : 1, sizeof *order);
    bool good = order != NULL;
    for (size_t i = 0; good && i < count; i++)
        order[i] = &profile->insns.items[i];
    if (good)
        qsort_r(order, count, sizeof *order, by_place, view);
    for (size_t from = 0, to; good && from < count; from = to) {
        const gs_profile_insn *insn = order[from];
        gs_view_row row = {.parent = GS_PROFILE_NONE,
                           .inlined = view->inlines ? insn->inlined : GS_PROFILE_NONE,
                           .file = insn->file,
                           .line = insn->line,
                           .address = insn->pc};
        for (to = from; to < count && is_same_line(view, insn, order[to]); to++) {
            gs_metrics_add(&row.self, &order[to]->cost);
            if (row.count < order[to]->executions)
                row.count = order[to]->executions;
        }
        find_function(&row, order + from, to - from, view->metric);
        good = gs_vec_push(view, row);
    }
    free(order);
    if (!good)
        gs_fail_no_memory(err);
    return good;
}

static void place_at(gs_view_row *row, const gs_profile *profile, uint32_t pc)
{
    const gs_profile_insn *insn = gs_profile_insn_at(profile, pc);
    row->address = pc;
    if (insn) {
        row->file = insn->file;
        row->line = insn->line;
    }
}

/* Of a run from before loops knew what they called, the inclusive cost of a loop is its own and
 * that of the loops in it. */
static bool knows_calls(const gs_profile *profile)
{
    for (size_t i = 0; i < profile->loops.count; i++) {
        if (has_cost(&profile->loops.items[i].inclusive))
            return true;
    }
    return false;
}

static void add_to_loops_around(gs_view *view, const gs_profile *profile,
                                const gs_profile_insn *insn)
{
    size_t loops = profile->loops.count, at = insn->loop;
    /* No nest is deeper than there are loops: a damaged file must not make this endless. */
    for (size_t step = 0; at < loops && step < loops; step++) {
        gs_metrics_add(&view->items[at].inclusive, &insn->cost);
        at = profile->loops.items[at].parent;
    }
}

static bool view_loops(gs_view *view, const gs_profile *profile, gs_error *err)
{
    size_t loops = profile->loops.count;
    if (!make_rows(view, loops + 1)) {
        gs_fail_no_memory(err);
        return false;
    }
    for (size_t i = 0; i < loops; i++) {
        const gs_profile_loop *loop = &profile->loops.items[i];
        gs_view_row *row = &view->items[i];
        row->function = loop->function;
        row->depth = loop->depth;
        if (loop->parent != GS_PROFILE_NONE)
            row->around = profile->loops.items[loop->parent].header;
        row->count = loop->iterations;
        row->other = loop->entries;
        row->min_trips = loop->min_trips;
        row->max_trips = loop->max_trips;
        row->inclusive = loop->inclusive;
        place_at(row, profile, loop->header);
    }
    bool complete = knows_calls(profile);
    for (size_t i = 0; i < profile->insns.count; i++) {
        const gs_profile_insn *insn = &profile->insns.items[i];
        size_t at = or_last(insn->loop, loops);
        gs_metrics_add(&view->items[at].self, &insn->cost);
        if (!complete)
            add_to_loops_around(view, profile, insn);
    }
    view->items[loops].inclusive = view->items[loops].self;
    view->items[loops].text = "(outside loops)";
    drop_empty_last(view);
    return true;
}

static bool view_blocks(gs_view *view, const gs_profile *profile, gs_error *err)
{
    size_t blocks = profile->blocks.count;
    if (!make_rows(view, blocks + 1)) {
        gs_fail_no_memory(err);
        return false;
    }
    for (size_t i = 0; i < blocks; i++) {
        const gs_profile_block *block = &profile->blocks.items[i];
        gs_view_row *row = &view->items[i];
        row->function = block->function;
        row->end = block->end;
        row->count = block->executions;
        place_at(row, profile, block->start);
    }
    for (size_t i = 0; i < profile->insns.count; i++) {
        const gs_profile_insn *insn = &profile->insns.items[i];
        gs_metrics_add(&view->items[or_last(insn->block, blocks)].self, &insn->cost);
    }
    view->items[blocks].text = "(outside blocks)";
    drop_empty_last(view);
    return true;
}

static bool view_instructions(gs_view *view, const gs_profile *profile, gs_error *err)
{
    if (!make_rows(view, profile->insns.count)) {
        gs_fail_no_memory(err);
        return false;
    }
    for (size_t i = 0; i < profile->insns.count; i++) {
        const gs_profile_insn *insn = &profile->insns.items[i];
        view->items[i] = (gs_view_row){
            .parent = GS_PROFILE_NONE,
            .inlined = GS_PROFILE_NONE,
            .function = insn->function,
            .file = insn->file,
            .line = insn->line,
            .address = insn->pc,
            .end = insn->pc + insn->length,
            .text = insn->text,
            .count = insn->executions,
            .other = insn->taken,
            .self = insn->cost,
        };
    }
    return true;
}

/* Every cycle is one in which something was issued, or was lost to one cause. */
static bool view_stalls(gs_view *view, const gs_profile *profile, gs_error *err)
{
    gs_view by_function = *view;
    bool good = view_functions(&by_function, profile, err);
    if (good && !make_rows(view, GS_METRIC_COUNT - GS_METRIC_FIRST_STALL + 1)) {
        gs_fail_no_memory(err);
        good = false;
    }
    if (!good) {
        gs_view_close(&by_function);
        return false;
    }
    uint64_t issued = profile->total.value[GS_METRIC_CYCLES];
    for (unsigned m = GS_METRIC_FIRST_STALL; m < GS_METRIC_COUNT; m++) {
        gs_view_row *row = &view->items[m - GS_METRIC_FIRST_STALL];
        uint64_t most = 0;
        row->text = gs_metric_key((gs_metric)m) + strlen("stall:");
        row->self.value[GS_METRIC_CYCLES] = profile->total.value[m];
        issued -= profile->total.value[m];
        for (size_t i = 0; i < by_function.count; i++) {
            if (by_function.items[i].self.value[m] > most) {
                most = by_function.items[i].self.value[m];
                row->function = by_function.items[i].function;
            }
        }
    }
    gs_view_row *rest = &view->items[view->count - 1];
    uint64_t most = 0;
    rest->text = "none";
    rest->self.value[GS_METRIC_CYCLES] = issued;
    for (size_t i = 0; i < by_function.count; i++) {
        const uint64_t *value = by_function.items[i].self.value;
        uint64_t own = value[GS_METRIC_CYCLES];
        for (unsigned m = GS_METRIC_FIRST_STALL; m < GS_METRIC_COUNT; m++)
            own -= value[m];
        if (own > most) {
            most = own;
            rest->function = by_function.items[i].function;
        }
    }
    gs_view_close(&by_function);
    return true;
}

static int by_self(const void *a, const void *b, void *metric)
{
    const gs_view_row *x = a, *y = b;
    uint64_t p = x->self.value[*(gs_metric *)metric], q = y->self.value[*(gs_metric *)metric];
    if (p != q)
        return p < q ? 1 : -1;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return 0;
}

static int by_size(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x < y) - (x > y);
}

/* Keeps the `top` paths that include most. What is above a path includes more and comes before it,
 * so the rest is still a tree. */
static bool prune(gs_view *view, size_t top)
{
    uint64_t *sizes = calloc(view->count, sizeof *sizes);
    if (!sizes)
        return false;
    for (size_t i = 0; i < view->count; i++)
        sizes[i] = view->items[i].inclusive.value[view->metric];
    qsort(sizes, view->count, sizeof *sizes, by_size);
    uint64_t least = sizes[top - 1];
    size_t ties = 0, kept = 0; /* as many of the smallest as there is room for */
    for (size_t i = 0; i < top; i++)
        ties += sizes[i] == least;
    free(sizes);
    for (size_t i = 0; i < view->count; i++) {
        uint64_t size = view->items[i].inclusive.value[view->metric];
        if (size > least || (size == least && ties > 0)) {
            ties -= size == least;
            view->items[kept++] = view->items[i];
        }
    }
    view->count = kept;
    return true;
}

gs_status gs_view_open(gs_view *view, const gs_profile *profile, const gs_report_options *options,
                       gs_error *err)
{
    static bool (*const makers[GS_REPORT_BY_COUNT])(gs_view *, const gs_profile *, gs_error *) = {
        [GS_REPORT_BY_FUNCTION] = view_functions, [GS_REPORT_BY_CALL] = view_calls,
        [GS_REPORT_BY_LINE] = view_lines,         [GS_REPORT_BY_LOOP] = view_loops,
        [GS_REPORT_BY_BLOCK] = view_blocks,       [GS_REPORT_BY_INSTRUCTION] = view_instructions,
        [GS_REPORT_BY_STALL] = view_stalls,       [GS_REPORT_BY_THREAD] = gs_view_make_threads,
    };
    gs_error own;
    err = err ? err : &own;
    *view = (gs_view){
        .by = options->by, .fields = fields[options->by], .metrics = gs_report_counted(profile)};
    if (options->inlines && inline_fields[view->by][0] != GS_VIEW_END_OF_FIELDS) {
        view->inlines = true;
        view->fields = inline_fields[view->by];
    }
    if (view->by == GS_REPORT_BY_STALL && !gs_report_is_timed(profile))
        return gs_fail(err, GS_E_UNSUPPORTED,
                       "this run was not timed, so it has no stalls; 'gumshoe run' times one "
                       "unless it is told --core none");
    gs_status status = gs_report_metric(profile, options, &view->metric, err);
    if (status != GS_OK)
        return status;
    if (view->by == GS_REPORT_BY_STALL) {
        view->metrics = UINT32_C(1) << GS_METRIC_CYCLES;
        if (view->metric != GS_METRIC_CYCLES)
            return gs_fail(err, GS_E_ARGUMENT, "stalls are counted in cycles, not in '%s'",
                           gs_metric_key(view->metric));
    }
    view->has_inclusive = view->by == GS_REPORT_BY_FUNCTION || view->by == GS_REPORT_BY_CALL ||
                          view->by == GS_REPORT_BY_LOOP;
    if (!makers[view->by](view, profile, err)) {
        gs_view_close(view);
        return err->status;
    }
    view->all = view->count;
    if (view->by != GS_REPORT_BY_CALL && view->count > 1)
        qsort_r(view->items, view->count, sizeof *view->items, by_self, &view->metric);
    if (options->top > 0 && options->top < view->count) {
        if (view->by != GS_REPORT_BY_CALL)
            view->count = options->top;
        else if (!prune(view, options->top)) {
            gs_view_close(view);
            return gs_fail_no_memory(err);
        }
    }
    return GS_OK;
}

void gs_view_put_inlined(FILE *to, const gs_profile *profile, uint32_t inlined, gs_view_put *put)
{
    for (const char *between = ""; inlined != GS_PROFILE_NONE; between = ", ") {
        const gs_profile_inline *call = &profile->inlines.items[inlined];
        fputs(between, to);
        put(to, call->function);
        if (call->call_file != GS_PROFILE_NONE) {
            fputs(" at ", to);
            put(to, gs_report_last_part(gs_report_file_name(profile, call->call_file)));
            fprintf(to, ":%" PRIu32, call->call_line);
        }
        inlined = call->outer;
    }
}

void gs_view_close(gs_view *view)
{
    free(view->items);
    *view = (gs_view){0};
}
