/* Plans all regions, and adds them up by function and by loop; finds what cannot be moved. */
#include "partition/costs.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

enum { WORD_BITS = 32 };

void gs_hw_cost_add(gs_hw_cost *sum, const gs_hw_cost *more, double share)
{
    sum->cycles += more->cycles * share;
    sum->loads += more->loads * share;
    sum->stores += more->stores * share;
    sum->states += more->states;
    sum->values += more->values;
    for (unsigned i = 0; i < GS_HLS_KIND_COUNT; i++)
        sum->uses[i] += more->uses[i];
}

void gs_hw_cost_area(const gs_hw_cost *cost, const gs_hls *hls,
                     uint64_t area[GS_HLS_RESOURCE_COUNT])
{
    for (unsigned r = 0; r < GS_HLS_RESOURCE_COUNT; r++) {
        area[r] = cost->states * hls->state[r];
        for (unsigned i = 0; i < GS_HLS_KIND_COUNT; i++) {
            const gs_hls_operator *op = &hls->operators[i];
            const bool shared = op->units && op->units < cost->uses[i];
            area[r] += (shared ? op->units : cost->uses[i]) * op->area[r];
        }
    }
    area[GS_HLS_FF] += cost->values * WORD_BITS;
}

bool gs_hw_in_loop(const gs_profile *profile, uint32_t pc, uint32_t loop)
{
    const gs_profile_insn *insn = gs_profile_insn_at(profile, pc);
    uint32_t at = insn ? insn->loop : GS_PROFILE_NONE;
    while (at != GS_PROFILE_NONE && at != loop)
        at = profile->loops.items[at].parent;
    return at == loop;
}

/* -- regions ---------------------------------------------------------------------------------- */

/* How often a loop that is one region was entered; `iterations` if that is not known. */
static uint64_t entries_of(const gs_profile *p, uint32_t header, uint64_t iterations)
{
    for (size_t i = 0; i < p->loops.count; i++) {
        if (p->loops.items[i].header == header)
            return p->loops.items[i].entries < iterations ? p->loops.items[i].entries : iterations;
    }
    return iterations;
}

static gs_hw_cost cost_of(const gs_profile *p, const gs_hw_region *region, const gs_hw_plan *plan)
{
    const gs_profile_block *head = &p->blocks.items[region->head];
    const double times = (double)head->executions;
    gs_hw_cost cost = {.cycles = times * plan->states,
                       .loads = times * plan->loads,
                       .stores = times * plan->stores,
                       .states = plan->states,
                       .values = plan->values};
    if (plan->interval) {
        const double entries = (double)entries_of(p, head->start, head->executions);
        cost.cycles = entries * plan->states + (times - entries) * plan->interval;
    }
    for (unsigned i = 0; i < GS_HLS_KIND_COUNT; i++)
        cost.uses[i] = plan->uses[i];
    return cost;
}

static bool add_regions(gs_hw_costs *c)
{
    const gs_profile *p = c->code.profile;
    for (size_t i = 0; i < c->code.region_count; i++) {
        const gs_hw_region *region = &c->code.regions[i];
        const uint32_t function = p->blocks.items[region->head].function;
        gs_hw_plan plan;
        if (!gs_hw_plan_region(&plan, &c->code, c->hls, region))
            return false;
        const gs_hw_cost cost = cost_of(p, region, &plan);
        if (function != GS_PROFILE_NONE)
            gs_hw_cost_add(&c->functions[function], &cost, 1);
        const uint32_t first = c->code.first_insn[region->head];
        uint32_t loop = first < p->insns.count ? p->insns.items[first].loop : GS_PROFILE_NONE;
        for (; loop != GS_PROFILE_NONE; loop = p->loops.items[loop].parent)
            gs_hw_cost_add(&c->loops[loop], &cost, 1);
    }
    for (size_t i = 0; i < p->insns.count; i++) {
        const gs_profile_insn *insn = &p->insns.items[i];
        if (insn->function != GS_PROFILE_NONE)
            c->functions[insn->function].instructions += insn->executions;
    }
    return true;
}

/* -- what cannot be moved --------------------------------------------------------------------- */

typedef struct named {
    const char *name;
    int8_t kind;
} named;

static const named staying[] = {
    {"malloc", GS_HW_ALLOCATES}, {"calloc", GS_HW_ALLOCATES},    {"realloc", GS_HW_ALLOCATES},
    {"free", GS_HW_ALLOCATES},   {"_malloc_r", GS_HW_ALLOCATES}, {"_free_r", GS_HW_ALLOCATES},
    {"printf", GS_HW_LIBRARY},   {"fprintf", GS_HW_LIBRARY},     {"vprintf", GS_HW_LIBRARY},
    {"vfprintf", GS_HW_LIBRARY}, {"sprintf", GS_HW_LIBRARY},     {"snprintf", GS_HW_LIBRARY},
    {"iprintf", GS_HW_LIBRARY},  {"puts", GS_HW_LIBRARY},        {"putchar", GS_HW_LIBRARY},
    {"fputs", GS_HW_LIBRARY},    {"fputc", GS_HW_LIBRARY},       {"putc", GS_HW_LIBRARY},
    {"getchar", GS_HW_LIBRARY},  {"scanf", GS_HW_LIBRARY},       {"fwrite", GS_HW_LIBRARY},
    {"fread", GS_HW_LIBRARY},    {"fopen", GS_HW_LIBRARY},       {"fclose", GS_HW_LIBRARY},
    {"write", GS_HW_LIBRARY},    {"_write", GS_HW_LIBRARY},      {"read", GS_HW_LIBRARY},
    {"_read", GS_HW_LIBRARY},    {"exit", GS_HW_LIBRARY},        {"_exit", GS_HW_LIBRARY},
    {"abort", GS_HW_LIBRARY},    {"setjmp", GS_HW_JUMPS},        {"longjmp", GS_HW_JUMPS},
    {"_setjmp", GS_HW_JUMPS},    {"_longjmp", GS_HW_JUMPS},
};

static int8_t staying_kind(const char *name)
{
    for (size_t i = 0; i < sizeof staying / sizeof *staying; i++) {
        if (strcmp(staying[i].name, name) == 0)
            return staying[i].kind;
    }
    return -1;
}

/* Whether the register that a call goes through was loaded from the global offset table of MIPS, or
 * put together by auipc: the compiler knew the function. */
static bool is_known_call(const gs_hw_costs *c, size_t call)
{
    enum { FARTHEST = 32, MIPS_GP = 28 };
    const gs_profile_insn *insns = c->code.profile->insns.items;
    const unsigned through = c->code.insns[call].insn.rs1;
    for (size_t i = call; i-- > 0 && call - i <= FARTHEST;) {
        const gs_hw_insn *at = &c->code.insns[i];
        if (insns[i].function != insns[call].function)
            return false;
        if (at->operands.target[0] != through)
            continue;
        if (c->code.isa->arch == GS_ARCH_MIPS32 && at->role == GS_HW_LOAD)
            return at->insn.rs1 == MIPS_GP;
        if (at->kind != GS_HLS_ADD || at->role == GS_HW_LOAD)
            return false;
        if (at->operands.source[0] != through)
            return strcmp(c->code.isa->ops[at->insn.op].name, "auipc") == 0;
    }
    return false;
}

/* What an instruction's own doing is; -1: nothing that hinders. */
static int hindrance_of(const gs_hw_costs *c, size_t insn)
{
    const gs_hw_insn *at = &c->code.insns[insn];
    const unsigned class = c->code.isa->ops[at->insn.op].timing;
    if (class == GS_CLASS_SYSTEM || class == GS_CLASS_CSR)
        return GS_HW_SYSTEM;
    if (at->flow == GS_FLOW_RETURN_CALL ||
        (at->flow == GS_FLOW_CALL_INDIRECT && !is_known_call(c, insn)))
        return GS_HW_POINTER;
    return -1;
}

static bool find_hindrances(gs_hw_costs *c)
{
    const gs_profile *p = c->code.profile;
    for (size_t i = 0; i < p->functions.count; i++) {
        c->runtime[i] = (uint8_t)gs_hw_runtime(p->functions.items[i].name);
        c->stays[i] = staying_kind(p->functions.items[i].name);
    }
    for (size_t i = 0; i < p->insns.count; i++) {
        const gs_profile_insn *insn = &p->insns.items[i];
        const int kind = hindrance_of(c, i);
        if (kind < 0 || insn->function == GS_PROFILE_NONE)
            continue;
        const gs_hw_hindrance found = {.kind = (gs_hw_hindrance_kind)kind,
                                       .function = insn->function,
                                       .callee = GS_PROFILE_NONE,
                                       .pc = insn->pc};
        if (!gs_vec_push(&c->hindrances, found))
            return false;
        if (kind == GS_HW_SYSTEM && c->stays[insn->function] < 0)
            c->stays[insn->function] = GS_HW_SYSTEM;
    }
    return true;
}

gs_status gs_hw_costs_open(gs_hw_costs *costs, const gs_profile *profile, const gs_hls *hls,
                           gs_error *err)
{
    gs_hw_costs *c = costs;
    *c = (gs_hw_costs){.hls = hls};
    gs_status status = gs_hw_code_open(&c->code, profile, hls, err);
    if (status != GS_OK)
        return status;
    c->functions = calloc(profile->functions.count + 1, sizeof *c->functions);
    c->loops = calloc(profile->loops.count + 1, sizeof *c->loops);
    c->runtime = calloc(profile->functions.count + 1, sizeof *c->runtime);
    c->stays = calloc(profile->functions.count + 1, sizeof *c->stays);
    if (c->functions && c->loops && c->runtime && c->stays && add_regions(c) && find_hindrances(c))
        return GS_OK;
    gs_hw_costs_close(c);
    return gs_fail_no_memory(err);
}

void gs_hw_costs_close(gs_hw_costs *costs)
{
    gs_hw_code_close(&costs->code);
    free(costs->functions);
    free(costs->loops);
    free(costs->runtime);
    free(costs->stays);
    free(costs->hindrances.items);
    *costs = (gs_hw_costs){0};
}
