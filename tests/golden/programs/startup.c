/* The start of a vendor's firmware: it turns on a clock, waits until that is stable, and stops the
 * watchdog. */
#define REGISTER(address) (*(volatile unsigned *)(address))

__asm__(".globl _start\n_start: li sp, 0x80010000\n\tj start");

static __attribute__((noinline)) void set_up_clock(void)
{
    REGISTER(0x40021000) |= 1;
    while (!(REGISTER(0x40021000) & 2))
        ;
}

static __attribute__((noinline)) void stop_watchdog(void)
{
    REGISTER(0x40003000) = 0x5555;
}

void start(void)
{
    set_up_clock();
    stop_watchdog();
    for (;;)
        REGISTER(0xfff00000) = 0;
}
