/* Takes checkpoints and thins them out. */
#include "debug/history.h"

#include <stdlib.h>
#include <time.h>

#include "base/vec.h"

/* A checkpoint costs at most one part in so many of the run's time. */
static const double share = 32;
enum { LEAST_DISTANCE = 20000 }; /* instructions */

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void gs_history_open(gs_history *h, gs_machine *machine, gs_timing *timing, gs_control *control)
{
    *h = (gs_history){.machine = machine, .timing = timing, .control = control};
    if (!machine->environment->save)
        h->reason = "the past of a Linux program is not kept";
    else if (timing && !gs_timing_can_go_back(timing))
        h->reason = "the past of a run is not kept on this core";
    else if (!(h->journal = gs_journal_open(machine)))
        h->reason = "there was no memory for the past of the run";
}

static void drop(gs_history *h, size_t index)
{
    gs_snapshot_free(h->checkpoints[index].snapshot);
    free(h->checkpoints[index].timing);
    h->count--;
    memmove(&h->checkpoints[index], &h->checkpoints[index + 1],
            (h->count - index) * sizeof *h->checkpoints);
}

void gs_history_close(gs_history *h)
{
    while (h->count > 0)
        drop(h, h->count - 1);
    gs_journal_free(h->journal);
    for (size_t i = 0; i < h->edits.count; i++)
        free(h->edits.items[i].bytes);
    free(h->edits.items);
    *h = (gs_history){0};
}

uint64_t gs_history_position(const gs_history *h)
{
    return h->machine->hart.instret + h->control->traps;
}

/* How many checkpoints are at or before a position. */
static size_t until(const gs_history *h, uint64_t position)
{
    size_t count = 0;
    while (count < h->count && h->checkpoints[count].position <= position)
        count++;
    return count;
}

/* Drops the one whose neighbours are closest together, for how far they are from here. The first
 * stays, and so do the last two. */
static void thin_out(gs_history *h)
{
    size_t worst = 1;
    double least = 0;
    const uint64_t now = gs_history_position(h);
    for (size_t i = 1; i + 2 < h->count; i++) {
        const uint64_t low = h->checkpoints[i - 1].position, high = h->checkpoints[i + 1].position;
        const double distance = high < now ? (double)(now - high) : (double)(high - now);
        const double ratio = (double)(high - low) / (distance + 1);
        if (i == 1 || ratio < least) {
            worst = i;
            least = ratio;
        }
    }
    drop(h, worst);
}

void gs_history_take(gs_history *h)
{
    const uint64_t position = gs_history_position(h);
    const size_t at = until(h, position);
    if (!h->journal || gs_journal_failed(h->journal) ||
        (at > 0 && h->checkpoints[at - 1].position == position))
        return;
    if (h->count == GS_HISTORY_MOST) {
        thin_out(h);
        gs_history_take(h);
        return;
    }
    const double begun = seconds();
    gs_checkpoint made = {
        .position = position,
        .traps = h->control->traps,
        .edits = h->next_edit,
        .snapshot = gs_snapshot_take(h->machine, at > 0 ? h->checkpoints[at - 1].snapshot : NULL),
        .timing = h->timing ? gs_timing_keep(h->timing) : NULL,
    };
    if (!made.snapshot || (h->timing && !made.timing)) {
        gs_snapshot_free(made.snapshot);
        free(made.timing);
        return;
    }
    memmove(&h->checkpoints[at + 1], &h->checkpoints[at], (h->count - at) * sizeof made);
    h->checkpoints[at] = made;
    h->count++;
    h->taken_at = seconds();
    h->cost = h->taken_at - begun;
    h->taken_at_instret = h->machine->hart.instret;
}

void gs_history_take_if_due(gs_history *h)
{
    if (h->journal && h->machine->hart.instret - h->taken_at_instret >= LEAST_DISTANCE &&
        seconds() - h->taken_at >= share * h->cost)
        gs_history_take(h);
}

bool gs_history_go_back(gs_history *h, uint64_t position)
{
    const size_t count = until(h, position);
    if (count == 0)
        return false;
    const gs_checkpoint *to = &h->checkpoints[count - 1];
    gs_snapshot_restore(to->snapshot, h->machine);
    if (h->timing)
        gs_timing_go_back(h->timing, to->timing);
    h->control->traps = to->traps;
    h->control->went_back = true;
    h->control->replays = to->position < h->furthest;
    h->next_edit = to->edits;
    h->taken_at = seconds();
    h->taken_at_instret = h->machine->hart.instret;
    return true;
}

uint64_t gs_history_limit(const gs_history *h, uint64_t position)
{
    if (h->next_edit < h->edits.count && h->edits.items[h->next_edit].position < position)
        position = h->edits.items[h->next_edit].position;
    if (h->control->replays && h->furthest < position)
        position = h->furthest;
    const uint64_t now = gs_history_position(h);
    if (position == UINT64_MAX)
        return position;
    return h->machine->hart.instret + (position > now ? position - now : 0);
}

const gs_edit *gs_history_take_edit(gs_history *h)
{
    if (h->next_edit == h->edits.count ||
        h->edits.items[h->next_edit].position != gs_history_position(h))
        return NULL;
    return &h->edits.items[h->next_edit++];
}

void gs_history_edited(gs_history *h, bool is_register, uint32_t target, const void *bytes,
                       uint32_t size)
{
    gs_edit made = {gs_history_position(h), is_register, target, size, malloc(size + 1)};
    if (!h->journal) {
        free(made.bytes);
        return;
    }
    if (made.bytes)
        memcpy(made.bytes, bytes, size);
    if (!made.bytes || !gs_vec_push(&h->edits, made)) {
        free(made.bytes);
        while (h->count > 0) /* what cannot be made again cannot be gone back behind */
            drop(h, h->count - 1);
        return;
    }
    h->next_edit = h->edits.count;
}
