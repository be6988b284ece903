/*
 * reader.h - reads a trace (docs/trace.md), one item after the other.
 *
 * Whatever the bytes are: what is not a trace, or is damaged, is an error that names the record.
 * Memory grows with the code of the program, up to a limit, and not with the trace. What an item
 * points to is the reader's, until the next item.
 */
#ifndef GS_REPLAY_READER_H
#define GS_REPLAY_READER_H

#include "base/error.h"
#include "replay/format.h"
#include "replay/input.h"

typedef struct gs_trace_reader gs_trace_reader;

typedef struct gs_traced_block {
    uint64_t pc;
    uint32_t count, size; /* instructions, bytes */
    uint32_t successor;
    int64_t stack; /* by how much it changes the stack pointer */
    uint8_t *lengths, *code;
    gs_traced *insns;
    void *decoded; /* the caller's, released with gs_trace_reader_free() by free() */
    uint64_t epoch;
} gs_traced_block;

typedef enum gs_trace_item_kind {
    GS_TRACE_ITEM_BLOCK, /* was executed: its `insns` say what each did */
    GS_TRACE_ITEM_TRAP,
    GS_TRACE_ITEM_MARKER,
    GS_TRACE_ITEM_EXIT,
    GS_TRACE_ITEM_END,
} gs_trace_item_kind;

typedef struct gs_trace_item {
    gs_trace_item_kind kind;
    gs_traced_block *block;
    bool taken; /* its last jump was made, even if it leads straight on */
    uint64_t pc, handler, value, cycle, instructions;
    gs_trace_cost cost; /* of a trap: before it; at the end: behind the last instruction */
    int code;
    char text[256];
} gs_trace_item;

/* Borrows the source, which stands behind the magic. Reads the header. */
gs_status gs_trace_reader_open(gs_trace_reader **out, gs_input *source, gs_error *err);
void gs_trace_reader_free(gs_trace_reader *reader); /* NULL is fine */

/* A field of the header, or NULL. */
const char *gs_trace_field(const gs_trace_reader *reader, const char *key);

gs_status gs_trace_next(gs_trace_reader *reader, gs_trace_item *item, gs_error *err);

/* The cost of this number in gs_traced.cost. */
const gs_trace_cost *gs_trace_cost_at(const gs_trace_reader *reader, uint32_t number);

/* Of the record read last, counting from 1. */
uint64_t gs_trace_record_number(const gs_trace_reader *reader);

#endif
