/*
 * past.h - a timing as it was, to go back to: pipeline, caches, predictor and counters.
 */
#ifndef GS_TIMING_PAST_H
#define GS_TIMING_PAST_H

#include "timing/timing.h"

typedef struct gs_timing_past gs_timing_past;

/* Whether the core's pipeline model can be kept. */
bool gs_timing_can_go_back(const gs_timing *timing);

/* NULL when memory is out. The caller's, to be freed with free(). */
gs_timing_past *gs_timing_keep(const gs_timing *timing);
void gs_timing_go_back(gs_timing *timing, const gs_timing_past *past);

#endif
