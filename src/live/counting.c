/* Hands beats, and what translated code has counted, to a module that is running. */
#include "live/counting.h"

#include "machine/machine.h"
#include "probe/bulk.h"

static void on_beat(void *self, const gs_port *port)
{
    gs_live_counting *c = self;
    if (c->module->running)
        gs_stats_bulk_beat(&c->bulk, port);
    if (!c->asked && port->cycle >= c->look)
        c->look_around(c->self, port->cycle);
}

/* -- translated code ----------------------------------------------------------------------------
 */

/* The observer is the feed. */
static gs_live_counting *counting_of(void *self)
{
    return ((const gs_port_feed *)self)->reader_self;
}

static bool counts(const gs_live_counting *c)
{
    return c->module->running && !c->feed.off;
}

static void stop_events(void *self)
{
    gs_live_counting *c = counting_of(self);
    gs_port_feed_pause(&c->feed);
    if (c->module->running)
        gs_stats_bulk_pause(&c->bulk, (uint32_t)c->feed.machine->hart.pc);
}

static void resume_events(void *self)
{
    gs_live_counting *c = counting_of(self);
    const uint64_t clocks = gs_port_feed_resume(&c->feed);
    if (counts(c))
        gs_stats_bulk_resume(&c->bulk, clocks);
}

static void begin_adding(void *self)
{
    gs_port_feed_pause(&counting_of(self)->feed);
}

static void end_adding(void *self)
{
    (void)gs_port_feed_resume(&counting_of(self)->feed);
}

static uint32_t weights(void *self, size_t *count)
{
    return gs_stats_bulk_weights(&counting_of(self)->bulk, count);
}

static void weigh(void *self, const gs_bulk_run *run, int64_t *sums)
{
    gs_stats_bulk_weigh(&counting_of(self)->bulk, run, sums);
}

static void collect(void *self, const int64_t *sums, const gs_bulk_run *last)
{
    gs_live_counting *c = counting_of(self);
    if (counts(c))
        gs_stats_bulk_collect(&c->bulk, sums, last);
}

static uint64_t due(void *self)
{
    gs_live_counting *c = counting_of(self);
    const uint64_t now = c->feed.timing->now;
    uint64_t end = UINT64_MAX;
    c->asked = true;
    if (c->module->running)
        gs_stats_bulk_finish(&c->bulk); /* what was held belongs before any command */
    if (now >= c->look)
        c->look_around(c->self, now);
    if (counts(c))
        end = gs_stats_bulk_due(&c->bulk, c->feed.before.cycles);
    return end < c->look ? end : c->look;
}

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

void gs_live_counting_init(gs_live_counting *c, gs_live_module *module, const gs_machine *machine,
                           const gs_timing *timing, void (*look_around)(void *self, uint64_t clock),
                           void *self)
{
    c->module = module;
    c->look_around = look_around;
    c->self = self;
    c->bulk = (gs_stats_bulk){.stats = &module->stats, .isa = machine->isa};
    gs_port_feed_init(&c->feed, machine, timing, on_beat, c);
    c->feed.observer.name = "a live module";
    c->feed.observer.bulk = &bulk;
    c->feed.observer.noted = noted; /* so that no clock is still to be told of when events stop */
}

void gs_live_counting_finish(gs_live_counting *c)
{
    if (c->module->running)
        gs_stats_bulk_finish(&c->bulk);
}
