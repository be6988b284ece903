/*
 * loops.h - what is known of loops when code is translated.
 *
 * Where call paths are followed, somebody wants to know how many iterations loops make. What an
 * exit is to a loop that it leads to follows from the program's code, so translated code has it
 * written down. A back edge is another iteration of the run that its frame makes; and if the code
 * between does not call anybody, and has no other entry, then nobody else can have come to the loop
 * since. Then all that is to be done is to count the exit, as all exits are; see gs_loop_run.
 *
 * It may become known later that there are more loops, or that they are larger. Then the code is
 * not right any more.
 */
#ifndef GS_ENGINE_LOOPS_H
#define GS_ENGINE_LOOPS_H

#include "engine/fast/superblock/superblock.h"
#include "probe/paths.h"

/* Looks what the exits and superblocks of some code are to loops. False when memory is out. */
bool gs_loops_find(gs_code *code, gs_arena *arena, const gs_bulk_group *observers);

/* Whether it is still the same. */
bool gs_loops_hold(const gs_code *code, const gs_bulk_group *observers);

#endif
