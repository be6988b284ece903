/*
 * cfg.h - basic blocks, edges and loops of a program's code.
 *
 * Everything that direct control flow can reach from the entry point and from the
 * functions of the image. Computed once, then read-only: any thread may look. It
 * borrows the image, which must live longer; what it returns is borrowed from it.
 *
 * A block ends behind an instruction that moves control (with its delay slot, on
 * MIPS), behind a trap, and before the target of a jump. Blocks are sorted by
 * address. They are disjoint but for two rare cases: a jump into a delay slot,
 * which then belongs to two blocks, and a jump into the middle of an instruction.
 *
 * Calls are edges to where they return, not to the called function; a call of a
 * function that never returns has no edge, and what is only behind it no block.
 * Where an indirect jump goes is not known here; a run can tell, see
 * gs_cfg_open_observed().
 */
#ifndef GS_IMAGE_CFG_H
#define GS_IMAGE_CFG_H

#include "image/image.h"

typedef struct gs_cfg gs_cfg;

#define GS_CFG_NONE UINT32_MAX

typedef enum gs_edge_kind {
    GS_EDGE_FALLTHROUGH, /* onwards: a branch not taken, a trap, the next block's start */
    GS_EDGE_TAKEN,       /* a branch or jump; into another function if it is a tail call */
    GS_EDGE_CALL_RETURN, /* onwards, once the called function has returned */
} gs_edge_kind;

typedef struct gs_edge {
    uint32_t to; /* block */
    gs_edge_kind kind;
} gs_edge;

typedef struct gs_block {
    uint64_t start, end;
    uint64_t last;     /* the last instruction that is not in a delay slot */
    uint64_t target;   /* where `flow` leads, if the instruction says so */
    gs_flow flow;      /* of `last`; GS_FLOW_NEXT: the next block starts behind it */
    bool indirect;     /* has successors that are not known */
    uint32_t insns;    /* with the delay slot */
    uint32_t function; /* index in the image, or GS_CFG_NONE */
    uint32_t loop;     /* the innermost around it, or GS_CFG_NONE */
    uint32_t first_edge, edge_count;
} gs_block;

/*
 * A natural loop: one entry, its header, that every iteration passes. Loops with one header
 * are one loop. A cycle with two entries is none.
 */
typedef struct gs_loop {
    uint32_t header; /* block */
    uint32_t function;
    uint32_t parent;                   /* the loop around it, or GS_CFG_NONE */
    uint32_t depth;                    /* 1: no loop around it */
    uint32_t back_edges;               /* how many edges lead back to the header */
    uint32_t first_block, block_count; /* with those of the loops in it */
} gs_loop;

/* An indirect jump that has been seen to happen. */
typedef struct gs_observed_jump {
    uint64_t from, to; /* the jump's address and its target */
} gs_observed_jump;

/* *out is the caller's, NULL on failure. Fails only with GS_E_NO_MEMORY. */
gs_status gs_cfg_open(gs_cfg **out, const gs_image *image, gs_error *err);

/* The same with the targets of indirect jumps, in any order: their blocks and edges are there,
 * and the jumps are no longer `indirect`. A pair that fits no indirect jump is ignored. */
gs_status gs_cfg_open_observed(gs_cfg **out, const gs_image *image, const gs_observed_jump *jumps,
                               size_t count, gs_error *err);
void gs_cfg_free(gs_cfg *cfg);

size_t gs_cfg_block_count(const gs_cfg *cfg);
const gs_block *gs_cfg_block(const gs_cfg *cfg, size_t index);         /* by address */
const gs_edge *gs_cfg_edges(const gs_cfg *cfg, const gs_block *block); /* NULL if none */

/* The block that covers `pc`, or NULL. Of two, the one that starts later. */
const gs_block *gs_cfg_block_at(const gs_cfg *cfg, uint64_t pc);
size_t gs_cfg_index_of(const gs_cfg *cfg, const gs_block *block);

size_t gs_cfg_loop_count(const gs_cfg *cfg);
const gs_loop *gs_cfg_loop(const gs_cfg *cfg, size_t index); /* by header */

#endif
