/*
 * Map files: whatever the text, reading ends in functions or in a message of one line. Functions
 * are sorted, have names, and are not empty.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "image/mapfile.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    gs_mapfile *map;
    gs_error err;
    if (gs_mapfile_parse(&map, "fuzz", (const char *)bytes, size, &err) != GS_OK) {
        require(!map && !strncmp(err.message, "fuzz: ", 6) && !strchr(err.message, '\n'));
        return 0;
    }
    require(map->functions.count > 0);
    for (size_t i = 0; i < map->functions.count; i++) {
        const gs_map_function *function = &map->functions.items[i];
        bool several;
        require(function->name[0] && function->start < function->end);
        require(i == 0 || map->functions.items[i - 1].start <= function->start);
        require(gs_mapfile_find(map, function->name, &several) != NULL);
    }
    gs_mapfile_free(map);
    return 0;
}
