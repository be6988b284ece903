/*
 * code.h - the executed code of a profile as hardware would have it: what operator each
 * instruction is, and regions that become states of a state machine.
 *
 * For src/partition only. A region is what a tool for high-level synthesis has as a basic block: a
 * block of the program with those that only follow it, and with small ones that are executed
 * whether or not a branch skips them. Made from the profile alone, so what was never executed is
 * not there. Borrows the profile; the owner frees it.
 */
#ifndef GS_PARTITION_CODE_H
#define GS_PARTITION_CODE_H

#include "isa/isa.h"
#include "partition/hls.h"
#include "profile/profile.h"

typedef enum gs_hw_role {
    GS_HW_WIRES,   /* moves and constants, saves of registers, jumps */
    GS_HW_COMPUTE, /* `kind` says what */
    GS_HW_LOAD,
    GS_HW_STORE,
    GS_HW_SPILL,   /* to a slot of the stack: a value that is a wire in hardware, */
    GS_HW_RELOAD,  /* and is used again */
    GS_HW_BARRIER, /* nothing moves across */
} gs_hw_role;

/* By instruction of the profile. */
typedef struct gs_hw_insn {
    gs_insn insn;
    gs_flow flow;
    gs_operands operands;
    uint8_t role;   /* gs_hw_role */
    uint8_t kind;   /* gs_hls_kind, of COMPUTE */
    uint8_t bytes;  /* of an access */
    bool immediate; /* one operand is constant */
    bool subtracts;
    bool carries;    /* it compares without sign: that may be a carry or a borrow */
    uint64_t target; /* of a jump or call */
} gs_hw_insn;

typedef struct gs_hw_region {
    uint32_t first, count; /* in `order` */
    uint32_t head;         /* block */
    bool loops;            /* it leads back to itself, and has no other exit but its end */
} gs_hw_region;

/* A block in a region. */
typedef struct gs_hw_part {
    uint32_t block;
    bool speculative; /* executed whatever the branch before it says */
} gs_hw_part;

typedef struct gs_hw_code {
    const gs_profile *profile;
    const gs_isa *isa;
    gs_hw_insn *insns;    /* as in the profile */
    uint32_t *first_insn; /* of each block, and behind the last one */
    uint32_t *last_insn;  /* behind the last of each block */
    gs_hw_part *order;
    size_t order_count;
    gs_hw_region *regions;
    size_t region_count;
    uint32_t *calls; /* per block: the function that it ends in a call of, or GS_PROFILE_NONE */
} gs_hw_code;

gs_status gs_hw_code_open(gs_hw_code *code, const gs_profile *profile, const gs_hls *hls,
                          gs_error *err);
void gs_hw_code_close(gs_hw_code *code);

/* The operator that a function of the compiler's runtime is; GS_HLS_KIND_COUNT: none. */
gs_hls_kind gs_hw_runtime(const char *function);

/* What an instruction is, of code with the stack pointer in `sp`. */
unsigned gs_hw_stack_pointer(gs_arch arch);

/* The function of the profile that covers `pc`, or GS_PROFILE_NONE. */
uint32_t gs_hw_function_at(const gs_profile *profile, uint32_t pc);

#endif
