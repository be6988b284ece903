/*
 * tick.c - a small real-time kernel: timer tick, software timers, tasks by priority.
 *
 * Stresses interrupts (on bare-metal RISC-V with a CLINT), calls through task
 * pointers, short queues and many small functions. The interrupt only counts;
 * everything else happens in order, tick by tick, so that the result does not
 * depend on when the interrupts come. Where no timer answers, the idle task
 * raises the ticks itself.
 * -DTICK_NO_TIMER leaves the timer and all CSRs alone; -DTICK_PERIOD=N is the time between two.
 * Check: the CRC-16 of "123456789" is 0x29b1; every message must arrive; then a
 * checksum over the tasks' results.
 */
#include "workload.h"

#define NAME "tick"

#ifndef TICK_PERIOD
#define TICK_PERIOD 1000
#endif

enum { QUEUE = 16, PACKET = 12, WINDOW = 9, TIMER_PERIOD = TICK_PERIOD };

/* --- the tick ------------------------------------------------------------ */

static volatile uint32_t ticks_raised;
static uint32_t ticks_wanted;

#if defined(__riscv) && defined(WORKLOAD_BARE_METAL) && !defined(TICK_NO_TIMER)

/* The core-local interruptor of the privileged specification's examples. */
#define CLINT    0x02000000u
#define MTIMECMP ((volatile uint32_t *)(CLINT + 0x4000u))
#define MTIME    ((volatile uint32_t *)(CLINT + 0xbff8u))

enum { MSTATUS_MIE = 1 << 3, MIE_MTIE = 1 << 7 };

/* GNU as wants to be told that there are CSRs; clang 14 does not know how to be told. */
#ifdef __clang__
#define CSR(instruction) instruction
#else
#define CSR(instruction) ".option push\n\t.option arch, +zicsr\n\t" instruction "\n\t.option pop"
#endif

static volatile bool timer_missing;

static void timer_arm(uint32_t low, uint32_t high)
{
    MTIMECMP[1] = 0xffffffffu; /* no spurious match while the halves disagree */
    MTIMECMP[0] = low;
    MTIMECMP[1] = high;
}

/* An interrupt is the timer's; an exception can only be the probe of it. */
__attribute__((interrupt("machine"), aligned(4))) static void trap(void)
{
    uint32_t cause;
    __asm__ volatile(CSR("csrr %0, mcause") : "=r"(cause));
    if (!(cause >> 31)) {
        uint32_t pc;
        timer_missing = true;
        __asm__ volatile(CSR("csrr %0, mepc") : "=r"(pc));
        __asm__ volatile(CSR("csrw mepc, %0") : : "r"(pc + 4));
        return;
    }
    ticks_raised++;
    if (ticks_raised == ticks_wanted) {
        timer_arm(0xffffffffu, 0xffffffffu);
        return;
    }
    uint32_t low = MTIMECMP[0], high = MTIMECMP[1];
    uint32_t next = low + TIMER_PERIOD;
    timer_arm(next, high + (next < low));
}

static void timer_start(void)
{
    uint32_t probe;
    __asm__ volatile(CSR("csrw mtvec, %0") : : "r"(trap));
    __asm__ volatile(".option push\n\t.option norvc\n\tlw %0, 0(%1)\n\t.option pop"
                     : "=r"(probe)
                     : "r"(MTIMECMP)
                     : "memory");
    if (timer_missing)
        return;
    uint32_t high, low;
    do {
        high = MTIME[1];
        low = MTIME[0];
    } while (high != MTIME[1]);
    uint32_t first = low + TIMER_PERIOD;
    timer_arm(first, high + (first < low));
    __asm__ volatile(CSR("csrs mie, %0") : : "r"(MIE_MTIE));
    __asm__ volatile(CSR("csrs mstatus, %0") : : "r"(MSTATUS_MIE));
}

static void timer_stop(void)
{
    __asm__ volatile(CSR("csrc mstatus, %0") : : "r"(MSTATUS_MIE));
}

/* With interrupts off, wfi still wakes up and no tick slips in before it. */
static NOINLINE void idle(uint32_t seen)
{
    if (timer_missing) {
        ticks_raised++;
        return;
    }
    __asm__ volatile(CSR("csrc mstatus, %0") : : "r"(MSTATUS_MIE) : "memory");
    if (ticks_raised == seen)
        __asm__ volatile("wfi");
    __asm__ volatile(CSR("csrs mstatus, %0") : : "r"(MSTATUS_MIE) : "memory");
}

#else

static void timer_start(void)
{
}

static void timer_stop(void)
{
}

static NOINLINE void idle(uint32_t seen)
{
    (void)seen;
    ticks_raised++;
}

#endif

/* --- kernel -------------------------------------------------------------- */

typedef struct task {
    void (*run)(void);
    uint32_t period;    /* in ticks; 0 runs only when posted */
    uint32_t delta;     /* ticks after the timer before it in the list */
    struct task *later; /* in the timer list */
    uint32_t pending;
} task;

static void sample(void);
static void filter(void);
static void control(void);
static void communicate(void);
static void record(void);

/* In order of priority, highest first. */
enum { TASK_SAMPLE, TASK_FILTER, TASK_CONTROL, TASK_COMMUNICATE, TASK_RECORD, TASKS };

static task tasks[TASKS] = {
    [TASK_SAMPLE] = {.run = sample, .period = 1},
    [TASK_FILTER] = {.run = filter, .period = 0},
    [TASK_CONTROL] = {.run = control, .period = 5},
    [TASK_COMMUNICATE] = {.run = communicate, .period = 7},
    [TASK_RECORD] = {.run = record, .period = 20},
};
static task *timers;
static uint32_t ready; /* bit i: tasks[i] has something to do */

static NOINLINE void timer_insert(task *t)
{
    task **link = &timers;
    uint32_t delay = t->period;
    while (*link && (*link)->delta <= delay) {
        delay -= (*link)->delta;
        link = &(*link)->later;
    }
    t->delta = delay;
    t->later = *link;
    if (t->later)
        t->later->delta -= delay;
    *link = t;
}

static NOINLINE void post(int index)
{
    tasks[index].pending++;
    ready |= 1u << index;
}

/* Posts every task whose time has come and winds its timer up again. */
static NOINLINE void kernel_tick(void)
{
    if (timers)
        timers->delta--;
    while (timers && timers->delta == 0) {
        task *due = timers;
        timers = due->later;
        post((int)(due - tasks));
        timer_insert(due);
    }
}

static NOINLINE void dispatch(void)
{
    while (ready) {
        int index = 0;
        while (!(ready >> index & 1))
            index++;
        if (--tasks[index].pending == 0)
            ready &= ~(1u << index);
        tasks[index].run();
    }
}

/* --- tasks --------------------------------------------------------------- */

static int32_t queue[QUEUE];
static uint32_t queue_head, queue_tail;
static uint32_t sampled, filtered, random = 0x71c4, results;
static int32_t level, setpoint = 2000, integral, output;
static int32_t window[WINDOW];
static uint32_t window_at;

static void sample(void)
{
    int32_t noise = (int32_t)(random_next(&random) >> 24) - 128;
    if (queue_head - queue_tail < QUEUE) {
        queue[queue_head++ % QUEUE] = level + noise;
        sampled++;
        post(TASK_FILTER);
    }
}

static void filter(void)
{
    static int32_t smooth;
    smooth += (queue[queue_tail++ % QUEUE] * 16 - smooth) / 8;
    window[window_at++ % WINDOW] = smooth / 16;
    filtered++;
}

static int32_t median(void)
{
    int32_t sorted[WINDOW];
    for (int i = 0; i < WINDOW; i++) {
        int j = i;
        for (; j > 0 && sorted[j - 1] > window[i]; j--)
            sorted[j] = sorted[j - 1];
        sorted[j] = window[i];
    }
    return sorted[WINDOW / 2];
}

static void control(void)
{
    int32_t error = setpoint - median();
    integral += error;
    if (integral > 20000)
        integral = 20000;
    if (integral < -20000)
        integral = -20000;
    output = error / 4 + integral / 16;
    level += output / 8 - level / 64;
}

static NOINLINE uint16_t crc16(uint16_t crc, uint8_t byte)
{
    crc = (uint16_t)(crc ^ byte << 8);
    for (int bit = 0; bit < 8; bit++)
        crc = (uint16_t)(crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1);
    return crc;
}

static uint16_t crc16_bytes(const uint8_t *bytes, size_t n)
{
    uint16_t crc = 0xffff;
    while (n--)
        crc = crc16(crc, *bytes++);
    return crc;
}

static void communicate(void)
{
    const int32_t fields[3] = {level, output, integral};
    uint8_t packet[PACKET];
    for (int i = 0; i < PACKET; i++)
        packet[i] = (uint8_t)((uint32_t)fields[i / 4] >> (i % 4 * 8));
    results = checksum_add(results, crc16_bytes(packet, PACKET));
}

static void record(void)
{
    results = checksum_add(results, (uint32_t)median());
    setpoint = setpoint == 2000 ? 3000 : 2000;
}

/* ------------------------------------------------------------------------- */

int main(void)
{
    if (crc16_bytes((const uint8_t *)"123456789", 9) != 0x29b1)
        return workload_fail(NAME, "CRC-16 check value");

    for (int i = 0; i < TASKS; i++)
        if (tasks[i].period)
            timer_insert(&tasks[i]);
    ticks_wanted = WORKLOAD_PASSES(1800);
    timer_start();
    for (uint32_t tick = 0; tick < ticks_wanted; tick++) {
        while (ticks_raised == tick)
            idle(tick);
        kernel_tick();
        dispatch();
    }
    timer_stop();
    if (sampled != ticks_wanted || filtered != sampled)
        return workload_fail(NAME, "lost messages");
    return workload_report(NAME, results, WORKLOAD_PICK(0x2e34e65c, 0xb1700115, 0xd122a7a5));
}
