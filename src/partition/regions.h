/* regions.h - blocks put together to what becomes a sequence of states. For src/partition only. */
#ifndef GS_PARTITION_REGIONS_H
#define GS_PARTITION_REGIONS_H

#include "partition/code.h"

/* Fills in `order` and `regions`. False when memory is out. */
bool gs_hw_regions_find(gs_hw_code *code, const gs_hls *hls);

#endif
