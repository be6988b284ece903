/*
 * history.h - the past of a run: checkpoints, and what a debugger changed.
 *
 * A position in a run is how many instructions have retired and traps have been taken: it tells the
 * moments at which a debugger can stop apart. A checkpoint is everything as it was at one; other
 * positions are reached by running on from the latest before them. Checkpoints are few where they
 * are old: the distances between them grow with their age. They cost a share of the run's time, and
 * of memory.
 */
#ifndef GS_DEBUG_HISTORY_H
#define GS_DEBUG_HISTORY_H

#include "engine/control.h"
#include "machine/journal.h"
#include "machine/snapshot.h"
#include "timing/past.h"

enum { GS_HISTORY_MOST = 64 };

typedef struct gs_checkpoint {
    uint64_t position, traps;
    size_t edits; /* that had been made */
    gs_snapshot *snapshot;
    gs_timing_past *timing; /* or NULL */
} gs_checkpoint;

typedef struct gs_edit {
    uint64_t position;
    bool is_register;
    uint32_t target; /* number or address */
    uint32_t size;
    uint8_t *bytes;
} gs_edit;

typedef struct gs_history {
    gs_machine *machine;
    gs_timing *timing; /* or NULL */
    gs_control *control;
    gs_journal *journal; /* NULL: the past is not kept */
    const char *reason;  /* why not */
    gs_checkpoint checkpoints[GS_HISTORY_MOST];
    size_t count;
    struct {
        gs_edit *items;
        size_t count, capacity;
    } edits;
    size_t next_edit;
    uint64_t furthest;         /* position */
    double cost, taken_at;     /* seconds: the last checkpoint took, and when that was */
    uint64_t taken_at_instret; /* instructions then */
} gs_history;

void gs_history_open(gs_history *history, gs_machine *machine, gs_timing *timing,
                     gs_control *control);
void gs_history_close(gs_history *history);

uint64_t gs_history_position(const gs_history *history);

/* Takes a checkpoint here, if there is none yet. */
void gs_history_take(gs_history *history);
/* The same, if enough time has passed to make up for what it costs. */
void gs_history_take_if_due(gs_history *history);

/* Goes back to the latest checkpoint at or before a position. False if there is none. */
bool gs_history_go_back(gs_history *history, uint64_t position);

/* The instructions at which the run has to stop to come to `position`, or earlier to an edit. */
uint64_t gs_history_limit(const gs_history *history, uint64_t position);

/* The next edit to be made again here, or NULL. */
const gs_edit *gs_history_take_edit(gs_history *history);

/* Keeps what the debugger has changed, in the present. */
void gs_history_edited(gs_history *history, bool is_register, uint32_t target, const void *bytes,
                       uint32_t size);

#endif
