/*
 * snoopp_registers.h - the registers of SnoopP.
 *
 * Written by 'gumshoe rtl snoopp --registers c'. Offsets are in bytes, registers words. A
 * field of one bit has its mask here, a wider one how far to shift down and the mask for
 * after that. docs/units/snoopp.md describes the unit.
 */
#ifndef GUMSHOE_FIRMWARE_SNOOPP_REGISTERS_H
#define GUMSHOE_FIRMWARE_SNOOPP_REGISTERS_H

/* What ID reads. */
#define GS_SNOOPP_MAGIC 0x504e5301u

/* ID, read: 0x504e5301 */
#define GS_SNOOPP_ID 0x00u

/* CONFIG, read: how the unit is made
 *   bits 15..0, COUNTERS: ranges in use
 *   bits 23..16, WIDTH: bits of a counter
 *   bit 24, DATA: counts memory accesses
 *   bit 25, WRITABLE: bounds can be written */
#define GS_SNOOPP_CONFIG         0x04u
#define GS_SNOOPP_COUNTERS_SHIFT 0x00u
#define GS_SNOOPP_COUNTERS_MASK  0xffffu
#define GS_SNOOPP_WIDTH_SHIFT    0x10u
#define GS_SNOOPP_WIDTH_MASK     0xffu
#define GS_SNOOPP_DATA           0x1000000u
#define GS_SNOOPP_WRITABLE       0x2000000u

/* CONTROL, read, write: what it does
 *   bit 0, RUN: counts; 1 after reset
 *   bit 1, RESET: written 1: all counters become 0; reads 0 */
#define GS_SNOOPP_CONTROL 0x08u
#define GS_SNOOPP_RUN     0x01u
#define GS_SNOOPP_RESET   0x02u

/* COUNTER, one for each i: a range and its counter */
#define GS_SNOOPP_COUNTER        0x100u
#define GS_SNOOPP_COUNTER_STRIDE 0x10u

/* LOW, read, write, in each: read: bits 31..0 of counter i, and keeps the rest for HIGH; write:
 * reset */
#define GS_SNOOPP_LOW 0x00u

/* HIGH, read, write, in each: read: bits 63..32 as they were when LOW was read; write: reset */
#define GS_SNOOPP_HIGH 0x04u

/* FIRST, read, write, in each: the first address that counts; written only if WRITABLE, and
 * while it does not run */
#define GS_SNOOPP_FIRST 0x08u

/* LAST, read, write, in each: the last one */
#define GS_SNOOPP_LAST 0x0cu

#endif
