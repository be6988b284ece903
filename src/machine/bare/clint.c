/* RISC-V's core-local interruptor: msip, mtimecmp and mtime. */
#include "machine/bare/clint.h"

enum { MSIP = 0, MTIMECMP = 0x4000, MTIME = 0xbff8 };

/* Of the RP2350: */
enum { SOFTIRQ = 0, CTRL = 4, SIO_MTIME = 0x10, SIO_MTIMECMP = 0x18 };
enum { SOFTIRQ_SET = 1, SOFTIRQ_CLEAR = 1 << 8, CTRL_EN = 1, CTRL_FULLSPEED = 2, CTRL_DEBUG = 0xc };

void gs_clint_init(gs_clint *clint, gs_machine *machine, uint64_t divider)
{
    *clint = (gs_clint){
        .machine = machine, .divider = divider, .slowness = divider, .mtimecmp = UINT64_MAX};
}

static uint64_t mtime_at(const gs_clint *clint, uint64_t now)
{
    if (clint->mtime_written || clint->stopped)
        return clint->mtime_new;
    return now / clint->divider + clint->mtime_offset;
}

bool gs_clint_load(void *self, uint32_t offset, unsigned size, uint64_t *value)
{
    const gs_clint *clint = self;
    uint64_t whole;

    if (size != 4 && size != 8)
        return false;
    clint->machine->saw_time = true;
    switch (offset & ~7u) {
    case MSIP: whole = clint->msip; break;
    case MTIMECMP: whole = clint->mtimecmp; break;
    case MTIME: whole = mtime_at(clint, clint->machine->time); break;
    default: whole = 0; break; /* registers of harts that are not there */
    }
    if (size == 4)
        whole = (uint32_t)(whole >> 8 * (offset & 4));
    *value = whole;
    return true;
}

/* A register of 64 bits after a store to all of it or to a half. */
static uint64_t merge(uint64_t old, uint32_t offset, unsigned size, uint64_t value)
{
    if (size == 8)
        return value;
    unsigned shift = 8 * (offset & 4);
    uint64_t mask = UINT64_C(0xffffffff) << shift;
    return (old & ~mask) | (value << shift & mask);
}

bool gs_clint_store(void *self, uint32_t offset, unsigned size, uint64_t value)
{
    gs_clint *clint = self;

    if (size != 4 && size != 8)
        return false;
    clint->machine->saw_time = true;
    switch (offset & ~7u) {
    case MSIP:
        if (offset == MSIP)
            clint->msip = value & 1;
        break;
    case MTIMECMP: clint->mtimecmp = merge(clint->mtimecmp, offset, size, value); break;
    case MTIME:
        clint->mtime_new = merge(mtime_at(clint, clint->machine->time), offset, size, value);
        clint->mtime_written = true;
        break;
    default: return true;
    }
    clint->machine->hart.resync = true;
    return true;
}

bool gs_rp2350_mtime_load(void *self, uint32_t offset, unsigned size, uint64_t *value)
{
    const gs_clint *clint = self;
    if (size != 4)
        return false;
    clint->machine->saw_time = true;
    switch (offset & ~4u) {
    case SIO_MTIME: *value = mtime_at(clint, clint->machine->time); break;
    case SIO_MTIMECMP: *value = clint->mtimecmp; break;
    case SOFTIRQ:
        *value = clint->msip ? SOFTIRQ_SET | SOFTIRQ_CLEAR : 0;
        if (offset == CTRL)
            *value = CTRL_DEBUG | (clint->stopped ? 0 : CTRL_EN) |
                     (clint->divider == 1 ? CTRL_FULLSPEED : 0);
        return true;
    default: *value = 0; break;
    }
    *value = (uint32_t)(*value >> 8 * (offset & 4));
    return true;
}

bool gs_rp2350_mtime_store(void *self, uint32_t offset, unsigned size, uint64_t value)
{
    gs_clint *clint = self;
    const uint64_t mtime = mtime_at(clint, clint->machine->time);
    if (size != 4)
        return false;
    clint->machine->saw_time = true;
    clint->machine->hart.resync = true;
    switch (offset & ~4u) {
    case SIO_MTIMECMP: clint->mtimecmp = merge(clint->mtimecmp, offset, size, value); break;
    case SIO_MTIME:
        clint->mtime_new = merge(mtime, offset, size, value);
        clint->mtime_written = true;
        break;
    case SOFTIRQ:
        if (offset == SOFTIRQ) {
            clint->msip = (clint->msip || (value & SOFTIRQ_SET)) && !(value & SOFTIRQ_CLEAR);
            break;
        }
        clint->mtime_new = mtime;
        clint->mtime_written = true;
        clint->stopped = !(value & CTRL_EN);
        clint->divider = value & CTRL_FULLSPEED ? 1 : clint->slowness;
        break;
    default: break;
    }
    return true;
}

void gs_clint_settle(gs_clint *clint, uint64_t now)
{
    if (clint->mtime_written)
        clint->mtime_offset = clint->mtime_new - now / clint->divider;
    clint->mtime_written = false;
}

uint32_t gs_clint_pending(const gs_clint *clint, uint64_t now)
{
    uint32_t bits = 0;
    if (clint->msip)
        bits |= 1u << GS_RV_IRQ_SOFTWARE;
    if (mtime_at(clint, now) >= clint->mtimecmp)
        bits |= 1u << GS_RV_IRQ_TIMER;
    return bits;
}

uint64_t gs_clint_due(const gs_clint *clint, uint64_t now)
{
    uint64_t mtime = mtime_at(clint, now), time;
    if (mtime >= clint->mtimecmp || clint->stopped ||
        __builtin_add_overflow(now / clint->divider, clint->mtimecmp - mtime, &time) ||
        __builtin_mul_overflow(time, clint->divider, &time))
        return UINT64_MAX;
    return time;
}
