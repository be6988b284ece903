/*
 * hunt.h - finding hot functions with few counters and many runs.
 *
 * The way SnoopP's authors propose where nothing is known of a program: the first run divides
 * all code into as many groups of neighbouring functions as there are counters; every further
 * run divides the groups that took most of the time, until those that matter are functions.
 * Only counters are looked at, never the exact profile.
 *
 * A hunt is a value: what one run learns is what the next begins with.
 */
#ifndef GS_UNITS_SNOOPP_HUNT_H
#define GS_UNITS_SNOOPP_HUNT_H

#include "image/image.h"

/* Functions first..last of the image, as numbers, and what was counted in them. */
typedef struct gs_hunt_group {
    size_t first, last;
    uint64_t count;
    unsigned run; /* in which it was counted, from 1 */
} gs_hunt_group;

typedef struct gs_hunt_list {
    gs_hunt_group *items;
    size_t count, capacity;
} gs_hunt_list;

typedef struct gs_hunt {
    const gs_image *image;
    unsigned counters;
    double threshold; /* of all that was counted in the first run: less does not matter */
    unsigned runs;    /* that have been made */
    uint64_t total;
    gs_hunt_list aimed;   /* what the counters look at in the next run; at most `counters` */
    gs_hunt_list pending; /* counted, worth dividing, waiting for free counters */
    gs_hunt_list found;   /* single functions, largest first */
} gs_hunt;

/* Aims at all code of the image. False when memory is out. */
bool gs_hunt_begin(gs_hunt *hunt, const gs_image *image, unsigned counters, double threshold);

/* Takes what the counters say of the groups aimed at and aims at the next ones. False when memory
 * is out. */
bool gs_hunt_learn(gs_hunt *hunt, const uint64_t *counts);

static inline bool gs_hunt_done(const gs_hunt *hunt)
{
    return hunt->runs > 0 && hunt->aimed.count == 0;
}

bool gs_hunt_copy(gs_hunt *to, const gs_hunt *from); /* false when memory is out */
void gs_hunt_fini(gs_hunt *hunt);

#endif
