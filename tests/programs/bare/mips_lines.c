/* A line of the script, the pins and the dual timer, each as a hardware interrupt that ends a wait.
 */
#include "rt.h"
#include "rt_mips.h"

#define TIMER(at) REG32(0xb8040000 + (at))
#define GPIO(at)  REG32(0xb8060000 + (at))

static uint32_t wait_for(uint32_t lines)
{
    CP0_WRITE(12, 0, lines); /* Status.IM, with interrupts off: they end the wait all the same */
    __asm__ volatile("wait");
    return CP0_READ(13, 0) & 0x7c00;
}

int main(void)
{
    put_hex(wait_for(1 << 14)); /* line 4: Cause.IP6 */
    put("\n");
    GPIO(0x04) = GPIO(0x18) = 1 << 7;
    put_hex(wait_for(1 << 12)); /* the pins: Cause.IP4 */
    GPIO(0x1c) = 1 << 7;
    put("\n");
    TIMER(0x20) = 2000;
    TIMER(0x28) = 0xa3;         /* once */
    put_hex(wait_for(1 << 11)); /* the timer: Cause.IP3 */
    TIMER(0x2c) = 0;
    put("\n");
    put_hex(CP0_READ(13, 0) & 0x7c00);
    put("\n");
    return 0;
}
