/* Runs the pipeline model over a superblock; its caches and predictor answer from a transition's
 * key. */
#include "engine/fast/automaton/oracle.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Far enough from the beginning of time that nothing is before it. */
static const uint64_t base_time = UINT64_C(1) << 40;

struct gs_oracle {
    gs_timing *timing;
    gs_cache_script icache, dcache;
    gs_predictor_script predictor;
    const gs_superblock *superblock;
    const gs_sb_exit *exit; /* or NULL */
    uint64_t key;
    gs_addr goal;
    unsigned step;
    unsigned wrong_path_fetches; /* instructions looked up along the wrong path in this step, */
    gs_addr wrong_path;          /* and the last address whose line that has filled; 0: none */
    uint32_t icache_reads, dcache_reads, dcache_writes;
    uint32_t misses[2]; /* of icache and dcache */
};

/* -- what the caches and the predictor answer ---------------------------------------------------
 */

static unsigned outcome(const gs_oracle *o, const gs_site *site)
{
    return (unsigned)(o->key >> site->shift) & ((1u << site->bits) - 1);
}

static gs_cache_result answer_icache(gs_cache_script *cache, gs_addr address, bool write)
{
    (void)write;
    gs_oracle *o = (gs_oracle *)(void *)((char *)cache - offsetof(gs_oracle, icache));
    const unsigned shift = o->timing->icache.line_shift;
    o->icache_reads++;
    for (unsigned i = 0; i < o->superblock->site_count; i++) {
        const gs_site *site = &o->superblock->sites[i];
        if (site->kind != GS_SITE_FETCH || site->step != o->step)
            continue;
        gs_addr at = site->address ? site->address : o->goal;
        if (at >> shift == address >> shift && outcome(o, site) == GS_OUTCOME_FILLED) {
            o->misses[0]++;
            return (gs_cache_result){.filled = true};
        }
    }
    return (gs_cache_result){.hit = true};
}

/* The site where fetch goes down the wrong path in this step, or NULL. */
static const gs_site *wrong_path_site(const gs_oracle *o)
{
    const bool jumps = o->exit && o->exit->taken == (int)o->step;
    int site = jumps ? o->exit->wrong_path : o->superblock->steps[o->step].wrong_path;
    return site < 0 ? NULL : &o->superblock->sites[site];
}

static bool probe_icache(gs_cache_script *cache, gs_addr address)
{
    (void)address;
    gs_oracle *o = (gs_oracle *)(void *)((char *)cache - offsetof(gs_oracle, icache));
    const gs_site *site = wrong_path_site(o);
    return ++o->wrong_path_fetches != (site ? outcome(o, site) : 0);
}

static void fill_icache(gs_cache_script *cache, gs_addr address)
{
    gs_oracle *o = (gs_oracle *)(void *)((char *)cache - offsetof(gs_oracle, icache));
    o->wrong_path = address;
}

static gs_flow flow_of(const gs_oracle *o, const gs_step *step)
{
    uint64_t goal;
    return o->timing->machine->isa->flow(&step->insn, step->pc, &goal);
}

static gs_guess answer_guess(gs_predictor_script *predictor)
{
    gs_oracle *o = (gs_oracle *)(void *)((char *)predictor - offsetof(gs_oracle, predictor));
    const gs_step *step = &o->superblock->steps[o->step];
    if (step->guess < 0)
        return gs_predictor_at_best(&o->timing->predictor, flow_of(o, step));
    const gs_site *site = &o->superblock->sites[step->guess];
    return (gs_guess)(outcome(o, site) ^ site->at_best);
}

static gs_cache_result answer_dcache(gs_cache_script *cache, gs_addr address, bool write)
{
    (void)address;
    gs_oracle *o = (gs_oracle *)(void *)((char *)cache - offsetof(gs_oracle, dcache));
    const bool through = write && !o->timing->core->dcache.write_back;
    *(write ? &o->dcache_writes : &o->dcache_reads) += 1;
    int site = o->superblock->steps[o->step].data;
    unsigned result = site < 0 ? GS_OUTCOME_HIT : outcome(o, &o->superblock->sites[site]);
    o->misses[1] += result != GS_OUTCOME_HIT;
    switch (result) {
    default: return (gs_cache_result){.hit = true, .through = through};
    case GS_OUTCOME_FILLED: return (gs_cache_result){.filled = true, .through = through};
    case GS_OUTCOME_WRITTEN_BACK:
        return (gs_cache_result){.filled = true, .writeback = true, .through = through};
    case GS_OUTCOME_PASSED: return (gs_cache_result){.through = write};
    }
}

/* -- what a superblock costs ---------------------------------------------------------------- */

/* The operand values that make the class cost what the outcome says. */
static void set_operands(const gs_oracle *o, const gs_step *step, gs_timing_step *t)
{
    const gs_isa *isa = o->timing->machine->isa;
    const gs_core_class *class = &o->timing->core->classes[isa->ops[step->insn.op].timing];
    unsigned value = step->operand < 0 ? 0 : outcome(o, &o->superblock->sites[step->operand]);
    switch (class->operand) {
    case GS_OPERAND_RULE_NONE: break;
    case GS_OPERAND_RULE_SHIFT_STEPS: t->value[isa->arch == GS_ARCH_MIPS32 ? 0 : 1] = value; break;
    case GS_OPERAND_RULE_EARLY_OUT: t->value[1] = value ? 1u << (value - 1) : 0; break;
    case GS_OPERAND_RULE_DIVISOR_ZERO: t->value[1] = !value; break;
    case GS_OPERAND_RULE_NEGATIVE_DIVIDEND: t->value[0] = value << 31; break;
    }
}

/* Every access is at address 0. */
static void set_stores(const gs_oracle *o, const gs_step *step)
{
    unsigned overlaps = step->overlap < 0 ? 0 : outcome(o, &o->superblock->sites[step->overlap]);
    for (unsigned i = 0; i < 2; i++)
        o->timing->last_stores[i] = (gs_timing_store){overlaps >> i & 1 ? 0 : 64, 4};
}

static void take_step(gs_oracle *o, unsigned number)
{
    const gs_step *step = &o->superblock->steps[number];
    const bool taken = o->exit && o->exit->taken == (int)number;
    gs_timing_step t = {.pc = step->pc, .taken = taken, .goal = taken ? o->goal : 0};
    if (step->access)
        gs_timing_access(&t, o->timing->machine->isa->ops[step->insn.op].timing, 0, step->access);
    set_operands(o, step, &t);
    set_stores(o, step);
    o->step = number;
    o->wrong_path_fetches = 0;
    o->wrong_path = 0;
    gs_timing_retired(o->timing, &step->insn, &t);
}

/* The counters that a step can be charged with. */
static void read_counters(const gs_oracle *o, uint64_t reading[GS_CHARGE_KINDS])
{
    const gs_timing *timing = o->timing;
    reading[GS_CHARGE_CYCLES] = timing->now;
    reading[GS_CHARGE_I_MISSES] = o->misses[0];
    reading[GS_CHARGE_D_MISSES] = o->misses[1];
    reading[GS_CHARGE_MISPREDICTED] = timing->branches.mispredicted;
    memcpy(&reading[GS_CHARGE_STALLS], timing->stalls, sizeof timing->stalls);
}

static void prepare(gs_oracle *o, const gs_transition *t, const gs_sb_exit *exit)
{
    gs_timing *timing = o->timing;
    timing->now = base_time;
    timing->branches = (gs_branch_counts){0};
    timing->issue_fj = 0;
    timing->model->deserialize(timing, t->superblock->pc, t->state->bytes);
    memset(timing->stalls, 0, sizeof timing->stalls);
    timing->lost_before = 0;
    timing->now_before = timing->now;
    o->superblock = t->superblock;
    o->exit = exit;
    o->key = t->key;
    o->goal = t->goal;
    o->icache_reads = o->dcache_reads = o->dcache_writes = o->misses[0] = o->misses[1] = 0;
}

unsigned gs_oracle_run(gs_oracle *o, gs_transition *t, const gs_sb_exit *exit,
                       gs_charge charges[GS_ORACLE_CHARGES])
{
    unsigned count = 0;
    uint64_t before[GS_CHARGE_KINDS], now[GS_CHARGE_KINDS];
    prepare(o, t, exit);
    read_counters(o, now);
    for (unsigned i = 0; i < t->steps; i++) {
        memcpy(before, now, sizeof before);
        take_step(o, i);
        read_counters(o, now);
        for (unsigned kind = 0; kind < GS_CHARGE_KINDS; kind++) {
            int64_t amount = (int64_t)(now[kind] - before[kind]) - (kind == GS_CHARGE_CYCLES);
            if (amount != 0)
                charges[count++] = (gs_charge){(uint16_t)i, (uint16_t)kind, (int32_t)amount};
        }
    }
    t->cycles = (int32_t)(o->timing->now - base_time);
    t->icache_reads = o->icache_reads;
    t->dcache_reads = o->dcache_reads;
    t->dcache_writes = o->dcache_writes;
    t->branches = o->timing->branches;
    t->issue_fj = o->timing->issue_fj;
    t->wrong_path = o->wrong_path;
    return count;
}

void gs_oracle_rest(gs_oracle *o, gs_addr pc)
{
    static const uint8_t long_ago[GS_SERIALIZED_MAX]; /* everything that can matter has happened */
    o->timing->now = base_time;
    o->timing->instructions++; /* it is not the reset either */
    o->timing->model->deserialize(o->timing, pc, long_ago);
}

const gs_timing *gs_oracle_timing(const gs_oracle *o)
{
    return o->timing;
}

/* -- life ------------------------------------------------------------------------------------- */

gs_status gs_oracle_open(gs_oracle **out, const gs_timing *timing, gs_error *err)
{
    gs_oracle *o = *out = calloc(1, sizeof *o);
    if (!o)
        return gs_fail_no_memory(err);
    gs_status status = gs_timing_open(&o->timing, timing->core, timing->machine, err);
    if (status != GS_OK) {
        gs_oracle_free(o);
        *out = NULL;
        return status;
    }
    o->icache.answer = answer_icache;
    o->icache.probe = probe_icache;
    o->icache.fill = fill_icache;
    o->dcache.answer = answer_dcache;
    o->predictor.answer = answer_guess;
    if (gs_predictor_learns(&o->timing->predictor))
        o->timing->predictor.script = &o->predictor;
    o->timing->icache.script = &o->icache;
    o->timing->dcache.script = &o->dcache;
    return GS_OK;
}

void gs_oracle_free(gs_oracle *o)
{
    if (!o)
        return;
    gs_timing_free(o->timing);
    free(o);
}
