/*
 * loops.h - the frequent loop detector: a cache of taken short backward branches.
 *
 * After Gordon-Ross and Vahid, "Frequent Loop Detection Using Efficient Nonintrusive On-Chip
 * Hardware", 2005; docs/units/loops.md specifies it for the Verilog. All state of the hardware is
 * in gs_loops, in its widths, and changes in gs_loops_beat() and gs_loops_end() only.
 *
 * The parts, in the way of a branch: the detector finds taken short backward branches in the
 * beats; the sampler lets every interval-th through; the coalescing registers count how often the
 * same one comes in a row; when another one comes, the holding registers take over, and with the
 * next clock the cache is updated from them.
 */
#ifndef GS_UNITS_LOOPS_LOOPS_H
#define GS_UNITS_LOOPS_LOOPS_H

#include "units/unit.h"

enum { GS_LOOPS_MAX = 1024 };

typedef struct gs_loops_parameters {
    unsigned entries, ways; /* powers of two; ways divide entries */
    unsigned width;         /* bits of a frequency, 4 to 32 */
    unsigned interval;      /* of sampling; 1: every branch */
    uint32_t distance;      /* bytes from branch back to target, at most */
    bool coalesce;
} gs_loops_parameters;

typedef struct gs_loops_entry {
    bool valid;
    uint32_t address; /* of the branch: all of it but bit 0 is index or tag */
    uint32_t frequency;
} gs_loops_entry;

typedef struct gs_loops {
    gs_loops_parameters is;

    /* The detector's registers, for instruction sets with a delay slot: a branch that will have
     * been taken if the instruction in its slot goes on to `target`. */
    bool pending;
    uint32_t pending_pc, pending_target;

    uint32_t sample; /* branches since the last one that was let through */

    bool coal_valid;
    uint32_t coal_address, coal_frequency;
    uint32_t hold_address, hold_frequency;

    gs_loops_entry cache[GS_LOOPS_MAX]; /* set by set: entry of a way is [set * ways + way] */

    /* No hardware: what there was to do. */
    struct {
        uint64_t branches, sampled, updates, evictions, halvings;
    } audit;
} gs_loops;

void gs_loops_reset(gs_loops *loops, const gs_loops_parameters *parameters);
void gs_loops_beat(gs_loops *loops, const gs_port *port, const gs_isa *isa);

/* The program has ended: what the coalescing registers hold goes into the cache. */
void gs_loops_end(gs_loops *loops);

/* The parts by themselves, shared with the exploration of many configurations. */

/* The detector: whether this beat completes a taken short backward branch, and its address. */
typedef struct gs_loops_detector {
    bool *pending;
    uint32_t *pending_pc, *pending_target;
} gs_loops_detector;
bool gs_loops_detect(gs_loops_detector detector, uint32_t distance, const gs_port *port,
                     const gs_isa *isa, uint32_t *address);

/* Whether an instruction at `pc` is a backward branch or jump of at most `distance` bytes, and
 * where it goes. */
bool gs_loops_is_candidate(const gs_isa *isa, const gs_insn *insn, uint32_t pc, uint32_t distance,
                           uint32_t *target);

static inline unsigned gs_loops_set(uint32_t address, unsigned sets)
{
    return (address >> 2) & (sets - 1);
}

/* Storage in bits: cache, registers and sampler. */
uint64_t gs_loops_bits(const gs_loops_parameters *parameters);

extern const gs_unit_kind gs_unit_loops;

#endif
