/*
 * freeze.h - writing a pipeline's state down in few bytes, for gs_timing_model.freeze.
 *
 * Cycles are written relative to a floor below which it makes no difference how long ago
 * something was: what lies below is written as the floor itself. Equal futures mostly become
 * equal bytes that way; unequal ones never do, as long as the floor is low enough.
 */
#ifndef GS_TIMING_FREEZE_H
#define GS_TIMING_FREEZE_H

#include <stdint.h>

typedef struct gs_freezer {
    uint8_t *to;
    uint64_t now;   /* cycles are relative to this one */
    uint64_t reach; /* so many cycles before it is the floor */
    int size;
} gs_freezer;

static inline void gs_freeze_byte(gs_freezer *f, unsigned value)
{
    f->to[f->size++] = (uint8_t)value;
}

static inline void gs_freeze_half(gs_freezer *f, unsigned value)
{
    gs_freeze_byte(f, value & 0xff);
    gs_freeze_byte(f, value >> 8);
}

/* Less than 2^32 cycles ahead: no stall lasts that long. */
static inline void gs_freeze_cycle(gs_freezer *f, uint64_t cycle)
{
    uint32_t above = cycle + f->reach > f->now ? (uint32_t)(cycle + f->reach - f->now) : 0;
    gs_freeze_half(f, above & 0xffff);
    gs_freeze_half(f, above >> 16);
}

typedef struct gs_thawer {
    const uint8_t *from;
    uint64_t now, reach;
} gs_thawer;

static inline unsigned gs_thaw_byte(gs_thawer *t)
{
    return *t->from++;
}

static inline unsigned gs_thaw_half(gs_thawer *t)
{
    unsigned low = gs_thaw_byte(t);
    return low | gs_thaw_byte(t) << 8;
}

static inline uint64_t gs_thaw_cycle(gs_thawer *t)
{
    uint32_t low = gs_thaw_half(t);
    uint64_t above = low | (uint32_t)gs_thaw_half(t) << 16;
    return t->now + above > t->reach ? t->now + above - t->reach : 0;
}

#endif
