/* Printing and ending by HTIF; tohost shares its page with data. */
#include "rt.h"

extern volatile uint32_t tohost[2], fromhost[2];
__attribute__((section(".tohost"), aligned(64))) volatile uint32_t tohost[2];
__attribute__((section(".tohost"), aligned(64))) volatile uint32_t fromhost[2];

static volatile uint64_t request[8] __attribute__((aligned(64), section(".data")));

static uint32_t call(uint32_t number, uint32_t a, uint32_t b, uint32_t c)
{
    request[0] = number;
    request[1] = a;
    request[2] = b;
    request[3] = c;
    tohost[0] = (uintptr_t)request;
    tohost[1] = 0;
    while (!fromhost[0])
        ;
    fromhost[0] = 0;
    return (uint32_t)request[0];
}

void host_put(const char *text)
{
    uint32_t length = 0;
    while (text[length])
        length++;
    call(64, 1, (uintptr_t)text, length);
}

_Noreturn void host_exit(int code)
{
    for (;;)
        tohost[0] = (uint32_t)code << 1 | 1;
}

int main(void)
{
    static char text[] = "hello from the page of tohost\n"; /* data, not constant */
    put("hello by HTIF\n");
    put(text);
    put_dec(call(64, 1, (uintptr_t)text, 6));
    put("\n");
    put_hex(call(64, 9, 0, 6)); /* no such handle */
    put("\n");
    put_hex(call(9999, 0, 0, 0)); /* no such call */
    put("\n");
    tohost[1] = 0x01010000; /* the console, by halves: high one first */
    tohost[0] = 'c';
    fromhost[0] = fromhost[1] = 0;
    tohost[1] = 0x01010000;
    tohost[0] = '\n';
    fromhost[0] = fromhost[1] = 0;
    return 7;
}
