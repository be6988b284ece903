/*
 * stats_unit.h - the Statistics Module as a unit: what its model and its Verilog are configured
 * with.
 */
#ifndef GS_UNITS_STATS_STATS_UNIT_H
#define GS_UNITS_STATS_STATS_UNIT_H

#include "units/stats/stats.h"

typedef struct gs_stats_config {
    gs_option_list counts;
    uint64_t counters, ranges, width, interval;
    const char *map;
} gs_stats_config;

/* What an open unit has chosen to count: selectors and ranges, of which it uses so many. Borrowed.
 */
const gs_stats *gs_stats_chosen(const void *unit, unsigned *ranges);

#endif
