/* Opens a set of units on one trace port, and hands beats to all of them. */
#include "units/units.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec.h"

typedef struct unit {
    const gs_unit_kind *kind;
    gs_arena arena; /* the configuration and its texts */
    void *config;
    void *self;
    gs_result result;
    size_t sums; /* how many it has; see gs_unit_bulk.weights */
} unit;

struct gs_units {
    gs_machine *machine;
    const gs_timing *timing;
    gs_port_feed feed;
    struct {
        unit **items;
        size_t count, capacity;
    } units;
    struct {
        const gs_result **items;
        size_t count, capacity;
    } results; /* of these */
};

static void pass_on(void *self, const gs_port *port)
{
    gs_units *units = self;
    for (size_t i = 0; i < units->units.count; i++)
        units->units.items[i]->kind->beat(units->units.items[i]->self, port);
}

/* -- translated code ----------------------------------------------------------------------------
 */

/* The observer is the feed. */
static gs_units *units_of(void *self)
{
    return ((const gs_port_feed *)self)->reader_self;
}

static void stop_events(void *self)
{
    gs_units *units = units_of(self);
    gs_port_feed_pause(&units->feed);
    for (size_t i = 0; i < units->units.count; i++) {
        const unit *u = units->units.items[i];
        if (u->kind->bulk->pause)
            u->kind->bulk->pause(u->self, (uint32_t)units->machine->hart.pc);
    }
}

static void resume_events(void *self)
{
    gs_units *units = units_of(self);
    const uint64_t clocks = gs_port_feed_resume(&units->feed);
    for (size_t i = 0; i < units->units.count && !units->feed.off; i++) {
        const unit *u = units->units.items[i];
        if (u->kind->bulk->resume)
            u->kind->bulk->resume(u->self, clocks);
    }
}

static void begin_adding(void *self)
{
    gs_port_feed_pause(&units_of(self)->feed);
}

static void end_adding(void *self)
{
    (void)gs_port_feed_resume(&units_of(self)->feed);
}

static uint32_t weights(void *self, size_t *count)
{
    const gs_units *units = units_of(self);
    uint32_t sum = 0; /* each of them only grows */
    *count = 0;
    for (size_t i = 0; i < units->units.count; i++) {
        unit *u = units->units.items[i];
        sum += u->kind->bulk->weights(u->self, &u->sums);
        *count += u->sums;
    }
    return sum;
}

static void weigh(void *self, const gs_bulk_run *run, int64_t *sums)
{
    const gs_units *units = units_of(self);
    for (size_t i = 0; i < units->units.count; i++) {
        const unit *u = units->units.items[i];
        u->kind->bulk->weigh(u->self, run, sums);
        sums += u->sums;
    }
}

static void collect(void *self, const int64_t *sums, const gs_bulk_run *last)
{
    const gs_units *units = units_of(self);
    for (size_t i = 0; i < units->units.count && !units->feed.off; i++) {
        const unit *u = units->units.items[i];
        u->kind->bulk->collect(u->self, sums, last);
        sums += u->sums;
    }
}

static uint64_t due(void *self)
{
    const gs_units *units = units_of(self);
    uint64_t earliest = UINT64_MAX;
    for (size_t i = 0; i < units->units.count && !units->feed.off; i++) {
        const unit *u = units->units.items[i];
        const uint64_t at = u->kind->bulk->due
                                ? u->kind->bulk->due(u->self, units->feed.before.cycles)
                                : UINT64_MAX;
        earliest = at < earliest ? at : earliest;
    }
    return earliest;
}

/* So that no clock is still to be told of when events stop. */
static void noted(void *self, const gs_machine *machine, const gs_retired *event, uint64_t cycles,
                  bool missed)
{
    (void)self;
    (void)machine;
    (void)event;
    (void)cycles;
    (void)missed;
}

static const gs_bulk_observer bulk = {.pause = stop_events,
                                      .resume = resume_events,
                                      .begin_adding = begin_adding,
                                      .end_adding = end_adding,
                                      .weights = weights,
                                      .weigh = weigh,
                                      .collect = collect,
                                      .due = due};

/* The fast engine is kept if all units can do without beats. */
static void choose_engine(gs_units *units)
{
    bool fits = units->timing != NULL;
    for (size_t i = 0; i < units->units.count; i++) {
        const unit *u = units->units.items[i];
        fits &= u->kind->bulk && u->kind->bulk->fits(u->self);
    }
    units->feed.observer.bulk = fits ? &bulk : NULL;
    units->feed.observer.noted = fits ? noted : NULL;
}

/* -- life ---------------------------------------------------------------------------------------
 */

static gs_unit_context context_of(gs_machine *machine, const gs_timing *timing)
{
    return (gs_unit_context){
        .image = machine->image,
        .isa = machine->isa,
        .core = timing ? timing->core : NULL,
        .machine = machine,
    };
}

gs_status gs_units_open(gs_units **out, gs_machine *machine, const gs_timing *timing, gs_error *err)
{
    gs_units *units = calloc(1, sizeof *units);
    *out = units;
    if (!units)
        return gs_fail_no_memory(err);
    units->machine = machine;
    units->timing = timing;
    gs_port_feed_init(&units->feed, machine, timing, pass_on, units);
    return GS_OK;
}

static void free_unit(unit *u)
{
    if (!u)
        return;
    gs_unit_close(u->kind, u->self);
    gs_result_fini(&u->result);
    gs_arena_free(&u->arena);
    free(u);
}

void gs_units_free(gs_units *units)
{
    if (!units)
        return;
    for (size_t i = 0; i < units->units.count; i++)
        free_unit(units->units.items[i]);
    free(units->units.items);
    free(units->results.items);
    free(units);
}

/* "leap:hier" or "leap" */
static const gs_unit_kind *kind_of(const char *text, const char **options, gs_error *err)
{
    char name[32], names[256] = "";
    size_t length = strcspn(text, ":");
    *options = text[length] ? text + length + 1 : "";
    if (length < sizeof name) {
        memcpy(name, text, length);
        name[length] = '\0';
        const gs_unit_kind *kind = gs_unit_find(name);
        if (kind)
            return kind;
    }
    for (size_t i = 0; i < gs_unit_count(); i++) {
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", gs_unit_at(i)->name);
    }
    gs_fail(err, GS_E_ARGUMENT, "there is no unit '%.40s'; there are %s", text, names);
    return NULL;
}

static gs_status configure(void **config, const gs_unit_kind *kind, const char *options,
                           gs_arena *arena, gs_error *err)
{
    *config = gs_arena_alloc(arena, kind->config_size);
    if (!*config)
        return gs_fail_no_memory(err);
    return gs_options_parse(*config, kind->options, kind->option_count, kind->name, options, arena,
                            err);
}

static gs_status open_unit(unit *u, const gs_units *units, const char *options, const void *before,
                           gs_error *err)
{
    gs_unit_context context = context_of(units->machine, units->timing);
    gs_status status = configure(&u->config, u->kind, options, &u->arena, err);
    if (status != GS_OK)
        return status;
    u->result.kind = u->kind->name;
    u->result.options =
        gs_options_text(u->config, u->kind->options, u->kind->option_count, &u->arena);
    if (!u->result.options)
        return gs_fail_no_memory(err);
    return gs_unit_open(&u->self, u->kind, u->config, &context, before, err);
}

static gs_status add(gs_units *units, const gs_unit_kind *kind, const char *options,
                     const void *before, gs_error *err)
{
    unit *u = calloc(1, sizeof *u);
    if (!u)
        return gs_fail_no_memory(err);
    u->kind = kind;
    gs_status status = open_unit(u, units, options, before, err);
    if (status == GS_OK && (!gs_vec_has_room(&units->units) || !gs_vec_has_room(&units->results)))
        status = gs_fail_no_memory(err);
    if (status != GS_OK) {
        free_unit(u);
        return status;
    }
    units->units.items[units->units.count++] = u;
    choose_engine(units);
    units->results.items[units->results.count++] = &u->result;
    return GS_OK;
}

gs_status gs_units_add(gs_units *units, const char *text, gs_error *err)
{
    const char *options;
    const gs_unit_kind *kind = kind_of(text, &options, err);
    return kind ? add(units, kind, options, NULL, err) : GS_E_ARGUMENT;
}

gs_status gs_units_add_again(gs_units *units, const gs_units *before, size_t index, gs_error *err)
{
    const unit *old = before->units.items[index];
    return add(units, old->kind, old->result.options, old->self, err);
}

size_t gs_units_count(const gs_units *units)
{
    return units->units.count;
}

const gs_observer *gs_units_observer(const gs_units *units)
{
    return &units->feed.observer;
}

static gs_status judge(unit *u, const gs_truth *truth, gs_error *err)
{
    if (u->kind->finish)
        u->kind->finish(u->self);
    gs_status status = u->kind->report(u->self, truth, &u->result, err);
    if (status == GS_OK && u->result.no_memory)
        status = gs_fail_no_memory(err);
    return status;
}

gs_status gs_units_judge(gs_units *units, const gs_truth *truth, gs_error *err)
{
    gs_status status = GS_OK;
    for (size_t i = 0; i < units->units.count && status == GS_OK; i++)
        status = judge(units->units.items[i], truth, err);
    return status;
}

const gs_result *gs_units_result(const gs_units *units, size_t index)
{
    return &units->units.items[index]->result;
}

gs_results gs_units_results(const gs_units *units)
{
    return (gs_results){units->results.items, units->results.count};
}

bool gs_units_again(const gs_units *units, size_t index)
{
    const unit *u = units->units.items[index];
    return u->kind->again && u->kind->again(u->self);
}

gs_status gs_unit_print_write(FILE *to, size_t kind, size_t print, const char *options,
                              gs_machine *machine, const gs_timing *timing, const char *argument,
                              gs_error *err)
{
    const gs_unit_kind *k = gs_unit_at(kind);
    gs_unit_context context = {0};
    gs_arena arena = {0};
    void *config;
    if (machine)
        context = context_of(machine, timing);
    gs_status status = configure(&config, k, options, &arena, err);
    if (status == GS_OK)
        status = k->prints[print].print(to, config, &context, argument, err);
    if (status == GS_OK && ferror(to))
        status = gs_fail(err, GS_E_IO, "cannot write what --%s prints", k->prints[print].name);
    gs_arena_free(&arena);
    return status;
}
