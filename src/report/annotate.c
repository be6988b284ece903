/* Sorts a function's instructions under their source lines, with totals and calls. */
#include "report/annotate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec.h"
#include "report/called.h"
#include "report/names.h"

/* Where an instruction stands in its function's own source: at the call, if it was inlined. */
typedef struct placed {
    const gs_profile_insn *insn;
    uint32_t own_file, own_line;
    bool elsewhere; /* not in the function's own file */
} placed;

static placed place(const gs_profile *profile, const gs_profile_insn *insn, uint32_t file)
{
    placed p = {.insn = insn, .own_file = insn->file, .own_line = insn->line};
    for (uint32_t i = insn->inlined; i != GS_PROFILE_NONE; i = profile->inlines.items[i].outer) {
        p.own_file = profile->inlines.items[i].call_file;
        p.own_line = profile->inlines.items[i].call_line;
    }
    p.elsewhere = p.own_file != file;
    return p;
}

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int by_place(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    /* What is not inlined comes first: its "none" is made the smallest number. */
    uint32_t x_call = x->insn->inlined + 1, y_call = y->insn->inlined + 1;
    int order = compare(x->elsewhere, y->elsewhere);
    order = order ? order : compare(x->own_file, y->own_file);
    order = order ? order : compare(x->own_line, y->own_line);
    order = order ? order : compare(x_call, y_call);
    order = order ? order : compare(x->insn->file, y->insn->file);
    order = order ? order : compare(x->insn->line, y->insn->line);
    return order ? order : compare(x->insn->pc, y->insn->pc);
}

static unsigned depth_of(const gs_profile *profile, uint32_t inlined)
{
    unsigned depth = 0;
    for (; inlined != GS_PROFILE_NONE; inlined = profile->inlines.items[inlined].outer)
        depth++;
    return depth;
}

/* The row of a line itself comes before what is inlined there, even if it has no instruction. */
static bool add_row(gs_annotated *function, const gs_profile *profile, const placed *p)
{
    size_t first = function->insn_count;
    gs_annotated_row own = {
        .file = p->own_file, .line = p->own_line, .inlined = GS_PROFILE_NONE, .first = first};
    gs_annotated_row row = {.file = p->insn->file,
                            .line = p->insn->line,
                            .inlined = p->insn->inlined,
                            .depth = depth_of(profile, p->insn->inlined),
                            .first = first};
    const gs_annotated_row *last =
        function->rows.count ? &function->rows.items[function->rows.count - 1] : NULL;
    if (last && last->file == row.file && last->line == row.line && last->inlined == row.inlined)
        return true;
    if (row.inlined == GS_PROFILE_NONE)
        return gs_vec_push(&function->rows, own);
    size_t at = function->rows.count;
    while (at > 0 && function->rows.items[at - 1].inlined != GS_PROFILE_NONE)
        at--;
    last = at > 0 ? &function->rows.items[at - 1] : NULL;
    bool there = last && last->file == own.file && last->line == own.line;
    return (there || gs_vec_push(&function->rows, own)) && gs_vec_push(&function->rows, row);
}

static bool is_repeated(const placed *p, const placed *before)
{
    return p->own_file == before->own_file && p->own_line == before->own_line &&
           p->insn->inlined == before->insn->inlined && p->insn->file == before->insn->file &&
           p->insn->line == before->insn->line;
}

/* The instructions of each function, by function: those of function f begin at first[f]. */
typedef struct by_function {
    const gs_profile_insn **insns;
    size_t *first;
} by_function;

static bool sort_by_function(by_function *sorted, const gs_profile *profile)
{
    size_t functions = profile->functions.count, count = profile->insns.count;
    sorted->insns = calloc(count + 1, sizeof *sorted->insns);
    sorted->first = calloc(functions + 3, sizeof *sorted->first);
    if (!sorted->insns || !sorted->first)
        return false;
    /* Counted two places further on, so that putting them there moves first[f + 1] to its place. */
    for (size_t i = 0; i < count; i++) {
        uint32_t function = profile->insns.items[i].function;
        sorted->first[(function < functions ? function : functions) + 2]++;
    }
    for (size_t f = 0; f < functions + 1; f++)
        sorted->first[f + 2] += sorted->first[f + 1];
    for (size_t i = 0; i < count; i++) {
        uint32_t function = profile->insns.items[i].function;
        size_t f = function < functions ? function : functions;
        sorted->insns[sorted->first[f + 1]++] = &profile->insns.items[i];
    }
    return true;
}

static bool fill(gs_annotated *function, const gs_profile *profile, const by_function *sorted)
{
    size_t f = function->function.function;
    f = f < profile->functions.count ? f : profile->functions.count;
    size_t count = sorted->first[f + 1] - sorted->first[f];
    placed *all = calloc(count + 1, sizeof *all);
    function->order = calloc(count + 1, sizeof *function->order);
    bool good = all && function->order;
    for (size_t i = 0; good && i < count; i++)
        all[i] = place(profile, sorted->insns[sorted->first[f] + i], function->function.file);
    if (good)
        qsort(all, count, sizeof *all, by_place);
    for (size_t i = 0; good && i < count; i++) {
        const gs_profile_insn *insn = all[i].insn;
        if (i == 0 || !is_repeated(&all[i], &all[i - 1]))
            good = add_row(function, profile, &all[i]);
        if (!good)
            break;
        gs_annotated_row *row = &function->rows.items[function->rows.count - 1];
        gs_metrics_add(&row->self, &insn->cost);
        if (row->executions < insn->executions)
            row->executions = insn->executions;
        row->count++;
        function->order[function->insn_count++] = insn;
        function->has_lines |= insn->file != GS_PROFILE_NONE;
    }
    free(all);
    return good;
}

static bool fill_all(gs_annotation *a)
{
    by_function sorted;
    bool good = sort_by_function(&sorted, a->profile);
    for (size_t i = 0; i < a->functions.count && good; i++)
        good = fill(&a->functions.items[i], a->profile, &sorted);
    free(sorted.insns);
    free(sorted.first);
    return good && gs_annotation_add_calls(a);
}

static bool is_wanted(const gs_annotate_options *options, const char *name, bool *found)
{
    bool wanted = false;
    for (size_t i = 0; i < options->function_count; i++) {
        if (gs_report_is_called(name, options->functions[i]))
            found[i] = wanted = true;
    }
    return wanted;
}

static gs_status choose(gs_annotation *a, const gs_annotate_options *options, bool *found,
                        gs_error *err)
{
    const gs_report_options functions = {.by = GS_REPORT_BY_FUNCTION, .metric = options->metric};
    gs_view view;
    gs_status status = gs_view_open(&view, a->profile, &functions, err);
    if (status != GS_OK)
        return status;
    for (size_t i = 0; i < view.count && status == GS_OK; i++) {
        const gs_view_row *row = &view.items[i];
        bool wanted = i < options->top && row->self.value[a->metric] > 0;
        if (options->address)
            wanted = row->function != GS_PROFILE_NONE && *options->address >= row->address &&
                     *options->address <= row->end - 1;
        else if (options->function_count)
            wanted = is_wanted(options, gs_report_function_name(a->profile, row->function), found);
        gs_annotated function = {.function = *row};
        if (wanted && !gs_vec_push(&a->functions, function))
            status = gs_fail_no_memory(err);
    }
    gs_view_close(&view);
    if (status == GS_OK && options->address && a->functions.count == 0)
        status =
            gs_fail(err, GS_E_NOT_FOUND, "no function with something at 0x%" PRIx64 " was executed",
                    *options->address);
    return status;
}

gs_status gs_annotation_open(gs_annotation *a, const gs_profile *profile,
                             const gs_annotate_options *options, gs_error *err)
{
    *a = (gs_annotation){.profile = profile, .roots = {options->roots, options->root_count}};
    gs_targets_init(&a->targets, profile);
    bool *found = calloc(options->function_count + 1, sizeof *found);
    gs_status status =
        found ? gs_report_metric(profile, &(gs_report_options){.metric = options->metric},
                                 &a->metric, err)
              : gs_fail_no_memory(err);
    if (status == GS_OK)
        status = gs_sources_open(&a->sources, profile, options->folder,
                                 options->roots ? &a->roots : NULL, err);
    if (status == GS_OK)
        status = choose(a, options, found, err);
    for (size_t i = 0; i < options->function_count && status == GS_OK; i++) {
        char why[300];
        if (found[i])
            continue;
        gs_report_explain_missing(profile, options->functions[i], why, sizeof why);
        status = gs_fail(err, GS_E_NOT_FOUND, "%s", why);
    }
    if (status == GS_OK && !fill_all(a))
        status = gs_fail_no_memory(err);
    free(found);
    if (status != GS_OK)
        gs_annotation_close(a);
    return status;
}

void gs_annotation_close(gs_annotation *a)
{
    for (size_t i = 0; i < a->functions.count; i++) {
        free(a->functions.items[i].rows.items);
        free(a->functions.items[i].order);
    }
    free(a->functions.items);
    free(a->sites.items);
    free(a->calls.items);
    if (a->profile)
        gs_sources_close(&a->sources);
    *a = (gs_annotation){0};
}

gs_status gs_annotation_report(FILE *to, const gs_profile *profile,
                               const gs_annotate_options *options,
                               void (*write)(FILE *to, gs_annotation *annotation,
                                             const gs_annotate_options *options),
                               gs_error *err)
{
    gs_annotation a;
    gs_status status = gs_annotation_open(&a, profile, options, err);
    if (status != GS_OK)
        return status;
    write(to, &a, options);
    gs_annotation_close(&a);
    return gs_report_end(to, err);
}
