/* Finds out what each executed instruction is in hardware, where the stack is only a place for
 * values that do not fit into the registers. */
#include "partition/code.h"

#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "partition/regions.h"

enum { RV_SP = 2, RV_RA = 1, MIPS_SP = 29, MIPS_RA = 31, SLOTS = 256 };

unsigned gs_hw_stack_pointer(gs_arch arch)
{
    return arch == GS_ARCH_RV32 ? RV_SP : MIPS_SP;
}

/* Registers that a function leaves as it found them, with the one for its return address. */
static bool is_preserved(gs_arch arch, unsigned reg)
{
    if (arch == GS_ARCH_RV32)
        return reg == RV_RA || reg == 8 || reg == 9 || (reg >= 18 && reg <= 27) ||
               (reg >= 32 + 8 && reg <= 32 + 9) || (reg >= 32 + 18 && reg <= 32 + 27);
    return reg == MIPS_RA || (reg >= 16 && reg <= 23) || reg == 30 || (reg >= 32 + 20 && reg < 64);
}

uint32_t gs_hw_function_at(const gs_profile *profile, uint32_t pc)
{
    const gs_profile_function *functions = profile->functions.items;
    const size_t count = gs_count_up_to(functions, profile->functions.count, start, pc);
    return count > 0 && pc < functions[count - 1].end ? (uint32_t)count - 1 : GS_PROFILE_NONE;
}

/* -- operators -------------------------------------------------------------------------------- */

typedef struct named {
    const char *name;
    uint8_t kind;
} named;

static gs_hls_kind find_named(const named *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i].name, name) == 0)
            return (gs_hls_kind)list[i].kind;
    }
    return GS_HLS_KIND_COUNT;
}

gs_hls_kind gs_hw_runtime(const char *function)
{
    static const named list[] = {
#define RUNTIME(function, op) {function, GS_HLS_##op},
#include "partition/operators.def"
    };
    return find_named(list, sizeof list / sizeof *list, function);
}

static gs_hls_kind kind_of_alu(const char *name)
{
    static const named list[] = {
#define NAMED(insn, op) {insn, GS_HLS_##op},
#include "partition/operators.def"
    };
    const gs_hls_kind kind = find_named(list, sizeof list / sizeof *list, name);
    return kind == GS_HLS_KIND_COUNT ? GS_HLS_ADD : kind;
}

/* Precision is the last letter of the name: "fadd_d", "add_d"; a conversion counts as double if
 * either side is. */
static bool is_double(const char *name)
{
    return strstr(name, "_d") != NULL;
}

static gs_hls_kind kind_of_float(unsigned class, const char *name)
{
    const bool wide = is_double(name);
    switch (class) {
    case GS_CLASS_FP_ADD: return wide ? GS_HLS_DOUBLE_ADD : GS_HLS_FLOAT_ADD;
    case GS_CLASS_FP_MUL:
    case GS_CLASS_FP_FMA: return wide ? GS_HLS_DOUBLE_MULTIPLY : GS_HLS_FLOAT_MULTIPLY;
    case GS_CLASS_FP_DIV:
    case GS_CLASS_FP_SQRT: return wide ? GS_HLS_DOUBLE_DIVIDE : GS_HLS_FLOAT_DIVIDE;
    case GS_CLASS_FP_CMP: return wide ? GS_HLS_DOUBLE_COMPARE : GS_HLS_FLOAT_COMPARE;
    default: return wide ? GS_HLS_DOUBLE_CONVERT : GS_HLS_FLOAT_CONVERT;
    }
}

static unsigned count_sources(const gs_operands *operands)
{
    unsigned count = 0;
    for (unsigned i = 0; i < 3; i++)
        count += operands->source[i] != GS_OPERAND_NONE;
    return count;
}

static void set_role(gs_hw_insn *at, unsigned class, const char *name)
{
    const unsigned sources = count_sources(&at->operands);
    at->role = GS_HW_COMPUTE;
    at->immediate = sources == 1;
    switch (class) {
    case GS_CLASS_ALU:
        at->kind = (uint8_t)kind_of_alu(name);
        at->subtracts = strncmp(name, "sub", 3) == 0;
        at->carries = strcmp(name, "sltu") == 0 && sources == 2;
        if (sources == 0 ||
            (sources == 1 && at->kind == GS_HLS_ADD && at->insn.imm == 0 && !at->subtracts))
            at->role = GS_HW_WIRES; /* a constant, or a move */
        if (at->kind == GS_HLS_LOGIC && sources == 1)
            at->role = GS_HW_WIRES; /* with a constant, it picks or inverts bits */
        return;
    case GS_CLASS_SHIFT:
        at->kind = GS_HLS_SHIFT;
        if (sources <= 1)
            at->role = GS_HW_WIRES;
        return;
    case GS_CLASS_MUL:
    case GS_CLASS_MULH:
    case GS_CLASS_MULT: at->kind = GS_HLS_MULTIPLY; return;
    case GS_CLASS_DIV: at->kind = GS_HLS_DIVIDE; return;
    case GS_CLASS_BRANCH: at->kind = GS_HLS_COMPARE; return;
    case GS_CLASS_LOAD:
    case GS_CLASS_FP_LOAD: at->role = GS_HW_LOAD; return;
    case GS_CLASS_STORE:
    case GS_CLASS_FP_STORE: at->role = GS_HW_STORE; return;
    case GS_CLASS_HILO:
    case GS_CLASS_JUMP:
    case GS_CLASS_JUMP_REG:
    case GS_CLASS_FP_MOVE: at->role = GS_HW_WIRES; return;
    case GS_CLASS_ATOMIC:
    case GS_CLASS_CSR:
    case GS_CLASS_FENCE:
    case GS_CLASS_FENCE_I:
    case GS_CLASS_SYSTEM: at->role = GS_HW_BARRIER; return;
    default: at->kind = (uint8_t)kind_of_float(class, name); return;
    }
}

static void decode(gs_hw_code *code)
{
    gs_decoder decoder;
    gs_decoder_init(&decoder, code->isa, code->isa->all_extensions);
    for (size_t i = 0; i < code->profile->insns.count; i++) {
        const gs_profile_insn *from = &code->profile->insns.items[i];
        gs_hw_insn *at = &code->insns[i];
        gs_decode(&at->insn, &decoder, from->word);
        at->flow = code->isa->flow(&at->insn, from->pc, &at->target);
        at->operands = code->isa->operands(&at->insn);
        at->bytes = (uint8_t)gs_op_access_bytes(code->isa, at->insn.op);
        set_role(at, code->isa->ops[at->insn.op].timing, code->isa->ops[at->insn.op].name);
    }
}

/* -- the stack -------------------------------------------------------------------------------- */

/* What is known of a function's frame. */
typedef struct frame {
    int64_t taken;     /* the lowest offset whose address is made: an array may begin there */
    bool saves[SLOTS]; /* words in which registers of the caller are saved */
} frame;

static bool is_on_stack(const gs_hw_insn *at, unsigned sp)
{
    return (at->role == GS_HW_LOAD || at->role == GS_HW_STORE) && at->insn.rs1 == sp;
}

static void learn_frame(frame *f, const gs_hw_code *code, size_t first, size_t end)
{
    const unsigned sp = gs_hw_stack_pointer(code->isa->arch);
    *f = (frame){.taken = INT64_MAX};
    for (size_t i = first; i < end; i++) {
        const gs_hw_insn *at = &code->insns[i];
        const unsigned target = at->operands.target[0];
        const int32_t offset = at->insn.imm;
        if (is_on_stack(at, sp)) {
            const bool saves = at->role == GS_HW_STORE && at->operands.source[1] &&
                               is_preserved(code->isa->arch, at->operands.source[1]);
            if (saves && offset >= 0 && offset / 4 < SLOTS)
                f->saves[offset / 4] = true;
        } else if (target != sp && at->operands.source[0] == sp && at->kind == GS_HLS_ADD &&
                   (at->role == GS_HW_COMPUTE || at->role == GS_HW_WIRES) && offset >= 0 &&
                   offset < f->taken) {
            f->taken = offset;
        }
    }
}

/* A word of the frame that only this function knows is a wire. */
static void use_frame(const frame *f, gs_hw_code *code, size_t first, size_t end)
{
    const unsigned sp = gs_hw_stack_pointer(code->isa->arch);
    for (size_t i = first; i < end; i++) {
        gs_hw_insn *at = &code->insns[i];
        const int32_t offset = at->insn.imm;
        if (at->role == GS_HW_COMPUTE && at->kind == GS_HLS_ADD && at->immediate &&
            at->operands.source[0] == sp)
            at->role = GS_HW_WIRES; /* a place in the frame is a constant */
        if (is_on_stack(at, sp) && offset >= 0 && offset / 4 < SLOTS &&
            (offset < f->taken || f->saves[offset / 4]))
            at->role = at->role == GS_HW_LOAD ? GS_HW_RELOAD : GS_HW_SPILL;
    }
}

static void find_frames(gs_hw_code *code)
{
    const gs_profile_insn *insns = code->profile->insns.items;
    for (size_t first = 0, end; first < code->profile->insns.count; first = end) {
        frame f;
        end = first + 1;
        while (end < code->profile->insns.count && insns[end].function == insns[first].function)
            end++;
        learn_frame(&f, code, first, end);
        use_frame(&f, code, first, end);
    }
}

/* -- blocks ----------------------------------------------------------------------------------- */

static void find_blocks(gs_hw_code *code)
{
    const gs_profile *p = code->profile;
    size_t at = 0;
    for (size_t b = 0; b < p->blocks.count; b++) {
        while (at < p->insns.count && p->insns.items[at].pc < p->blocks.items[b].start)
            at++;
        code->first_insn[b] = (uint32_t)at;
        while (at < p->insns.count && p->insns.items[at].pc < p->blocks.items[b].end)
            at++;
        code->last_insn[b] = (uint32_t)at;
        code->calls[b] = GS_PROFILE_NONE;
        for (size_t i = code->first_insn[b]; i < at; i++) {
            if (code->insns[i].flow == GS_FLOW_CALL || code->insns[i].flow == GS_FLOW_BRANCH_CALL)
                code->calls[b] = gs_hw_function_at(p, (uint32_t)code->insns[i].target);
        }
    }
}

/* -- jump tables ------------------------------------------------------------------------------ */

/* The instruction of a block before `at` that makes a register; GS_PROFILE_NONE: none of it. */
static uint32_t maker_of(const gs_hw_code *code, size_t block, uint32_t at, unsigned reg)
{
    while (at-- > code->first_insn[block]) {
        if (code->insns[at].operands.target[0] == reg)
            return at;
    }
    return GS_PROFILE_NONE;
}

/* A jump through a table is a choice of the next state: neither the load nor its address is
 * anything in hardware. */
static void drop_table(gs_hw_code *code, size_t block, uint32_t at, unsigned reg)
{
    const uint32_t maker = maker_of(code, block, at, reg);
    if (reg == GS_OPERAND_NONE || maker == GS_PROFILE_NONE)
        return;
    gs_hw_insn *made = &code->insns[maker];
    const bool adds = made->role == GS_HW_COMPUTE && made->kind == GS_HLS_ADD;
    if (made->role != GS_HW_LOAD && !adds)
        return;
    made->role = GS_HW_WIRES;
    drop_table(code, block, maker, made->operands.source[0]);
    if (adds)
        drop_table(code, block, maker, made->operands.source[1]);
}

static void drop_tables(gs_hw_code *code)
{
    for (size_t b = 0; b < code->profile->blocks.count; b++) {
        for (uint32_t i = code->first_insn[b]; i < code->last_insn[b]; i++) {
            if (code->insns[i].flow == GS_FLOW_JUMP_INDIRECT)
                drop_table(code, b, i, code->insns[i].operands.source[0]);
        }
    }
}

gs_status gs_hw_code_open(gs_hw_code *code, const gs_profile *profile, const gs_hls *hls,
                          gs_error *err)
{
    const size_t blocks = profile->blocks.count;
    const gs_arch arch = strncmp(profile->run.isa, "mips", 4) == 0 ? GS_ARCH_MIPS32 : GS_ARCH_RV32;
    *code = (gs_hw_code){.profile = profile,
                         .isa = gs_isa_for(arch),
                         .insns = calloc(profile->insns.count + 1, sizeof *code->insns),
                         .first_insn = calloc(blocks + 1, sizeof *code->first_insn),
                         .last_insn = calloc(blocks + 1, sizeof *code->last_insn),
                         .order = calloc(blocks + 1, sizeof *code->order),
                         .regions = calloc(blocks + 1, sizeof *code->regions),
                         .calls = calloc(blocks + 1, sizeof *code->calls)};
    if (!code->insns || !code->first_insn || !code->last_insn || !code->order || !code->regions ||
        !code->calls) {
        gs_hw_code_close(code);
        return gs_fail_no_memory(err);
    }
    decode(code);
    find_frames(code);
    find_blocks(code);
    drop_tables(code);
    if (gs_hw_regions_find(code, hls))
        return GS_OK;
    gs_hw_code_close(code);
    return gs_fail_no_memory(err);
}

void gs_hw_code_close(gs_hw_code *code)
{
    free(code->insns);
    free(code->first_insn);
    free(code->last_insn);
    free(code->order);
    free(code->regions);
    free(code->calls);
    *code = (gs_hw_code){0};
}
