/* Text of instructions: Capstone for MIPS, the instruction table for RISC-V. */
#include "isa/disassembler.h"

#include <capstone/capstone.h>
#include <stdio.h>
#include <stdlib.h>

#include "isa/rv/rv.h"

struct gs_disassembler {
    const gs_isa *isa;
    csh handle;       /* 0 for RISC-V, which Capstone has only since version 5 */
    cs_insn *scratch; /* reused for every instruction */
};

gs_status gs_disassembler_open(gs_disassembler **out, gs_arch arch, gs_error *err)
{
    *out = NULL;
    gs_disassembler *dis = calloc(1, sizeof *dis);
    if (!dis)
        return gs_fail_no_memory(err);
    dis->isa = gs_isa_for(arch);
    if (arch == GS_ARCH_MIPS32) {
        if (cs_open(CS_ARCH_MIPS, CS_MODE_MIPS32, &dis->handle) != CS_ERR_OK) {
            free(dis);
            return gs_fail(err, GS_E_UNSUPPORTED, "Capstone was built without MIPS");
        }
        dis->scratch = cs_malloc(dis->handle);
        if (!dis->scratch) {
            gs_disassembler_free(dis);
            return gs_fail_no_memory(err);
        }
    }
    *out = dis;
    return GS_OK;
}

void gs_disassembler_free(gs_disassembler *dis)
{
    if (!dis)
        return;
    if (dis->scratch)
        cs_free(dis->scratch, 1);
    if (dis->handle)
        cs_close(&dis->handle);
    free(dis);
}

static void capstone_text(gs_disassembler *dis, const gs_insn *insn, uint64_t pc, char *to,
                          size_t size)
{
    uint8_t bytes[4];
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(insn->raw >> (8 * i)); /* opened as little-endian, for any guest */
    const uint8_t *code = bytes;
    size_t left = sizeof bytes;
    if (insn->op >= GS_OP_FIRST && cs_disasm_iter(dis->handle, &code, &left, &pc, dis->scratch)) {
        const char *operands = dis->scratch->op_str;
        snprintf(to, size, "%s%s%s", dis->scratch->mnemonic, *operands ? " " : "", operands);
    } else if (insn->op >= GS_OP_FIRST) {
        snprintf(to, size, "%s", dis->isa->ops[insn->op].name);
    } else {
        snprintf(to, size, ".word 0x%08x", insn->raw);
    }
}

void gs_disassemble(gs_disassembler *dis, const gs_insn *insn, uint64_t pc, char *to, size_t size)
{
    if (dis->isa->arch == GS_ARCH_RV32)
        gs_rv_text(insn, pc, to, size);
    else
        capstone_text(dis, insn, pc, to, size);
}
