/*
 * tier.h - decides what code is worth translating, and has it translated.
 *
 * The reference engine runs in small slices; where one of them begins is a sample. What
 * comes up often is translated, with what it calls, and compiled in the background, as far as that
 * pays; see payback.h. `--engine fast` translates sooner and waits for the compiler. What was
 * translated in one run is there from the start in the next.
 */
#ifndef GS_ENGINE_TIER_H
#define GS_ENGINE_TIER_H

#include "engine/fast/runtime/fast.h"
#include "gumshoe/run.h"

typedef struct gs_tier gs_tier;

/* Instructions between two samples, and how many the engine may run while it takes over. */
enum { GS_TIER_SLICE = 512, GS_TIER_TURN = 32 };

/* *out is NULL if everything has to be run by the reference engine. Unless the options say so or a
 * note has been added, machine->reference_reason says why then. Starts a process for the compiler;
 * none is started after that. `options` have to live as long as the tier. */
gs_status gs_tier_open(gs_tier **out, gs_machine *machine, const gs_run_options *options,
                       gs_error *err);
void gs_tier_free(gs_tier *tier);

gs_fast_engine *gs_tier_fast(gs_tier *tier);

/* The directory of translations, which is read and written. */
const char *gs_tier_cache(const gs_tier *tier);

/* Reports that the reference engine has run so many instructions since the last call; the last
 * time from one pc to another. */
gs_status gs_tier_sample(gs_tier *tier, gs_addr from, gs_addr to, gs_error *err);

/* Whether translated code rests because it takes longer than the reference engine. */
bool gs_tier_rests(const gs_tier *tier);

/* To be called before translated code is entered: takes code out of use whose instructions have
 * changed. Cheap if none have. */
gs_status gs_tier_check_code(gs_tier *tier, gs_error *err);

/* Writes all translated code as C for people, into a new file in `directory`. */
gs_status gs_tier_emit(gs_tier *tier, const char *directory, gs_error *err);

#endif
