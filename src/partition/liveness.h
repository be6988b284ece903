/*
 * liveness.h - how many words go to an accelerator and back. For src/partition only.
 *
 * Registers that are live where its code begins, or behind it; of a function those that pass
 * arguments and results.
 */
#ifndef GS_PARTITION_LIVENESS_H
#define GS_PARTITION_LIVENESS_H

#include "partition/code.h"

/* By function; free() it. NULL when memory is out. */
uint8_t *gs_hw_function_words(const gs_hw_code *code);

/* Values that the loop reads or changes. */
unsigned gs_hw_loop_words(const gs_hw_code *code, uint32_t loop);

#endif
