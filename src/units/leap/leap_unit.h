/*
 * leap_unit.h - LEAP as a unit: what its options, its list of functions and its report share.
 */
#ifndef GS_UNITS_LEAP_LEAP_UNIT_H
#define GS_UNITS_LEAP_LEAP_UNIT_H

#include "units/leap/audit.h"
#include "units/leap/leap.h"

typedef struct gs_leap_config {
    uint64_t functions, width, depth;
    unsigned count, full, overflow;
    bool hierarchical, tagged;
    gs_option_list only;
} gs_leap_config;

/* The functions LEAP knows, and their hash. */
typedef struct gs_leap_listing {
    uint32_t *addresses; /* of the listed functions, `count` */
    size_t *numbers;     /* the same in the image */
    size_t count;
    gs_leap_hash hash;
    size_t *function_of; /* by hash: number in the image, or the image's count */
    uint32_t *tags;      /* by hash: address, or 1, which is none */
} gs_leap_listing;

typedef struct gs_leap_unit {
    const gs_leap_config *config;
    gs_unit_context context;
    gs_leap_listing listing;
    gs_leap leap;
    gs_leap ideal; /* the same with counters that are never full */
    gs_leap_audit audit;
} gs_leap_unit;

/* listing.c: lists the functions that the configuration names and finds their hash; and who has
 * which number. What is made is to be fini()ed even if the rest fails. */
gs_status gs_leap_list(gs_leap_listing *listing, const gs_leap_config *config,
                       const gs_image *image, gs_error *err);
gs_status gs_leap_number(gs_leap_listing *listing, const gs_image *image, gs_error *err);
void gs_leap_listing_fini(gs_leap_listing *listing);

/* leap_report.c: what the hardware says, next to the truth. */
gs_status gs_leap_report(const gs_leap_unit *unit, const gs_truth *truth, gs_result *result,
                         gs_error *err);

#endif
