/* A core description for people: what each number is, and where it comes from. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "base/error.h"
#include "gumshoe/insn.h"
#include "timing/core.h"

enum { LABEL_WIDTH = 11, NAMES_WIDTH = 26, LINE_WIDTH = 80, NARROWEST = 25 };

typedef struct printer {
    FILE *to;
    const gs_core *core;
    bool colour;
} printer;

static void heading(const printer *p, const char *text)
{
    fprintf(p->to, "\n%s%s%s\n", p->colour ? "\033[1m" : "", text, p->colour ? "\033[0m" : "");
}

/* A text from behind `column` on, later lines from behind `margin` on, broken between words, each
 * with a space before it. */
static void wrap_within(const printer *p, const char *text, size_t column, size_t margin)
{
    while (*text) {
        size_t length = strcspn(text, " \n");
        if (column + 1 + length > LINE_WIDTH && column > margin) {
            fprintf(p->to, "\n%*s", (int)margin, "");
            column = margin;
        }
        fprintf(p->to, " %.*s", (int)length, text);
        column += length + 1;
        text += length;
        text += strspn(text, " \n");
    }
    fputc('\n', p->to);
}

static void wrap(const printer *p, const char *text, size_t column)
{
    wrap_within(p, text, column, column);
}

/* A longer text beside its label. */
static void paragraph(const printer *p, const char *label, const char *text)
{
    const int width = fprintf(p->to, "  %-*s", LABEL_WIDTH, label);
    wrap_within(p, text, width < 0 ? 0 : (size_t)width, 2 + LABEL_WIDTH);
}

static void line(const printer *p, const char *label, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void line(const printer *p, const char *label, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    paragraph(p, label, text);
}

static void why(const printer *p, const char *text)
{
    if (text)
        paragraph(p, "why", text);
}

static const char *plural(unsigned count)
{
    return count == 1 ? "" : "s";
}

/* "8 KB", "512 bytes". */
static const char *size_text(char *to, size_t room, uint32_t bytes)
{
    if (bytes >= 1 << 20 && bytes % (1 << 20) == 0)
        snprintf(to, room, "%u MB", bytes >> 20);
    else if (bytes >= 1 << 10 && bytes % (1 << 10) == 0)
        snprintf(to, room, "%u KB", bytes >> 10);
    else
        snprintf(to, room, "%u bytes", bytes);
    return to;
}

static bool is_mips(const gs_core *core)
{
    return !core->any_isa && core->arch == GS_ARCH_MIPS32;
}

/* Head */

static void print_fetch(const printer *p)
{
    const gs_core_fetch *fetch = &p->core->fetch;
    if (p->core->has_icache)
        line(p, "fetch", "through the instruction cache");
    else if (fetch->wait)
        line(p, "fetch", "from a bus with %u wait state%s", fetch->wait, plural(fetch->wait));
    else
        line(p, "fetch", "from tightly coupled memory, no wait states");
    if (fetch->next_misaligned)
        line(p, "", "+%u for 4 bytes at 2 mod 4", fetch->next_misaligned);
    if (fetch->jump_misaligned)
        line(p, "", "+%u for 4 bytes at 2 mod 4 that are jumped to, and behind fence.i",
             fetch->jump_misaligned);
    if (fetch->shadow_misaligned)
        line(p, "", "+%u for a taken branch before 4 bytes at 2 mod 4", fetch->shadow_misaligned);
    why(p, fetch->why);
}

static void print_head(const printer *p)
{
    const gs_core *core = p->core;
    fprintf(p->to, "%s%s%s:", p->colour ? "\033[1m" : "", core->title, p->colour ? "\033[0m" : "");
    wrap(p, core->summary, strlen(core->title) + 1);
    line(p, "isa", "%s; misaligned accesses %s", core->isa_text,
         core->strict_alignment ? "trap" : "are allowed");
    line(p, "clock", "%g MHz", (double)core->clock_hz * 1e-6);
    line(p, "pipeline", "%s: %s", gs_core_pipeline_name(core->pipeline),
         gs_core_pipeline_text(core->pipeline));
    if (core->issue_width > 1)
        line(p, "issue", "up to %u instructions in one cycle", core->issue_width);
    print_fetch(p);
    if (core->first_retire > 1)
        line(p, "start", "the first instruction retires in cycle %u%s", core->first_retire,
             core->has_icache ? ", were there no misses" : "");
    if (core->trap_entry)
        line(p, "traps", "%u cycle%s to enter a handler", core->trap_entry,
             plural(core->trap_entry));
    if (core->csr_flush)
        line(p, "csr", "+%u for a write to mstatus or mie that may let an interrupt in",
             core->csr_flush);
    line(p, "verified", "%s", core->verified ? "yes, against RTL" : "no");
    if (core->evidence[0])
        paragraph(p, "evidence", core->evidence);
    if (core->extends)
        line(p, "extends", "%s", core->extends);
    if (core->changes)
        paragraph(p, "changed", core->changes);
}

/* Classes */

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

static bool same_cost(const gs_core_class *a, const gs_core_class *b)
{
    return a->cycles == b->cycles && a->latency == b->latency && a->busy == b->busy &&
           a->refill == b->refill && a->unit == b->unit && a->operand == b->operand &&
           a->step == b->step && a->special == b->special && same_text(a->why, b->why);
}

static void cycles_text(char *to, size_t room, const gs_core_class *class)
{
    switch (class->operand) {
    case GS_OPERAND_RULE_SHIFT_STEPS:
        snprintf(to, room, "%u+n/%u+n%%%u", class->cycles, class->step, class->step);
        break;
    case GS_OPERAND_RULE_EARLY_OUT:
        snprintf(to, room, "%u+bits/%u", class->cycles, class->step);
        break;
    case GS_OPERAND_RULE_DIVISOR_ZERO:
        snprintf(to, room, "%u (/0: %u)", class->cycles, class->special);
        break;
    case GS_OPERAND_RULE_NEGATIVE_DIVIDEND:
        snprintf(to, room, "%u (-n: %u)", class->cycles, class->special);
        break;
    default: snprintf(to, room, "%u", class->cycles); break;
    }
}

/* Names of classes that cost what class `first` does and are not done, as many as fit; marks them.
 * Empty when there are none left. */
static void names_text(char *to, size_t room, const gs_core *core, unsigned first, bool *done)
{
    size_t length = 0;
    to[0] = '\0';
    for (unsigned i = first; i < GS_CLASS_COUNT; i++) {
        size_t more = strlen(gs_class_names[i]) + 1;
        if (done[i] || !same_cost(&core->classes[first], &core->classes[i]) ||
            length + more > room - 1)
            continue;
        length += (size_t)snprintf(to + length, room - length, "%s%s", length ? " " : "",
                                   gs_class_names[i]);
        done[i] = true;
    }
}

static bool any_class(const gs_core *core, size_t field)
{
    for (unsigned i = 0; i < GS_CLASS_COUNT; i++) {
        if (*(const unsigned *)(const void *)((const char *)&core->classes[i] + field))
            return true;
    }
    return false;
}

/* Which columns have anything in them. */
typedef struct columns {
    bool latency, busy, refill, unit;
} columns;

static void number_text(char *to, size_t room, bool signs, unsigned value)
{
    to[0] = '\0';
    if (value)
        snprintf(to, room, signs ? "+%u" : "%u", value);
}

static void print_class(const printer *p, const columns *has, const char *names,
                        const gs_core_class *class)
{
    char cycles[32], latency[16], busy[16], refill[16];
    const char *unit = class->unit ? p->core->units[class->unit - 1].name : "";

    cycles_text(cycles, sizeof cycles, class);
    number_text(latency, sizeof latency, true, class->latency);
    number_text(busy, sizeof busy, false, class->busy);
    int column = fprintf(p->to, "  %-*s %11s", NAMES_WIDTH, names, cycles);
    number_text(refill, sizeof refill, true, class->refill);
    const int wide = column + (has->latency ? 8 : 0) + (has->busy ? 7 : 0) + (has->refill ? 8 : 0) +
                     (has->unit ? 18 : 0);
    const bool below = class->why && wide > LINE_WIDTH - NARROWEST;
    const bool beside = class->why && !below;
    const bool more = beside || (has->unit && class->unit);
    if (has->latency && (more || class->latency || class->busy))
        column += fprintf(p->to, "  %6s", latency);
    if (has->busy && (more || *busy))
        column += fprintf(p->to, "  %5s", busy);
    if (has->refill && (more || class->refill))
        column += fprintf(p->to, "  %6s", refill);
    if (has->unit && more)
        column += fprintf(p->to, beside ? "  %-16s" : "  %s", unit);
    if (below)
        column = fprintf(p->to, "\n%6s", "") - 1;
    if (class->why) {
        fputc(' ', p->to);
        wrap(p, class->why, (size_t)column + 1);
    } else {
        fputc('\n', p->to);
    }
}

static void print_notes(const printer *p, const columns *has)
{
    const gs_core *core = p->core;
    if (has->latency)
        fprintf(p->to, "  result: how long an instruction right behind that needs it waits\n");
    if (has->busy)
        fprintf(p->to, "  again: cycles until the next one of its class or unit can begin\n");
    if (has->refill)
        fprintf(p->to, "  behind: cycles the next instruction waits, and pays for\n");
    for (unsigned i = 0; i < core->unit_count; i++) {
        if (core->units[i].count > 1)
            fprintf(p->to, "  there are %u of unit %s\n", core->units[i].count,
                    core->units[i].name);
    }
}

static void print_classes(const printer *p)
{
    const gs_core *core = p->core;
    const columns has = {
        .latency = any_class(core, offsetof(gs_core_class, latency)),
        .busy = any_class(core, offsetof(gs_core_class, busy)),
        .refill = any_class(core, offsetof(gs_core_class, refill)),
        .unit = core->unit_count > 0,
    };
    bool done[GS_CLASS_COUNT];
    char names[NAMES_WIDTH + 1];

    heading(p, "Instruction classes, in cycles");
    fprintf(p->to, "  %-*s %11s%s%s%s%s  why\n", NAMES_WIDTH, "class", "cycles",
            has.latency ? "  result" : "", has.busy ? "  again" : "", has.refill ? "  behind" : "",
            has.unit ? "  unit            " : "");
    for (unsigned i = 0; i < GS_CLASS_COUNT; i++)
        done[i] = !gs_core_has_class(core, (gs_timing_class)i);
    for (unsigned i = 0; i < GS_CLASS_COUNT; i++) {
        if (done[i])
            continue;
        names_text(names, sizeof names, core, i, done);
        print_class(p, &has, names, &core->classes[i]);
        for (names_text(names, sizeof names, core, i, done); names[0];
             names_text(names, sizeof names, core, i, done))
            fprintf(p->to, "  %s\n", names);
    }
    print_notes(p, &has);
}

/* Branches */

static void print_predictor(const printer *p)
{
    const gs_predictor_config *predictor = &p->core->branch.predictor;
    switch (predictor->scheme) {
    case GS_PREDICTOR_TAKEN: line(p, "prediction", "taken"); break;
    case GS_PREDICTOR_BTFN: line(p, "prediction", "backward taken, forward not taken"); break;
    case GS_PREDICTOR_BIMODAL:
        line(p, "prediction", "bimodal, %u counters of %u bit%s that start at %u",
             predictor->entries, predictor->counter_bits, plural(predictor->counter_bits),
             predictor->counter_start);
        break;
    case GS_PREDICTOR_GSHARE:
        line(p, "prediction",
             "gshare, %u counters of %u bit%s that start at %u, %u bit%s of history",
             predictor->entries, predictor->counter_bits, plural(predictor->counter_bits),
             predictor->counter_start, predictor->history_bits, plural(predictor->history_bits));
        break;
    default: line(p, "prediction", "none: fetch goes straight on"); break;
    }
    if (predictor->btb_entries)
        line(p, "targets", "branch target buffer of %u entries", predictor->btb_entries);
    if (predictor->stack_depth)
        line(p, "returns", "return stack of %u entries", predictor->stack_depth);
}

/* What leaving the straight line costs in the classic pipeline, rule 1 of docs/flatfoot.md: two
 * cycles from execute, one from decode, of which a delay slot fills one. */
static void print_classic_branches(const printer *p)
{
    const gs_core *core = p->core;
    bool early = core->branch.resolve == GS_RESOLVE_DECODE;
    unsigned slot = is_mips(core);
    line(p, "decided in", "%s", early ? "decode" : "execute");
    print_predictor(p);
    line(p, "taken", "+%u%s", (early ? 1 : 2) - slot,
         core->branch.predictor.scheme != GS_PREDICTOR_NOT_TAKEN ? " if not predicted" : "");
    line(p, "jump", "+%u", 1 - slot);
    line(p, "by register", "+%u", 2 - slot);
}

static void print_branches(const printer *p)
{
    const gs_core *core = p->core;
    const gs_core_branch *branch = &core->branch;

    heading(p, "Branches, cycles on top of the class's");
    if (is_mips(core))
        line(p, "delay slot", "one instruction");
    switch (core->pipeline) {
    case GS_PIPELINE_CLASSIC: print_classic_branches(p); break;
    case GS_PIPELINE_TIGER: line(p, "decided in", "decode: +0, taken or not"); break;
    case GS_PIPELINE_HAZARD3:
        line(p, "predicted", "one backward branch, the last that was not: +0");
        line(p, "decided in", "execute: +1 and more, see src/timing/hazard3.c");
        break;
    case GS_PIPELINE_VEXRISCV:
        print_predictor(p);
        line(p, "right", "+0 not taken, +%u taken", branch->taken);
        line(p, "wrong", "+%u", branch->mispredicted);
        line(p, "jump", "+%u", branch->jump);
        line(p, "by register", "+%u", branch->jump_reg);
        break;
    case GS_PIPELINE_VLIW:
        if (core->vliw.delay)
            line(p, "delay", "%u bundle%s behind a branch, executed before control moves",
                 core->vliw.delay, plural(core->vliw.delay));
        print_predictor(p);
        if (branch->mispredicted)
            line(p, "wrong", "+%u", branch->mispredicted);
        line(p, "not taken", "+%u", branch->not_taken);
        line(p, "taken", "+%u", branch->taken);
        line(p, "jump", "+%u", branch->jump);
        line(p, "by register", "+%u", branch->jump_reg);
        break;
    default:
        line(p, "not taken", "+%u", branch->not_taken);
        line(p, "taken", branch->refill ? "+%u, and +%u for the instruction behind it" : "+%u",
             branch->taken, branch->refill);
        line(p, "jump", "+%u", branch->jump);
        line(p, "by register", "+%u", branch->jump_reg);
        break;
    }
    why(p, branch->why);
}

/* Caches and memory */

static void print_cache(const printer *p, const char *label, bool has, const gs_cache_config *cache,
                        bool data)
{
    static const char *const replacements[] = {
        [GS_CACHE_LRU] = "LRU",
        [GS_CACHE_FIFO] = "FIFO",
        [GS_CACHE_ROUND_ROBIN] = "round robin",
        [GS_CACHE_RANDOM] = "random",
    };
    char size[32], ways[64];

    if (!has) {
        line(p, label, "none");
        return;
    }
    if (cache->ways == 1)
        snprintf(ways, sizeof ways, "direct-mapped");
    else if (cache->ways == GS_CACHE_FULLY_ASSOCIATIVE)
        snprintf(ways, sizeof ways, "fully associative, %s", replacements[cache->replacement]);
    else
        snprintf(ways, sizeof ways, "%u ways, %s", cache->ways, replacements[cache->replacement]);
    line(p, label, "%s, %s, lines of %u bytes%s%s", size_text(size, sizeof size, cache->size_bytes),
         ways, cache->line_bytes,
         !data               ? ""
         : cache->write_back ? ", write-back"
                             : ", write-through",
         !data                   ? ""
         : cache->write_allocate ? ", a store allocates"
                                 : ", a store allocates nothing");
}

/* Cycles from noticing a miss to going on, with memory free and nothing ahead. These are the
 * models' formulas: rule 2 of docs/flatfoot.md, P in vexriscv.c and tiger.c. */
static unsigned miss_cycles(const gs_core *core, const gs_cache_config *cache)
{
    const gs_core_memory *memory = &core->memory;
    unsigned words = cache->line_bytes / memory->width;
    unsigned burst = memory->first + (words - 1) * memory->next;
    switch (core->pipeline) {
    case GS_PIPELINE_VLIW:
    case GS_PIPELINE_CLASSIC: return burst + 2;
    case GS_PIPELINE_VEXRISCV: return burst + memory->overhead + words;
    default: return burst + memory->overhead;
    }
}

static void print_misses(const printer *p)
{
    const gs_core *core = p->core;
    const gs_core_memory *memory = &core->memory;
    bool waits = core->pipeline == GS_PIPELINE_VEXRISCV;

    line(p, "first word", "%u %s%s", memory->first, waits ? "wait state" : "cycle",
         plural(memory->first));
    line(p, "next words", "%u %s%s each", memory->next, waits ? "wait state" : "cycle",
         plural(memory->next));
    line(p, "bus", "%u byte%s wide", memory->width, plural(memory->width));
    if (core->has_icache)
        line(p, "i-miss", "%u cycles", miss_cycles(core, &core->icache));
    if (core->has_dcache)
        line(p, "d-miss", "%u cycles", miss_cycles(core, &core->dcache));
    if (core->pipeline == GS_PIPELINE_TIGER)
        line(p, "ports", "%s",
             !memory->shared       ? "one each for instructions and data"
             : memory->fetch_first ? "one for instructions and data, instructions first"
                                   : "one for instructions and data, data first");
}

static void print_memory(const printer *p)
{
    const gs_core *core = p->core;
    const gs_core_memory *memory = &core->memory;

    heading(p, "Memory");
    if (core->has_icache || core->has_dcache || core->memory.direct || core->fetch.direct)
        print_misses(p);
    if (core->fetch.direct)
        line(p, "fetch", "%u cycles, as there is no instruction cache", core->fetch.wait);
    if (core->memory.direct)
        line(p, "load", "%u cycles, as there is no data cache",
             gs_core_access_cycles(core, sizeof(uint32_t)) + 1);
    else if (!core->has_dcache)
        line(p, "access", "%u wait state%s", memory->wait + memory->load_wait,
             plural(memory->wait + memory->load_wait));
    if (memory->crossing)
        line(p, "crossing", "+%u for an access that leaves its aligned word", memory->crossing);
    if (memory->uncached)
        line(p, "device", "+%u for a read", memory->uncached);
    if (core->pipeline == GS_PIPELINE_CLASSIC &&
        (core->has_dcache || core->memory.direct || core->write_buffer))
        line(p, "write", "%u cycle%s a word", memory->write, plural(memory->write));
    if (core->pipeline == GS_PIPELINE_TIGER)
        line(p, "store", "%u wait state%s", memory->write, plural(memory->write));
    if (core->write_buffer)
        line(p, "buffer", "%u store%s may be on %s way", core->write_buffer,
             plural(core->write_buffer), core->write_buffer == 1 ? "its" : "their");
    why(p, memory->why);
}

/* Energy */

static void print_group(const printer *p, unsigned index)
{
    const gs_core *core = p->core;
    const gs_isa *isa = gs_isa_for(core->arch);
    char label[32], names[4096];
    size_t length = 0;

    for (unsigned op = GS_OP_FIRST; op < isa->op_count && length < sizeof names - 32; op++) {
        bool known = false;
        for (unsigned i = 0; i < isa->encoding_count && !known; i++)
            known =
                isa->encodings[i].op == op && core->extensions >> isa->encodings[i].extension & 1;
        if (known && core->energy.group_of[op] == index)
            length += (size_t)snprintf(names + length, sizeof names - length, "%s%s",
                                       length ? " " : "", isa->ops[op].name);
    }
    if (core->energy.nop_group == index)
        length +=
            (size_t)snprintf(names + length, sizeof names - length, "%snop", length ? " " : "");
    names[length] = '\0';
    snprintf(label, sizeof label, "%.20s", core->energy.groups[index].name);
    fprintf(p->to, "  %-*s %8.3f mW\n", LABEL_WIDTH, label,
            core->energy.groups[index].power_uw * 1e-3);
    if (length)
        paragraph(p, "", names);
}

static void print_energy(const printer *p)
{
    const gs_core_energy *energy = &p->core->energy;
    heading(p, "Energy");
    if (energy->group_count == 0) {
        line(p, "table", "none: nothing is known of this core's energy");
        return;
    }
    if (energy->source[0])
        paragraph(p, "source", energy->source);
    line(p, "measured", "at %g MHz", (double)energy->clock_hz * 1e-6);
    const int column =
        fprintf(p->to, "  %-*s %8.3f mW ", LABEL_WIDTH, "stall", energy->stall_uw * 1e-3);
    wrap(p,
         energy->stalls == GS_ENERGY_STALLS_ALL
             ? "in every lost cycle"
             : "in cycles lost to caches and memory; others cost as their instruction",
         (size_t)column);
    if (energy->average_stall)
        line(p, "stalling", "%g%% of the time in the programs measured",
             energy->average_stall * 1e-3);
    for (unsigned i = 0; i < energy->group_count; i++)
        print_group(p, i);
}

/* What is particular to statically scheduled cores */

static void print_fused(const printer *p, const gs_vliw_fused *fused)
{
    const gs_isa *isa = gs_isa_for(p->core->arch);
    char text[200];
    size_t length = 0;
    for (unsigned i = 0; i < fused->op_count; i++) {
        for (unsigned k = 0; fused->ops[i][k] && length < sizeof text - 32; k++)
            length += (size_t)snprintf(text + length, sizeof text - length, "%s%s",
                                       k   ? "|"
                                       : i ? " + "
                                           : "",
                                       isa->ops[fused->ops[i][k]].name);
    }
    line(p, fused->name, "%s, at most %u inputs", text, fused->inputs);
}

static void print_slot(const printer *p, unsigned slot)
{
    char label[16], names[400];
    size_t length = 0;
    for (unsigned i = 0; i < GS_CLASS_COUNT; i++) {
        if (p->core->vliw.classes[i].slots >> slot & 1 &&
            gs_core_has_class(p->core, (gs_timing_class)i))
            length += (size_t)snprintf(names + length, sizeof names - length, "%s%s",
                                       length ? " " : "", gs_class_names[i]);
    }
    snprintf(label, sizeof label, "slot %u", slot);
    paragraph(p, label, names);
}

static void print_vliw(const printer *p)
{
    const gs_vliw *target = &p->core->vliw;
    if (!gs_core_estimates(p->core))
        return;
    heading(p, "Bundles, as the compiler makes them");
    line(p, "results", "%s",
         target->interlocked ? "waited for by the hardware"
                             : "waited for by the code, in bundles of nothing");
    line(p, "registers", "%u, and %u for floating point", target->registers,
         target->float_registers);
    line(p, "regions", "%s%s", target->superblocks ? "superblocks" : "basic blocks",
         target->pipelines ? ", and loops of one block are pipelined" : "");
    if (target->hardware_loops)
        line(p, "loops", "counted ones of one block have no branch, and take %u cycle%s more",
             target->loop_setup, plural(target->loop_setup));
    line(p, "memory", "accesses through different registers %s",
         target->optimistic ? "do not overlap" : "may overlap");
    line(p, "code", "%u byte%s a slot, %s", target->slot_bytes, plural(target->slot_bytes),
         target->fixed_bundles ? "empty ones too" : "empty ones none");
    for (unsigned i = 0; i < target->width; i++)
        print_slot(p, i);
    for (unsigned i = 0; i < target->fused_count; i++)
        print_fused(p, &target->fused[i]);
    why(p, p->core->vliw_why);
}

gs_status gs_report_core(FILE *to, const gs_core *core, bool colour, gs_error *err)
{
    const printer p = {to, core, colour};

    print_head(&p);
    print_classes(&p);
    print_branches(&p);
    print_vliw(&p);
    heading(&p, "Caches");
    print_cache(&p, "instruction", core->has_icache, &core->icache, false);
    print_cache(&p, "data", core->has_dcache, &core->dcache, true);
    print_memory(&p);
    print_energy(&p);
    if (ferror(to))
        return gs_fail(err, GS_E_IO, "cannot write the core's description: %s", strerror(errno));
    return GS_OK;
}
