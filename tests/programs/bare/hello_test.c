/* Printing, markers and ending by the test device. */
#include "rt.h"
#include "rt_rv.h"

void host_put(const char *text)
{
    while (*text)
        TEST_PUT = (uint8_t)*text++;
}

_Noreturn void host_exit(int code)
{
    for (;;)
        TEST_EXIT = (uint32_t)code;
}

int main(void)
{
    TEST_MARK = 1;
    put("hello by test device\n");
    TEST_MARK = 2;
    put_dec(TEST_EXIT + TEST_PUT + TEST_MARK);
    put("\n");
    return 42;
}
