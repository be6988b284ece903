/* What a waveform is made of: loops, calls, recursion, memory, multiplication and division, and a
 * trap. */
#include "rt.h"
#include "rt_rv.h"

static unsigned table[64];

_Noreturn void host_exit(int code)
{
    for (;;)
        TEST_EXIT = (uint32_t)code;
}

static __attribute__((noinline)) unsigned fib(unsigned n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

int main(void)
{
    unsigned sum = 0;
    for (unsigned round = 1; round < 3; round++) {
        for (unsigned i = 0; i < 64; i++)
            table[i] = table[i * 7 & 63] + i * round;
        sum += table[round] / round;
    }
    return fib(6) + sum > 100000;
}
