/* The ways a program ends itself; the first argument chooses one. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void at_end(void)
{
    printf("at exit\n");
}

static void on_abort(int signal)
{
    printf("caught %d\n", signal);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "abort";
    atexit(at_end);
    printf("ends by %s\n", how);
    fflush(stdout);
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "caught") == 0) {
        signal(SIGABRT, on_abort);
        abort();
    }
    if (strcmp(how, "exit") == 0)
        exit(300);
    if (strcmp(how, "_exit") == 0)
        _exit(3);
    if (strcmp(how, "term") == 0)
        raise(SIGTERM);
    if (strcmp(how, "usr1") == 0)
        raise(SIGUSR1);
    if (strcmp(how, "null") == 0)
        *(volatile int *)0 = 1;
    if (strcmp(how, "divide") == 0)
        printf("%d\n", 1 / (argc - 2));
    if (strcmp(how, "illegal") == 0)
        asm volatile(".word 0x70000038");
    if (strcmp(how, "jump") == 0)
        ((void (*)(void))0x123450)();
    if (strcmp(how, "misaligned") == 0)
        printf("%d\n", *(volatile int *)((char *)argv + 1));
    if (strcmp(how, "trap") == 0)
        asm volatile("break 1");
    if (strcmp(how, "overflow") == 0)
        asm volatile("lui $8, 0x7fff\n ori $8, 0xffff\n addi $8, $8, 1" : : : "$8");
    return 1;
}
