/* rv32.h - a few functions for RV32 programs that have no libc. */
#ifndef RV32_H
#define RV32_H

typedef unsigned int u32;
typedef int i32;
typedef unsigned long long u64;
typedef long long i64;
typedef unsigned short u16;
typedef unsigned char u8;

static long call(long number, long a, long b, long c, long d, long e, long f)
{
    register long a0 asm("a0") = a;
    register long a1 asm("a1") = b;
    register long a2 asm("a2") = c;
    register long a3 asm("a3") = d;
    register long a4 asm("a4") = e;
    register long a5 asm("a5") = f;
    register long a7 asm("a7") = number;
    asm volatile("ecall"
                 : "+r"(a0)
                 : "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a5), "r"(a7)
                 : "memory");
    return a0;
}

#define SYS(n, ...) SYS_(n, __VA_ARGS__ __VA_OPT__(, ) 0, 0, 0, 0, 0, 0)
#define SYS_(n, a, b, c, d, e, f, ...) \
    call(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

static u32 length(const char *text)
{
    u32 n = 0;
    while (text[n])
        n++;
    return n;
}

void *memset(void *to, int value, u32 size)
{
    u8 *p = to;
    while (size--)
        *p++ = (u8)value;
    return to;
}

void *memcpy(void *to, const void *from, u32 size)
{
    u8 *p = to;
    const u8 *q = from;
    while (size--)
        *p++ = *q++;
    return to;
}

static int equal(const void *a, const void *b, u32 size)
{
    const u8 *p = a, *q = b;
    while (size && *p == *q)
        p++, q++, size--;
    return size == 0;
}

static void print(const char *text)
{
    SYS(64, 1, text, length(text));
}

static void print_number(const char *what, long value)
{
    char digits[16], *at = digits + sizeof digits;
    u32 rest = value < 0 ? -(u32)value : (u32)value;
    *--at = 0;
    *--at = '\n';
    do {
        *--at = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (value < 0)
        *--at = '-';
    print(what);
    print(" ");
    print(at);
}

int program(long argc, char **argv, char **envp, u32 *auxv);

__attribute__((used)) static void begin(u32 *sp)
{
    long argc = (long)sp[0];
    char **argv = (char **)(sp + 1), **envp = argv + argc + 1;
    u32 *auxv = (u32 *)envp;
    while (*auxv)
        auxv++;
    SYS(94, program(argc, argv, envp, auxv + 1));
}

asm(".globl _start\n_start:\n .option push\n .option norelax\n la gp, __global_pointer$\n"
    " .option pop\n mv a0, sp\n andi sp, sp, -16\n j begin\n");

#endif
