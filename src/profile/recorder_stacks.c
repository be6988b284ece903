/*
 * Whether code changes to another stack: what a function has written to the stack pointer last.
 *
 * Compiled code makes room by arithmetic on the stack pointer, and goes back to where it was by a
 * copy that a saved register has kept. What loads a new one does so from anywhere else.
 */
#include "profile/recorder_parts.h"

enum { FARTHEST = 4096 }; /* bytes before a call that are looked at */

/* Registers that keep their value across calls. */
static bool is_saved(gs_arch arch, unsigned reg)
{
    if (arch == GS_ARCH_RV32)
        return reg == 8 || reg == 9 || (reg >= 18 && reg <= 27);
    return (reg >= 16 && reg <= 23) || reg == 30;
}

typedef enum effect { NONE, WITHIN, BACK, ELSEWHERE } effect;

static effect effect_on(const gs_isa *isa, const gs_insn *insn, unsigned sp)
{
    const gs_operands operands = isa->operands(insn);
    if (operands.target[0] != sp)
        return NONE;
    if (gs_insn_is_load(isa->arch, insn))
        return ELSEWHERE;
    bool saved = false;
    for (unsigned i = 0; i < 3; i++) {
        if (operands.source[i] == sp)
            return WITHIN;
        saved |= is_saved(isa->arch, operands.source[i]);
    }
    return saved ? BACK : ELSEWHERE;
}

bool gs_recorder_changes_stack(void *self, uint32_t site)
{
    const gs_recorder *r = self;
    const gs_machine *machine = r->machine;
    const gs_isa *isa = machine->isa;
    const gs_function *function = gs_image_function_at(machine->image, site);
    const unsigned sp = isa->arch == GS_ARCH_RV32 ? 2 : 29;
    uint32_t word;
    bool elsewhere = false;
    gs_insn insn;
    if (!function || site - function->start > FARTHEST)
        return false;
    /* With its delay slot, if it has one. */
    const uint32_t last = site + (isa->delay_slots ? isa->unit : 0);
    for (uint32_t pc = (uint32_t)function->start; pc <= last; pc += insn.length) {
        if (gs_memory_fetch(&machine->memory, isa, pc, &word) != GS_ACCESS_OK)
            return false;
        gs_decode(&insn, &machine->decoder, word);
        const effect e = effect_on(isa, &insn, sp);
        elsewhere = e == ELSEWHERE || (elsewhere && e != BACK);
        if (insn.length == 0)
            return false;
    }
    return elsewhere;
}
