/* The hash of a program's segments. */
#include "replay/code_hash.h"

uint64_t gs_code_hash(const gs_image *image)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < gs_image_segment_count(image); i++) {
        const gs_segment *segment = gs_image_segment(image, i);
        hash = (hash ^ segment->address) * UINT64_C(0x100000001b3);
        if (!segment->execute && !segment->no_flags)
            continue;
        for (uint64_t at = 0; at < segment->file_size; at++)
            hash = (hash ^ segment->bytes[at]) * UINT64_C(0x100000001b3);
    }
    return hash;
}
