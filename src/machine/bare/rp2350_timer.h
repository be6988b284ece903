/*
 * rp2350_timer.h - the RP2350's timer: microseconds in 64 bits, and four alarms.
 *
 * As in the chip's data sheet, with its registers four times (atomic.h). It counts the machine's
 * clock, divided, whatever the program makes of the tick generators. An alarm fires once, when the
 * low 32 bits of the time are its own.
 */
#ifndef GS_MACHINE_BARE_RP2350_TIMER_H
#define GS_MACHINE_BARE_RP2350_TIMER_H

#include "machine/machine.h"

enum { GS_RP2350_ALARMS = 4 };

typedef struct gs_rp2350_timer {
    gs_machine *machine;
    uint64_t divider; /* clock ticks per microsecond */
    uint64_t offset;  /* the time less the machine's, while it runs */
    uint64_t paused;  /* the time while it is paused */
    uint32_t pause, locked, source, debug, time_low, latched_high;
    uint32_t alarm[GS_RP2350_ALARMS], armed, raised, enabled, forced;
    uint64_t due[GS_RP2350_ALARMS]; /* of those armed: the time they fire */
} gs_rp2350_timer;

void gs_rp2350_timer_init(gs_rp2350_timer *timer, gs_machine *machine, uint64_t divider);

/* Of a gs_device with self = the timer. */
bool gs_rp2350_timer_load(void *self, uint32_t offset, unsigned size, uint64_t *value);
bool gs_rp2350_timer_store(void *self, uint32_t offset, unsigned size, uint64_t value);

/* The interrupt lines, a bit for each alarm, at time `now` of the machine. */
uint32_t gs_rp2350_timer_lines(gs_rp2350_timer *timer, uint64_t now);

/* The machine's time after `now` at which the next alarm fires, or UINT64_MAX. */
uint64_t gs_rp2350_timer_due(const gs_rp2350_timer *timer, uint64_t now);

#endif
