/*
 * serialize.h - a pipeline's state in few bytes, for gs_timing_model.serialize.
 *
 * Cycles are written relative to a floor below which it makes no difference how long ago
 * something was: what lies below is written as the floor itself. Equal futures mostly become
 * equal bytes that way; unequal ones never do, as long as the floor is low enough.
 */
#ifndef GS_TIMING_SERIALIZE_H
#define GS_TIMING_SERIALIZE_H

#include <stdint.h>

typedef struct gs_serializer {
    uint8_t *to;
    uint64_t now;   /* cycles are relative to this one */
    uint64_t reach; /* so many cycles before it is the floor */
    int size;
} gs_serializer;

static inline void gs_serialize_byte(gs_serializer *f, unsigned value)
{
    f->to[f->size++] = (uint8_t)value;
}

static inline void gs_serialize_half(gs_serializer *f, unsigned value)
{
    gs_serialize_byte(f, value & 0xff);
    gs_serialize_byte(f, value >> 8);
}

/* Less than 2^32 cycles ahead: no stall lasts that long. */
static inline void gs_serialize_cycle(gs_serializer *f, uint64_t cycle)
{
    uint32_t above = cycle + f->reach > f->now ? (uint32_t)(cycle + f->reach - f->now) : 0;
    gs_serialize_half(f, above & 0xffff);
    gs_serialize_half(f, above >> 16);
}

typedef struct gs_deserializer {
    const uint8_t *from;
    uint64_t now, reach;
} gs_deserializer;

static inline unsigned gs_deserialize_byte(gs_deserializer *t)
{
    return *t->from++;
}

static inline unsigned gs_deserialize_half(gs_deserializer *t)
{
    unsigned low = gs_deserialize_byte(t);
    return low | gs_deserialize_byte(t) << 8;
}

static inline uint64_t gs_deserialize_cycle(gs_deserializer *t)
{
    uint32_t low = gs_deserialize_half(t);
    uint64_t above = low | (uint32_t)gs_deserialize_half(t) << 16;
    return t->now + above > t->reach ? t->now + above - t->reach : 0;
}

#endif
