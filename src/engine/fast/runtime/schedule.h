/*
 * schedule.h - how long translated code may run, and for how long it has.
 */
#ifndef GS_ENGINE_FAST_SCHEDULE_H
#define GS_ENGINE_FAST_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

/* A visit of a superblock, at its end. */
typedef struct gs_visit_end {
    const struct gs_transition *transition; /* with the outcomes of all its sites */
    uint64_t begun; /* the cost when it began, as far as that is instructions */
} gs_visit_end;

typedef struct gs_schedule {
    uint64_t deadline, max_instructions; /* the cycle where it has to stop */
    uint64_t renewed_until;              /* instructions retired; see gs_fast_renew() */
    uint64_t due;                        /* see gs_fast_due() */
    bool closing;                        /* it is close: every exit is slow */
    gs_visit_end crossing;               /* of the visit that has come to that cycle, until the
                                            observers know; or no transition */
    uint64_t cost_before; /* the value of gs_fast.cost when it was entered or renewed */
    uint32_t slice_left;  /* cycles of this slice so far, with quick code */
    bool slice_ended;     /* see gs_fast_slice_ended() */
} gs_schedule;

#endif
