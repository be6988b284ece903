/*
 * leap_registers.h - the registers of LEAP.
 *
 * Written by 'gumshoe rtl leap --registers c'. Offsets are in bytes, registers words. A
 * field of one bit has its mask here, a wider one how far to shift down and the mask for
 * after that. docs/units/leap.md describes the unit.
 */
#ifndef GUMSHOE_FIRMWARE_LEAP_REGISTERS_H
#define GUMSHOE_FIRMWARE_LEAP_REGISTERS_H

/* What ID reads. */
#define GS_LEAP_MAGIC 0x50454c01u

/* ID, read: 0x50454c01 */
#define GS_LEAP_ID 0x00u

/* CONFIG, read: how the unit is made
 *   bits 31..24, WIDTH: bits of a counter
 *   bits 20..16, TAB_BITS: log2 of the length of `tab`
 *   bit 13, HALVES: a full counter halves all
 *   bits 12..8, NUMBER_BITS: log2 N
 *   bits 7..4, COUNT: parameter `COUNT`
 *   bit 3, MIPS: decodes MIPS
 *   bit 2, TAGGED: entries have tags
 *   bit 1, HIER: hierarchical
 *   bit 0, TWO_LANES: two lanes */
#define GS_LEAP_CONFIG            0x04u
#define GS_LEAP_WIDTH_SHIFT       0x18u
#define GS_LEAP_WIDTH_MASK        0xffu
#define GS_LEAP_TAB_BITS_SHIFT    0x10u
#define GS_LEAP_TAB_BITS_MASK     0x1fu
#define GS_LEAP_HALVES            0x2000u
#define GS_LEAP_NUMBER_BITS_SHIFT 0x08u
#define GS_LEAP_NUMBER_BITS_MASK  0x1fu
#define GS_LEAP_COUNT_SHIFT       0x04u
#define GS_LEAP_COUNT_MASK        0x0fu
#define GS_LEAP_MIPS              0x08u
#define GS_LEAP_TAGGED            0x04u
#define GS_LEAP_HIER              0x02u
#define GS_LEAP_TWO_LANES         0x01u

/* CONTROL, read, write: what it does
 *   bit 0, RUN: listens to the trace port
 *   bit 1, CLEAR: written 1: clears all counters and the stack, and the next beat
 *     will be the first; reads 1 while that goes on
 *   bit 2, DRAIN: written 1, with RUN 0: ends the profile; reads 1 while that goes
 *     on */
#define GS_LEAP_CONTROL 0x08u
#define GS_LEAP_RUN     0x01u
#define GS_LEAP_CLEAR   0x02u
#define GS_LEAP_DRAIN   0x04u

/* V, write: parameter V of the hash */
#define GS_LEAP_V 0x0cu

/* A1, write: parameter A1 */
#define GS_LEAP_A1 0x10u

/* B1, write: parameter B1 */
#define GS_LEAP_B1 0x14u

/* B2, write: parameter B2 */
#define GS_LEAP_B2 0x18u

/* LANE, write: with more than two lanes: the one that LOW and HIGH are of */
#define GS_LEAP_LANE 0x1cu

/* LANES, read: how many counters a function has */
#define GS_LEAP_LANES 0x20u

/* HALVED, read: how often all counters were halved: they count units of 2^HALVED */
#define GS_LEAP_HALVED 0x24u

/* BEGIN, write: an address: the first beat after CLEAR is in the function that begins there;
 * CLEAR forgets it, and without it that is the beat's own address */
#define GS_LEAP_BEGIN 0x28u

/* TAB, write, one for each i: entry i of `tab` */
#define GS_LEAP_TAB        0x40000u
#define GS_LEAP_TAB_STRIDE 0x04u

/* TAG, write, one for each i: the address of the function with number i; with tags only */
#define GS_LEAP_TAG        0x80000u
#define GS_LEAP_TAG_STRIDE 0x04u

/* COUNTER, one for each i: the counters of the function with number i */
#define GS_LEAP_COUNTER        0xc0000u
#define GS_LEAP_COUNTER_STRIDE 0x10u

/* LOW, read, in each: bits 31..0 of its counter; keeps the rest, of all lanes, for HIGH */
#define GS_LEAP_LOW 0x00u

/* HIGH, read, in each: bits 63..32 as they were when LOW was read */
#define GS_LEAP_HIGH 0x04u

/* LOW_2, read, in each: the same of the second lane, if there is one */
#define GS_LEAP_LOW_2 0x08u

/* HIGH_2, read, in each: the same of the second lane */
#define GS_LEAP_HIGH_2 0x0cu

#endif
