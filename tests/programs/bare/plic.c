/* The PLIC's priorities, nesting and claims; UART, timer, pins and lines from a script as sources.
 */
#include "rt.h"
#include "rt_rv.h"

enum { UART = 10, DUAL_TIMER = 16, PINS = 32 };

static volatile uint32_t count[64], order[16], taken, deepest, depth, at[16];
static char line[8];
static uint32_t length;

static void serve(uint32_t source)
{
    switch (source) {
    case UART:
        while (UART_LSR & 1)
            line[length++ & 7] = (char)UART_DATA;
        break;
    case DUAL_TIMER: TIMER(0x0c) = 0; break;
    case PINS + 2: GPIO(0x1c) = GPIO(0x24) = 1 << 2; break;
    default: /* a line of the script: it is lowered without us */
        for (uint32_t until = MTIME + 600; MTIME < until;)
            continue;
    }
}

/* Lets more urgent sources interrupt it. */
static __attribute__((interrupt, aligned(4))) void handler(void)
{
    if (CSR_READ(mcause) != 0x8000000b)
        finish(99);
    const uint32_t now = MTIME, source = PLIC_CLAIM, threshold = PLIC_THRESHOLD;
    const uint32_t mepc = CSR_READ(mepc);
    if (source == 0)
        finish(98);
    at[taken & 15] = now;
    order[taken++ & 15] = source;
    count[source]++;
    deepest = ++depth > deepest ? depth : deepest;
    PLIC_THRESHOLD = PLIC_PRIORITY(source);
    CSR_SET(mstatus, MSTATUS_MIE);
    serve(source);
    CSR_CLEAR(mstatus, MSTATUS_MIE);
    PLIC_THRESHOLD = threshold;
    PLIC_CLAIM = source;
    CSR_WRITE(mepc, mepc);
    CSR_SET(mstatus, 0x1880); /* MPP, MPIE */
    depth--;
}

static void wait_for(uint32_t source, uint32_t times)
{
    while (count[source] < times)
        __asm__ volatile("wfi");
}

static void show(const char *what, uint32_t value)
{
    put(what);
    put_dec(value);
    put("\n");
}

int main(void)
{
    CSR_WRITE(mtvec, (uintptr_t)handler);
    for (uint32_t source = 1; source < 64; source++)
        PLIC_PRIORITY(source) = 1;
    PLIC_PRIORITY(3) = 2;
    PLIC_PRIORITY(4) = 3;
    PLIC_PRIORITY(5) = 2;
    PLIC_ENABLE(0) = 1 << 3 | 1 << 4 | 1 << 5 | 1 << 6 | 1 << UART | 1 << DUAL_TIMER;
    PLIC_ENABLE(1) = 1 << (PINS + 2 - 32);
    CSR_SET(mie, MIE_EXTERNAL);
    CSR_SET(mstatus, MSTATUS_MIE);

    TIMER(0x00) = 3000;
    TIMER(0x08) = 0xe2; /* enabled, periodic, with interrupts, 32 bits */
    wait_for(DUAL_TIMER, 3);
    TIMER(0x08) = 0;
    const uint32_t first = at[1] - at[0] + 8, second = at[2] - at[1] + 8;
    show("a timer interrupts every 3000 ticks, within 8: ",
         first / 16 == 188 && second / 16 == 188);

    taken = 0;
    wait_for(5, 1); /* the last of the three: 4 is the most urgent, then 3 as the lower number */
    show("", order[0]);
    show("", order[1]);
    show("", order[2]);
    show("deepest: ", deepest);

    UART_IER = 1;
    wait_for(UART, 1);
    put("received ");
    put(line);

    GPIO(0x04) = GPIO(0x18) = GPIO(0x20) = 1 << 2; /* an input, both edges */
    wait_for(PINS + 2, 2);
    show("edges: ", count[PINS + 2]);
    wait_for(6, 3);
    show("again and again: ", count[6]);
    return 0;
}
