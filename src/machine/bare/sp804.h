/*
 * sp804.h - Arm's dual timer module SP804: two counters that count down, with one interrupt.
 *
 * As in its technical reference manual, with the second timer at 0x20. Both count the machine's
 * clock, divided by the board's divider and by their own prescaler.
 */
#ifndef GS_MACHINE_BARE_SP804_H
#define GS_MACHINE_BARE_SP804_H

#include "machine/machine.h"

typedef struct gs_sp804_timer {
    uint32_t load, control;
    bool raised;
    uint64_t start;    /* what it counts down from: at most 2^32 */
    uint64_t started;  /* the machine's time then */
    uint32_t stood_at; /* its value, while it stands still */
} gs_sp804_timer;

typedef struct gs_sp804 {
    gs_machine *machine;
    uint64_t divider;
    gs_sp804_timer timers[2];
} gs_sp804;

void gs_sp804_init(gs_sp804 *timer, gs_machine *machine, uint64_t divider);

/* Of a gs_device with self = the timer. */
bool gs_sp804_load(void *self, uint32_t offset, unsigned size, uint64_t *value);
bool gs_sp804_store(void *self, uint32_t offset, unsigned size, uint64_t value);

/* The interrupt line at time `now` of the machine. */
bool gs_sp804_interrupt(gs_sp804 *timer, uint64_t now);

/* The machine's time after `now` at which the line is raised next, or UINT64_MAX. */
uint64_t gs_sp804_due(const gs_sp804 *timer, uint64_t now);

#endif
