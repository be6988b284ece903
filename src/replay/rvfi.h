/*
 * rvfi.h - the signals of RVFI, the RISC-V formal interface, by name, and what they mean.
 *
 * For text (rvfi_text.c) and waveforms (vcd.c). A name is a prefix, one of these, and perhaps "_o":
 * rvfi_pc_rdata, trace_pc_o.
 */
#ifndef GS_REPLAY_RVFI_H
#define GS_REPLAY_RVFI_H

#include "replay/formats.h"

typedef enum gs_rvfi_signal {
    GS_RVFI_VALID,
    GS_RVFI_TRAP,
    GS_RVFI_INTR,
    GS_RVFI_PC,
    GS_RVFI_NEXT_PC,
    GS_RVFI_INSN,
    GS_RVFI_MEM_ADDR,
    GS_RVFI_MEM_RMASK,
    GS_RVFI_MEM_WMASK,
    GS_RVFI_RD_ADDR,
    GS_RVFI_RD_WDATA,
    GS_RVFI_CYCLE,
    /* Of cores that say more: */
    GS_RVFI_STALL_VALID,
    GS_RVFI_STALL,
    GS_RVFI_ICACHE_HIT,
    GS_RVFI_ICACHE_MISS,
    GS_RVFI_DCACHE_HIT,
    GS_RVFI_DCACHE_MISS,
    GS_RVFI_COUNT
} gs_rvfi_signal;

typedef struct gs_rvfi_beat {
    uint64_t value[GS_RVFI_COUNT];
    uint32_t has; /* a bit per signal that the trace has */
} gs_rvfi_beat;

/* The signal that a name means, or -1. With `prefix` NULL, whatever stands before the name is one
 * if it ends in an underscore. *prefix_length (or NULL) gets how long it is. */
int gs_rvfi_find(const char *name, size_t length, const char *prefix, size_t *prefix_length);

static inline bool gs_rvfi_has(const gs_rvfi_beat *beat, gs_rvfi_signal signal)
{
    return beat->has >> signal & 1;
}

/* Makes a record of a beat in which an instruction retired or trapped. `sp` is the stack pointer's
 * number in the register file. */
void gs_rvfi_record(gs_replay_record *record, const gs_rvfi_beat *beat, unsigned sp);

#endif
