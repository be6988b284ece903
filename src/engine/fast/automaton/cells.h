/*
 * cells.h - the layout of a function's count block: which cell counts what.
 *
 * First come the exits of all superblocks, then the targets of calls, then what is counted apart.
 */
#ifndef GS_AUTOMATON_CELLS_H
#define GS_AUTOMATON_CELLS_H

#include "engine/fast/superblock/superblock.h"

/* Numbers the cells of code whose entry states and exits have been predicted. */
void gs_cells_number(const gs_code *code);

/* How many cells a block of the function has, once they are numbered. */
uint32_t gs_cells_count(const gs_code *code);

#endif
