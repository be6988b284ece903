/*
 * Runs a group of points, once if that is enough, or a few times and multiplies out the rest
 * (sweep_linear.h).
 *
 * The points of a group differ in what no pipeline looks at. What of that a program may see is the
 * clock, and only a program that sees time does: then each point is run. A run counts
 * instructions and lost cycles for every instruction; the energy of another table is the same sum
 * with other weights. Whether the sum of the counts is the run's own energy is checked, so that
 * what it cannot say (code that has changed) is run.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "explore/sweep_linear.h"
#include "gumshoe/profile.h"
#include "gumshoe/run.h"
#include "base/number.h"
#include "machine/machine.h"
#include "profile/recorder.h"
#include "timing/energy.h"

/* A point that is being run, or that shares a run. */
typedef struct member {
    gs_sweep_row row;
    gs_core *core;
    gs_error problem; /* its row's error */
    char isa[16], environment[16];
} member;

/* Counts traps, and keeps the fast engine. */
typedef struct trap_counter {
    gs_observer observer;
    uint64_t traps;
} trap_counter;

static void count_trap(void *self, const gs_machine *machine, const gs_trapped *event)
{
    (void)machine;
    (void)event;
    ((trap_counter *)self)->traps++;
}

static void add_nothing(void *self, const gs_bulk_run *run)
{
    (void)self;
    (void)run;
}

static const gs_bulk_observer keep_fast_engine = {.add = add_nothing};

typedef struct running {
    const gs_sweep *sweep;
    const gs_sweep_executable *executable;
    const gs_sweep_running *how;
    gs_machine *machine;
    gs_timing *timing;
    gs_recorder *recorder; /* or NULL */
    bool saw_time;
} running;

static bool is_cancelled(const running *r)
{
    return r->how->cancel && *r->how->cancel;
}

static void stop_running(running *r)
{
    gs_recorder_free(r->recorder);
    gs_timing_free(r->timing);
    gs_machine_free(r->machine);
    r->recorder = NULL;
    r->timing = NULL;
    r->machine = NULL;
}

static gs_status open_machine(running *r, const member *m, const gs_sweep_design *design,
                              const int stdio[3], gs_error *err)
{
    const gs_sweep_program *program =
        &r->sweep->programs.items[m->row.point % r->sweep->programs.count];
    const char *argv[GS_SWEEP_MAX_ARGUMENTS + 1];
    gs_machine_options options = gs_machine_options_default();
    argv[0] = r->executable->path;
    for (size_t i = 0; i < program->arguments.count; i++)
        argv[1 + i] = program->arguments.items[i];
    options.argc = 1 + (int)program->arguments.count;
    options.argv = argv;
    options.board = design->board;
    options.ram_size = design->ram;
    options.sandbox.here_read_only = true; /* points run side by side */
    memcpy(options.stdio, stdio, sizeof options.stdio);
    gs_core_configure(m->core, &options);
    return gs_machine_open(&r->machine, r->executable->image, &options, err);
}

static gs_status open_input(const gs_sweep_program *program, int *fd, gs_error *err)
{
    const char *path = program->input ? program->input : "/dev/null";
    *fd = open(path, O_RDONLY | O_CLOEXEC);
    return *fd >= 0 ? GS_OK : gs_fail(err, GS_E_IO, "%s: %s", path, strerror(errno));
}

static gs_status execute(running *r, trap_counter *traps, gs_error *err)
{
    const gs_observer *observers[] = {&traps->observer,
                                      r->recorder ? gs_recorder_observer(r->recorder) : NULL};
    const gs_run_options options = {
        .max_instructions = r->sweep->max_instructions,
        .max_cycles = r->sweep->max_cycles,
        .timing = r->timing,
        .observers = observers,
        .observer_count = r->recorder ? 2 : 1,
        .cancel = r->how->cancel,
        .compilers = r->how->compilers,
    };
    gs_status status = r->how->ready ? r->how->ready(r->how->self, r->machine, err) : GS_OK;
    if (status == GS_OK)
        status = gs_run(r->machine, &options, err);
    if (status == GS_OK && r->recorder)
        status = gs_recorder_finish(r->recorder, err);
    return status;
}

static void take_result(running *r, member *m, uint64_t traps)
{
    gs_sweep_row *row = &m->row;
    gs_metrics_read(&row->total, r->timing, gs_machine_instructions(r->machine), traps);
    row->exit = *gs_machine_exit(r->machine);
    row->clock_hz = r->machine->clock_hz;
    snprintf(m->isa, sizeof m->isa, "%s", r->machine->isa->name);
    snprintf(m->environment, sizeof m->environment, "%s", r->machine->environment->name);
    r->saw_time = gs_machine_saw_time(r->machine);
}

/* Runs one point and leaves machine and recorder open. */
static gs_status run_point(running *r, member *m, bool record, gs_error *err)
{
    const gs_sweep_program *program =
        &r->sweep->programs.items[m->row.point % r->sweep->programs.count];
    gs_sweep_design design;
    trap_counter traps = {.observer = {.trapped = count_trap, .bulk = &keep_fast_engine}};
    int stdio[3] = {-1, -1, -1};
    traps.observer.self = &traps;
    gs_status status =
        gs_sweep_design_make(&design, r->sweep, m->row.point / r->sweep->programs.count, err);
    if (status == GS_OK)
        status = open_input(program, &stdio[0], err);
    stdio[1] = stdio[2] = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (status == GS_OK)
        status = gs_core_check_image(m->core, r->executable->image, err);
    if (status == GS_OK)
        status = open_machine(r, m, &design, stdio, err);
    if (status == GS_OK)
        status = gs_timing_open(&r->timing, m->core, r->machine, err);
    if (status == GS_OK && record)
        status = gs_recorder_open(&r->recorder, r->machine, r->timing, err);
    if (status == GS_OK)
        status = execute(r, &traps, err);
    if (status == GS_OK)
        take_result(r, m, traps.traps);
    for (int i = 0; i < 2; i++) {
        if (stdio[i] >= 0)
            close(stdio[i]);
    }
    gs_sweep_design_clear(&design);
    return status;
}

/* What the run's counts cost with the energy table of a core; false if an instruction is not there
 * any more. */
static bool energy_of_counts(const running *r, const gs_core *core, uint64_t *energy)
{
    size_t count;
    const gs_insn_profile *insns = gs_recorder_insns(r->recorder, &count);
    *energy = 0;
    for (size_t i = 0; i < count; i++) {
        gs_insn insn;
        uint32_t word;
        if (gs_memory_fetch(&r->machine->memory, r->machine->isa, insns[i].pc, &word) !=
            GS_ACCESS_OK)
            return false;
        gs_decode(&insn, &r->machine->decoder, word);
        *energy += gs_energy_of(core, r->machine->isa, &insn, insns[i].executions,
                                &insns[i].cost.value[GS_METRIC_FIRST_STALL]);
    }
    return true;
}

/* Gives a member what the run of `first` says of it; false if it does not. */
static bool share(const running *r, const member *first, member *m)
{
    uint64_t own = 0, energy = 0;
    if (r->recorder &&
        (!energy_of_counts(r, first->core, &own) ||
         own != first->row.total.value[GS_METRIC_ENERGY] || !energy_of_counts(r, m->core, &energy)))
        return false;
    m->row.total = first->row.total;
    m->row.total.value[GS_METRIC_ENERGY] = energy;
    m->row.exit = first->row.exit;
    m->row.clock_hz = m->core->clock_hz;
    memcpy(m->isa, first->isa, sizeof m->isa);
    memcpy(m->environment, first->environment, sizeof m->environment);
    return true;
}

/* An ending that says nothing of what the program would cost. */
static void judge_exit(member *m)
{
    const gs_exit *exit = &m->row.exit;
    if (m->problem.status != GS_OK || exit->kind == GS_EXIT_CODE)
        return;
    m->problem.status = GS_E_ARGUMENT;
    snprintf(m->problem.message, sizeof m->problem.message, "%s%s%s",
             exit->kind == GS_EXIT_SIGNAL  ? "ended by a signal"
             : exit->kind == GS_EXIT_LIMIT ? "stopped by a limit"
                                           : "waits for an interrupt that cannot come",
             exit->message[0] ? ": " : "", exit->message);
}

/* True if the failure is the host's and not the point's. */
static bool is_of_host(const gs_error *err)
{
    return err->status == GS_E_NO_MEMORY || err->status == GS_E_IO;
}

static gs_status open_cores(const running *r, member *members, size_t count, gs_error *err)
{
    for (size_t i = 0; i < count; i++) {
        member *m = &members[i];
        gs_sweep_design design;
        gs_status status =
            gs_sweep_design_make(&design, r->sweep, m->row.point / r->sweep->programs.count, err);
        if (status != GS_OK)
            return status;
        status = gs_sweep_open_core(&m->core, &design, r->executable->image, &m->problem);
        gs_sweep_design_clear(&design);
        if (status == GS_E_NO_MEMORY)
            return gs_fail_no_memory(err);
        if (status == GS_OK)
            m->row.storage_bits = gs_sweep_storage_bits(m->core);
    }
    return GS_OK;
}

static bool has_energy(const member *members, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (members[i].core && members[i].core->energy.group_count > 0)
            return true;
    }
    return false;
}

/* What linear keys do, in a group. */
typedef struct slopes {
    gs_sweep_slope items[GS_SWEEP_MAX_AXES];
    size_t count;
    gs_metrics base;
} slopes;

static bool value_of(const gs_sweep *sweep, const member *m, size_t axis, uint64_t *value)
{
    const char *text = gs_sweep_values(sweep, m->row.point / sweep->programs.count)[axis];
    return text && gs_number_parse(text, value);
}

/* The linear axes in which the members differ. False if one of them has no number there, or if
 * running them all is hardly more. */
static bool find_axes(const gs_sweep *sweep, const member *members, size_t count, slopes *all)
{
    size_t combinations = 1;
    for (size_t axis = 0; axis < sweep->axes.count; axis++) {
        uint64_t first, value;
        bool differ = false;
        if (!gs_sweep_key_is_linear(sweep->axes.items[axis].node->key))
            continue;
        for (size_t i = 0; i < count; i++) {
            if (!value_of(sweep, &members[0], axis, &first) ||
                !value_of(sweep, &members[i], axis, &value))
                return false;
            differ |= value != first;
        }
        if (!differ)
            continue;
        all->items[all->count++] = (gs_sweep_slope){.axis = axis, .at = first};
        combinations *= sweep->axes.items[axis].values.count;
    }
    return all->count > 0 && combinations > all->count + 2 && count > all->count + 2;
}

/* Runs the first member with another value on one axis. */
static gs_status probe(running *r, const member *first, gs_sweep_slope *slope, uint64_t value,
                       bool *linear, gs_error *err)
{
    const char *key = r->sweep->axes.items[slope->axis].node->key;
    gs_sweep_design design;
    member m = {.row.point = first->row.point};
    char set[160];
    gs_status status =
        gs_sweep_design_make(&design, r->sweep, m.row.point / r->sweep->programs.count, err);
    if (status != GS_OK)
        return status;
    snprintf(set, sizeof set, "%s=%llu", key, (unsigned long long)value);
    *linear = design.set_count < GS_SWEEP_MAX_SETTINGS;
    if (*linear) {
        design.set[design.set_count++] = set;
        *linear = gs_sweep_open_core(&m.core, &design, r->executable->image, &m.problem) == GS_OK;
    }
    if (*linear && run_point(r, &m, false, &m.problem) != GS_OK) {
        *linear = false;
        if (is_of_host(&m.problem)) {
            *err = m.problem;
            status = err->status;
        }
    }
    stop_running(r);
    if (*linear)
        *linear =
            !r->saw_time && gs_sweep_slope_find(slope, &first->row.total, &m.row.total, value);
    gs_core_free(m.core);
    gs_sweep_design_clear(&design);
    return status;
}

static gs_metrics predict(const running *r, const slopes *all, const member *m)
{
    gs_metrics counts = all->base;
    for (size_t i = 0; i < all->count; i++) {
        uint64_t value = all->items[i].at;
        (void)value_of(r->sweep, m, all->items[i].axis, &value);
        gs_sweep_slope_add(&all->items[i], value, &counts);
    }
    return counts;
}

/* The value of an axis that is farthest from the first member's. */
static uint64_t farthest(const gs_sweep *sweep, const member *members, size_t count,
                         const gs_sweep_slope *slope)
{
    uint64_t found = slope->at;
    for (size_t i = 0; i < count; i++) {
        uint64_t value = slope->at;
        (void)value_of(sweep, &members[i], slope->axis, &value);
        if ((value > slope->at ? value - slope->at : slope->at - value) >
            (found > slope->at ? found - slope->at : slope->at - found))
            found = value;
    }
    return found;
}

/* Multiplies out what linear keys do. The first and the last member are run, and the last has to be
 * what was predicted; *done says whether all members have their results. */
static gs_status multiply_out(running *r, member *members, size_t count, bool *done, gs_error *err)
{
    slopes all = {0};
    member *first = &members[0], *last = &members[count - 1];
    gs_status status = GS_OK;
    bool linear = true;
    *done = false;
    for (size_t i = 0; i < count; i++)
        linear &= members[i].problem.status == GS_OK;
    if (!linear || !find_axes(r->sweep, members, count, &all))
        return GS_OK;
    member *const run[] = {first, last};
    for (size_t i = 0; i < 2 && linear; i++) {
        status = run_point(r, run[i], false, &run[i]->problem);
        stop_running(r);
        if (status != GS_OK && is_of_host(&run[i]->problem)) {
            *err = run[i]->problem;
            return status;
        }
        linear = status == GS_OK && !r->saw_time && run[i]->row.exit.kind == GS_EXIT_CODE;
    }
    all.base = first->row.total;
    for (size_t i = 0; i < all.count && linear; i++) {
        status = probe(r, first, &all.items[i], farthest(r->sweep, members, count, &all.items[i]),
                       &linear, err);
        if (status != GS_OK)
            return status;
    }
    if (linear) {
        const gs_metrics predicted = predict(r, &all, last);
        linear = memcmp(&predicted, &last->row.total, sizeof predicted) == 0;
    }
    for (size_t i = 1; i + 1 < count && linear; i++) {
        (void)share(r, first, &members[i]);
        members[i].row.total = predict(r, &all, &members[i]);
    }
    *done = linear;
    first->problem = last->problem = (gs_error){0};
    return GS_OK;
}

/* Whether they have the same latencies. */
static bool same_run(const gs_sweep *sweep, const member *a, const member *b)
{
    const char *const *x = gs_sweep_values(sweep, a->row.point / sweep->programs.count);
    const char *const *y = gs_sweep_values(sweep, b->row.point / sweep->programs.count);
    for (size_t i = 0; i < sweep->axes.count; i++) {
        if (gs_sweep_key_is_linear(sweep->axes.items[i].node->key) &&
            (!x[i] || !y[i] ? x[i] != y[i] : strcmp(x[i], y[i]) != 0))
            return false;
    }
    return true;
}

/* Runs members until all have a result or an error; *interrupted if the caller wanted that. */
static gs_status run_members(running *r, member *members, size_t count, bool *interrupted,
                             gs_error *err)
{
    const bool record = count > 1 && has_energy(members, count);
    const member *first = NULL; /* whose run is open */
    const size_t design = members[0].row.point / r->sweep->programs.count;
    *interrupted = false;
    if (r->sweep->linear && r->sweep->linear[design]) {
        bool done;
        gs_status status = multiply_out(r, members, count, &done, err);
        if (status != GS_OK || done) {
            *interrupted = is_cancelled(r);
            return status;
        }
    }
    for (size_t i = 0; i < count; i++) {
        member *m = &members[i];
        if (m->problem.status != GS_OK)
            continue;
        if (first && !r->saw_time && same_run(r->sweep, first, m) && share(r, first, m))
            continue;
        stop_running(r);
        first = NULL;
        if (run_point(r, m, record, &m->problem) != GS_OK) {
            stop_running(r);
            if (is_of_host(&m->problem)) {
                *err = m->problem;
                return err->status;
            }
            continue;
        }
        first = m;
        if (m->row.exit.kind == GS_EXIT_INTERRUPTED || is_cancelled(r)) {
            *interrupted = true;
            break;
        }
    }
    stop_running(r);
    return GS_OK;
}

/* Rows of members, and their texts. */
static gs_status append(gs_sweep_store *store, member *members, size_t count, gs_error *err)
{
    gs_sweep_row *rows = calloc(count, sizeof *rows);
    if (!rows)
        return gs_fail_no_memory(err);
    for (size_t i = 0; i < count; i++) {
        member *m = &members[i];
        judge_exit(m);
        m->row.error = m->problem.status != GS_OK ? m->problem.message : "";
        m->row.core = m->row.exit.kind != GS_EXIT_NONE ? m->core : NULL;
        m->row.isa = m->isa;
        m->row.environment = m->environment;
        rows[i] = m->row;
    }
    gs_status status = gs_sweep_store_append(store, rows, count, err);
    free(rows);
    return status;
}

static member *open_members(const gs_sweep *sweep, size_t group, size_t *count, gs_error *err)
{
    const gs_sweep_group *g = &sweep->groups.items[group];
    member *members = calloc(g->count, sizeof *members);
    *count = g->count;
    if (!members)
        gs_fail_no_memory(err);
    for (size_t i = 0; i < g->count && members; i++)
        members[i].row.point = sweep->order[g->first + i];
    return members;
}

static void free_members(member *members, size_t count)
{
    for (size_t i = 0; i < count && members; i++)
        gs_core_free(members[i].core);
    free(members);
}

gs_status gs_sweep_fail_group(gs_sweep_store *store, size_t group, const char *error, gs_error *err)
{
    size_t count;
    member *members = open_members(gs_sweep_store_sweep(store), group, &count, err);
    if (!members)
        return GS_E_NO_MEMORY;
    for (size_t i = 0; i < count; i++)
        gs_fail(&members[i].problem, GS_E_ARGUMENT, "%s", error);
    gs_status status = append(store, members, count, err);
    free_members(members, count);
    return status;
}

gs_status gs_sweep_run_group(gs_sweep_store *store, size_t group, const gs_sweep_running *how,
                             gs_error *err)
{
    const gs_sweep *sweep = gs_sweep_store_sweep(store);
    const uint32_t point = sweep->order[sweep->groups.items[group].first];
    running r = {
        .sweep = sweep, .executable = &sweep->builds.items[sweep->build_of[point]], .how = how};
    bool interrupted = false;
    size_t count;
    if (r.executable->failure)
        return gs_sweep_fail_group(store, group, r.executable->failure, err);
    member *members = open_members(sweep, group, &count, err);
    if (!members)
        return GS_E_NO_MEMORY;
    gs_status status = open_cores(&r, members, count, err);
    if (status == GS_OK)
        status = run_members(&r, members, count, &interrupted, err);
    if (status == GS_OK && !interrupted)
        status = append(store, members, count, err);
    free_members(members, count);
    return status;
}
