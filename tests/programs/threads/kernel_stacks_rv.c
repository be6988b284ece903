/* Processes with two stacks each, as in xv6: a trap goes to the kernel stack of the process, where
 * swtch() changes to the scheduler and back. */
#include "rt.h"
#include "rt_rv.h"

#define APART __attribute__((noinline, noclone))

typedef struct context {
    uint32_t ra, sp, s[12];
} context;

typedef struct process {
    uint32_t user_sp, kernel_top, pc, regs[32];
    context at;
    uint32_t kernel[256], user[256];
} process;

static context scheduler_at;
static process processes[2];
static process *running;
static volatile uint32_t spent, rounds;

void swtch(context *from, context *to);
__attribute__((naked, noinline)) void swtch(context *from, context *to)
{
    (void)from;
    (void)to;
    __asm__("sw ra, 0(a0)\n sw sp, 4(a0)\n sw s0, 8(a0)\n sw s1, 12(a0)\n sw s2, 16(a0)\n"
            "sw s3, 20(a0)\n sw s4, 24(a0)\n sw s5, 28(a0)\n sw s6, 32(a0)\n sw s7, 36(a0)\n"
            "sw s8, 40(a0)\n sw s9, 44(a0)\n sw s10, 48(a0)\n sw s11, 52(a0)\n"
            "lw ra, 0(a1)\n lw sp, 4(a1)\n lw s0, 8(a1)\n lw s1, 12(a1)\n lw s2, 16(a1)\n"
            "lw s3, 20(a1)\n lw s4, 24(a1)\n lw s5, 28(a1)\n lw s6, 32(a1)\n lw s7, 36(a1)\n"
            "lw s8, 40(a1)\n lw s9, 44(a1)\n lw s10, 48(a1)\n lw s11, 52(a1)\n ret");
}

static APART void give_up(void)
{
    swtch(&running->at, &scheduler_at);
    __asm__ volatile("");
}

void user_trap(void);
void user_trap(void)
{
    running->pc += 4;
    give_up();
    CSR_WRITE(mscratch, (uintptr_t)running);
}

/* mscratch: the running process. */
void user_vector(void);
__attribute__((naked, aligned(4))) void user_vector(void)
{
    __asm__("csrrw t0, mscratch, t0\n sw sp, 0(t0)\n sw ra, 16(t0)\n sw s0, 20(t0)\n"
            "sw s1, 24(t0)\n sw a0, 28(t0)\n csrr ra, mepc\n sw ra, 8(t0)\n lw sp, 4(t0)\n"
            "call user_trap\n j user_return");
}

void user_return(void);
__attribute__((naked)) void user_return(void)
{
    __asm__("csrr t0, mscratch\n lw ra, 8(t0)\n csrw mepc, ra\n lw ra, 16(t0)\n"
            "lw s0, 20(t0)\n lw s1, 24(t0)\n lw a0, 28(t0)\n lw sp, 0(t0)\n mret");
}

void first_return(void);
void first_return(void)
{
    CSR_WRITE(mscratch, (uintptr_t)running);
    CSR_WRITE(mstatus, 0x1880);
    user_return();
}

static APART void work(uint32_t n)
{
    while (n-- > 0)
        spent++;
}

static APART void wait(void)
{
    __asm__ volatile("ecall" ::
                         : "t0", "t1", "t2", "t3", "t4", "t5", "t6", "a1", "a2", "a3", "a4", "a5",
                           "a6", "a7", "memory");
}

static void shell(void)
{
    for (;;) {
        work(30);
        wait();
    }
}

static APART void serve(void)
{
    work(20);
    wait();
    work(10);
}

static void server(void)
{
    for (;;)
        serve();
}

static APART void create(process *p, void (*entry)(void))
{
    p->user_sp = (uint32_t)(uintptr_t)(p->user + 256);
    p->kernel_top = (uint32_t)(uintptr_t)(p->kernel + 256);
    p->pc = (uint32_t)(uintptr_t)entry;
    p->at.ra = (uint32_t)(uintptr_t)first_return;
    p->at.sp = p->kernel_top;
}

static APART void schedule(void)
{
    for (int i = 0; i < 20; i++) {
        running = &processes[i % 2];
        swtch(&scheduler_at, &running->at);
        rounds++;
    }
}

int main(void)
{
    CSR_WRITE(mtvec, (uintptr_t)user_vector);
    create(&processes[0], shell);
    create(&processes[1], server);
    schedule();
    return rounds == 20 ? 0 : 1;
}
