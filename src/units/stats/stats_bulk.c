/* The Statistics Module counts runs of instructions at once, and beat by beat where an interval
 * ends. */
#include "units/stats/stats_bulk.h"

#include <string.h>

/* -- beats --------------------------------------------------------------------------------------
 */

static void pass_clocks(gs_stats_bulk *b)
{
    if (b->clocks > 0)
        gs_stats_pass(b->stats, b->clocks);
    b->clocks = 0;
}

/* The instruction that traps belong to has been executed: in translated code, or it is the next
 * beat. */
static void place_traps(gs_stats_bulk *b, bool translated)
{
    gs_stats *stats = b->stats;
    for (unsigned i = 0; i < stats->count && b->traps > 0 && translated; i++) {
        const unsigned range = stats->range_of[i];
        if (stats->signal_of[i] == GS_STATS_TRAP && b->traps_pc >= stats->range[range].first &&
            b->traps_pc <= stats->range[range].last)
            gs_stats_add(stats, i, b->traps);
    }
    if (!translated)
        stats->traps += b->traps;
    b->traps = 0;
}

void gs_stats_bulk_beat(gs_stats_bulk *b, const gs_port *port)
{
    const gs_stats *stats = b->stats;
    place_traps(b, b->clocks > 0);
    pass_clocks(b);
    const bool ends_interval = stats->interval > 0 && port->cycles >= stats->timer,
               holds = b->held_count > 0 || (b->outstanding && ends_interval);
    if (holds && b->held_count < GS_STATS_HELD)
        b->held[b->held_count++] = *port;
    else
        gs_stats_beat(b->stats, port, b->isa);
}

/* Nothing is outstanding. */
static void count_held(gs_stats_bulk *b)
{
    b->outstanding = false;
    for (unsigned i = 0; i < b->held_count; i++)
        gs_stats_beat(b->stats, &b->held[i], b->isa);
    b->held_count = 0;
}

void gs_stats_bulk_pause(gs_stats_bulk *b, uint32_t pc)
{
    gs_stats *stats = b->stats;
    place_traps(b, b->clocks > 0);
    pass_clocks(b);
    b->outstanding = true;
    b->traps = stats->traps;
    b->traps_pc = pc;
    stats->traps = 0;
    stats->pending = false;
}

void gs_stats_bulk_resume(gs_stats_bulk *b, uint64_t clocks)
{
    b->clocks += clocks;
}

/* -- what runs of instructions mean -------------------------------------------------------------
 */

/* The signals of one execution, and where its instructions are. */
typedef struct signals {
    int64_t amount[GS_STATS_SIGNAL_COUNT];
    uint32_t lowest, highest;
} signals;

/* Where control goes on if it does not jump. */
static uint64_t straight_on(const gs_bulk_insn *jump, unsigned delay_slots)
{
    return jump->pc + jump->insn.length * (1u + delay_slots);
}

static bool reads(unsigned class)
{
    return class == GS_CLASS_LOAD || class == GS_CLASS_FP_LOAD || class == GS_CLASS_ATOMIC;
}

static bool writes(unsigned class)
{
    return class == GS_CLASS_STORE || class == GS_CLASS_FP_STORE || class == GS_CLASS_ATOMIC;
}

static void add_instruction(signals *s, const gs_isa *isa, const gs_bulk_run *run, unsigned index)
{
    const gs_bulk_insn *at = gs_bulk_insn_at(run, index);
    const unsigned class = isa->ops[at->insn.op].timing;
    int64_t *amount = s->amount;
    amount[GS_STATS_CYCLE]++;
    amount[GS_STATS_INSTRUCTION]++;
    amount[GS_STATS_READ] += reads(class);
    amount[GS_STATS_WRITE] += writes(class);
    if (class != GS_CLASS_BRANCH)
        return;
    amount[GS_STATS_BRANCH]++;
    amount[GS_STATS_TAKEN] +=
        run->taken == (int)index && run->goal != straight_on(at, isa->delay_slots);
}

static void add_charge(signals *s, const gs_charge *charge)
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

static void add_place(signals *s, uint32_t pc)
{
    s->lowest = pc < s->lowest ? pc : s->lowest;
    s->highest = pc > s->highest ? pc : s->highest;
}

/* Of the instructions from `first` to `last`. */
static void sum_up(signals *s, const gs_isa *isa, const gs_bulk_run *run, uint32_t first,
                   uint32_t last)
{
    *s = (signals){.lowest = UINT32_MAX};
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

uint32_t gs_stats_bulk_weights(gs_stats_bulk *b, size_t *count)
{
    const gs_stats *stats = b->stats;
    bool same = b->count == stats->count;
    for (unsigned i = 0; i < stats->count; i++) {
        const unsigned range = stats->range_of[i];
        same &= b->counter[i].signal == stats->signal_of[i] &&
                b->counter[i].first == stats->range[range].first &&
                b->counter[i].last == stats->range[range].last;
        b->counter[i].signal = stats->signal_of[i];
        b->counter[i].first = stats->range[range].first;
        b->counter[i].last = stats->range[range].last;
    }
    b->count = stats->count;
    b->weights += !same;
    *count = b->count;
    return b->weights;
}

void gs_stats_bulk_weigh(const gs_stats_bulk *b, const gs_bulk_run *run, int64_t *sums)
{
    signals all, part;
    sum_up(&all, b->isa, run, 0, UINT32_MAX);
    for (unsigned i = 0; i < b->count; i++) {
        const uint32_t first = b->counter[i].first, last = b->counter[i].last;
        const unsigned signal = b->counter[i].signal;
        if (first <= all.lowest && last >= all.highest) {
            sums[i] += all.amount[signal];
        } else if (first <= all.highest && last >= all.lowest) {
            sum_up(&part, b->isa, run, first, last);
            sums[i] += part.amount[signal];
        }
    }
}

/* -- counting -----------------------------------------------------------------------------------
 */

static void charge(gs_port *port, const gs_charge *of)
{
    switch (of->kind) {
    case GS_CHARGE_CYCLES: port->cycles += (uint64_t)of->amount; break;
    case GS_CHARGE_I_MISSES: port->icache_misses += (uint8_t)of->amount; break;
    case GS_CHARGE_D_MISSES: port->dcache_misses += (uint8_t)of->amount; break;
    case GS_CHARGE_MISPREDICTED: port->mispredict = true; break;
    default: port->stall[of->kind - GS_CHARGE_STALLS] += (uint64_t)of->amount; break;
    }
}

/* The beats of a run. */
static void replay(gs_stats_bulk *b, const gs_bulk_run *run)
{
    for (unsigned i = 0; i < run->length; i++) {
        const gs_bulk_insn *at = gs_bulk_insn_at(run, i);
        const unsigned class = b->isa->ops[at->insn.op].timing;
        const gs_addr next = i + 1 < run->length ? gs_bulk_insn_at(run, i + 1)->pc : run->next;
        gs_port port = {.valid = true,
                        .read = reads(class),
                        .write = writes(class),
                        .pc = (uint32_t)at->pc,
                        .next_pc = (uint32_t)next,
                        .insn = at->insn.raw,
                        .cycles = 1,
                        .decoded = &at->insn};
        for (unsigned k = 0; k < run->charge_count; k++) {
            if (run->charges[k].insn == i)
                charge(&port, &run->charges[k]);
        }
        gs_stats_beat(b->stats, &port, b->isa);
    }
}

void gs_stats_bulk_collect(gs_stats_bulk *b, const int64_t *sums, const gs_bulk_run *last)
{
    int64_t of_last[GS_STATS_COUNTERS_MAX] = {0};
    if (last) {
        gs_stats_bulk_weigh(b, last, of_last);
        b->clocks -= last->cycles;
    }
    if (b->clocks > 0 || last)
        place_traps(b, b->clocks > 0);
    for (unsigned i = 0; i < b->count; i++) {
        const int64_t amount = sums[i] - of_last[i];
        if (amount > 0)
            gs_stats_add(b->stats, i, (uint64_t)amount);
    }
    if (last) {
        pass_clocks(b);
        replay(b, last);
    }
}

/* Hits are not among what translated code counts by instruction. */
bool gs_stats_bulk_fits(const gs_stats *stats)
{
    for (unsigned i = 0; i < stats->count; i++) {
        if (stats->signal_of[i] == GS_STATS_I_HIT || stats->signal_of[i] == GS_STATS_D_HIT)
            return false;
    }
    return true;
}

void gs_stats_bulk_finish(gs_stats_bulk *b)
{
    pass_clocks(b);
    count_held(b);
}

uint64_t gs_stats_bulk_due(gs_stats_bulk *b, uint64_t clock)
{
    gs_stats_bulk_finish(b);
    if (!gs_stats_bulk_fits(b->stats))
        return 0;
    return b->stats->interval == 0 || b->stats->ended ? UINT64_MAX : clock + b->stats->timer;
}
