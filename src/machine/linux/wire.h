/*
 * wire.h - structures as the guest lays them out.
 *
 * A cursor over a buffer of the caller's. Fields are put or taken one after the
 * other, padding included, in the guest's byte order. Running over the end of the
 * buffer is a bug of ours, not of the guest's.
 */
#ifndef GS_MACHINE_LINUX_WIRE_H
#define GS_MACHINE_LINUX_WIRE_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct gs_wire {
    uint8_t *bytes;
    size_t at;
    size_t size;
    bool big_endian;
} gs_wire;

static inline void gs_wire_put(gs_wire *wire, uint64_t value, unsigned size)
{
    assert(wire->at + size <= wire->size);
    for (unsigned i = 0; i < size; i++) {
        unsigned shift = 8 * (wire->big_endian ? size - 1 - i : i);
        wire->bytes[wire->at++] = (uint8_t)(value >> shift);
    }
}

static inline void gs_wire_put16(gs_wire *wire, uint64_t value)
{
    gs_wire_put(wire, value, 2);
}

static inline void gs_wire_put32(gs_wire *wire, uint64_t value)
{
    gs_wire_put(wire, value, 4);
}

static inline void gs_wire_put64(gs_wire *wire, uint64_t value)
{
    gs_wire_put(wire, value, 8);
}

static inline void gs_wire_zero(gs_wire *wire, size_t count)
{
    assert(wire->at + count <= wire->size);
    memset(wire->bytes + wire->at, 0, count);
    wire->at += count;
}

static inline uint64_t gs_wire_take(gs_wire *wire, unsigned size)
{
    uint64_t value = 0;
    assert(wire->at + size <= wire->size);
    for (unsigned i = 0; i < size; i++) {
        unsigned shift = 8 * (wire->big_endian ? size - 1 - i : i);
        value |= (uint64_t)wire->bytes[wire->at++] << shift;
    }
    return value;
}

static inline uint32_t gs_wire_take32(gs_wire *wire)
{
    return (uint32_t)gs_wire_take(wire, 4);
}

static inline uint64_t gs_wire_take64(gs_wire *wire)
{
    return gs_wire_take(wire, 8);
}

static inline void gs_wire_skip(gs_wire *wire, size_t count)
{
    assert(wire->at + count <= wire->size);
    wire->at += count;
}

#endif
