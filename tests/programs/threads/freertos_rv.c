/* A preemptive kernel as FreeRTOS is on RISC-V: contexts are saved on the task's own stack,
 * handlers run on another, tasks yield by ecall and the first one is started by a return. */
#include "rt.h"
#include "rt_rv.h"

#define APART __attribute__((noinline, noclone))

enum { FRAME = 128, STACK = 512 };

typedef struct task {
    uint32_t *top; /* of its stack: the saved frame */
    uint32_t stack[STACK / 4];
} task;

task *current_task;
static task low, high, idle;
uint32_t isr_stack[256] __attribute__((aligned(16)));
static volatile uint32_t ticks, high_ready, spent[3];
static uint32_t next;

static APART void set_timer(void)
{
    next = MTIME + 2500;
    MTIMECMPH = 0;
    MTIMECMP = next;
}

static APART void choose_task(void)
{
    current_task = ticks % 8 == 7 ? &idle : high_ready && ticks % 2 ? &high : &low;
}

static APART void on_tick(void)
{
    ticks++;
    set_timer();
    choose_task();
}

static APART void on_ecall(void)
{
    current_task->top[0] += 4;
    choose_task();
}

void handle(uint32_t cause);
void handle(uint32_t cause)
{
    if (cause == 0x80000007)
        on_tick();
    else if (cause == 11)
        on_ecall();
    else
        finish(99);
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
        "sw") "csrr t0, mepc\n sw t0, 0(sp)\n csrr t0, mstatus\n sw t0, 116(sp)\n"
              "lui t0, %hi(current_task)\n lw t0, %lo(current_task)(t0)\n sw sp, 0(t0)\n"
              "la sp, isr_stack + 1024\n csrr a0, mcause\n la t1, handle\n jalr t1\n j "
              "restore_context");
}

void restore_context(void);
__attribute__((naked)) void restore_context(void)
{
    __asm__("lui t0, %hi(current_task)\n lw t0, %lo(current_task)(t0)\n lw sp, 0(t0)\n"
            "lw t0, 0(sp)\n csrw mepc, t0\n lw t0, 116(sp)\n csrw mstatus, t0\n" REGISTERS(
                "lw") "addi sp, sp, 128\n mret");
}

void start_first_task(void);
__attribute__((naked)) void start_first_task(void)
{
    __asm__("lui t0, %hi(current_task)\n lw t0, %lo(current_task)(t0)\n lw sp, 0(t0)\n"
            "lw ra, 0(sp)\n addi sp, sp, 128\n csrsi mstatus, 8\n ret");
}

static APART void create(task *t, void (*entry)(void))
{
    t->top = t->stack + (STACK - FRAME) / 4;
    t->top[0] = (uint32_t)(uintptr_t)entry;
    t->top[29] = 0x1880; /* machine mode, interrupts on */
}

static APART void yield(void)
{
    __asm__ volatile("ecall");
}

static APART void low_work(uint32_t n)
{
    while (n-- > 0)
        spent[0]++;
}

static APART void high_work(uint32_t n)
{
    while (n-- > 0)
        spent[1]++;
}

static void low_task(void)
{
    for (;;) {
        low_work(300);
        if (ticks >= 40)
            finish(0);
        yield();
    }
}

static void high_task(void)
{
    for (;;) {
        high_work(200);
        yield();
    }
}

static void idle_task(void)
{
    for (;;)
        __asm__ volatile("wfi");
}

int main(void)
{
    create(&low, low_task);
    create(&high, high_task);
    create(&idle, idle_task);
    high_ready = 1;
    current_task = &low;
    CSR_WRITE(mtvec, (uintptr_t)trap_handler);
    set_timer();
    CSR_SET(mie, MIE_TIMER);
    start_first_task();
    return 1;
}
