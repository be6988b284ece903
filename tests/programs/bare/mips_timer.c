/* Count, Compare and `wait`. */
#include "rt.h"
#include "rt_mips.h"

extern char __vectors[];
static volatile uint32_t ticks, next;

void exception(void);
void exception(void)
{
    uint32_t cause = CP0_READ(13, 0);
    if ((cause >> 2 & 31) != 0 || !(cause >> 15 & 1))
        finish(99);
    if ((int32_t)(CP0_READ(9, 0) - next) < 0)
        finish(98); /* too early */
    ticks++;
    next = CP0_READ(9, 0) + 20000;
    CP0_WRITE(11, 0, next);
}

int main(void)
{
    CP0_WRITE(15, 1, (uintptr_t)__vectors);
    next = CP0_READ(9, 0) + 20000;
    CP0_WRITE(11, 0, next);
    CP0_WRITE(12, 0, 1u << 15 | 1);
    for (int i = 0; i < 5; i++) {
        uint32_t seen = ticks;
        while (ticks == seen)
            __asm__ volatile("wait");
        put("tick\n");
    }
    uint32_t before = ticks;
    while (ticks - before < 3)
        ;
    put("done\n");
    return 0;
}
