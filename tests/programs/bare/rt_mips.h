/*
 * rt_mips.h - MIPS: the UHI and system control registers.
 */
#ifndef RT_MIPS_H
#define RT_MIPS_H

#include <stdint.h>

/* The result; an errno, if *error is wanted. */
static inline int32_t uhi(uint32_t operation, uint32_t a, uint32_t b, uint32_t c, uint32_t d,
                          uint32_t *error)
{
    register uint32_t op __asm__("$25") = operation;
    register uint32_t a0 __asm__("$4") = a;
    register uint32_t a1 __asm__("$5") = b;
    register uint32_t a2 __asm__("$6") = c;
    register uint32_t a3 __asm__("$7") = d;
    register uint32_t v0 __asm__("$2") = 1;
    register uint32_t v1 __asm__("$3");
    __asm__ volatile("sdbbp 1"
                     : "+r"(v0), "=r"(v1)
                     : "r"(op), "r"(a0), "r"(a1), "r"(a2), "r"(a3)
                     : "memory");
    if (error)
        *error = v1;
    return (int32_t)v0;
}

#define CP0_READ(reg, sel)                                            \
    ({                                                                \
        uint32_t value_;                                              \
        __asm__ volatile("mfc0 %0, $" #reg ", " #sel : "=r"(value_)); \
        value_;                                                       \
    })
#define CP0_WRITE(reg, sel, value) \
    __asm__ volatile("mtc0 %0, $" #reg ", " #sel "\n\tehb" ::"r"((uint32_t)(value)) : "memory")

#define REG32(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define REG8(address)  (*(volatile uint8_t *)(uintptr_t)(address))

#endif
