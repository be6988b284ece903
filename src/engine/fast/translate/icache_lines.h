/*
 * icache_lines.h - which lines of code need no second look.
 *
 * A line that has been looked up is where it was until another one of its set is. Who comes to a
 * superblock only along edges on which its lines have been looked up need not look at them again,
 * and who comes by another exit does so himself.
 */
#ifndef GS_ENGINE_ICACHE_LINES_H
#define GS_ENGINE_ICACHE_LINES_H

#include "engine/fast/automaton/predict.h"

/* Of a function. */
typedef struct gs_icache_lines {
    const gs_code *code;
    const gs_cache *cache;
    gs_addr first;   /* line of the function; those beyond it are of no interest, */
    size_t words;    /* and the others have a bit in so many words */
    uint64_t *known; /* by superblock: when control comes to it; NULL without a cache */
    uint64_t *room;  /* for as many more */
} gs_icache_lines;

/* What is usual in the code has been found; without a cache there is nothing to know. False when
 * memory is out. */
bool gs_icache_lines_open(gs_icache_lines *l, const gs_code *code, const gs_cache *cache);
void gs_icache_lines_close(gs_icache_lines *l);

/* Whether somebody has to look at a line when a superblock begins, at least if control comes there
 * along some edges; and when it is the site's turn. */
bool gs_icache_lines_is_new(const gs_icache_lines *l, const gs_superblock *s, const gs_site *site);
bool gs_icache_lines_is_new_later(const gs_icache_lines *l, const gs_superblock *s,
                                  const gs_site *site);

/* Finds out where control comes without a look at lines: gs_superblock.comes_known. False when
 * memory is out. */
bool gs_icache_lines_mark(gs_code *code, const gs_cache *cache);

/* Whether nobody has to when control comes by that exit of another superblock. */
bool gs_icache_lines_are_known(const gs_icache_lines *l, const gs_superblock *goal,
                               const gs_superblock *from, unsigned exit);

#endif
