/*
 * cfg_internal.h - the inside of a gs_cfg, for cfg.c, returns.c, loops.c and their tests.
 */
#ifndef GS_IMAGE_CFG_INTERNAL_H
#define GS_IMAGE_CFG_INTERNAL_H

#include "image/cfg.h"

struct gs_cfg {
    const gs_image *image;
    struct {
        gs_block *items;
        size_t count, capacity;
    } blocks;
    uint64_t *reach; /* per block, the highest end of it and all before it */
    struct {
        gs_edge *items;
        size_t count, capacity;
    } edges;
    struct {
        gs_loop *items;
        size_t count, capacity;
    } loops;
    uint32_t *loop_blocks;    /* a loop's from its first_block on, the header first: see loops.c */
    size_t irreducible_count; /* edges that lead backwards into a cycle that has another entry */
};

/* returns.c: removes what could only be reached by returning from a function that never does. */
gs_status gs_cfg_remove_dead(gs_cfg *cfg, gs_error *err);

/* loops.c: fills in the loops once blocks and edges are there. */
gs_status gs_cfg_find_loops(gs_cfg *cfg, gs_error *err);

#endif
