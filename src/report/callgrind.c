/*
 * The callgrind format, for KCachegrind, QCachegrind and callgrind_annotate.
 *
 * Own costs stand per instruction (or per line), calls per call site. Both readers take the sum of
 * all calls of a function for what it includes. So a call of a function that is on the call path
 * already goes to f'2, which has no costs of its own: they are in f, where the instructions are.
 * See arcs.h for why nothing is counted twice.
 *
 * Names are written once, as "(id) name", and later as "(id)"; functions and files have ids of
 * their own. Line 0 is one that is not known.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "report/arcs.h"
#include "report/names.h"

typedef struct writer {
    FILE *to;
    const gs_profile *profile;
    bool by_line;
    gs_metric events[GS_METRIC_COUNT];
    unsigned event_count;
    bool *function_named; /* [2 * index + recursive] */
    bool *file_named;
} writer;

/* "stall:load-use" as "StallLoadUse": viewers take event names for identifiers. */
static void put_event_name(FILE *to, const char *key)
{
    bool capital = true;
    for (; *key; key++) {
        if (isalnum((unsigned char)*key)) {
            fputc(capital ? toupper((unsigned char)*key) : *key, to);
            capital = false;
        } else {
            capital = true;
        }
    }
}

/* The metric asked for comes first, the others follow if anything was counted. */
static void choose_events(writer *w, gs_metric first)
{
    w->events[w->event_count++] = first;
    for (unsigned m = 0; m < GS_METRIC_COUNT; m++) {
        bool counted = gs_report_counted(w->profile) >> m & 1;
        bool always = m == GS_METRIC_CYCLES || m == GS_METRIC_INSTRUCTIONS;
        if (m != first && counted && (always || w->profile->total.value[m]))
            w->events[w->event_count++] = (gs_metric)m;
    }
}

static void put_costs(const writer *w, const gs_metrics *cost)
{
    for (unsigned e = 0; e < w->event_count; e++)
        fprintf(w->to, " %" PRIu64, cost->value[w->events[e]]);
    fputc('\n', w->to);
}

static void put_header(const writer *w)
{
    const gs_profile_run *run = &w->profile->run;
    fputs("# callgrind format\nversion: 1\ncreator: gumshoe ", w->to);
    gs_report_put(w->to, run->version, "");
    fputs("\ncmd: ", w->to);
    gs_report_put(w->to, run->program, "");
    fputs("\npart: 1\n", w->to);
    if (run->core[0]) {
        fputs("desc: Core: ", w->to);
        gs_report_put(w->to, run->core, "");
        fputc('\n', w->to);
    }
    fprintf(w->to, "positions: %s\n", w->by_line ? "line" : "instr line");
    for (unsigned e = 0; e < w->event_count; e++) {
        fputs("event: ", w->to);
        put_event_name(w->to, gs_metric_key(w->events[e]));
        fprintf(w->to, " : %s\n", gs_metric_text(w->events[e]));
    }
    fputs("events:", w->to);
    for (unsigned e = 0; e < w->event_count; e++) {
        fputc(' ', w->to);
        put_event_name(w->to, gs_metric_key(w->events[e]));
    }
    fputs("\nsummary:", w->to);
    put_costs(w, &w->profile->total);
    fputc('\n', w->to);
}

static void put_file(writer *w, const char *key, uint32_t file)
{
    size_t index = file < w->profile->files.count ? file : w->profile->files.count;
    fprintf(w->to, "%s=(%zu)", key, index + 1);
    if (!w->file_named[index]) {
        w->file_named[index] = true;
        fputc(' ', w->to);
        gs_report_put(w->to,
                      file == GS_PROFILE_NONE ? "???" : gs_report_file_name(w->profile, file), "");
    }
    fputc('\n', w->to);
}

static void put_function(writer *w, const char *key, uint32_t function, bool recursive)
{
    size_t functions = w->profile->functions.count;
    size_t index = 2 * (function < functions ? function : functions) + recursive;
    fprintf(w->to, "%s=(%zu)", key, index + 1);
    if (!w->function_named[index]) {
        w->function_named[index] = true;
        fputc(' ', w->to);
        gs_report_put(w->to, gs_report_function_name(w->profile, function), "");
        fputs(recursive ? "'2" : "", w->to);
    }
    fputc('\n', w->to);
}

static uint32_t file_of(const writer *w, uint32_t function)
{
    return function < w->profile->functions.count ? w->profile->functions.items[function].file
                                                  : GS_PROFILE_NONE;
}

static void put_position(const writer *w, uint32_t pc, uint32_t line)
{
    if (!w->by_line)
        fprintf(w->to, "0x%" PRIx32 " ", pc);
    fprintf(w->to, "%" PRIu32, line);
}

/* Says that what follows is in `file`, if that is not where we are: code from a header or another
 * place that the compiler put into this function. */
static void go_to_file(writer *w, uint32_t function, uint32_t *current, uint32_t file)
{
    if (file == *current)
        return;
    put_file(w, file == file_of(w, function) ? "fe" : "fi", file);
    *current = file;
}

static void put_call(writer *w, const gs_arc *arc)
{
    const gs_profile *profile = w->profile;
    const gs_profile_function *callee =
        arc->callee < profile->functions.count ? &profile->functions.items[arc->callee] : NULL;
    const gs_profile_insn *site = gs_profile_insn_at(profile, arc->site);
    put_file(w, "cfi", callee ? callee->file : GS_PROFILE_NONE);
    put_function(w, "cfn", arc->callee, arc->recursive);
    fprintf(w->to, "calls=%" PRIu64 " ", arc->calls);
    put_position(w, callee ? callee->start : 0, callee ? callee->line : 0);
    fputc('\n', w->to);
    put_position(w, arc->site, site ? site->line : 0);
    put_costs(w, &arc->inclusive);
}

/* The instructions and calls of one function; GS_PROFILE_NONE for those of none. */
static void put_block(writer *w, uint32_t function, const gs_profile_insn *const *insns,
                      size_t insn_count, const gs_arc *arcs, size_t arc_count)
{
    uint32_t file = file_of(w, function);
    put_file(w, "fl", file);
    put_function(w, "fn", function, false);
    for (size_t i = 0; i < insn_count; i++) {
        go_to_file(w, function, &file, insns[i]->file);
        put_position(w, insns[i]->pc, insns[i]->line);
        put_costs(w, &insns[i]->cost);
    }
    for (size_t i = 0; i < arc_count; i++) {
        const gs_profile_insn *site = gs_profile_insn_at(w->profile, arcs[i].site);
        go_to_file(w, function, &file, site ? site->file : file);
        put_call(w, &arcs[i]);
    }
    fputc('\n', w->to);
}

static int by_function(const void *a, const void *b)
{
    const gs_profile_insn *x = *(const gs_profile_insn *const *)a;
    const gs_profile_insn *y = *(const gs_profile_insn *const *)b;
    if (x->function != y->function)
        return x->function < y->function ? -1 : 1;
    return (x->pc > y->pc) - (x->pc < y->pc);
}

/* Walks instructions and arcs, both sorted by function, side by side. */
static void put_body(writer *w, const gs_profile_insn *const *insns, const gs_arc *arcs,
                     size_t arc_count)
{
    size_t insn_count = w->profile->insns.count;
    for (size_t i = 0, a = 0; i < insn_count || a < arc_count;) {
        uint32_t function = i < insn_count ? insns[i]->function : arcs[a].caller;
        if (a < arc_count && arcs[a].caller < function)
            function = arcs[a].caller;
        size_t i_end = i, a_end = a;
        while (i_end < insn_count && insns[i_end]->function == function)
            i_end++;
        while (a_end < arc_count && arcs[a_end].caller == function)
            a_end++;
        put_block(w, function, insns + i, i_end - i, arcs ? arcs + a : NULL, a_end - a);
        i = i_end;
        a = a_end;
    }
}

gs_status gs_report_callgrind(FILE *to, const gs_profile *profile, const gs_report_options *options,
                              gs_error *err)
{
    gs_metric metric;
    gs_arc *arcs;
    size_t arc_count;
    gs_status status = gs_report_metric(profile, options, &metric, err);
    if (status == GS_OK)
        status = gs_arcs_open(&arcs, &arc_count, profile, err);
    if (status != GS_OK)
        return status;
    writer w = {.to = to, .profile = profile, .by_line = options->by_line};
    w.function_named = calloc(2 * (profile->functions.count + 1), sizeof *w.function_named);
    w.file_named = calloc(profile->files.count + 1, sizeof *w.file_named);
    const gs_profile_insn **insns = calloc(profile->insns.count + 1, sizeof *insns);
    if (w.function_named && w.file_named && insns) {
        for (size_t i = 0; i < profile->insns.count; i++)
            insns[i] = &profile->insns.items[i];
        qsort(insns, profile->insns.count, sizeof *insns, by_function);
        choose_events(&w, metric);
        put_header(&w);
        put_body(&w, insns, arcs, arc_count);
        fputs("totals:", to);
        put_costs(&w, &profile->total);
        status = gs_report_end(to, err);
    } else {
        status = gs_fail_no_memory(err);
    }
    free(w.function_named);
    free(w.file_named);
    free(insns);
    free(arcs);
    return status;
}
