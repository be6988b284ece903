/*
 * schedule.h - how long translated code may run, and what it has done of that.
 */
#ifndef GS_ENGINE_FAST_SCHEDULE_H
#define GS_ENGINE_FAST_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct gs_schedule {
    uint64_t deadline, max_instructions; /* where it has to stop */
    unsigned renewals;    /* how often it may still be renewed, see gs_fast_renew() */
    uint64_t cost_before; /* what gs_fast.cost was when it was entered or renewed */
    uint32_t slice_left;  /* cycles of this slice, with quick code */
    bool slice_ended;     /* see gs_fast_slice_ended() */
} gs_schedule;

#endif
