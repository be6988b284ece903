/*
 * slow_exits.h - exits off the fast path.
 *
 * An exit is slow if events have come up that are not just a penalty, if the pipeline is in no
 * known state of the superblock, if its target is not known yet, or if the time is up. Then the
 * memoized transition of the automaton says what it costs.
 */
#ifndef GS_ENGINE_FAST_SLOW_EXITS_H
#define GS_ENGINE_FAST_SLOW_EXITS_H

#include "engine/fast/runtime/count_blocks.h"

enum { GS_RECENT_SLOW_EXITS = 4096, GS_RECENT_ENTRIES = 256 };

/* A slow exit taken lately. */
typedef struct gs_recent_slow_exit {
    const void *from; /* the block, or the node it was taken from */
    uint64_t key;
    uint64_t place; /* superblock, exit, state and goal */
    gs_fast_edge *edge;
} gs_recent_slow_exit;

/* A superblock that was entered lately, in a state that was not known when it was translated. */
typedef struct gs_recent_entry {
    uint32_t number, after;      /* the superblock, and the state */
    uint32_t skips;              /* a cell of the block: see gs_count_block */
    uint32_t state;              /* which of those known it is now; never the first; */
    uint64_t penalty;            /* for it; */
    gs_fast_node *special;       /* or NULL; if not, it is none of them, */
    const gs_count_block *block; /* in this one */
} gs_recent_entry;

typedef struct gs_slow_exits {
    gs_recent_slow_exit recent[GS_RECENT_SLOW_EXITS];
    gs_recent_entry entries[GS_RECENT_ENTRIES];
    uint64_t unpredicted; /* entries of all functions, by how long they took */
} gs_slow_exits;

/* Sets the callbacks in `c`. */
void gs_slow_exits_open(gs_slow_exits *slow, gs_fast *c);

/* The node of a superblock in one of its known states. NULL when memory is out. */
gs_fast_node *gs_slow_exits_node(gs_fast_engine *e, gs_superblock *s, unsigned state,
                                 uint64_t path);
/* The penalty of a known state is not to be paid: control has gone no further. */
void gs_slow_exits_give_up(gs_fast *c, gs_count_block *block, const gs_superblock *s,
                           unsigned state);

#endif
