/*
 * snoopp_unit.h - SnoopP as a unit: what its model and its Verilog are configured with.
 */
#ifndef GS_UNITS_SNOOPP_SNOOPP_UNIT_H
#define GS_UNITS_SNOOPP_SNOOPP_UNIT_H

#include "units/snoopp/snoopp.h"

typedef struct gs_snoopp_config {
    gs_option_list ranges;
    uint64_t counters;
    unsigned width, amount; /* choices */
    bool data, automatic, hunt, writable;
    uint64_t threshold; /* of a hunt, in percent */
    uint64_t map;       /* address of the registers; 0 for none */
} gs_snoopp_config;

/* In bits. */
static inline unsigned gs_snoopp_width(const gs_snoopp_config *config)
{
    return config->width ? 64 : 32;
}

/* Whether what is asked for goes together. */
gs_status gs_snoopp_check(const gs_snoopp_config *config, gs_error *err);

#endif
