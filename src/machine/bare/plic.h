/*
 * plic.h - RISC-V's platform-level interrupt controller, for one hart in machine mode.
 *
 * As in the RISC-V PLIC specification, with the layout of SiFive's and of QEMU's virt machine:
 * priorities at 0, pending bits at 0x1000, enable bits at 0x2000, threshold and claim at 0x200000.
 * Its sources are the board's numbered lines; 0 is none. A source that is raised becomes pending,
 * and stays so until it is claimed; it can be pending again when it has been completed.
 */
#ifndef GS_MACHINE_BARE_PLIC_H
#define GS_MACHINE_BARE_PLIC_H

#include "machine/bare/lines.h"
#include "machine/machine.h"

typedef struct gs_plic {
    gs_machine *machine;
    bool used; /* the program has stored to it */
    uint32_t priority[GS_LINE_COUNT];
    uint32_t threshold;
    gs_lines pending, claimed, enabled;
} gs_plic;

enum { GS_PLIC_SIZE = 0x400000 };

void gs_plic_init(gs_plic *plic, gs_machine *machine);

/* Of a gs_device with self = the plic. */
bool gs_plic_load(void *self, uint32_t offset, unsigned size, uint64_t *value);
bool gs_plic_store(void *self, uint32_t offset, unsigned size, uint64_t value);

/* Takes the lines as they are now. True if it interrupts the hart. */
bool gs_plic_update(gs_plic *plic, const gs_lines *lines);

#endif
