/*
 * timing_rig.h - a pipeline model on its own, fed one instruction after the other.
 *
 * The test writes code into the rig and then says which instructions retire and what they
 * did; nothing is executed. Every step gives the cycles it took, and checks that each of
 * the cycles so far is an issue slot or a stall.
 */
#ifndef GS_TESTS_TIMING_RIG_H
#define GS_TESTS_TIMING_RIG_H

#include <stdint.h>

#include "timing/timing.h"

enum { RIG_CODE = 0x1000, RIG_CODE_SIZE = 0x1000, RIG_DATA = 0x4000 };

typedef struct rig {
    gs_machine *machine;
    gs_core *core;
    gs_timing *timing;
} rig;

/* `set` changes one key of the core, or is NULL. */
void rig_open(rig *r, const char *core, const char *set);
void rig_close(rig *r);

/* Puts an instruction, of 2 bytes if its lowest bits say so, at `pc`; gives the address behind. */
uint32_t rig_put(rig *r, uint32_t pc, uint32_t insn);

/* The instruction at `pc` retires and goes straight on, leaves for `goal`, accesses memory, or has
 * these operands. */
uint64_t rig_step(rig *r, uint32_t pc);
uint64_t rig_jump(rig *r, uint32_t pc, uint32_t goal);
uint64_t rig_access(rig *r, uint32_t pc, uint32_t address, unsigned size);
uint64_t rig_operands(rig *r, uint32_t pc, uint32_t first, uint32_t second);

/* A trap was taken, or the hart slept. */
uint64_t rig_redirect(rig *r, gs_redirect kind, uint64_t until);

#endif
