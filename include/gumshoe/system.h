/*
 * system.h - several cores on one bus.
 *
 * A system is read from a YAML file (docs/many-cores.md): cores, each with memory and devices of
 * its own, a bus, and what lies on it. gs_system_run() runs all of them, exactly: accesses to the
 * bus happen in the order of their cycles, whatever the order in which cores are simulated. A
 * system is the caller's and used by one thread; what it returns is borrowed from it.
 */
#ifndef GUMSHOE_SYSTEM_H
#define GUMSHOE_SYSTEM_H

#include "gumshoe/run.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

typedef struct gs_system gs_system;

/* *out is the caller's, NULL on failure. `program` is for cores whose entry in the file names none,
 * or NULL; `machine` is what all cores have in common, without board, extensions and clock, or NULL
 * for the default. GS_E_ARGUMENT, GS_E_FORMAT, GS_E_UNSUPPORTED for what does not go together; and
 * what opening descriptions, programs and machines can fail with. */
gs_status gs_system_open(gs_system **out, const char *file, const char *program,
                         const gs_machine_options *machine, gs_error *err);
void gs_system_free(gs_system *system); /* NULL is fine */

const char *gs_system_name(const gs_system *system);
const char *gs_system_summary(const gs_system *system); /* or "" */

/* The cores, in the order of their harts; `index` is below the count. */
size_t gs_system_core_count(const gs_system *system);

typedef struct gs_system_core {
    const char *name;
    unsigned hart;
    gs_machine *machine; /* to be looked at; gs_system_run() runs it */
    gs_timing *timing;
    uint64_t spinning; /* cycles in loops that did nothing but read one word again and again */
    uint64_t accesses; /* to the bus */
} gs_system_core;

gs_system_core gs_system_core_at(const gs_system *system, size_t index);

/* The bus: cycles in which it was granted or transferred, how often, and cycles in which `core`
 * waited because `other` had it. */
typedef struct gs_system_bus {
    uint64_t busy, transfers;
} gs_system_bus;

gs_system_bus gs_system_bus_counts(const gs_system *system);
uint64_t gs_system_waited(const gs_system *system, size_t core, size_t other);

/* What lies on the bus, in the order of the file, memory first, and what `core` did there. */
typedef struct gs_system_part {
    const char *type, *name;
    uint32_t base, size;
} gs_system_part;

typedef struct gs_system_use {
    uint64_t loads, stores; /* an atomic instruction is both */
    uint64_t waited;        /* cycles from a request to its transfer */
} gs_system_use;

size_t gs_system_part_count(const gs_system *system);
gs_system_part gs_system_part_at(const gs_system *system, size_t index);
gs_system_use gs_system_use_at(const gs_system *system, size_t part, size_t core);

typedef struct gs_system_run_options {
    uint64_t max_cycles;                 /* 0 for no limit */
    const volatile sig_atomic_t *cancel; /* as in gs_run_options */
    bool in_step; /* simulate all cores instruction by instruction, the one that is behind first:
                     slower, with the same result */
    /* For each core, in their order: its observers as in gs_run_options; or NULL. */
    const gs_observer *const *const *observers;
    const size_t *observer_counts;
    void (*progress)(void *self, const gs_system *system); /* now and then; NULL for none */
    void *progress_self;
} gs_system_run_options;

/*
 * Runs until all cores have ended, one of them has ended all by the test device or by a fault, no
 * core can ever go on, or a limit. The result is in gs_system_exit(). Once only. GS_E_NO_MEMORY,
 * and what gs_run() can fail with.
 */
gs_status gs_system_run(gs_system *system, const gs_system_run_options *options, gs_error *err);

/* How the run ended. A signal's message begins with the name of the core; a halt's says what each
 * core waits for. */
const gs_exit *gs_system_exit(const gs_system *system);

/* The last cycle of any core. */
uint64_t gs_system_cycles(const gs_system *system);

/* Tables for people, and the same as JSON. `to` stays the caller's. GS_E_IO. */
gs_status gs_report_system(FILE *to, const gs_system *system, unsigned width, gs_error *err);
gs_status gs_report_system_json(FILE *to, const gs_system *system, gs_error *err);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
