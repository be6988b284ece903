/*
 * translate.h - superblocks of guest code as C.
 */
#ifndef GS_ENGINE_TRANSLATE_H
#define GS_ENGINE_TRANSLATE_H

#include <stdio.h>

#include "engine/fast/superblock/superblock.h"

typedef struct gs_translation_options {
    const gs_machine *machine;
    const gs_timing *timing;            /* or NULL */
    uint32_t first;                     /* the number of the first superblock */
    uint32_t near;                      /* offset from gs_fast of the first count block */
    const gs_cache *lru_icache;         /* the I-cache, if exits note when they use its lines */
    bool bmi2;                          /* the host has these instructions */
    bool paths;                         /* call paths are followed */
    bool dates;                         /* stores that go through note when they have missed */
    bool quick;                         /* for the quick compiler, */
    const struct gs_fast *shared;       /* which will compile it to this place */
    bool for_people;                    /* with disassembly in comments, */
    const struct gs_automaton *explain; /* and costs, from here; or NULL */
} gs_translation_options;

/* The caches that translated code models, and their sets. */
typedef struct gs_fast_layout {
    bool icached, dcached;
    uint32_t icache_sets, dcache_sets;
} gs_fast_layout;

gs_fast_layout gs_fast_layout_of(const gs_timing *timing);

/* A translation unit with a function f_PC for each of `codes`, where PC is its `low` in eight
 * hexadecimal digits; and forget(PC), to be called when that one is no longer used. For the quick
 * compiler, whose data cannot be written when the code runs, there is an array of them instead,
 * `functions`. */
void gs_translate(FILE *to, const gs_translation_options *options, const gs_code *codes,
                  size_t count);

#endif
