/*
 * Folded stacks: a line per call path, "root;caller;function 123", with the cost of its own in
 * one metric. Read by flamegraph.pl, inferno, speedscope and others, which split at the
 * semicolons and at the last space. Inlined functions end with "_[i]", as flamegraph.pl has it.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/vec.h"
#include "report/names.h"
#include "report/paths.h"

typedef struct stack {
    uint32_t *items; /* functions */
    size_t count, capacity;
} stack;

gs_status gs_report_folded(FILE *to, const gs_profile *profile, const gs_report_options *options,
                           gs_error *err)
{
    gs_path_list paths;
    gs_status status = gs_path_list_open(&paths, profile, options, err);
    if (status != GS_OK)
        return status;
    stack functions = {0};
    for (size_t i = 0; i < paths.count; i++) {
        functions.count = paths.items[i].depth;
        if (!gs_vec_push(&functions, paths.items[i].function)) {
            status = gs_fail_no_memory(err);
            break;
        }
        if (paths.items[i].self.value[paths.metric] == 0)
            continue;
        /* A root above all threads is what readers make themselves. */
        const size_t first = gs_report_is_thread(profile, functions.items[0]) ? 1 : 0;
        for (size_t n = first; n < functions.count; n++) {
            if (n > first)
                fputc(';', to);
            gs_report_put(to, gs_report_function_name(profile, functions.items[n]), ";");
            if (gs_report_is_inlined(profile, functions.items[n]))
                fputs("_[i]", to);
        }
        fprintf(to, " %" PRIu64 "\n", paths.items[i].self.value[paths.metric]);
    }
    free(functions.items);
    free(paths.items);
    return status == GS_OK ? gs_report_end(to, err) : status;
}
