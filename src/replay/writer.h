/*
 * writer.h - writes a trace (docs/trace.md).
 *
 * A writer is told what a block's execution did (access, cost, values, stack) and then that it was
 * executed; it writes what the reader could not have predicted. It needs nothing of the library, as
 * it is a part of the QEMU plugin, too. What fails, memory or the stream, is kept: every call after
 * that does nothing, and gs_trace_writer_close() says so.
 */
#ifndef GS_REPLAY_WRITER_H
#define GS_REPLAY_WRITER_H

#include <stdio.h>

#include "replay/format.h"

typedef struct gs_trace_writer gs_trace_writer;

/* Writes to `to`, which stays the caller's. NULL when memory is out. */
gs_trace_writer *gs_trace_writer_open(FILE *to);

/* Of the header, before anything else. */
void gs_trace_write_field(gs_trace_writer *w, const char *key, const char *value);
void gs_trace_end_header(gs_trace_writer *w);

/* A block of `count` instructions behind each other, with the length of each, and their bytes. */
uint32_t gs_trace_define(gs_trace_writer *w, uint64_t pc, const uint8_t *lengths, size_t count,
                         const uint8_t *code);

/* Of the execution that comes. An instruction without an access made none. */
void gs_trace_access(gs_trace_writer *w, uint32_t block, size_t index, uint64_t address,
                     unsigned size);
void gs_trace_cost_of(gs_trace_writer *w, uint32_t block, size_t index, const gs_trace_cost *cost);
void gs_trace_values(gs_trace_writer *w, uint32_t block, size_t index, uint64_t first,
                     uint64_t second);
/* By how much the block changed the stack pointer. */
void gs_trace_stack(gs_trace_writer *w, uint32_t block, int64_t change);
void gs_trace_taken(gs_trace_writer *w);
void gs_trace_execute(gs_trace_writer *w, uint32_t block);

void gs_trace_trap_to(gs_trace_writer *w, uint64_t pc, uint64_t handler,
                      const gs_trace_cost *before);
void gs_trace_marker(gs_trace_writer *w, uint64_t value, uint64_t cycle);
void gs_trace_exit(gs_trace_writer *w, unsigned kind, int code, const char *message);
void gs_trace_end(gs_trace_writer *w, uint64_t instructions, const gs_trace_cost *behind);

/* False if not all could be written: errno says why, or is ENOMEM. Frees the writer; NULL is fine.
 */
bool gs_trace_writer_close(gs_trace_writer *w);

#endif
