/*
 * rv_h3irq.h - Xh3irq, the interrupt controller of the Hazard3 core, as in the RP2350.
 *
 * Control registers of the hart: which of up to 64 interrupts are enabled and pending, with 16
 * priorities, and a stack of priorities that lets one handler interrupt another. What is pending,
 * enabled and urgent enough drives mip.meip. Its state is in gs_rv_state; a board says whether the
 * hart has one. The data sheet of the RP2350, section "Interrupts" of Hazard3, describes it.
 */
#ifndef GS_MACHINE_RV_H3IRQ_H
#define GS_MACHINE_RV_H3IRQ_H

#include "machine/rv_csr.h"

void gs_rv_h3irq_reset(gs_rv_h3irq *irqs);

/* Whether `csr` is one of its registers, or of Hazard3's other own ones. */
bool gs_rv_h3irq_has(unsigned csr);

/* As gs_rv_csr_access(), for those, in machine mode. */
bool gs_rv_h3irq_access(gs_machine *machine, unsigned csr, gs_rv_csr_change change, uint32_t value,
                        bool writes, uint32_t *old);

/* Whether mip.meip is up. */
bool gs_rv_h3irq_pending(const gs_rv_h3irq *irqs);

/* The hart has entered a handler, that of external interrupts or another one; or left one. */
void gs_rv_h3irq_entered(gs_rv_h3irq *irqs, bool external);
void gs_rv_h3irq_returned(gs_rv_h3irq *irqs);

#endif
