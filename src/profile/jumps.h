/*
 * jumps.h - where indirect jumps went, and how often.
 */
#ifndef GS_PROFILE_JUMPS_H
#define GS_PROFILE_JUMPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A jump that can go to many places, and one it went to. */
typedef struct gs_jump_profile {
    uint32_t from, to;
    uint64_t count;
    uint8_t arrival; /* what it means for a loop at `to`, see iterations.h */
    bool local;      /* within a function: it leaves the call path as it is */
} gs_jump_profile;

/* All zeros is an empty one. */
typedef struct gs_jumps {
    gs_jump_profile *items;
    size_t count, capacity;
    uint32_t *at; /* hash table: index + 1, or 0 */
    size_t slots;
} gs_jumps;

void gs_jumps_fini(gs_jumps *jumps);

/* The row of a jump, good until the next one is made; NULL when memory is out. *made: it is new. */
gs_jump_profile *gs_jumps_between(gs_jumps *jumps, uint32_t from, uint32_t to, bool *made);

/* By source, then target. Nothing can be found any more. */
void gs_jumps_sort(gs_jumps *jumps);

#endif
