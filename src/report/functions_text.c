#include <inttypes.h>
#include <stdlib.h>

#include "gumshoe/profile.h"
#include "profile/functions.h"

enum { BAR_WIDTH = 20 };

static double percent(uint64_t part, uint64_t whole)
{
    return whole ? 100 * (double)part / (double)whole : 0;
}

static void draw_bar(FILE *to, double share)
{
    int filled = (int)(share / 100 * BAR_WIDTH + 0.5);
    for (int i = 0; i < BAR_WIDTH; i++)
        fputc(i < filled ? '#' : '.', to);
}

gs_status gs_report_functions(FILE *to, const gs_recorder *recorder, size_t top, gs_error *err)
{
    gs_function_profile *rows;
    size_t count;
    gs_status status = gs_profile_functions(&rows, &count, recorder, err);
    if (status != GS_OK)
        return status;
    uint64_t total = gs_recorder_total(recorder)->value[GS_METRIC_CYCLES];
    fprintf(to, "%7s  %-*s  %7s  %12s  %8s  %s\n", "self", BAR_WIDTH, "", "total", "calls", "CPI",
            "function");
    for (size_t i = 0; i < count && i < top; i++) {
        const gs_function_profile *row = &rows[i];
        uint64_t cycles = row->self.value[GS_METRIC_CYCLES];
        uint64_t instructions = row->self.value[GS_METRIC_INSTRUCTIONS];
        if (cycles == 0)
            break;
        fprintf(to, "%6.2f%%  ", percent(cycles, total));
        draw_bar(to, percent(cycles, total));
        fprintf(to, "  %6.2f%%  %12" PRIu64 "  %8.3f  %s\n",
                percent(row->inclusive.value[GS_METRIC_CYCLES], total), row->calls,
                instructions ? (double)cycles / (double)instructions : 0.0,
                row->function ? row->function->name : "(no function)");
    }
    free(rows);
    return GS_OK;
}
