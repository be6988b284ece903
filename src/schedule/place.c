/* Keeps what is taken of slots and units. */
#include "schedule/place.h"

#include <stdlib.h>
#include <string.h>

bool gs_places_open(gs_places *places, const gs_vliw *target, unsigned width, unsigned rows,
                    unsigned interval)
{
    gs_places *p = places;
    *p = (gs_places){.target = target,
                     .width = width,
                     .interval = interval,
                     .row_count = interval ? interval : rows};
    p->rows = calloc(p->row_count, sizeof *p->rows);
    if (!p->rows)
        return false;
    for (unsigned i = 0; i < p->row_count; i++)
        memset(p->rows[i].slots, 0xff, sizeof p->rows[i].slots);
    return true;
}

void gs_places_close(gs_places *places)
{
    free(places->rows);
    places->rows = NULL;
}

static gs_row *row_at(const gs_places *p, unsigned cycle)
{
    return &p->rows[p->interval ? cycle % p->interval : cycle];
}

/* Whether a copy of the unit is free for as long as it is needed. */
static bool has_unit(const gs_places *p, const gs_vliw_class *needs, unsigned cycle)
{
    const unsigned copies = p->target->copies[needs->unit];
    if (needs->unit == 0)
        return true;
    if (p->interval && needs->busy > p->interval) /* it would meet itself */
        return false;
    for (unsigned i = 0; i < needs->busy; i++) {
        if (!p->interval && cycle + i >= p->row_count)
            break;
        if (row_at(p, cycle + i)->units[needs->unit] >= copies)
            return false;
    }
    return true;
}

static void take_unit(gs_places *p, const gs_vliw_class *needs, unsigned cycle)
{
    for (unsigned i = 0; needs->unit && i < needs->busy; i++) {
        if (p->interval || cycle + i < p->row_count)
            row_at(p, cycle + i)->units[needs->unit]++;
    }
}

/* Finds a slot for a node, of those that have not been `tried`; the node that has it moves. */
static bool take_slot(gs_row *row, unsigned width, int node, uint8_t fits, uint8_t *tried)
{
    for (unsigned slot = 0; slot < width; slot++) {
        if (!(fits >> slot & 1) || *tried >> slot & 1)
            continue;
        *tried = (uint8_t)(*tried | 1u << slot);
        if (row->slots[slot] != GS_SLOT_FREE &&
            !take_slot(row, width, row->slots[slot], row->fits[slot], tried))
            continue;
        row->slots[slot] = (int16_t)node;
        row->fits[slot] = fits;
        return true;
    }
    return false;
}

bool gs_places_take(gs_places *places, int node, const gs_vliw_class *needs, unsigned cycle)
{
    uint8_t tried = 0;
    if (!needs->slots)
        return true;
    if (!has_unit(places, needs, cycle) ||
        !take_slot(row_at(places, cycle), places->width, node, needs->slots, &tried))
        return false;
    take_unit(places, needs, cycle);
    return true;
}

unsigned gs_places_slot(const gs_places *places, int node, unsigned cycle)
{
    const gs_row *row = row_at(places, cycle);
    for (unsigned slot = 0; slot < places->width; slot++) {
        if (row->slots[slot] == node)
            return slot;
    }
    return GS_SLOT_NONE;
}
