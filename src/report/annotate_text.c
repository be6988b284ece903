/*
 * Source in its own order, with the instructions of a line below it; or, where there is no source,
 * instructions in the order of their addresses. Shares are of the function, so that they say where
 * to look within it.
 */
#include <inttypes.h>
#include <string.h>

#include "report/annotate.h"
#include "report/names.h"

enum {
    HOT = 10,    /* percent of the function: marked */
    WARM = 3,    /* percent: coloured */
    CONTEXT = 3, /* lines shown around those that cost something */
    LINE_WIDTH = 5,
    NARROW = 100, /* columns: on a terminal with fewer, numbers are rounded */
};

typedef struct printer {
    FILE *to;
    gs_annotation *a;
    const gs_annotated *function;
    const gs_annotate_options *options;
    int number_width, count_width, stall_width;
    bool narrow;
} printer;

static void put_colour(const printer *p, const char *colour)
{
    if (p->options->colour)
        fprintf(p->to, "\033[%sm", colour);
}

/* Columns before the text of a row, to know what room is left for it. */
static unsigned lead_width(const printer *p)
{
    return (unsigned)(1 + 7 + 2 + p->number_width + 2 + p->count_width + 2 + p->stall_width + 2);
}

static unsigned room_after(const printer *p, unsigned more)
{
    unsigned taken = lead_width(p) + more, width = p->options->width;
    if (width == 0)
        return 0;
    return width > taken + 8 ? width - taken : 8;
}

static void put_no_costs(const printer *p)
{
    fprintf(p->to, "%*s", (int)lead_width(p), "");
}

static void put_stalls(const printer *p, const gs_metrics *cost)
{
    char text[48] = "";
    gs_metric most = (gs_metric)GS_METRIC_FIRST_STALL;
    uint64_t lost = gs_report_stalls(cost, &most);
    double share = gs_report_percent(lost, cost->value[GS_METRIC_CYCLES]);
    if (lost > 0 && share < 1)
        snprintf(text, sizeof text, " <1%% %s", gs_report_cause(most));
    else if (lost > 0)
        snprintf(text, sizeof text, "%3.0f%% %s", share, gs_report_cause(most));
    fprintf(p->to, "  %-*.*s  ", p->stall_width, p->stall_width, text);
}

/* In full, or as "24.31M" where room is short. */
static const char *number(const printer *p, char *to, uint64_t value)
{
    static const char units[] = "kMGTPE";
    if (!p->narrow || value < 10000)
        return gs_report_digits(to, value);
    double rounded = (double)value / 1000;
    unsigned unit = 0;
    for (; rounded >= 999.5; rounded /= 1000)
        unit++;
    snprintf(to, 28, "%.*f%c", rounded < 99.95 ? 1 : 0, rounded, units[unit]);
    return to;
}

static void put_costs(const printer *p, const gs_metrics *cost, uint64_t executions)
{
    char digits[28], count[28] = "";
    uint64_t value = cost->value[p->a->metric];
    double share = gs_report_percent(value, p->function->function.self.value[p->a->metric]);
    if (executions)
        number(p, count, executions);
    if (share >= WARM)
        put_colour(p, share >= HOT ? "1;31" : "33");
    fprintf(p->to, "%c%6.2f%%  %*s", share >= HOT ? '>' : ' ', share, p->number_width,
            number(p, digits, value));
    if (share >= WARM)
        put_colour(p, "0");
    fprintf(p->to, "  %*s", p->count_width, count);
    put_stalls(p, cost);
}

/* An address, the instruction, and how often a branch went elsewhere. */
static void put_insn_text(const printer *p, const gs_profile_insn *insn)
{
    put_colour(p, "2");
    fprintf(p->to, "%08" PRIx32 "  ", insn->pc);
    gs_report_put(p->to, insn->text, "");
    if (insn->cost.value[GS_METRIC_BRANCHES])
        fprintf(p->to, "  (taken %.0f%%)", gs_report_percent(insn->taken, insn->executions));
    put_colour(p, "0");
}

static void put_insn(const printer *p, const gs_profile_insn *insn, unsigned indent)
{
    put_costs(p, &insn->cost, insn->executions);
    fprintf(p->to, "%*s :   %*s", LINE_WIDTH, "", (int)indent, "");
    put_insn_text(p, insn);
    fputc('\n', p->to);
}

static void put_source_text(const printer *p, uint32_t line, const char *text)
{
    fprintf(p->to, "%*" PRIu32 " | ", LINE_WIDTH, line);
    gs_report_put_fitted(p->to, text, room_after(p, LINE_WIDTH + 3));
    fputc('\n', p->to);
}

/* "function() file.h:12: text", for a line that comes from elsewhere. */
static void put_inlined(const printer *p, const gs_annotated_row *row)
{
    const gs_profile *profile = p->a->profile;
    char head[200];
    snprintf(head, sizeof head, "%*s%.80s %.80s:%" PRIu32 ": ", (int)(2 * row->depth), "",
             profile->inlines.items[row->inlined].function,
             gs_report_last_part(gs_report_file_name(profile, row->file)), row->line);
    fprintf(p->to, "%*s | ", LINE_WIDTH, "");
    gs_report_put_fitted(p->to, head, 0);
    const char *text = gs_source_line(gs_sources_get(&p->a->sources, row->file), row->line);
    text = text ? text + strspn(text, " \t") : "";
    gs_report_put_fitted(p->to, text, room_after(p, LINE_WIDTH + 3 + (unsigned)strlen(head)));
    fputc('\n', p->to);
}

static void put_row(const printer *p, const gs_annotated_row *row)
{
    bool own = row->inlined == GS_PROFILE_NONE;
    put_costs(p, own ? &row->with_calls : &row->self, row->executions);
    const char *text = gs_source_line(gs_sources_get(&p->a->sources, row->file), row->line);
    if (!own)
        put_inlined(p, row);
    else
        put_source_text(p, row->line, text ? text : row->line ? "(no such line)" : "(no line)");
    for (size_t i = 0; i < row->count; i++)
        put_insn(p, p->function->order[row->first + i], 2 * row->depth);
}

/* Lines that cost nothing: all if they are few, else those next to lines that do. */
static void put_lines_between(const printer *p, const gs_source *source, uint32_t from, uint32_t to)
{
    bool few = to - from <= 2 * CONTEXT + 1;
    for (uint32_t line = from; line < to; line++) {
        if (!few && line == from + CONTEXT) {
            put_no_costs(p);
            fprintf(p->to, "%*s\n", LINE_WIDTH + 2, "...");
            line = to - CONTEXT;
        }
        const char *text = gs_source_line(source, line);
        if (!text)
            break;
        put_no_costs(p);
        put_source_text(p, line, text);
    }
}

/* A function's first instruction is often past its name: where the text it belongs to begins. */
static uint32_t first_line(const gs_source *source, uint32_t line)
{
    for (unsigned above = 0; above < CONTEXT; above++) {
        const char *text = gs_source_line(source, line - 1);
        size_t length = text ? strlen(text) : 0;
        if (length == 0 || strspn(text, " \t") == length || strchr("};/", text[length - 1]))
            break;
        line--;
    }
    return line;
}

static void put_source(const printer *p, uint32_t file)
{
    const gs_annotated *f = p->function;
    uint32_t next = first_line(gs_sources_get(&p->a->sources, file), f->function.line);
    for (size_t i = 0; i < f->rows.count; i++) {
        const gs_annotated_row *row = &f->rows.items[i];
        if (row->inlined == GS_PROFILE_NONE && row->file != file) {
            file = row->file;
            next = 0;
            put_no_costs(p);
            fprintf(p->to, "%*s   -- ", LINE_WIDTH, "");
            gs_report_put(p->to,
                          file == GS_PROFILE_NONE ? "no file known"
                                                  : gs_report_file_name(p->a->profile, file),
                          "");
            fputs(" --\n", p->to);
        }
        if (row->inlined == GS_PROFILE_NONE) {
            if (next > 0 && row->line > next)
                put_lines_between(p, gs_sources_get(&p->a->sources, file), next, row->line);
            next = row->line + 1;
        }
        put_row(p, row);
    }
}

/* Where an instruction comes from, if not from where the one before it does. */
static void put_origin(const printer *p, const gs_profile_insn *insn, const gs_profile_insn *before)
{
    const gs_profile *profile = p->a->profile;
    if (insn->file == GS_PROFILE_NONE ||
        (before && insn->file == before->file && insn->line == before->line &&
         insn->inlined == before->inlined))
        return;
    fprintf(p->to, "  ; ");
    if (insn->inlined != GS_PROFILE_NONE) {
        gs_report_put(p->to, profile->inlines.items[insn->inlined].function, "");
        fputs(", ", p->to);
    }
    gs_report_put(p->to, gs_report_last_part(gs_report_file_name(profile, insn->file)), "");
    fprintf(p->to, ":%" PRIu32, insn->line);
}

static void put_disassembly(const printer *p)
{
    const gs_profile *profile = p->a->profile;
    const gs_profile_insn *before = NULL;
    for (size_t i = 0; i < profile->insns.count; i++) {
        const gs_profile_insn *insn = &profile->insns.items[i];
        if (insn->function != p->function->function.function)
            continue;
        if (before && insn->pc > before->pc + before->length) {
            put_no_costs(p);
            fprintf(p->to, "... (%" PRIu32 " bytes not executed)\n",
                    insn->pc - before->pc - before->length);
        }
        put_costs(p, &insn->cost, insn->executions);
        put_insn_text(p, insn);
        put_origin(p, insn, before);
        fputc('\n', p->to);
        before = insn;
    }
}

static void put_causes(const printer *p, const gs_metrics *cost)
{
    gs_metrics rest = *cost;
    gs_metric most = (gs_metric)GS_METRIC_FIRST_STALL;
    uint64_t lost = gs_report_stalls(&rest, &most), cycles = cost->value[GS_METRIC_CYCLES];
    if (lost == 0)
        return;
    fprintf(p->to, "%.1f%% of its cycles are stalls: ", gs_report_percent(lost, cycles));
    for (unsigned shown = 0; shown < 4 && gs_report_stalls(&rest, &most) > 0; shown++) {
        if (shown > 0 && gs_report_percent(rest.value[most], cycles) < 0.05)
            break;
        fprintf(p->to, "%s%s %.1f%%", shown ? ", " : "", gs_report_cause(most),
                gs_report_percent(rest.value[most], cycles));
        rest.value[most] = 0;
    }
    fputc('\n', p->to);
}

static void put_head(const printer *p)
{
    const gs_view_row *row = &p->function->function;
    const gs_profile *profile = p->a->profile;
    uint64_t value = row->self.value[p->a->metric];
    uint64_t instructions = row->self.value[GS_METRIC_INSTRUCTIONS];
    char digits[28], calls[28];
    put_colour(p, "1");
    gs_report_put(p->to, gs_report_function_name(profile, row->function), "");
    put_colour(p, "0");
    if (row->file != GS_PROFILE_NONE) {
        fputs("  ", p->to);
        gs_report_put(p->to, gs_report_last_part(gs_report_file_name(profile, row->file)), "");
        fprintf(p->to, ":%" PRIu32, row->line);
    }
    fprintf(p->to, "\n%s %s, %.2f%% of all; %s call%s", gs_report_digits(digits, value),
            gs_metric_text(p->a->metric),
            gs_report_percent(value, profile->total.value[p->a->metric]),
            gs_report_digits(calls, row->count), row->count == 1 ? "" : "s");
    if (row->count)
        fprintf(p->to, ", %.4g each", (double)value / (double)row->count);
    if (instructions)
        fprintf(p->to, "; CPI %.3f",
                (double)row->self.value[GS_METRIC_CYCLES] / (double)instructions);
    fputc('\n', p->to);
    put_causes(p, &row->self);
}

static bool shows_source(gs_annotation *a, const gs_annotated *f,
                         const gs_annotate_options *options)
{
    const gs_source *source = gs_sources_get(&a->sources, f->function.file);
    return !options->disassembly && f->has_lines && source && source->lines;
}

static void measure(printer *p)
{
    char digits[28];
    uint64_t most = 0;
    int key = (int)strlen(gs_metric_key(p->a->metric));
    p->narrow = p->options->width > 0 && p->options->width < NARROW;
    p->stall_width = p->narrow ? 14 : 20;
    for (size_t i = 0; i < p->function->insn_count; i++) {
        if (p->function->order[i]->executions > most)
            most = p->function->order[i]->executions;
    }
    uint64_t whole = p->function->function.self.value[p->a->metric];
    p->number_width = (int)strlen(number(p, digits, whole));
    p->number_width = p->number_width > key ? p->number_width : key;
    p->count_width = p->narrow ? 6 : (int)strlen(gs_report_digits(digits, most));
    p->count_width = p->count_width < 10 && !p->narrow ? 10 : p->count_width;
}

static void put_function(printer *p)
{
    measure(p);
    put_head(p);
    fputc('\n', p->to);
    bool source = shows_source(p->a, p->function, p->options);
    put_colour(p, "1");
    fprintf(p->to, " %7s  %*s  %*s  %-*s  ", "share", p->number_width, gs_metric_key(p->a->metric),
            p->count_width, p->narrow ? "execs" : "executions", p->stall_width, "stalls, mostly");
    if (source)
        fprintf(p->to, "%*s   source and instructions", LINE_WIDTH, "line");
    else
        fputs("address   instruction", p->to);
    put_colour(p, "0");
    fputc('\n', p->to);
    if (source)
        put_source(p, p->function->function.file);
    else
        put_disassembly(p);
}

/* What the reader has to know about the source, each once. */
static void put_notes(FILE *to, gs_annotation *a, const gs_annotate_options *options)
{
    bool without_lines = false;
    for (size_t i = 0; i < a->functions.count; i++) {
        gs_sources_get(&a->sources, a->functions.items[i].function.file);
        without_lines |= !a->functions.items[i].has_lines;
    }
    for (size_t i = 0; i < a->profile->files.count; i++) {
        const gs_source *source = &a->sources.files[i];
        if (!source->looked_for || options->disassembly)
            continue;
        if (!source->lines) {
            fputs("note: ", to);
            gs_report_put(to, a->profile->files.items[i], "");
            fprintf(to,
                    " %s, so its functions are shown as disassembly only;\n"
                    "      --source DIR says where to look\n",
                    source->reason);
        } else if (source->changed) {
            fputs("note: ", to);
            gs_report_put(to, source->path, "");
            fputs(" was changed after the program was built; its lines may not fit\n", to);
        }
    }
    if (without_lines && !options->disassembly)
        fputs("note: functions without line information (not compiled with -g) are shown as "
              "disassembly only\n",
              to);
}

gs_status gs_report_annotate(FILE *to, const gs_profile *profile,
                             const gs_annotate_options *options, gs_error *err)
{
    gs_annotation a;
    gs_status status = gs_annotation_open(&a, profile, options, err);
    if (status != GS_OK)
        return status;
    gs_report_put_run(to, &profile->run);
    fprintf(to, "\nshares are of the function; > marks %d%% or more of it\n", HOT);
    put_notes(to, &a, options);
    for (size_t i = 0; i < a.functions.count; i++) {
        printer p = {.to = to, .a = &a, .function = &a.functions.items[i], .options = options};
        fputc('\n', to);
        put_function(&p);
    }
    if (a.functions.count == 0)
        fprintf(to, "\nno function has any %s\n", gs_metric_text(a.metric));
    gs_annotation_close(&a);
    return gs_report_end(to, err);
}
