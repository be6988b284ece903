/*
 * stats_registers.h - the registers of the Statistics Module.
 *
 * Written by 'gumshoe rtl stats --registers c'. Offsets are in bytes, registers words. A
 * field of one bit has its mask here, a wider one how far to shift down and the mask for
 * after that. docs/units/stats.md describes the unit.
 */
#ifndef GUMSHOE_FIRMWARE_STATS_REGISTERS_H
#define GUMSHOE_FIRMWARE_STATS_REGISTERS_H

/* What ID reads. */
#define GS_STATS_MAGIC 0x4d545301u

/* ID, read: 0x4d545301 */
#define GS_STATS_ID 0x00u

/* CONFIG, read: how the unit is made
 *   bit 31, NAIVE: has a counter for every signal in every range
 *   bit 24, MIPS: decodes MIPS
 *   bits 23..16, WIDTH: bits of a counter
 *   bits 15..8, RANGES: address range registers
 *   bits 7..0, COUNTERS: counters */
#define GS_STATS_CONFIG         0x04u
#define GS_STATS_NAIVE          0x80000000u
#define GS_STATS_MIPS           0x1000000u
#define GS_STATS_WIDTH_SHIFT    0x10u
#define GS_STATS_WIDTH_MASK     0xffu
#define GS_STATS_RANGES_SHIFT   0x08u
#define GS_STATS_RANGES_MASK    0xffu
#define GS_STATS_COUNTERS_SHIFT 0x00u
#define GS_STATS_COUNTERS_MASK  0xffu

/* CONTROL, read, write: what it does
 *   bit 0, RUN: listens to the trace port; 0 after reset
 *   bit 1, CLEAR: written 1: clears all counters, totals and the sequence, and
 *     starts the timer anew
 *   bit 2, END: written 1: ends the program; reads 1 up to the last dispatch */
#define GS_STATS_CONTROL 0x08u
#define GS_STATS_RUN     0x01u
#define GS_STATS_CLEAR   0x02u
#define GS_STATS_END     0x04u

/* INTERVAL, read, write: clocks from one dispatch to the next: 0, or at least 4 more than there
 * are counters; writing it starts the timer anew */
#define GS_STATS_INTERVAL 0x0cu

/* SEQUENCE, read: the number of the next datagram */
#define GS_STATS_SEQUENCE 0x10u

/* SIGNALS, read: which signals there are, a bit each */
#define GS_STATS_SIGNALS 0x14u

/* RANGE, one for each i: address range register i */
#define GS_STATS_RANGE        0x1000u
#define GS_STATS_RANGE_STRIDE 0x08u

/* FIRST, read, write, in each: the first address that counts */
#define GS_STATS_FIRST 0x00u

/* LAST, read, write, in each: the last one */
#define GS_STATS_LAST 0x04u

/* SELECTOR, read, write, one for each i: what counter i counts; not with NAIVE
 *   bits 4..0, SIGNAL_OF: the number of a signal
 *   bits 13..8, RANGE_OF: and of a range */
#define GS_STATS_SELECTOR        0x2000u
#define GS_STATS_SELECTOR_STRIDE 0x04u
#define GS_STATS_SIGNAL_OF_SHIFT 0x00u
#define GS_STATS_SIGNAL_OF_MASK  0x1fu
#define GS_STATS_RANGE_OF_SHIFT  0x08u
#define GS_STATS_RANGE_OF_MASK   0x3fu

/* SENT, one for each i: what counter i has dispatched */
#define GS_STATS_SENT        0x4000u
#define GS_STATS_SENT_STRIDE 0x10u

/* VALUE, read, in each: in the last dispatch */
#define GS_STATS_VALUE 0x00u

/* LOW, read, in each: bits 31..0 of its total; keeps the rest for HIGH */
#define GS_STATS_LOW 0x08u

/* HIGH, read, in each: bits 63..32 as they were when LOW was read */
#define GS_STATS_HIGH 0x0cu

#endif
