/*
 * targets.h - where a profile's jumps, branches and calls lead.
 *
 * An instruction says it itself, if it does not take the address from a register; its encoding is
 * in the profile.
 */
#ifndef GS_REPORT_TARGETS_H
#define GS_REPORT_TARGETS_H

#include "isa/isa.h"
#include "profile/profile.h"

/* The instruction set of that name, as in a run's `isa`; or NULL. */
const gs_isa *gs_report_isa(const char *name);

typedef struct gs_targets {
    const gs_profile *profile;
    gs_decoder decoder; /* without an isa if that of the run is not known */
} gs_targets;

/* `profile` is borrowed. */
void gs_targets_init(gs_targets *targets, const gs_profile *profile);

/* False if the instruction names no other address. *function is the one that the target is in, or
 * GS_PROFILE_NONE for one that was not executed. */
bool gs_targets_find(const gs_targets *targets, const gs_profile_insn *insn, uint32_t *target,
                     uint32_t *function);

#endif
