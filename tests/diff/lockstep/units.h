/*
 * units.h - the C models of the profilers, where rtl/flatfoot/soc/soc_units.v has their Verilog.
 *
 * They are devices of the machine, and watch it. As in the hardware, what a store does to them
 * comes between the beat of the store and the next one, except for SnoopP, where it comes before
 * both.
 */
#ifndef LOCKSTEP_UNITS_H
#define LOCKSTEP_UNITS_H

#include "timing/timing.h"
#include "gumshoe/image.h"
#include "gumshoe/run.h"

typedef struct units units;

/* All that is given is borrowed. */
gs_status units_open(units **out, const gs_image *image, gs_machine *machine,
                     const gs_timing *timing, gs_error *err);
void units_free(units *u);

const gs_observer *units_observer(units *u);

/* Compares what LEAP has counted with the cycles of each function while it ran. The number of
 * functions for which that is not the same; each has been printed. */
unsigned units_check_exact(const units *u);

#endif
