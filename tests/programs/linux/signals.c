/* Signals: sent, blocked, caught, and those that faults are. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

static volatile sig_atomic_t seen, depth, deepest, again;
static sigjmp_buf back;

static void count(int signal)
{
    seen = signal;
}

static void nested(int signal)
{
    depth++;
    if (depth > deepest)
        deepest = depth;
    if (again-- > 0)
        raise(signal);
    depth--;
}

static void with_info(int signal, siginfo_t *info, void *context)
{
    ucontext_t *uc = context;
    printf("signal %d code %d pid %d uid %d value %d context %d\n", signal, info->si_code,
           info->si_pid == getpid(), info->si_uid == getuid(), info->si_value.sival_int,
           uc->uc_mcontext.pc != 0);
}

static void install(int signal, void (*handler)(int, siginfo_t *, void *), int flags)
{
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | flags};
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, NULL);
}

static void sending(void)
{
    struct sigaction action = {.sa_handler = count}, old;
    sigaction(SIGUSR1, &action, &old);
    printf("was default %d\n", old.sa_handler == SIG_DFL);
    seen = 0;
    printf("raise %d", raise(SIGUSR1));
    printf(" seen %d\n", seen == SIGUSR1);
    sigaction(SIGUSR1, NULL, &old);
    printf("is handler %d flags %x\n", old.sa_handler == count,
           (unsigned)old.sa_flags & 0xf0000000u);
    seen = 0;
    kill(getpid(), SIGUSR1);
    printf("kill seen %d\n", seen == SIGUSR1);
    kill(getpid(), 0);
    printf("kill invalid %s\n", kill(getpid(), 4000) < 0 ? strerror(errno) : "?");
    printf("kill no process %s\n", kill(0x3fffffff, SIGUSR1) < 0 ? strerror(errno) : "?");
    printf("catch KILL %s\n", sigaction(SIGKILL, &action, NULL) < 0 ? strerror(errno) : "?");
    signal(SIGCHLD, SIG_DFL);
    raise(SIGCHLD);
    raise(SIGWINCH);
    signal(SIGTERM, SIG_IGN);
    raise(SIGTERM);
    printf("survived\n");

    install(SIGUSR2, with_info, 0);
    raise(SIGUSR2);
    kill(getpid(), SIGUSR2);
    sigqueue(getpid(), SIGUSR2, (union sigval){.sival_int = 4711});
    install(SIGRTMIN + 3, with_info, 0);
    sigqueue(getpid(), SIGRTMIN + 3, (union sigval){.sival_int = 12});

    action.sa_handler = count;
    action.sa_flags = (int)SA_RESETHAND;
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
    sigaction(SIGUSR1, NULL, &old);
    printf("reset %d\n", old.sa_handler == SIG_DFL);
    again = 2;
    action.sa_handler = nested;
    action.sa_flags = SA_NODEFER;
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
    printf("nested %d\n", deepest);
    deepest = 0;
    again = 2;
    action.sa_flags = 0;
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
    printf("deferred %d\n", deepest);
}

static void blocking(void)
{
    sigset_t set, old, pending;
    signal(SIGUSR1, count);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, &old);
    printf("was blocked %d\n", sigismember(&old, SIGUSR1));
    seen = 0;
    raise(SIGUSR1);
    printf("held back %d\n", seen == 0);
    sigpending(&pending);
    printf("pending %d %d\n", sigismember(&pending, SIGUSR1), sigismember(&pending, SIGUSR2));
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    printf("released %d\n", seen == SIGUSR1);

    sigprocmask(SIG_BLOCK, &set, NULL);
    seen = 0;
    raise(SIGUSR1);
    sigset_t none;
    sigemptyset(&none);
    printf("suspend %d %s", sigsuspend(&none), strerror(errno));
    printf(" seen %d\n", seen == SIGUSR1);
    sigprocmask(SIG_SETMASK, NULL, &old);
    printf("mask is back %d\n", sigismember(&old, SIGUSR1));
    raise(SIGUSR1);
    siginfo_t info;
    printf("sigwaitinfo %d code %d\n", sigwaitinfo(&set, &info) == SIGUSR1, info.si_code);
    struct timespec moment = {0, 1000};
    printf("sigtimedwait %s\n", sigtimedwait(&set, &info, &moment) < 0 ? strerror(errno) : "?");
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    printf("bad how %s\n", sigprocmask(77, &set, NULL) < 0 ? strerror(errno) : "?");
}

static char *guarded;

static void on_fault(int signal, siginfo_t *info, void *context)
{
    ucontext_t *uc = context;
    (void)uc;
    printf("fault %d code %d address %d\n", signal, info->si_code,
           (char *)info->si_addr == guarded);
    siglongjmp(back, 1);
}

static void unprotect(int signal, siginfo_t *info, void *context)
{
    (void)context;
    printf("fault %d code %d at page %d\n", signal, info->si_code,
           (char *)info->si_addr == guarded + 8);
    mprotect(guarded, 4096, PROT_READ | PROT_WRITE);
}

static volatile int zero, minimum = INT32_MIN;

static void step_over(int signal, siginfo_t *info, void *context)
{
    ucontext_t *uc = context;
    printf("signal %d code %d here %d\n", signal, info->si_code,
           (uintptr_t)info->si_addr == (uintptr_t)uc->uc_mcontext.pc);
    uc->uc_mcontext.pc += 4;
    uc->uc_mcontext.gregs[8] = 0x1234; /* $t0 */
}

static void faults(void)
{
    install(SIGSEGV, on_fault, 0);
    install(SIGBUS, on_fault, 0);
    guarded = NULL;
    if (!sigsetjmp(back, 1))
        *(volatile char *)guarded = 1;
    guarded = (char *)64;
    if (!sigsetjmp(back, 1))
        printf("%d\n", *(volatile char *)guarded);
    guarded = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (!sigsetjmp(back, 1))
        *(volatile char *)guarded = 1;
    if (!sigsetjmp(back, 1))
        ((void (*)(void))guarded)();
    guarded = (char *)&zero + 1;
    if (!sigsetjmp(back, 1))
        printf("%d\n", *(volatile int *)guarded);

    guarded = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    install(SIGSEGV, unprotect, 0);
    guarded[8] = 77;
    printf("retried %d\n", guarded[8]);

    guarded = NULL;
    install(SIGFPE, on_fault, 0);
    install(SIGILL, step_over, 0);
    int t0;
    asm volatile("li $8, 1\n .word 0x70000038\n move %0, $8" : "=r"(t0) : : "$8");
    printf("stepped over, $t0 %x\n", t0);
    asm volatile("li $8, 1\n ctc2 $8, $0\n move %0, $8" : "=r"(t0) : : "$8");
    printf("stepped over, $t0 %x\n", t0);
    install(SIGTRAP, step_over, 0);
    asm volatile("li $8, 1\n teq %1, $0, 9\n move %0, $8" : "=r"(t0) : "r"(zero) : "$8");
    printf("stepped over, $t0 %x\n", t0);
    asm volatile("li $8, 1\n break 5\n move %0, $8" : "=r"(t0) : : "$8");
    printf("stepped over, $t0 %x\n", t0);
    /* In a delay slot the program counter is the branch's. */
    install(SIGSEGV, on_fault, 0);
    guarded = (char *)16;
    if (!sigsetjmp(back, 1))
        asm volatile(".set push\n .set noreorder\n b 1f\n lw $8, 16($0)\n 1: .set pop" : : : "$8");
}

static char *alternate;

static void on_other_stack(int signal)
{
    char here;
    printf("signal %d on its stack %d\n", signal, &here >= alternate && &here < alternate + 16384);
    stack_t now;
    sigaltstack(NULL, &now);
    printf("on stack %d\n", now.ss_flags == SS_ONSTACK);
    printf("change while on it: %s\n",
           sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL) < 0 ? strerror(errno) : "?");
}

static int recurse(int n)
{
    volatile char room[1000];
    room[n % 1000] = (char)n;
    return n == 0 ? 0 : recurse(n - 1) + room[n % 1000];
}

static void on_overflow(int signal, siginfo_t *info, void *context)
{
    (void)info, (void)context;
    printf("stack overflow caught, signal %d\n", signal);
    siglongjmp(back, 1);
}

static void stacks(void)
{
    alternate = malloc(16384);
    stack_t stack = {.ss_sp = alternate, .ss_size = 16384}, old;
    sigaltstack(NULL, &old);
    printf("none %d\n", old.ss_flags == SS_DISABLE);
    printf("too small: %s\n", sigaltstack(&(stack_t){.ss_sp = alternate, .ss_size = 100}, NULL) < 0
                                  ? strerror(errno)
                                  : "?");
    printf("set %d\n", sigaltstack(&stack, NULL));
    struct sigaction action = {.sa_handler = on_other_stack, .sa_flags = SA_ONSTACK};
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
    install(SIGSEGV, on_overflow, SA_ONSTACK);
    if (!sigsetjmp(back, 1))
        printf("%d\n", recurse(100000));
    if (!sigsetjmp(back, 1))
        printf("%d\n", recurse(100000));
    stack.ss_flags = SS_DISABLE;
    sigaltstack(&stack, &old);
    printf("was set %d\n", old.ss_sp == alternate);
    signal(SIGSEGV, SIG_DFL);
}

static void floats_survive(int signal)
{
    volatile double x = signal * 1.5;
    for (int i = 0; i < 10; i++)
        x = x * x / 3.0;
}

static void registers(void)
{
    double a = zero + 1.25, b = zero + 2.5, sum = 0;
    signal(SIGUSR1, floats_survive);
    for (int i = 0; i < 100; i++) {
        sum += a * b;
        raise(SIGUSR1);
        a += 0.5;
    }
    printf("sum %.3f\n", sum);
}

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    sending();
    blocking();
    faults();
    stacks();
    registers();
    printf("done\n");
    return 0;
}
