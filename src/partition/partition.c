/* Finds candidates and chooses among them, for the budget and for parts of it. */
#include "partition/partition.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "partition/choose.h"
#include "report/names.h"

static double gain_of(const gs_hw_candidate *c)
{
    return (double)c->software - c->total;
}

static bool fits(const gs_hw_candidate *c, const uint64_t *budget)
{
    for (unsigned r = 0; r < GS_HLS_RESOURCE_COUNT; r++) {
        if (c->area[r] > budget[r])
            return false;
    }
    return true;
}

/* What can be said of a candidate before anything is chosen. */
static gs_hw_verdict judge_alone(const gs_hw_candidate *c, const uint64_t *budget)
{
    if (c->hindered)
        return GS_HW_HINDERED;
    if (gain_of(c) <= 0)
        return GS_HW_SLOWER;
    return fits(c, budget) ? GS_HW_NO_ROOM : GS_HW_LARGE;
}

/* -- choosing --------------------------------------------------------------------------------- */

typedef struct contest {
    size_t *numbers; /* of the candidates that take part */
    gs_hw_choice_item *items;
    bool *exclude, *chosen;
    size_t count;
} contest;

static void contest_close(contest *c)
{
    free(c->numbers);
    free(c->items);
    free(c->exclude);
    free(c->chosen);
}

static bool contest_open(contest *c, const gs_partition *p, const uint64_t *budget)
{
    const size_t most = p->candidates.count;
    *c = (contest){.numbers = calloc(most + 1, sizeof *c->numbers),
                   .items = calloc(most + 1, sizeof *c->items),
                   .chosen = calloc(most + 1, sizeof *c->chosen)};
    for (size_t i = 0; i < most && c->numbers && c->items; i++) {
        const gs_hw_candidate *candidate = &p->candidates.items[i];
        if (judge_alone(candidate, budget) != GS_HW_NO_ROOM)
            continue;
        c->items[c->count].gain = gain_of(candidate);
        memcpy(c->items[c->count].area, candidate->area, sizeof candidate->area);
        c->numbers[c->count++] = i;
    }
    c->exclude = calloc(c->count * c->count + 1, sizeof *c->exclude);
    if (!c->numbers || !c->items || !c->chosen || !c->exclude)
        return false;
    for (size_t a = 0; a < c->count; a++) {
        for (size_t b = 0; b < c->count; b++)
            c->exclude[a * c->count + b] =
                a != b && gs_hw_nested(p->profile, &p->candidates.items[c->numbers[a]],
                                       &p->candidates.items[c->numbers[b]]);
    }
    return true;
}

static gs_status choose(gs_partition *p, gs_partition_step *step, gs_error *err)
{
    contest c;
    gs_status status = GS_OK;
    step->chosen = calloc(p->candidates.count + 1, sizeof *step->chosen);
    if (!contest_open(&c, p, step->budget) || !step->chosen)
        status = gs_fail_no_memory(err);
    if (status == GS_OK) {
        gs_hw_choice choice = {.items = c.items, .count = c.count, .exclude = c.exclude};
        memcpy(choice.budget, step->budget, sizeof choice.budget);
        status = gs_hw_choose(&choice, c.chosen, err);
    }
    for (size_t i = 0; i < c.count && status == GS_OK; i++) {
        const gs_hw_candidate *candidate = &p->candidates.items[c.numbers[i]];
        if (!c.chosen[i])
            continue;
        step->chosen[c.numbers[i]] = true;
        step->saved += gain_of(candidate);
        for (unsigned r = 0; r < GS_HLS_RESOURCE_COUNT; r++)
            step->area[r] += candidate->area[r];
    }
    contest_close(&c);
    return status;
}

static void judge(gs_partition *p)
{
    const gs_partition_step *best = gs_partition_best(p);
    for (size_t i = 0; i < p->candidates.count; i++) {
        gs_hw_candidate *c = &p->candidates.items[i];
        c->verdict = best->chosen[i] ? GS_HW_CHOSEN : judge_alone(c, best->budget);
        for (size_t k = 0; k < p->candidates.count && c->verdict == GS_HW_NO_ROOM; k++) {
            if (!best->chosen[k] || !gs_hw_nested(p->profile, c, &p->candidates.items[k]))
                continue;
            c->verdict = GS_HW_NESTED;
            c->instead = k;
        }
    }
}

static void set_budgets(gs_partition *p, const gs_partition_options *options)
{
    const uint64_t given[] = {
        [GS_HLS_LUT] = options->lut, [GS_HLS_FF] = options->ff, [GS_HLS_DSP] = options->dsp};
    for (unsigned r = 0; r < GS_HLS_RESOURCE_COUNT; r++) {
        const bool is_given = given[r] || (r == GS_HLS_DSP && options->dsp_given);
        const uint64_t all = is_given ? given[r] : p->hls->capacity[r];
        for (unsigned i = 0; i < GS_PARTITION_BUDGETS; i++)
            p->steps[i].budget[r] = all / GS_PARTITION_BUDGETS * (i + 1) +
                                    all % GS_PARTITION_BUDGETS * (i + 1) / GS_PARTITION_BUDGETS;
    }
}

gs_status gs_partition_open(gs_partition **out, const gs_profile *profile,
                            const gs_partition_options *options, gs_error *err)
{
    gs_hw_costs costs = {0};
    *out = NULL;
    if (profile->run.totals_only || profile->insns.count == 0)
        return gs_fail(err, GS_E_ARGUMENT,
                       "run %lld has totals only; 'gumshoe run -o' makes a profile of a program",
                       (long long)profile->run.id);
    gs_partition *p = calloc(1, sizeof *p);
    if (!p)
        return gs_fail_no_memory(err);
    p->profile = profile;
    p->cycles = profile->total.value[GS_METRIC_CYCLES];
    gs_status status = gs_hls_open(&p->hls, options->hls ? options->hls : "legup-cyclone2", err);
    if (status == GS_OK)
        status = gs_hw_costs_open(&costs, profile, p->hls, err);
    if (status == GS_OK)
        status = gs_hw_candidates_find(&p->candidates, &costs, err);
    gs_hw_costs_close(&costs);
    if (status == GS_OK) {
        p->ratio = gs_hw_clock_ratio(profile, p->hls);
        set_budgets(p, options);
    }
    for (unsigned i = 0; i < GS_PARTITION_BUDGETS && status == GS_OK; i++)
        status = choose(p, &p->steps[i], err);
    if (status != GS_OK) {
        gs_partition_free(p);
        return status;
    }
    judge(p);
    *out = p;
    return GS_OK;
}

void gs_partition_free(gs_partition *partition)
{
    if (!partition)
        return;
    for (unsigned i = 0; i < GS_PARTITION_BUDGETS; i++)
        free(partition->steps[i].chosen);
    gs_hw_candidates_free(&partition->candidates);
    gs_hls_free(partition->hls);
    free(partition);
}

double gs_partition_speedup(const gs_partition *partition, const gs_partition_step *step)
{
    const double left = (double)partition->cycles - step->saved;
    return left > 0 ? (double)partition->cycles / left : 1;
}

double gs_partition_bound(const gs_partition *partition, const gs_partition_step *step)
{
    double left = (double)partition->cycles;
    for (size_t i = 0; i < partition->candidates.count; i++) {
        if (step->chosen[i])
            left -= (double)partition->candidates.items[i].software;
    }
    return left >= 1 ? (double)partition->cycles / left : (double)partition->cycles;
}

/* -- in words --------------------------------------------------------------------------------- */

static void put_place(FILE *to, const gs_profile *profile, uint32_t pc)
{
    const gs_profile_insn *insn = gs_profile_insn_at(profile, pc);
    if (insn && insn->file != GS_PROFILE_NONE)
        fprintf(to, "%s:%u", gs_report_last_part(gs_report_file_name(profile, insn->file)),
                insn->line);
    else
        fprintf(to, "0x%08x", pc);
}

static void put_name(FILE *to, const gs_partition *p, const gs_hw_candidate *c)
{
    if (c->is_loop) {
        fputs("loop at ", to);
        put_place(to, p->profile, p->profile->loops.items[c->loop].header);
        fputs(" in ", to);
    }
    fputs(gs_report_function_name(p->profile, c->function), to);
}

/* Closes a stream that open_memstream() has opened on `text`. */
static char *end_text(FILE *to, char **text)
{
    if (fclose(to) == 0)
        return *text;
    free(*text);
    return NULL;
}

char *gs_partition_name(const gs_partition *partition, const gs_hw_candidate *candidate)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return NULL;
    put_name(to, partition, candidate);
    return end_text(to, &text);
}

static void put_hindrance(FILE *to, const gs_profile *profile, const gs_hw_hindrance *h)
{
    static const char *const texts[] = {
        [GS_HW_SYSTEM] = "needs the processor for a system call or control register",
        [GS_HW_POINTER] = "calls through a pointer",
        [GS_HW_ALLOCATES] = "allocates memory",
        [GS_HW_LIBRARY] = "does input, output, or ends the program",
        [GS_HW_JUMPS] = "jumps out of functions",
        [GS_HW_RECURSION] = "is recursive",
        [GS_HW_START] = "is where the program starts",
    };
    fputs(texts[h->kind], to);
    if (h->callee != GS_PROFILE_NONE)
        fprintf(to, " (%s)", gs_report_function_name(profile, h->callee));
    fputs(", ", to);
    put_place(to, profile, h->pc);
}

static void put_too_large(FILE *to, const gs_partition *p, const gs_hw_candidate *c)
{
    const uint64_t *budget = gs_partition_best(p)->budget;
    fputs("too large:", to);
    for (unsigned r = 0; r < GS_HLS_RESOURCE_COUNT; r++) {
        if (c->area[r] > budget[r])
            fprintf(to, " %s of %s %s", GS_TEXT_DIGITS(c->area[r]), GS_TEXT_DIGITS(budget[r]),
                    gs_hls_resource_names[r]);
    }
}

char *gs_partition_reason(const gs_partition *partition, const gs_hw_candidate *candidate)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return NULL;
    switch (candidate->verdict) {
    case GS_HW_CHOSEN: fputs("chosen", to); break;
    case GS_HW_HINDERED: put_hindrance(to, partition->profile, &candidate->hindrance); break;
    case GS_HW_SLOWER:
        fprintf(to, "slower by %s cycles",
                GS_TEXT_DIGITS((uint64_t)(candidate->total - (double)candidate->software + 0.5)));
        break;
    case GS_HW_LARGE: put_too_large(to, partition, candidate); break;
    case GS_HW_NESTED:
        fputs("nested with ", to);
        put_name(to, partition, &partition->candidates.items[candidate->instead]);
        fputs(", which is better", to);
        break;
    case GS_HW_NO_ROOM: fputs("the area is better spent on what was chosen", to); break;
    }
    return end_text(to, &text);
}
