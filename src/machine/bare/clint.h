/*
 * clint.h - timer and software interrupt of a RISC-V hart.
 *
 * The core-local interruptor as SiFive has it and as QEMU's virt machine copies it,
 * for one hart: msip at 0, mtimecmp at 0x4000, mtime at 0xbff8. mtime counts the
 * machine's clock, divided. It starts at 0, mtimecmp at its highest value.
 */
#ifndef GS_MACHINE_BARE_CLINT_H
#define GS_MACHINE_BARE_CLINT_H

#include "machine/machine.h"

typedef struct gs_clint {
    gs_machine *machine;
    uint64_t divider;      /* clock ticks per tick of mtime */
    uint64_t mtime_offset; /* what was written to mtime, less what it was */
    bool mtime_written;    /* by the instruction at hand: */
    uint64_t mtime_new;    /* what mtime will be when it has retired */
    uint64_t mtimecmp;
    bool msip;
    bool stopped;      /* mtime stands still at mtime_new; only gs_rp2350_mtime_store() does that */
    uint64_t slowness; /* the divider when it does not run at full speed */
} gs_clint;

void gs_clint_init(gs_clint *clint, gs_machine *machine, uint64_t divider);

/* Of a gs_device with self = the clint. */
bool gs_clint_load(void *self, uint32_t offset, unsigned size, uint64_t *value);
bool gs_clint_store(void *self, uint32_t offset, unsigned size, uint64_t value);

/* The same timer with the registers of the RP2350's SIO: RISCV_SOFTIRQ at 0, MTIME_CTRL at 4, MTIME
 * at 0x10, MTIMECMP at 0x18. */
bool gs_rp2350_mtime_load(void *self, uint32_t offset, unsigned size, uint64_t *value);
bool gs_rp2350_mtime_store(void *self, uint32_t offset, unsigned size, uint64_t value);

/* To be called at the time `now` when an instruction that stored into it has retired. */
void gs_clint_settle(gs_clint *clint, uint64_t now);

/* The bits of mip that are up at time `now`. */
uint32_t gs_clint_pending(const gs_clint *clint, uint64_t now);

/* The time after `now` at which the timer interrupt comes up, or UINT64_MAX. */
uint64_t gs_clint_due(const gs_clint *clint, uint64_t now);

#endif
