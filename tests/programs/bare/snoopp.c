/* SnoopP's registers, as the program itself sees them. */
#include "gumshoe/firmware/snoopp.h"
#include "rt.h"
#include "rt_rv.h"

/* 1 + 2 * 10 + 1 instructions. */
void work(void);
__asm__(".globl work\n.type work, @function\n.balign 4\n"
        "work: li t0, 10\n"
        "1: addi t0, t0, -1\n bnez t0, 1b\n ret\n.size work, . - work\n");

void host_put(const char *text)
{
    while (*text)
        TEST_PUT = (uint8_t)*text++;
}

_Noreturn void host_exit(int code)
{
    for (;;)
        TEST_EXIT = (uint32_t)code;
}

static void show(const char *what, uint32_t value)
{
    put(what);
    put_dec(value);
    put("\n");
}

int main(void)
{
    volatile uint32_t *snoopp = (volatile uint32_t *)0xf1000000;
    show("is there: ", snoopp[GS_SNOOPP_ID / 4] == GS_SNOOPP_MAGIC);
    show("counters: ", snoopp[GS_SNOOPP_CONFIG / 4] & 0xffff);
    show("width: ", snoopp[GS_SNOOPP_CONFIG / 4] >> 16 & 0xff);
    show("begins with work: ",
         gs_snoopp_counter(snoopp, 0)[GS_SNOOPP_FIRST / 4] == (uint32_t)(uintptr_t)work);
    work();
    show("once: ", (uint32_t)gs_snoopp_read(snoopp, 0));
    work();
    show("twice: ", (uint32_t)gs_snoopp_read(snoopp, 0));
    gs_snoopp_reset(snoopp, 0);
    show("reset: ", (uint32_t)gs_snoopp_read(snoopp, 0));
    gs_snoopp_run(snoopp, 0);
    work();
    show("stopped: ", (uint32_t)gs_snoopp_read(snoopp, 0));
    gs_snoopp_run(snoopp, 1);
    work();
    show("again: ", (uint32_t)gs_snoopp_read(snoopp, 0));
    show("main counts, too: ", gs_snoopp_read(snoopp, 1) > 0);
    gs_snoopp_reset_all(snoopp);
    show("all reset: ", (uint32_t)gs_snoopp_read(snoopp, 0));
    return 0;
}
