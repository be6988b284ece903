/* The registers of Hazard3's interrupt controller. */
#include "machine/rv_h3irq.h"

enum {
    PMPCFGM0 = 0xbd0, /* which regions the PMP, which is not there, would enforce in machine mode */
    MEIEA = 0xbe0,
    MEIPA = 0xbe1,
    MEIFA = 0xbe2,
    MEIPRA = 0xbe3,
    MEINEXT = 0xbe4,
    MEICONTEXT = 0xbe5,
    MSLEEP = 0xbf0, /* how deep wfi sleeps: not seen by the program */
};

/* An array is seen through a window of 16 bits, at the index in the low bits of what is written. */
enum { WINDOW = 16, BIT_WINDOWS = 32, PRIORITY_WINDOWS = 128, PRIORITY_BITS = 4 };
enum { PER_WINDOW = WINDOW / PRIORITY_BITS, PRIORITY_MASK = GS_RV_H3_PRIORITIES - 1 };

enum { UPDATE = 1 }; /* meinext */
#define NOIRQ (UINT32_C(1) << 31)
enum {
    RESTORES = 1 << 0, /* meicontext */
    CLEARTS = 1 << 1,
    MSIESAVE = 1 << 2,
    MTIESAVE = 1 << 3,
    IRQ_SHIFT = 4,
    IRQ_MASK = 0x1ff,
    CONTEXT_NOIRQ = 1 << 15,
    PREEMPT_SHIFT = 16,
    PREEMPT_MASK = 0x1f,
    PPREEMPT_SHIFT = 24,
    PPPREEMPT_SHIFT = 28,
};

void gs_rv_h3irq_reset(gs_rv_h3irq *irqs)
{
    *irqs = (gs_rv_h3irq){.present = true, .noirq = true};
}

bool gs_rv_h3irq_has(unsigned csr)
{
    return (csr >= MEIEA && csr <= MEICONTEXT) || csr == PMPCFGM0 || csr == MSLEEP;
}

/* The most urgent interrupt that is pending, enabled and has `least` priority; the first one of
 * several; -1 for none. */
static int most_urgent(const gs_rv_h3irq *irqs, unsigned least)
{
    uint64_t ready = (irqs->lines | irqs->forced) & irqs->enabled;
    int best = -1;
    for (int i = 0; ready; i++, ready >>= 1) {
        if ((ready & 1) && irqs->priority[i] >= least &&
            (best < 0 || irqs->priority[i] > irqs->priority[best]))
            best = i;
    }
    return best;
}

bool gs_rv_h3irq_pending(const gs_rv_h3irq *irqs)
{
    return most_urgent(irqs, irqs->preempt) >= 0;
}

void gs_rv_h3irq_entered(gs_rv_h3irq *irqs, bool external)
{
    irqs->restores = external;
    if (!external || !irqs->present)
        return;
    const int cause = most_urgent(irqs, irqs->preempt);
    irqs->pppreempt = irqs->ppreempt;
    irqs->ppreempt = irqs->preempt & PRIORITY_MASK;
    irqs->preempt = cause < 0 ? GS_RV_H3_PRIORITIES : (uint8_t)(irqs->priority[cause] + 1);
}

void gs_rv_h3irq_returned(gs_rv_h3irq *irqs)
{
    if (irqs->restores) {
        irqs->preempt = irqs->ppreempt;
        irqs->ppreempt = irqs->pppreempt;
        irqs->pppreempt = 0;
    }
    irqs->restores = false;
}

/* What a change makes of a window, or of a register. */
static uint32_t changed(uint32_t old, gs_rv_csr_change change, uint32_t value)
{
    switch (change) {
    case GS_RV_CSR_SET: return old | value;
    case GS_RV_CSR_CLEAR: return old & ~value;
    case GS_RV_CSR_WRITE: break;
    }
    return value;
}

/* Reads a window of an array of bits, and changes it if `writes`. */
static uint32_t access_bits(uint64_t *bits, gs_rv_csr_change change, uint32_t value, bool writes)
{
    const unsigned shift = value % BIT_WINDOWS * WINDOW;
    if (shift >= GS_RV_H3_IRQS)
        return 0;
    const uint32_t old = *bits >> shift & 0xffff;
    if (writes) {
        const uint64_t window = changed(old, change, value >> WINDOW) & 0xffff;
        *bits = (*bits & ~(UINT64_C(0xffff) << shift)) | window << shift;
    }
    return old << WINDOW;
}

static uint32_t access_priorities(gs_rv_h3irq *irqs, gs_rv_csr_change change, uint32_t value,
                                  bool writes)
{
    const unsigned first = value % PRIORITY_WINDOWS * PER_WINDOW;
    if (first >= GS_RV_H3_IRQS)
        return 0;
    uint32_t old = 0;
    for (unsigned i = 0; i < PER_WINDOW; i++)
        old |= (uint32_t)irqs->priority[first + i] << PRIORITY_BITS * i;
    const uint32_t window = changed(old, change, value >> WINDOW);
    for (unsigned i = 0; i < PER_WINDOW && writes; i++)
        irqs->priority[first + i] = window >> PRIORITY_BITS * i & PRIORITY_MASK;
    return old << WINDOW;
}

/* An interrupt that is shown here is not forced any more. */
static uint32_t access_next(gs_rv_h3irq *irqs, gs_rv_csr_change change, uint32_t value, bool writes)
{
    const int next = most_urgent(irqs, irqs->ppreempt);
    if (writes && change != GS_RV_CSR_CLEAR && (value & UPDATE)) {
        irqs->noirq = next < 0;
        irqs->irq = next < 0 ? 0 : (uint16_t)next;
        irqs->preempt = next < 0 ? GS_RV_H3_PRIORITIES : (uint8_t)(irqs->priority[next] + 1);
    }
    if (next < 0)
        return NOIRQ;
    irqs->forced &= ~(UINT64_C(1) << next);
    return (uint32_t)next << 2;
}

static uint32_t access_context(gs_rv_state *s, gs_rv_csr_change change, uint32_t value, bool writes)
{
    gs_rv_h3irq *irqs = &s->h3irq;
    const uint32_t timer = UINT32_C(1) << GS_RV_IRQ_TIMER, software = UINT32_C(1)
                                                                      << GS_RV_IRQ_SOFTWARE;
    uint32_t old = (uint32_t)irqs->pppreempt << PPPREEMPT_SHIFT |
                   (uint32_t)irqs->ppreempt << PPREEMPT_SHIFT |
                   (uint32_t)irqs->preempt << PREEMPT_SHIFT | (irqs->noirq ? CONTEXT_NOIRQ : 0) |
                   (uint32_t)irqs->irq << IRQ_SHIFT | (irqs->restores ? RESTORES : 0);
    if (!writes)
        return old;
    const uint32_t result = changed(old, change, value);
    irqs->pppreempt = (uint8_t)(result >> PPPREEMPT_SHIFT);
    irqs->ppreempt = result >> PPREEMPT_SHIFT & PRIORITY_MASK;
    irqs->preempt = result >> PREEMPT_SHIFT & PREEMPT_MASK;
    irqs->noirq = result & CONTEXT_NOIRQ;
    irqs->irq = result >> IRQ_SHIFT & IRQ_MASK;
    irqs->restores = result & RESTORES;
    if (result & CLEARTS) { /* what it clears, it also tells */
        old |= (s->mie & timer ? MTIESAVE : 0) | (s->mie & software ? MSIESAVE : 0);
        s->mie &= ~(timer | software);
    } else {
        s->mie |= (result & MTIESAVE ? timer : 0) | (result & MSIESAVE ? software : 0);
    }
    return old;
}

bool gs_rv_h3irq_access(gs_machine *machine, unsigned csr, gs_rv_csr_change change, uint32_t value,
                        bool writes, uint32_t *old)
{
    gs_rv_state *s = &machine->hart.rv;
    gs_rv_h3irq *irqs = &s->h3irq;
    uint64_t pending = irqs->lines | irqs->forced;
    switch (csr) {
    case MEIEA: *old = access_bits(&irqs->enabled, change, value, writes); break;
    case MEIPA: *old = access_bits(&pending, change, value, false); break;
    case MEIFA: *old = access_bits(&irqs->forced, change, value, writes); break;
    case MEIPRA: *old = access_priorities(irqs, change, value, writes); break;
    case MEINEXT: *old = access_next(irqs, change, value, writes); break;
    case MEICONTEXT: *old = access_context(s, change, value, writes); break;
    default: *old = 0; break;
    }
    machine->hart.resync = true;
    return true;
}
