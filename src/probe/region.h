/*
 * region.h - the region of interest, as gs_run() follows it; run.h says what it is.
 *
 * gs_run() looks at it between two instructions. The interpreters end their slice where
 * gs_region_may_cross() says so, and no translated code contains an instruction at
 * gs_region_stops(), so both engines look before the same instructions.
 */
#ifndef GS_PROBE_REGION_H
#define GS_PROBE_REGION_H

#include "gumshoe/run.h"
#include "machine/machine.h"

enum { GS_REGION_ENTRIES = 16, GS_REGION_FILTER = 256 };

typedef enum gs_region_edge_kind {
    GS_REGION_OPEN, /* the beginning, or the end, of the run */
    GS_REGION_CODE, /* before an instruction */
    GS_REGION_MARKER,
    GS_REGION_ANY_MARKER,
} gs_region_edge_kind;

typedef struct gs_region_edge {
    gs_region_edge_kind kind;
    gs_addr pcs[GS_REGION_ENTRIES]; /* of code: one per function of that name */
    size_t count;
    uint32_t value; /* of the marker */
} gs_region_edge;

struct gs_region {
    gs_region_edge from, to;
    bool inside, announced;           /* to the observers */
    uint64_t times;                   /* it has begun */
    size_t markers;                   /* that have been looked at */
    gs_addr arrived;                  /* where control was when an edge was last crossed, */
    uint64_t number;                  /* and how many instructions had retired; UINT64_MAX: never */
    uint8_t filter[GS_REGION_FILTER]; /* by (pc >> 1): there may be an edge */
};

/* Whether the region may begin or end before the instruction at `next_pc`, which comes next. */
static inline bool gs_region_may_cross(const gs_region *region, const gs_machine *machine,
                                       uint64_t next_pc)
{
    return region->filter[next_pc >> 1 & (GS_REGION_FILTER - 1)] ||
           machine->markers.count != region->markers;
}

/* Before the next instruction: true if the region begins or ends here. */
bool gs_region_arrive(gs_region *region, const gs_machine *machine);

/* Addresses of code with an edge, at most 2 * GS_REGION_ENTRIES. */
size_t gs_region_stops(const gs_region *region, gs_addr *stops);

#endif
