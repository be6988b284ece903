/*
 * semantics.h - what instructions do, as text: the semantics column of the tables.
 */
#ifndef GS_ENGINE_SEMANTICS_H
#define GS_ENGINE_SEMANTICS_H

#include "isa/isa.h"

/* The semantics column of an operation, or NULL if translated code cannot execute it: then the
 * reference engine does. */
const char *gs_semantics(const gs_isa *isa, unsigned op);

/* Whether an operation needs a hart whose floating point is on; or even 64-bit registers. */
typedef enum gs_float_use { GS_FLOAT_NONE, GS_FLOAT_ANY, GS_FLOAT_WIDE } gs_float_use;
static inline gs_float_use gs_semantics_float(const gs_isa *isa, unsigned op)
{
    return gs_op_may(isa, op, GS_EFFECT_WIDE_FLOAT) ? GS_FLOAT_WIDE
           : gs_op_may(isa, op, GS_EFFECT_FLOAT)    ? GS_FLOAT_ANY
                                                    : GS_FLOAT_NONE;
}

#endif
