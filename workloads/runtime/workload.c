#include "workload.h"

/* A line, and room for the 0 that semihosting's WRITE0 wants. */
static char line[81];
static size_t line_length;

static void flush(void)
{
    line[line_length] = 0;
    sys_write(line, line_length);
    line_length = 0;
}

void put_char(char c)
{
    line[line_length++] = c;
    if (c == '\n' || line_length == sizeof line - 1)
        flush();
}

void put_str(const char *text)
{
    while (*text)
        put_char(*text++);
}

void put_hex(uint32_t value)
{
    for (int shift = 28; shift >= 0; shift -= 4)
        put_char("0123456789abcdef"[(value >> shift) & 15]);
}

void put_dec(uint32_t value)
{
    char digits[10];
    size_t n = 0;
    do {
        digits[n++] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    while (n)
        put_char(digits[--n]);
}

int workload_report(const char *name, uint32_t got, uint32_t want)
{
    put_str(name);
    put_str(WORKLOAD_IS_RIGHT(got, want) ? ": ok " : ": FAIL ");
    put_hex(got);
    if (!WORKLOAD_IS_RIGHT(got, want)) {
        put_str(", not ");
        put_hex(want);
    }
    put_char('\n');
    return !WORKLOAD_IS_RIGHT(got, want);
}

int workload_fail(const char *name, const char *what)
{
    put_str(name);
    put_str(": FAIL ");
    put_str(what);
    put_char('\n');
    return 1;
}
