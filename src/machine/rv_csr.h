/*
 * rv_csr.h - the control and status registers of a RISC-V hart.
 */
#ifndef GS_MACHINE_RV_CSR_H
#define GS_MACHINE_RV_CSR_H

#include "machine/machine.h"

typedef enum gs_rv_csr_change { GS_RV_CSR_WRITE, GS_RV_CSR_SET, GS_RV_CSR_CLEAR } gs_rv_csr_change;

/* One csrr* instruction: the old value to *old, then the change with `value` if `writes`.
 * False if the register does not exist, is not for this mode, or is read-only: an illegal
 * instruction. Reads hart.instret and machine.time; sets hart.resync when the change can let an
 * interrupt in. */
bool gs_rv_csr_access(gs_machine *machine, unsigned csr, gs_rv_csr_change change, uint32_t value,
                      bool writes, uint32_t *old);

#endif
