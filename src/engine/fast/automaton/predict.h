/*
 * predict.h - the states of the pipeline that a superblock is predicted to be entered in.
 *
 * They are found before code is translated, by following it from function to function with the
 * automaton and no unexpected event. The state that most edges lead to, as far as one can tell
 * without running it, is the first; what the exits cost from there is written into the code. Of the
 * others those are known as well that differ from it by a penalty: some cycles more or less for
 * certain instructions, whichever exit is taken, and the same states afterwards. That is so for
 * nearly all of them: after a jump the pipeline waits for the first instruction, after a branch
 * that is not taken it does not. The exit that leads there in such a state adds the penalty, and
 * the superblock's code is the same. Where an exit leads to a state that makes more of a
 * difference, the superblock is translated a second time, as a specialized clone.
 *
 * It all depends on nothing but the program and the core, so the next run finds the same.
 */
#ifndef GS_AUTOMATON_PREDICT_H
#define GS_AUTOMATON_PREDICT_H

#include "engine/fast/automaton/automaton.h"
#include "engine/fast/automaton/difference.h"

enum { GS_KNOWN_MAX = 8, GS_CLONES_MAX = 3 };

typedef struct gs_known {
    gs_fast_state *state;
    gs_charge *charges; /* beyond those of the first */
    unsigned charge_count;
    int64_t cycles; /* of them */
} gs_known;

typedef struct gs_predicted_exit {
    gs_transition *transition; /* from the first state; NULL: not known, or not always the same */
    gs_superblock *goal;       /* of the same function, or NULL */
    uint8_t state;             /* index of the known state it leads to */
    uint32_t target;           /* the cell with the target's block, for GS_COUNTED_CALL */
    gs_superblock *back; /* of a call: the superblock it returns to, if control is known to come
                            back; or NULL */
    bool inferred;       /* how often it is taken, from how often others are; see inferred.h */
} gs_predicted_exit;

typedef struct gs_entry_states {
    gs_known known[GS_KNOWN_MAX];
    uint8_t known_count;
    const gs_fast_state *refused; /* the last state that could not become known, or NULL */
    bool has_room;                /* for GS_KNOWN_MAX states: the code tells them apart */
    uint32_t cell;                /* a cell of the block: that of its first exit; */
    uint32_t skip;                /* that of its second known state; */
    uint32_t otherwise;           /* that counts entries by other means than an exit, less
                                     departures; */
    uint32_t pass;                /* that counts the misses of its first store that goes through */
    gs_predicted_exit exits[];
} gs_entry_states;

/* The superblock that control enters next in the same function with the predicted outcomes; or
 * NULL. */
static inline gs_superblock *gs_predict_next(const gs_predicted_exit *exit)
{
    return exit->goal ? exit->goal : exit->back;
}

/* How an exit is counted. */
typedef enum gs_counting {
    GS_COUNTED_IN_CELL,
    GS_COUNTED_LATER,   /* in a cell as well, but it is a slow exit the first time */
    GS_COUNTED_CALL,    /* in a cell as well, and another cell has the target's block */
    GS_COUNTED_IN_EDGE, /* in the edge that the cell points to, which knows where the exit leads
                           and what it does to the call path, or to a loop */
    GS_COUNTED_NEVER,   /* it is a slow exit every time */
} gs_counting;

/* `paths`: call paths are followed. */
gs_counting gs_predict_counting(const gs_superblock *superblock, unsigned exit, bool paths);
static inline bool gs_is_counted_in_cell(gs_counting how)
{
    return how == GS_COUNTED_IN_CELL || how == GS_COUNTED_LATER || how == GS_COUNTED_CALL;
}

/* Functions that have been entered in states that were not predicted: probably they are called
 * through pointers. */
typedef struct gs_pointed {
    gs_addr *items;
    size_t count, capacity;
} gs_pointed;

/* Code that has been translated before, and what is known of it. */
typedef struct gs_predict_others {
    struct gs_predict_other {
        gs_superblock *superblocks;
        size_t count; /* with clones */
    } * items;
    size_t count, capacity;
    const gs_pointed *pointed;
} gs_predict_others;

/* Predicts the states for functions that are translated together and may call each other. False
 * when memory is out. */
bool gs_predict_find(gs_automaton *automaton, gs_arena *arena, gs_code *codes, size_t count,
                     const gs_predict_others *others);

/* The index of a state among the known ones of a superblock, or -1. A state that is seen for the
 * first time becomes known if possible. */
int gs_predict_state(gs_automaton *automaton, gs_arena *arena, gs_superblock *superblock,
                     gs_fast_state *state);

/* Whether an exit to `goal` costs what was predicted, plus the penalty of the entry state, from
 * every known state. */
bool gs_predict_holds(gs_automaton *automaton, gs_superblock *superblock, unsigned exit,
                      gs_addr goal);

/* The cell that counts the misses of a store that goes through. */
static inline uint32_t gs_predict_pass_cell(const gs_superblock *superblock, unsigned step)
{
    return superblock->predicted->pass + (uint8_t)superblock->steps[step].pass;
}

/* What taking the predicted exit costs, with the penalty for where it leads. */
static inline uint64_t gs_predict_cost(const gs_predicted_exit *exit)
{
    int64_t more = exit->goal ? exit->goal->predicted->known[exit->state].cycles : 0;
    return gs_transition_cost(exit->transition) + (uint64_t)more * GS_FAST_CYCLE;
}

#endif
