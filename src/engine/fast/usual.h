/*
 * usual.h - the states of the pipeline that a stretch is usually entered in.
 *
 * They are found before code is translated, by following it from function to function with the
 * automaton and nothing unusual on the way. The one that most ways lead to, as far as one can tell
 * without running it, is the first; what the ways out cost from there is written into the code. Of
 * the others those are known as well that differ from it by a surcharge: some cycles more or less
 * for certain instructions, whichever way out is taken, and the same states afterwards. That is so
 * for nearly all of them: one came by a jump and waits for its first instruction, the other did
 * not. Whoever leads there in such a state adds the surcharge, and the code need not know. Where a
 * way leads to a state that makes more of a difference, the stretch is there a second time, as a
 * twin.
 *
 * It all depends on nothing but the program and the core, so the next run finds the same.
 */
#ifndef GS_ENGINE_USUAL_H
#define GS_ENGINE_USUAL_H

#include "engine/fast/automaton.h"

enum { GS_KNOWN_MAX = 8, GS_TWINS_MAX = 3 };

typedef struct gs_known {
    gs_fast_state *state;
    gs_charge *charges; /* beyond those of the first */
    unsigned charge_count;
    int64_t cycles; /* of them */
} gs_known;

typedef struct gs_usual_way {
    gs_fast_lesson *lesson; /* from the first state; NULL: there is none to rely on, or many */
    gs_stretch *goal;       /* of the same function, or NULL */
    uint8_t state;          /* that is known there */
    uint32_t target;        /* the cell with the target, if it is GS_COUNTED_CALL */
    gs_stretch *back; /* of a call: where it comes back to, if that is told by this; or NULL */
    bool inferred;    /* how often it is taken, from how often others are; see inferred.h */
} gs_usual_way;

typedef struct gs_usual {
    gs_known known[GS_KNOWN_MAX];
    uint8_t known_count;
    const gs_fast_state *refused; /* the last one that could not become known, or NULL */
    bool has_room;                /* for GS_KNOWN_MAX: the code minds which of them it is */
    uint32_t cell;                /* of the block: of its first way out */
    uint32_t skip;                /* of its second known state */
    uint32_t otherwise;           /* of what has come to it, less what has left, not by a way */
    uint32_t pass;                /* of its first store that goes through: how often it missed */
    gs_usual_way ways[];
} gs_usual;

/* Where control is next in the same function, if all is as usual; or NULL. */
static inline gs_stretch *gs_usual_next(const gs_usual_way *way)
{
    return way->goal ? way->goal : way->back;
}

/* How a way out is counted. */
typedef enum gs_counting {
    GS_COUNTED_IN_CELL,
    GS_COUNTED_LATER,   /* there, too, but somebody has to look at it the first time */
    GS_COUNTED_CALL,    /* there, too, and another cell has the target */
    GS_COUNTED_IN_EDGE, /* that the cell leads to, and that knows where the way leads, or what it is
                           to the call path, or to a loop */
    GS_COUNTED_NEVER,   /* somebody has to look at it every time */
} gs_counting;

/* `paths`: call paths are followed. */
gs_counting gs_usual_counting(const gs_stretch *stretch, unsigned way, bool paths);
static inline bool gs_is_counted_in_cell(gs_counting how)
{
    return how == GS_COUNTED_IN_CELL || how == GS_COUNTED_LATER || how == GS_COUNTED_CALL;
}

/* The difference between two ways through a stretch, if it is one of a few charges. */
enum { GS_DIFFERENCES_MAX = 16 };
typedef struct gs_difference {
    gs_charge charges[GS_DIFFERENCES_MAX];
    unsigned count;
} gs_difference;

/* What b is charged with beyond a. False: there is more to it. */
bool gs_difference_of(const gs_fast_lesson *b, const gs_fast_lesson *a, gs_difference *d);
bool gs_difference_equals(const gs_difference *a, const gs_difference *b);
int64_t gs_difference_cycles(const gs_difference *d);

/* Functions that have been called in states nobody had foreseen: where the code does not say whom,
 * it seems. */
typedef struct gs_pointed {
    gs_addr *items;
    size_t count, capacity;
} gs_pointed;

/* Code that has been translated before, and what is known of it. */
typedef struct gs_usual_others {
    struct gs_usual_other {
        gs_stretch *stretches;
        size_t count; /* with twins */
    } * items;
    size_t count, capacity;
    const gs_pointed *pointed;
} gs_usual_others;

/* Finds them for functions that are translated together, and may call others or be called by them.
 * False when memory is out. */
bool gs_usual_find(gs_automaton *automaton, gs_arena *arena, gs_code *codes, size_t count,
                   const gs_usual_others *others);

/* Which of the known states of a stretch it is, or -1. One that has not been seen before becomes
 * known if it can. */
int gs_usual_state(gs_automaton *automaton, gs_arena *arena, gs_stretch *stretch,
                   gs_fast_state *state);

/* Whether from all known states a way to `goal` makes the difference that is known. */
bool gs_usual_holds(gs_automaton *automaton, gs_stretch *stretch, unsigned way, gs_addr goal);

/* The cell that counts how often a store that goes through missed. */
static inline uint32_t gs_usual_pass_cell(const gs_stretch *stretch, unsigned step)
{
    return stretch->usual->pass + (uint8_t)stretch->steps[step].pass;
}

/* How many cells a block of the function has. */
uint32_t gs_usual_cells(const gs_code *code);

/* What taking the usual way costs, with the surcharge for where it leads. */
static inline uint64_t gs_usual_cost(const gs_usual_way *way)
{
    int64_t more = way->goal ? way->goal->usual->known[way->state].cycles : 0;
    return gs_lesson_cost(way->lesson) + (uint64_t)more * GS_FAST_CYCLE;
}

#endif
