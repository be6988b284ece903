/* The public view of a decoded instruction: every answer is derived from the tables. */
#include "gumshoe/insn.h"

#include "isa/isa.h"

const char *gs_insn_name(gs_arch arch, const gs_insn *insn)
{
    return insn->op < GS_OP_FIRST ? "illegal" : gs_isa_for(arch)->ops[insn->op].name;
}

static gs_timing_class class_of(gs_arch arch, const gs_insn *insn)
{
    return insn->op < GS_OP_FIRST ? GS_CLASS_COUNT
                                  : (gs_timing_class)gs_isa_for(arch)->ops[insn->op].timing;
}

const char *gs_insn_class(gs_arch arch, const gs_insn *insn)
{
    gs_timing_class class = class_of(arch, insn);
    return class == GS_CLASS_COUNT ? "" : gs_class_names[class];
}

unsigned gs_insn_length(const gs_insn *insn)
{
    return insn->length;
}

uint32_t gs_insn_word(const gs_insn *insn)
{
    return insn->raw;
}

gs_operands gs_insn_operands(gs_arch arch, const gs_insn *insn)
{
    if (insn->op < GS_OP_FIRST)
        return (gs_operands){0};
    return gs_isa_for(arch)->operands(insn);
}

gs_flow gs_insn_flow(gs_arch arch, const gs_insn *insn, uint64_t pc, uint64_t *target)
{
    uint64_t found = 0;
    gs_flow flow =
        insn->op < GS_OP_FIRST ? GS_FLOW_ILLEGAL : gs_isa_for(arch)->flow(insn, pc, &found);
    if (target)
        *target = found;
    return flow;
}

bool gs_insn_is_load(gs_arch arch, const gs_insn *insn)
{
    return gs_op_may(gs_isa_for(arch), insn->op, GS_EFFECT_LOADS);
}

bool gs_insn_is_store(gs_arch arch, const gs_insn *insn)
{
    return gs_op_may(gs_isa_for(arch), insn->op, GS_EFFECT_STORES);
}

bool gs_insn_is_branch(gs_arch arch, const gs_insn *insn)
{
    gs_flow flow = gs_insn_flow(arch, insn, 0, NULL);
    return flow == GS_FLOW_BRANCH || flow == GS_FLOW_BRANCH_CALL;
}

bool gs_insn_is_call(gs_arch arch, const gs_insn *insn)
{
    gs_flow flow = gs_insn_flow(arch, insn, 0, NULL);
    return flow == GS_FLOW_CALL || flow == GS_FLOW_BRANCH_CALL || flow == GS_FLOW_CALL_INDIRECT ||
           flow == GS_FLOW_RETURN_CALL;
}

bool gs_insn_is_return(gs_arch arch, const gs_insn *insn)
{
    gs_flow flow = gs_insn_flow(arch, insn, 0, NULL);
    return flow == GS_FLOW_RETURN || flow == GS_FLOW_RETURN_CALL;
}
