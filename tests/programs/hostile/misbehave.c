/*
 * A guest that misbehaves in its sandbox: misbehave KIND
 *
 *   calls      any system call with any arguments: wild pointers, paths that lead out
 *   mapping    maps, protects, moves and unmaps memory at random, and uses it
 *   code       writes its own code, executes it, and writes it again
 *   signals    signals in signal handlers, and timers
 *   recursion  a million frames
 *   around     reads and writes around all that is mapped
 *   files      opens and maps files until there is no more, and leaves them so
 *
 * Prints a checksum of what came of it, which must not depend on the engine.
 */
#include "calls.h"

#ifdef __riscv
#define RETURN_WORDS 40 /* before the program counter in a ucontext */
#else
#include <signal.h>
#include <ucontext.h>
#endif

typedef unsigned long long u64_;

enum {
    MMAP2 = NR(222, 4210),
    MUNMAP = NR(215, 4091),
    MPROTECT = NR(226, 4125),
    MREMAP = NR(216, 4167),
    MADVISE = NR(233, 4218),
    SIGACTION = NR(134, 4194),
    SIGRETURN = NR(139, 4193),
    SETITIMER = NR(103, 4104),
    GETPID = NR(172, 4020),
    FLUSH = NR(259, 4147),
    ANONYMOUS = NR(0x20, 0x800),
    PRIVATE = 2,
    SHARED = 1,
    FIXED = 16,
    SEGV = 11,
    BUS = NR(7, 10),
    USR1 = NR(10, 16),
    ALARM = 14,
    ARENA = 0x50000000,
    ARENA_PAGES = 256,
    PAGE = 4096,
};

static u32 random_state = 1, sum;

static u32 random(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    return random_state ^= random_state << 5;
}

static void add(u32 value)
{
    sum = (sum ^ value) * 16777619u;
}

static void print_hex(const char *what, u32 value)
{
    char text[12] = "";
    print(what);
    for (int i = 0; i < 8; i++)
        text[i] = "0123456789abcdef"[value >> (28 - 4 * i) & 15];
    text[8] = '\n';
    print(text);
}

/* -- signals ------------------------------------------------------------------------------------
 */

static volatile u32 caught;

/* Steps over the instruction that faulted; all that can are four bytes long. */
#ifdef __riscv
struct action {
    void (*handler)(int, int *, u32 *);
    u32 flags;
    u32 mask[2], room[4];
};

static void step_over(int signal, int *info, u32 *context)
{
    (void)info, (void)signal;
    caught++;
    context[RETURN_WORDS] += 4;
}

static void on_signal(int signal, int *info, u32 *context)
{
    (void)info, (void)context;
    caught++;
    if (signal == USR1 && caught % 3 == 0)
        SYS(KILL, SYS(GETPID), ALARM); /* within the handler */
}

static void handle(int signal, void (*handler)(int, int *, u32 *))
{
    struct action action = {handler, 4 | 0x40000000, {0}, {0}}; /* SA_SIGINFO | SA_NODEFER */
    SYS(SIGACTION, signal, &action, NUL, 8);
}
#else
static void step_over(int signal, siginfo_t *info, void *context)
{
    (void)info, (void)signal;
    caught++;
    ((ucontext_t *)context)->uc_mcontext.pc += 4;
}

static void on_signal(int signal, siginfo_t *info, void *context)
{
    (void)info, (void)context;
    caught++;
    if (signal == USR1 && caught % 3 == 0)
        SYS(KILL, SYS(GETPID), ALARM);
}

static void handle(int signal, void (*handler)(int, siginfo_t *, void *))
{
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_NODEFER};
    sigaction(signal, &action, NULL);
}
#endif

/* Accesses of four bytes of code. */
static u32 load(u32 address)
{
    u32 value = 0;
#ifdef __riscv
    asm volatile(".option push\n.option norvc\nlw %0, 0(%1)\n.option pop"
                 : "+r"(value)
                 : "r"(address)
                 : "memory");
#else
    __asm__ volatile(".set push\n.set noreorder\nlw %0, 0(%1)\nnop\n.set pop"
                     : "+r"(value)
                     : "r"(address)
                     : "memory");
#endif
    return value;
}

static void store(u32 address, u32 value)
{
#ifdef __riscv
    asm volatile(".option push\n.option norvc\nsw %0, 0(%1)\n.option pop" ::"r"(value), "r"(address)
                 : "memory");
#else
    __asm__ volatile(".set push\n.set noreorder\nsw %0, 0(%1)\nnop\n.set pop" ::"r"(value),
                     "r"(address)
                     : "memory");
#endif
}

static void signals(void)
{
    const int soon[4] = {0, 50, 0, 50};
    handle(USR1, on_signal);
    handle(ALARM, on_signal);
    SYS(SETITIMER, 0, soon, NUL);
    for (u32 i = 0; i < 5000; i++)
        SYS(KILL, SYS(GETPID), USR1);
    const int never[4] = {0};
    SYS(SETITIMER, 0, never, NUL);
    add(caught);
}

/* -- memory -------------------------------------------------------------------------------------
 */

static void mapping(void)
{
    handle(SEGV, step_over);
    handle(BUS, step_over);
    long file = SYS(OPENAT, AT_CWD, "mapped", O_BOTH | O_MAKE | O_EMPTIED, 0600);
    for (u32 i = 0; i < 16; i++)
        SYS(WRITE, file, "0123456789abcdef", 16);
    for (u32 i = 0; i < 8000; i++) {
        u32 page = random() % ARENA_PAGES, pages = 1 + random() % 8, at = ARENA + page * PAGE;
        u32 other = ARENA + random() % ARENA_PAGES * PAGE;
        long result = 0;
        switch (random() % 10) {
        case 0: result = SYS(MMAP2, at, pages * PAGE, 3, PRIVATE | ANONYMOUS | FIXED, -1, 0); break;
        case 1:
            result = SYS(MMAP2, at, pages * PAGE, random() % 8, PRIVATE | ANONYMOUS | FIXED, -1, 0);
            break;
        case 2:
            result =
                SYS(MMAP2, at, pages * PAGE, 3, (random() & 1 ? SHARED : PRIVATE) | FIXED, file, 0);
            break;
        case 3: result = SYS(MUNMAP, at, pages * PAGE); break;
        case 4: result = SYS(MPROTECT, at, pages * PAGE, random() % 8); break;
        case 5: result = SYS(MREMAP, at, pages * PAGE, (1 + random() % 8) * PAGE, 3, other); break;
        case 6: result = SYS(MADVISE, at, pages * PAGE, 4); break;
        case 7:
            result = SYS(MMAP2, random(), random(), random() % 16, random() % 64, random() % 8,
                         random());
            break;
        case 8: store(at + random() % PAGE / 4 * 4, random()); break;
        default: add(load(at + random() % PAGE / 4 * 4)); break;
        }
        add((u32)result);
        /* What was mapped anywhere would fill memory in the end, as it shall not. */
        if (result > 0x1000000 &&
            ((u32)result < ARENA || (u32)result >= ARENA + 2 * ARENA_PAGES * PAGE))
            SYS(MUNMAP, result, 0x1000000);
    }
    add(caught);
}

static void around(void)
{
    static const u32 edges[] = {0,          4,          0xffc,      0x1000,     0xfffc,
                                0x10000,    0x3ffffffc, 0x40000000, 0x7ffeffff, 0x7fff0000,
                                0x7fff1000, 0x7fff1ffc, 0x7fff2000, 0x7ffffffc, 0x80000000,
                                0x80000004, 0xbffffffc, 0xc0000000, 0xffff0000, 0xfffff000,
                                0xfffffffc, 0xfffffffe, 0xffffffff};
    handle(SEGV, step_over);
    handle(BUS, step_over);
    for (u32 i = 0; i < sizeof edges / sizeof *edges; i++) {
        for (int offset = -8; offset <= 8; offset++) {
            add(load(edges[i] + (u32)offset) == 0);
            add((u32)SYS(WRITE, 1, edges[i] + (u32)offset, 0));
            add((u32)SYS(READ, 0, edges[i] + (u32)offset, 64));
            add((u32)SYS(OPENAT, AT_CWD, edges[i] + (u32)offset, 0, 0));
            if (edges[i] < 0x7ff00000 || edges[i] > 0x7fff0000)
                store(edges[i] + (u32)offset, 1);
        }
    }
    add(caught);
}

/* Gumshoe needs some to keep the profile. */
static void files(void)
{
    u32 opened = 0, mapped = 0;
    long file = SYS(OPENAT, AT_CWD, "file", O_BOTH, 0), result = file;
    while (result >= 0) {
        result = SYS(OPENAT, AT_CWD, "file", O_BOTH, 0);
        opened += result >= 0;
    }
    do {
        result = SYS(MMAP2, 0, PAGE, 3, SHARED, file, 0);
        mapped += result > 0 || result < -4095;
    } while (mapped < 2000 && (result > 0 || result < -4095));
    add(opened > 100);
    print(opened > 100 ? "files were opened\n" : "no files\n");
}

/* -- code ---------------------------------------------------------------------------------------
 */

static void code(void)
{
    u32 *at = (u32 *)SYS(MMAP2, ARENA, 4 * PAGE, 7, PRIVATE | ANONYMOUS | FIXED, -1, 0);
    for (u32 i = 0; i < 8000; i++) {
        u32 *here = at + (random() % 4) * (PAGE / 4) + random() % 64;
        u32 value = random() % 2000;
#ifdef __riscv
        here[0] = value << 20 | 10 << 15 | 10 << 7 | 0x13; /* addi a0, a0, value */
        here[1] = 0x00008067;                              /* ret */
        SYS(FLUSH, here, here + 2, 0);
#else
        here[0] = 0x03e00008;         /* jr $ra */
        here[1] = 0x24820000 | value; /* addiu $v0, $a0, value */
        SYS(FLUSH, here, 8, 3);
#endif
        add(((u32(*)(u32))here)(i));
    }
}

/* -- calls --------------------------------------------------------------------------------------
 */

static const char *const texts[] = {"file",
                                    "../out/secret",
                                    "/cell/out/secret",
                                    "to_out/secret",
                                    ".",
                                    "/",
                                    "",
                                    "/proc/self/mem",
                                    "sub",
                                    "new",
                                    "/dev/null",
                                    "to_secret",
                                    "/cell/out"};

/* Calls that end the process, wait for what does not come, take the streams away, or change what
 * this program itself needs: its memory, its stack and its handlers. */
static int is_left_out(u32 number)
{
    static const unsigned short left_out[] = {
        NR(93, 4001),  NR(94, 4246),  NR(57, 4006),  NR(436, 4436), NR(129, 4037), NR(130, 4236),
        NR(131, 4266), NR(138, 4196), NR(240, 4332), NR(139, 4193), NR(139, 4119), NR(133, 4199),
        NR(133, 4072), NR(214, 4045), NR(222, 4210), NR(222, 4090), NR(215, 4091), NR(216, 4167),
        NR(226, 4125), NR(233, 4218), NR(134, 4194), NR(134, 4067), NR(135, 4195), NR(135, 4126),
        NR(132, 4206), NR(103, 4104), NR(414, 4414), NR(413, 4413), NR(414, 4188), NR(413, 4142),
        NR(414, 4302), NR(413, 4301), NR(407, 4407), NR(101, 4166), NR(422, 4422), NR(98, 4238),
        NR(63, 4003),  NR(24, 4063),  NR(24, 4327),  NR(65, 4145),  NR(165, 4283), NR(103, 4027),
        NR(29, 4029),  NR(164, 4075), NR(261, 4338), NR(23, 4000),  NR(67, 4149),  NR(25, 4055),
        NR(25, 4220),  NR(47, 4320)};
    for (u32 i = 0; i < sizeof left_out / sizeof *left_out; i++) {
        if (left_out[i] == number)
            return 1;
    }
    return 0;
}

static u32 any_value(void)
{
    static char scratch[2][PAGE * 2];
    switch (random() % 12) {
    case 0: return random();
    case 1: return random() % 8;
    case 2: return (u32) - (int)(random() % 200);
    case 3: return 1u << random() % 32;
    case 4: return 0x7fff0000u - random() % 64;
    case 5: return random() % 2 ? 0 : 0xffffffffu;
    case 6: return (u32)AT_CWD;
    case 7:
    case 8: return (u32)(unsigned long)scratch[random() & 1] + random() % PAGE;
    default: return (u32)(unsigned long)texts[random() % (sizeof texts / sizeof *texts)];
    }
}

static void calls(void)
{
    u32 answered = 0;
    handle(13, on_signal); /* SIGPIPE */
    for (u32 i = 0; i < 10000; i++) {
        u32 number = NR(0, 4000) + random() % 470, a = any_value(), b = any_value(),
            c = any_value();
        u32 d = any_value(), e = any_value(), f = any_value();
        if (is_left_out(number))
            continue;
        long result = SYS(number, a, b, c, d, e, f);
        answered += result >= 0;
        if (result >= 3 && result < 1024)
            SYS(CLOSE, result);
    }
    add(answered);
    print(answered > 100 ? "some of it worked\n" : "nothing worked\n");
}

/* -- recursion ----------------------------------------------------------------------------------
 */

__attribute__((noinline)) static u32 descend(u32 depth)
{
    if (depth == 0)
        return 1;
    u32 below = descend(depth - 1);
    return below * 3 + depth;
}

static u32 depth_wanted = 1000000;

__attribute__((noinline)) static void dive(void)
{
    add(descend(depth_wanted));
}

/* On a stack that is large enough. */
static void recursion(void)
{
    enum { SIZE = 128 << 20 };
    long stack = SYS(MMAP2, ARENA, SIZE, 3, PRIVATE | ANONYMOUS | FIXED, -1, 0);
    u32 top = (u32)stack + SIZE - 64;
#ifdef __riscv
    asm volatile("mv s2, sp\nmv sp, %0\njalr %1\nmv sp, s2" ::"r"(top), "r"(dive)
                 : "ra", "s2", "memory", "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "t0", "t1",
                   "t2", "t3", "t4", "t5", "t6");
#else
    __asm__ volatile(".set push\n.set noreorder\nmove $16, $29\nmove $29, %0\nmove $25, %1\njalr "
                     "$25\nnop\nmove $29, $16\n"
                     ".set pop" ::"r"(top),
                     "r"(dive)
                     : "$16", "$31", "$25", "memory", "$2", "$3", "$4", "$5", "$6", "$7", "$8",
                       "$9", "$10", "$11", "$12", "$13", "$14", "$15", "$24");
#endif
}

static int is(const char *text, const char *word)
{
    while (*text && *text == *word)
        text++, word++;
    return *text == *word;
}

#ifdef __riscv
int program(long argc, char **argv, char **envp, u32 *auxv)
{
    (void)envp, (void)auxv;
#else
int program(int argc, char **argv)
{
#endif
    const char *kind = argc > 1 ? argv[1] : "";
    if (is(kind, "calls"))
        calls();
    else if (is(kind, "mapping"))
        mapping();
    else if (is(kind, "code"))
        code();
    else if (is(kind, "signals"))
        signals();
    else if (is(kind, "recursion"))
        recursion();
    else if (is(kind, "around"))
        around();
    else if (is(kind, "files"))
        files();
    else
        return 2;
    print_hex("checksum ", sum);
    return 0;
}
