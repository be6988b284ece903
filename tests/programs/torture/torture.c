/*
 * What an engine that translates code is most likely to get wrong: code that changes, control
 * that goes where no block begins, calls that never return, traps in the middle of hot loops.
 * Every part runs long enough to be translated, and prints a number it also knows itself.
 */
#include "rt.h"

enum { MANY = 20000 };

static void expect(const char *what, uint32_t found, uint32_t wanted)
{
    put(what);
    put(" ");
    put_dec(found);
    put(found == wanted ? "\n" : " is wrong\n");
}

#define NOINLINE __attribute__((noinline, noclone))

typedef uint32_t function(uint32_t);
extern uint32_t patched(uint32_t), changes_next(uint32_t), changes_next_fenced(uint32_t);
extern uint32_t patched_here[];
extern uint32_t in_the_middle(uint32_t), beside_data(uint32_t), traps_often(uint32_t);
extern uint32_t side_by_side(uint32_t times, uint32_t words[4]);
extern uint32_t add_1, add_2, return_insn[2]; /* instructions, as data */

/* A caller that is translated together with what it calls. */
static NOINLINE uint32_t call_patched(uint32_t times)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < times; i++)
        sum += patched(i & 7);
    return sum;
}

static uint32_t sum_of(uint32_t times, uint32_t more)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < times; i++)
        sum += (i & 7) + more;
    return sum;
}

static void patch(void)
{
    volatile uint32_t *code = patched_here;
    for (unsigned round = 0; round < 7; round++) {
        expect("patched", call_patched(MANY), sum_of(MANY, 1 + round % 2));
        *code = round % 2 ? add_1 : add_2;
    }
}

/* Code that was data a moment ago. */
static uint32_t written[4];
static NOINLINE uint32_t run_written(uint32_t times)
{
    function *f = (function *)(uintptr_t)written;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < times; i++)
        sum += f(i & 3);
    return sum;
}

static void run_data(void)
{
    for (unsigned round = 0; round < 4; round++) {
        volatile uint32_t *code = written;
        code[0] = round % 2 ? add_2 : add_1;
        code[1] = return_insn[0];
        code[2] = return_insn[1];
        expect("data", run_written(MANY), MANY / 4 * 6 + MANY * (1 + round % 2));
    }
}

/* Deeper than translated code nests, and out of it from anywhere. */
static void *jump_buffer[5];
static NOINLINE uint32_t dive(uint32_t depth, uint32_t leave_at)
{
    if (depth == leave_at)
        __builtin_longjmp(jump_buffer, 1);
    if (depth == 0)
        return 0;
    return dive(depth - 1, leave_at) + 1;
}

static NOINLINE uint32_t dive_and_jump(uint32_t depth, uint32_t leave_at)
{
    if (__builtin_setjmp(jump_buffer) == 0)
        return dive(depth, leave_at);
    return 1;
}

static void recurse(void)
{
    volatile uint32_t sum = 0, jumps = 0;
    for (volatile uint32_t i = 0; i < 300; i++) {
        sum += dive_and_jump(450, 1000);
        jumps += dive_and_jump(450, i % 450);
    }
    expect("recursion", sum, 300 * 450);
    expect("longjmp", jumps, 300);
}

/* A device in a hot loop. */
extern volatile uint32_t *const device;
static NOINLINE uint32_t poll(uint32_t times)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < times; i++)
        sum += (*device, i);
    return sum;
}

/* Calls itself from inside a loop: many runs of it wait for each other. */
static NOINLINE uint32_t spread(uint32_t n)
{
    uint32_t sum = 1;
    for (uint32_t i = 0; i < n; i++)
        sum += spread(i);
    return sum;
}

/* So do two that call each other. */
static uint32_t spread_by_turns(uint32_t n);
static NOINLINE uint32_t take_turns(uint32_t n)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += spread_by_turns(i);
    return sum;
}
static NOINLINE uint32_t spread_by_turns(uint32_t n)
{
    return 1 + take_turns(n);
}

/* Tail calls of functions that call others and make tail calls. */
static NOINLINE uint32_t bits_of(uint32_t x)
{
    uint32_t bits = 0;
    for (; x; x &= x - 1)
        bits++;
    return bits;
}
static NOINLINE uint32_t last_of(uint32_t x)
{
    return x & 1 ? x + bits_of(x) : bits_of(x);
}
static NOINLINE uint32_t second_of(uint32_t x)
{
    return last_of(x + bits_of(x));
}
static NOINLINE uint32_t first_of(uint32_t x)
{
    return second_of(x ^ bits_of(x));
}
static NOINLINE uint32_t hand_over(uint32_t times)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < times; i++)
        sum += first_of(i & 3) + last_of(1);
    return sum;
}

/* Accesses that follow each other, by one register, of which some are not aligned as others are, or
 * put back what has been loaded. */
static uint32_t side_by_side_in_c(uint32_t times, uint32_t words[4])
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < times; i++) {
        uint32_t between;
        __builtin_memcpy(&between, (char *)words + 2, sizeof between);
        sum += words[0] + between;
        words[3] = ++words[1];
        words[2] = sum;
        sum = (sum + words[3]) ^ words[2];
    }
    return sum;
}

static void access_side_by_side(void)
{
    static uint32_t words[2][4 * 64]; /* on many lines */
    uint32_t found = 0, wanted = 0;
    for (uint32_t i = 0; i < 4 * 64; i++)
        words[0][i] = words[1][i] = i * 0x9e3779b9u;
    for (uint32_t i = 0; i + 4 <= 4 * 64; i += 3) {
        found += side_by_side(MANY / 50, &words[0][i]);
        wanted += side_by_side_in_c(MANY / 50, &words[1][i]);
    }
    expect("side by side", found, wanted);
}

int main(void)
{
    patch();
    expect("next", changes_next(MANY), MANY / 2 * 3);
    expect("next, with a fence", changes_next_fenced(MANY), MANY / 2 * 3);
    run_data();
    recurse();
#if !defined __riscv || defined __riscv_compressed /* or no instruction has a middle */
    expect("middle", in_the_middle(MANY), 2 * MANY);
#endif
    expect("beside", beside_data(MANY), MANY);
    access_side_by_side();
    expect("spread", spread(10), 1 << 10);
    expect("by turns", spread_by_turns(10), 1 << 10);
    expect("tails", hand_over(MANY), MANY / 4 * 16);
    expect("device", poll(MANY), MANY / 2 * (MANY - 1));
    expect("traps", traps_often(MANY / 4), MANY / 4);
    return 0;
}
