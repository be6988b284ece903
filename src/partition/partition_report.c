/* What to move into hardware, for people: the choice, what was left out and why, speed-up by
 * budget. */
#include <stdlib.h>
#include <string.h>

#include "partition/partition.h"
#include "report/names.h"
#include "report/text_table.h"

/* The rows of the table: candidates that were chosen. */
typedef struct rows {
    const gs_partition *partition;
    size_t *numbers;
    char **names;
    size_t count;
} rows;

static void rows_close(rows *r)
{
    for (size_t i = 0; i < r->count && r->names; i++)
        free(r->names[i]);
    free(r->names);
    free(r->numbers);
}

static gs_status rows_open(rows *r, const gs_partition *p, gs_error *err)
{
    const size_t most = p->candidates.count;
    bool fits = true;
    *r = (rows){.partition = p,
                .numbers = calloc(most + 1, sizeof *r->numbers),
                .names = calloc(most + 1, sizeof *r->names)};
    for (size_t i = 0; i < most && r->numbers && r->names && fits; i++) {
        const gs_hw_candidate *c = &p->candidates.items[i];
        if (c->verdict != GS_HW_CHOSEN)
            continue;
        r->numbers[r->count] = i;
        r->names[r->count] = gs_partition_name(p, c);
        fits = r->names[r->count++] != NULL;
    }
    if (r->numbers && r->names && fits)
        return GS_OK;
    rows_close(r);
    return gs_fail_no_memory(err);
}

static const gs_hw_candidate *candidate_of(const rows *r, size_t row)
{
    return &r->partition->candidates.items[r->numbers[row]];
}

enum { SOFTWARE, TIMES, HARDWARE, TRANSFERS, FASTER, LUTS, FFS, DSPS };

static void put_cell(char to[GS_TEXT_CELL], void *self, size_t row, size_t column)
{
    const gs_hw_candidate *c = candidate_of(self, row);
    char digits[GS_TEXT_NUMBER];
    switch (column) {
    case SOFTWARE: gs_text_digits(digits, c->software); break;
    case TIMES: gs_text_digits(digits, c->times); break;
    case HARDWARE: gs_text_digits(digits, (uint64_t)(c->cost.cycles + 0.5)); break;
    case TRANSFERS: gs_text_digits(digits, (uint64_t)(c->transfers + 0.5)); break;
    case FASTER:
        snprintf(digits, sizeof digits, "%.2f",
                 c->total > 0 ? (double)c->software / c->total : 0.0);
        break;
    default: gs_text_digits(digits, c->area[column - LUTS]); break;
    }
    snprintf(to, GS_TEXT_CELL, "%s", digits);
}

static void put_name(FILE *to, void *self, size_t row, unsigned room)
{
    gs_report_put_fitted(to, ((rows *)self)->names[row], room);
}

static unsigned name_width(void *self, size_t row)
{
    return (unsigned)strlen(((rows *)self)->names[row]);
}

static void put_rows(FILE *to, rows *r, unsigned width)
{
    static const gs_text_column columns[] = {
        [SOFTWARE] = {.heading = "software"},  [TIMES] = {.heading = "times", .spare = 3},
        [HARDWARE] = {.heading = "hardware"},  [TRANSFERS] = {.heading = "transfers", .spare = 2},
        [FASTER] = {.heading = "faster"},      [LUTS] = {.heading = "LUT"},
        [FFS] = {.heading = "FF", .spare = 4}, [DSPS] = {.heading = "DSP", .spare = 1},
    };
    const gs_text_table table = {
        .columns = columns,
        .count = sizeof columns / sizeof *columns,
        .rows = r->count,
        .name = "candidate",
        .enough = 20,
        .width = width,
        .self = r,
        .cell = put_cell,
        .put_name = put_name,
        .name_width = name_width,
    };
    gs_text_table_put(to, &table);
}

static void put_head(FILE *to, const gs_partition *p)
{
    gs_report_put_run(to, &p->profile->run);
    fprintf(to, "\n%s cycles in software. Hardware is an estimate for %s:\n%s.\n",
            GS_TEXT_DIGITS(p->cycles), p->hls->name, p->hls->summary);
    if (p->profile->run.clock_hz && p->profile->run.core[0])
        fprintf(to, "A cycle of an accelerator, %g ns, is %.2f of the processor's at %g MHz.\n",
                p->hls->clock_ns, p->ratio, (double)p->profile->run.clock_hz * 1e-6);
    else
        fputs("The run has no clock: a cycle of an accelerator counts as one of the processor's.\n",
              to);
}

static void put_choice(FILE *to, const gs_partition *p)
{
    const gs_partition_step *best = gs_partition_best(p);
    fprintf(to, "\nChosen for");
    for (unsigned r = 0; r < GS_HLS_RESOURCE_COUNT; r++)
        fprintf(to, "%s %s %s", r ? "," : "", GS_TEXT_DIGITS(best->budget[r]),
                gs_hls_resource_names[r]);
    fprintf(to, " (%s): %.2f times as fast,\nand %.2f if hardware took no time\n\n", p->hls->device,
            gs_partition_speedup(p, best), gs_partition_bound(p, best));
}

static bool same_choice(const gs_partition *p, const gs_partition_step *a,
                        const gs_partition_step *b)
{
    return memcmp(a->chosen, b->chosen, p->candidates.count * sizeof *a->chosen) == 0;
}

/* Names of what is moved, after each other. */
static void put_names(FILE *to, const gs_partition *p, const gs_partition_step *step)
{
    bool first = true;
    for (size_t i = 0; i < p->candidates.count; i++) {
        if (!step->chosen[i])
            continue;
        char *name = gs_partition_name(p, &p->candidates.items[i]);
        fputs(first ? "" : ", ", to);
        gs_report_put(to, name ? name : "", "");
        first = false;
        free(name);
    }
    fputs(first ? "nothing" : "", to);
}

/* A paragraph that was put together in memory. */
typedef struct paragraph {
    FILE *to;
    char *text;
    size_t size;
} paragraph;

static bool paragraph_open(paragraph *p)
{
    *p = (paragraph){0};
    p->to = open_memstream(&p->text, &p->size);
    return p->to != NULL;
}

static gs_status paragraph_put(FILE *to, paragraph *p, unsigned width, gs_error *err)
{
    const bool whole = fclose(p->to) == 0;
    if (whole) {
        gs_text_put_wrapped(to, p->text, width);
        fputc('\n', to);
    }
    free(p->text);
    return whole ? GS_OK : gs_fail_no_memory(err);
}

static gs_status put_steps(FILE *to, const gs_partition *p, unsigned width, gs_error *err)
{
    gs_status status = GS_OK;
    fputs("\nBy budget, from where each choice is the best:\n\n", to);
    for (unsigned i = 0; i < GS_PARTITION_BUDGETS && status == GS_OK; i++) {
        const gs_partition_step *step = &p->steps[i];
        paragraph text;
        if (i > 0 && same_choice(p, step, &p->steps[i - 1]))
            continue;
        if (!paragraph_open(&text))
            return gs_fail_no_memory(err);
        fprintf(text.to, "from %s LUT: %.2f times as fast with",
                GS_TEXT_DIGITS(step->budget[GS_HLS_LUT]), gs_partition_speedup(p, step));
        for (unsigned r = 0; r < GS_HLS_RESOURCE_COUNT; r++)
            fprintf(text.to, "%s %s %s", r ? "," : "", GS_TEXT_DIGITS(step->area[r]),
                    gs_hls_resource_names[r]);
        fputs(": ", text.to);
        put_names(text.to, p, step);
        status = paragraph_put(to, &text, width, err);
    }
    return status;
}

/* "crc32: 1,000 cycles, 100 in hardware and 50 for transfers; calls printf, main.c:20" */
static gs_status put_left(FILE *to, const gs_partition *p, const gs_hw_candidate *c, unsigned width,
                          gs_error *err)
{
    char *name = gs_partition_name(p, c), *reason = gs_partition_reason(p, c);
    paragraph text;
    gs_status status = GS_OK;
    if (!name || !reason || !paragraph_open(&text)) {
        status = gs_fail_no_memory(err);
    } else {
        gs_report_put(text.to, name, "");
        fprintf(text.to, ": %s cycles, %s in hardware and %s for transfers; ",
                GS_TEXT_DIGITS(c->software), GS_TEXT_DIGITS((uint64_t)(c->cost.cycles + 0.5)),
                GS_TEXT_DIGITS((uint64_t)(c->transfers + 0.5)));
        gs_report_put(text.to, reason, "");
        status = paragraph_put(to, &text, width, err);
    }
    free(name);
    free(reason);
    return status;
}

static gs_status put_all_left(FILE *to, const gs_partition *p, size_t top, unsigned width,
                              gs_error *err)
{
    size_t count = 0;
    gs_status status = GS_OK;
    for (size_t i = 0; i < p->candidates.count && status == GS_OK; i++) {
        const gs_hw_candidate *c = &p->candidates.items[i];
        if (c->verdict == GS_HW_CHOSEN || count++ >= top)
            continue;
        if (count == 1)
            fputs("\nLeft out, because:\n\n", to);
        status = put_left(to, p, c, width, err);
    }
    if (count > top && status == GS_OK)
        fprintf(to, "... and %s that take less; --top 0 shows all\n", GS_TEXT_DIGITS(count - top));
    return status;
}

gs_status gs_report_partition(FILE *to, const gs_partition *partition, size_t top, unsigned width,
                              gs_error *err)
{
    const gs_partition *p = partition;
    rows chosen;
    gs_status status = rows_open(&chosen, p, err);
    if (status != GS_OK)
        return status;
    put_head(to, p);
    if (chosen.count > 0) {
        put_choice(to, p);
        put_rows(to, &chosen, width);
        status = put_steps(to, p, width, err);
    } else {
        fputs("\nNothing is worth moving.\n", to);
    }
    rows_close(&chosen);
    if (status == GS_OK)
        status = put_all_left(to, p, top ? top : SIZE_MAX, width, err);
    return status == GS_OK ? gs_report_end(to, err) : status;
}
