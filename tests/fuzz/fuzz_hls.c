/*
 * Descriptions of high-level synthesis: whatever the bytes, parsing ends in a description or in a
 * message of one line.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "partition/hls.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    gs_hls *hls;
    gs_error err = {0};
    if (gs_hls_parse(&hls, "h.yaml", (const char *)bytes, size, &err) != GS_OK) {
        require(!hls && err.message[0] && !strchr(err.message, '\n'));
        return 0;
    }
    require(hls->name && hls->summary && hls->device && hls->ports > 0 && hls->clock_ns > 0);
    for (unsigned i = 0; i < GS_HLS_KIND_COUNT; i++)
        require(hls->operators[i].ns >= 0 && hls->operators[i].interval > 0);
    gs_hls_free(hls);
    return 0;
}
