/* Compares transitions; see difference.h. */
#include "engine/fast/automaton/difference.h"

#include <string.h>

static bool same_but_charges(const gs_transition *a, const gs_transition *b)
{
    return a->after == b->after && a->icache_reads == b->icache_reads &&
           a->dcache_reads == b->dcache_reads && a->dcache_writes == b->dcache_writes &&
           a->issue_fj == b->issue_fj && a->wrong_path == b->wrong_path &&
           memcmp(&a->branches, &b->branches, sizeof a->branches) == 0;
}

static int32_t amount_of(const gs_transition *l, unsigned step, unsigned kind)
{
    for (unsigned i = 0; i < l->charge_count; i++) {
        if (l->charges[i].insn == step && l->charges[i].kind == kind)
            return l->charges[i].amount;
    }
    return 0;
}

bool gs_difference_of(const gs_transition *b, const gs_transition *a, gs_difference *d)
{
    *d = (gs_difference){0};
    if (!same_but_charges(a, b))
        return false;
    for (unsigned turn = 0; turn < 2; turn++) {
        const gs_transition *l = turn ? a : b;
        for (unsigned i = 0; i < l->charge_count; i++) {
            gs_charge c = l->charges[i];
            const int32_t in_a = amount_of(a, c.insn, c.kind), in_b = amount_of(b, c.insn, c.kind);
            if (in_a == in_b || (turn && in_b != 0))
                continue; /* no state, or one that has been seen */
            if (d->count == GS_DIFFERENCES_MAX)
                return false;
            c.amount = in_b - in_a;
            d->charges[d->count++] = c;
        }
    }
    return true;
}

bool gs_difference_equals(const gs_difference *a, const gs_difference *b)
{
    return a->count == b->count &&
           memcmp(a->charges, b->charges, a->count * sizeof *a->charges) == 0;
}

int64_t gs_difference_cycles(const gs_difference *d)
{
    int64_t cycles = 0;
    for (unsigned i = 0; i < d->count; i++) {
        if (d->charges[i].kind == GS_CHARGE_CYCLES)
            cycles += d->charges[i].amount;
    }
    return cycles;
}
