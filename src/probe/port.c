/* Makes beats of the trace port from what an observer is told. */
#include "probe/port.h"

#include <string.h>

static void read_caches(gs_port_feed *feed)
{
    const gs_cache_stats *i = &feed->timing->icache.stats, *d = &feed->timing->dcache.stats;
    uint64_t ifetches = i->reads, imisses = i->read_misses;
    uint64_t daccesses = d->reads + d->writes, dmisses = d->read_misses + d->write_misses;
    gs_port *port = &feed->port;
    port->icache_misses = (uint8_t)(imisses - feed->before.imisses);
    port->icache_hits = (uint8_t)(ifetches - feed->before.ifetches - port->icache_misses);
    port->dcache_misses = (uint8_t)(dmisses - feed->before.dmisses);
    port->dcache_hits = (uint8_t)(daccesses - feed->before.daccesses - port->dcache_misses);
    feed->before.ifetches = ifetches;
    feed->before.imisses = imisses;
    feed->before.daccesses = daccesses;
    feed->before.dmisses = dmisses;
}

static void read_stalls(gs_port_feed *feed)
{
    for (unsigned i = 0; i < GS_STALL_COUNT; i++) {
        feed->port.stall[i] = feed->timing->stalls[i] - feed->before.stalls[i];
        feed->before.stalls[i] = feed->timing->stalls[i];
    }
    feed->stalled = true;
}

static void read_timing(gs_port_feed *feed)
{
    const gs_timing *timing = feed->timing;
    gs_port *port = &feed->port;
    port->cycle = timing->now;
    port->cycles = timing->now - feed->before.cycles;
    port->mispredict = timing->branches.mispredicted != feed->before.mispredicted;
    feed->before.cycles = timing->now;
    feed->before.mispredicted = timing->branches.mispredicted;
    read_caches(feed);
    if (timing->core->issue_width > 1 || port->cycles != 1) {
        read_stalls(feed);
    } else if (feed->stalled) { /* one instruction in one clock: there was no stall */
        memset(port->stall, 0, sizeof port->stall);
        feed->stalled = false;
    }
}

/* What an atomic instruction does: lr.w and ll only read, sc.w and sc only write, all others do
 * both. */
static void set_atomic_access(gs_port *port, gs_arch arch)
{
    enum { RV_LR = 0x02, RV_SC = 0x03, MIPS_LL = 0x30, MIPS_SC = 0x38 };
    const bool rv = arch == GS_ARCH_RV32;
    const uint32_t kind = port->insn >> (rv ? 27 : 26);
    port->read = kind != (rv ? RV_SC : MIPS_SC);
    port->write = kind != (rv ? RV_LR : MIPS_LL);
}

static void set_access(gs_port *port, const gs_isa *isa, const gs_retired *event)
{
    unsigned class = isa->ops[event->insn->op].timing;
    port->size = (uint8_t)event->size;
    port->address = (uint32_t)event->address;
    port->write = class == GS_CLASS_STORE || class == GS_CLASS_FP_STORE;
    port->read = !port->write;
    if (class == GS_CLASS_ATOMIC)
        set_atomic_access(port, isa->arch);
}

static void on_retired(void *self, const gs_machine *machine, const gs_retired *event)
{
    gs_port_feed *feed = self;
    gs_port *port = &feed->port;
    port->valid = true;
    port->trap = false;
    port->pc = (uint32_t)event->pc;
    port->next_pc = (uint32_t)event->next_pc;
    port->insn = event->insn->raw;
    port->decoded = event->insn;
    if (event->size > 0) {
        set_access(port, machine->isa, event);
    } else {
        port->size = 0;
        port->address = 0;
        port->read = port->write = false;
    }
    if (feed->timing) {
        read_timing(feed);
    } else {
        port->cycle++;
        port->cycles = 1;
    }
    if (!feed->off)
        feed->reader(feed->reader_self, port);
}

static void on_region(void *self, const gs_machine *machine, bool inside)
{
    gs_port_feed *feed = self;
    (void)machine;
    feed->off = !inside;
}

static void on_trapped(void *self, const gs_machine *machine, const gs_trapped *event)
{
    gs_port_feed *feed = self;
    gs_port port = {
        .trap = true,
        .pc = (uint32_t)event->pc,
        .next_pc = (uint32_t)event->handler,
        .cycle = feed->port.cycle,
    };
    (void)machine;
    if (!feed->off)
        feed->reader(feed->reader_self, &port);
}

void gs_port_feed_init(gs_port_feed *feed, const gs_machine *machine, const gs_timing *timing,
                       gs_port_reader *reader, void *reader_self)
{
    *feed = (gs_port_feed){
        .machine = machine,
        .timing = timing,
        .reader = reader,
        .reader_self = reader_self,
        .observer = {.retired = on_retired,
                     .trapped = on_trapped,
                     .region = on_region,
                     .self = feed,
                     .name = "a unit"},
    };
    if (timing) { /* a timing that has run before has counted before */
        read_timing(feed);
        read_stalls(feed);
        feed->port = (gs_port){.cycle = timing->now};
    }
}

static struct gs_port_counted counted_by(const gs_timing *t)
{
    const gs_cache_stats *i = &t->icache.stats, *d = &t->dcache.stats;
    struct gs_port_counted now = {
        .cycles = t->now,
        .mispredicted = t->branches.mispredicted,
        .ifetches = i->reads,
        .imisses = i->read_misses,
        .daccesses = d->reads + d->writes,
        .dmisses = d->read_misses + d->write_misses,
    };
    memcpy(now.stalls, t->stalls, sizeof now.stalls);
    return now;
}

void gs_port_feed_pause(gs_port_feed *feed)
{
    feed->mark = counted_by(feed->timing);
}

uint64_t gs_port_feed_resume(gs_port_feed *feed)
{
    const struct gs_port_counted now = counted_by(feed->timing), *mark = &feed->mark;
    struct gs_port_counted *before = &feed->before;
    before->cycles += now.cycles - mark->cycles;
    before->mispredicted += now.mispredicted - mark->mispredicted;
    before->ifetches += now.ifetches - mark->ifetches;
    before->imisses += now.imisses - mark->imisses;
    before->daccesses += now.daccesses - mark->daccesses;
    before->dmisses += now.dmisses - mark->dmisses;
    for (unsigned cause = 0; cause < GS_STALL_COUNT; cause++)
        before->stalls[cause] += now.stalls[cause] - mark->stalls[cause];
    feed->port.cycle = feed->timing->now;
    return now.cycles - mark->cycles;
}
