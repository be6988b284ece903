/* A cooperative kernel: switch_to() saves what a function has to save, changes the stack pointer
 * and returns. Two tasks share a function; one ends, and another begins in its stack. */
#include "rt.h"

#define APART __attribute__((noinline, noclone))

enum { ROUNDS = 500 };

typedef struct task {
    uint32_t *sp;
    uint32_t stack[256];
} task;

static task boot, tasks[3];
static task *running;
static volatile uint32_t done, spent;

__attribute__((naked, noinline)) static void switch_to(uint32_t **from, uint32_t *to)
{
    (void)from;
    (void)to;
    __asm__("addi sp, sp, -64\n sw ra, 0(sp)\n sw s0, 4(sp)\n sw s1, 8(sp)\n sw s2, 12(sp)\n"
            "sw s3, 16(sp)\n sw s4, 20(sp)\n sw s5, 24(sp)\n sw s6, 28(sp)\n sw s7, 32(sp)\n"
            "sw s8, 36(sp)\n sw s9, 40(sp)\n sw s10, 44(sp)\n sw s11, 48(sp)\n"
            "sw sp, 0(a0)\n mv sp, a1\n"
            "lw ra, 0(sp)\n lw s0, 4(sp)\n lw s1, 8(sp)\n lw s2, 12(sp)\n lw s3, 16(sp)\n"
            "lw s4, 20(sp)\n lw s5, 24(sp)\n lw s6, 28(sp)\n lw s7, 32(sp)\n lw s8, 36(sp)\n"
            "lw s9, 40(sp)\n lw s10, 44(sp)\n lw s11, 48(sp)\n addi sp, sp, 64\n ret");
}

static APART void resume(task *next)
{
    task *before = running;
    running = next;
    switch_to(&before->sp, next->sp);
    __asm__ volatile("");
}

static APART void create(task *t, void (*entry)(void))
{
    uint32_t *top = t->stack + 256;
    t->sp = top - 16;
    t->sp[0] = (uint32_t)(uintptr_t)entry;
}

static APART void work(uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        spent++;
}

static APART void other_work(uint32_t n)
{
    work(n);
    work(n);
}

static void worker(void)
{
    work(10);
    resume(&boot);
    for (;;) {
        work(20);
        resume(&boot);
    }
}

static void short_lived(void)
{
    other_work(5);
    done++;
    resume(&boot);
}

static void successor(void)
{
    for (;;) {
        other_work(7);
        done++;
        resume(&boot);
    }
}

int main(void)
{
    running = &boot;
    create(&tasks[0], worker);
    create(&tasks[1], worker);
    create(&tasks[2], short_lived);
    for (int i = 0; i < 3; i++)
        resume(&tasks[i]);
    create(&tasks[2], successor);
    for (int i = 0; i < ROUNDS; i++) {
        for (int t = 0; t < 3; t++)
            resume(&tasks[t]);
    }
    return done == ROUNDS + 1 && spent == 2 * (10 + ROUNDS * 20) + 10 + ROUNDS * 14 ? 0 : 1;
}
