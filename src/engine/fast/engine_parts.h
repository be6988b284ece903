/*
 * engine_parts.h - what the fast engine consists of, for the files that make it up.
 */
#ifndef GS_ENGINE_FAST_PARTS_H
#define GS_ENGINE_FAST_PARTS_H

#include "engine/fast/fast.h"
#include "engine/fast/routes.h"
#include "engine/fast/usual.h"

enum {
    GS_RECENT_TURNS = 4096,
    GS_RECENT_ENTRIES = 1024,
    GS_LINE_USERS = 4096,
    GS_BLOCK_BUCKETS = 1 << 14,
    GS_FETCHES_MAX = GS_STRETCH_SITES, /* lines a stretch can have looked up in vain */
};

/* A function that has been translated. */
typedef struct gs_fast_code {
    gs_stretch *stretches;
    uint32_t stretch_count; /* with twins */
    uint32_t number;        /* among all of them */
    uint32_t cells;         /* of its blocks */
} gs_fast_code;

/* A lookup of code that may turn out to have been made too early. */
typedef struct gs_fetch_undo {
    unsigned owner; /* see gs_site */
    gs_addr set;
    gs_addr tags[GS_CACHE_MAX_WAYS];
    uint32_t random, next_way;
    gs_cache_stats stats;
} gs_fetch_undo;

typedef struct gs_line_user {
    gs_addr line;
    uint32_t stretch; /* number */
} gs_line_user;

typedef struct gs_fast_entry {
    gs_addr pc;
    gs_fast_function *run; /* NULL: nobody comes in here */
    gs_stretch *stretch;
} gs_fast_entry;

struct gs_fast_engine {
    gs_machine *machine;
    gs_timing *timing;
    gs_automaton *automaton;
    const gs_bulk *bulk; /* or NULL */
    gs_routes routes;
    gs_fast_layout layout;
    gs_fast *c;
    gs_arena arena;
    bool failed;       /* no memory */
    size_t stack_room; /* of the host's */
    uint64_t margin;
    struct {
        struct gs_numbered {
            gs_stretch *stretch;
            gs_fast_code *code;
        } * items;
        size_t count, capacity;
    } stretches; /* by number */
    uint32_t code_count;
    gs_fast_block *blocks[GS_BLOCK_BUCKETS];
    unsigned fetch_count; /* in this stretch */
    gs_fetch_undo fetches[GS_FETCHES_MAX];
    struct gs_line_users {
        gs_line_user *items;
        size_t count, capacity;
    } users[GS_LINE_USERS]; /* by a hash of the line: stretches that have code in it */
    uint32_t icache_changes, dcache_changes, map_changes; /* as far as the tables know */
    struct gs_recent_turn {
        const void *from; /* the block, or the special node */
        uint64_t key;
        uint64_t place; /* stretch, way, state and goal */
        gs_fast_edge *edge;
    } recent_turns[GS_RECENT_TURNS];
    struct gs_recent_entry {
        const gs_stretch *stretch; /* or NULL */
        uint32_t after, state;
        uint64_t surcharge;
    } recent_entries[GS_RECENT_ENTRIES]; /* in known states */
    uint8_t filter[GS_FAST_FILTER_MASK + 1];
    struct {
        gs_fast_entry *items;
        size_t count, capacity;
    } entries; /* by pc */
};

/* Something is out of memory: everything stops as soon as it can. */
static inline void gs_fast_fail(gs_fast_engine *e)
{
    e->failed = true;
}

/* -- lookups.c: the caches, as translated code sees them -- */

void gs_lookups_open(gs_fast_engine *e);
/* Has the tables catch up with what others did to the caches; and the other way round. */
void gs_lookups_refresh(gs_fast_engine *e);
void gs_lookups_done(gs_fast_engine *e);
/* Has a stretch told when one of its lines goes. False when memory is out. */
bool gs_lookups_watch(gs_fast_engine *e, const gs_stretch *s);
/* Fetch has strayed so far that it brought a line in. */
void gs_lookups_bring_in(gs_fast_engine *e, gs_addr address);
/* The key of what has come up for the first `steps` instructions; the rest has not happened. */
uint64_t gs_lookups_settle_key(gs_fast_engine *e, const gs_stretch *s, unsigned steps);

/* -- turns.c: what is not on a usual way -- */

void gs_turns_open(gs_fast_engine *e);
/* The node of a stretch in one of its known states. NULL when memory is out. */
gs_fast_node *gs_turns_node(gs_fast_engine *e, gs_stretch *s, unsigned state, uint64_t path);
/* The surcharge of a known state is not to be paid: control has gone no further. */
void gs_turns_give_up(gs_fast_engine *e, gs_fast_block *block, const gs_stretch *s, unsigned state);

/* -- blocks.c: what is counted on usual ways -- */

/* The count of a way that somebody has to look at first; see GS_COUNTED_LATER. */
#define GS_NOT_YET UINT64_MAX

/* The block of a function on a path; made if need be. NULL when memory is out. */
gs_fast_block *gs_block_of(gs_fast_engine *e, gs_fast_code *code, uint64_t path);
/* The same for the one that is translated for `pc`; NULL if there is none. */
gs_fast_block *gs_block_at(gs_fast_engine *e, gs_addr pc, uint64_t path);
/* Gives the counts to the edges they belong to. */
void gs_blocks_settle(gs_fast_engine *e);
/* Somebody has to look again where calls lead. */
void gs_blocks_forget_targets(gs_fast_engine *e);
void gs_blocks_remove(gs_fast_engine *e, const gs_fast_code *code);

#endif
