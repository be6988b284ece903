/* Two tasks switched by a timer, and interrupts nested three deep, all in a stack of their own: the
 * timer's handler raises a software interrupt, whose handler makes an ecall. One of the handlers
 * returns elsewhere: an illegal instruction ends in recover(), in place of the function it is in.
 */
#include "rt.h"
#include "rt_rv.h"

#define APART __attribute__((noinline, noclone))

enum { FRAME = 144, STACK = 1024 };

typedef struct task {
    uint32_t *top;
    uint32_t stack[STACK / 4];
} task;

task *current_task;
volatile uint32_t nesting;
uint32_t isr_stack[512] __attribute__((aligned(16)));
static task one, two;
static volatile uint32_t ticks, softs, calls, recovered, spent[2];

static APART void on_call(void)
{
    calls++;
}

static APART void on_soft(void)
{
    MSIP = 0;
    softs++;
    __asm__ volatile("ecall");
}

static APART void on_timer(void)
{
    ticks++;
    MTIMECMPH = 0;
    MTIMECMP = MTIME + 4000;
    MSIP = 1;
    CSR_CLEAR(mie, MIE_TIMER);
    CSR_SET(mstatus, MSTATUS_MIE);
    __asm__ volatile("nop\n nop\n nop");
    CSR_CLEAR(mstatus, MSTATUS_MIE);
    CSR_SET(mie, MIE_TIMER);
    current_task = current_task == &one ? &two : &one;
}

static APART void recover(void)
{
    recovered++;
}

void handle(uint32_t cause, uint32_t *frame);
void handle(uint32_t cause, uint32_t *frame)
{
    switch (cause) {
    case 0x80000007: on_timer(); break;
    case 0x80000003: on_soft(); break;
    case 11:
        on_call();
        frame[0] += 4;
        break;
    case 2: frame[0] = (uint32_t)(uintptr_t)recover; break;
    default: finish(99);
    }
}

#define REGISTERS(do_)                                                                      \
    do_ " x1, 4(sp)\n" do_ " x5, 8(sp)\n" do_ " x6, 12(sp)\n" do_ " x7, 16(sp)\n" do_       \
        " x8, 20(sp)\n" do_ " x9, 24(sp)\n" do_ " x10, 28(sp)\n" do_ " x11, 32(sp)\n" do_   \
        " x12, 36(sp)\n" do_ " x13, 40(sp)\n" do_ " x14, 44(sp)\n" do_ " x15, 48(sp)\n" do_ \
        " x16, 52(sp)\n" do_ " x17, 56(sp)\n" do_ " x18, 60(sp)\n" do_ " x19, 64(sp)\n" do_ \
        " x20, 68(sp)\n" do_ " x21, 72(sp)\n" do_ " x22, 76(sp)\n" do_ " x23, 80(sp)\n" do_ \
        " x24, 84(sp)\n" do_ " x25, 88(sp)\n" do_ " x26, 92(sp)\n" do_ " x27, 96(sp)\n" do_ \
        " x28, 100(sp)\n" do_ " x29, 104(sp)\n" do_ " x30, 108(sp)\n" do_ " x31, 112(sp)\n"

/* The outermost handler's frame is in the task's stack, and only that may end in another task. */
void trap_handler(void);
__attribute__((naked, aligned(4))) void trap_handler(void)
{
    __asm__("addi sp, sp, -144\n" REGISTERS(
        "sw") "csrr t0, mepc\n sw t0, 0(sp)\n csrr t0, mstatus\n sw t0, 116(sp)\n"
              "csrr a0, mcause\n mv a1, sp\n mv s0, sp\n"
              "lui s1, %hi(nesting)\n lw s2, %lo(nesting)(s1)\n addi t0, s2, 1\n sw t0, "
              "%lo(nesting)(s1)\n"
              "bnez s2, 1f\n"
              "lui t0, %hi(current_task)\n lw t0, %lo(current_task)(t0)\n sw sp, 0(t0)\n"
              "la sp, isr_stack + 2048\n"
              "1: call handle\n"
              "sw s2, %lo(nesting)(s1)\n mv sp, s0\n bnez s2, 2f\n"
              "lui t0, %hi(current_task)\n lw t0, %lo(current_task)(t0)\n lw sp, 0(t0)\n"
              "2: lw t0, 0(sp)\n csrw mepc, t0\n lw t0, 116(sp)\n csrw mstatus, t0\n" REGISTERS(
                  "lw") "addi sp, sp, 144\n mret");
}

static APART void faulty(void)
{
    __asm__ volatile(".word 0");
}

static APART void work(uint32_t which, uint32_t n)
{
    while (n-- > 0)
        spent[which]++;
}

static APART void work_of_one(void)
{
    work(0, 100);
    faulty();
}

static APART void work_of_two(void)
{
    work(1, 100);
}

static void task_one(void)
{
    for (;;) {
        work_of_one();
        if (ticks >= 20)
            finish(softs == ticks && calls == softs && recovered > 20 ? 0 : 1);
    }
}

static void task_two(void)
{
    for (;;)
        work_of_two();
}

static APART void create(task *t, void (*entry)(void))
{
    t->top = t->stack + (STACK - FRAME) / 4;
    t->top[0] = (uint32_t)(uintptr_t)entry;
    t->top[29] = 0x1880;
}

void start(task *t);
__attribute__((naked, noinline)) void start(task *t)
{
    (void)t;
    __asm__("lw sp, 0(a0)\n lw t0, 0(sp)\n csrw mepc, t0\n lw t0, 116(sp)\n csrw mstatus, t0\n"
            "addi sp, sp, 144\n mret");
}

int main(void)
{
    create(&one, task_one);
    create(&two, task_two);
    current_task = &one;
    CSR_WRITE(mtvec, (uintptr_t)trap_handler);
    MTIMECMPH = 0;
    MTIMECMP = MTIME + 4000;
    CSR_SET(mie, MIE_TIMER | MIE_SOFTWARE);
    start(&one);
    return 1;
}
