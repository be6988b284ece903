/*
 * routine.h - the instructions of one function, cut into basic blocks, with what is live.
 *
 * For src/schedule only. Read from the program file, not from memory: code that a program changes
 * is not scheduled. Registers are sets of operand numbers, a bit each; RISC-V has 64.
 */
#ifndef GS_SCHEDULE_ROUTINE_H
#define GS_SCHEDULE_ROUTINE_H

#include "base/arena.h"
#include "image/image.h"

typedef uint64_t gs_register_set;

enum { GS_ROUTINE_NOWHERE = -1 };

typedef struct gs_routine_insn {
    gs_insn insn;
    uint32_t pc;
    gs_flow flow;
    gs_operands operands;
    uint8_t class;         /* gs_timing_class */
    bool leads;            /* a block starts here */
    bool joins;            /* control may come from elsewhere than the instruction before */
    int32_t target;        /* of a branch or jump inside the function: index; or NOWHERE */
    gs_register_set taken; /* live where a jump leads */
} gs_routine_insn;

typedef struct gs_routine_block {
    uint32_t first, count;   /* instructions */
    gs_register_set live_in; /* at its start */
    gs_register_set onward;  /* live behind its end, if control gets there */
} gs_routine_block;

typedef struct gs_routine {
    const gs_image *image;
    uint32_t start, end;
    uint32_t insn_count, block_count;
    gs_routine_insn *insns; /* by address */
    gs_routine_block *blocks;
} gs_routine;

/* Addresses of code that stand in the program's data: jump tables, pointers to functions. Sorted.
 */
typedef struct gs_code_pointers {
    uint32_t *items;
    size_t count, capacity;
} gs_code_pointers;

/* False when memory is out. */
bool gs_code_pointers_find(gs_code_pointers *pointers, const gs_image *image);

/* Everything is allocated in `arena`. False when memory is out. */
bool gs_routine_read(gs_routine *routine, gs_arena *arena, const gs_image *image,
                     const gs_function *function, const gs_code_pointers *pointers);

/* The registers an instruction reads and writes. */
gs_register_set gs_routine_reads(const gs_routine_insn *insn);
gs_register_set gs_routine_writes(const gs_routine_insn *insn);

#endif
