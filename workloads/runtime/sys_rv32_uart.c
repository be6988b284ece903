/*
 * sys_rv32_uart.c - output through a 16550 UART, as on QEMU's virt board and
 * many FPGA systems; exit through Gumshoe's test device, a UART has none.
 */
#include "workload.h"

#ifndef UART_BASE
#define UART_BASE 0x10000000u
#endif
#ifndef TESTDEV_BASE
#define TESTDEV_BASE 0xf0000000u
#endif

enum { UART_THR = 0, UART_LSR = 5, UART_LSR_THRE = 0x20 };

static volatile uint8_t *const uart = (volatile uint8_t *)(uintptr_t)UART_BASE;
static volatile uint32_t *const testdev_exit = (volatile uint32_t *)(uintptr_t)TESTDEV_BASE;

void sys_write(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        while (!(uart[UART_LSR] & UART_LSR_THRE))
            ;
        uart[UART_THR] = (uint8_t)text[i];
    }
}

_Noreturn void sys_exit(int status)
{
    for (;;)
        *testdev_exit = (uint32_t)status;
}
