/*
 * The test device, aliases of memory, and regions that read as a constant, ignore writes or trap.
 */
#include "machine/bare/devices.h"

#include "base/vec.h"
#include "machine/bare/bare.h"

enum { TEST_EXIT = 0, TEST_PUT = 4, TEST_MARK = 8 };

static bool is_register(uint32_t offset, unsigned size)
{
    return size == 4 && offset <= TEST_MARK;
}

bool gs_testdev_load(void *self, uint32_t offset, unsigned size, uint64_t *value)
{
    (void)self;
    *value = 0;
    return is_register(offset, size);
}

bool gs_testdev_store(void *self, uint32_t offset, unsigned size, uint64_t value)
{
    gs_bare *bare = self;
    gs_machine *machine = bare->machine;

    if (!is_register(offset, size))
        return false;
    switch (offset) {
    case TEST_EXIT: gs_bare_exit(bare, (int)(int32_t)value); break;
    case TEST_PUT: gs_console_put(&bare->console, (uint8_t)value); break;
    default: {
        gs_marker marker = {(uint32_t)value, machine->hart.instret, machine->time};
        machine->hart.resync = true; /* the store has not retired: gs_run() knows when it has */
        if (!gs_vec_push(&machine->markers, marker)) {
            gs_exit no_memory = {.kind = GS_EXIT_HALT, .message = "no memory for more markers"};
            gs_machine_end(machine, no_memory);
        }
        break;
    }
    }
    return true;
}

bool gs_alias_load(void *self, uint32_t offset, unsigned size, uint64_t *value)
{
    const gs_alias *alias = self;
    return gs_memory_load(alias->memory, alias->target + offset, size, value) == GS_ACCESS_OK;
}

bool gs_alias_store(void *self, uint32_t offset, unsigned size, uint64_t value)
{
    const gs_alias *alias = self;
    return gs_memory_store(alias->memory, alias->target + offset, size, value) == GS_ACCESS_OK;
}

bool gs_board_region_load(void *self, uint32_t offset, unsigned size, uint64_t *value)
{
    const gs_board_region *region = self;
    unsigned in_word = offset % 4;
    unsigned shift = size >= 4 ? 0 : 8 * (region->big_endian ? 4 - size - in_word : in_word);
    uint64_t words = (uint64_t)region->constant << 32 | region->constant;
    *value = size == 8 ? words : (words >> shift) & ((UINT64_C(1) << 8 * size) - 1);
    return !region->refuses_loads;
}

bool gs_board_region_store(void *self, uint32_t offset, unsigned size, uint64_t value)
{
    const gs_board_region *region = self;
    (void)offset;
    (void)size;
    (void)value;
    return !region->refuses_stores;
}
