/*
 * replay.h - runs as traces: writing down what a run retires, and profiling what was retired
 * elsewhere.
 *
 * A gs_record is an observer of a run that writes a trace (docs/trace.md). A gs_replay reads a
 * trace, in that format or one of other tools, and tells observers of it as gs_run() tells them of
 * a run: with its machine and its timing, a recorder makes a profile and units count. Nothing is
 * executed. Each is used by one thread.
 */
#ifndef GUMSHOE_REPLAY_H
#define GUMSHOE_REPLAY_H

#include "gumshoe/run.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

typedef struct gs_record gs_record;

/* To be called before the run. Borrows the machine, the timing, which is the run's or NULL, and the
 * stream. *out is the caller's, NULL on failure: GS_E_NO_MEMORY. */
gs_status gs_record_open(gs_record **out, const gs_machine *machine, const gs_timing *timing,
                         FILE *to, gs_error *err);
const gs_observer *gs_record_observer(const gs_record *record); /* borrowed from the record */
/* When the run is over: writes the end. GS_E_IO if not all could be written. */
gs_status gs_record_finish(gs_record *record, gs_error *err);
void gs_record_free(gs_record *record); /* NULL is fine */

/* The formats of traces that are read, by name; NULL from the count on. */
size_t gs_replay_format_count(void);
const char *gs_replay_format_name(size_t index);

/* All zero is a good beginning. */
typedef struct gs_replay_options {
    const char *format; /* by name; NULL: found out from the trace */
    const char *prefix; /* of the names of signals or columns; NULL: found out */
    const char *board;  /* what is memory and what is not, where a core times the instructions: as
                           in gs_machine_options */
    /* Of a trace with cycles, what they are cycles of. One without is timed by it. NULL: what the
     * trace says; without cycles, an instruction is a tick. */
    const gs_core *core;
    bool changing_code; /* the program changes its code: other code than the ELF file has is no
                           error */
} gs_replay_options;

typedef struct gs_replay gs_replay;

/* Opens the trace at `path` ("-" is standard input) of the program `image`, and reads as far as its
 * first instruction. The image and the core are borrowed. *out is the caller's, NULL on failure:
 * GS_E_NOT_FOUND, GS_E_IO, GS_E_FORMAT if it is no trace, is damaged, or is one of another program,
 * GS_E_ARGUMENT for a format that there is not, GS_E_UNSUPPORTED for a core that does not run the
 * program, GS_E_NO_MEMORY. */
gs_status gs_replay_open(gs_replay **out, const char *path, const gs_image *image,
                         const gs_replay_options *options, gs_error *err);
/* The same for a trace in memory, which is borrowed. */
gs_status gs_replay_open_memory(gs_replay **out, const void *bytes, size_t size,
                                const gs_image *image, const gs_replay_options *options,
                                gs_error *err);
void gs_replay_free(gs_replay *replay); /* NULL is fine; after all that borrows the machine */

/* For observers; borrowed. The timing is NULL where an instruction is a tick. */
gs_machine *gs_replay_machine(const gs_replay *replay);
gs_timing *gs_replay_timing(const gs_replay *replay);
const char *gs_replay_format(const gs_replay *replay); /* the name of the trace's */
bool gs_replay_has_cycles(const gs_replay *replay);

/*
 * Tells the observers all that the trace has, up to the limits. Of the options, limits, observers,
 * region, cancel and progress count. GS_E_FORMAT for a trace that is damaged from some record or
 * line on, which the message names; what came before has been told, and counts.
 */
gs_status gs_replay_run(gs_replay *replay, const gs_run_options *options, gs_error *err);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
