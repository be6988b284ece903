/*
 * engine_parts.h - what the fast engine consists of, for the files that make it up.
 */
#ifndef GS_ENGINE_FAST_PARTS_H
#define GS_ENGINE_FAST_PARTS_H

#include "engine/fast/runtime/icache_lru.h"
#include "engine/fast/runtime/fast.h"
#include "engine/fast/runtime/routes.h"
#include "engine/fast/automaton/predict.h"

enum {
    GS_RECENT_SLOW_EXITS = 4096,
    GS_ENTERED = 256,
    GS_BLOCK_BUCKETS = 1 << 14,
    GS_HOST_LINE = 64,                    /* bytes, of the host's cache */
    GS_FETCHES_MAX = GS_SUPERBLOCK_SITES, /* lines a superblock can have looked up in vain */
};

/* A function that has been translated. */
typedef struct gs_fast_code {
    gs_superblock *superblocks;
    size_t count;
    uint32_t superblock_count;   /* with clones */
    uint32_t number;             /* among all of them */
    uint32_t cells;              /* of its blocks */
    const gs_inferred *inferred; /* see gs_code */
    size_t inferred_count;
    uint64_t unpredicted; /* see gs_fast_take_unpredicted() */
} gs_fast_code;

/* A lookup of code that may turn out to have been made too early. */
typedef struct gs_fetch_undo {
    unsigned owner; /* see gs_site */
    gs_addr line;
    size_t slot;                     /* where its age is known: where it is now, */
    uint64_t used;                   /* and what was known of that slot */
    gs_addr tags[GS_CACHE_MAX_WAYS]; /* what was in the set, or the first of them, in that slot */
    uint32_t random, next_way;       /* these only if there is more than one exit, and no age */
    gs_cache_stats stats;
} gs_fetch_undo;

/* A line of code that a superblock looks up when it begins. */
typedef struct gs_line_use {
    gs_addr number;
    uint8_t owner, shift; /* see gs_site, */
    uint8_t site;         /* and which it is */
} gs_line_use;

/* An access to data of a superblock, as others have to look at it. */
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

/* A superblock that has been entered in a state that was not known when it was translated. */
typedef struct gs_entered {
    uint32_t number, after;      /* the superblock, and the state */
    uint32_t skips;              /* a cell of the block: see gs_count_block */
    uint32_t state;              /* which of those known it is now; never the first; */
    uint64_t penalty;            /* for it; */
    gs_fast_node *special;       /* or NULL; if not, it is none of them, */
    const gs_count_block *block; /* in this one */
} gs_entered;

/* See penalties.h. */
typedef struct gs_penalty gs_penalty;
typedef struct gs_penalties {
    gs_penalty *items; /* mask + 1 slots, by a hash */
    size_t mask, count;
} gs_penalties;

typedef struct gs_fast_entry {
    gs_addr pc;
    gs_fast_function *run; /* NULL: nobody comes in here */
    gs_superblock *superblock;
} gs_fast_entry;

struct gs_fast_engine {
    gs_machine *machine;
    gs_timing *timing;
    gs_automaton *automaton;
    const gs_bulk_group *observers;
    uint32_t settled_changes; /* memory.code_changes when counts were reported last */
    gs_routes routes;
    gs_fast_layout layout;
    gs_fast *c;
    /* What a miss needs, side by side: */
    uint8_t *notes;           /* by address of data; see GS_NOTE_STORE */
    gs_noted_line *noted;     /* by slot */
    uint64_t brought_in;      /* lines of data, that the cache does not know of yet, */
    uint64_t brought_in_free; /* those of them where there was none before */
    gs_penalties penalties;
    gs_penalty *added;    /* during this visit of a superblock, */
    uint64_t added_visit; /* see gs_visit() */
    bool passing;         /* nobody need look at a store to a line that is missing */
    bool plain;           /* the data cache writes through, and is of one exit or replaces what was
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
            gs_superblock *superblock;
            gs_fast_code *code;
            gs_line_use *lines;       /* those it looks up when it begins, in order */
            size_t line_count;        /* the superblock's, which is not at hand where this is */
            gs_data_access *accesses; /* all of its, in order */
        } * items;
        size_t count, capacity;
    } superblocks; /* by number */
    uint32_t code_count;
    gs_count_block *blocks[GS_BLOCK_BUCKETS];
    struct {
        uint64_t *items;
        size_t count, capacity;
    } times; /* room for the counts of a block, and a number for each of its superblocks */
    uint64_t fetch_visit; /* the one that has looked code up last, */
    unsigned fetch_count; /* so many times */
    gs_fetch_undo fetches[GS_FETCHES_MAX];
    uint8_t *code_notes; /* by line of code: GS_FAST_LINE_* */
    gs_addr *code_noted; /* by slot: the line that is noted to be quiet; or GS_CACHE_NO_LINE */
    gs_icache_lru icache_lru;
    uint32_t icache_changes, dcache_changes, map_changes; /* as far as the tables know */
    struct gs_recent_slow_exit {
        const void *from; /* the block, or the special node */
        uint64_t key;
        uint64_t place; /* superblock, way, state and goal */
        gs_fast_edge *edge;
    } recent_slow_exits[GS_RECENT_SLOW_EXITS];
    gs_pointed pointed;
    gs_entered entered[GS_ENTERED]; /* lately */
    uint64_t unpredicted;           /* entries of all functions, by how long they took */
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
static inline gs_count_block *gs_args_block(const gs_fast *c, const gs_stub_args *args)
{
    return (gs_count_block *)(void *)(c->blocks_from + args->block);
}
static inline uint64_t gs_place_of(const gs_fast_engine *e, const void *cell)
{
    return (uint64_t)((uintptr_t)cell - (uintptr_t)e->c->blocks_from);
}

/* Control has come to a superblock, or left it (-1), and no exit says so. */
static inline void gs_moved_otherwise(gs_count_block *block, const gs_superblock *s, int64_t times)
{
    block->cells[s->predicted->otherwise].count += (uint64_t)times;
}

/* No superblock is executing. */
#define GS_NO_VISIT UINT64_MAX

/* While control is in a superblock, no instruction is added to the cost, and no other visit of it
 * has begun with as many. */
static inline uint64_t gs_visit(uint64_t superblock, uint64_t cost)
{
    return superblock << 32 | gs_fast_instructions(cost);
}

/* -- stub.c: how translated code asks -- */

void gs_stub_open(gs_fast_engine *e);

/* -- guest_base.c: the guest's memory, without a register -- */

/* Whether the host lets us do that. */
bool gs_guest_base_works(const gs_machine *machine);
/* What translated code accesses is that of this engine, for a while. Answers what it was. */
uintptr_t gs_guest_base_take(const gs_fast_engine *e);
void gs_guest_base_give_back(uintptr_t before);

/* -- penalties.c: what is unusual, and just costs more; see penalties.h, too -- */

/* False when memory is out. */
bool gs_penalties_open(gs_fast_engine *e);
void gs_penalties_close(gs_fast_engine *e);
/* Takes back what has been added during the visit of a superblock that translated code is in, and
 * has it in the key instead. */
void gs_penalty_give_up(gs_fast_engine *e, const gs_superblock *s);
void gs_penalties_settle(gs_fast_engine *e);

/* -- icache.c: the caches, as translated code sees them -- */

/* False when memory is out. */
bool gs_lookups_open(gs_fast_engine *e);
void gs_lookups_close(gs_fast_engine *e);
/* A superblock is about to be used, and will look its lines up. False when memory is out. */
bool gs_lookups_add(gs_fast_engine *e, const gs_superblock *s);
/* Has the tables catch up with what others did to the caches; and the reverse. */
void gs_lookups_refresh(gs_fast_engine *e);
void gs_lookups_done(gs_fast_engine *e);
/* A superblock is left by one of its exits, and may not have said that it used its lines. */
void gs_lookups_use(const gs_fast_engine *e, const gs_superblock *s, unsigned exit);
/* Fetch along the wrong path brought a line in. */
void gs_lookups_bring_in(gs_fast_engine *e, gs_addr address);
/* The key of what has come up for the first `steps` instructions; the rest has not happened. */
uint64_t gs_lookups_settle_key(gs_fast_engine *e, const gs_superblock *s, unsigned steps);

/* -- dcache.c: data, as translated code sees it -- */

/* False when memory is out. */
bool gs_accesses_open(gs_fast_engine *e);
void gs_accesses_close(gs_fast_engine *e);
/* A superblock is about to be used. False when memory is out. */
bool gs_accesses_add(gs_fast_engine *e, const gs_superblock *s);
/* Has the cache count what came in. */
void gs_accesses_settle(gs_fast_engine *e);
/* Has the bytes tell what is in a set of the cache now. */
void gs_accesses_update(gs_fast_engine *e, gs_addr set);
/* They have been cleared. */
void gs_accesses_forget(gs_fast_engine *e);

/* -- fast.c: how translated code is run -- */

/* The time is up, where a superblock is over. Unless somebody waits, translated code goes on: if it
 * were left and entered again, whoever returns to where nobody has called him would leave it once
 * more. False: it does not. */
bool gs_fast_renew(gs_fast_engine *e);

/* -- slow_exits.c: exits off the fast path -- */

void gs_slow_exits_open(gs_fast_engine *e);
/* The node of a superblock in one of its known states. NULL when memory is out. */
gs_fast_node *gs_slow_exits_node(gs_fast_engine *e, gs_superblock *s, unsigned state,
                                 uint64_t path);
/* The penalty of a known state is not to be paid: control has gone no further. */
void gs_slow_exits_give_up(gs_fast_engine *e, gs_count_block *block, const gs_superblock *s,
                           unsigned state);

/* -- count_blocks.c: counts of predicted exits -- */

/* The count of an exit that somebody has to look at first; see GS_COUNTED_LATER. */
#define GS_NOT_YET UINT64_MAX

/* The block of a function on a path; made if need be. NULL when memory is out. */
gs_count_block *gs_count_block_of(gs_fast_engine *e, gs_fast_code *code, uint64_t path);
/* The same for the one that is translated for `pc`; NULL if there is none. */
gs_count_block *gs_count_block_at(gs_fast_engine *e, gs_addr pc, uint64_t path);
/* Gives the counts to the edges they belong to. */
void gs_count_blocks_settle(gs_fast_engine *e);
/* Somebody has to look again where calls lead. */
void gs_count_blocks_forget_targets(gs_fast_engine *e);
void gs_count_blocks_remove(gs_fast_engine *e, const gs_fast_code *code);

#endif
