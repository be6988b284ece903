/*
 * ranges.h - address ranges as people name them.
 *
 *   main               a function; in data, any symbol with a size
 *   first..last        from the start of one function to the end of another
 *   file.c:12          the code of a source line; file.c:12-20 of several
 *   0x80000000-0x80000100   addresses, the second one not included; 0x80000000+0x100
 *
 * A unit has one pair of comparators per range, so the code of lines is everything from their
 * first to their last instruction within one function.
 */
#ifndef GS_UNITS_RANGES_H
#define GS_UNITS_RANGES_H

#include "base/arena.h"
#include "image/image.h"

typedef struct gs_unit_range {
    const char *name;     /* as it was asked for; in the arena or constant */
    uint32_t first, last; /* both inclusive */
} gs_unit_range;

/* `prefix` begins every message. Reads the image's debug information where a line is asked for. */
gs_status gs_range_parse(gs_unit_range *out, const char *text, const gs_image *image, bool data,
                         const char *prefix, gs_arena *arena, gs_error *err);

/* The range of a whole function. */
gs_unit_range gs_range_of_function(const gs_function *function);

#endif
