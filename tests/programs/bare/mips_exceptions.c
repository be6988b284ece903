/* An exception handler that tells about exceptions and steps over them. */
#include "rt.h"
#include "rt_mips.h"

extern char __vectors[];
static volatile uint32_t count, resume;

void exception(void);
void exception(void)
{
    uint32_t cause = CP0_READ(13, 0), code = cause >> 2 & 31, epc = CP0_READ(14, 0);
    put("code ");
    put_dec(code);
    if (code == 4 || code == 5) {
        put(" address ");
        put_hex(CP0_READ(8, 0));
    }
    if (cause >> 31)
        put(" in a delay slot");
    put("\n");
    count++;
    CP0_WRITE(14, 0, resume ? resume : epc + 4);
    resume = 0;
}

int main(void)
{
    uint32_t value = 1;
    CP0_WRITE(15, 1, (uintptr_t)__vectors);
    CP0_WRITE(12, 0, 0); /* no BEV, no ERL */
    __asm__ volatile("lw %0, 1(%1)\n"
                     "sh %0, 1(%1)\n"
                     "lw %0, 0(%1)\n"
                     "sw %0, 0(%1)\n"
                     "syscall\n"
                     "break\n"
                     "teq $0, $0\n"
                     ".word 0xffffffff\n"
                     "add %0, %2, %2\n"
                     : "+r"(value)
                     : "r"(0x40000000), "r"(0x7fffffff)
                     : "memory");
    put_dec(value);
    put(" unchanged\n");

    /* In a delay slot EPC is the branch; stepping over both leaves the branch undone. */
    __asm__ volatile(".set push; .set noreorder\n"
                     "la $8, 1f\n"
                     "sw $8, %0\n"
                     "li $9, 1\n"
                     "b 2f\n"
                     "syscall\n"
                     "1: li $9, 2\n"
                     "2: move %1, $9\n"
                     ".set pop"
                     : "=m"(resume), "=r"(value)
                     :
                     : "$8", "$9", "memory");
    put_dec(value);
    put("\n");
    put_dec(count);
    put("\n");
    return 0;
}
