/* Start, output and the end of parallel workloads. */
#include "many.h"

int main(void);

__asm__(".section .text.start, \"ax\", @progbits\n"
        ".globl _start\n"
        "_start:\n"
        ".option push\n"
        ".option norelax\n"
        "    la gp, __global_pointer$\n"
        ".option pop\n"
        "    la sp, __stack_top\n"
        "    call main\n"
        "    li t0, 0xf0000000\n"
        "    sw a0, 0(t0)\n"
        "1:  j 1b\n"
        ".text\n");

void put_text(const char *text)
{
    while (*text)
        at(TEST_BASE)[1] = (unsigned char)*text++;
}

void put_number(uint32_t value)
{
    char digits[11];
    char *from = digits + sizeof digits - 1;
    *from = '\0';
    do {
        *--from = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    put_text(from);
}

void put_result(const char *name, uint32_t checksum)
{
    static const char hex[] = "0123456789abcdef";
    char text[9] = {0};
    for (unsigned i = 0; i < 8; i++)
        text[i] = hex[checksum >> (28 - 4 * i) & 15];
    put_text(name);
    put_text(" ");
    put_text(text);
    put_text("\n");
}

/* Of the compiler's making. */
void *memset(void *to, int value, size_t count)
{
    unsigned char *at_byte = to;
    while (count-- > 0)
        *at_byte++ = (unsigned char)value;
    return to;
}

void *memcpy(void *to, const void *from, size_t count)
{
    unsigned char *at_byte = to;
    const unsigned char *source = from;
    while (count-- > 0)
        *at_byte++ = *source++;
    return to;
}
