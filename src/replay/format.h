/*
 * format.h - the bytes of a trace, as docs/trace.md tells them.
 *
 * Written by writer.h, which the QEMU plugin is built with as well, and read by reader.h. Both keep
 * the same predictions (gs_traced) of what an instruction will do, by the same functions here, and
 * the file has only what turns out otherwise.
 */
#ifndef GS_REPLAY_FORMAT_H
#define GS_REPLAY_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The file begins with these; a zstd stream follows. */
#define GS_TRACE_MAGIC "\x89GST\r\n\x1a\n"
enum { GS_TRACE_MAGIC_SIZE = 8, GS_TRACE_VERSION = 1 };

/* The three lowest bits of a record's first number; the rest is its argument. */
typedef enum gs_trace_kind {
    GS_TRACE_SAME,   /* argument + 1 blocks are executed, each the successor that was predicted */
    GS_TRACE_BLOCK,  /* the block of this number is executed */
    GS_TRACE_STACK,  /* of the next execution: the stack pointer's change, as a difference */
    GS_TRACE_ACCESS, /* the access of the instruction of this index */
    GS_TRACE_COST,   /* its cost */
    GS_TRACE_VALUES, /* its operands */
    GS_TRACE_DEFINE, /* a block of so many instructions */
    GS_TRACE_EVENT,  /* one of gs_trace_event */
} gs_trace_kind;

typedef enum gs_trace_event {
    GS_TRACE_END,    /* of the trace: instructions in all, and a cost */
    GS_TRACE_TRAP,   /* pc, handler, and a cost before it */
    GS_TRACE_MARKER, /* value, cycle: the last instruction has set a marker */
    GS_TRACE_TAKEN,  /* of the next execution: its last jump is made, and leads straight on */
    GS_TRACE_EXIT,   /* what became of the program: kind, code, length of the message, message */
    GS_TRACE_EVENT_COUNT
} gs_trace_event;

enum {
    GS_TRACE_BLOCK_INSNS = 256, /* in a block, at most */
    GS_TRACE_INSN_BYTES = 15,   /* of an instruction, at most */
    GS_TRACE_COSTS = 32,        /* numbers in a cost, at most */
    GS_TRACE_COST_TABLE = 1 << 16,
    GS_TRACE_FIELD = 1 << 20, /* bytes of a field of the header, at most */
};
#define GS_TRACE_NO_BLOCK UINT32_MAX

/* A number per column, as the header's field "costs" lists them. */
typedef struct gs_trace_cost {
    uint64_t value[GS_TRACE_COSTS];
} gs_trace_cost;

/* What an instruction did when it was executed last, which is what it is expected to do. */
typedef struct gs_traced {
    uint64_t address;
    int64_t stride; /* from the access before */
    uint32_t cost;  /* index in the table of costs */
    uint8_t size;   /* of the access; 0: there was none */
    uint64_t value[2];
} gs_traced;

static inline uint64_t gs_traced_address(const gs_traced *insn)
{
    return insn->address + (uint64_t)insn->stride;
}

static inline void gs_traced_accessed(gs_traced *insn, uint64_t address, unsigned size)
{
    insn->size = (uint8_t)size;
    if (size == 0)
        return;
    insn->stride = (int64_t)(address - insn->address);
    insn->address = address;
}

/* Where a cost goes that is new to the table: behind the others or, when it is full, in turn in the
 * place of one of them. The first, a cycle, stays. */
static inline uint32_t gs_trace_cost_place(uint32_t *count, uint32_t *next)
{
    if (*count < GS_TRACE_COST_TABLE)
        return (*count)++;
    *next = *next % (GS_TRACE_COST_TABLE - 1) + 1;
    return *next;
}

/* Signed numbers, so that small ones have few bytes. */
static inline uint64_t gs_trace_zigzag(int64_t value)
{
    return (uint64_t)value << 1 ^ (uint64_t)(value >> 63);
}

static inline int64_t gs_trace_unzigzag(uint64_t value)
{
    return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

#endif
