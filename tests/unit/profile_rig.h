/*
 * profile_rig.h - small programs, run and profiled, for tests.
 */
#ifndef GS_TESTS_PROFILE_RIG_H
#define GS_TESTS_PROFILE_RIG_H

#include "elf_builder.h"
#include "encode.h"
#include "profile/profile.h"

enum { PROFILE_BASE = 0x80000000, PROFILE_LINUX_BASE = 0x00400000, PROFILE_FUNCTIONS = 6 };

enum { RV_SP = 2, RV_RA = 1, RV_A0 = 10, RV_A1, RV_A2, RV_A3, RV_A5 = 15 };

static inline uint32_t rv_sw(unsigned rs2, unsigned rs1)
{
    return 0x2023 | rs2 << 20 | rs1 << 15;
}

static inline uint32_t rv_lw(unsigned rd, unsigned rs1)
{
    return 0x2003 | rd << 7 | rs1 << 15;
}

static inline uint32_t rv_bnez(unsigned rs1, int32_t offset)
{
    return (rv_beq(offset) & ~0x01ff8000u) | 0x1000 | rs1 << 15;
}

typedef struct profile_program {
    uint16_t machine;
    const char *core; /* NULL for none */
    const uint32_t *code;
    size_t words;
    struct {
        const char *name;
        uint32_t offset, size;
    } functions[PROFILE_FUNCTIONS];
    uint64_t limit;    /* of instructions; 0 for none */
    uint64_t timeline; /* cycles of an interval; 0 for none */
    bool on_linux;     /* a Linux program at PROFILE_LINUX_BASE, not a bare one at PROFILE_BASE */
} profile_program;

/* _start calls gum::down(3), which calls itself down to 0; then the run ends with 0. */
profile_program recursive_program(void);

/* Fails the test unless all goes well. `options` may be NULL. */
gs_profile *profile_of(const profile_program *program, const gs_profile_options *options);

/* Fails the test with the message unless `status` is GS_OK. */
void check(gs_status status, const gs_error *err);

#endif
