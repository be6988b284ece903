/* Lanes of the Data Counter: count, wrap or shift. */
#include "units/leap/data_counter.h"

#include "timing/energy.h"

unsigned gs_leap_lanes(gs_leap_count count, const gs_core *core)
{
    switch (count) {
    case GS_LEAP_COUNT_ENERGY: return core->energy.group_count + 1;
    case GS_LEAP_COUNT_BRANCHES: return 2;
    default: return 1;
    }
}

const char *gs_leap_count_key(gs_leap_count count)
{
    static const char *const keys[GS_LEAP_COUNT_KINDS] = {
#define AMOUNT(name, key, text) [GS_LEAP_COUNT_##name] = key,
#include "units/amounts.def"
#undef AMOUNT
#define COUNT(name, key, text) [GS_LEAP_COUNT_##name] = key,
#include "units/leap/counts.def"
#undef COUNT
    };
    return keys[count];
}

const char *gs_leap_lane_name(gs_leap_count count, const gs_core *core, unsigned lane)
{
    if (count == GS_LEAP_COUNT_ENERGY)
        return lane < core->energy.group_count ? core->energy.groups[lane].name : "stall";
    if (count == GS_LEAP_COUNT_BRANCHES)
        return lane == 0 ? "taken" : "untaken";
    return gs_leap_count_key(count);
}

/* Every cycle is in one lane: a stall, if the table says so, or in the instruction's group. */
static void measure_energy(const gs_leap_data_counter *c, const gs_port *port,
                           gs_leap_values *amount)
{
    const gs_core_energy *energy = &c->core->energy;
    uint64_t stalls = 0;
    for (unsigned i = 0; i < GS_STALL_COUNT; i++) {
        if (port->stall[i] && gs_energy_is_stall(energy, (gs_stall)i))
            stalls += port->stall[i];
    }
    amount->lane[gs_energy_group(c->core, c->isa, port->decoded)] += port->cycles - stalls;
    amount->lane[energy->group_count] += stalls;
}

void gs_leap_measure(const gs_leap_data_counter *c, const gs_port *port, const gs_leap_op *op,
                     gs_leap_values *amount)
{
    for (unsigned i = 0; i < c->lanes; i++)
        amount->lane[i] = 0;
    if (!port->valid)
        return;
    switch (c->count) {
    case GS_LEAP_COUNT_ENERGY: measure_energy(c, port, amount); break;
    case GS_LEAP_COUNT_LOOPS: amount->lane[0] = op->iterates; break;
    case GS_LEAP_COUNT_BRANCHES:
        amount->lane[0] = op->branch && op->taken;
        amount->lane[1] = op->branch && !op->taken;
        break;
    case GS_LEAP_COUNT_CALLS: break;
    default: amount->lane[0] = gs_amount_of((gs_amount)c->count, port); break;
    }
}

bool gs_leap_would_fill(const gs_leap_data_counter *c, const gs_leap_values *amount, unsigned shift)
{
    uint64_t mask = gs_leap_mask(c->width);
    for (unsigned i = 0; i < c->lanes; i++) {
        uint64_t units = (c->fraction.lane[i] + amount->lane[i]) >> shift;
        if (units > mask - c->value.lane[i])
            return true;
    }
    return false;
}

void gs_leap_add(gs_leap_data_counter *c, const gs_leap_values *amount, unsigned shift)
{
    uint64_t mask = gs_leap_mask(c->width), part = (UINT64_C(1) << shift) - 1;
    for (unsigned i = 0; i < c->lanes; i++) {
        uint64_t sum = c->fraction.lane[i] + amount->lane[i];
        c->value.lane[i] = (c->value.lane[i] + (sum >> shift)) & mask;
        c->fraction.lane[i] = sum & part;
    }
}

void gs_leap_halve(gs_leap_data_counter *c, unsigned old_shift)
{
    for (unsigned i = 0; i < c->lanes; i++) {
        c->fraction.lane[i] |= (c->value.lane[i] & 1) << old_shift;
        c->value.lane[i] >>= 1;
    }
}
