/* Time and alarms of the RP2350. */
#include "machine/bare/rp2350_timer.h"

#include "machine/bare/atomic.h"

enum {
    TIMEHW = 0x00,
    TIMELW = 0x04,
    TIMEHR = 0x08,
    TIMELR = 0x0c,
    ALARM0 = 0x10,
    ARMED = 0x20,
    TIMERAWH = 0x24,
    TIMERAWL = 0x28,
    DBGPAUSE = 0x2c,
    PAUSE = 0x30,
    LOCKED = 0x34,
    SOURCE = 0x38,
    INTR = 0x3c,
    INTE = 0x40,
    INTF = 0x44,
    INTS = 0x48,
};

enum { ALL_ALARMS = (1 << GS_RP2350_ALARMS) - 1 };

void gs_rp2350_timer_init(gs_rp2350_timer *timer, gs_machine *machine, uint64_t divider)
{
    *timer = (gs_rp2350_timer){.machine = machine, .divider = divider, .debug = 7};
}

static uint64_t time_at(const gs_rp2350_timer *timer, uint64_t now)
{
    return timer->pause ? timer->paused : now / timer->divider + timer->offset;
}

/* The time, from `time` on, whose low 32 bits are the alarm's. */
static uint64_t next_match(uint64_t time, uint32_t alarm)
{
    return time + (uint32_t)(alarm - (uint32_t)time);
}

static void set_time(gs_rp2350_timer *timer, uint64_t time)
{
    timer->paused = time;
    timer->offset = time - timer->machine->time / timer->divider;
    for (unsigned i = 0; i < GS_RP2350_ALARMS; i++)
        timer->due[i] = next_match(time, timer->alarm[i]);
}

/* Fires the alarms that are due. */
static void settle(gs_rp2350_timer *timer, uint64_t now)
{
    const uint64_t time = time_at(timer, now);
    for (unsigned i = 0; i < GS_RP2350_ALARMS; i++) {
        const uint32_t bit = UINT32_C(1) << i;
        if (!(timer->armed & bit) || timer->due[i] > time)
            continue;
        timer->armed &= ~bit;
        timer->raised |= bit;
    }
}

uint32_t gs_rp2350_timer_lines(gs_rp2350_timer *timer, uint64_t now)
{
    settle(timer, now);
    return (timer->raised & timer->enabled) | timer->forced;
}

uint64_t gs_rp2350_timer_due(const gs_rp2350_timer *timer, uint64_t now)
{
    uint64_t next = UINT64_MAX;
    for (unsigned i = 0; i < GS_RP2350_ALARMS && !timer->pause; i++) {
        uint64_t at;
        if (!(timer->armed & timer->enabled & UINT32_C(1) << i) ||
            __builtin_mul_overflow(timer->due[i] - timer->offset, timer->divider, &at))
            continue;
        if (at > now && at < next)
            next = at;
    }
    return next;
}

static uint32_t read_register(gs_rp2350_timer *timer, uint32_t at)
{
    const uint64_t now = timer->machine->time, time = time_at(timer, now);
    settle(timer, now);
    switch (at) {
    case TIMEHR: return timer->latched_high;
    case TIMELR: timer->latched_high = (uint32_t)(time >> 32); return (uint32_t)time;
    case TIMERAWH: return (uint32_t)(time >> 32);
    case TIMERAWL: return (uint32_t)time;
    case ARMED: return timer->armed;
    case DBGPAUSE: return timer->debug;
    case PAUSE: return timer->pause;
    case LOCKED: return timer->locked;
    case SOURCE: return timer->source;
    case INTR: return timer->raised;
    case INTE: return timer->enabled;
    case INTF: return timer->forced;
    case INTS: return (timer->raised & timer->enabled) | timer->forced;
    default:
        return at >= ALARM0 && at < ARMED ? timer->alarm[(at - ALARM0) / 4] : 0; /* write only */
    }
}

static void write_register(gs_rp2350_timer *timer, uint32_t at, uint32_t value)
{
    const uint64_t time = time_at(timer, timer->machine->time);
    switch (at) {
    case TIMELW: timer->time_low = value; break;
    case TIMEHW: set_time(timer, (uint64_t)value << 32 | timer->time_low); break;
    case ARMED: timer->armed &= ~value; break;
    case DBGPAUSE: timer->debug = value & 7; break;
    case PAUSE:
        timer->pause = value & 1;
        set_time(timer, time);
        break;
    case LOCKED: timer->locked |= value & 1; break;
    case SOURCE: timer->source = value & 1; break;
    case INTR: timer->raised &= ~value; break;
    case INTE: timer->enabled = value & ALL_ALARMS; break;
    case INTF: timer->forced = value & ALL_ALARMS; break;
    default:
        if (at >= ALARM0 && at < ARMED) {
            const unsigned i = (at - ALARM0) / 4;
            timer->alarm[i] = value;
            timer->due[i] = next_match(time, value);
            timer->armed |= UINT32_C(1) << i;
        }
        break;
    }
}

bool gs_rp2350_timer_load(void *self, uint32_t offset, unsigned size, uint64_t *value)
{
    gs_rp2350_timer *timer = self;
    if (size != 4)
        return false;
    timer->machine->saw_time = true;
    *value = read_register(timer, offset % GS_ATOMIC_DISTANCE);
    return true;
}

/* What a copy that sets or clears bits changes: not the registers that are no memory. */
static uint32_t old_value(gs_rp2350_timer *timer, uint32_t at)
{
    return at == ARMED || at == INTR ? 0 : read_register(timer, at);
}

bool gs_rp2350_timer_store(void *self, uint32_t offset, unsigned size, uint64_t value)
{
    gs_rp2350_timer *timer = self;
    const uint32_t at = offset % GS_ATOMIC_DISTANCE;
    if (size != 4)
        return false;
    timer->machine->saw_time = true;
    settle(timer, timer->machine->time);
    if (!timer->locked || at == INTR || at == INTE || at == INTF)
        write_register(timer, at, gs_atomic_result(offset, old_value(timer, at), (uint32_t)value));
    timer->machine->hart.resync = true;
    return true;
}
