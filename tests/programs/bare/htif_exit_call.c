/* HTIF with tohost among the code: the page has to be executed. Ends by the proxied exit. */
#include "rt.h"

extern volatile uint32_t tohost[2], fromhost[2];
__asm__(".section .text.start2, \"ax\", @progbits\n"
        ".globl tohost, fromhost\n"
        ".balign 64\n"
        "tohost: .dword 0\n"
        "fromhost: .dword 0\n");

static volatile uint64_t request[8] __attribute__((aligned(64)));

void host_put(const char *text)
{
    uint32_t length = 0;
    while (text[length])
        length++;
    request[0] = 64;
    request[1] = 1;
    request[2] = (uintptr_t)text;
    request[3] = length;
    tohost[0] = (uintptr_t)request;
    while (!fromhost[0])
        ;
    fromhost[0] = 0;
}

_Noreturn void host_exit(int code)
{
    request[0] = 93;
    request[1] = (uint32_t)code;
    tohost[0] = (uintptr_t)request;
    for (;;)
        ;
}

int main(void)
{
    put("hello from ");
    put("a crowded page\n");
    return 9;
}
