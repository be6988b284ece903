/* Timer interrupts and wfi; qemu. */
#include "rt.h"
#include "rt_rv.h"

static volatile uint32_t ticks;
static uint64_t next;

static uint64_t mtime(void)
{
    uint32_t high, low;
    do {
        high = MTIMEH;
        low = MTIME;
    } while (high != MTIMEH);
    return (uint64_t)high << 32 | low;
}

static void set_next(void)
{
    MTIMECMPH = ~0u;
    MTIMECMP = (uint32_t)next;
    MTIMECMPH = (uint32_t)(next >> 32);
}

static __attribute__((interrupt, aligned(4))) void handler(void)
{
    if (CSR_READ(mcause) != 0x80000007)
        finish(99);
    if (mtime() < next)
        finish(98); /* too early */
    ticks++;
    next += 10000;
    set_next();
}

int main(void)
{
    CSR_WRITE(mtvec, (uintptr_t)handler);
    next = mtime() + 10000;
    set_next();
    put(CSR_READ(mip) & MIE_TIMER ? "pending\n" : "not pending\n");
    CSR_SET(mie, MIE_TIMER);
    CSR_SET(mstatus, MSTATUS_MIE);
    for (int i = 0; i < 5; i++) {
        uint32_t seen = ticks;
        while (ticks == seen)
            __asm__ volatile("wfi");
        put("tick\n");
    }

    /* With mstatus.MIE off the hart wakes up without taking the interrupt. */
    CSR_CLEAR(mstatus, MSTATUS_MIE);
    uint32_t before = ticks;
    __asm__ volatile("wfi");
    put(CSR_READ(mip) & MIE_TIMER ? "pending\n" : "not pending\n");
    put_dec(ticks - before);
    put(" taken\n");

    /* Without waiting: time passes as instructions do. */
    CSR_SET(mstatus, MSTATUS_MIE);
    before = ticks;
    while (ticks - before < 3)
        ;
    put("done\n");
    return 0;
}
