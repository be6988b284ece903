/* Counts beats as they come, and runs of instructions when they are added up. */
#include "live/counting.h"

#include "machine/machine.h"
#include "probe/bulk.h"

/* -- beats --------------------------------------------------------------------------------------
 */

static void count_beat(gs_live_counting *c, const gs_port *port)
{
    if (c->module->running)
        gs_stats_beat(&c->module->stats, port, c->feed.machine->isa);
}

static void count_held(gs_live_counting *c)
{
    c->outstanding = false;
    for (unsigned i = 0; i < c->held_count; i++)
        count_beat(c, &c->held[i]);
    c->held_count = 0;
}

/* Whether an interval ends with this beat, or before it. */
static bool ends_interval(const gs_live_counting *c, const gs_port *port)
{
    const gs_stats *stats = &c->module->stats;
    return c->module->running && stats->interval > 0 && port->cycles >= stats->timer;
}

static void on_beat(void *self, const gs_port *port)
{
    gs_live_counting *c = self;
    const bool holds = c->held_count > 0 || (c->outstanding && ends_interval(c, port));
    if (holds && c->held_count < GS_LIVE_HELD)
        c->held[c->held_count++] = *port;
    else
        count_beat(c, port);
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

static void take_mark(gs_live_counting *c)
{
    const gs_timing *t = c->feed.timing;
    const gs_cache_stats *i = &t->icache.stats, *d = &t->dcache.stats;
    struct gs_live_mark *m = &c->mark;
    m->cycles = t->now;
    m->mispredicted = t->branches.mispredicted;
    m->ifetches = i->reads;
    m->imisses = i->read_misses;
    m->daccesses = d->reads + d->writes;
    m->dmisses = d->read_misses + d->write_misses;
    for (unsigned cause = 0; cause < GS_STALL_COUNT; cause++)
        m->stalls[cause] = t->stalls[cause];
}

/* What the timing has counted since the mark belongs to no beat. Returns the clocks. */
static uint64_t skip_from_mark(gs_live_counting *c)
{
    const struct gs_live_mark was = c->mark;
    gs_port_feed *feed = &c->feed;
    take_mark(c);
    feed->before.cycles += c->mark.cycles - was.cycles;
    feed->before.mispredicted += c->mark.mispredicted - was.mispredicted;
    feed->before.ifetches += c->mark.ifetches - was.ifetches;
    feed->before.imisses += c->mark.imisses - was.imisses;
    feed->before.daccesses += c->mark.daccesses - was.daccesses;
    feed->before.dmisses += c->mark.dmisses - was.dmisses;
    for (unsigned cause = 0; cause < GS_STALL_COUNT; cause++)
        feed->before.stalls[cause] += c->mark.stalls[cause] - was.stalls[cause];
    return c->mark.cycles - was.cycles;
}

static bool is_in_range(const gs_stats *stats, unsigned i, uint32_t pc)
{
    const unsigned range = stats->range_of[i];
    return pc >= stats->range[range].first && pc <= stats->range[range].last;
}

/* A trap belongs to the instruction behind it, which translated code executes. */
static void stop_events(void *self)
{
    gs_live_counting *c = counting_of(self);
    gs_stats *stats = &c->module->stats;
    take_mark(c);
    c->outstanding = true;
    for (unsigned i = 0; i < stats->count && stats->traps > 0 && c->module->running; i++) {
        if (stats->signal_of[i] == GS_STATS_TRAP &&
            is_in_range(stats, i, (uint32_t)c->feed.machine->hart.pc))
            gs_stats_add(stats, i, stats->traps);
    }
    stats->traps = 0;
    stats->pending = false;
}

static void resume_events(void *self)
{
    gs_live_counting *c = counting_of(self);
    const uint64_t clocks = skip_from_mark(c);
    c->feed.port.cycle = c->feed.timing->now;
    if (c->module->running && !c->feed.off)
        gs_stats_pass(&c->module->stats, clocks);
}

static void begin_adding(void *self)
{
    gs_live_counting *c = counting_of(self);
    take_mark(c);
    for (unsigned i = 0; i < GS_STATS_COUNTERS_MAX; i++)
        c->added[i] = 0;
}

/* What one execution of a run is to each signal, and where its instructions are. */
typedef struct sums {
    int64_t amount[GS_STATS_SIGNAL_COUNT];
    uint32_t lowest, highest;
} sums;

/* Where control goes on if it does not jump. */
static uint64_t straight_on(const gs_bulk_insn *jump, unsigned delay_slots)
{
    return jump->pc + jump->insn.length * (1u + delay_slots);
}

static void add_instruction(sums *s, const gs_isa *isa, const gs_bulk_run *run, unsigned index)
{
    const gs_bulk_insn *at = gs_bulk_insn_at(run, index);
    int64_t *amount = s->amount;
    amount[GS_STATS_CYCLE]++;
    amount[GS_STATS_INSTRUCTION]++;
    switch (isa->ops[at->insn.op].timing) {
    case GS_CLASS_LOAD:
    case GS_CLASS_FP_LOAD: amount[GS_STATS_READ]++; break;
    case GS_CLASS_STORE:
    case GS_CLASS_FP_STORE: amount[GS_STATS_WRITE]++; break;
    case GS_CLASS_ATOMIC:
        amount[GS_STATS_READ]++;
        amount[GS_STATS_WRITE]++;
        break;
    case GS_CLASS_BRANCH:
        amount[GS_STATS_BRANCH]++;
        amount[GS_STATS_TAKEN] +=
            run->taken == (int)index && run->goal != straight_on(at, isa->delay_slots);
        break;
    default: break;
    }
}

static void add_charge(sums *s, const gs_charge *charge)
{
    switch (charge->kind) {
    case GS_CHARGE_CYCLES: s->amount[GS_STATS_CYCLE] += charge->amount; break;
    case GS_CHARGE_I_MISSES: s->amount[GS_STATS_I_MISS] += charge->amount; break;
    case GS_CHARGE_D_MISSES: s->amount[GS_STATS_D_MISS] += charge->amount; break;
    case GS_CHARGE_MISPREDICTED: s->amount[GS_STATS_MISPREDICT] += charge->amount; break;
    default:
        s->amount[GS_STATS_STALL] += charge->amount;
        s->amount[GS_STATS_FIRST_STALL + charge->kind - GS_CHARGE_STALLS] += charge->amount;
        break;
    }
}

static void add_place(sums *s, uint32_t pc)
{
    s->lowest = pc < s->lowest ? pc : s->lowest;
    s->highest = pc > s->highest ? pc : s->highest;
}

/* Of the instructions from `first` to `last`. */
static void sum_up(sums *s, const gs_isa *isa, const gs_bulk_run *run, uint32_t first,
                   uint32_t last)
{
    *s = (sums){.lowest = UINT32_MAX};
    for (unsigned i = 0; i < run->length; i++) {
        const uint32_t pc = (uint32_t)gs_bulk_insn_at(run, i)->pc;
        if (pc < first || pc > last)
            continue;
        add_place(s, pc);
        add_instruction(s, isa, run, i);
    }
    for (unsigned i = 0; i < run->charge_count; i++) {
        const uint32_t pc = (uint32_t)gs_bulk_insn_at(run, run->charges[i].insn)->pc;
        if (pc < first || pc > last)
            continue;
        add_place(s, pc);
        add_charge(s, &run->charges[i]);
    }
}

static void add(void *self, const gs_bulk_run *run)
{
    gs_live_counting *c = counting_of(self);
    const gs_stats *stats = &c->module->stats;
    const gs_isa *isa = c->feed.machine->isa;
    const int64_t times = (int64_t)run->times;
    sums all, part;
    if (!c->module->running)
        return;
    sum_up(&all, isa, run, 0, UINT32_MAX);
    for (unsigned i = 0; i < stats->count; i++) {
        const unsigned signal = stats->signal_of[i];
        const uint32_t first = stats->range[stats->range_of[i]].first,
                       last = stats->range[stats->range_of[i]].last;
        if (first <= all.lowest && last >= all.highest) {
            c->added[i] += all.amount[signal] * times;
        } else if (first <= all.highest && last >= all.lowest) {
            sum_up(&part, isa, run, first, last);
            c->added[i] += part.amount[signal] * times;
        }
    }
}

static void end_adding(void *self)
{
    gs_live_counting *c = counting_of(self);
    (void)skip_from_mark(c);
    for (unsigned i = 0; i < c->module->stats.count && c->module->running && !c->feed.off; i++)
        gs_stats_add(&c->module->stats, i, (uint64_t)(c->added[i] > 0 ? c->added[i] : 0));
}

/* Hits are not among what translated code counts by instruction. */
static bool is_known(const gs_live_module *module)
{
    for (unsigned i = 0; i < module->stats.count && module->running; i++) {
        const unsigned signal = module->stats.signal_of[i];
        if (signal == GS_STATS_I_HIT || signal == GS_STATS_D_HIT)
            return false;
    }
    return true;
}

static uint64_t due(void *self)
{
    gs_live_counting *c = counting_of(self);
    const gs_stats *stats = &c->module->stats;
    const uint64_t now = c->feed.timing->now;
    c->asked = true;
    count_held(c);
    if (now >= c->look)
        c->look_around(c->self, now);
    if (!is_known(c->module))
        return 0;
    if (!c->module->running || stats->interval == 0 || c->feed.off)
        return c->look;
    const uint64_t end = c->feed.before.cycles + stats->timer;
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
                                      .add = add,
                                      .end_adding = end_adding,
                                      .due = due};

void gs_live_counting_init(gs_live_counting *c, gs_live_module *module, const gs_machine *machine,
                           const gs_timing *timing, void (*look_around)(void *self, uint64_t clock),
                           void *self)
{
    c->module = module;
    c->look_around = look_around;
    c->self = self;
    gs_port_feed_init(&c->feed, machine, timing, on_beat, c);
    c->feed.observer.name = "a live module";
    c->feed.observer.bulk = &bulk;
    c->feed.observer.noted = noted; /* so that no clock is still to be told of when events stop */
}

void gs_live_counting_finish(gs_live_counting *c)
{
    count_held(c);
}
