/*
 * random_trace.h - a trace of a program that does nothing but jump, call, return and trap.
 *
 * What the trace says is what some program could do, but denser than any would: a call or return
 * with every beat, to functions that return at once.
 */
#ifndef RTL_UNITS_RANDOM_TRACE_H
#define RTL_UNITS_RANDOM_TRACE_H

#include "machine/machine.h"
#include "probe/port.h"

/* Sends `beats` beats to the reader. Functions are those of the machine's program. */
void random_trace(const gs_machine *machine, uint64_t seed, uint64_t beats, gs_port_reader *reader,
                  void *reader_self);

#endif
