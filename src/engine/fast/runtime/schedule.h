/*
 * schedule.h - how long translated code may run, and for how long it has.
 */
#ifndef GS_ENGINE_FAST_SCHEDULE_H
#define GS_ENGINE_FAST_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct gs_schedule {
    uint64_t deadline, max_instructions; /* the cycle where it has to stop */
    unsigned renewals;                   /* how often it may be renewed, see gs_fast_renew() */
    uint64_t cost_before; /* the value of gs_fast.cost when it was entered or renewed */
    uint32_t slice_left;  /* cycles of this slice so far, with quick code */
    bool slice_ended;     /* see gs_fast_slice_ended() */
} gs_schedule;

#endif
