/*
 * payback.h - what translating may cost, by what it is known to save.
 *
 * A run by both engines is to take no more than 1.1 times the processor time of a run by the
 * reference engine alone, compilers included, whenever it happens to end. So it is measured what
 * the reference engine takes for an instruction; what it would have taken so far follows from the
 * instructions executed. The slack is a tenth of that, plus what translated code has saved, minus
 * what compiling and translating has cost: nothing is begun that costs more than the slack. As
 * soon as translated code saves time the slack grows, mostly by far more than is needed.
 *
 * Translated code may also lose time: where it is left after a few instructions each time, or when
 * the program keeps changing its code. Such code rests for a while: the reference engine runs
 * everything, for longer each time in a row.
 *
 * All times are processor time in seconds. Nothing here reads a clock.
 */
#ifndef GS_TIER_PAYBACK_H
#define GS_TIER_PAYBACK_H

#include <stdbool.h>
#include <stdint.h>

/* Where a run stands. */
typedef struct gs_reading {
    double seconds;        /* of this process since it started */
    uint64_t instructions; /* executed since the run began */
    uint64_t entries;      /* of translated code, also those that came to nothing */
} gs_reading;

/* What a tier costs, estimated: seconds for a compilation, for each of its instructions, and of
 * this process for each of them. */
typedef struct gs_tier_cost {
    double fixed, per_step, own_per_step;
} gs_tier_cost;

typedef struct gs_payback {
    double base; /* seconds before the run began: the reference engine needs them, too */
    double reference_seconds, reference_instructions; /* what its speed follows from */
    double seconds_per_instruction;                   /* of the reference engine */
    double compilers;                                 /* seconds of all that have ended */
    gs_tier_cost costs[2];                            /* of the optimizing and the quick tier */
    gs_reading last;                                  /* the end of the last window */
    bool changing;                                    /* code has changed in this window */
    uint64_t rest_until;                              /* instructions; 0: translated code runs */
    double rest_factor; /* how many times as long as what was lost the next rest takes */
} gs_payback;

void gs_payback_begin(gs_payback *p, gs_reading now);

/* This process did nothing but run the program since the last window ended. If that was long
 * enough, a window ends here. `running` is what the compiler that runs has spent. */
void gs_payback_ran(gs_payback *p, gs_reading now, double running);

/* This process has worked on translations since the last window ended; for so many instructions of
 * the guest, or 0. `quick`, here and below: of the quick tier. */
void gs_payback_worked(gs_payback *p, gs_reading now, bool quick, unsigned steps);

/* A compilation of so many instructions has ended. */
void gs_payback_compiled(gs_payback *p, bool quick, double seconds, unsigned steps);

/* The reference engine's time for the instructions executed so far. */
double gs_payback_reference(const gs_payback *p);

/* What may be spent now, if the compiler that runs has spent so much. */
double gs_payback_slack(const gs_payback *p, double running);

/* Estimates: a compilation of so many instructions, with this process's part; and how many can be
 * had for so many seconds. */
double gs_payback_cost(const gs_payback *p, bool quick, unsigned steps);
unsigned gs_payback_steps(const gs_payback *p, bool quick, double seconds);

/* Whether the reference engine has to run everything. */
bool gs_payback_rests(const gs_payback *p, uint64_t instructions);

#endif
