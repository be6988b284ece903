/*
 * slow_exits.h - exits off the fast path.
 *
 * An exit is slow if the outcomes have other effects than a penalty, if the pipeline is in no known
 * state of the superblock, if its target is not known yet, or if the time is up. Then the memoized
 * transition of the automaton says what it costs.
 */
#ifndef GS_ENGINE_FAST_SLOW_EXITS_H
#define GS_ENGINE_FAST_SLOW_EXITS_H

#include "engine/fast/runtime/count_blocks.h"

enum { GS_RECENT_SLOW_EXITS = 4096, GS_RECENT_ENTRIES = 256 };

/* A recent slow exit. */
typedef struct gs_recent_slow_exit {
    const void *from; /* the count block, or the node it was taken from */
    uint64_t key;
    uint64_t place; /* superblock, exit, state and goal */
    gs_fast_edge *edge;
} gs_recent_slow_exit;

/* A recent entry of a superblock in a state that was not predicted. */
typedef struct gs_recent_entry {
    uint32_t number, after;      /* the superblock, and the number of the state */
    uint32_t skips;              /* a cell of the block there: see gs_count_block */
    uint32_t state;              /* index of the state among the known ones, if it has become
                                    one; never the first, */
    uint64_t penalty;            /* and its penalty; */
    gs_fast_node *special;       /* NULL: it has not become known, */
    const gs_count_block *block; /* and is entered by this node */
} gs_recent_entry;

typedef struct gs_slow_exits {
    gs_recent_slow_exit recent[GS_RECENT_SLOW_EXITS];
    gs_recent_entry entries[GS_RECENT_ENTRIES];
    uint64_t unpredicted; /* the time for such entries of all functions */
} gs_slow_exits;

/* Sets the callbacks in `c`. */
void gs_slow_exits_open(gs_slow_exits *slow, gs_fast *c);

/* The node of a superblock in a known state. NULL when memory is out. */
gs_fast_node *gs_slow_exits_node(gs_fast_engine *e, gs_superblock *s, unsigned state,
                                 uint64_t path);
/* Takes back the penalty of a known state: control has gone no further. */
void gs_slow_exits_give_up(gs_fast *c, gs_count_block *block, const gs_superblock *s,
                           unsigned state);

#endif
