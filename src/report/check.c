/*
 * Limits and what became of them, for people and for programs.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "report/json_parts.h"
#include "report/names.h"
#include "report/verdicts.h"

static void put_colour(FILE *to, const gs_check_options *options, const char *colour)
{
    if (options->colour)
        fprintf(to, "\033[%sm", colour);
}

static long double excess(const gs_verdict *v)
{
    return v->limit->most > 0 ? v->value / v->limit->most : v->value;
}

/* What does not hold first, by how much; else as in the file. */
static int by_excess(const void *a, const void *b)
{
    const gs_verdict *x = *(const gs_verdict *const *)a, *y = *(const gs_verdict *const *)b;
    if (x->held != y->held)
        return x->held ? 1 : -1;
    if (!x->held && excess(x) != excess(y))
        return excess(x) < excess(y) ? 1 : -1;
    return (x > y) - (x < y);
}

static void describe_value(const gs_verdict *v, char *to, size_t size)
{
    char digits[28];
    if (v->skipped)
        snprintf(to, size, "-");
    else if (v->limit->quantity == GS_QUANTITY_SHARE)
        snprintf(to, size, "%.2Lf%%", v->value);
    else if (v->limit->per != GS_PER_NOTHING)
        snprintf(to, size, "%.3Lf", v->value);
    else
        snprintf(to, size, "%s", gs_text_digits(digits, v->amount));
}

static void describe_used(const gs_verdict *v, char *to, size_t size)
{
    if (v->skipped || v->limit->most == 0)
        snprintf(to, size, "%s", "");
    else
        snprintf(to, size, "%.1Lf%%", 100 * excess(v));
}

static void put_verdict(FILE *to, const gs_check_options *options, const gs_verdict *v,
                        const char *file)
{
    char value[48], used[32], what[200];
    const char *word = v->skipped ? "skipped" : v->held ? "ok" : "EXCEEDED";
    describe_value(v, value, sizeof value);
    describe_used(v, used, sizeof used);
    gs_part_describe(v->part, what, sizeof what);
    put_colour(to, options, v->held ? v->skipped ? "0" : "32" : "1;31");
    fprintf(to, "%-8s", word);
    put_colour(to, options, "0");
    fprintf(to, "  %15s  %15s  %9s  ", value, v->limit->node->text, used);
    gs_report_put(to, what, "");
    fprintf(to, ", %s  (", v->limit->node->key);
    gs_report_put(to, gs_report_last_part(file), "");
    fprintf(to, ":%u)\n", v->limit->node->key_line);
}

static void put_summary(FILE *to, const gs_check_options *options, const gs_verdicts *verdicts)
{
    put_colour(to, options, verdicts->exceeded ? "1;31" : "32");
    if (verdicts->exceeded)
        fprintf(to, "%zu of %zu limits exceeded", verdicts->exceeded, verdicts->count);
    else
        fprintf(to, "%zu limit%s kept", verdicts->count - verdicts->skipped,
                verdicts->count - verdicts->skipped == 1 ? "" : "s");
    put_colour(to, options, "0");
    if (verdicts->skipped)
        fprintf(to, "; %zu skipped, because what they are for was not executed", verdicts->skipped);
    fputc('\n', to);
}

gs_status gs_report_check(FILE *to, const gs_profile *profile, const gs_budget *budget,
                          const gs_check_options *options, size_t *exceeded, gs_error *err)
{
    gs_verdicts verdicts;
    gs_status status = gs_verdicts_open(&verdicts, profile, budget, err);
    if (status != GS_OK)
        return status;
    const gs_verdict **order = calloc(verdicts.count + 1, sizeof *order);
    if (!order) {
        gs_verdicts_close(&verdicts);
        return gs_fail_no_memory(err);
    }
    for (size_t i = 0; i < verdicts.count; i++)
        order[i] = &verdicts.items[i];
    qsort(order, verdicts.count, sizeof *order, by_excess);
    size_t shown = options->all ? verdicts.count : verdicts.exceeded;
    gs_report_put_run(to, &profile->run);
    fputs("\n\n", to);
    if (shown > 0) {
        put_colour(to, options, "1");
        fprintf(to, "%-8s  %15s  %15s  %9s", "", "measured", "limit", "used");
        put_colour(to, options, "0");
        fputc('\n', to);
    }
    for (size_t i = 0; i < shown; i++)
        put_verdict(to, options, order[i], budget->name);
    if (shown > 0)
        fputc('\n', to);
    put_summary(to, options, &verdicts);
    if (exceeded)
        *exceeded = verdicts.exceeded;
    free(order);
    gs_verdicts_close(&verdicts);
    return gs_report_end(to, err);
}

static void put_json_verdict(gs_json *json, const gs_verdict *v)
{
    static const char *const kinds[GS_PART_KINDS] = {
        [GS_PART_PROGRAM] = "program",
        [GS_PART_FUNCTION] = "function",
        [GS_PART_LOOP] = "loop",
        [GS_PART_LINE] = "line",
    };
    char what[200];
    gs_part_describe(v->part, what, sizeof what);
    gs_json_open_object(json, NULL);
    gs_json_string(json, "of", kinds[v->part->kind]);
    gs_json_string(json, "name", what);
    gs_json_string(json, "limited", v->limit->node->key);
    gs_json_double(json, "limit", (double)v->limit->most);
    gs_json_uint(json, "budget_line", v->limit->node->key_line);
    gs_json_string(json, "result", v->skipped ? "skipped" : v->held ? "ok" : "exceeded");
    if (!v->skipped && v->limit->per == GS_PER_NOTHING && v->limit->quantity != GS_QUANTITY_SHARE)
        gs_json_uint(json, "value", v->amount);
    else if (!v->skipped)
        gs_json_double(json, "value", (double)v->value);
    gs_json_close_object(json);
}

gs_status gs_report_check_json(FILE *to, const gs_profile *profile, const gs_budget *budget,
                               const gs_check_options *options, size_t *exceeded, gs_error *err)
{
    (void)options;
    gs_verdicts verdicts;
    gs_status status = gs_verdicts_open(&verdicts, profile, budget, err);
    if (status != GS_OK)
        return status;
    gs_json json;
    gs_report_json_begin(&json, to, "gumshoe-check-1");
    gs_json_string(&json, "budget", budget->name);
    gs_report_json_run(&json, "run", &profile->run);
    gs_json_uint(&json, "exceeded", verdicts.exceeded);
    gs_json_uint(&json, "skipped", verdicts.skipped);
    gs_json_open_array(&json, "limits");
    for (size_t i = 0; i < verdicts.count; i++)
        put_json_verdict(&json, &verdicts.items[i]);
    gs_json_close_array(&json);
    gs_json_close_object(&json);
    gs_json_end(&json);
    if (exceeded)
        *exceeded = verdicts.exceeded;
    gs_verdicts_close(&verdicts);
    return gs_report_end(to, err);
}
