/* Which registers are live where, by the executed blocks of a program. */
#include "partition/liveness.h"

#include <stdlib.h>

typedef uint64_t register_set;

static register_set bit_of(unsigned operand)
{
    return operand == GS_OPERAND_NONE || operand >= 64 ? 0 : UINT64_C(1) << operand;
}

static register_set arguments_of(gs_arch arch)
{
    return arch == GS_ARCH_RV32 ? UINT64_C(0xff) << 10 | UINT64_C(0xff) << (32 + 10)
                                : UINT64_C(0xf) << 4 | UINT64_C(0xf) << (32 + 12);
}

/* What is read before it is written, from the last instruction to the first. */
static register_set live_before(const gs_hw_code *code, uint32_t block, register_set live)
{
    for (uint32_t i = code->last_insn[block]; i-- > code->first_insn[block];) {
        const gs_operands *operands = &code->insns[i].operands;
        for (unsigned k = 0; k < 2; k++)
            live &= ~bit_of(operands->target[k]);
        if (code->insns[i].role == GS_HW_SPILL)
            continue; /* it saves what is the caller's */
        for (unsigned k = 0; k < 3; k++)
            live |= bit_of(operands->source[k]);
    }
    return live;
}

/* One pass over all edges and blocks; whether anything has changed. */
static bool spread(const gs_hw_code *code, register_set *live, const register_set *entry)
{
    const gs_profile *p = code->profile;
    bool changed = false;
    register_set *behind = calloc(p->blocks.count + 1, sizeof *behind);
    for (size_t i = 0; behind && i < p->edges.count; i++) {
        const gs_profile_edge *edge = &p->edges.items[i];
        if (p->blocks.items[edge->from].function == p->blocks.items[edge->to].function)
            behind[edge->from] |= live[edge->to];
    }
    for (size_t b = p->blocks.count; behind && b-- > 0;) {
        register_set after = behind[b];
        if (code->calls[b] != GS_PROFILE_NONE)
            after = (after & ~arguments_of(code->isa->arch)) |
                    (entry[code->calls[b]] & arguments_of(code->isa->arch));
        const register_set now = live[b] | live_before(code, (uint32_t)b, after);
        changed |= now != live[b];
        live[b] = now;
    }
    free(behind);
    return changed;
}

static unsigned count_bits(register_set set)
{
    return (unsigned)__builtin_popcountll(set);
}

uint8_t *gs_hw_function_words(const gs_hw_code *code)
{
    const gs_profile *p = code->profile;
    const register_set arguments = arguments_of(code->isa->arch);
    register_set *live = calloc(p->blocks.count + 1, sizeof *live);
    register_set *entry = calloc(p->functions.count + 1, sizeof *entry);
    uint8_t *words = calloc(p->functions.count + 1, sizeof *words);
    for (bool changed = live && entry && words; changed;) {
        changed = spread(code, live, entry);
        for (size_t b = 0; b < p->blocks.count; b++) {
            const uint32_t function = p->blocks.items[b].function;
            if (function != GS_PROFILE_NONE &&
                p->functions.items[function].start == p->blocks.items[b].start)
                entry[function] |= live[b];
        }
    }
    for (size_t i = 0; live && entry && words && i < p->functions.count; i++)
        words[i] = (uint8_t)(count_bits(entry[i] & arguments) + 1);
    if (!live || !entry) {
        free(words);
        words = NULL;
    }
    free(live);
    free(entry);
    return words;
}

unsigned gs_hw_loop_words(const gs_hw_code *code, uint32_t loop)
{
    const gs_profile *p = code->profile;
    register_set read = 0, written = 0;
    for (size_t b = 0; b < p->blocks.count; b++) {
        const uint32_t first = code->first_insn[b];
        uint32_t at = first < p->insns.count ? p->insns.items[first].loop : GS_PROFILE_NONE;
        while (at != GS_PROFILE_NONE && at != loop)
            at = p->loops.items[at].parent;
        if (at != loop)
            continue;
        read |= live_before(code, (uint32_t)b, 0);
        for (uint32_t i = first; i < code->last_insn[b]; i++)
            written |= bit_of(code->insns[i].operands.target[0]);
    }
    return count_bits(read) + count_bits(read & written);
}
