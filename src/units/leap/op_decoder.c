/* Recognizes calls and returns by the instruction word. */
#include "units/leap/op_decoder.h"

static gs_leap_pending classify(const gs_isa *isa, const gs_port *port)
{
    uint64_t target;
    unsigned class = isa->ops[port->decoded->op].timing;
    if (class != GS_CLASS_BRANCH && class != GS_CLASS_JUMP && class != GS_CLASS_JUMP_REG)
        return GS_LEAP_PENDING_NONE;
    switch (isa->flow(port->decoded, port->pc, &target)) {
    case GS_FLOW_CALL:
    case GS_FLOW_CALL_INDIRECT: return GS_LEAP_PENDING_CALL;
    case GS_FLOW_BRANCH_CALL: return GS_LEAP_PENDING_CALL_IF_TAKEN;
    case GS_FLOW_RETURN: return GS_LEAP_PENDING_RETURN;
    case GS_FLOW_RETURN_CALL: return GS_LEAP_PENDING_RETURN_CALL;
    case GS_FLOW_BRANCH: return GS_LEAP_PENDING_BRANCH;
    case GS_FLOW_JUMP: return GS_LEAP_PENDING_JUMP;
    default: return GS_LEAP_PENDING_NONE;
    }
}

/* The jump at `from` goes to `target`; `straight` is where it would go if it were none. */
static gs_leap_op resolve(gs_leap_pending what, uint32_t from, uint32_t target, uint32_t straight)
{
    bool taken = target != straight;
    gs_leap_op op = {0};
    switch (what) {
    case GS_LEAP_PENDING_CALL: op.call = true; break;
    case GS_LEAP_PENDING_CALL_IF_TAKEN: op.call = taken; break;
    case GS_LEAP_PENDING_RETURN: op.ret = true; break;
    case GS_LEAP_PENDING_RETURN_CALL: op.call = op.ret = true; break;
    case GS_LEAP_PENDING_BRANCH:
        op.branch = true;
        op.taken = taken;
        op.iterates = taken && target <= from;
        break;
    case GS_LEAP_PENDING_JUMP: op.iterates = target <= from; break;
    case GS_LEAP_PENDING_NONE: break;
    }
    return op;
}

gs_leap_op gs_leap_decode(gs_leap_decoder *d, const gs_port *port)
{
    gs_leap_op none = {0};
    if (!port->valid) { /* a trap: the jump will be done again, slot and all */
        d->pending = GS_LEAP_PENDING_NONE;
        return none;
    }
    uint32_t straight = port->pc + port->decoded->length;
    if (d->pending != GS_LEAP_PENDING_NONE) {
        gs_leap_op op = resolve(d->pending, d->from, port->next_pc, straight);
        d->pending = GS_LEAP_PENDING_NONE;
        return op;
    }
    gs_leap_pending what = classify(d->isa, port);
    if (what == GS_LEAP_PENDING_NONE)
        return none;
    if (d->isa->delay_slots == 0)
        return resolve(what, port->pc, port->next_pc, straight);
    if (port->next_pc == straight) { /* the slot comes first */
        d->pending = what;
        d->from = port->pc;
        return none;
    }
    /* A likely branch that is not taken leaves its slot out. */
    return resolve(what, port->pc, port->next_pc, port->next_pc);
}
