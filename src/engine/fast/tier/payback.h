/*
 * payback.h - what translating may cost, by what it has been measured to save.
 *
 * A run by both engines is to take no more than 1.1 times the processor time of a run by the
 * reference engine alone, compilers included, whenever it happens to end. The time of the reference
 * engine per instruction is measured; what it would have taken so far follows from the number of
 * instructions executed. The slack is a tenth of that, plus what translated code has saved, minus
 * what compiling and translating has cost: nothing is begun that costs more than the slack. As soon
 * as translated code saves time the slack grows, mostly by far more than is needed.
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

/* The state of a run when payback is consulted. */
typedef struct gs_reading {
    double seconds;        /* processor time of this process since it started */
    uint64_t instructions; /* executed since the run began */
    uint64_t entries;      /* entries of translated code, including those that ran nothing */
} gs_reading;

/* The estimated cost of a tier: seconds per compilation, per instruction of it, and of this
 * process per instruction. */
typedef struct gs_tier_cost {
    double fixed, per_step, own_per_step;
} gs_tier_cost;

typedef struct gs_payback {
    double base; /* seconds before the run began, which the reference engine needs, too */
    double reference_seconds, reference_instructions; /* what its speed is computed from */
    double seconds_per_instruction;                   /* of the reference engine */
    double compilers;                                 /* seconds of all compilations that have
                                                         ended */
    gs_tier_cost costs[2];                            /* of the optimizing and the quick tier */
    gs_reading last;                                  /* the end of the last window */
    bool changing;                                    /* code has changed in this window */
    uint64_t rest_until;                              /* instructions until the rest ends; 0:
                                                         translated code runs */
    double rest_factor; /* the next rest takes this many times as long as what was lost */
} gs_payback;

void gs_payback_begin(gs_payback *p, gs_reading now);

/* Reports that this process has only run the program since the last call. If that was long
 * enough, a window ends here. `running` is the time of the compilation in progress. */
void gs_payback_ran(gs_payback *p, gs_reading now, double running);

/* Reports that this process has worked on translations since the last call, of so many guest
 * instructions, or 0. `quick`, here and below: of the quick tier. */
void gs_payback_worked(gs_payback *p, gs_reading now, bool quick, unsigned steps);

/* Reports that a compilation of so many instructions has ended. */
void gs_payback_compiled(gs_payback *p, bool quick, double seconds, unsigned steps);

/* The reference engine's time for all instructions executed so far. */
double gs_payback_reference(const gs_payback *p);

/* What may be spent now, given the time of the compilation in progress. */
double gs_payback_slack(const gs_payback *p, double running);

/* Estimates: the time of a compilation of so many instructions, with this process's part; and
 * how many instructions can be compiled in so many seconds. */
double gs_payback_cost(const gs_payback *p, bool quick, unsigned steps);
unsigned gs_payback_steps(const gs_payback *p, bool quick, double seconds);

/* Whether translated code rests: the reference engine has to run everything. */
bool gs_payback_rests(const gs_payback *p, uint64_t instructions);

#endif
