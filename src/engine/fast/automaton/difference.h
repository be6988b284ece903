/*
 * difference.h - what two transitions of a superblock by the same exit differ in.
 *
 * Where that is nothing but a few charges, one transition and a penalty stand for both.
 */
#ifndef GS_AUTOMATON_DIFFERENCE_H
#define GS_AUTOMATON_DIFFERENCE_H

#include "engine/fast/automaton/automaton.h"

enum { GS_DIFFERENCES_MAX = 16 };
typedef struct gs_difference {
    gs_charge charges[GS_DIFFERENCES_MAX];
    unsigned count;
} gs_difference;

/* The charges of b that a does not have. False if the two differ in more than charges. */
bool gs_difference_of(const gs_transition *b, const gs_transition *a, gs_difference *d);
bool gs_difference_equals(const gs_difference *a, const gs_difference *b);
int64_t gs_difference_cycles(const gs_difference *d);

#endif
