/*
 * superblock.h - guest code cut into pieces that can be translated, and timed, as a whole.
 *
 * A superblock is a run of instructions from a head, on through branches that are not taken,
 * until control surely goes elsewhere, another head begins or it gets too long. Each exit
 * of it executes the first `steps` of its instructions; `taken` says which of them jumps. On
 * MIPS a delay slot is a step like any other: the one behind the branch.
 *
 * A site is a place whose outcome is not known in advance: an I-cache line is looked up, memory is
 * accessed, an operand decides how long an instruction takes, a load follows soon after a store,
 * fetch goes down the wrong path, a jump is predicted. Its outcome has some bits of the key, and is
 * 0 in the predicted case.
 */
#ifndef GS_ENGINE_SUPERBLOCK_H
#define GS_ENGINE_SUPERBLOCK_H

#include "base/arena.h"
#include "machine/machine.h"
#include "probe/bulk.h"
#include "probe/callstack.h"
#include "timing/timing.h"

typedef enum gs_site_kind {
    GS_SITE_FETCH,
    GS_SITE_LOAD,
    GS_SITE_STORE,
    GS_SITE_OPERAND,
    GS_SITE_OVERLAP,    /* bit 0: with the last store, bit 1: with the one before */
    GS_SITE_WRONG_PATH, /* the first whose line is missing, counted from 1; 0: none */
    GS_SITE_GUESS,      /* what the guess was worth, ^ at_best */
} gs_site_kind;

typedef struct gs_site {
    uint8_t kind;        /* gs_site_kind */
    uint8_t step;        /* the step at which it happens, */
    uint8_t owner;       /* and the step it is for: with a pipeline that fetches ahead, the next
                            one */
    uint8_t shift, bits; /* of its bits in the key */
    union {
        uint32_t address;    /* FETCH: of the first byte of the line that is needed; 0: of the
                                jump's target */
        uint8_t near;        /* OVERLAP: the bits that can be set */
        uint32_t wrong_path; /* WRONG_PATH: index among the superblock's */
        uint32_t at_best;    /* GUESS: gs_guess; see gs_predictor_at_best() */
    };
} gs_site;

/* Code that may be fetched, and is not executed; see gs_timing_model.wrong_path. */
typedef struct gs_wrong_path {
    unsigned count;
    gs_addr pc[GS_WRONG_PATH_MAX];
    uint32_t raw[GS_WRONG_PATH_MAX];
} gs_wrong_path;

/* The effect of an access or a fetch on the cache: two bits. */
typedef enum gs_outcome {
    GS_OUTCOME_HIT,
    GS_OUTCOME_FILLED,
    GS_OUTCOME_WRITTEN_BACK, /* filled, and a dirty line was written back */
    GS_OUTCOME_PASSED,       /* missed, and nothing was filled */
} gs_outcome;

typedef enum gs_sb_exit_kind {
    GS_SB_EXIT_ONWARD,        /* to `goal` */
    GS_SB_EXIT_CALL,          /* to `goal`; control comes back to `back` */
    GS_SB_EXIT_INDIRECT,      /* to where a register says */
    GS_SB_EXIT_CALL_INDIRECT, /* to where a register says, and control comes back to `back` */
    GS_SB_EXIT_STOP,          /* to `goal`, an instruction that is never translated */
} gs_sb_exit_kind;

typedef struct gs_sb_exit {
    uint8_t kind;      /* gs_sb_exit_kind */
    uint8_t steps;     /* steps that are executed on this exit */
    int8_t taken;      /* index of the step that jumps, or -1 */
    uint8_t flow;      /* gs_flow of that step */
    int8_t fetch;      /* index of the site that looks up the target ahead of time, or -1 */
    int8_t wrong_path; /* index of the site for wrong-path fetch until the jump is known, or -1 */
    uint8_t arrival;   /* to the head of a loop: what the exit does to the loop; gs_arrival */
    gs_addr goal, back;
} gs_sb_exit;

typedef struct gs_step {
    union {
        struct {
            gs_addr pc;
            gs_insn insn;
        };
        gs_bulk_insn counted; /* the instruction, as observers are told of it */
    };
    uint8_t access;       /* bytes of its access; 0: none */
    int8_t fetch, second; /* index of the site that looks its line up, and the next if it crosses
                             into one; or -1 */
    int8_t data;          /* index of the site of its access, if the outcome matters */
    int8_t pass;          /* index among the stores that go through to memory, hit or miss; or -1 */
    int8_t operand;       /* index of the site of its operand */
    int8_t overlap;       /* index of the site that compares its address with those of earlier
                             stores */
    int8_t wrong_path;    /* index of the site for wrong-path fetch, if it is no jump that is
                             taken */
    int8_t guess;         /* index of the site of its prediction, by a predictor that learns */
} gs_step;

enum { GS_SUPERBLOCK_STEPS = 48, GS_SUPERBLOCK_EXITS = 16, GS_SUPERBLOCK_SITES = 40 };

typedef struct gs_superblock {
    gs_addr pc;
    gs_addr end;
    uint8_t step_count, exit_count, site_count, wrong_path_count, pass_count;
    uint64_t worst;   /* an upper bound of its cycles */
    bool entry;       /* control may come here from outside the function */
    uint32_t loop;    /* number + 1 of the loop that begins here, if iterations are counted; or
                         0, */
    uint8_t onwards;  /* and what falling into it from the code before does to it: gs_arrival;
                         see loops.h: */
    bool checked;     /* a back edge has to check whether its frame is in the loop */
    uint32_t counter; /* if not, the cell of the count block for the iterations */
    struct gs_superblock **around; /* the loops around it that are not checked; see
                                      loops.h */
    unsigned around_count;
    gs_step *steps;
    gs_sb_exit *exits;
    gs_site *sites;
    uint8_t *lines; /* sites of the lines that are looked up when it is entered, in order */
    uint8_t line_count;
    gs_wrong_path *wrong_path;
    bool comes_known; /* control may skip the check of those lines; see icache_lines.h */
    uint32_t cells;   /* cells of its exits, from this one on; see icache_lru.h */

    struct gs_entry_states *predicted; /* see predict.h; NULL without a core */
    uint8_t clone;                     /* 0, or its number among its clones */
    uint32_t number;                   /* number among all translated superblocks */
} gs_superblock;

/* What an exit does to the loop that begins at its goal. */
static inline gs_arrival gs_arrival_of(const gs_sb_exit *exit, const gs_superblock *goal)
{
    return (gs_arrival)(exit->arrival == GS_ARRIVAL_ONWARDS ? goal->onwards : exit->arrival);
}

typedef struct gs_inferred gs_inferred;

/* The superblocks of one function, or of a part of it. */
typedef struct gs_code {
    gs_addr low, high;
    gs_superblock *superblocks;
    size_t count;          /* by pc; behind those, clones for other */
    size_t clones, room;   /* states of the pipeline; see predict.h */
    gs_inferred *inferred; /* exits that need not be counted, see inferred.h; or NULL */
    size_t inferred_count;
    bool quick; /* for the quick compiler, see quick.h */
} gs_code;

/* What code to cut into superblocks, and where. */
typedef struct gs_code_plan {
    gs_addr low, high;
    const gs_addr *seeds; /* where control comes in */
    size_t seed_count;
    const gs_addr *stops; /* what is not translated, and neither is what only that leads to */
    size_t stop_count;
    const gs_addr *loops; /* `barrier_count` places where a superblock has to begin */
    size_t loop_count;
} gs_code_plan;

/* Everything that can be reached from the seeds within [low, high), as it is in memory now.
 * `timing` may be NULL. False when memory is out. A pc that cannot be translated has no superblock.
 */
bool gs_code_find(gs_code *code, gs_arena *arena, const gs_machine *machine, gs_timing *timing,
                  const gs_code_plan *plan);

/* Whether every loop within the code begins a superblock that knows it. */
bool gs_code_knows_loops(const gs_code *code, const gs_addr *loops, size_t loop_count);

/* The bits that no target of a jump may have: such a jump traps. */
gs_addr gs_code_align(const gs_machine *machine);

/* Whether the line of a step is looked up when the superblock is entered, as are those that
 * control needs on every exit. The others are looked up at their step. */
static inline bool gs_superblock_looks_up_first(const gs_superblock *s, const gs_site *site)
{
    return site->owner < s->exits[0].steps;
}

/* Whether two I-cache lines of a superblock are in the same set. */
bool gs_superblock_lines_collide(const gs_superblock *s, const gs_cache *icache);

/* The superblock that begins at pc, or NULL. */
gs_superblock *gs_code_at(const gs_code *code, gs_addr pc);

#endif
