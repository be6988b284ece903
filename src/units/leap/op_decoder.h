/*
 * op_decoder.h - LEAP's Operation Decoder: calls, returns and branches among the instructions.
 *
 * Calls and returns are told by the instruction word alone: on MIPS jal, jalr and the branches
 * that link call, jr $31 returns; on RISC-V the hints of the return address stack decide
 * (x1 and x5 are link registers). Where a jump has a delay slot, it takes effect with the slot.
 */
#ifndef GS_UNITS_LEAP_OP_DECODER_H
#define GS_UNITS_LEAP_OP_DECODER_H

#include "probe/port.h"

/* What takes effect with a beat. `target` is the beat's next_pc. */
typedef struct gs_leap_op {
    bool call, ret;     /* both for a RISC-V coroutine switch: first return, then call */
    bool branch, taken; /* a conditional branch was decided */
    bool iterates;      /* a branch or direct jump went backwards */
} gs_leap_op;

/* What a jump will be once its delay slot has retired. */
typedef enum gs_leap_pending {
    GS_LEAP_PENDING_NONE,
    GS_LEAP_PENDING_CALL,
    GS_LEAP_PENDING_CALL_IF_TAKEN,
    GS_LEAP_PENDING_RETURN,
    GS_LEAP_PENDING_RETURN_CALL,
    GS_LEAP_PENDING_BRANCH,
    GS_LEAP_PENDING_JUMP,
} gs_leap_pending;

typedef struct gs_leap_decoder {
    const gs_isa *isa;       /* parameter */
    gs_leap_pending pending; /* 3 bits */
    uint32_t from;           /* 32 bits: the jump that is pending */
} gs_leap_decoder;

gs_leap_op gs_leap_decode(gs_leap_decoder *decoder, const gs_port *port);

#endif
