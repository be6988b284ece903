/*
 * The counter of loop runs that are counted nowhere else.
 */
#include "probe/callstack.h"

static const uint64_t zero = 0;

void gs_loop_run_detach(gs_loop_run *run)
{
    gs_loop_run_count_in(run, gs_loop_run_iterations(run), &zero);
}

gs_loop_run gs_loop_run_none(void)
{
    return (gs_loop_run){.counter = &zero, .fewest = UINT64_MAX, .depth = UINT32_MAX};
}
