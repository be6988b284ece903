/*
 * code_lines.h - which lines of code need no second look.
 *
 * A line that has been looked up is where it was until another one of its set is. Who comes to a
 * stretch only by ways on which its lines have been looked up need not look at them again, and who
 * comes by another way does so himself.
 */
#ifndef GS_ENGINE_CODE_LINES_H
#define GS_ENGINE_CODE_LINES_H

#include "engine/fast/usual.h"

/* Of a function. */
typedef struct gs_code_lines {
    const gs_code *code;
    const gs_cache *cache;
    gs_addr first;   /* line of the function; those beyond it are of no interest, */
    size_t words;    /* and the others have a bit in so many words */
    uint64_t *known; /* by stretch: when control comes to it; NULL without a cache */
    uint64_t *room;  /* for as many more */
} gs_code_lines;

/* What is usual in the code has been found; without a cache there is nothing to know. False when
 * memory is out. */
bool gs_code_lines_open(gs_code_lines *l, const gs_code *code, const gs_cache *cache);
void gs_code_lines_close(gs_code_lines *l);

/* Whether somebody has to look at a line when a stretch begins, at least if control comes there by
 * some ways; and when it is the site's turn. */
bool gs_code_lines_is_new(const gs_code_lines *l, const gs_stretch *s, const gs_site *site);
bool gs_code_lines_is_new_later(const gs_code_lines *l, const gs_stretch *s, const gs_site *site);

/* Finds out where control comes without a look at lines: gs_stretch.comes_known. False when memory
 * is out. */
bool gs_code_lines_mark(gs_code *code, const gs_cache *cache);

/* Whether nobody has to when control comes by that way of another stretch. */
bool gs_code_lines_are_known(const gs_code_lines *l, const gs_stretch *goal, const gs_stretch *from,
                             unsigned way);

#endif
