/* Decides what translating may cost; see payback.h. All constants are of a Xeon of 2023. */
#include "engine/fast/tier/payback.h"

/* Used until something has been measured. */
static const double usual_seconds_per_instruction = 10e-9;
static const gs_tier_cost usual_costs[] = {
    [false] = {.fixed = 0.035, .per_step = 0.6e-3, .own_per_step = 0.06e-3},
    [true] = {.fixed = 0.7e-3, .per_step = 0.02e-3, .own_per_step = 0.02e-3},
};

static const double share = 0.08;      /* of the reference engine's time; the rest is for noise */
static const double known_after = 1e6; /* instructions */
static const double window = 1e-3;     /* seconds that are long enough to measure */
static const double forgets_after = 1e9;
static const double rest_first = 32, rest_most = 128; /* times what was lost */
/* A window that takes this much longer than the reference engine would has lost time, if
 * translated code was left this often: otherwise other reasons are likelier, such as system
 * calls that take long. */
static const double lost_share = 0.1;
enum { FEW_INSTRUCTIONS = 1000 }; /* per entry */

void gs_payback_begin(gs_payback *p, gs_reading now)
{
    *p = (gs_payback){
        .base = now.seconds,
        .seconds_per_instruction = usual_seconds_per_instruction,
        .costs = {usual_costs[false], usual_costs[true]},
        .last = now,
        .rest_factor = rest_first,
    };
}

/* The speed of the reference engine follows from windows in which it ran everything. */
static void measure_reference(gs_payback *p, double seconds, double instructions)
{
    p->reference_seconds += seconds;
    p->reference_instructions += instructions;
    if (p->reference_instructions > forgets_after) {
        p->reference_seconds /= 2;
        p->reference_instructions /= 2;
    }
    if (p->reference_instructions >= known_after)
        p->seconds_per_instruction = p->reference_seconds / p->reference_instructions;
}

/* Translated code was tried in this window. */
static void judge(gs_payback *p, const gs_reading *now, double running)
{
    const double seconds = now->seconds - p->last.seconds,
                 instructions = (double)(now->instructions - p->last.instructions),
                 entries = (double)(now->entries - p->last.entries),
                 expected = instructions * p->seconds_per_instruction;
    const bool to_blame = p->changing || instructions < entries * FEW_INSTRUCTIONS;
    if (seconds <= (1 + lost_share) * expected || !to_blame) {
        p->rest_factor = rest_first;
        return;
    }
    if (gs_payback_slack(p, running) < 0)
        p->rest_factor = rest_most;
    const double rest = (seconds - expected) * p->rest_factor;
    p->rest_until = now->instructions + (uint64_t)(rest / p->seconds_per_instruction) + 1;
    p->rest_factor = p->rest_factor < rest_most ? 2 * p->rest_factor : rest_most;
}

void gs_payback_ran(gs_payback *p, gs_reading now, double running)
{
    const double seconds = now.seconds - p->last.seconds;
    if (seconds < window)
        return;
    if (now.entries == p->last.entries)
        measure_reference(p, seconds, (double)(now.instructions - p->last.instructions));
    else
        judge(p, &now, running);
    p->last = now;
    p->changing = false;
}

static double mean(double estimate, double found)
{
    return (estimate + found) / 2;
}

void gs_payback_worked(gs_payback *p, gs_reading now, bool quick, unsigned steps)
{
    double *own = &p->costs[quick].own_per_step;
    if (steps > 0)
        *own = mean(*own, (now.seconds - p->last.seconds) / steps);
    p->last = now;
}

void gs_payback_compiled(gs_payback *p, bool quick, double seconds, unsigned steps)
{
    gs_tier_cost *cost = &p->costs[quick];
    const double expected = cost->fixed + cost->per_step * steps;
    p->compilers += seconds;
    cost->fixed = mean(cost->fixed, cost->fixed * seconds / expected);
    cost->per_step = mean(cost->per_step, cost->per_step * seconds / expected);
}

double gs_payback_reference(const gs_payback *p)
{
    return p->base + (double)p->last.instructions * p->seconds_per_instruction;
}

double gs_payback_slack(const gs_payback *p, double running)
{
    return (1 + share) * gs_payback_reference(p) - p->last.seconds - p->compilers - running;
}

double gs_payback_cost(const gs_payback *p, bool quick, unsigned steps)
{
    const gs_tier_cost *cost = &p->costs[quick];
    return cost->fixed + (cost->per_step + cost->own_per_step) * steps;
}

unsigned gs_payback_steps(const gs_payback *p, bool quick, double seconds)
{
    const gs_tier_cost *cost = &p->costs[quick];
    const double steps = (seconds - cost->fixed) / (cost->per_step + cost->own_per_step);
    return steps < 0 ? 0 : steps > UINT32_MAX / 2 ? UINT32_MAX / 2 : (unsigned)steps;
}

bool gs_payback_rests(const gs_payback *p, uint64_t instructions)
{
    return instructions < p->rest_until;
}
