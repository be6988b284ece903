/* Signals of an RV32 process: frames, contexts, stacks and the way back. */
#include "rv32.h"

struct sigaction {
    void (*handler)(int, int *, void *);
    u32 flags;
    u64 mask;
    u64 room; /* QEMU 7.2 writes more than the kernel does */
};

enum { SIGTRAP = 5, SIGILL = 4, SIGSEGV = 11, SIGUSR1 = 10, SIGUSR2 = 12, SA_SIGINFO = 4 };
enum { SA_ONSTACK = 0x08000000, PC = 40 /* words before the registers in a ucontext */ };

static volatile int seen;
static u8 other_stack[8192] __attribute__((aligned(16)));

static void show(int signal, int *info, void *context)
{
    u32 *uc = context, here;
    asm("mv %0, sp" : "=r"(here));
    seen++;
    print_number("signal", signal);
    print_number("number in info", info[0]);
    print_number("code", info[2]);
    print_number("aligned", ((u32)context & 15) == 0);
    print_number("pc", uc[PC] != 0);
    print_number("other stack", here >= (u32)other_stack && here < (u32)other_stack + 8192);
}

/* Goes on after the instruction, with a new value in t0. */
static void step_over(int signal, int *info, void *context)
{
    u32 *uc = context;
    show(signal, info, context);
    if (signal != SIGSEGV)
        print_number("address is pc", (u32)info[3] == uc[PC]);
    else
        print_number("address", info[3]);
    uc[PC] += 4;
    uc[PC + 5] = 1234;
}

static void install(int signal, void (*handler)(int, int *, void *), u32 flags)
{
    struct sigaction action = {handler, SA_SIGINFO | flags, 0}, old;
    print_number("sigaction", SYS(134, signal, &action, &old, 8));
    print_number("was default", old.handler == 0);
}

int program(long argc, char **argv, char **envp, u32 *auxv)
{
    u32 value;
    u64 mask = 1ull << (SIGUSR1 - 1), old = 0, pending = 0;
    install(SIGUSR1, show, 0);
    print_number("kill", SYS(129, SYS(172), SIGUSR1));
    print_number("seen", seen);
    print_number("block", SYS(135, 0, &mask, &old, 8));
    print_number("tgkill", SYS(131, SYS(172), SYS(178), SIGUSR1));
    print_number("seen", seen);
    SYS(136, &pending, 8);
    print_number("pending", pending == mask);
    u64 none = 0;
    print_number("sigsuspend", SYS(133, &none, 8));
    print_number("seen", seen);
    SYS(135, 2, &none, &old, 8);
    print_number("still blocked", old == mask);

    install(SIGSEGV, step_over, 0);
    asm volatile("li t0, 1\n .option push\n .option norvc\n lw t1, 64(x0)\n .option pop\n mv %0, t0"
                 : "=r"(value)
                 :
                 : "t0", "t1");
    print_number("t0", (long)value);
    install(SIGILL, step_over, 0);
    asm volatile("li t0, 1\n .word 0xffffffff\n mv %0, t0" : "=r"(value) : : "t0");
    print_number("t0", (long)value);
    install(SIGTRAP, step_over, 0);
    asm volatile("li t0, 1\n .option push\n .option norvc\n ebreak\n .option pop\n mv %0, t0"
                 : "=r"(value)
                 :
                 : "t0");
    print_number("t0", (long)value);

    u32 stack[3] = {(u32)other_stack, 0, sizeof other_stack}, was[3];
    print_number("sigaltstack", SYS(132, stack, was));
    print_number("disabled before", was[1] == 2);
    install(SIGUSR2, show, SA_ONSTACK);
    print_number("tkill", SYS(130, SYS(178), SIGUSR2));
    print_number("seen", seen);
    print_number("bad signal", SYS(129, SYS(172), 65));
    print_number("bad size", SYS(134, SIGUSR1, 0, 0, 16));
    struct sigaction back = {0};
    SYS(134, SIGSEGV, &back, 0, 8);
    *(volatile int *)16 = 1;
    return 0;
}
