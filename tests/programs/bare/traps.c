/* A handler that tells about traps and steps over them; qemu. */
#include "rt.h"
#include "rt_rv.h"

static volatile uint32_t count;

static __attribute__((interrupt, aligned(4))) void handler(void)
{
    uint32_t pc = CSR_READ(mepc), cause = CSR_READ(mcause);
    put("cause ");
    put_dec(cause);
    if (cause != 3 && cause != 11) { /* what mtval holds then is left open */
        put(" value ");
        put_hex(CSR_READ(mtval));
    }
    put("\n");
    count++;
    if (cause == 1) /* a jump into nowhere: back to the caller */
        __asm__ volatile("" ::: "memory");
    CSR_WRITE(mepc, cause == 1 ? CSR_READ(mscratch) : pc + 4);
}

int main(void)
{
    uint32_t value = 5;

    CSR_WRITE(mtvec, (uintptr_t)handler);
    __asm__ volatile(".option push; .option norvc\n"
                     ".word 0xffffffff\n"
                     "csrw 0xc00, zero\n" /* read-only */
                     "lw %0, 0(%1)\n"
                     "sw %0, 0(%1)\n"
                     "lr.w %0, (%2)\n"
                     "ebreak\n"
                     "ecall\n"
                     "la t0, 1f\n"
                     "csrw mscratch, t0\n"
                     "jr %1\n"
                     "1:\n"
                     ".option pop"
                     : "+r"(value)
                     : "r"(0xa0000000), "r"(0x80002001)
                     : "t0", "memory");
    put_dec(count);
    put("\n");
    return 0;
}
