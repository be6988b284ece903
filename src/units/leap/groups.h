/*
 * groups.h - the decoder of an energy profile: from an instruction to its group, in Verilog.
 *
 * Which instructions are in a group is up to a core's energy table, so the module leap_groups is
 * written for a core. All that its table tells apart, it does.
 */
#ifndef GS_UNITS_LEAP_GROUPS_H
#define GS_UNITS_LEAP_GROUPS_H

#include <stdio.h>

#include "timing/core.h"

/* Only for a core with an energy table. `isa` is one that it runs. */
void gs_leap_write_groups(FILE *to, const gs_core *core, const gs_isa *isa);

/* For firmware: what a cycle costs, by lane. */
void gs_leap_write_costs(FILE *to, const gs_core *core);

#endif
