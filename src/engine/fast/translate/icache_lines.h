/*
 * icache_lines.h - which I-cache lines need not be looked up again.
 *
 * A line that has been looked up stays in the cache until another one of its set is looked up. A
 * superblock does not check lines that have been looked up on all exits that lead to it. If they
 * have on some exits only, it checks them at its start, and those exits go past the check.
 */
#ifndef GS_ENGINE_ICACHE_LINES_H
#define GS_ENGINE_ICACHE_LINES_H

#include "engine/fast/automaton/predict.h"

/* Of a function. */
typedef struct gs_icache_lines {
    const gs_code *code;
    const gs_cache *cache;
    gs_addr first;   /* numbers of lines in the function; those beyond are not tracked, */
    size_t words;    /* the others have a bit each, in this many words */
    uint64_t *known; /* by superblock: the lines that are known when control enters it; NULL
                        without a cache */
    uint64_t *room;  /* for as many more */
} gs_icache_lines;

/* Needs the predicted entry states; without a cache there is nothing to know. False when memory is
 * out. */
bool gs_icache_lines_open(gs_icache_lines *l, const gs_code *code, const gs_cache *cache);
void gs_icache_lines_close(gs_icache_lines *l);

/* Whether a line has to be checked at a superblock's start, at least if control comes by some
 * exits; and where its site is. */
bool gs_icache_lines_is_new(const gs_icache_lines *l, const gs_superblock *s, const gs_site *site);
bool gs_icache_lines_is_new_later(const gs_icache_lines *l, const gs_superblock *s,
                                  const gs_site *site);

/* Finds out where control can come past the check of lines: gs_superblock.comes_known. False when
 * memory is out. */
bool gs_icache_lines_mark(gs_code *code, const gs_cache *cache);

/* Whether no line has to be checked when control comes by that exit of another superblock. */
bool gs_icache_lines_are_known(const gs_icache_lines *l, const gs_superblock *goal,
                               const gs_superblock *from, unsigned exit);

#endif
