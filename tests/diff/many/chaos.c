/*
 * chaos - cores that do at random what cores can do to each other.
 *
 * The test changes `seed` in the ELF file, so that one program is any number of them.
 * What is under a lock is counted, so that the end can be checked: hart 0 exits with 1 if a count
 * was lost.
 */
#include "many.h"

enum { COUNTERS = 4, WORDS = 64, STEPS = 40 };

volatile uint32_t seed = 0x5eed5eed;

static word *const counters = SHARED;
static word *const totals = SHARED + 16; /* by hart */
static word *const scratch = SHARED + 64;

static uint32_t state;
static volatile uint32_t taken, received;

static uint32_t next(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static word *mtimecmp(uint32_t id)
{
    return at(CLINT_BASE + 0x4000 + 8 * id);
}

__attribute__((interrupt)) static void handler(void)
{
    uint32_t cause;
    const uint32_t id = hart();
    __asm__ volatile("csrr %0, mcause" : "=r"(cause));
    taken++;
    switch (cause & 15) {
    case 3: at(CLINT_BASE)[id] = 0; break;
    case 7: mtimecmp(id)[1] = 0xffffffff; break;
    default: received += at(MAILBOX_BASE + 16 * id)[0] & 0xff;
    }
}

static void work(uint32_t amount)
{
    static uint32_t local[128];
    uint32_t a = next() | 1, b = next();
    for (uint32_t i = 0; i < amount; i++) {
        local[(a + i) % 128] += b;
        b = b * a + local[b % 128];
        if (i % 8 == 3)
            a = b / (a | 1);
    }
    local[0] += a;
}

static void disable(void)
{
    __asm__ volatile("csrci mstatus, 8" ::: "memory");
}

static void enable(void)
{
    __asm__ volatile("csrsi mstatus, 8" ::: "memory");
}

/* Waits, asleep, until its timer goes off; others may wake it before. With interrupts off, or the
 * timer's could come and go before it sleeps. */
static void doze(uint32_t id)
{
    word *mtime = at(CLINT_BASE + 0xbff8);
    uint32_t before;
    __asm__ volatile("csrrci %0, mstatus, 8" : "=r"(before)::"memory");
    const uint32_t until = mtime[0] + 100 + next() % 400;
    mtimecmp(id)[0] = until;
    mtimecmp(id)[1] = 0;
    __asm__ volatile("wfi\n csrs mstatus, %0" ::"r"(before & 8) : "memory");
}

static void step(uint32_t id, uint32_t count)
{
    const uint32_t what = next() % 12, other = next() % count, place = next() % WORDS;
    switch (what) {
    case 0: work(next() % 40); break;
    case 1: scratch[place] = next(); break;
    case 2: state += scratch[place] & 3; break;
    case 3: ((volatile uint8_t *)scratch)[place] = (uint8_t)next(); break;
    case 4: state ^= ((volatile uint16_t *)scratch)[place] / (place + 3); break;
    case 5:
    case 6: {
        const uint32_t number = next() % COUNTERS;
        lock(number);
        counters[number] = counters[number] + 1;
        if (place & 1)
            work(place % 8);
        unlock(number);
        totals[id]++;
        break;
    }
    case 7: at(CLINT_BASE)[other] = 1; break;
    case 8: at(MAILBOX_BASE + 16 * other)[0] = next(); break;
    case 9: doze(id); break;
    case 10:
        disable(); /* and on again, if they were on or not */
        work(next() % 10);
        for (uint32_t i = 0; i < 8; i++)
            scratch[(place + i) % WORDS] = i;
        enable();
        break;
    default: __asm__ volatile("csrr %0, mip" : "=r"(received)); break;
    }
}

int main(void)
{
    const uint32_t id = hart(), count = harts();
    uint32_t sum = 0;
    state = seed * 2654435761u + id * 40503 + 1;
    wait_for_all();
    __asm__ volatile("csrw mtvec, %0" ::"r"(handler));
    __asm__ volatile("csrw mie, %0" ::"r"(seed & 1 ? 0x888 : (next() & 0x888) | 0x80));
    at(MAILBOX_BASE + 16 * id)[2] = 1;
    if (seed & 1)
        enable();
    for (uint32_t i = 0; i < STEPS; i++)
        step(id, count);
    disable();
    wait_for_all();
    if (id != 0)
        return 0;
    for (uint32_t i = 0; i < COUNTERS; i++)
        sum += counters[i];
    for (uint32_t i = 0; i < count; i++)
        sum -= totals[i];
    return sum != 0;
}
