/* A kernel as ThreadX: a thread that waits jumps to the scheduler, which has a stack of its own and
 * returns to the next one; a preempted thread is gone back to by mret. */
#include "rt.h"
#include "rt_rv.h"

#define APART __attribute__((noinline, noclone))

enum { STACK = 256 };
typedef struct thread {
    uint32_t *sp; /* [0]: 0, suspended by itself; 1, preempted */
    uint32_t ready;
    uint32_t stack[STACK];
} thread;

thread *executing, *next_thread;
uint32_t system_stack[256];
static thread threads[2];
static volatile uint32_t ticks, spent[2];

void schedule(void);
__attribute__((naked)) void schedule(void)
{
    __asm__("csrsi mstatus, 8\n lui t0, %hi(next_thread)\n"
            "1: lw t1, %lo(next_thread)(t0)\n beqz t1, 1b\n csrci mstatus, 8\n"
            "lui t0, %hi(executing)\n sw t1, %lo(executing)(t0)\n lw sp, 0(t1)\n lw t0, 0(sp)\n"
            "bnez t0, 2f\n"
            "lw ra, 4(sp)\n lw s0, 8(sp)\n lw s1, 12(sp)\n lw s2, 16(sp)\n addi sp, sp, 64\n"
            "csrsi mstatus, 8\n ret\n"
            "2: lw t0, 4(sp)\n csrw mepc, t0\n li t0, 0x1880\n csrw mstatus, t0\n"
            "lw ra, 8(sp)\n lw t0, 12(sp)\n lw t1, 16(sp)\n lw t2, 20(sp)\n lw a0, 24(sp)\n"
            "lw a1, 28(sp)\n lw a2, 32(sp)\n lw a3, 36(sp)\n lw a4, 40(sp)\n lw a5, 44(sp)\n"
            "lw a6, 48(sp)\n lw a7, 52(sp)\n lw t3, 56(sp)\n lw t4, 60(sp)\n lw t5, 64(sp)\n"
            "lw t6, 68(sp)\n lw s0, 72(sp)\n lw s1, 76(sp)\n lw s2, 80(sp)\n addi sp, sp, 128\n"
            "mret");
}

void system_return(void);
__attribute__((naked, noinline)) void system_return(void)
{
    __asm__("csrci mstatus, 8\n addi sp, sp, -64\n sw zero, 0(sp)\n sw ra, 4(sp)\n sw s0, 8(sp)\n"
            "sw s1, 12(sp)\n sw s2, 16(sp)\n lui t0, %hi(executing)\n"
            "lw t1, %lo(executing)(t0)\n sw sp, 0(t1)\n sw zero, %lo(executing)(t0)\n"
            "la sp, system_stack + 1024\n la t2, schedule\n jr t2");
}

static APART void choose(void)
{
    next_thread = threads[ticks % 2].ready ? &threads[ticks % 2]
                  : threads[0].ready       ? &threads[0]
                                           : 0;
}

void on_tick(void);
void on_tick(void)
{
    ticks++;
    MTIMECMPH = 0;
    MTIMECMP = MTIME + 3000;
    threads[0].ready = threads[1].ready = 1;
    choose();
}

void trap_handler(void);
__attribute__((naked, aligned(4))) void trap_handler(void)
{
    __asm__("addi sp, sp, -128\n sw ra, 8(sp)\n sw t0, 12(sp)\n sw t1, 16(sp)\n sw t2, 20(sp)\n"
            "sw a0, 24(sp)\n sw a1, 28(sp)\n sw a2, 32(sp)\n sw a3, 36(sp)\n sw a4, 40(sp)\n"
            "sw a5, 44(sp)\n sw a6, 48(sp)\n sw a7, 52(sp)\n sw t3, 56(sp)\n sw t4, 60(sp)\n"
            "sw t5, 64(sp)\n sw t6, 68(sp)\n sw s0, 72(sp)\n sw s1, 76(sp)\n sw s2, 80(sp)\n"
            "csrr t0, mepc\n sw t0, 4(sp)\n li t0, 1\n sw t0, 0(sp)\n"
            "lui t0, %hi(executing)\n lw t1, %lo(executing)(t0)\n beqz t1, 1f\n sw sp, 0(t1)\n"
            "1: la sp, system_stack + 1024\n call on_tick\n"
            "lui t0, %hi(executing)\n sw zero, %lo(executing)(t0)\n la t2, schedule\n jr t2");
}

static APART void sleep(thread *self)
{
    CSR_CLEAR(mstatus, MSTATUS_MIE);
    self->ready = 0;
    choose();
    system_return();
    __asm__ volatile("");
}

static APART void work(uint32_t which, uint32_t n)
{
    while (n-- > 0)
        spent[which]++;
}

static APART void a_work(void)
{
    work(0, 200);
}

static APART void b_work(void)
{
    work(1, 500);
}

static void thread_a(void)
{
    for (;;) {
        a_work();
        if (ticks > 20)
            finish(0);
        sleep(&threads[0]);
    }
}

static void thread_b(void)
{
    for (uint32_t i = 0;; i++) {
        b_work();
        if (i % 4 == 3)
            sleep(&threads[1]);
    }
}

static APART void create(thread *t, void (*entry)(void))
{
    t->sp = t->stack + STACK - 32;
    t->sp[0] = 1;
    t->sp[1] = (uint32_t)(uintptr_t)entry;
    t->ready = 1;
}

int main(void)
{
    create(&threads[0], thread_a);
    create(&threads[1], thread_b);
    choose();
    CSR_WRITE(mtvec, (uintptr_t)trap_handler);
    MTIMECMPH = 0;
    MTIMECMP = MTIME + 3000;
    CSR_SET(mie, MIE_TIMER);
    schedule();
    return 1;
}
