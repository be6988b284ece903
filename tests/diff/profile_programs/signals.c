/*
 * Signals: sent by the program to itself, one in the handler of another, and for an instruction
 * that cannot be executed. Handlers have loops and call; what they come in the middle of does too.
 */
#define APART __attribute__((noinline, noclone))

#ifdef __riscv
#include "../../programs/linux/rv32.h"

enum { SIGILL = 4, SIGUSR1 = 10, SIGUSR2 = 12, SA_SIGINFO = 4, PC = 40 };

static void step_over(void *context)
{
    ((u32 *)context)[PC] += 4;
}

static void install(int signal, void (*handler)(int, void *, void *))
{
    struct {
        void (*handler)(int, void *, void *);
        u32 flags;
        u64 mask, room;
    } action = {handler, SA_SIGINFO, 0, 0};
    SYS(134, signal, &action, 0, 8);
}

static APART void send(int signal)
{
    SYS(129, SYS(172), signal);
}

#define ILLEGAL() asm volatile(".word 0xffffffff")
#else
#include <signal.h>
#include <stddef.h>
#include <ucontext.h>
#include <unistd.h>

static void step_over(void *context)
{
    ((ucontext_t *)context)->uc_mcontext.pc += 4;
}

static void install(int signal, void (*handler)(int, siginfo_t *, void *))
{
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO};
    sigaction(signal, &action, NULL);
}

static APART void send(int signal)
{
    kill(getpid(), signal);
}

#define ILLEGAL() asm volatile(".word 0xfc000000")
#endif

static volatile int work, seen;

static APART int count_to(int n)
{
    for (int i = 0; i < n; i++)
        work += i;
    return work;
}

static void on_illegal(int signal, void *info, void *context)
{
    seen++;
    count_to(3);
    step_over(context);
}

static void on_second(int signal, void *info, void *context)
{
    for (int i = 0; i < 3; i++)
        seen += count_to(i) >= 0;
    ILLEGAL();
}

static void on_first(int signal, void *info, void *context)
{
    count_to(5);
    if (seen % 2)
        send(SIGUSR2);
    seen++;
}

static APART int recurse(int depth)
{
    for (int i = 0; i < 2; i++) {
        if (depth == 3)
            send(SIGUSR1);
        else if (i == 0)
            recurse(depth + 1);
        ILLEGAL();
    }
    return work;
}

static APART int play(void)
{
    install(SIGILL, (void *)on_illegal);
    install(SIGUSR1, (void *)on_first);
    install(SIGUSR2, (void *)on_second);
    for (int i = 0; i < 4; i++)
        recurse(i);
    return seen;
}

#ifdef __riscv
int program(long argc, char **argv, char **envp, u32 *auxv)
{
    return play() == 0;
}
#else
int main(void)
{
    return play() == 0;
}
#endif
