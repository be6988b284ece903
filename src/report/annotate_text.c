/*
 * Source in its own order, with the instructions of a line below it; or, where there is no source,
 * instructions in the order of their addresses. Shares are of the function, so that they say where
 * to look within it.
 */
#include <inttypes.h>
#include <string.h>

#include "report/annotate.h"
#include "report/names.h"
#include "report/short_name.h"

enum {
    HOT = 10,    /* percent of the function: marked */
    WARM = 3,    /* percent: coloured */
    CONTEXT = 3, /* lines shown around those that cost something */
    LINE_WIDTH = 5,
    NARROW = 100, /* columns: on a terminal with fewer, numbers are rounded */
    CALLEES = 5,  /* functions that one instruction called: listed */
    HEAD = 60,    /* columns of the name of the function itself */
    NAME = 40,    /* columns of the name of a function that is called or jumped to */
};

typedef struct printer {
    FILE *to;
    gs_annotation *a;
    const gs_annotated *function;
    const gs_annotate_options *options;
    int number_width, count_width;
    int stall_width; /* 0 if the run was not timed */
    int total_width; /* 0 if the function calls nothing */
    bool narrow;
} printer;

/* What stands before the text of a row; what is 0 is left blank. */
typedef struct costs {
    const gs_metrics *self, *total; /* or NULL */
    bool estimated;                 /* the total */
    uint64_t executions;
} costs;

static void put_colour(const printer *p, const char *colour)
{
    if (p->options->colour)
        fprintf(p->to, "\033[%sm", colour);
}

/* Columns before the text of a row, to know what room is left for it. */
static unsigned lead_width(const printer *p)
{
    int total = p->total_width ? 2 + p->total_width : 0,
        stalls = p->stall_width ? 2 + p->stall_width : 0;
    return (unsigned)(1 + 7 + 2 + p->number_width + total + 2 + p->count_width + stalls + 2);
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
    if (p->stall_width)
        fprintf(p->to, "  %-*.*s", p->stall_width, p->stall_width, text);
    fputs("  ", p->to);
}

/* In full, or as "24.31M" where room is short. */
static const char *number(const printer *p, char *to, uint64_t value)
{
    static const char units[] = "kMGTPE";
    if (!p->narrow || value < 10000)
        return gs_text_digits(to, value);
    double rounded = (double)value / 1000;
    unsigned unit = 0;
    for (; rounded >= 999.5; rounded /= 1000)
        unit++;
    snprintf(to, 28, "%.*f%c", rounded < 99.95 ? 1 : 0, rounded, units[unit]);
    return to;
}

static void put_total(const printer *p, const gs_metrics *total, bool estimated)
{
    char digits[28], text[32] = "";
    if (!p->total_width)
        return;
    if (total)
        snprintf(text, sizeof text, "%s%s", estimated ? "~" : "",
                 number(p, digits, total->value[p->a->metric]));
    fprintf(p->to, "  %*s", p->total_width, text);
}

static void put_self(const printer *p, const gs_metrics *self)
{
    char digits[28];
    uint64_t value = self->value[p->a->metric];
    double share = gs_report_percent(value, p->function->function.self.value[p->a->metric]);
    if (share >= WARM)
        put_colour(p, share >= HOT ? "1;31" : "33");
    fprintf(p->to, "%c%6.2f%%  %*s", share >= HOT ? '>' : ' ', share, p->number_width,
            number(p, digits, value));
    if (share >= WARM)
        put_colour(p, "0");
}

static void put_costs(const printer *p, const costs *c)
{
    static const gs_metrics none;
    char count[28] = "";
    if (c->executions)
        number(p, count, c->executions);
    if (c->self)
        put_self(p, c->self);
    else
        fprintf(p->to, "%*s", 1 + 7 + 2 + p->number_width, "");
    put_total(p, c->total, c->estimated);
    fprintf(p->to, "  %*s", p->count_width, count);
    put_stalls(p, c->self ? c->self : &none);
}

static void put_name(const printer *p, uint32_t function)
{
    gs_report_put_short(p->to, gs_report_function_name(p->a->profile, function),
                        p->options->full_names ? 0 : NAME);
}

/* "<crc16+0x14>": where a jump, branch or call leads. */
static void put_target(const printer *p, const gs_profile_insn *insn)
{
    const gs_profile *profile = p->a->profile;
    uint32_t target, function;
    if (!gs_targets_find(&p->a->targets, insn, &target, &function) || function == GS_PROFILE_NONE)
        return;
    fputs(" <", p->to);
    put_name(p, function);
    if (target != profile->functions.items[function].start)
        fprintf(p->to, "+0x%" PRIx32, target - profile->functions.items[function].start);
    fputc('>', p->to);
}

/* An address, the instruction, and how often a branch went elsewhere. */
static void put_insn_text(const printer *p, const gs_profile_insn *insn)
{
    put_colour(p, "2");
    fprintf(p->to, "%08" PRIx32 "  ", insn->pc);
    gs_report_put(p->to, insn->text, "");
    put_target(p, insn);
    if (insn->cost.value[GS_METRIC_BRANCHES])
        fprintf(p->to, "  (taken %.0f%%)", gs_report_percent(insn->taken, insn->executions));
    put_colour(p, "0");
}

static void put_insn_costs(const printer *p, const gs_profile_insn *insn)
{
    const gs_annotated_site *site = gs_annotation_site(p->a, insn);
    const costs c = {&insn->cost, site ? &site->total : NULL, site && site->estimated,
                     insn->executions};
    put_costs(p, &c);
}

/* What the instruction called, a row for each function; the text begins in column `indent`. */
static void put_callees(const printer *p, const gs_profile_insn *insn, int indent,
                        const char *margin)
{
    const gs_annotated_site *site = gs_annotation_site(p->a, insn);
    costs rest = {0};
    for (size_t i = 0; site && i < site->count; i++) {
        const gs_annotated_call *call = &p->a->calls.items[site->first + i];
        if (i >= CALLEES) {
            rest.executions += call->calls;
            continue;
        }
        const costs c = {.total = &call->inclusive, .executions = call->calls};
        put_costs(p, &c);
        fprintf(p->to, "%s%*s=> ", margin, indent, "");
        put_name(p, call->function);
        fputc('\n', p->to);
    }
    if (site && site->count > CALLEES) {
        char more[28];
        put_costs(p, &rest);
        fprintf(p->to, "%s%*s=> %s more functions\n", margin, indent, "",
                gs_text_digits(more, site->count - CALLEES));
    }
}

static void put_insn(const printer *p, const gs_profile_insn *insn, unsigned indent)
{
    char margin[LINE_WIDTH + 3];
    snprintf(margin, sizeof margin, "%*s :", LINE_WIDTH, "");
    put_insn_costs(p, insn);
    fprintf(p->to, "%s   %*s", margin, (int)indent, "");
    put_insn_text(p, insn);
    fputc('\n', p->to);
    put_callees(p, insn, 3 + (int)indent + 10, margin);
}

static void put_source_text(const printer *p, uint32_t line, const char *text)
{
    char number[12] = "";
    if (line > 0)
        snprintf(number, sizeof number, "%" PRIu32, line);
    fprintf(p->to, "%*s | ", LINE_WIDTH, number);
    gs_report_put_fitted(p->to, text, room_after(p, LINE_WIDTH + 3));
    fputc('\n', p->to);
}

/* "function() file.h:12: text", for a line that comes from elsewhere. */
static void put_inlined(const printer *p, const gs_annotated_row *row)
{
    const gs_profile *profile = p->a->profile;
    char head[400], name[GS_SHORT_BYTES];
    snprintf(head, sizeof head, "%*s%s %.80s:%" PRIu32 ": ", (int)(2 * row->depth), "",
             gs_report_shorten(name, profile->inlines.items[row->inlined].function),
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
    const gs_metrics *self = own ? &row->group_self : &row->self;
    const gs_metrics *total = own ? &row->group_total : &row->total;
    bool calls = memcmp(self, total, sizeof *self) != 0;
    const costs c = {self, calls ? total : NULL, own ? row->group_estimated : row->estimated,
                     row->executions};
    put_costs(p, &c);
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
        gs_report_put_short(p->to, profile->inlines.items[insn->inlined].function,
                            p->options->full_names ? 0 : NAME);
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
        put_insn_costs(p, insn);
        put_insn_text(p, insn);
        put_origin(p, insn, before);
        fputc('\n', p->to);
        put_callees(p, insn, 10, "");
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
    char digits[28], calls[28], mean[GS_TEXT_NUMBER];
    put_colour(p, "1");
    gs_report_put_short(p->to, gs_report_function_name(profile, row->function),
                        p->options->full_names ? 0 : HEAD);
    put_colour(p, "0");
    if (row->file != GS_PROFILE_NONE) {
        fputs("  ", p->to);
        gs_report_put(p->to, gs_report_last_part(gs_report_file_name(profile, row->file)), "");
        fprintf(p->to, ":%" PRIu32, row->line);
    }
    fprintf(p->to, "\n%s %s, %.2f%% of all; %s call%s", gs_text_digits(digits, value),
            gs_metric_text(p->a->metric),
            gs_report_percent(value, profile->total.value[p->a->metric]),
            gs_text_digits(calls, row->count), row->count == 1 ? "" : "s");
    if (row->count)
        fprintf(p->to, ", %s each", gs_text_mean(mean, (double)value / (double)row->count));
    if (instructions && gs_report_is_timed(profile))
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

static void measure_totals(printer *p)
{
    char digits[28];
    uint64_t most = 0;
    bool estimated = false;
    for (size_t i = 0; i < p->function->rows.count; i++) {
        const gs_annotated_row *row = &p->function->rows.items[i];
        uint64_t value = row->group_total.value[p->a->metric];
        most = value > most ? value : most;
        estimated |= row->group_estimated;
    }
    p->total_width = p->narrow ? 5 : (int)strlen(number(p, digits, most));
    p->total_width = (p->total_width > 5 ? p->total_width : 5) + estimated;
}

static void measure(printer *p)
{
    char digits[28];
    uint64_t most = 0;
    int key = (int)strlen(gs_metric_key(p->a->metric));
    p->narrow = p->options->width > 0 && p->options->width < NARROW;
    p->stall_width = !p->narrow ? 20 : p->function->makes_calls ? 10 : 14;
    if (!gs_report_is_timed(p->a->profile))
        p->stall_width = 0;
    for (size_t i = 0; i < p->function->insn_count; i++) {
        if (p->function->order[i]->executions > most)
            most = p->function->order[i]->executions;
    }
    uint64_t whole = p->function->function.self.value[p->a->metric];
    p->number_width = (int)strlen(number(p, digits, whole));
    p->number_width = p->number_width > key ? p->number_width : key;
    p->count_width = p->narrow ? 6 : (int)strlen(gs_text_digits(digits, most));
    p->count_width = p->count_width < 10 && !p->narrow ? 10 : p->count_width;
    p->total_width = 0;
    if (p->function->makes_calls)
        measure_totals(p);
}

static void put_function(printer *p)
{
    measure(p);
    put_head(p);
    fputc('\n', p->to);
    bool source = shows_source(p->a, p->function, p->options);
    put_colour(p, "1");
    fprintf(p->to, " %7s  %*s", "share", p->number_width, gs_metric_key(p->a->metric));
    if (p->total_width)
        fprintf(p->to, "  %*s", p->total_width, "total");
    fprintf(p->to, "  %*s", p->count_width, p->narrow ? "execs" : "executions");
    if (p->stall_width)
        fprintf(p->to, "  %-*s", p->stall_width, p->stall_width < 14 ? "stalls" : "stalls, mostly");
    fputs("  ", p->to);
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

static void put_totals_note(FILE *to, const gs_annotation *a)
{
    bool calls = a->calls.count > 0, estimated = false;
    for (size_t i = 0; i < a->functions.count; i++) {
        for (size_t r = 0; r < a->functions.items[i].rows.count; r++)
            estimated |= a->functions.items[i].rows.items[r].group_estimated;
    }
    if (calls)
        fputs("total is with everything called from there; => a called function, and its calls\n",
              to);
    if (estimated)
        fputs("~ estimated: recursion leads back to the line, whose own cost is known for all "
              "activations only\n",
              to);
}

static void write_text(FILE *to, gs_annotation *a, const gs_annotate_options *options)
{
    gs_report_put_run(to, &a->profile->run);
    fprintf(to, "\nshares are of the function's own cost; > marks %d%% or more of it\n", HOT);
    put_totals_note(to, a);
    put_notes(to, a, options);
    for (size_t i = 0; i < a->functions.count; i++) {
        printer p = {.to = to, .a = a, .function = &a->functions.items[i], .options = options};
        fputc('\n', to);
        put_function(&p);
    }
    if (a->functions.count == 0)
        fprintf(to, "\nno function has any %s\n", gs_metric_text(a->metric));
}

gs_status gs_report_annotate(FILE *to, const gs_profile *profile,
                             const gs_annotate_options *options, gs_error *err)
{
    return gs_annotation_report(to, profile, options, write_text, err);
}
