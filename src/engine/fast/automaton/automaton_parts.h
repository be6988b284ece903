/*
 * automaton_parts.h - what the automaton consists of, for the files that make it up.
 *
 * automaton.c finds and makes superblocks, states, nodes, edges and transitions; settle.c turns the
 * counts of edges into totals. Everything in the tables belongs to the arena.
 */
#ifndef GS_ENGINE_AUTOMATON_PARTS_H
#define GS_ENGINE_AUTOMATON_PARTS_H

#include "base/arena.h"
#include "engine/fast/automaton/automaton.h"
#include "engine/fast/automaton/oracle.h"
#include "engine/fast/automaton/table.h"

enum { GS_AUTOMATON_BUCKETS = 1 << 15 };

/* In gs_fast_edge.exit: the edge takes no exit, but stops after as many steps as the other bits
 * say. */
enum { GS_EDGE_PARTIAL = 0x8000 };

struct gs_automaton {
    gs_timing *timing; /* the real one */
    const gs_bulk_group *observers;
    gs_oracle *oracle;
    gs_arena arena;
    gs_fast_edge nowhere; /* goes to an odd address: the edge of exits never taken */
    gs_fast_state *states[GS_AUTOMATON_BUCKETS];
    gs_table nodes, edges, transitions;
    gs_fast_edge *newest; /* of the edges */
    struct superblock_slot {
        gs_superblock *superblock;
        struct superblock_slot *chained;
    } * superblocks[GS_AUTOMATON_BUCKETS];
};

#endif
