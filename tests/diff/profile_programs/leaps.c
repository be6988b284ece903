/*
 * setjmp and longjmp: out of frames of other functions and of one's own, out of loops of frames
 * that go with it, back into a loop, and from a function that was tail-called.
 */
#ifdef __riscv
#include "../../programs/linux/rv32.h"

typedef u32 jmp_buf[14];

__attribute__((naked, noinline, returns_twice)) static int setjmp(jmp_buf where)
{
    asm("sw ra, 0(a0)\n sw sp, 4(a0)\n sw s0, 8(a0)\n sw s1, 12(a0)\n sw s2, 16(a0)\n"
        "sw s3, 20(a0)\n sw s4, 24(a0)\n sw s5, 28(a0)\n sw s6, 32(a0)\n sw s7, 36(a0)\n"
        "sw s8, 40(a0)\n sw s9, 44(a0)\n sw s10, 48(a0)\n sw s11, 52(a0)\n li a0, 0\n ret");
}

__attribute__((naked, noinline, noreturn)) static void longjmp(jmp_buf where, int value)
{
    asm("lw ra, 0(a0)\n lw sp, 4(a0)\n lw s0, 8(a0)\n lw s1, 12(a0)\n lw s2, 16(a0)\n"
        "lw s3, 20(a0)\n lw s4, 24(a0)\n lw s5, 28(a0)\n lw s6, 32(a0)\n lw s7, 36(a0)\n"
        "lw s8, 40(a0)\n lw s9, 44(a0)\n lw s10, 48(a0)\n lw s11, 52(a0)\n mv a0, a1\n ret");
}
#else
#include <setjmp.h>
#endif

#define APART __attribute__((noinline, noclone))

static jmp_buf outer, inner;
static volatile int work;

static APART void leave(int value)
{
    longjmp(outer, value);
}

/* Three frames down, in the middle of a loop. */
static APART int bottom(int n)
{
    for (int i = 0;; i++) {
        work += i;
        if (i == n)
            leave(n + 1);
    }
}

static APART int middle(int n)
{
    int sum = 0;
    for (int i = 0; i < 2; i++)
        sum += bottom(n + i) + work;
    return sum + 1;
}

/* Its own activations, one in another. */
static APART int dive(int depth)
{
    for (int i = 0; i < depth; i++)
        work++;
    if (depth == 9)
        longjmp(outer, depth);
    return dive(depth + 1) + work;
}

/* The last thing it does is a jump. */
static APART int hand_over(int n)
{
    work += n;
    return bottom(n);
}

/* Back into the loop of a function that was called since. */
static APART int rounds(void)
{
    volatile int made = 0;
    int count = setjmp(inner);
    while (made < 6) {
        made = made + 1;
        if (made % 2)
            longjmp(inner, made);
    }
    return count + made;
}

static APART int play(void)
{
    for (volatile int turn = 0; turn < 12; turn = turn + 1) {
        if (setjmp(outer) != 0)
            continue;
        if (turn % 3 == 0)
            middle(turn);
        else if (turn % 3 == 1)
            dive(turn % 7);
        else
            hand_over(turn);
    }
    return rounds();
}

#ifdef __riscv
int program(long argc, char **argv, char **envp, u32 *auxv)
{
    return play() != 11;
}
#else
int main(void)
{
    return play() != 11;
}
#endif
