/* Gumshoe's own commands: gdb's "monitor". */
#include <inttypes.h>
#include <stdlib.h>

#include "debug/debugger.h"

static const char help[] =
    "cycles            cycles and instructions so far, and where the program stands in its past\n"
    "report top [N]    functions by the cycles they took themselves, since 'profile reset'\n"
    "profile reset     report from here on\n"
    "reload            go to the beginning of the run\n";

/* Cycles of every function at the last reset. */
typedef struct gs_profile_baseline {
    size_t count;
    uint64_t cycles[];
} gs_profile_baseline;

typedef struct row {
    const gs_function *function;
    uint64_t cycles;
} row;

static void tell_cycles(gs_debugger *d, FILE *to)
{
    const gs_machine *machine = d->machine;
    fprintf(to, "%" PRIu64 " cycles, %" PRIu64 " instructions\n", machine->time,
            machine->hart.instret);
    if (gs_debugger_in_past(d))
        fprintf(to, "in the past: position %" PRIu64 " of %" PRIu64 "\n",
                gs_history_position(&d->history), d->history.furthest);
    if (d->history.reason)
        fprintf(to, "%s\n", d->history.reason);
    else
        fprintf(to, "%zu checkpoints\n", d->history.count);
}

/* Cycles of each function of the image, and behind them of all that is in none. */
static gs_profile_baseline *count_cycles(gs_debugger *d)
{
    const gs_image *image = d->machine->image;
    const size_t count = gs_image_function_count(image);
    gs_profile_baseline *totals = calloc(1, sizeof *totals + (count + 1) * sizeof(uint64_t));
    if (!totals)
        return NULL;
    totals->count = count;
    if (!gs_debugger_in_past(d))
        gs_recorder_settle_calls(d->recorder);
    const gs_calltree *tree = gs_recorder_calls(d->recorder);
    for (size_t i = 0; i < gs_calltree_count(tree); i++) {
        const gs_call_node *node = gs_calltree_node(tree, i);
        const size_t at =
            node->function ? (size_t)(node->function - gs_image_function(image, 0)) : count;
        totals->cycles[at] += node->self.value[GS_METRIC_CYCLES];
    }
    return totals;
}

static int by_cycles(const void *a, const void *b)
{
    const row *x = a, *y = b;
    return (x->cycles < y->cycles) - (x->cycles > y->cycles);
}

static void report_top(gs_debugger *d, unsigned long most, FILE *to)
{
    gs_profile_baseline *now = d->recorder ? count_cycles(d) : NULL;
    row *rows = now ? calloc(now->count + 1, sizeof *rows) : NULL;
    uint64_t all = 0;
    if (!rows) {
        fputs(d->recorder ? "there is no memory for that\n" : "nothing is recorded\n", to);
        free(now);
        return;
    }
    for (size_t i = 0; i <= now->count; i++) {
        rows[i].function = i < now->count ? gs_image_function(d->machine->image, i) : NULL;
        rows[i].cycles = now->cycles[i] - (d->baseline ? d->baseline->cycles[i] : 0);
        all += rows[i].cycles;
    }
    qsort(rows, now->count + 1, sizeof *rows, by_cycles);
    fprintf(to, "   self        cycles  function\n");
    for (size_t i = 0; i <= now->count && i < most && rows[i].cycles > 0; i++)
        fprintf(to, "%6.2f%%  %12" PRIu64 "  %s\n", 100 * (double)rows[i].cycles / (double)all,
                rows[i].cycles, rows[i].function ? rows[i].function->name : "?");
    free(rows);
    free(now);
}

static void reset_profile(gs_debugger *d, FILE *to)
{
    free(d->baseline);
    d->baseline = d->recorder ? count_cycles(d) : NULL;
    fputs(d->baseline ? "reports count from here on\n" : "nothing is recorded\n", to);
}

static void obey(gs_debugger *d, const char *command, FILE *to)
{
    char *end;
    if (strcmp(command, "cycles") == 0) {
        tell_cycles(d, to);
    } else if (strcmp(command, "profile reset") == 0) {
        reset_profile(d, to);
    } else if (strcmp(command, "report top") == 0) {
        report_top(d, 10, to);
    } else if (strncmp(command, "report top ", 11) == 0) {
        const unsigned long most = strtoul(command + 11, &end, 10);
        if (*end || end == command + 11)
            fputs("report top wants a number of functions, as in: report top 20\n", to);
        else
            report_top(d, most, to);
    } else if (strcmp(command, "reload") == 0) {
        if (gs_debugger_restart(d))
            fputs("at the beginning of the run; 'flushregs' has gdb look\n", to);
        else
            fprintf(to, "%s\n", d->history.reason ? d->history.reason : "there is no way back");
    } else {
        if (strcmp(command, "help") != 0)
            fprintf(to, "there is no command '%s'. There are:\n", command);
        fputs(help, to);
    }
}

char *gs_monitor_answer(gs_debugger *d, const char *command)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return NULL;
    obey(d, command, to);
    if (fclose(to) == 0)
        return text;
    free(text);
    return NULL;
}

void gs_monitor_free(gs_debugger *d)
{
    free(d->baseline);
    d->baseline = NULL;
}
