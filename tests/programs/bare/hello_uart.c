/* Printing by the UART, which also has a scratch register and a loopback; ends by
 * semihosting; qemu. */
#include "rt.h"
#include "rt_rv.h"

void host_put(const char *text)
{
    while (*text) {
        while (!(UART_LSR & 0x20))
            ;
        UART_DATA = (uint8_t)*text++;
    }
}

static void print(const char *name, uint32_t value)
{
    put(name);
    put_hex(value);
    put("\n");
}

int main(void)
{
    UART_LCR = 0x80; /* divisor latch */
    UART_DATA = 0x34;
    UART_IER = 0x12;
    uint32_t divisor = UART_DATA | (uint32_t)UART_IER << 8;
    UART_LCR = 3;
    put("hello by UART\n");
    print("divisor ", divisor);
    UART_SCR = 0x5a;
    print("scratch ", UART_SCR);
    print("line status ", UART_LSR);
    print("modem status ", UART_MSR);
    print("interrupt enable ", UART_IER);
    UART_IIR = 7; /* FIFOs on and empty */
    print("interrupt identity ", UART_IIR);

    UART_MCR = 0x10; /* loopback */
    UART_DATA = 'x';
    UART_DATA = 'y';
    uint8_t status = UART_LSR, first = UART_DATA, second = UART_DATA, after = UART_LSR;
    UART_MCR = 0;
    print("looped ",
          (uint32_t)status << 24 | (uint32_t)first << 16 | (uint32_t)second << 8 | after);
    return 0;
}
