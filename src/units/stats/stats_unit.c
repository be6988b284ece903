/*
 * The Statistics Module as a unit: how counters are chosen, what the other end of the network
 * keeps of the datagrams, and how they compare with the exact profile.
 */
#include "units/stats/stats_unit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "gumshoe/text.h"
#include "base/vec.h"
#include "image/mapfile.h"
#include "units/hardware.h"
#include "units/ranges.h"
#include "units/stats/stats_bulk.h"

/* More are not kept: a run of any length with a short interval must not take all memory. */
enum { RECORDS_MAX = 100000 };

typedef gs_stats_config config;

static const gs_unit_option options[] = {
    GS_LIST(config, counts, "count", "SIGNAL[@RANGE]",
            "a counter: a signal, in a function, first..last, file.c:12-20, 0x1000-0x1100"),
    GS_NUMBER(config, interval, "interval", "CLOCKS", "from one dispatch to the next; 1000000",
              .fallback = 1000000, .min = 1, .max = UINT32_MAX, .zero = "none"),
    GS_NUMBER(config, counters, "counters", "N", "how many the module has; 8", .fallback = 8,
              .min = 1, .max = GS_STATS_COUNTERS_MAX),
    GS_NUMBER(config, ranges, "ranges", "N", "how many address range registers the module has; 8",
              .fallback = 8, .min = 1, .max = GS_STATS_RANGES_MAX),
    GS_NUMBER(config, width, "width", "BITS", "of a counter; 32", .fallback = 32, .min = 4,
              .max = 32),
    GS_TEXT(config, map, "map", "FILE",
            "the linker's map, for functions of a program without a symbol table"),
};

/* Without `count`. */
static const char *const usual[] = {"cycle",  "instruction", "stall", "i-miss",
                                    "d-miss", "read",        "write", "branch"};

typedef struct unit {
    gs_stats hardware;
    gs_stats_bulk bulk;
    const config *config;
    const gs_isa *isa;
    bool timed;
    gs_arena arena;
    const char *range_names[GS_STATS_RANGES_MAX];
    unsigned range_count;
    struct {
        uint64_t *items;
        size_t count, capacity;
    } cycles; /* of every record, in the order of their numbers */
    struct {
        uint32_t *items;
        size_t count, capacity;
    } values;                                  /* of all counters for each */
    uint64_t total[GS_STATS_COUNTERS_MAX];     /* of the last one */
    uint64_t saturated[GS_STATS_COUNTERS_MAX]; /* dispatched at the largest value */
    uint64_t left_out;                         /* records that were not kept */
    bool no_memory;
} unit;

static void receive(void *self, const gs_stats_record *record, uint64_t times)
{
    unit *u = self;
    uint32_t most = u->hardware.width == 32 ? UINT32_MAX : (1u << u->hardware.width) - 1;
    for (unsigned i = 0; i < record->count; i++)
        u->saturated[i] += record->value[i] == most;
    memcpy(u->total, record->total, sizeof u->total);
    for (uint64_t again = 0; again < times && !u->no_memory; again++) {
        if (u->cycles.count == RECORDS_MAX) {
            u->left_out += times - again;
            return;
        }
        uint64_t cycle = record->cycle + again * u->hardware.interval;
        u->no_memory = !gs_vec_push(&u->cycles, cycle);
        for (unsigned i = 0; i < record->count && !u->no_memory; i++)
            u->no_memory = !gs_vec_push(&u->values, record->value[i]);
    }
}

static gs_status find_in_map(const unit *u, const gs_mapfile *map, const char *name,
                             gs_unit_range *range, bool *found, gs_error *err)
{
    bool several = false;
    const gs_map_function *function = map ? gs_mapfile_find(map, name, &several) : NULL;
    *found = function != NULL;
    if (several)
        return gs_fail(err, GS_E_ARGUMENT,
                       "stats: %s has several functions '%.80s'; give addresses, such as "
                       "0x%" PRIx32 "-0x%" PRIx32 " for the first",
                       u->config->map, name, function->start, function->end);
    if (function)
        *range = (gs_unit_range){name, function->start, function->end - 1};
    return GS_OK;
}

static gs_status find_range(const unit *u, const gs_mapfile *map, const gs_image *image,
                            const char *name, gs_unit_range *range, gs_error *err)
{
    bool found = false;
    if (!*name) {
        *range = (gs_unit_range){"", 0, UINT32_MAX};
        return GS_OK;
    }
    gs_status status = find_in_map(u, map, name, range, &found, err);
    if (status != GS_OK || found)
        return status;
    return gs_range_parse(range, name, image, false, "stats", (gs_arena *)&u->arena, err);
}

/* The register that holds the range, a new one if none does. */
static gs_status place_range(unit *u, const gs_unit_range *range, const char *name, uint8_t *at,
                             gs_error *err)
{
    gs_stats *hardware = &u->hardware;
    for (unsigned i = 0; i < u->range_count; i++) {
        if (hardware->range[i].first == range->first && hardware->range[i].last == range->last) {
            *at = (uint8_t)i;
            return GS_OK;
        }
    }
    if (u->range_count == u->config->ranges)
        return gs_fail(err, GS_E_ARGUMENT,
                       "stats: there are only %" PRIu64
                       " address range registers; ranges=N has room for more",
                       u->config->ranges);
    *at = (uint8_t)u->range_count;
    hardware->range[u->range_count].first = range->first;
    hardware->range[u->range_count].last = range->last;
    u->range_names[u->range_count++] = name;
    return GS_OK;
}

/* "d-miss@main" */
static gs_status choose(unit *u, const gs_mapfile *map, const gs_image *image, const char *text,
                        gs_error *err)
{
    gs_stats *hardware = &u->hardware;
    char key[32];
    unsigned signal, counter = hardware->count;
    size_t length = strcspn(text, "@");
    snprintf(key, sizeof key, "%.*s", (int)(length < sizeof key ? length : 0), text);
    if (!gs_stats_signal_find(key, &signal))
        return gs_fail(
            err, GS_E_ARGUMENT,
            "stats: there is no signal '%.*s'; 'gumshoe unit stats --signals' lists them",
            (int)(length < 80 ? length : 80), text);
    const char *name = text[length] ? text + length + 1 : "";
    if (text[length] && !*name)
        return gs_fail(err, GS_E_ARGUMENT, "stats: '%.80s': which range?", text);
    gs_unit_range range;
    gs_status status = find_range(u, map, image, name, &range, err);
    if (status == GS_OK)
        status = place_range(u, &range, name, &hardware->range_of[counter], err);
    hardware->signal_of[counter] = (uint8_t)signal;
    hardware->count++;
    return status;
}

static gs_status choose_all(unit *u, const gs_image *image, gs_error *err)
{
    const gs_option_list *counts = &u->config->counts;
    size_t wanted = counts->count ? counts->count : sizeof usual / sizeof *usual;
    gs_mapfile *map = NULL;
    if (counts->count > u->config->counters)
        return gs_fail(err, GS_E_ARGUMENT,
                       "stats: %zu to count with %" PRIu64 " counters; counters=%zu has room",
                       counts->count, u->config->counters, counts->count);
    if (wanted > u->config->counters)
        wanted = (size_t)u->config->counters;
    gs_status status = GS_OK;
    if (u->config->map)
        status = gs_mapfile_open(&map, u->config->map, err);
    for (size_t i = 0; i < wanted && status == GS_OK; i++)
        status = choose(u, map, image, counts->count ? counts->items[i] : usual[i], err);
    gs_mapfile_free(map);
    return status;
}

static void fini(void *self)
{
    unit *u = self;
    free(u->cycles.items);
    free(u->values.items);
    gs_arena_free(&u->arena);
}

static gs_status init(void *self, const void *how, const gs_unit_context *context,
                      const void *before, gs_error *err)
{
    unit *u = self;
    (void)before;
    u->config = how;
    u->isa = context->isa;
    u->timed = context->core != NULL;
    u->hardware.width = (unsigned)u->config->width;
    u->hardware.interval = (uint32_t)u->config->interval;
    u->hardware.dispatch = receive;
    u->hardware.dispatch_self = u;
    gs_status status = choose_all(u, context->image, err);
    gs_stats_reset(&u->hardware);
    u->bulk = (gs_stats_bulk){.stats = &u->hardware, .isa = context->isa};
    return status;
}

const gs_stats *gs_stats_chosen(const void *self, unsigned *ranges)
{
    const unit *u = self;
    *ranges = u->range_count;
    return &u->hardware;
}

static void beat(void *self, const gs_port *port)
{
    gs_stats_bulk_beat(&((unit *)self)->bulk, port);
}

static void finish(void *self)
{
    unit *u = self;
    gs_stats_bulk_finish(&u->bulk);
    gs_stats_end(&u->hardware);
}

/* -- translated code ----------------------------------------------------------------------------
 */

static bool fits(const void *self)
{
    return gs_stats_bulk_fits(&((const unit *)self)->hardware);
}

static void stop_events(void *self, uint32_t pc)
{
    gs_stats_bulk_pause(&((unit *)self)->bulk, pc);
}

static void resume_events(void *self, uint64_t clocks)
{
    gs_stats_bulk_resume(&((unit *)self)->bulk, clocks);
}

static uint32_t weights(void *self, size_t *count)
{
    return gs_stats_bulk_weights(&((unit *)self)->bulk, count);
}

static void weigh(void *self, const gs_bulk_run *run, int64_t *sums)
{
    gs_stats_bulk_weigh(&((unit *)self)->bulk, run, sums);
}

static void collect(void *self, const int64_t *sums, const gs_bulk_run *last)
{
    gs_stats_bulk_collect(&((unit *)self)->bulk, sums, last);
}

static uint64_t due(void *self, uint64_t clock)
{
    return gs_stats_bulk_due(&((unit *)self)->bulk, clock);
}

static const gs_unit_bulk bulk = {fits, stop_events, resume_events, weights, weigh, collect, due};

/* -- reports ------------------------------------------------------------------------------------
 */

/* "d-miss@main" */
static gs_cell name_of(const unit *u, unsigned counter, gs_result *result)
{
    const char *range = u->range_names[u->hardware.range_of[counter]];
    const char *signal = gs_stats_signal_key(u->hardware.signal_of[counter]);
    return gs_cell_format(result, "%s%s%s", signal, *range ? "@" : "", range);
}

/* What the exact profile has for a counter; false if it does not count that. */
static bool exact(const unit *u, const gs_truth *truth, unsigned counter, uint64_t *sum)
{
    unsigned range = u->hardware.range_of[counter], signal = u->hardware.signal_of[counter];
    gs_metric metric = GS_METRIC_CYCLES;
    bool all_stalls = signal == GS_STATS_STALL;
    if (!all_stalls && !gs_stats_signal_exact(signal, &metric))
        return false;
    if (!u->timed && metric != GS_METRIC_INSTRUCTIONS && metric != GS_METRIC_CYCLES &&
        metric != GS_METRIC_TRAPS)
        return false;
    *sum = 0;
    for (size_t i = gs_truth_find(truth, u->hardware.range[range].first);
         i < truth->insn_count && truth->insns[i].pc <= u->hardware.range[range].last; i++) {
        const uint64_t *value = truth->insns[i].cost.value;
        *sum += all_stalls ? 0 : value[metric];
        for (unsigned c = 0; all_stalls && c < GS_STALL_COUNT; c++)
            *sum += value[GS_METRIC_FIRST_STALL + c];
    }
    return true;
}

static void report_totals(const unit *u, const gs_truth *truth, gs_result *result)
{
    static const gs_column columns[] = {
        GS_JUDGED_COLUMNS("counted"), {"saturated", "saturated"},
        {"first", "first"},           {"last", "last"},
        {"name", "counter"},
    };
    const gs_stats *hardware = &u->hardware;
    gs_result_table *table =
        gs_result_add_table(result, "totals", "What each counter has counted in all intervals",
                            columns, sizeof columns / sizeof *columns);
    for (unsigned i = 0; i < hardware->count; i++) {
        uint64_t truly;
        gs_cell *row = gs_result_table_add_row(table);
        gs_cells_judge(row, u->total[i], exact(u, truth, i, &truly) ? &truly : NULL);
        row[3] = gs_cell_count(u->saturated[i]);
        row[4] = gs_cell_address(hardware->range[hardware->range_of[i]].first);
        row[5] = gs_cell_address(hardware->range[hardware->range_of[i]].last);
        row[6] = name_of(u, i, result);
        if (u->saturated[i])
            gs_result_remark(result,
                             "%s was at its largest value in %s of %s intervals: some was not "
                             "counted; a shorter interval helps",
                             row[6].text, GS_TEXT_DIGITS(u->saturated[i]),
                             GS_TEXT_DIGITS(u->hardware.sequence));
    }
}

/* A table has room for so many columns besides number and clock. */
enum { COUNTERS_PER_TABLE = 24 };

static void report_intervals(const unit *u, unsigned first, gs_result *result)
{
    static const char *const keys[] = {"intervals", "intervals_2", "intervals_3"};
    unsigned last = first + COUNTERS_PER_TABLE, width = 3;
    last = last < u->hardware.count ? last : u->hardware.count;
    gs_column columns[GS_TABLE_COLUMNS] = {{"sequence", "number"}, {"cycle", "clock"}};
    for (unsigned i = first; i < last; i++) {
        columns[2 + i - first].key = gs_cell_format(result, "counter_%u", i).text;
        columns[2 + i - first].head = name_of(u, i, result).text;
        width = 3 + i - first;
    }
    gs_result_table *table = gs_result_add_table(result, keys[first / COUNTERS_PER_TABLE],
                                                 "Interval by interval", columns, width);
    for (size_t r = 0; r < u->cycles.count; r++) {
        const uint32_t *values = &u->values.items[r * u->hardware.count];
        gs_cell *row = gs_result_table_add_row(table);
        row[0] = gs_cell_count(r);
        row[1] = gs_cell_count(u->cycles.items[r]);
        for (unsigned i = first; i < last; i++)
            row[2 + i - first] = gs_cell_count(values[i]);
    }
}

static gs_status report(void *self, const gs_truth *truth, gs_result *result, gs_error *err)
{
    unit *u = self;
    if (u->no_memory)
        return gs_fail_no_memory(err);
    report_totals(u, truth, result);
    for (unsigned first = 0; first < u->hardware.count; first += COUNTERS_PER_TABLE)
        report_intervals(u, first, result);
    if (u->left_out)
        gs_result_remark(result, "%s more intervals were not kept; the totals have them",
                         GS_TEXT_DIGITS(u->left_out));
    return GS_OK;
}

static gs_status print_signals(FILE *to, const void *how, const gs_unit_context *context,
                               const char *argument, gs_error *err)
{
    (void)how;
    (void)context;
    (void)argument;
    (void)err;
    for (unsigned i = 0; i < GS_STATS_SIGNAL_COUNT; i++)
        fprintf(to, "%2u  %-22s %s\n", i, gs_stats_signal_key(i), gs_stats_signal_text(i));
    return GS_OK;
}

static const gs_unit_print prints[] = {
    {.name = "signals", .help = "what can be counted", .print = print_signals},
};

const gs_unit_kind gs_unit_stats = {
    GS_UNIT_KIND(stats, "Statistics Module: any signal in any address range, at intervals"),
    .prints = prints,
    .print_count = sizeof prints / sizeof *prints,
    .bulk = &bulk,
    .finish = finish,
};
