/* Counts down, reloads and interrupts. */
#include "machine/bare/sp804.h"

enum { LOAD, VALUE, CONTROL, CLEAR, RAISED, MASKED, BACKGROUND, REGISTERS = 8 };
enum { ONE_SHOT = 1, WIDE = 2, PRESCALE = 0xc, INTERRUPTS = 0x20, PERIODIC = 0x40, ENABLED = 0x80 };
enum { CONTROL_AT_RESET = INTERRUPTS, IDENTITY = 0xfe0 };

static const uint8_t identity[] = {0x04, 0x18, 0x14, 0x00, 0x0d, 0xf0, 0x05, 0xb1};

void gs_sp804_init(gs_sp804 *timer, gs_machine *machine, uint64_t divider)
{
    *timer = (gs_sp804){.machine = machine, .divider = divider};
    for (unsigned i = 0; i < 2; i++)
        timer->timers[i] = (gs_sp804_timer){.control = CONTROL_AT_RESET, .stood_at = UINT32_MAX};
}

/* Ticks of the machine's clock per step down. */
static uint64_t unit_of(const gs_sp804 *module, const gs_sp804_timer *t)
{
    const unsigned prescale = (t->control & PRESCALE) >> 2;
    return module->divider << (prescale == 1 ? 4 : prescale == 2 ? 8 : 0);
}

static uint64_t range_of(const gs_sp804_timer *t)
{
    return t->control & WIDE ? UINT64_C(1) << 32 : UINT64_C(1) << 16;
}

/* What it goes on from when it has reached zero. */
static uint64_t reload_of(const gs_sp804_timer *t)
{
    if (!(t->control & PERIODIC))
        return range_of(t);
    const uint64_t load = t->load & (range_of(t) - 1);
    return load ? load : 1;
}

/* Lets it reach zero as often as it has by `now`. */
static void settle(const gs_sp804 *module, gs_sp804_timer *t, uint64_t now)
{
    if (!(t->control & ENABLED))
        return;
    const uint64_t unit = unit_of(module, t), steps = (now - t->started) / unit;
    if (steps < t->start)
        return;
    t->raised = true;
    if (t->control & ONE_SHOT) {
        t->control &= ~(uint32_t)ENABLED;
        t->stood_at = 0;
        return;
    }
    const uint64_t reload = reload_of(t), whole = (steps - t->start) / reload * reload;
    t->started += (t->start + whole) * unit;
    t->start = reload;
}

static uint32_t value_at(const gs_sp804 *module, const gs_sp804_timer *t, uint64_t now)
{
    if (!(t->control & ENABLED))
        return t->stood_at;
    return (uint32_t)((t->start - (now - t->started) / unit_of(module, t)) & (range_of(t) - 1));
}

static void start_from(gs_sp804_timer *t, uint64_t value, uint64_t now)
{
    t->start = value;
    t->started = now;
    t->stood_at = (uint32_t)value;
}

bool gs_sp804_interrupt(gs_sp804 *module, uint64_t now)
{
    bool raised = false;
    for (unsigned i = 0; i < 2; i++) {
        gs_sp804_timer *t = &module->timers[i];
        settle(module, t, now);
        raised |= t->raised && (t->control & INTERRUPTS);
    }
    return raised;
}

uint64_t gs_sp804_due(const gs_sp804 *module, uint64_t now)
{
    uint64_t next = UINT64_MAX;
    for (unsigned i = 0; i < 2; i++) {
        const gs_sp804_timer *t = &module->timers[i];
        uint64_t at;
        if ((t->control & (ENABLED | INTERRUPTS)) != (ENABLED | INTERRUPTS) || t->raised ||
            __builtin_mul_overflow(t->start, unit_of(module, t), &at) ||
            __builtin_add_overflow(at, t->started, &at))
            continue;
        if (at > now && at < next)
            next = at;
    }
    return next;
}

bool gs_sp804_load(void *self, uint32_t offset, unsigned size, uint64_t *value)
{
    gs_sp804 *module = self;
    const uint64_t now = module->machine->time;
    if (size != 4)
        return false;
    module->machine->saw_time = true;
    *value = 0;
    if (offset >= IDENTITY)
        *value = identity[(offset - IDENTITY) / 4 % sizeof identity];
    if (offset >= 2 * 4 * REGISTERS)
        return true;
    gs_sp804_timer *t = &module->timers[offset / 4 / REGISTERS];
    settle(module, t, now);
    switch (offset / 4 % REGISTERS) {
    case LOAD:
    case BACKGROUND: *value = t->load; break;
    case VALUE: *value = value_at(module, t, now); break;
    case CONTROL: *value = t->control; break;
    case RAISED: *value = t->raised; break;
    case MASKED: *value = t->raised && (t->control & INTERRUPTS); break;
    default: break;
    }
    return true;
}

bool gs_sp804_store(void *self, uint32_t offset, unsigned size, uint64_t value)
{
    gs_sp804 *module = self;
    const uint64_t now = module->machine->time;
    if (size != 4)
        return false;
    if (offset >= 2 * 4 * REGISTERS)
        return true;
    module->machine->saw_time = true;
    module->machine->hart.resync = true;
    gs_sp804_timer *t = &module->timers[offset / 4 / REGISTERS];
    settle(module, t, now);
    switch (offset / 4 % REGISTERS) {
    case LOAD:
        t->load = (uint32_t)value;
        start_from(t, t->load & (range_of(t) - 1), now);
        break;
    case BACKGROUND: t->load = (uint32_t)value; break;
    case CLEAR: t->raised = false; break;
    case CONTROL:
        start_from(t, value_at(module, t, now), now);
        t->control = (uint32_t)value & 0xff;
        break;
    default: break;
    }
    return true;
}
