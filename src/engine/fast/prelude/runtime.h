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

/* The guest's memory, and what is at fixed distances before it, translated code reaches without a
 * register, where the host has one for nothing else than to be added to addresses. */
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

/* Not addresses of code: they are odd. In the middle of a superblock, and at c->pc in the state
 * c->after. */
#define GS_FAST_LEFT    1u
#define GS_FAST_STOPPED 3u

/* A cost is cycles * GS_FAST_CYCLE + instructions; those of most exits are short enough to be
 * part of one of the host's instructions, and translated code does not run so long that there is no
 * room for more. It begins so high that the time is up when it reaches GS_FAST_UP; the bit below is
 * set until then, and no superblock begins later. To make the next exit a slow one, that bit is set
 * and the one below cleared, so that no exit can overflow. */
#define GS_FAST_CYCLE UINT64_C(0x400000)
#define GS_FAST_UP    UINT64_C(0x8000000000000000)
static inline uint32_t gs_fast_instructions(uint64_t cost)
{
    return (uint32_t)(cost & (GS_FAST_CYCLE - 1));
}
static inline uint64_t gs_fast_look(uint64_t cost)
{
    return (cost | GS_FAST_UP) & ~(GS_FAST_UP >> 1);
}
static inline uint64_t gs_fast_looked(uint64_t cost)
{
    return (cost & ~GS_FAST_UP) | GS_FAST_UP >> 1;
}

/* A point in time: the instructions counted when a superblock was entered, and one of its sites.
 * (The cycles would not do: penalties are taken back.) */
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

/* An exit of a superblock, in a state, with a key; see automaton.h. */
struct gs_fast_edge {
    uint64_t cost;
    uint64_t count;
    uint32_t goal;   /* where it leads, */
    uint32_t after;  /* and in which state */
    uint8_t move;    /* gs_move_kind */
    uint8_t arrival; /* gs_arrival */
    uint16_t exit;
    uint64_t path;         /* that it led to last, */
    gs_count_block *block; /* and the block there; NULL: not known, or not translated */
    uint64_t cell;         /* that leads to it, or has: its place, see gs_fast.blocks_from */

    uint64_t key; /* the outcomes of its sites that were not the expected ones */
    gs_fast_node *from;
    int8_t arrives;        /* in which known state of a superblock of the same function; -1: none is
                              noted, */
    gs_fast_node *special; /* unless this is not NULL: it arrives here, in no known state */
    uint8_t holds;         /* gs_predict_holds(): 0 not computed yet, 1 yes, 2 no */
    struct gs_transition *transition; /* the memoized transition; NULL: none yet */
    gs_fast_edge *chained;            /* the next one with the same hash */
    gs_fast_edge *older;              /* the one made before it */
    uint64_t settled;                 /* of the count, already reported */
};

/* What a function counts, on a call path. */
struct gs_count_block {
    struct gs_fast_code *code;
    uint64_t path;           /* where in the call tree; 0 where paths are not followed */
    gs_count_block *chained; /* the next one with the same hash */
    gs_count_block *older;   /* the one made before it */
    uint64_t *settled;       /* of the counts, already given to the edges */
    /* First one for each exit; then of each superblock one for each known state but the first:
     * how often it was given up again, or negative how often it was come by unexpectedly; and one
     * for each store that goes through: how often it missed. */
    union {
        uint64_t count;
        uintptr_t target;   /* of a call: the block it leads to; see GS_FAST_TARGET_UNKNOWN */
        gs_fast_edge *edge; /* of an exit that has one of its own: the one taken last */
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
    GS_FAST_CELLS = 1 << 18, /* that say when I-cache lines were used */
    /* What the quick compiler makes has numbers, cells and blocks of its own, from these on: what
     * the other makes does not depend on it. */
    GS_FAST_QUICK_FIRST = GS_FAST_SUPERBLOCKS / 2,
    GS_FAST_QUICK_CELLS = GS_FAST_CELLS / 2,
    GS_FAST_QUICK_NEAR = 1 << 25,
};

/* Where in gs_fast.jumps the edge of an exit with several goals is. */
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

/* Of a slow exit: the exit has been counted. */
#define GS_FAST_COUNTED 0x100

/* Of an access: the instruction of the superblock, the bytes, and the bit of the key for the
 * answer.
 */
#define GS_FAST_ACCESS(step_, size_, shift_) ((step_) << 16 | (size_) << 8 | (shift_))

/* Of several accesses: that of the first, all bytes there are, what the lowest is aligned like, and
 * what has to be allowed. */
#define GS_FAST_RANGE(step_, span_, size_, need_) \
    ((step_) << 16 | (span_) << 8 | (size_) << 4 | (need_))

/* The arguments of a helper. They are on the host's stack, where translated code has pushed them,
 * the last first: one word each, of which narrower arguments are the low part. */
struct gs_stub_args {
    uint64_t who;         /* the helper: the offset in gs_fast of the pointer to it */
    uint64_t how, number; /* each of those below says what these are; */
    uint64_t at;          /* mostly the number is the superblock's, */
    uint64_t block;       /* this the place of the function's, see gs_fast.blocks_from, */
    uint64_t cost;        /* this the one so far, and what becomes of it, */
    uint64_t state;       /* and this which of the superblock's known states it is */
};

/* Right before the guest's first byte. */
typedef struct gs_fast_anchor {
    gs_fast *self;
    void (*stub)(void);
} gs_fast_anchor;

struct gs_fast {
    uint64_t cost; /* so far, while a helper runs */
    int answer;    /* a helper's result */
    struct gs_fast_engine *engine;
    uint32_t x[36];        /* the guest's registers, [32] swallows writes to x0; MIPS: hi, lo */
    const char *floor;     /* of the host's stack: no further down */
    uint32_t tails;        /* jumps from one to another since the engine last looked */
    uint32_t pc, after;    /* where slow_exit() leads; also with GS_FAST_STOPPED */
    uint64_t state;        /* of those known in its superblock; also with GS_FAST_LEFT, with */
    uint32_t superblock;   /* that one, */
    uint32_t left_at;      /* and the instruction of it to go on with */
    gs_count_block *block; /* where slow_exit() and follow() lead, in another function */
    uint64_t key;          /* the unpredicted events of this superblock; 0: none */
    gs_fast_node *special; /* where control is, if that is in no known state */
    uint8_t *bytes;        /* guest memory; see memory.h for what is before it */
    uint64_t begun;        /* the cost when code was entered last that looks up its lines */
    const uint8_t *pages;  /* what may be accessed, by page: bit 0 to load, bit 1 to store */
    uint64_t stores[2];    /* size << 32 | address of the last one and the one before */
    struct {
        uint32_t set, address, value;
    } reserved;             /* RISC-V: by lr.w */
    uint64_t *f;            /* the guest's floating point registers, */
    uint32_t *singles;      /* MIPS: those, by halves, */
    uint32_t *fcsr, paired; /* and see mips_float.h */
    struct gs_fp *fp;       /* and how it rounds; see softfloat.h */
    uint32_t frm;           /* RISC-V: where instructions do not say how to round */
    uint32_t float_off;     /* not 0: an instruction of floating point leaves translated code */
    const struct gs_fast_helpers *helpers;
    uint8_t *counters; /* of a predictor that has some; see predictor.h */
    uint32_t *history; /* of all branches, for it */

    /* Takes an exit of a superblock to `at`, by number `how`, from a known state or from
     * c->special; with GS_FAST_COUNTED, that has been done already, and too early. Answers 0 if it
     * is time to stop. Otherwise control goes on there, in c->state or c->special if that is in the
     * same function, in the state c->after if it is not. */
    gs_fast_stub *slow_exit;
    /* Control comes to a superblock in the state with the number `at`, which was not predicted. */
    gs_fast_stub *enter;
    /* An unpredicted event: its outcome `at`, shifted by `how`, is part of the key. Like the next
     * three, it adds the penalty to the cost or makes the next exit a slow one. */
    gs_fast_stub *unpredicted;
    /* Lines of a superblock are missing: looks them up. */
    gs_fast_stub *look;
    /* The I-cache line of the address `at` is missing: looks it up. `how` is the site. */
    gs_fast_stub *fetch;
    /* Fetch goes down the wrong path at the site `how`. */
    gs_fast_stub *wrong_path;
    /* An access to data `at` an address that is not the first of its set; see GS_FAST_ACCESS().
     * Answers 0 if it is not one to plain memory: then the superblock has been left. */
    gs_fast_stub *load, *store;
    bool missed; /* whether that load did */
    /* The same for a store that goes through, which counts if it misses. */
    gs_fast_stub *pass;
    /* The same for several accesses by a register that is `at`, from one on; instead of a size
     * there is how many, and instead of a bit which of the superblock's accesses is the first. */
    gs_fast_stub *group;
    /* The same for several accesses, from `at` on, where there is no cache; see GS_FAST_RANGE(). */
    gs_fast_stub *range;
    /* What the predictor's guess at a jump was worth; see gs_site. length_flow is the
     * instruction's length << 8 | gs_flow. */
    int (*guess_at)(gs_fast *c, uint32_t pc, unsigned length_flow, uint32_t says, int taken,
                    uint32_t goal);
    /* Where call paths are followed: */
    struct gs_routes *routes;
    gs_call_stack stack;
    gs_loop_run *loops; /* by number */
    uint32_t sp;        /* the guest's, while a helper runs */
    uint32_t last;      /* the instruction that was executed last, */
    uint32_t arrival;   /* and what its jump does to a loop at its goal; gs_arrival */
    uint64_t nothing;   /* 0 */
    /* Control comes to the loop `number`, by the arrival `state`, where gs_loop_run_enter() does
     * not do. This and the next have iterations counted `at` an address from now on. */
    gs_fast_stub *arrive;
    /* Control comes into the middle of the loop. The answer is 0 if the last frame is not known to
     * be in the loop: then the arrival at its header has to be told to the observer. */
    gs_fast_stub *resume;

    struct {
        uint32_t pc; /* or GS_FAST_LEFT */
        gs_fast_function *run;
    } entries[GS_FAST_ENTRIES];         /* by pc >> 1, for jumps that only know the pc */
    gs_fast_edge *jumps[GS_FAST_JUMPS]; /* of exits with several goals, by gs_fast_jump_slot() */

    /* Where call paths are not followed, a function has one block, and that is near: its place is
     * how far from here it is. Otherwise it is an address. This is what either is
     * counted from. */
    uint8_t *blocks_from;
};

/* How far behind gs_fast the cells are that say when I-cache lines were used, see icache_lru.h; and
 * their end. */
#define GS_FAST_AGES     ((sizeof(gs_fast) + 63) / 64 * 64)
#define GS_FAST_AGES_END (GS_FAST_AGES + GS_FAST_CELLS * sizeof(uint64_t))

#endif
