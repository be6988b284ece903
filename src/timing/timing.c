/* Opens the pipeline model of a core, and counts cycles and stalls for all of them. */
#include "timing/timing.h"

#include <stdlib.h>

#include "schedule/schedule.h"
#include "timing/energy.h"

static const struct {
    const char *key, *text;
} stall_names[GS_STALL_COUNT] = {
#define STALL(name, key, text) [GS_STALL_##name] = {key, text},
#include "timing/stalls.def"
#undef STALL
};

/* One per kind of pipeline; a model adds itself here. */
static const gs_timing_model *const models[GS_PIPELINE_COUNT] = {
    [GS_PIPELINE_SEQUENTIAL] = &gs_timing_sequential,
    [GS_PIPELINE_PICORV32] = &gs_timing_picorv32,
    [GS_PIPELINE_CLASSIC] = &gs_timing_classic,
    [GS_PIPELINE_VEXRISCV] = &gs_timing_vexriscv,
    [GS_PIPELINE_TIGER] = &gs_timing_tiger,
    [GS_PIPELINE_HAZARD3] = &gs_timing_hazard3,
    [GS_PIPELINE_VLIW] = &gs_timing_vliw,
};

void gs_core_configure(const gs_core *core, gs_machine_options *options)
{
    options->extensions = core->extensions;
    options->strict_alignment = core->strict_alignment;
    options->clock_hz = core->clock_hz;
}

bool gs_core_is_alike(const gs_core *core, const gs_core *other)
{
    return core->arch == other->arch && core->any_isa == other->any_isa &&
           core->extensions == other->extensions &&
           core->strict_alignment == other->strict_alignment;
}

gs_status gs_timing_open_model(gs_timing **out, const gs_core *core, const gs_timing_model *model,
                               gs_machine *machine, gs_error *err)
{
    *out = NULL;
    if (core->arch != machine->isa->arch && !core->any_isa)
        return gs_fail(err, GS_E_UNSUPPORTED,
                       "%s is a %s program, but core %s runs %s; 'gumshoe cores' lists others",
                       gs_image_name(machine->image), machine->isa->name, core->name,
                       core->isa_text);
    gs_timing *timing = calloc(1, sizeof *timing);
    if (!timing)
        return gs_fail_no_memory(err);
    timing->core = core;
    timing->machine = machine;
    timing->arch = machine->isa->arch;
    timing->model = model;
    timing->charges_lost = core->energy.stalls != GS_ENERGY_STALLS_ALL;
    if (!timing->model) {
        free(timing);
        return gs_fail(err, GS_E_UNSUPPORTED, "there is no model of the pipeline of core %s",
                       core->name);
    }
    timing->known = calloc(GS_TIMING_KNOWN, sizeof *timing->known);
    gs_status status = timing->known ? GS_OK : gs_fail_no_memory(err);
    if (status == GS_OK && core->has_icache)
        status = gs_cache_init(&timing->icache, &core->icache, err);
    if (status == GS_OK && core->has_dcache)
        status = gs_cache_init(&timing->dcache, &core->dcache, err);
    if (status == GS_OK)
        status = gs_predictor_init(&timing->predictor, &core->branch.predictor, err);
    if (status == GS_OK)
        status = timing->model->open(timing, err);
    if (status != GS_OK) {
        gs_timing_free(timing);
        return status;
    }
    *out = timing;
    return GS_OK;
}

gs_status gs_timing_open(gs_timing **out, const gs_core *core, gs_machine *machine, gs_error *err)
{
    return gs_timing_open_model(out, core, models[core->pipeline], machine, err);
}

void gs_timing_free(gs_timing *timing)
{
    if (!timing)
        return;
    if (!timing->shares_known)
        free(timing->known);
    if (timing->model->close)
        timing->model->close(timing);
    free(timing->state);
    gs_timing_view_free(timing->view);
    gs_predictor_fini(&timing->predictor);
    gs_cache_fini(&timing->icache);
    gs_cache_fini(&timing->dcache);
    free(timing);
}

static __attribute__((noinline)) void learn(gs_timing *timing, gs_timing_insn *known,
                                            const gs_insn *insn, uint32_t pc)
{
    const gs_isa *isa = timing->machine->isa;
    uint64_t goal = 0;
    *known = (gs_timing_insn){
        .pc = pc,
        .raw = insn->raw,
        .known = true,
        .length = insn->length,
        .class = isa->ops[insn->op].timing,
        .flow = (uint8_t)isa->flow(insn, pc, &goal),
        .operands = isa->operands(insn),
    };
    known->goal = (uint32_t)goal;
    known->drops_slot = gs_op_may(isa, insn->op, GS_EFFECT_DROPS_SLOT);
    known->cycle_fj = gs_energy_of_issue(timing->core, isa, insn);
}

static gs_timing_insn *entry_of(gs_timing *timing, uint32_t pc)
{
    return &timing->known[(pc >> 1) & (GS_TIMING_KNOWN - 1)];
}

const gs_timing_insn *gs_timing_insn_at(gs_timing *timing, uint32_t pc)
{
    gs_machine *machine = timing->machine;
    uint32_t word;
    gs_insn insn = {.op = GS_OP_ILLEGAL, .length = (uint8_t)machine->isa->unit};
    if (gs_memory_fetch(&machine->memory, machine->isa, pc, &word) == GS_ACCESS_OK)
        gs_decode(&insn, &machine->decoder, word);
    gs_timing_insn *known = entry_of(timing, pc);
    if (!known->known || known->pc != pc || known->raw != insn.raw)
        learn(timing, known, &insn, pc);
    return known;
}

unsigned gs_timing_operand_cycles(const gs_core_class *class, const gs_timing_step *step)
{
    uint32_t second = step->value[1];
    switch (class->operand) {
    case GS_OPERAND_RULE_NONE: break;
    case GS_OPERAND_RULE_SHIFT_STEPS: {
        unsigned amount = second & 31;
        return class->cycles + amount / class->step + amount % class->step;
    }
    case GS_OPERAND_RULE_EARLY_OUT: {
        unsigned bits = second == 0 ? 0 : 32 - (unsigned)__builtin_clz(second);
        return class->cycles + (bits + class->step - 1) / class->step;
    }
    case GS_OPERAND_RULE_DIVISOR_ZERO:
        if (second == 0)
            return class->special;
        break;
    case GS_OPERAND_RULE_NEGATIVE_DIVIDEND:
        if ((int32_t)step->value[0] < 0 && gs_timing_is_signed_division(step->insn->raw))
            return class->special;
        break;
    }
    return class->cycles;
}

/* One line in the worst case: a dirty victim goes and all of the write buffer before it. */
static uint64_t worst_line(const gs_core *core, const gs_cache_config *cache, bool present)
{
    const gs_core_memory *memory = &core->memory;
    uint64_t bytes = present ? cache->line_bytes : sizeof(uint64_t);
    uint64_t words = memory->width ? bytes / memory->width + 1 : 1;
    return memory->overhead + memory->first + words * (memory->next + memory->write) +
           (core->write_buffer + 1u) * (memory->write + memory->first + 2u) + 8;
}

uint64_t gs_timing_worst(const gs_core *core, unsigned instructions, unsigned class_cycles,
                         unsigned accesses, unsigned lines)
{
    const gs_core_branch *branch = &core->branch;
    const gs_core_fetch *fetch = &core->fetch;
    const gs_core_memory *memory = &core->memory;
    uint64_t longest = 0, latency = 0;
    for (unsigned i = 0; i < GS_CLASS_COUNT; i++) {
        const gs_core_class *class = &core->classes[i];
        uint64_t cycles = class->cycles + class->busy + class->refill + class->special;
        if (cycles > longest)
            longest = cycles;
        if (class->latency > latency)
            latency = class->latency;
    }
    uint64_t each = 2 + latency + fetch->wait + fetch->next_misaligned + fetch->jump_misaligned +
                    fetch->shadow_misaligned + branch->not_taken + branch->taken + branch->refill +
                    branch->jump + branch->jump_reg + branch->mispredicted + memory->wait +
                    core->csr_flush + (core->pipeline == GS_PIPELINE_HAZARD3 ? 4u : 0);
    if (core->pipeline == GS_PIPELINE_VLIW)
        each += 2 * gs_vliw_longest(&core->vliw) + core->vliw.delay + core->vliw.loop_setup +
                GS_SCHEDULE_EXTRA_MAX;
    uint64_t access = memory->load_wait + memory->wait + memory->crossing + memory->uncached;
    uint64_t line = worst_line(core, &core->icache, core->has_icache) +
                    worst_line(core, &core->dcache, core->has_dcache);
    return 64 + longest + line + class_cycles + instructions * each +
           accesses * (access + worst_line(core, &core->dcache, core->has_dcache)) +
           lines * worst_line(core, &core->icache, core->has_icache) +
           /* fetches of PicoRV32 and the like pay their waits several times */
           instructions * 4u * (uint64_t)(memory->wait + fetch->wait);
}

/* RISC-V has an immediate amount in imm and a register's in the second source; MIPS has the former
 * in aux and the latter in the first source, which is zero for an immediate shift. */
static uint32_t shift_amount(const gs_timing_insn *known, gs_arch arch, const gs_insn *insn,
                             const gs_timing_step *step)
{
    if (arch == GS_ARCH_MIPS32)
        return insn->aux + step->value[0];
    return known->operands.source[1] == GS_OPERAND_NONE ? (uint32_t)insn->imm : step->value[1];
}

gs_branch gs_timing_branch(const gs_timing *timing, uint32_t pc, unsigned length, gs_flow flow,
                           uint32_t goal)
{
    const bool says_goal = flow == GS_FLOW_BRANCH || flow == GS_FLOW_BRANCH_CALL ||
                           flow == GS_FLOW_JUMP || flow == GS_FLOW_CALL;
    return (gs_branch){
        .pc = pc,
        .target = says_goal ? goal : 0,
        .next = pc + length * (1 + timing->machine->isa->delay_slots),
        .flow = flow,
    };
}

gs_status gs_timing_check_bus(const gs_timing *timing, gs_error *err)
{
    if (timing->model->request || timing->model->freezes)
        return GS_OK;
    return gs_fail(err, GS_E_UNSUPPORTED,
                   "core %s has no model of its port to a bus that others use, too",
                   timing->core->name);
}

/* What is known of the instruction that has been decoded at `pc`. */
static gs_timing_insn *know(gs_timing *timing, const gs_insn *insn, uint32_t pc)
{
    gs_timing_insn *known = entry_of(timing, pc);
    if (!known->known || known->pc != pc || known->raw != insn->raw)
        learn(timing, known, insn, pc);
    return known;
}

uint64_t gs_timing_request(gs_timing *timing, const gs_insn *insn, gs_timing_step *step)
{
    step->insn = know(timing, insn, step->pc);
    timing->bus.request =
        timing->model->request ? timing->model->request(timing, step) : gs_timing_clock(timing) + 1;
    return timing->bus.request;
}

void gs_timing_grant(gs_timing *timing, uint64_t start, uint64_t end, bool store)
{
    timing->bus.granted = true;
    timing->bus.start = start;
    timing->bus.end = end;
    if (timing->model->request)
        return;
    const uint64_t from = timing->bus.request;
    gs_timing_charge(timing, GS_STALL_BUS, start - from);
    gs_timing_charge(timing, store ? GS_STALL_D_WRITE : GS_STALL_D_READ, end + 1 - start);
    timing->now += end + 1 - from;
}

void gs_timing_release(gs_timing *timing)
{
    timing->bus.granted = false;
}

void gs_timing_retired(gs_timing *timing, const gs_insn *insn, gs_timing_step *step)
{
    gs_timing_insn *known = know(timing, insn, step->pc);
    step->insn = known;
    if (__builtin_expect(timing->bus.granted, 0) && !timing->model->request)
        step->load = step->store = false; /* that has been paid for */
    if (known->class == GS_CLASS_SHIFT)
        step->value[1] = shift_amount(known, timing->arch, insn, step);
    if (known->class == GS_CLASS_BRANCH) {
        timing->branches.executed++;
        timing->branches.taken += step->taken;
    }
    timing->instructions++;
    uint32_t cycle_fj = known->cycle_fj; /* a model may look at code that takes its place */
    timing->model->step(timing, step);
    timing->issue_fj += cycle_fj;
    if (__builtin_expect(timing->charges_lost, 0))
        gs_energy_lost(timing, cycle_fj);
}

void gs_timing_share(gs_timing *timing, gs_timing *with)
{
    if (timing->shares_known || timing->core->energy.group_count || with->core->energy.group_count)
        return; /* an instruction's energy stands beside it */
    free(timing->known);
    timing->known = with->known;
    timing->shares_known = true;
}

void gs_timing_follow(gs_timing *timing, const gs_insn *insn, const gs_timing_step *step)
{
    gs_timing_step own = *step;
    if (!timing->shares_known) {
        own.insn = NULL;
        gs_timing_retired(timing, insn, &own);
        return;
    }
    if (step->insn->class == GS_CLASS_BRANCH) {
        timing->branches.executed++;
        timing->branches.taken += step->taken;
    }
    timing->instructions++;
    timing->model->step(timing, &own);
}

void gs_timing_redirected(gs_timing *timing, gs_redirect kind, uint64_t until)
{
    timing->model->redirect(timing, kind, until);
}

void gs_timing_trapped(gs_timing *timing, const gs_trap *trap)
{
    if (timing->model->trap)
        timing->model->trap(timing, trap);
    else
        timing->model->redirect(timing, GS_REDIRECT_TRAP, 0);
}

void gs_timing_finished(gs_timing *timing)
{
    if (timing->model->finish)
        timing->model->finish(timing);
}

const gs_core *gs_timing_core(const gs_timing *timing)
{
    return timing->core;
}

uint64_t gs_timing_cycles(const gs_timing *timing)
{
    return timing->now;
}

uint64_t gs_timing_issue_cycles(const gs_timing *timing)
{
    uint64_t stalls = 0;
    for (unsigned i = 0; i < GS_STALL_COUNT; i++)
        stalls += timing->stalls[i];
    return timing->now - stalls;
}

size_t gs_timing_stall_count(void)
{
    return GS_STALL_COUNT;
}

const char *gs_timing_stall_key(size_t cause)
{
    return stall_names[cause].key;
}

const char *gs_timing_stall_text(size_t cause)
{
    return stall_names[cause].text;
}

uint64_t gs_timing_stalls(const gs_timing *timing, size_t cause)
{
    return timing->stalls[cause];
}

gs_branch_counts gs_timing_branches(const gs_timing *timing)
{
    return timing->branches;
}

static gs_cache_counts count_cache(const gs_cache *cache)
{
    const gs_cache_stats *stats = &cache->stats;
    uint64_t misses = stats->read_misses + stats->write_misses;
    return (gs_cache_counts){
        .hits = stats->reads + stats->writes - misses,
        .misses = misses,
        .evictions = stats->evictions,
        .writebacks = stats->writebacks,
    };
}

bool gs_timing_icache(const gs_timing *timing, gs_cache_counts *counts)
{
    *counts = count_cache(&timing->icache);
    return timing->core->has_icache;
}

bool gs_timing_dcache(const gs_timing *timing, gs_cache_counts *counts)
{
    *counts = count_cache(&timing->dcache);
    return timing->core->has_dcache;
}
