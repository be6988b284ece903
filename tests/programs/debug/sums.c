/*
 * A program for tests/diff/debugger: adds squares, and prints after every ten. It needs no library,
 * on RISC-V and on MIPS.
 */
unsigned sum, last, calls;
double half = 0.5;

#ifdef __mips__
__asm__(
    ".set noreorder\n.globl __start\n__start: lui $29, 0x8010\n j finish\n nop\n.set reorder\n");
#else
__asm__(".globl _start\n_start: lui sp, 0x80100\n j finish\n");
#endif

__attribute__((noinline)) static void put(const char *text)
{
    while (*text)
        *(volatile unsigned *)0xf0000004 = (unsigned char)*text++;
}

__attribute__((noinline)) unsigned square(unsigned x)
{
    calls++;
    return x * x;
}

void finish(void)
{
    for (unsigned i = 1; i <= 100; i++) {
        sum += square(i);
        if (i % 10 == 0) {
            last = sum;
            put("ten more\n");
        }
    }
    *(volatile unsigned *)0xf0000000 = 7;
    for (;;)
        ;
}
