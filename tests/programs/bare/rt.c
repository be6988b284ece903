#include "rt.h"

void put(const char *text)
{
    host_put(text);
}

void put_hex(uint32_t value)
{
    char text[9];
    for (int i = 0; i < 8; i++)
        text[i] = "0123456789abcdef"[value >> (28 - 4 * i) & 15];
    text[8] = 0;
    host_put(text);
}

void put_dec(uint32_t value)
{
    char text[11], *at = text + 10;
    *at = 0;
    do
        *--at = (char)('0' + value % 10);
    while (value /= 10);
    host_put(at);
}

_Noreturn void finish(int code)
{
    host_exit(code);
}
