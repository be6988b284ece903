/*
 * firmware.c - around a workload: programs the profilers beside the core, lets them watch it, and
 * reads them all. Linked with --wrap=main.
 *
 * With SAMPLE, an interrupt reads some of them every few thousand cycles while the workload runs.
 */
#include "gumshoe/firmware/leap.h"
#include "gumshoe/firmware/loops_registers.h"
#include "gumshoe/firmware/snoopp.h"
#include "gumshoe/firmware/stats.h"
#include "workload.h"

#define REG32(address) (*(volatile uint32_t *)(uintptr_t)(address))
#define MTIMECMP       REG32(0x02004000)
#define MTIMECMPH      REG32(0x02004004)
#define MTIME          REG32(0x0200bff8)

/* As rtl/flatfoot/soc/soc_units.v has them. */
static volatile uint32_t *const leap = (volatile uint32_t *)0x40000000;
static volatile uint32_t *const snoopp = (volatile uint32_t *)0x40100000;
static volatile uint32_t *const stats = (volatile uint32_t *)0x40200000;
static volatile uint32_t *const loops = (volatile uint32_t *)0x40300000;
enum { FUNCTIONS = 64, TAB = 64, RANGES = 16, COUNTERS = 8, ENTRIES = 32, EVERY = 3001 };

/* Of this very program; written by the script that builds it. */
extern const uint32_t leap_hash[4]; /* V, A1, B1, B2 */
extern const uint8_t leap_tab[TAB];

/* profile.S: lets LEAP run, calls the workload, and stops LEAP. */
int profile(volatile uint32_t *control);
extern const char profiled[], profiled_end[];

static void wait(unsigned rounds)
{
    for (volatile unsigned i = 0; i < rounds; i++)
        continue;
}

static void program_leap(void)
{
    leap[GS_LEAP_CONTROL / 4] = GS_LEAP_CLEAR;
    gs_leap_hash(leap, leap_hash[0], leap_hash[1], leap_hash[2], leap_hash[3]);
    for (unsigned i = 0; i < TAB; i++)
        gs_leap_tab(leap, i, leap_tab[i]);
    wait(2 * FUNCTIONS);
}

/* A signal each: cycle, instruction, i-miss, d-hit, d-miss, taken, trap, stall:load-use. */
static void program_stats(void)
{
    static const uint8_t signals[COUNTERS] = {0, 1, 3, 4, 5, 9, 11, 16};
    static const uint8_t ranges[COUNTERS] = {1, 1, 0, 0, 3, 0, 0, 2};
    const uint32_t bounds[4][2] = {
        {0, 0xffffffff},
        {(uint32_t)profiled, (uint32_t)profiled_end - 1},
        {0x80000000, 0x800003ff},
        {0x80000400, 0x80ffffff},
    };
    for (unsigned i = 0; i < 4; i++)
        gs_stats_range(stats, i, bounds[i][0], bounds[i][1]);
    for (unsigned i = 0; i < COUNTERS; i++)
        gs_stats_select(stats, i, (uint32_t)ranges[i] << 8 | signals[i]);
    gs_stats_start(stats, 1000);
}

/* Reads what it comes by, in the midst of things: lockstep compares what it gets. */
static uint32_t seen, samples;

#ifdef SAMPLE
__attribute__((interrupt)) static void sample(void)
{
    unsigned i = samples++;
    seen += leap[(GS_LEAP_COUNTER + i % FUNCTIONS * GS_LEAP_COUNTER_STRIDE) / 4];
    seen += (uint32_t)gs_snoopp_read(snoopp, i % RANGES);
    seen += loops[(GS_LOOPS_ENTRY + i % ENTRIES * GS_LOOPS_ENTRY_STRIDE) / 4];
    seen += loops[(GS_LOOPS_ENTRY + i % ENTRIES * GS_LOOPS_ENTRY_STRIDE) / 4 + 1];
    gs_stats_run(stats, 0);
    seen += stats[GS_STATS_SEQUENCE / 4];
    seen += gs_stats_value(stats, i % COUNTERS);
    seen += (uint32_t)gs_stats_total(stats, i % COUNTERS);
    gs_stats_run(stats, 1);
    MTIMECMP = MTIME + EVERY;
}

static void start_sampling(void)
{
    MTIMECMPH = 0;
    MTIMECMP = MTIME + EVERY;
    __asm__ volatile("csrw mtvec, %0\n\tcsrw mie, %1\n\tcsrsi mstatus, 8" ::"r"(sample), "r"(1 << 7)
                     : "memory");
}

static void stop_sampling(void)
{
    __asm__ volatile("csrci mstatus, 8" ::: "memory");
}
#else
static void start_sampling(void)
{
}

static void stop_sampling(void)
{
}
#endif

static uint64_t read_leap(void)
{
    uint64_t sum = 0;
    leap[GS_LEAP_CONTROL / 4] = GS_LEAP_DRAIN;
    wait(200);
    for (unsigned i = 0; i < FUNCTIONS; i++)
        sum += gs_leap_read(leap, i);
    return sum;
}

static uint64_t read_stats(void)
{
    uint64_t sum = 0;
    stats[GS_STATS_CONTROL / 4] = GS_STATS_END;
    wait(400);
    for (unsigned i = 0; i < COUNTERS; i++)
        sum += gs_stats_total(stats, i) + gs_stats_value(stats, i);
    return sum + stats[GS_STATS_SEQUENCE / 4];
}

static uint64_t read_snoopp(void)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < RANGES; i++)
        sum += gs_snoopp_read(snoopp, i);
    return sum;
}

static uint32_t read_loops(void)
{
    uint32_t sum = 0;
    loops[GS_LOOPS_CONTROL / 4] = 0;
    wait(4);
    loops[GS_LOOPS_CONTROL / 4] = GS_LOOPS_END;
    for (unsigned i = 0; i < 2 * ENTRIES; i++)
        sum += loops[GS_LOOPS_ENTRY / 4 + i];
    return sum;
}

static int identify(void)
{
    return leap[GS_LEAP_ID / 4] != GS_LEAP_MAGIC || snoopp[GS_SNOOPP_ID / 4] != GS_SNOOPP_MAGIC ||
           stats[GS_STATS_ID / 4] != GS_STATS_MAGIC || loops[GS_LOOPS_ID / 4] != GS_LOOPS_MAGIC;
}

int __wrap_main(void);
int __wrap_main(void)
{
    if (identify())
        return workload_fail("units", "not there");
    program_leap();
    gs_snoopp_reset_all(snoopp);
    loops[GS_LOOPS_CONTROL / 4] = GS_LOOPS_CLEAR;
    loops[GS_LOOPS_CONTROL / 4] = GS_LOOPS_RUN;
    program_stats();
    start_sampling();
    int status = profile(&leap[GS_LEAP_CONTROL / 4]);
    stop_sampling();
    uint64_t cycles = read_leap();
    seen += (uint32_t)(read_stats() + read_snoopp() + read_loops());
    put_str("units: LEAP has ");
    put_dec((uint32_t)cycles);
    put_str(" cycles; samples: ");
    put_dec(samples);
    put_str(", all in all ");
    put_hex(seen);
    put_char('\n');
    return status;
}
