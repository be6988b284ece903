/*
 * rt_rv.h - RISC-V: semihosting, control registers, devices.
 */
#ifndef RT_RV_H
#define RT_RV_H

#include <stdint.h>

/* In start_rv.S. */
uint32_t semihost(uint32_t operation, const volatile void *argument);

#define CSR_READ(name)                                      \
    ({                                                      \
        uint32_t value_;                                    \
        __asm__ volatile("csrr %0, " #name : "=r"(value_)); \
        value_;                                             \
    })
#define CSR_WRITE(name, value) \
    __asm__ volatile("csrw " #name ", %0" ::"r"((uint32_t)(value)) : "memory")
#define CSR_SET(name, value) \
    __asm__ volatile("csrs " #name ", %0" ::"r"((uint32_t)(value)) : "memory")
#define CSR_CLEAR(name, value) \
    __asm__ volatile("csrc " #name ", %0" ::"r"((uint32_t)(value)) : "memory")

enum { MSTATUS_MIE = 8, MIE_SOFTWARE = 1 << 3, MIE_TIMER = 1 << 7, MIE_EXTERNAL = 1 << 11 };

#define REG32(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define REG8(address)  (*(volatile uint8_t *)(uintptr_t)(address))

#define MSIP      REG32(0x02000000)
#define MTIMECMP  REG32(0x02004000)
#define MTIMECMPH REG32(0x02004004)
#define MTIME     REG32(0x0200bff8)
#define MTIMEH    REG32(0x0200bffc)

#define UART_DATA REG8(0x10000000)
#define UART_IER  REG8(0x10000001)
#define UART_IIR  REG8(0x10000002)
#define UART_LCR  REG8(0x10000003)
#define UART_MCR  REG8(0x10000004)
#define UART_LSR  REG8(0x10000005)
#define UART_MSR  REG8(0x10000006)
#define UART_SCR  REG8(0x10000007)

#define PLIC_PRIORITY(source) REG32(0x0c000000 + 4 * (source))
#define PLIC_ENABLE(word)     REG32(0x0c002000 + 4 * (word))
#define PLIC_THRESHOLD        REG32(0x0c200000)
#define PLIC_CLAIM            REG32(0x0c200004)

#define TIMER(at) REG32(0x10040000 + (at))
#define GPIO(at)  REG32(0x10060000 + (at))

#define TEST_EXIT REG32(0xf0000000)
#define TEST_PUT  REG32(0xf0000004)
#define TEST_MARK REG32(0xf0000008)

#endif
