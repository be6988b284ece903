/*
 * timed_run.h - runs a few instructions on a core and keeps what each cost.
 *
 * For tests of pipeline models. After every instruction it is checked that cycles are
 * instructions plus stalls; and the run is repeated in pieces of one instruction, which must
 * give the same.
 */
#ifndef GS_TESTS_TIMED_RUN_H
#define GS_TESTS_TIMED_RUN_H

#include <stddef.h>
#include <stdint.h>

enum { TIMED_MAX = 256 };

typedef struct timed_program {
    uint16_t machine; /* EM_RISCV or EM_MIPS, little endian */
    const char *core;
    const char *const *set; /* ends with NULL; or NULL */
    uint32_t address;       /* of the code, where it is entered */
    const uint32_t *code;
    size_t words;
    unsigned run; /* how many instructions */
} timed_program;

typedef struct timed_run {
    unsigned count;
    uint64_t first;           /* the cycle in which the first instruction retired */
    unsigned cost[TIMED_MAX]; /* cycles from the retirement before to this one; [0] is 0 */
    uint64_t stalls[64];      /* by cause, in all */
} timed_run;

timed_run time_program(const timed_program *program);

/* Compares the costs of instructions from..from+count-1. */
#define expect_costs(run, from, ...)                        \
    check_costs(run, from, (const unsigned[]){__VA_ARGS__}, \
                sizeof((const unsigned[]){__VA_ARGS__}) / sizeof(unsigned), __FILE__, __LINE__)
void check_costs(const timed_run *run, unsigned from, const unsigned *costs, size_t count,
                 const char *file, int line);

#endif
