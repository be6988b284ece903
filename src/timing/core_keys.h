/*
 * core_keys.h - the letters of core_keys.def.
 *
 * For the few .c files that include the table with its `pipelines` column.
 */
#ifndef GS_TIMING_CORE_KEYS_H
#define GS_TIMING_CORE_KEYS_H

#include "timing/core.h"

enum {
    S = 1 << GS_PIPELINE_SEQUENTIAL,
    P = 1 << GS_PIPELINE_PICORV32,
    C = 1 << GS_PIPELINE_CLASSIC,
    V = 1 << GS_PIPELINE_VEXRISCV,
    T = 1 << GS_PIPELINE_TIGER,
    H = 1 << GS_PIPELINE_HAZARD3,
    W = 1 << GS_PIPELINE_VLIW,
};

#endif
