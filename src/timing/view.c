/* Keeps the cycles of the instructions in a window. */
#include "timing/view.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

gs_status gs_timing_record(gs_timing *timing, uint64_t from, uint64_t to, gs_error *err)
{
    if (to < from || to - from >= GS_VIEW_MOST)
        return gs_fail(err, GS_E_ARGUMENT,
                       "a pipeline can be drawn for 1 to %d instructions at a time", GS_VIEW_MOST);
    gs_timing_view *view = calloc(1, sizeof *view);
    if (view)
        view->rows = calloc(to - from + 1, sizeof *view->rows);
    if (!view || !view->rows) {
        free(view);
        return gs_fail_no_memory(err);
    }
    view->from = from;
    view->to = to;
    gs_timing_view_free(timing->view);
    timing->view = view;
    return GS_OK;
}

void gs_timing_view_free(gs_timing_view *view)
{
    if (!view)
        return;
    free(view->rows);
    free(view);
}

void gs_timing_view_show(gs_timing *timing, uint64_t number, uint32_t pc, const gs_stage *stages,
                         unsigned count)
{
    gs_timing_view *view = timing->view;
    if (number >= view->from && number <= view->to) {
        gs_pipeline_row *row = &view->rows[view->count++];
        assert(count <= GS_VIEW_STAGES);
        row->number = number;
        row->pc = pc;
        row->stage_count = count;
        memcpy(row->stages, stages, count * sizeof *stages);
        for (unsigned i = 0; i < GS_STALL_COUNT; i++)
            row->stalls[i] = timing->stalls[i] - view->charged[i];
    }
    memcpy(view->charged, timing->stalls, sizeof view->charged);
}
