/* SnoopP at a beat: comparators, counters and bus registers. */
#include "units/snoopp/snoopp.h"

#include <string.h>

#include "gumshoe/firmware/snoopp_registers.h"

void gs_snoopp_reset_state(gs_snoopp *s)
{
    memset(s->counter, 0, sizeof s->counter);
    s->high = 0;
    s->run = true;
}

void gs_snoopp_add(gs_snoopp *s, unsigned counter, uint64_t amount)
{
    const uint64_t mask = s->width == 64 ? UINT64_MAX : (UINT64_C(1) << s->width) - 1;
    if (s->run)
        s->counter[counter] = (s->counter[counter] + amount) & mask;
}

void gs_snoopp_beat(gs_snoopp *s, const gs_port *port)
{
    uint64_t amount = s->data ? 1 : gs_amount_of(s->amount, port);
    uint32_t address = s->data ? port->address : port->pc;
    bool counts = s->run && port->valid && (!s->data || port->size > 0);
    if (!counts || amount == 0)
        return;
    for (unsigned i = 0; i < s->count; i++) {
        if (address >= s->first[i] && address <= s->last[i])
            gs_snoopp_add(s, i, amount);
    }
}

/* The counter and its register at `offset`; false if there is none. */
static bool find_counter(const gs_snoopp *s, uint32_t offset, unsigned *number, uint32_t *reg)
{
    if (offset < GS_SNOOPP_COUNTER)
        return false;
    *number = (offset - GS_SNOOPP_COUNTER) / GS_SNOOPP_COUNTER_STRIDE;
    *reg = (offset - GS_SNOOPP_COUNTER) % GS_SNOOPP_COUNTER_STRIDE;
    return *number < s->count;
}

bool gs_snoopp_load(gs_snoopp *s, uint32_t offset, unsigned size, uint64_t *value)
{
    unsigned number;
    uint32_t reg;
    if (size != 4)
        return false;
    switch (offset) {
    case GS_SNOOPP_ID: *value = GS_SNOOPP_MAGIC; return true;
    case GS_SNOOPP_CONFIG:
        *value = s->count | s->width << 16 | (uint32_t)s->data << 24 | (uint32_t)s->writable << 25;
        return true;
    case GS_SNOOPP_CONTROL: *value = s->run ? GS_SNOOPP_RUN : 0; return true;
    default: break;
    }
    if (!find_counter(s, offset, &number, &reg))
        return false;
    switch (reg) {
    case GS_SNOOPP_LOW:
        s->high = (uint32_t)(s->counter[number] >> 32);
        *value = (uint32_t)s->counter[number];
        break;
    case GS_SNOOPP_HIGH: *value = s->high; break;
    case GS_SNOOPP_FIRST: *value = s->first[number]; break;
    default: *value = s->last[number]; break;
    }
    return true;
}

bool gs_snoopp_store(gs_snoopp *s, uint32_t offset, unsigned size, uint64_t value)
{
    unsigned number;
    uint32_t reg;
    if (size != 4)
        return false;
    if (offset == GS_SNOOPP_CONTROL) {
        s->run = value & GS_SNOOPP_RUN;
        if (value & GS_SNOOPP_RESET)
            memset(s->counter, 0, s->count * sizeof *s->counter);
        return true;
    }
    if (!find_counter(s, offset, &number, &reg) || (reg > GS_SNOOPP_HIGH && !s->writable))
        return false;
    switch (reg) {
    case GS_SNOOPP_FIRST: s->first[number] = (uint32_t)value; break;
    case GS_SNOOPP_LAST: s->last[number] = (uint32_t)value; break;
    default: s->counter[number] = 0; break;
    }
    return true;
}
