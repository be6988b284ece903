/*
 * loops.h - the frequent loop detector's registers, for programs that run beside one.
 *
 * Needs nothing but a C compiler. All registers are 32 bits wide and are read and written as words;
 * docs/units/loops.md describes them.
 */
#ifndef GUMSHOE_FIRMWARE_LOOPS_H
#define GUMSHOE_FIRMWARE_LOOPS_H

#define GS_LOOPS_MAGIC 0x43504c01u

/* Offsets in bytes. */
#define GS_LOOPS_ID      0x00u
#define GS_LOOPS_CONFIG  0x04u
#define GS_LOOPS_CONTROL 0x08u
#define GS_LOOPS_ENTRY   0x2000u /* address, with bit 0 set if it is valid, and frequency */
#define GS_LOOPS_STRIDE  0x8u

/* Of CONTROL. */
#define GS_LOOPS_RUN   1u
#define GS_LOOPS_CLEAR 2u
#define GS_LOOPS_END   4u

#endif
