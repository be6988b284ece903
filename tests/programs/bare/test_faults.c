/* The test device takes words at three offsets and nothing else. */
#include "rt.h"
#include "rt_rv.h"

static volatile uint32_t faults;

static __attribute__((interrupt, aligned(4))) void handler(void)
{
    uint32_t cause = CSR_READ(mcause);
    put(cause == 7 ? "store fault " : cause == 5 ? "load fault " : "trap ");
    put_hex(CSR_READ(mtval));
    put("\n");
    faults++;
    CSR_WRITE(mepc, CSR_READ(mepc) + 4);
}

int main(void)
{
    CSR_WRITE(mtvec, (uintptr_t)handler);
    uint32_t base = 0xf0000000, value;
    __asm__ volatile(".option push; .option norvc\n"
                     "sb zero, 0(%1)\n"
                     "sh zero, 4(%1)\n"
                     "sw zero, 12(%1)\n"
                     "lw %0, 16(%1)\n"
                     "lb %0, 4(%1)\n"
                     ".option pop"
                     : "=&r"(value)
                     : "r"(base)
                     : "memory");
    return (int)faults;
}
