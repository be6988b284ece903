/*
 * devices.h - the small devices: the test device, the alias and the region.
 *
 * The test device is how a program without any library ends, prints and marks
 * regions of interest: a page of word-wide registers, to be stored to.
 *
 *   +0  end the run with this exit code
 *   +4  print the character in the low byte
 *   +8  set a marker with this value
 *
 * Loads of these read 0; any other offset or size is an access fault.
 *
 * An alias shows memory at a second address, as kseg1 shows that of kseg0 on MIPS. Its
 * memory cannot be executed there.
 *
 * A region stands for registers that nothing models: loads read a constant word, stores do nothing,
 * or either is refused.
 */
#ifndef GS_MACHINE_BARE_DEVICES_H
#define GS_MACHINE_BARE_DEVICES_H

#include "machine/memory.h"

typedef struct gs_bare gs_bare;

/* Of a gs_device with self = the gs_bare. */
bool gs_testdev_load(void *self, uint32_t offset, unsigned size, uint64_t *value);
bool gs_testdev_store(void *self, uint32_t offset, unsigned size, uint64_t value);

typedef struct gs_alias {
    gs_memory *memory;
    gs_addr target;
} gs_alias;

/* Of a gs_device with self = the gs_alias. */
bool gs_alias_load(void *self, uint32_t offset, unsigned size, uint64_t *value);
bool gs_alias_store(void *self, uint32_t offset, unsigned size, uint64_t value);

typedef struct gs_board_region {
    uint32_t constant;
    bool refuses_loads, refuses_stores;
    bool big_endian;
} gs_board_region;

/* Of a gs_device with self = the gs_board_region. */
bool gs_board_region_load(void *self, uint32_t offset, unsigned size, uint64_t *value);
bool gs_board_region_store(void *self, uint32_t offset, unsigned size, uint64_t value);

#endif
