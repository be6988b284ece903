/*
 * The same for a program with an operating system: memory whose protection changes under hot
 * code, and a stack that ends.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { MANY = 20000, PAGE = 4096 };

static sigjmp_buf back;
static volatile unsigned faults;

static void on_fault(int signal)
{
    faults++;
    siglongjmp(back, signal);
}

/* Goes through memory it may not store to any more at some point. */
static __attribute__((noinline)) uint32_t fill(volatile uint32_t *words, uint32_t times)
{
    uint32_t i;
    for (i = 0; i < times; i++)
        words[i % 64] += i;
    return words[5];
}

static void protect_data(void)
{
    uint32_t *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    volatile unsigned caught = 0;
    for (volatile int round = 0; round < 5; round++) {
        printf("filled %u\n", fill(page, MANY));
        mprotect(page, PAGE, round % 2 ? PROT_NONE : PROT_READ);
        if (sigsetjmp(back, 1) == 0)
            fill(page, MANY);
        else
            caught++;
        mprotect(page, PAGE, PROT_READ | PROT_WRITE);
    }
    printf("caught %u\n", caught);
}

/* Reads a word, and two more that need not be there if it is odd. */
static __attribute__((noinline)) uint32_t read_some(volatile uint32_t *words, uint32_t times)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < times; i++) {
        uint32_t first = words[0];
        if (!(first & 1))
            first += words[1] + words[2];
        sum += first;
        words[0] = first & 0xffff;
    }
    return sum;
}

static void read_at_the_edge(void)
{
    uint32_t *page =
        mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    volatile uint32_t *words = page + PAGE / 4 - 3;
    munmap((char *)page + PAGE, PAGE);
    for (volatile int round = 0; round < 3; round++) {
        words[0] = 2, words[1] = 4, words[2] = 1;
        printf("at the edge: %u\n", read_some(words, MANY));
        words[2] |= 1;
        printf("and on it: %u\n", read_some(words + 2, MANY));
        words[1] &= ~1u;
        if (sigsetjmp(back, 1) == 0)
            printf("beyond: %u\n", read_some(words + 1, MANY));
        if (sigsetjmp(back, 1) == 0)
            printf("askew: %u\n", read_some((uint32_t *)((char *)words + 1), MANY));
    }
}

/* Code on a page that may be executed, and then may not, and then is not there. */
typedef uint32_t function(uint32_t);
static __attribute__((noinline)) uint32_t call(function *f, uint32_t times)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < times; i++)
        sum += f(i & 7);
    return sum;
}

static void protect_code(void)
{
    static const uint32_t code[] = {0x24820001 /* addiu $2, $4, 1 */, 0x03e00008 /* jr $31 */, 0};
    uint32_t *page =
        mmap(NULL, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    function *f = (function *)(uintptr_t)page;
    volatile unsigned caught = 0;
    for (volatile int round = 0; round < 3; round++) {
        memcpy(page, code, sizeof code);
        page[0] += (uint32_t)round;
        __builtin___clear_cache((char *)page, (char *)page + sizeof code);
        mprotect(page, PAGE, PROT_READ | PROT_EXEC);
        printf("called %u\n", call(f, MANY));
        mprotect(page, PAGE, PROT_READ | PROT_WRITE);
        if (sigsetjmp(back, 1) == 0)
            call(f, 1);
        else
            caught++;
    }
    munmap(page, PAGE);
    if (sigsetjmp(back, 1) == 0)
        call(f, 1);
    else
        caught++;
    printf("caught %u\n", caught);
}

static volatile unsigned depth;
static __attribute__((noinline)) unsigned sink(volatile char *above)
{
    volatile char here[200];
    here[0] = *above;
    depth++;
    return depth == 0 ? 0 : sink(here) + (unsigned)here[0];
}

static void exhaust(void)
{
    for (volatile int round = 0; round < 3; round++) {
        char start = 1;
        depth = 0;
        if (sigsetjmp(back, 1) == 0)
            sink(&start);
        printf("deep enough: %d\n", depth > 10000);
    }
}

int main(void)
{
    static char stack[1 << 16];
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = on_fault, .sa_flags = SA_ONSTACK};
    sigaltstack(&other, NULL);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    protect_data();
    read_at_the_edge();
    protect_code();
    exhaust();
    printf("%u faults\n", faults);
    return 0;
}
