/*
 * loops.h - what is known of loops when code is translated.
 *
 * Where call paths are followed, the observer counts the iterations of loops. What an exit does to
 * the loop it leads to follows from the program's code, so it is constant in translated code. A
 * back edge is another iteration of its frame's run of the loop. If the loop calls no function and
 * has no other entry, no other frame can have been in it since: then it is enough to count the
 * exit, as all exits are; see gs_loop_run.
 *
 * It may become known later that there are more loops, or that they are larger. Then the code has
 * to be translated again.
 */
#ifndef GS_ENGINE_LOOPS_H
#define GS_ENGINE_LOOPS_H

#include "engine/fast/superblock/superblock.h"
#include "probe/paths.h"

/* Finds out what the exits and superblocks of some code do to loops. False when memory is out. */
bool gs_loops_find(gs_code *code, gs_arena *arena, const gs_bulk_group *observers);

/* Whether that still holds: the observer may have found more loops since. */
bool gs_loops_hold(const gs_code *code, const gs_bulk_group *observers);

#endif
