/* A scheduler of setjmp() and longjmp(): tasks are started by a call in a stack of their own, below
 * and above that of main(). */
#include "rt.h"

#define APART __attribute__((noinline, noclone))

typedef uint32_t jmp_buf[14];

__attribute__((naked, noinline, returns_twice)) static int setjmp(jmp_buf where)
{
    (void)where;
    __asm__("sw ra, 0(a0)\n sw sp, 4(a0)\n sw s0, 8(a0)\n sw s1, 12(a0)\n sw s2, 16(a0)\n"
            "sw s3, 20(a0)\n sw s4, 24(a0)\n sw s5, 28(a0)\n sw s6, 32(a0)\n sw s7, 36(a0)\n"
            "sw s8, 40(a0)\n sw s9, 44(a0)\n sw s10, 48(a0)\n sw s11, 52(a0)\n li a0, 0\n ret");
}

__attribute__((naked, noinline, noreturn)) static void longjmp(jmp_buf where, int value)
{
    (void)where;
    (void)value;
    __asm__("lw ra, 0(a0)\n lw sp, 4(a0)\n lw s0, 8(a0)\n lw s1, 12(a0)\n lw s2, 16(a0)\n"
            "lw s3, 20(a0)\n lw s4, 24(a0)\n lw s5, 28(a0)\n lw s6, 32(a0)\n lw s7, 36(a0)\n"
            "lw s8, 40(a0)\n lw s9, 44(a0)\n lw s10, 48(a0)\n lw s11, 52(a0)\n mv a0, a1\n ret");
}

enum { TASKS = 2, ROUNDS = 500 };
static struct task {
    jmp_buf at;
    uint32_t stack[256];
} tasks[TASKS];
static jmp_buf scheduler;
static struct task *running;
static volatile uint32_t spent;

static APART void yield(void)
{
    if (setjmp(running->at) == 0)
        longjmp(scheduler, 1);
}

static APART void work(uint32_t n)
{
    while (n-- > 0)
        spent++;
}

static APART void more_work(uint32_t n)
{
    work(n);
    yield();
    work(n);
}

static APART void first(void)
{
    for (;;) {
        work(10);
        yield();
    }
}

static APART void second(void)
{
    for (;;)
        more_work(10);
}

/* By way of a register that a function would have kept its own stack pointer in. */
static APART void launch(struct task *t, void (*entry)(void))
{
    register uint32_t *top __asm__("s1") = t->stack + 256;
    __asm__ volatile("mv sp, %0\n jalr %1" ::"r"(top), "r"(entry) : "memory", "ra");
    __builtin_unreachable();
}

static APART void start(struct task *t, void (*entry)(void))
{
    running = t;
    if (setjmp(scheduler) == 0)
        launch(t, entry);
}

static APART void go_on(struct task *t)
{
    running = t;
    if (setjmp(scheduler) == 0)
        longjmp(t->at, 1);
}

int main(void)
{
    start(&tasks[0], first);
    start(&tasks[1], second);
    for (int i = 0; i < ROUNDS * TASKS; i++)
        go_on(&tasks[i % TASKS]);
    return spent == (ROUNDS + 1) * 10 + (2 * ROUNDS + 1) * 10 ? 0 : 1;
}
