/* Reads by polling the UART until a full stop, in capitals back. */
#include "rt.h"
#include "rt_rv.h"

int main(void)
{
    for (;;) {
        while (!(UART_LSR & 1))
            ;
        uint8_t c = UART_DATA;
        UART_DATA = c >= 'a' && c <= 'z' ? (uint8_t)(c - 32) : c;
        if (c == '.')
            break;
    }
    UART_DATA = '\n';
    return 0;
}
