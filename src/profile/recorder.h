/*
 * recorder.h - the exact profile of a run, as it happens.
 *
 * An observer that counts, for every instruction, executions, how often it left the straight
 * line, and its cost in all metrics; that follows call paths, by thread (calltree.h), and the
 * iterations of loops. Functions, lines, blocks and edges are computed from this afterwards. Its
 * counters grow with the code that is executed, never with the length of the run.
 *
 * Open it before the run and give its observer to gs_run() with the same timing; read it when
 * the run is over. It borrows machine and timing.
 */
#ifndef GS_PROFILE_RECORDER_H
#define GS_PROFILE_RECORDER_H

#include "gumshoe/profile.h"
#include "probe/metrics.h"
#include "profile/calltree.h"
#include "profile/jumps.h"
#include "profile/iterations.h"
#include "profile/timeline.h"

/* What one instruction did. */
typedef struct gs_insn_profile {
    uint32_t pc;
    uint32_t context; /* see contexts.h */
    uint64_t executions;
    uint64_t taken; /* of those, left the straight line */
    gs_metrics cost;
} gs_insn_profile;

/* The run, or the region of interest, ended between two instructions. */
typedef struct gs_stop_profile {
    uint32_t last, next;
    uint64_t count;
} gs_stop_profile;

/* After gs_recorder_finish(): executed instructions by address, and indirect jumps by address and
 * target. Borrowed until the recorder is freed. */
const gs_insn_profile *gs_recorder_insns(const gs_recorder *recorder, size_t *count);
const gs_jump_profile *gs_recorder_jumps(const gs_recorder *recorder, size_t *count);
/* The same instructions once per context they were executed in. */
const gs_insn_profile *gs_recorder_context_insns(const gs_recorder *recorder, size_t *count);
const gs_iterations *gs_recorder_iterations(const gs_recorder *recorder);
const gs_calltree *gs_recorder_calls(const gs_recorder *recorder);
/* During a run: the call tree has all costs up to now. */
void gs_recorder_settle_calls(gs_recorder *recorder);
const gs_timeline *gs_recorder_timeline(const gs_recorder *recorder); /* or NULL */
const gs_machine *gs_recorder_machine(const gs_recorder *recorder);
const gs_timing *gs_recorder_timing(const gs_recorder *recorder); /* or NULL */
const gs_image *gs_recorder_image(const gs_recorder *recorder);
uint64_t gs_recorder_desyncs(const gs_recorder *recorder); /* what could not be followed exactly */
bool gs_recorder_has_region(const gs_recorder *recorder);  /* so that it may have seen a part */
/* How often what is counted ended between an instruction in [from, end) and one at `to`. */
uint64_t gs_recorder_stops(const gs_recorder *recorder, uint64_t from, uint64_t end, uint64_t to);
const gs_metrics *gs_recorder_total(const gs_recorder *recorder);

#endif
