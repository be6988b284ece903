/*
 * engine_parts.h - what the fast engine consists of, for the files that make it up.
 */
#ifndef GS_ENGINE_FAST_PARTS_H
#define GS_ENGINE_FAST_PARTS_H

#include "engine/fast/code_ages.h"
#include "engine/fast/fast.h"
#include "engine/fast/routes.h"
#include "engine/fast/usual.h"

enum {
    GS_RECENT_TURNS = 4096,
    GS_ENTERED = 256,
    GS_BLOCK_BUCKETS = 1 << 14,
    GS_HOST_LINE = 64,                 /* bytes, of the host's cache */
    GS_FETCHES_MAX = GS_STRETCH_SITES, /* lines a stretch can have looked up in vain */
};

/* A function that has been translated. */
typedef struct gs_fast_code {
    gs_stretch *stretches;
    size_t count;
    uint32_t stretch_count;      /* with twins */
    uint32_t number;             /* among all of them */
    uint32_t cells;              /* of its blocks */
    const gs_inferred *inferred; /* see gs_code */
    size_t inferred_count;
    uint64_t unusual; /* see gs_fast_take_unusual() */
} gs_fast_code;

/* A lookup of code that may turn out to have been made too early. */
typedef struct gs_fetch_undo {
    unsigned owner; /* see gs_site */
    gs_addr line;
    size_t slot;                     /* where its age is known: where it is now, */
    uint64_t used;                   /* and what was known of that slot */
    gs_addr tags[GS_CACHE_MAX_WAYS]; /* what was in the set, or the first of them, in that slot */
    uint32_t random, next_way;       /* these only if there is more than one way, and no age */
    gs_cache_stats stats;
} gs_fetch_undo;

/* A line of code that a stretch looks up when it begins. */
typedef struct gs_line_use {
    gs_addr number;
    uint8_t owner, shift; /* see gs_site, */
    uint8_t site;         /* and which it is */
} gs_line_use;

/* An access to data of a stretch, as others have to look at it. */
typedef struct gs_data_access {
    uint32_t offset, cell; /* the cell where it counts, if it passes and misses */
    uint8_t base, size;    /* the register, and bytes */
    uint8_t note;          /* a bit that is set where nobody would notice; see GS_NOTE_STORE */
    uint8_t shift;         /* of the key */
    bool stores, passes;
} gs_data_access;

/* A line of the data cache that may be accessed without anybody noticing: its number, or
 * GS_CACHE_NO_LINE, and what is noted of it when it is gone. */
typedef struct gs_noted_line {
    gs_addr number;
    unsigned gone;
} gs_noted_line;

/* A stretch that has been entered in a state that was not known when it was translated. */
typedef struct gs_entered {
    uint32_t number, after;     /* the stretch, and the state */
    uint32_t skips;             /* a cell of the block: see gs_fast_block */
    uint32_t state;             /* which of those known it is now; never the first; */
    uint64_t surcharge;         /* for it; */
    gs_fast_node *special;      /* or NULL; if not, it is none of them, */
    const gs_fast_block *block; /* in this one */
} gs_entered;

/* See surcharges.h. */
typedef struct gs_surcharge gs_surcharge;
typedef struct gs_surcharges {
    gs_surcharge *items; /* mask + 1 slots, by a hash */
    size_t mask, count;
} gs_surcharges;

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
    /* What a miss needs, side by side: */
    uint8_t *notes;           /* by address of data; see GS_NOTE_STORE */
    gs_noted_line *noted;     /* by slot */
    uint64_t brought_in;      /* lines of data, that the cache does not know of yet, */
    uint64_t brought_in_free; /* those of them where there was none before */
    gs_surcharges surcharges;
    gs_surcharge *added;  /* during this visit of a stretch, */
    uint64_t added_visit; /* see gs_visit() */
    bool passing;         /* nobody need look at a store to a line that is missing */
    bool plain;           /* the data cache writes through, and is of one way or replaces what was
                             used longest ago */
    bool failed;          /* no memory */
    gs_arena arena;
    size_t stack_room; /* of the host's */
    uint64_t margin;
    uint64_t deadline, max_instructions; /* where translated code has to stop, */
    unsigned renewals;  /* and how often it may go on before, see gs_fast_renew() */
    uint32_t near_used; /* bytes from *c on: by that, and by blocks where there are no paths */
    struct {
        struct gs_numbered {
            gs_stretch *stretch;
            gs_fast_code *code;
            gs_line_use *lines;       /* those it looks up when it begins, in order */
            size_t line_count;        /* the stretch's, which is not at hand where this is */
            gs_data_access *accesses; /* all of its, in order */
        } * items;
        size_t count, capacity;
    } stretches; /* by number */
    uint32_t code_count;
    gs_fast_block *blocks[GS_BLOCK_BUCKETS];
    struct {
        uint64_t *items;
        size_t count, capacity;
    } times; /* room for the counts of a block, and a number for each of its stretches */
    uint64_t fetch_visit; /* the one that has looked code up last, */
    unsigned fetch_count; /* so many times */
    gs_fetch_undo fetches[GS_FETCHES_MAX];
    uint8_t *code_notes; /* by line of code: GS_FAST_LINE_* */
    gs_addr *code_noted; /* by slot: the line that is noted to be quiet; or GS_CACHE_NO_LINE */
    gs_code_ages code_ages;
    uint32_t icache_changes, dcache_changes, map_changes; /* as far as the tables know */
    struct gs_recent_turn {
        const void *from; /* the block, or the special node */
        uint64_t key;
        uint64_t place; /* stretch, way, state and goal */
        gs_fast_edge *edge;
    } recent_turns[GS_RECENT_TURNS];
    gs_pointed pointed;
    gs_entered entered[GS_ENTERED]; /* lately */
    uint64_t unusual;               /* entries of all functions, by how long they took */
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

/* Whose place is asked about, and the place of a cell; see gs_fast.blocks_from. */
static inline gs_fast_block *gs_asked_block(const gs_fast *c, const gs_fast_ask *ask)
{
    return (gs_fast_block *)(void *)(c->blocks_from + ask->block);
}
static inline uint64_t gs_place_of(const gs_fast_engine *e, const void *cell)
{
    return (uint64_t)((uintptr_t)cell - (uintptr_t)e->c->blocks_from);
}

/* Control has come to a stretch, or left it (-1), and no way says so. */
static inline void gs_moved_otherwise(gs_fast_block *block, const gs_stretch *s, int64_t times)
{
    block->cells[s->usual->otherwise].count += (uint64_t)times;
}

/* Nobody is anywhere. */
#define GS_NO_VISIT UINT64_MAX

/* While control is in a stretch, no instruction is added to the cost, and no other visit of it has
 * begun with as many. */
static inline uint64_t gs_visit(uint64_t stretch, uint64_t cost)
{
    return stretch << 32 | gs_fast_instructions(cost);
}

/* -- aside.c: how translated code asks -- */

void gs_aside_open(gs_fast_engine *e);

/* -- near.c: the guest's memory, without a register -- */

/* Whether the host lets us do that. */
bool gs_near_works(const gs_machine *machine);
/* What translated code accesses is that of this engine, for a while. Answers what it was. */
uintptr_t gs_near_take(const gs_fast_engine *e);
void gs_near_give_back(uintptr_t before);

/* -- surcharges.c: what is unusual, and just costs more; see surcharges.h, too -- */

/* False when memory is out. */
bool gs_surcharges_open(gs_fast_engine *e);
void gs_surcharges_close(gs_fast_engine *e);
/* Takes back what has been added during the visit of a stretch that translated code is in, and has
 * it in the key instead. */
void gs_surcharge_give_up(gs_fast_engine *e, const gs_stretch *s);
void gs_surcharges_settle(gs_fast_engine *e);

/* -- lookups.c: the caches, as translated code sees them -- */

/* False when memory is out. */
bool gs_lookups_open(gs_fast_engine *e);
void gs_lookups_close(gs_fast_engine *e);
/* A stretch is about to be used, and will look its lines up. False when memory is out. */
bool gs_lookups_add(gs_fast_engine *e, const gs_stretch *s);
/* Has the tables catch up with what others did to the caches; and the other way round. */
void gs_lookups_refresh(gs_fast_engine *e);
void gs_lookups_done(gs_fast_engine *e);
/* A stretch is left by one of its ways, and may not have said that it used its lines. */
void gs_lookups_use(const gs_fast_engine *e, const gs_stretch *s, unsigned way);
/* Fetch has strayed so far that it brought a line in. */
void gs_lookups_bring_in(gs_fast_engine *e, gs_addr address);
/* The key of what has come up for the first `steps` instructions; the rest has not happened. */
uint64_t gs_lookups_settle_key(gs_fast_engine *e, const gs_stretch *s, unsigned steps);

/* -- accesses.c: data, as translated code sees it -- */

/* False when memory is out. */
bool gs_accesses_open(gs_fast_engine *e);
void gs_accesses_close(gs_fast_engine *e);
/* A stretch is about to be used. False when memory is out. */
bool gs_accesses_add(gs_fast_engine *e, const gs_stretch *s);
/* Has the cache count what came in. */
void gs_accesses_settle(gs_fast_engine *e);
/* Has the bytes tell what is in a set of the cache now. */
void gs_accesses_update(gs_fast_engine *e, gs_addr set);
/* They have been cleared. */
void gs_accesses_forget(gs_fast_engine *e);

/* -- fast.c: how translated code is run -- */

/* The time is up, where a stretch is over. Unless somebody waits, translated code goes on: if it
 * were left and entered again, whoever returns to where nobody has called him would leave it once
 * more. False: it does not. */
bool gs_fast_renew(gs_fast_engine *e);

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
