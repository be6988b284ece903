/*
 * What LEAP says of every function, beside the exact profile, and why they differ.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "gumshoe/text.h"
#include "units/leap/exact.h"
#include "units/leap/leap_unit.h"

/* A row of the report. */
typedef struct line {
    size_t function; /* in the image; its count for none */
    uint64_t counted, ideal, exact;
    int64_t part[GS_LEAP_CAUSES + 3]; /* of the difference, by cause and the three below */
} line;

enum {
    PART_RECURSION = GS_LEAP_CAUSES,
    PART_FULL,
    PART_OTHER,
    PARTS,
};

static const gs_column part_columns[PARTS - GS_LEAP_CAUSES] = {
    {"recursion", "recursion"},
    {"full", "counter full"},
    {"other", "other"},
};

static gs_column column_of(unsigned part)
{
    if (part >= GS_LEAP_CAUSES)
        return part_columns[part - GS_LEAP_CAUSES];
    return (gs_column){gs_leap_cause_key((gs_leap_cause)part),
                       gs_leap_cause_head((gs_leap_cause)part)};
}

static void add_entries(line *lines, const gs_leap_unit *u)
{
    for (uint32_t i = 0; i < u->listing.hash.entries; i++) {
        line *to = &lines[u->listing.function_of[i]];
        for (unsigned lane = 0; lane < u->leap.counter.lanes; lane++) {
            to->counted += gs_leap_storage_read(&u->leap.storage, i, lane);
            to->ideal += gs_leap_storage_read(&u->ideal.storage, i, lane);
        }
    }
}

/* A function that is entered without a call is none to LEAP, and all it costs with what it calls is
 * its caller's alone. */
static void explain_hierarchical(line *l, const gs_leap_unit *u, const gs_truth_function *truly)
{
    gs_amount amount = gs_leap_exact_amount((gs_leap_count)u->config->count);
    l->part[GS_LEAP_CAUSE_TAIL] = -(int64_t)gs_amount_in(amount, &truly->by_tail_call);
    l->part[GS_LEAP_CAUSE_TRAP] = -(int64_t)gs_amount_in(amount, &truly->by_trap);
    l->part[PART_RECURSION] = (int64_t)u->audit.recursion[l->function];
}

/* Where the rest of the difference belongs: in a hierarchical profile a frame that is lost takes
 * what it had saved along, and everything below it goes wrong; if that is all that can have
 * happened, it is the reason. */
static unsigned rest_of(const gs_leap_unit *u)
{
    const gs_leap_audit *a = &u->audit;
    unsigned reason = PART_OTHER, reasons = 0;
    static const gs_leap_cause possible[] = {GS_LEAP_CAUSE_OVERFLOW, GS_LEAP_CAUSE_UNLISTED,
                                             GS_LEAP_CAUSE_RETURN};
    for (size_t i = 0; u->config->hierarchical && i < sizeof possible / sizeof *possible; i++) {
        bool happened = a->times[possible[i]] > 0;
        if (possible[i] == GS_LEAP_CAUSE_OVERFLOW)
            happened = a->overflows > 0;
        reasons += happened;
        reason = happened ? possible[i] : reason;
    }
    return reasons == 1 ? reason : PART_OTHER;
}

/* What makes up the difference. In flat profiles nothing is left over. */
static void explain(line *l, const gs_leap_unit *u, const gs_truth *truth)
{
    const gs_truth_function *truly = &truth->functions[l->function];
    int64_t rest = (int64_t)(l->counted - l->exact);
    for (unsigned i = 0; !u->config->hierarchical && i < GS_LEAP_CAUSES; i++)
        l->part[i] = u->audit.moved[l->function][i];
    if (u->config->hierarchical)
        explain_hierarchical(l, u, truly);
    if (u->config->count == GS_LEAP_COUNT_CALLS) {
        l->part[GS_LEAP_CAUSE_TAIL] -= (int64_t)truly->tail_calls;
        l->part[GS_LEAP_CAUSE_TRAP] -= (int64_t)truly->traps;
    }
    l->part[PART_FULL] = (int64_t)(l->counted - l->ideal);
    for (unsigned i = 0; i < PART_OTHER; i++)
        rest -= l->part[i];
    l->part[rest_of(u)] += rest;
}

static int by_exact(const void *a, const void *b)
{
    const line *x = a, *y = b;
    if (x->exact != y->exact)
        return x->exact < y->exact ? 1 : -1;
    return (x->function > y->function) - (x->function < y->function);
}

static line *make_lines(const gs_leap_unit *u, const gs_truth *truth, const gs_leap_exact *exact)
{
    size_t count = truth->function_count + 1;
    line *lines = calloc(count, sizeof *lines);
    if (!lines)
        return NULL;
    add_entries(lines, u);
    for (size_t i = 0; i < count; i++) {
        lines[i].function = i;
        lines[i].exact = exact->sum[i];
        if (exact->known)
            explain(&lines[i], u, truth);
    }
    qsort(lines, count, sizeof *lines, by_exact);
    return lines;
}

static const char *name_of(const gs_leap_unit *u, size_t function)
{
    return function < u->audit.functions ? gs_image_function(u->context.image, function)->name
                                         : "(no function)";
}

/* Columns of causes that say something, after the first three. */
static void choose_parts(const line *lines, size_t count, bool used[PARTS])
{
    for (unsigned part = 0; part < PARTS; part++) {
        used[part] = false;
        for (size_t i = 0; i < count && !used[part]; i++)
            used[part] = lines[i].part[part] != 0;
    }
}

static void report_functions(const gs_leap_unit *u, const gs_truth *truth,
                             const gs_leap_exact *exact, const line *lines, gs_result *result)
{
    size_t count = truth->function_count + 1, at = 0;
    bool used[PARTS];
    gs_column columns[GS_TABLE_COLUMNS];
    choose_parts(lines, count, used);
    const gs_column judged[] = {
        GS_JUDGED_COLUMNS(gs_leap_count_key((gs_leap_count)u->config->count))};
    memcpy(columns, judged, sizeof judged);
    at = sizeof judged / sizeof *judged;
    for (unsigned part = 0; part < PARTS; part++) {
        if (used[part])
            columns[at++] = column_of(part);
    }
    columns[at++] = (gs_column){"share", "share"};
    columns[at++] = (gs_column){"name", "function"};
    gs_result_table *table =
        gs_result_add_table(result, "functions",
                            u->config->hierarchical ? "What each function has, with all it called"
                                                    : "What each function has",
                            columns, at);
    for (size_t i = 0; i < count; i++) {
        const line *l = &lines[i];
        if (l->counted == 0 && l->exact == 0)
            continue;
        gs_cell *row = gs_result_table_add_row(table);
        row = gs_cells_judge(row, l->counted, exact->known ? &l->exact : NULL);
        for (unsigned part = 0; part < PARTS; part++) {
            if (used[part])
                *row++ = (gs_cell){.type = GS_CELL_DIFFERENCE, .difference = l->part[part]};
        }
        if (exact->known && exact->total)
            *row = gs_cell_share_of(l->exact, exact->total);
        *++row = gs_cell_text(result, name_of(u, l->function));
    }
}

static double energy_fj(const gs_core_energy *energy, unsigned lane, uint64_t cycles)
{
    bool stall = lane == energy->group_count;
    return (double)cycles * (stall ? energy->stall_fj : energy->groups[lane].cycle_fj);
}

_Static_assert(GS_LEAP_LANE_MAX + 2 <= GS_TABLE_COLUMNS, "every lane has a column");

/* Of a Data Counter with several lanes, each of them. */
static void report_lanes(const gs_leap_unit *u, const line *lines, size_t count, gs_result *result)
{
    unsigned lanes = u->leap.counter.lanes, at = 0;
    const gs_core *core = u->context.core;
    bool energy = u->config->count == GS_LEAP_COUNT_ENERGY;
    gs_column columns[GS_TABLE_COLUMNS];
    for (; at < lanes; at++) {
        const char *name = gs_leap_lane_name((gs_leap_count)u->config->count, core, at);
        gs_cell key = gs_cell_format(result, energy ? "group_%s" : "%s", name);
        columns[at] = (gs_column){key.text, name};
    }
    if (energy)
        columns[at++] = (gs_column){"energy_nj", "energy in nJ"};
    columns[at++] = (gs_column){"name", "function"};
    gs_result_table *table =
        gs_result_add_table(result, "lanes", "The same by what was counted", columns, at);
    for (size_t i = 0; i < count; i++) {
        const line *l = &lines[i];
        if (l->counted == 0 || l->function == u->audit.functions)
            continue;
        const gs_function *function = gs_image_function(u->context.image, l->function);
        uint32_t number = gs_leap_hash_of(&u->listing.hash, (uint32_t)function->start);
        double sum_fj = 0;
        gs_cell *row = gs_result_table_add_row(table);
        for (unsigned lane = 0; lane < lanes; lane++) {
            uint64_t value = gs_leap_storage_read(&u->leap.storage, number, lane);
            *row++ = gs_cell_count(value);
            if (energy)
                sum_fj += energy_fj(&core->energy, lane, value);
        }
        if (energy)
            *row++ = gs_cell_real(sum_fj * 1e-6);
        *row = gs_cell_text(result, function->name);
    }
}

static void add_fact(gs_result_table *table, const char *what, uint64_t value, const char *note)
{
    gs_cell *row = gs_result_table_add_row(table);
    row[0] = gs_cell_count(value);
    row[1] = gs_cell_text(table->result, what);
    row[2] = gs_cell_text(table->result, note);
}

static unsigned bits_for(uint32_t values)
{
    unsigned bits = 0;
    while (UINT64_C(1) << bits < values)
        bits++;
    return bits;
}

/* What the unit costs in memory, and what the published one of this size does. */
static void report_hardware(const gs_leap_unit *u, gs_result *result)
{
    static const gs_column columns[] = {{"value", ""}, {"what", "hardware"}, {"note", ""}};
    const gs_leap_config *c = u->config;
    const gs_leap_hash *hash = &u->listing.hash;
    uint64_t lanes = u->leap.counter.lanes, n = hash->entries;
    uint64_t number_bits = bits_for(hash->entries) + c->tagged;
    uint64_t tab = gs_leap_tab_length(hash) * gs_leap_tab_bits(hash);
    uint64_t storage = n * c->width * lanes, tags = c->tagged ? n * 32 : 0;
    uint64_t stack = c->depth * (number_bits + (c->hierarchical ? c->width * lanes : 0));
    uint64_t published =
        4096 + n * c->width * lanes + (c->hierarchical ? c->depth * c->width * lanes : 0);
    gs_result_table *table = gs_result_add_table(result, "hardware", NULL, columns, 3);
    table->whole = true;
    add_fact(table, "functions listed", u->listing.count, "");
    add_fact(table, "entries", n, "");
    add_fact(table, "bits of tab", tab, "displacements that make the hash perfect");
    add_fact(table, "bits of tab as published", n * 8, "a byte for every entry");
    add_fact(table, "bits of counter storage", storage, "");
    if (tags)
        add_fact(table, "bits of tags", tags, "");
    add_fact(table, "bits of call stack", stack, "");
    add_fact(table, "bits in all", tab + storage + tags + stack, "");
    add_fact(table, "bits in all as published", published, "tab and stack in a memory of 4096");
}

static void remark_events(const gs_leap_unit *u, gs_result *result)
{
    const gs_leap_audit *a = &u->audit;
    for (unsigned i = 0; i < GS_LEAP_CAUSES; i++) {
        if (a->times[i])
            gs_result_remark(result, "%s times: %s", GS_TEXT_DIGITS(a->times[i]),
                             gs_leap_cause_text((gs_leap_cause)i));
    }
    if (a->overflows)
        gs_result_remark(result,
                         "%s times: a call found the stack of %" PRIu64
                         " frames full, and a frame was lost; calls were %u deep",
                         GS_TEXT_DIGITS(a->overflows), u->config->depth, a->deepest);
    if (u->leap.storage.shift)
        gs_result_remark(result,
                         "%u times: a counter of %" PRIu64
                         " bits was full and all were halved; they count units of %s",
                         u->leap.storage.shift, u->config->width,
                         GS_TEXT_DIGITS(UINT64_C(1) << u->leap.storage.shift));
}

gs_status gs_leap_report(const gs_leap_unit *u, const gs_truth *truth, gs_result *result,
                         gs_error *err)
{
    gs_leap_exact exact;
    if (!gs_leap_exact_init(&exact, &u->leap, truth))
        return gs_fail_no_memory(err);
    line *lines = make_lines(u, truth, &exact);
    if (lines) {
        report_functions(u, truth, &exact, lines, result);
        if (u->leap.counter.lanes > 1)
            report_lanes(u, lines, truth->function_count + 1, result);
        report_hardware(u, result);
        remark_events(u, result);
    }
    bool good = lines != NULL;
    free(lines);
    gs_leap_exact_fini(&exact);
    return good ? GS_OK : gs_fail_no_memory(err);
}
