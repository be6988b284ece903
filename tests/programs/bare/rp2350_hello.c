/*
 * The RP2350 from its reset to a greeting by UART, by the steps that start-up code of the Pico SDK
 * takes: boot ROM, resets, oscillator, PLLs, clocks, ticks, pins. Then alarms and interrupts.
 */
#include "rt.h"
#include "rt_rv.h"

enum {
    SYSINFO = 0x40000000,
    CLOCKS = 0x40010000,
    RESETS = 0x40020000,
    IO_BANK0 = 0x40028000,
    PADS_BANK0 = 0x40038000,
    XOSC = 0x40048000,
    PLL_SYS = 0x40050000,
    PLL_USB = 0x40058000,
    UART0 = 0x40070000,
    TIMER0 = 0x400b0000,
    TICKS = 0x40108000,
    XOR = 0x1000, /* copies of the registers that change single bits */
    SET = 0x2000,
    CLEAR = 0x3000,
};
#define SIO 0xd0000000

enum {
    ALL_RESETS = 0x1fffffff,
    RESET_UART0 = 1 << 26,
    RESET_PLL_SYS = 1 << 14,
    RESET_PLL_USB = 1 << 15
};
enum { CLK_REF = 0x30, CLK_SYS = 0x3c, CLK_PERI = 0x48, DIV = 4, SELECTED = 8 };
enum {
    UARTDR = 0x00,
    UARTFR = 0x18,
    UARTIBRD = 0x24,
    UARTFBRD = 0x28,
    UARTLCR_H = 0x2c,
    UARTCR = 0x30,
    UARTIMSC = 0x38,
    UARTMIS = 0x40,
    UARTICR = 0x44
};
enum { ALARM0 = 0x10, ARMED = 0x20, TIMERAWH = 0x24, TIMERAWL = 0x28, INTR = 0x3c, INTE = 0x40 };
enum { TIMER0_IRQ_0 = 0, UART0_IRQ = 33, SPARE_IRQ_0 = 46 };

#define IRQ_ARRAY(csr, irq, operation) \
    __asm__ volatile(operation " " csr ", %0" ::"r"(1u << (16 + (irq) % 16) | (irq) / 16))
#define IRQ_PRIORITY(irq, priority) \
    __asm__ volatile(               \
        "csrs 0xbe3, %0" ::"r"((uint32_t)(priority) << (16 + (irq) % 4 * 4) | (irq) / 4))

static void *(*lookup(void))(uint32_t code, uint32_t mask)
{
    return (void *(*)(uint32_t, uint32_t))(uintptr_t) * (volatile uint16_t *)0x7df8;
}

static void rom_reset_state(uint32_t what)
{
    int (*reset)(uint32_t) = (int (*)(uint32_t))lookup()('S' | 'R' << 8, 1);
    if (reset(what) != 0)
        host_exit(1);
}

static void unreset(uint32_t which)
{
    REG32(RESETS + CLEAR) = which;
    while (~REG32(RESETS + 8) & which)
        ;
}

static void start_pll(uint32_t pll, uint32_t reset, uint32_t multiplier, uint32_t dividers)
{
    REG32(RESETS + SET) = reset;
    if (REG32(RESETS + 8) & reset)
        host_exit(2);
    unreset(reset);
    REG32(pll) = 1;
    REG32(pll + 8) = multiplier;
    REG32(pll + 4 + CLEAR) = 0x21;
    while (!(REG32(pll) >> 31))
        ;
    REG32(pll + 0xc) = dividers;
    REG32(pll + 4 + CLEAR) = 8;
}

static void choose_clock(uint32_t clock, uint32_t auxiliary, uint32_t source)
{
    REG32(CLOCKS + clock + DIV) = 0x10000;
    REG32(CLOCKS + clock + CLEAR) = 3;
    while (!(REG32(CLOCKS + clock + SELECTED) & 1))
        ;
    REG32(CLOCKS + clock + XOR) = (REG32(CLOCKS + clock) ^ auxiliary << 5) & 0xe0;
    REG32(CLOCKS + clock + XOR) = (REG32(CLOCKS + clock) ^ source) & 3;
    while (!(REG32(CLOCKS + clock + SELECTED) & 1 << source))
        ;
    REG32(CLOCKS + clock + SET) = 0x800;
}

void runtime_init(void);
void runtime_init(void)
{
    rom_reset_state(4);
    rom_reset_state(1);
    while (!REG32(0x400e0828)) /* the boot lock that has the ROM look at the others */
        ;
    for (uint32_t i = 0; i < 4; i++)
        __asm__ volatile("csrw 0xbe2, %0" ::"r"(i)); /* no interrupt is forced */
    CSR_WRITE(mie, MIE_EXTERNAL);
    CSR_SET(mstatus, MSTATUS_MIE);

    REG32(RESETS + SET) = ALL_RESETS & ~(RESET_PLL_SYS | RESET_PLL_USB);
    unreset(ALL_RESETS & ~RESET_UART0);
    REG32(CLOCKS + 0x84) = 0;
    REG32(XOSC) = 0xaa0;
    REG32(XOSC + 0xc) = 47;
    REG32(XOSC + SET) = 0xfab000;
    while (!(REG32(XOSC + 4) >> 31))
        ;
    REG32(CLOCKS + CLK_SYS + CLEAR) = 1;
    while (REG32(CLOCKS + CLK_SYS + SELECTED) != 1)
        ;
    REG32(CLOCKS + CLK_REF + CLEAR) = 3;
    while (REG32(CLOCKS + CLK_REF + SELECTED) != 1)
        ;
    start_pll(PLL_SYS, RESET_PLL_SYS, 125, 5 << 16 | 2 << 12);
    start_pll(PLL_USB, RESET_PLL_USB, 100, 5 << 16 | 5 << 12);
    choose_clock(CLK_REF, 0, 2);
    choose_clock(CLK_SYS, 0, 1);
    REG32(CLOCKS + CLK_PERI + SET) = 0x800;
    for (uint32_t i = 0; i < 6; i++) {
        REG32(TICKS + 12 * i + 4) = 12;
        REG32(TICKS + 12 * i) = 1;
    }
    unreset(ALL_RESETS);
}

static void init_uart(void)
{
    REG32(RESETS + SET) = RESET_UART0;
    unreset(RESET_UART0);
    REG32(UART0 + UARTIBRD) = 81;
    REG32(UART0 + UARTFBRD) = 24;
    REG32(UART0 + UARTLCR_H + SET) = 0;
    REG32(UART0 + UARTLCR_H + XOR) = (REG32(UART0 + UARTLCR_H) ^ 0x70) & 0x7e;
    REG32(UART0 + UARTCR) = 0x301;
    for (uint32_t pin = 0; pin < 2; pin++) {
        REG32(PADS_BANK0 + 4 + 4 * pin + XOR) = (REG32(PADS_BANK0 + 4 + 4 * pin) ^ 0x40) & 0xc0;
        REG32(IO_BANK0 + 8 * pin + 4) = 2;
        REG32(PADS_BANK0 + 4 + 4 * pin + CLEAR) = 0x100;
    }
}

void host_put(const char *text)
{
    for (; *text; text++) {
        while (REG32(UART0 + UARTFR) & 0x20)
            ;
        REG32(UART0 + UARTDR) = (uint8_t)*text;
    }
}

_Noreturn void host_exit(int code)
{
    for (;;)
        TEST_EXIT = (uint32_t)code;
}

static uint64_t time_us(void)
{
    for (;;) {
        uint32_t high = REG32(TIMER0 + TIMERAWH), low = REG32(TIMER0 + TIMERAWL);
        if (REG32(TIMER0 + TIMERAWH) == high)
            return (uint64_t)high << 32 | low;
    }
}

static volatile uint32_t rang, nested;

/* In the order of their priorities: the spare interrupt is forced by the alarm's handler, which it
 * may interrupt, and forces another one, which it has to let finish. */
void handle(uint32_t irq);
void handle(uint32_t irq)
{
    switch (irq) {
    case TIMER0_IRQ_0:
        REG32(TIMER0 + INTR) = 1;
        rang++;
        put("alarm");
        IRQ_ARRAY("0xbe2", SPARE_IRQ_0, "csrs");
        put(nested == 1 ? " was interrupted\n" : " was not interrupted\n");
        break;
    case SPARE_IRQ_0:
        nested++;
        put(" [spare");
        IRQ_ARRAY("0xbe2", SPARE_IRQ_0 + 1, "csrs");
        put("]");
        break;
    case SPARE_IRQ_0 + 1: put("later\n"); break;
    case UART0_IRQ:
        put("received ");
        while (!(REG32(UART0 + UARTFR) & 0x10))
            REG32(UART0 + UARTDR) = REG32(UART0 + UARTDR);
        REG32(UART0 + UARTIMSC + CLEAR) = 0x50;
        break;
    default: host_exit(3);
    }
}

int main(void)
{
    init_uart();
    put("Hello from an RP2350, chip ");
    put_hex(REG32(SYSINFO));
    put(", core ");
    put_dec(REG32(SIO));
    put("\n");
    if (!lookup()('G' | 'S' << 8, 1) || lookup()('X' | 'F' << 8, 0x40))
        return 4;

    IRQ_PRIORITY(TIMER0_IRQ_0, 4);
    IRQ_PRIORITY(SPARE_IRQ_0, 8);
    IRQ_PRIORITY(SPARE_IRQ_0 + 1, 2);
    IRQ_ARRAY("0xbe0", TIMER0_IRQ_0, "csrs");
    IRQ_ARRAY("0xbe0", SPARE_IRQ_0, "csrs");
    IRQ_ARRAY("0xbe0", SPARE_IRQ_0 + 1, "csrs");
    uint64_t before = time_us();
    REG32(TIMER0 + INTE + SET) = 1;
    REG32(TIMER0 + ALARM0) = (uint32_t)before + 1000;
    if (!(REG32(TIMER0 + ARMED) & 1))
        return 5;
    while (!rang)
        __asm__ volatile("wfi");
    uint64_t waited = time_us() - before;
    put(waited >= 1000 && waited < 1010 ? "after a millisecond\n" : "at another time\n");

    IRQ_ARRAY("0xbe0", UART0_IRQ, "csrs");
    REG32(UART0 + UARTIMSC + SET) = 0x50;
    while (REG32(UART0 + UARTIMSC) & 0x50)
        __asm__ volatile("wfi");
    put("\n");
    uint32_t context;
    __asm__ volatile("csrr %0, 0xbe5" : "=r"(context));
    put_hex(context);
    put("\n");
    return 0;
}
