/*
 * dwarf.h - reading debug information, one compilation unit at a time.
 *
 * For dwarf.c, lines.c and inlines.c only. What is collected goes into the image,
 * unsorted; the finish functions put it in order once all units are through.
 *
 * Hostile debug information can make one byte stand for much work: many units
 * share a line table, siblings point backwards. So there is a budget, far above
 * what an honest file of that size needs, and reading ends when it is spent.
 */
#ifndef GS_IMAGE_DWARF_H
#define GS_IMAGE_DWARF_H

#include <elfutils/libdw.h>

#include "image/internal.h"

typedef struct gs_dwarf {
    gs_image *image;
    uint64_t budget; /* lines, ranges and entries that may still be looked at */
    bool no_memory;

    /* Linkers leave the debug information of functions they drop, at address 0. Where there is
     * code at 0, only a function that is called as a symbol at 0 is can be real. */
    struct {
        const char **items;
        size_t count, capacity;
    } names_at_zero;

    const char *unit_folder; /* where the compiler ran; libdw's, NULL if not known */

    /* Of the unit at hand: lines below `dropped_end` and outside `kept` are of dropped code. */
    uint64_t dropped_end;
    gs_address_range kept;
} gs_dwarf;

/* Takes one from the budget; false if nothing is left. */
bool gs_dwarf_spend(gs_dwarf *dwarf);

/* The image's copy of a text, "" for NULL. NULL when memory is out: no_memory is set. */
const char *gs_dwarf_keep(gs_dwarf *dwarf, const char *text);

/* The same for a file's name, which is relative to where the compiler ran. */
const char *gs_dwarf_keep_path(gs_dwarf *dwarf, const char *path);

/* lines.c */
void gs_lines_collect(gs_dwarf *dwarf, Dwarf_Die *unit);
void gs_lines_finish(gs_image *image);

/* inlines.c: also finds out what the linker dropped, so it comes first. */
void gs_inlines_collect(gs_dwarf *dwarf, Dwarf_Die *unit);
void gs_inlines_finish(gs_image *image);

#endif
