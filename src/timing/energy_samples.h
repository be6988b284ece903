/*
 * energy_samples.h - measured runs: how often each instruction was executed, and the energy.
 *
 * A CSV file with a header (docs/energy.md). Columns are `run`, any text; `energy_j`, or _mj,
 * _uj, _nj, _pj; `stalls`, in cycles; and one per instruction of the core, named as the
 * assembler writes it, or nop. A row is a run. report/energy_counts.c writes such files, without
 * the energies.
 */
#ifndef GS_TIMING_ENERGY_SAMPLES_H
#define GS_TIMING_ENERGY_SAMPLES_H

#include "timing/core.h"

/* What is told apart: the stall, the nop, and the operations of the instruction set. */
enum { GS_SAMPLE_STALL = 0, GS_SAMPLE_NOP = 1 };

typedef struct gs_energy_sample {
    char *name;
    unsigned line;   /* in its file */
    double energy_j; /* above 0 */
    double *counts;  /* by column */
    double cycles;   /* stalls and instructions */
} gs_energy_sample;

typedef struct gs_energy_samples {
    unsigned *columns; /* GS_SAMPLE_STALL, GS_SAMPLE_NOP or an operation; ascending, each once */
    size_t column_count;
    struct {
        gs_energy_sample *items;
        size_t count, capacity;
    } rows;
} gs_energy_samples;

/* "stalls", "nop", "addiu". */
const char *gs_sample_column_name(const gs_isa *isa, unsigned column);

/* Errors are "file:line: what". Columns without any count are left out. `text` need not end. */
gs_status gs_energy_samples_parse(gs_energy_samples *out, const gs_core *core, const char *file,
                                  const char *text, size_t size, gs_error *err);
void gs_energy_samples_fini(gs_energy_samples *samples);

#endif
