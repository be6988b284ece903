/*
 * spills.h - which registers have to be put back when translated code is left.
 *
 * Translated code has the guest's registers in variables. gs_fast.x has their values from when
 * control entered the function, or returned from a call; before control leaves it, for a call or
 * for good, those that may have been written since are put back. The compiler sees then that the
 * others need not even be read.
 */
#ifndef GS_ENGINE_SPILLS_H
#define GS_ENGINE_SPILLS_H

#include "engine/fast/superblock/superblock.h"

/* A set of registers, by their numbers; see writer.h. */
typedef struct gs_registers {
    uint64_t bits[2];
} gs_registers;

static inline void gs_registers_add(gs_registers *r, unsigned number)
{
    r->bits[number / 64] |= (uint64_t)1 << (number % 64);
}
static inline bool gs_registers_have(const gs_registers *r, unsigned number)
{
    return r->bits[number / 64] >> (number % 64) & 1;
}

static inline gs_registers gs_registers_without(const gs_registers *r, const gs_registers *others)
{
    return (gs_registers){{r->bits[0] & ~others->bits[0], r->bits[1] & ~others->bits[1]}};
}

enum {
    GS_SPILLS_NOWHERE = -1, /* out of the function */
    GS_SPILLS_ANYWHERE = -2 /* to any of the function's entries, or out of it */
};

typedef struct gs_spills {
    size_t count; /* of superblocks, with clones */
    struct gs_superblock_spills {
        bool entered;                            /* by a call that returns */
        gs_registers in;                         /* written before */
        gs_registers exits[GS_SUPERBLOCK_EXITS]; /* the same until each exit */
        int goals[GS_SUPERBLOCK_EXITS];          /* the superblock each exit leads to, or
                                                    GS_SPILLS_* */
        int sets[GS_SUPERBLOCK_EXITS], in_set;   /* index of each of these sets in `sets` */
    } * superblocks;
    gs_registers anywhere; /* of all exits with the goal GS_SPILLS_ANYWHERE */
    int anywhere_set;
    struct {
        gs_registers *items;
        size_t count, capacity;
    } sets;
} gs_spills;

/* False when memory is out. */
bool gs_spills_open(gs_spills *s, size_t count);
void gs_spills_close(gs_spills *s);

/* Propagates the registers written in each superblock to those written since control entered the
 * function. False when memory is out. */
bool gs_spills_solve(gs_spills *s, const gs_code *code);

#endif
