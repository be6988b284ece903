/* The rules that find what stands out in a profile, and their sentences. */
#include "report/insights.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "report/names.h"
#include "report/short_name.h"
#include "report/views.h"

enum { PLACE = 128 };

/* What the rules look at. Views are sorted by cycles of their own. */
typedef struct facts {
    const gs_profile *profile;
    gs_view functions, loops, lines;
    uint64_t cycles;
} facts;

static double share(const facts *f, uint64_t cycles)
{
    return gs_report_percent(cycles, f->cycles);
}

static uint64_t cycles_of(const gs_view_row *row)
{
    return row->self.value[GS_METRIC_CYCLES];
}

/* Of a function, as it stands in a sentence. The text lives until the end of the block. */
#define SHORT(name)     gs_report_shorten((char[GS_SHORT_BYTES]){0}, (name))
#define NAME_OF(f, row) SHORT(gs_report_function_name((f)->profile, (row)->function))

/* "core.c:20", or "" if that is not known. */
static const char *place_of(const facts *f, const gs_view_row *row, char to[PLACE])
{
    to[0] = '\0';
    if (row->file < f->profile->files.count)
        snprintf(to, PLACE, "%.100s:%" PRIu32,
                 gs_report_last_part(gs_report_file_name(f->profile, row->file)), row->line);
    return to;
}

/* The row of `view` with most of `metric`, or NULL if none has any. */
static const gs_view_row *row_with_most(const gs_view *view, gs_metric metric)
{
    const gs_view_row *most = NULL;
    for (size_t i = 0; i < view->count; i++) {
        uint64_t value = view->items[i].self.value[metric];
        if (value > 0 && (!most || value > most->self.value[metric]))
            most = &view->items[i];
    }
    return most;
}

/* The loop with most cycles of its own, or NULL. */
static const gs_view_row *top_loop(const facts *f)
{
    for (size_t i = 0; i < f->loops.count; i++) {
        const gs_view_row *row = &f->loops.items[i];
        if (!row->text) /* else it is what is in no loop */
            return row->count > 0 ? row : NULL;
    }
    return NULL;
}

/* Whether the loop is all there is to the costliest function: then one sentence does for both. */
static bool is_whole_function(const facts *f, const gs_view_row *loop)
{
    const gs_view_row *function = &f->functions.items[0];
    return loop && loop->function == function->function &&
           gs_report_percent(cycles_of(loop), cycles_of(function)) >= 85;
}

static void add_text(gs_insight *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add_text(gs_insight *to, const char *format, ...)
{
    size_t length = strlen(to->text);
    va_list args;
    va_start(args, format);
    vsnprintf(to->text + length, sizeof to->text - length, format, args);
    va_end(args);
}

/* "the loop at core.c:20" */
static void add_loop(const facts *f, const gs_view_row *loop, gs_insight *to)
{
    char place[PLACE];
    if (*place_of(f, loop, place))
        add_text(to, "he loop at %s", place);
    else
        add_text(to, "he loop at 0x%08" PRIx32, loop->address);
}

/* "13.8 cycles per iteration, 8 iterations each time it is entered." */
static void add_iterations(const gs_view_row *loop, gs_insight *to)
{
    char mean[GS_TEXT_NUMBER];
    add_text(to, "%.1f cycles per iteration", (double)cycles_of(loop) / (double)loop->count);
    if (loop->other > 0)
        add_text(to, ", %s iterations each time it is entered",
                 gs_text_mean(mean, (double)loop->count / (double)loop->other));
    if (loop->other > 0 && loop->min_trips < loop->max_trips)
        add_text(to, " (%s to %s)", GS_TEXT_DIGITS(loop->min_trips),
                 GS_TEXT_DIGITS(loop->max_trips));
    add_text(to, ".");
}

static void spread_out(const facts *f, gs_insight *to)
{
    size_t needed = 0;
    for (uint64_t sum = 0; needed < f->functions.count && share(f, sum) < 80; needed++)
        sum += cycles_of(&f->functions.items[needed]);
    to->weight = 10;
    add_text(to,
             "The work is spread out: no function takes more than %.1f%% of all cycles, and %zu "
             "functions make up 80%%.",
             share(f, cycles_of(&f->functions.items[0])), needed);
}

/* One function, and how many others it outweighs; or that there is none such. */
static void hottest_function(const facts *f, gs_insight *to)
{
    if (f->functions.count == 0)
        return;
    const gs_view_row *row = &f->functions.items[0], *loop = top_loop(f);
    double part = share(f, cycles_of(row));
    uint64_t others = 0;
    size_t outweighed = 0;
    if (part < 10) {
        spread_out(f, to);
        return;
    }
    for (size_t i = 1; i < f->functions.count; i++) {
        others += cycles_of(&f->functions.items[i]);
        if (others >= cycles_of(row))
            break;
        outweighed++;
    }
    to->weight = part;
    add_text(to, "%s takes %.1f%% of all cycles", NAME_OF(f, row), part);
    if (outweighed + 1 == f->functions.count && f->functions.count > 2)
        add_text(to, ", more than all other functions together");
    else if (outweighed > 1)
        add_text(to, ", more than the next %zu functions together", outweighed);
    if (is_whole_function(f, loop)) {
        add_text(to, "; %.0f%% of that is t", gs_report_percent(cycles_of(loop), cycles_of(row)));
        add_loop(f, loop, to);
        add_text(to, ", ");
        add_iterations(loop, to);
    } else {
        add_text(to, ".");
    }
}

static void hottest_loop(const facts *f, gs_insight *to)
{
    const gs_view_row *loop = top_loop(f);
    if (!loop || share(f, cycles_of(loop)) < 10 || is_whole_function(f, loop))
        return;
    to->weight = 0.95 * share(f, cycles_of(loop));
    add_text(to, "T");
    add_loop(f, loop, to);
    add_text(to, " in %s takes %.1f%% of all cycles: ", NAME_OF(f, loop),
             share(f, cycles_of(loop)));
    add_iterations(loop, to);
}

/* Where the cycles are that one cause took: a line if it has most of them, else a function. */
static void describe_where(const facts *f, gs_metric stall, char *to, size_t size)
{
    char place[PLACE];
    uint64_t all = f->profile->total.value[stall];
    const gs_view_row *line = row_with_most(&f->lines, stall);
    const gs_view_row *function = row_with_most(&f->functions, stall);
    to[0] = '\0';
    if (line && gs_report_percent(line->self.value[stall], all) >= 40 && *place_of(f, line, place))
        snprintf(to, size, "; %.0f%% of that at %s%s in %s",
                 gs_report_percent(line->self.value[stall], all), place,
                 line->others ? ", mostly" : "", NAME_OF(f, line));
    else if (function && gs_report_percent(function->self.value[stall], all) >= 15)
        snprintf(to, size, "; %.0f%% of that in %s",
                 gs_report_percent(function->self.value[stall], all), NAME_OF(f, function));
}

static void largest_stall(const facts *f, gs_insight *to)
{
    gs_metrics awake = f->profile->total;
    gs_metric most = GS_METRIC_STALL_IDLE;
    char where[256];
    awake.value[GS_METRIC_STALL_IDLE] = 0; /* that is no loss, see asleep() */
    if (gs_report_stalls(&awake, &most) == 0)
        return;
    double part = share(f, awake.value[most]);
    if (part < 5)
        return;
    describe_where(f, most, where, sizeof where);
    to->weight = 1.5 * part;
    snprintf(to->text, sizeof to->text, "%.1f%% of all cycles are lost to %s (%s)%.200s.", part,
             gs_report_cause(most), gs_metric_text(most), where);
}

/* Lines that miss the data cache, unless waiting for it is the largest stall anyway. */
static void data_misses(const facts *f, gs_insight *to)
{
    const uint64_t *total = f->profile->total.value;
    gs_metrics all = f->profile->total;
    gs_metric most = GS_METRIC_STALL_IDLE;
    char place[PLACE];
    uint64_t lost = total[GS_METRIC_STALL_D_READ];
    all.value[GS_METRIC_STALL_IDLE] = 0;
    gs_report_stalls(&all, &most);
    const gs_view_row *line = row_with_most(&f->lines, GS_METRIC_STALL_D_READ);
    if (most == GS_METRIC_STALL_D_READ || !line || share(f, lost) < 2 ||
        total[GS_METRIC_D_MISSES] == 0)
        return;
    double part = gs_report_percent(line->self.value[GS_METRIC_STALL_D_READ], lost);
    if (part < 25 || !*place_of(f, line, place))
        return;
    to->weight = 2 * share(f, lost);
    snprintf(to->text, sizeof to->text,
             "Data cache misses cost %.1f%% of all cycles; %.0f%% of that at %s%s in %s.",
             share(f, lost), part, place, line->others ? ", mostly" : "", NAME_OF(f, line));
}

static void mispredictions(const facts *f, gs_insight *to)
{
    const uint64_t *total = f->profile->total.value;
    double part = share(f, total[GS_METRIC_STALL_MISPREDICT]);
    const gs_view_row *worst = row_with_most(&f->functions, GS_METRIC_MISPREDICTED);
    if (part < 2 || !worst || total[GS_METRIC_BRANCHES] == 0)
        return;
    to->weight = 1.2 * part;
    snprintf(to->text, sizeof to->text,
             "%.1f%% of all branches are predicted wrongly, most of those in %s (%.1f%% of its "
             "own).",
             gs_report_percent(total[GS_METRIC_MISPREDICTED], total[GS_METRIC_BRANCHES]),
             NAME_OF(f, worst),
             gs_report_percent(worst->self.value[GS_METRIC_MISPREDICTED],
                               worst->self.value[GS_METRIC_BRANCHES]));
}

/* A function so short that calling it is much of what it costs. */
static void short_calls(const facts *f, gs_insight *to)
{
    char calls[28];
    for (size_t i = 0; i < f->functions.count; i++) {
        const gs_view_row *row = &f->functions.items[i];
        double part = share(f, cycles_of(row));
        double each =
            row->count ? (double)row->self.value[GS_METRIC_INSTRUCTIONS] / (double)row->count : 0;
        if (part < 5)
            return;
        if (row->count < 1000 || each > 16)
            continue;
        to->weight = 1.1 * part;
        snprintf(to->text, sizeof to->text,
                 "%s is called %s times for only %.0f instructions each, %.1f%% of all cycles: "
                 "worth inlining?",
                 NAME_OF(f, row), gs_text_digits(calls, row->count), each, part);
        return;
    }
}

/* The caller for which the hottest function works, if it has several callers and one has most of
 * it. */
static void main_caller(const facts *f, gs_insight *to)
{
    const gs_profile *p = f->profile;
    size_t functions = p->functions.count;
    if (f->functions.count == 0 || f->functions.items[0].function >= functions)
        return;
    const gs_view_row *row = &f->functions.items[0];
    uint64_t *by_caller = calloc(functions, sizeof *by_caller);
    size_t callers = 0, most = 0;
    for (size_t i = 1; by_caller && i < p->nodes.count; i++) {
        const gs_profile_node *node = &p->nodes.items[i];
        uint32_t caller = p->nodes.items[node->parent].function;
        if (node->function != row->function || caller >= functions || caller == row->function)
            continue;
        callers += by_caller[caller] == 0 && node->self.value[GS_METRIC_CYCLES] > 0;
        by_caller[caller] += node->self.value[GS_METRIC_CYCLES];
        if (by_caller[caller] > by_caller[most])
            most = caller;
    }
    double part = by_caller ? gs_report_percent(by_caller[most], cycles_of(row)) : 0;
    double whole = share(f, cycles_of(row));
    if (callers > 1 && part >= 50 && whole >= 15) {
        to->weight = 0.5 * whole * part / 100;
        snprintf(to->text, sizeof to->text,
                 "Of what %s costs, %.0f%% is on behalf of %s, one of its %zu callers.",
                 NAME_OF(f, row), part, SHORT(p->functions.items[most].name), callers);
    }
    free(by_caller);
}

/* Handlers of traps and interrupts with all they call. */
static void in_handlers(const facts *f, gs_insight *to)
{
    const gs_profile *p = f->profile;
    char traps[28];
    uint64_t cycles = 0;
    bool *inside = calloc(p->nodes.count + 1, sizeof *inside);
    for (size_t i = 1; inside && i < p->nodes.count; i++) {
        const gs_profile_node *node = &p->nodes.items[i];
        inside[i] = node->kind == GS_FRAME_TRAP || inside[node->parent];
        if (inside[i])
            cycles += node->self.value[GS_METRIC_CYCLES];
    }
    free(inside);
    if (share(f, cycles) < 3)
        return;
    to->weight = 1.2 * share(f, cycles);
    snprintf(to->text, sizeof to->text,
             "%.1f%% of all cycles are spent in handlers of traps and interrupts, of which there "
             "were %s.",
             share(f, cycles), gs_text_digits(traps, p->total.value[GS_METRIC_TRAPS]));
}

static void asleep(const facts *f, gs_insight *to)
{
    double part = share(f, f->profile->total.value[GS_METRIC_STALL_IDLE]);
    if (part < 5)
        return;
    to->weight = part;
    snprintf(to->text, sizeof to->text,
             "For %.1f%% of all cycles the core is asleep, waiting for an interrupt.", part);
}

static const struct {
    const char *name;
    void (*look)(const facts *, gs_insight *);
} rules[GS_INSIGHTS] = {
    {"function", hottest_function}, {"loop", hottest_loop},          {"stall", largest_stall},
    {"misses", data_misses},        {"predictions", mispredictions}, {"short", short_calls},
    {"caller", main_caller},        {"handlers", in_handlers},       {"asleep", asleep},
};

static int by_weight(const void *a, const void *b)
{
    const gs_insight *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight < y->weight ? 1 : -1;
    return strcmp(x->rule, y->rule);
}

gs_status gs_insights_find(gs_insight insights[GS_INSIGHTS], size_t *count,
                           const gs_profile *profile, gs_error *err)
{
    static const gs_report_options by_function = {.by = GS_REPORT_BY_FUNCTION};
    static const gs_report_options by_loop = {.by = GS_REPORT_BY_LOOP};
    static const gs_report_options by_line = {.by = GS_REPORT_BY_LINE};
    facts f = {.profile = profile, .cycles = profile->total.value[GS_METRIC_CYCLES]};
    *count = 0;
    if (f.cycles == 0)
        return GS_OK;
    gs_status status = gs_view_open(&f.functions, profile, &by_function, err);
    if (status == GS_OK)
        status = gs_view_open(&f.loops, profile, &by_loop, err);
    if (status == GS_OK)
        status = gs_view_open(&f.lines, profile, &by_line, err);
    for (size_t i = 0; i < GS_INSIGHTS && status == GS_OK; i++) {
        gs_insight *insight = &insights[*count];
        *insight = (gs_insight){.rule = rules[i].name};
        rules[i].look(&f, insight);
        *count += insight->weight > 0;
    }
    qsort(insights, *count, sizeof *insights, by_weight);
    gs_view_close(&f.functions);
    gs_view_close(&f.loops);
    gs_view_close(&f.lines);
    return status;
}
