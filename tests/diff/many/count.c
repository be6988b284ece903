/*
 * count - cores of either instruction set count in one word, by atomic instructions alone.
 *
 * Everybody adds 1 as often as ROUNDS says by lr.w and sc.w, or ll and sc, and the RISC-V cores as
 * often again by amoadd.w. The harts say in a word of their own that they are done; hart 0 waits
 * for that and checks.
 */
#include <stdint.h>

enum { ROUNDS = 200 };

typedef volatile uint32_t word;

static word *const counter = (word *)(uintptr_t)0x40000000;
static word *const done = (word *)(uintptr_t)0x40000100;
static word *const test = (word *)(uintptr_t)0xf0000000;

#ifdef __mips__
static uint32_t hart(void)
{
    uint32_t ebase;
    __asm__("mfc0 %0, $15, 1" : "=r"(ebase));
    return ebase & 0x3ff;
}

static void add_linked(void)
{
    uint32_t value;
    __asm__ volatile(".set push\n.set noreorder\n"
                     "1: ll %0, 0(%1)\n addiu %0, %0, 1\n sc %0, 0(%1)\n beqz %0, 1b\n nop\n"
                     ".set pop"
                     : "=&r"(value)
                     : "r"(counter)
                     : "memory");
}

static void add_at_once(void)
{
}

enum { AT_ONCE = 0 };
#else
static uint32_t hart(void)
{
    uint32_t id;
    __asm__("csrr %0, mhartid" : "=r"(id));
    return id;
}

static void add_linked(void)
{
    uint32_t value, failed;
    do {
        __asm__ volatile("lr.w %0, (%2)\n addi %0, %0, 1\n sc.w %1, %0, (%2)"
                         : "=&r"(value), "=&r"(failed)
                         : "r"(counter)
                         : "memory");
    } while (failed);
}

static void add_at_once(void)
{
    __asm__ volatile("amoadd.w zero, %0, (%1)" ::"r"(1), "r"(counter) : "memory");
}

enum { AT_ONCE = 1 };
#endif

int main(void)
{
    const uint32_t id = hart();
    for (uint32_t i = 0; i < ROUNDS; i++) {
        add_linked();
        add_at_once();
    }
    done[id] = 1 + ROUNDS * (1 + AT_ONCE);
    if (id != 0)
        return 0;
    uint32_t expected = 0;
    for (uint32_t i = 0; i < CORES; i++) {
        while (!done[i]) {
        }
        expected += done[i] - 1;
    }
    return *counter != expected;
}

void finish(void);
void finish(void)
{
    *test = (uint32_t)main();
    for (;;) {
    }
}

char stack[1024];
#ifdef __mips__
__asm__(".globl start\n.set noreorder\nstart: la $sp, stack + 1000\n j finish\n nop\n");
#else
__asm__(".globl start\nstart: la sp, stack + 1024\n j finish\n");
#endif
