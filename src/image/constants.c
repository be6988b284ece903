/* Follows registers through immediate operands, one instruction after the other. */
#include "image/constants.h"

#include <gelf.h>

#include "isa/mips/mips.h"
#include "isa/rv/rv.h"

enum { MIPS_GP = 28, REGINFO_GP_VALUE = 20 };

/* Position-independent MIPS code finds its table through $gp, whose value the file records. */
uint32_t gs_image_read_global_pointer(const gs_image *image)
{
    for (unsigned i = 0; i < image->phdr_count; i++) {
        GElf_Phdr header;
        uint32_t value;
        if (gelf_getphdr(image->elf, (int)i, &header) && header.p_type == PT_MIPS_REGINFO &&
            gs_image_word_at(image, header.p_vaddr + REGINFO_GP_VALUE, &value))
            return value;
    }
    return 0;
}

void gs_constants_start(gs_constants *constants, const gs_image *image)
{
    *constants = (gs_constants){.image = image};
    if (image->arch == GS_ARCH_MIPS32)
        constants->global_pointer = image->global_pointer;
}

static bool is_known(const gs_constants *constants, unsigned reg)
{
    return reg < 32 && (constants->known >> reg & 1);
}

static void set(gs_constants *constants, unsigned reg, uint32_t value)
{
    if (reg == 0 || reg >= 32)
        return;
    constants->known |= 1u << reg;
    constants->value[reg] = value;
}

static void forget(gs_constants *constants, const gs_insn *insn)
{
    gs_operands operands = constants->image->isa->operands(insn);
    for (int i = 0; i < 2; i++)
        if (operands.target[i] < 32)
            constants->known &= ~(1u << operands.target[i]);
}

static bool step_rv(gs_constants *constants, uint64_t pc, const gs_insn *insn, uint64_t *address)
{
    bool known = is_known(constants, insn->rs1);
    uint32_t sum = constants->value[insn->rs1 & 31] + (uint32_t)insn->imm;
    switch (insn->op) {
    case GS_RV_lui: set(constants, insn->rd, (uint32_t)insn->imm); return false;
    case GS_RV_auipc: set(constants, insn->rd, (uint32_t)pc + (uint32_t)insn->imm); return false;
    case GS_RV_addi:
    case GS_RV_jalr:
        forget(constants, insn);
        if (known && insn->op == GS_RV_addi)
            set(constants, insn->rd, sum);
        *address = sum;
        return known;
    default: forget(constants, insn); return false;
    }
}

static bool step_mips(gs_constants *constants, const gs_insn *insn, uint64_t *address)
{
    bool known = is_known(constants, insn->rs1);
    uint32_t sum = constants->value[insn->rs1 & 31] + (uint32_t)insn->imm;
    uint32_t word;
    switch (insn->op) {
    case GS_MIPS_lui: set(constants, insn->rd, (uint32_t)insn->imm); return false;
    case GS_MIPS_addiu:
        forget(constants, insn);
        if (known)
            set(constants, insn->rd, sum);
        *address = sum;
        return known;
    case GS_MIPS_lw:
        forget(constants, insn);
        if (insn->rs1 != MIPS_GP || constants->global_pointer == 0 ||
            !gs_image_word_at(constants->image, constants->global_pointer + (uint32_t)insn->imm,
                              &word))
            return false;
        set(constants, insn->rd, word);
        *address = word;
        return (word & 0xffff) != 0; /* else the upper half of an address, to be added to */
    default: forget(constants, insn); return false;
    }
}

bool gs_constants_step(gs_constants *constants, uint64_t pc, const gs_insn *insn, uint64_t *address)
{
    if (constants->image->arch == GS_ARCH_RV32)
        return step_rv(constants, pc, insn, address);
    return step_mips(constants, insn, address);
}
