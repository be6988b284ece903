/* Sleeps until the UART interrupts: for input, and for being ready to send. */
#include "rt.h"
#include "rt_rv.h"

static volatile uint32_t received, sum, done, ready;

static __attribute__((interrupt, aligned(4))) void handler(void)
{
    if (CSR_READ(mcause) != 0x8000000b)
        finish(99);
    switch (UART_IIR & 15) {
    case 4:
        while (UART_LSR & 1) {
            uint8_t c = UART_DATA;
            received++;
            sum += c;
            if (c == '\n')
                done = 1;
        }
        break;
    case 2: ready++; break; /* reading IIR was the answer */
    default: finish(98);
    }
}

int main(void)
{
    CSR_WRITE(mtvec, (uintptr_t)handler);
    CSR_SET(mie, MIE_EXTERNAL);
    CSR_SET(mstatus, MSTATUS_MIE);
    UART_IER = 2;
    put_dec(ready);
    UART_DATA = '!';
    put_dec(ready);
    put("\n");
    UART_IER = 1;
    while (!done)
        __asm__ volatile("wfi");
    put_dec(received);
    put(" ");
    put_dec(sum);
    put("\n");
    return 0;
}
