/* Registers of the PLIC, and which source comes first. */
#include "machine/bare/plic.h"

enum {
    PENDING = 0x1000,
    ENABLE = 0x2000,
    ENABLE_END = 0x2080,
    THRESHOLD = 0x200000,
    CLAIM = 0x200004,
    PRIORITY_MAX = 7
};

void gs_plic_init(gs_plic *plic, gs_machine *machine)
{
    *plic = (gs_plic){.machine = machine};
}

/* The pending and enabled source with the highest priority above `threshold`, the lowest number
 * first; 0 for none. */
static unsigned best(const gs_plic *plic, uint32_t threshold)
{
    unsigned found = 0;
    for (unsigned word = 0; word < GS_LINE_WORDS; word++) {
        uint64_t ready = plic->pending.bits[word] & plic->enabled.bits[word];
        for (; ready; ready &= ready - 1) {
            const unsigned source = 64 * word + (unsigned)__builtin_ctzll(ready);
            if (plic->priority[source] > threshold) {
                threshold = plic->priority[source];
                found = source;
            }
        }
    }
    return found;
}

bool gs_plic_update(gs_plic *plic, const gs_lines *lines)
{
    for (unsigned word = 0; word < GS_LINE_WORDS; word++)
        plic->pending.bits[word] |= lines->bits[word] & ~plic->claimed.bits[word];
    plic->pending.bits[0] &= ~UINT64_C(1);
    return best(plic, plic->threshold) != 0;
}

/* A claim is answered whatever the threshold is. */
static uint32_t claim(gs_plic *plic)
{
    const unsigned source = best(plic, 0);
    if (source) {
        gs_lines_set(&plic->pending, source, false);
        gs_lines_set(&plic->claimed, source, true);
    }
    plic->machine->hart.resync = true;
    return source;
}

static uint32_t word_of(const gs_lines *lines, uint32_t index)
{
    return index < GS_LINE_COUNT / 32 ? (uint32_t)(lines->bits[index / 2] >> 32 * (index % 2)) : 0;
}

bool gs_plic_load(void *self, uint32_t offset, unsigned size, uint64_t *value)
{
    gs_plic *plic = self;
    if (size != 4)
        return false;
    if (offset < 4 * GS_LINE_COUNT)
        *value = plic->priority[offset / 4];
    else if (offset >= PENDING && offset < ENABLE)
        *value = word_of(&plic->pending, (offset - PENDING) / 4);
    else if (offset >= ENABLE && offset < ENABLE_END)
        *value = word_of(&plic->enabled, (offset - ENABLE) / 4);
    else if (offset == THRESHOLD)
        *value = plic->threshold;
    else if (offset == CLAIM)
        *value = claim(plic);
    else
        *value = 0; /* sources and harts that are not there */
    return true;
}

bool gs_plic_store(void *self, uint32_t offset, unsigned size, uint64_t value)
{
    gs_plic *plic = self;
    if (size != 4)
        return false;
    plic->used = true;
    plic->machine->hart.resync = true;
    const uint32_t word = (uint32_t)value;
    if (offset > 0 && offset < 4 * GS_LINE_COUNT) {
        plic->priority[offset / 4] = word & PRIORITY_MAX;
    } else if (offset >= ENABLE && offset < ENABLE + GS_LINE_COUNT / 8) {
        const uint32_t index = (offset - ENABLE) / 4;
        uint64_t *bits = &plic->enabled.bits[index / 2];
        const unsigned shift = 32 * (index % 2);
        *bits = (*bits & ~(UINT64_C(0xffffffff) << shift)) | (uint64_t)word << shift;
    } else if (offset == THRESHOLD) {
        plic->threshold = word & PRIORITY_MAX;
    } else if (offset == CLAIM && word < GS_LINE_COUNT && gs_lines_has(&plic->enabled, word)) {
        gs_lines_set(&plic->claimed, word, false);
    }
    return true;
}
