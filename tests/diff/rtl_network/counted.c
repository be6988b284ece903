/* Waits for a byte on the UART, and then does what is to be counted: sorts, with loads, stores and
 * branches. */
#include "rt.h"
#include "rt_rv.h"

enum { COUNT = 600 };

static uint32_t numbers[COUNT];

__attribute__((noinline)) uint32_t work(void)
{
    uint32_t next = 1, sum = 0;
    for (int i = 0; i < COUNT; i++)
        numbers[i] = next = next * 1664525 + 1013904223;
    for (int gap = COUNT / 2; gap > 0; gap /= 2) {
        for (int i = gap; i < COUNT; i++) {
            const uint32_t moved = numbers[i];
            int at = i;
            for (; at >= gap && numbers[at - gap] > moved; at -= gap)
                numbers[at] = numbers[at - gap];
            numbers[at] = moved;
        }
    }
    for (int i = 0; i < COUNT; i++)
        sum = sum * 31 + numbers[i] / 7;
    return sum;
}

int main(void)
{
    while (!(UART_LSR & 1))
        ;
    (void)UART_DATA;
    return work() == 0;
}
