/*
 * units.h - a set of units on one trace port.
 */
#ifndef GS_UNITS_UNITS_H
#define GS_UNITS_UNITS_H

#include "gumshoe/unit.h"
#include "units/unit.h"

/* After a run: fills the results. Once; gs_units_conclude() does it with a recorder's truth. */
gs_status gs_units_judge(gs_units *units, const gs_truth *truth, gs_error *err);

/* After that. Borrowed. */
const gs_result *gs_units_result(const gs_units *units, size_t unit);
gs_results gs_units_results(const gs_units *units);

#endif
