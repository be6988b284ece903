/*
 * place.h - the table of what is taken: slots of bundles and units, cycle by cycle.
 *
 * For src/schedule only. A table belongs to its owner. With an interval, cycles that are a multiple
 * of it apart are one row: every iteration of a pipelined loop takes the same.
 */
#ifndef GS_SCHEDULE_PLACE_H
#define GS_SCHEDULE_PLACE_H

#include "schedule/target.h"

enum { GS_SLOT_FREE = -1 };

typedef struct gs_row {
    int16_t slots[GS_VLIW_WIDTH_MAX]; /* the node in each, or GS_SLOT_FREE, */
    uint8_t fits[GS_VLIW_WIDTH_MAX];  /* and the slots it could have */
    uint8_t units[GS_VLIW_UNITS_MAX + 1];
} gs_row;

typedef struct gs_places {
    const gs_vliw *target;
    unsigned width;    /* slots that may be used, of the target's */
    unsigned interval; /* 0: none */
    unsigned row_count;
    gs_row *rows;
} gs_places;

/* Room for `rows` cycles, all free; for one interval if there is one. False when memory is out. */
bool gs_places_open(gs_places *places, const gs_vliw *target, unsigned width, unsigned rows,
                    unsigned interval);
void gs_places_close(gs_places *places);

/* Puts a node into a bundle, moving others to other slots of it. False: it does not fit. */
bool gs_places_take(gs_places *places, int node, const gs_vliw_class *needs, unsigned cycle);

/* The slot a node has in the bundle of a cycle; GS_SLOT_NONE: it needs none. */
unsigned gs_places_slot(const gs_places *places, int node, unsigned cycle);

#endif
