/* Printing, arguments and ending by the UHI. */
#include "rt.h"
#include "rt_mips.h"

static void number(const char *name, uint32_t value)
{
    put(name);
    put(" ");
    put_dec(value);
    put("\n");
}

int main(void)
{
    char text[32];
    put("hello by UHI\n");
    uint32_t count = (uint32_t)uhi(9, 0, 0, 0, 0, 0);
    number("arguments", count);
    for (uint32_t i = 1; i < count; i++) {
        number("length", (uint32_t)uhi(10, i, 0, 0, 0, 0));
        uhi(11, i, (uintptr_t)text, 0, 0, 0);
        put(text);
        put("\n");
    }
    number("none", (uint32_t)uhi(10, count, 0, 0, 0, 0) == ~0u);
    uhi(13, (uintptr_t) "logged %d times\n", (uint32_t)-3, 0, 0, 0);
    uhi(13, (uintptr_t) "100%\n", 0, 0, 0, 0);

    /* In a delay slot: carries on where the branch goes. */
    register uint32_t op __asm__("$25") = 9;
    register uint32_t v0 __asm__("$2") = 1;
    __asm__ volatile(".set push; .set noreorder\n"
                     "b 1f\n"
                     "sdbbp 1\n"
                     "li $2, 77\n"
                     "1: .set pop"
                     : "+r"(v0)
                     : "r"(op)
                     : "$3", "$4", "$5", "$6", "$7", "memory");
    number("arguments", v0);
    return 5;
}
