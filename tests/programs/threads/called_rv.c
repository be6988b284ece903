/* Threads that begin with a call: a function that runs in a larger stack and returns, and the first
 * of two tasks between which a timer switches. */
#include "rt.h"
#include "rt_rv.h"

#define APART __attribute__((noinline, noclone))

enum { FRAME = 128, STACK = 1024 };

typedef struct task {
    uint32_t *top;
    uint32_t stack[STACK / 4];
} task;

task *current_task;
static uint32_t large_stack[4096];
static task one, two;
static volatile uint32_t ticks, spent[3];

void handle(void);
void handle(void)
{
    ticks++;
    MTIMECMPH = 0;
    MTIMECMP = MTIME + 2000;
    current_task = current_task == &one ? &two : &one;
}

#define REGISTERS(do_)                                                                      \
    do_ " x1, 4(sp)\n" do_ " x5, 8(sp)\n" do_ " x6, 12(sp)\n" do_ " x7, 16(sp)\n" do_       \
        " x8, 20(sp)\n" do_ " x9, 24(sp)\n" do_ " x10, 28(sp)\n" do_ " x11, 32(sp)\n" do_   \
        " x12, 36(sp)\n" do_ " x13, 40(sp)\n" do_ " x14, 44(sp)\n" do_ " x15, 48(sp)\n" do_ \
        " x16, 52(sp)\n" do_ " x17, 56(sp)\n" do_ " x18, 60(sp)\n" do_ " x19, 64(sp)\n" do_ \
        " x20, 68(sp)\n" do_ " x21, 72(sp)\n" do_ " x22, 76(sp)\n" do_ " x23, 80(sp)\n" do_ \
        " x24, 84(sp)\n" do_ " x25, 88(sp)\n" do_ " x26, 92(sp)\n" do_ " x27, 96(sp)\n" do_ \
        " x28, 100(sp)\n" do_ " x29, 104(sp)\n" do_ " x30, 108(sp)\n" do_ " x31, 112(sp)\n"

void trap_handler(void);
__attribute__((naked, aligned(4))) void trap_handler(void)
{
    __asm__("addi sp, sp, -128\n" REGISTERS(
        "sw") "csrr t0, mepc\n sw t0, 0(sp)\n lui t0, %hi(current_task)\n"
              "lw t0, %lo(current_task)(t0)\n sw sp, 0(t0)\n call handle\n"
              "lui t0, %hi(current_task)\n lw t0, %lo(current_task)(t0)\n lw sp, 0(t0)\n"
              "lw t0, 0(sp)\n csrw mepc, t0\n li t0, 0x1880\n csrw mstatus, t0\n" REGISTERS(
                  "lw") "addi sp, sp, 128\n mret");
}

uint32_t call_in(uint32_t (*function)(void), uint32_t *stack);
__attribute__((naked, noinline)) uint32_t call_in(uint32_t (*function)(void), uint32_t *stack)
{
    (void)function;
    (void)stack;
    __asm__("addi sp, sp, -16\n sw ra, 12(sp)\n sw s0, 8(sp)\n mv s0, sp\n mv sp, a1\n jalr a0\n"
            "mv sp, s0\n lw ra, 12(sp)\n lw s0, 8(sp)\n addi sp, sp, 16\n ret");
}

void start_first(task *t, void (*entry)(void));
__attribute__((naked, noinline)) void start_first(task *t, void (*entry)(void))
{
    (void)t;
    (void)entry;
    __asm__("lw sp, 0(a0)\n csrsi mstatus, 8\n jalr a1\n 1: j 1b");
}

static APART void work(uint32_t which, uint32_t n)
{
    while (n-- > 0)
        spent[which]++;
}

static APART uint32_t greedy(void)
{
    volatile uint32_t room[2048];
    room[0] = 1;
    work(0, 100);
    return room[0];
}

static void task_one(void)
{
    for (;;) {
        work(1, 100);
        if (ticks > 30)
            finish(0);
    }
}

static void task_two(void)
{
    for (;;)
        work(2, 100);
}

int main(void)
{
    uint32_t sum = 0;
    for (int i = 0; i < 10; i++)
        sum += call_in(greedy, large_stack + 4096);
    if (sum != 10)
        finish(1);
    one.top = one.stack + STACK / 4;
    two.top = two.stack + (STACK - FRAME) / 4;
    two.top[0] = (uint32_t)(uintptr_t)task_two;
    current_task = &one;
    CSR_WRITE(mtvec, (uintptr_t)trap_handler);
    MTIMECMPH = 0;
    MTIMECMP = MTIME + 2000;
    CSR_SET(mie, MIE_TIMER);
    start_first(&one, task_one);
    return 1;
}
