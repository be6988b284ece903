/*
 * loops_registers.h - the registers of the frequent loop detector.
 *
 * Written by 'gumshoe rtl loops --registers c'. Offsets are in bytes, registers words. A
 * field of one bit has its mask here, a wider one how far to shift down and the mask for
 * after that. docs/units/loops.md describes the unit.
 */
#ifndef GUMSHOE_FIRMWARE_LOOPS_REGISTERS_H
#define GUMSHOE_FIRMWARE_LOOPS_REGISTERS_H

/* What ID reads. */
#define GS_LOOPS_MAGIC 0x43504c01u

/* ID, read: 0x43504c01 */
#define GS_LOOPS_ID 0x00u

/* CONFIG, read: how the unit is made
 *   bits 31..16, ENTRIES: of the cache
 *   bits 15..8, WAYS: of a set
 *   bits 7..0, WIDTH: bits of a frequency */
#define GS_LOOPS_CONFIG        0x04u
#define GS_LOOPS_ENTRIES_SHIFT 0x10u
#define GS_LOOPS_ENTRIES_MASK  0xffffu
#define GS_LOOPS_WAYS_SHIFT    0x08u
#define GS_LOOPS_WAYS_MASK     0xffu
#define GS_LOOPS_WIDTH_SHIFT   0x00u
#define GS_LOOPS_WIDTH_MASK    0xffu

/* CONTROL, read, write: what it does
 *   bit 0, RUN: listens to the trace port; 0 after reset
 *   bit 1, CLEAR: written 1: clears everything; reads 0
 *   bit 2, END: written 1, with RUN 0: releases the coalescing registers; reads 0 */
#define GS_LOOPS_CONTROL 0x08u
#define GS_LOOPS_RUN     0x01u
#define GS_LOOPS_CLEAR   0x02u
#define GS_LOOPS_END     0x04u

/* ENTRY, one for each i: an entry of the cache, set by set */
#define GS_LOOPS_ENTRY        0x2000u
#define GS_LOOPS_ENTRY_STRIDE 0x08u

/* ADDRESS, read, in each: address of the branch of entry i; 0 if there is none
 *   bit 0, VALID: there is one */
#define GS_LOOPS_ADDRESS 0x00u
#define GS_LOOPS_VALID   0x01u

/* FREQUENCY, read, in each: how frequent it is */
#define GS_LOOPS_FREQUENCY 0x04u

#endif
