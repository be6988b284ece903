/* Linux: coroutines by makecontext() and swapcontext(), one of which comes to its end, and a
 * signal's handler in a stack of its own. */
#include <signal.h>
#include <stdlib.h>
#include <ucontext.h>

#define APART __attribute__((noinline, noclone))

static ucontext_t at_main, contexts[2];
static volatile unsigned spent, handled;

static APART void work(unsigned n)
{
    while (n-- > 0)
        spent++;
}

static APART void leave(int which)
{
    swapcontext(&contexts[which], &at_main);
}

static void generator(void)
{
    for (;;) {
        work(10);
        leave(0);
    }
}

static APART void part(void)
{
    work(5);
    leave(1);
    work(5);
}

static void limited(void)
{
    part();
    part();
}

static APART void in_handler(void)
{
    work(3);
}

static void handler(int number)
{
    (void)number;
    in_handler();
    handled++;
}

static APART void create(int which, void (*entry)(void))
{
    getcontext(&contexts[which]);
    contexts[which].uc_stack.ss_sp = malloc(65536);
    contexts[which].uc_stack.ss_size = 65536;
    contexts[which].uc_link = &at_main;
    makecontext(&contexts[which], entry, 0);
}

int main(void)
{
    stack_t other = {.ss_sp = malloc(65536), .ss_size = 65536};
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
    sigaltstack(&other, NULL);
    sigaction(SIGUSR1, &action, NULL);
    create(0, generator);
    create(1, limited);
    for (int i = 0; i < 3; i++) {
        swapcontext(&at_main, &contexts[0]);
        swapcontext(&at_main, &contexts[1]);
        raise(SIGUSR1);
    }
    return spent == 3 * 10 + 4 * 5 + 3 * 3 && handled == 3 ? 0 : 1;
}
