/* stuck - waits for interrupts that never come, or with hart 1 FAULTS, loads from where nothing
 * is. */
#include "many.h"

int main(void)
{
    if (hart() == 1 && FAULTS)
        return (int)*at(0x70000000);
    for (;;)
        __asm__ volatile("wfi");
}
