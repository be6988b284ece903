/*
 * runtime.h - what translated code and the engine know of each other.
 *
 * The engine includes this file, and every translation begins with its text, so it needs
 * nothing but the C language. Translated code has one function per guest function:
 *
 *     gs_fast_end f_80000130(gs_fast *c, uint32_t pc, uint32_t after, gs_count_block *block,
 *                            uint64_t cost)
 *
 * It runs from `pc`, the start of one of its superblocks, with the guest's registers in c->x and
 * the pipeline in the state with the number `after`. It returns the pc to go on at, with the
 * state's number in the upper half, or GS_FAST_LEFT or GS_FAST_STOPPED if the engine has to decide
 * how to go on; and the cost so far.
 *
 * A superblock is straight-line code with one entry and several exits. What it costs depends on
 * the pipeline's state at its start and on events in it: misses, short divisions, mispredicted
 * branches. Mostly there is none, and the state is one of the few that were known when the code was
 * translated: then what an exit costs is a constant in the code, which adds it up and counts the
 * exit in the block of the function. No cycles are computed while translated code runs.
 *
 * Anything else sets the highest bit of the cost, which also is set when the time is up; the next
 * exit then calls c->slow_exit.
 */
#ifndef GS_FAST_RUNTIME_H
#define GS_FAST_RUNTIME_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "probe/callstack.h"

/* Translated code reaches the guest's memory, and what is at fixed distances before it, by a
 * base register of its own, where the host has one that nothing else uses. */
#if defined __x86_64__ && !defined GS_PORTABLE
#define GS_HAS_GUEST_BASE 1
#else
#define GS_HAS_GUEST_BASE 0
#endif

typedef struct gs_fast gs_fast;
typedef struct gs_stub_args gs_stub_args;
typedef struct gs_fast_node gs_fast_node;
typedef struct gs_fast_edge gs_fast_edge;
typedef struct gs_count_block gs_count_block;

/* Returned instead of a pc, and told from one by being odd. LEFT: in the middle of a superblock.
 * STOPPED: at c->pc, in the state c->after. */
#define GS_FAST_LEFT    1u
#define GS_FAST_STOPPED 3u

/* A cost is cycles * GS_FAST_CYCLE + instructions; the cost of most exits is short enough to be
 * an immediate of one of the host's instructions, and translated code does not run for so long
 * that it would overflow. It starts so high that the time is up when it reaches GS_FAST_UP; the
 * bit below is set until then, and no superblock is entered after that. To make the next exit a
 * slow one, that bit is set and the one below cleared, so that no exit can overflow. */
#define GS_FAST_CYCLE UINT64_C(0x400000)
#define GS_FAST_UP    UINT64_C(0x8000000000000000)
static inline uint32_t gs_fast_instructions(uint64_t cost)
{
    return (uint32_t)(cost & (GS_FAST_CYCLE - 1));
}
static inline uint64_t gs_fast_set_slow(uint64_t cost)
{
    return (cost | GS_FAST_UP) & ~(GS_FAST_UP >> 1);
}
static inline uint64_t gs_fast_clear_slow(uint64_t cost)
{
    return (cost & ~GS_FAST_UP) | GS_FAST_UP >> 1;
}

/* A point in time: the instructions counted when a superblock was entered, and one of its sites.
 * (Not the cycles, because penalties may be taken back.) */
static inline uint64_t gs_fast_time(uint64_t cost, uint32_t site)
{
    return (uint64_t)gs_fast_instructions(cost) << 7 | site;
}

/* The byte of a data address (dcache.h) is the sum of the sizes (1, 2 or 4) that may be loaded
 * there without a helper call and, times GS_NOTE_STORE, of those that may be stored. Where the line
 * is not in the cache and stores go through to memory, the byte is at least GS_NOTE_PASSED(size) if
 * that is so for a store of that size. */
#define GS_NOTE_STORE         8u
#define GS_NOTE_PASSED(size_) (0x40u * ((size_) == 1 ? 1 : (size_) == 2 ? 2 : 3))

/* The byte of an I-cache line (icache.h): it is missing, or in the cache; 0: no translated code
 * uses it. */
#define GS_FAST_LINE_ABSENT 1u
#define GS_FAST_LINE_QUIET  2u

/* What the sums of observers have of a count; see tally.h. */
struct gs_tally_count {
    uint64_t seen;   /* the count when they were last told */
    uint32_t column; /* what one means to them */
};

/* An exit of a superblock, in a state, with a key; see automaton.h. */
struct gs_fast_edge {
    uint64_t cost;
    uint64_t count;
    uint32_t goal;   /* the guest address it leads to, */
    uint32_t after;  /* and the number of the state there */
    uint8_t move;    /* gs_move_kind */
    uint8_t arrival; /* gs_arrival */
    uint16_t exit;
    uint64_t path;         /* the call path it led to last, */
    gs_count_block *block; /* and the count block there; NULL: not known, or not translated */
    uint64_t cell;         /* the place of the cell that points to this edge, or did; see
                              gs_fast.blocks_from */

    uint64_t key; /* the outcomes of the superblock's sites */
    gs_fast_node *from;
    int8_t arrives;        /* index of the known state it leads to in a superblock of the same
                              function; or -1, */
    gs_fast_node *special; /* if that is not known, or it leads to this node, in no known state */
    uint8_t holds;         /* gs_predict_holds(): 0 not computed yet, 1 yes, 2 no */
    struct gs_transition *transition; /* the memoized transition; NULL: none yet */
    gs_fast_edge *chained;            /* the next one with the same hash */
    gs_fast_edge *older;              /* the one made before it */
    uint64_t settled;                 /* how much of `count` has been reported */
    struct gs_tally_count tally;
    gs_fast_edge *counted_before; /* the next one in gs_tally.edges */
    bool is_counted;              /* it is there */
};

/* What a function counts, on a call path. */
struct gs_count_block {
    struct gs_fast_code *code;
    uint64_t path;           /* where in the call tree; 0 where paths are not followed */
    gs_count_block *chained; /* the next one with the same hash */
    gs_count_block *older;   /* the one made before it */
    uint64_t *settled;       /* of the counts: what the edges have already, */
    uint64_t *seen;    /* and what the sums of observers have, and what one means to them: as in */
    uint32_t *columns; /* gs_tally_count; or NULL */
    /* First a cell for each exit. Then for each superblock a cell for each known state but the
     * first, which counts how often the state's penalty was taken back, less how often control
     * entered in that state without paying it; and a cell for each store that goes through,
     * which counts its misses. */
    union {
        uint64_t count;
        uintptr_t target;   /* of a call: the count block there; see GS_FAST_TARGET_UNKNOWN */
        gs_fast_edge *edge; /* of an exit that is counted in an edge: the edge taken last */
    } cells[];
};

static inline uint32_t gs_count_block_size(uint32_t cells)
{
    return (uint32_t)(sizeof(gs_count_block) + cells * sizeof(uint64_t));
}

/* The target of a call that has to be taken as a slow exit; and a bit of the target of one that
 * does not change the call path. */
#define GS_FAST_TARGET_UNKNOWN 1u
#define GS_FAST_TARGET_LOCAL   1u

enum {
    GS_FAST_ENTRIES = 4096,
    GS_FAST_SUPERBLOCKS = 1 << 16,
    GS_FAST_JUMPS = 1024,
    GS_FAST_CELLS = 1 << 18, /* cells that say when I-cache lines were used */
    /* Code of the quick compiler has numbers, cells and blocks of its own, from these on, so
     * that optimized code does not depend on what was compiled quickly. */
    GS_FAST_QUICK_FIRST = GS_FAST_SUPERBLOCKS / 2,
    GS_FAST_QUICK_CELLS = GS_FAST_CELLS / 2,
    GS_FAST_QUICK_NEAR = 1 << 25,
    GS_FAST_PASSES = 48, /* as many as steps */
};

/* The slot in gs_fast.jumps for the edge of an exit with several targets. */
static inline uint32_t gs_fast_jump_slot(uint32_t goal, uint64_t cell)
{
    return ((goal >> 1) ^ (uint32_t)(cell >> 3) * 37u) % GS_FAST_JUMPS;
}

/* Where to go on, and the cost so far. */
typedef struct gs_fast_end {
    uint64_t place, cost;
} gs_fast_end;

typedef gs_fast_end gs_fast_function(gs_fast *c, uint32_t pc, uint32_t after, gs_count_block *block,
                                     uint64_t cost);

/* A helper that translated code calls out of line. On x86-64 it is called by `stub` only, which
 * preserves all of the host's registers; see stub.c. So the compiler need not keep values out of
 * the registers a call may change. */
typedef void gs_fast_stub(gs_fast *c, const gs_stub_args *args);

/* In `how` of a slow exit: the exit has been counted already. */
#define GS_FAST_COUNTED 0x100

/* `how` of an access: the step, the size in bytes, and the shift of its bits in the key. */
#define GS_FAST_ACCESS(step_, size_, shift_) ((step_) << 16 | (size_) << 8 | (shift_))

/* `how` of a range of accesses: the first one's step, the length of the range, the alignment of
 * its lowest byte, and which kinds of access have to be allowed. */
#define GS_FAST_RANGE(step_, span_, size_, need_) \
    ((step_) << 16 | (span_) << 8 | (size_) << 4 | (need_))

/* The arguments of a helper, which translated code has pushed on the host's stack, the last
 * first: one word each; narrower arguments are its low part. */
struct gs_stub_args {
    uint64_t helper;      /* the helper: the offset in gs_fast of the pointer to it */
    uint64_t how, number; /* of what, depends on the helper; `number` is mostly the superblock's */
    uint64_t at;          /* mostly an address */
    uint64_t block;       /* the place of the function's count block, see gs_fast.blocks_from */
    uint64_t cost;        /* the cost so far, which the helper may change */
    uint64_t state;       /* index of the known state that the superblock was entered in */
};

/* What lies right before the guest's first byte. */
typedef struct gs_fast_anchor {
    gs_fast *self;
    void (*stub)(void);
} gs_fast_anchor;

struct gs_fast {
    uint64_t cost; /* the cost so far, while a helper runs */
    int answer;    /* a helper's result */
    struct gs_fast_engine *engine;
    uint32_t x[36];        /* the guest's registers, [32] swallows writes to x0; MIPS: hi, lo */
    const char *floor;     /* lowest address of the host's stack that translated code may use */
    uint32_t tails;        /* jumps from function to function since the engine last had control */
    uint32_t pc, after;    /* where slow_exit() leads, or where control is after GS_FAST_STOPPED */
    uint64_t state;        /* index of the known state of the superblock; after GS_FAST_LEFT, */
    uint32_t superblock;   /* the superblock */
    uint32_t left_at;      /* and the step to go on with */
    gs_count_block *block; /* the count block where slow_exit() and follow() lead, in another
                              function */
    uint64_t key;          /* the key of the superblock that is executing; 0: all outcomes were
                              predicted */
    gs_fast_node *special; /* the node that is executing, if the state is not a known one */
    uint8_t *bytes;        /* guest memory; see memory.h for what is before it */
    uint64_t begun;        /* the cost when code that looks up its lines was last entered */
    const uint8_t *pages;  /* by page, what may be accessed: bit 0 to load, bit 1 to store */
    uint64_t stores[2];    /* the last store and the one before: size << 32 | address */
    struct {
        uint32_t set, address, value;
    } reserved;             /* RISC-V: the reservation of lr.w */
    uint64_t *f;            /* the guest's floating point registers, */
    uint32_t *singles;      /* MIPS: the same, by halves, */
    uint32_t *fcsr, paired; /* see mips_float.h */
    struct gs_fp *fp;       /* the rounding mode, see softfloat.h */
    uint32_t frm;           /* RISC-V: the rounding mode for instructions that name none */
    uint32_t float_off;     /* not 0: a floating point instruction leaves translated code */
    const struct gs_fast_helpers *helpers;
    uint8_t *counters; /* of a predictor with counters; see predictor.h */
    uint32_t *history; /* the predictor's history of all branches */

    /* Takes the exit number `how` of a superblock to `at`, from a known state or from
     * c->special; with GS_FAST_COUNTED the exit has been counted already. Answers 0 if the time
     * is up. Otherwise control goes on there: in c->state or c->special if that is in the same
     * function, in the state number c->after if not. */
    gs_fast_stub *slow_exit;
    /* Enters a superblock in the state number `at`, which was not predicted. */
    gs_fast_stub *enter;
    /* An outcome that was not predicted: `at`, shifted by `how`, is added to the key. Like the
     * next three, it adds the penalty to the cost or makes the next exit a slow one. */
    gs_fast_stub *unpredicted;
    /* Looks up the lines of a superblock that are missing. */
    gs_fast_stub *look_up_lines;
    /* Looks up the I-cache line of the address `at`, which is missing. `how` is the site. */
    gs_fast_stub *fetch;
    /* Fetch goes down the wrong path at the site `how`. */
    gs_fast_stub *wrong_path;
    /* An access at the address `at` whose note does not permit it; see GS_FAST_ACCESS(). Answers
     * 0 if it is not to plain memory: then the superblock has been left. */
    gs_fast_stub *load, *store;
    bool missed; /* whether that load missed */
    /* The same for a store that goes through to memory, whose misses are counted. */
    gs_fast_stub *pass;
    /* The same for a group of accesses, by a register whose value is `at`: `how` has their
     * number instead of a size, and the index of the first one among the superblock's accesses
     * instead of a shift. */
    gs_fast_stub *group;
    /* The same for accesses in a range from `at` on, where there is no cache; see
     * GS_FAST_RANGE(). */
    gs_fast_stub *range;
    /* Compares the predictor's guess at a jump with where it went, and returns the outcome; see
     * gs_site. length_flow is the instruction's length << 8 | gs_flow. */
    int (*guess_at)(gs_fast *c, uint32_t pc, unsigned length_flow, uint32_t says, int taken,
                    uint32_t goal);
    /* Where call paths are followed: */
    struct gs_routes *routes;
    gs_call_stack stack;
    gs_loop_run *loops;             /* by number */
    uint64_t dates[GS_FAST_PASSES]; /* by index among a superblock's stores that go through: the
                                       cost when one has missed, where the observers need that */
    uint32_t sp;                    /* the guest's stack pointer, while a helper runs */
    uint32_t last;                  /* pc of the instruction that was executed last, */
    uint32_t arrival;               /* and what its jump does to a loop at its target: gs_arrival */
    uint64_t nothing;               /* 0 */
    /* Control comes to the header of loop `number` with the arrival `state`, where
     * gs_loop_run_enter() does not suffice. From now on this and resume() have iterations
     * counted at the address `at`. */
    gs_fast_stub *arrive;
    /* Control comes into the middle of the loop. Answers 0 if the last frame is not known to be
     * in the loop: then the observer has to be told of its arrival at the header. */
    gs_fast_stub *resume;

    struct {
        uint32_t pc; /* or GS_FAST_LEFT */
        gs_fast_function *run;
    } entries[GS_FAST_ENTRIES];         /* by pc >> 1, for jumps that only know the pc */
    gs_fast_edge *jumps[GS_FAST_JUMPS]; /* of exits with several goals, by gs_fast_jump_slot() */

    /* What the places of count blocks are relative to. Where call paths are not followed, a
     * function has one block, near gs_fast, whose place is its distance from here. Otherwise the
     * place is an address. */
    uint8_t *blocks_from;
};

/* Offset from gs_fast of the cells that say when I-cache lines were used, see icache_lru.h; and
 * of their end. */
#define GS_FAST_AGES     ((sizeof(gs_fast) + 63) / 64 * 64)
#define GS_FAST_AGES_END (GS_FAST_AGES + GS_FAST_CELLS * sizeof(uint64_t))

#endif
