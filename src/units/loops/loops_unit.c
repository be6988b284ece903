/*
 * The frequent loop detector as a unit: its options, and what it reports. With `explore` it is
 * all detectors of explore.h instead of one.
 */
#include "units/loops/loops_unit.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "gumshoe/text.h"
#include "units/hardware.h"
#include "units/loops/curve.h"
#include "units/loops/explore.h"
#include "units/loops/score.h"

typedef gs_loops_config config;

static const gs_unit_option options[] = {
    GS_NUMBER(config, entries, "entries", "N", "of the cache; 32", .fallback = 32, .min = 1,
              .max = GS_LOOPS_MAX, .power_of_two = true),
    GS_NUMBER(config, ways, "ways", "N", "entries that a branch can be in; 2", .fallback = 2,
              .min = 1, .max = GS_LOOPS_MAX, .power_of_two = true),
    GS_NUMBER(config, width, "width", "BITS", "of a frequency; 24", .fallback = 24, .min = 4,
              .max = 32),
    GS_NUMBER(config, interval, "interval", "N", "count every Nth branch only; 1", .fallback = 1,
              .min = 1, .max = 65536),
    GS_NUMBER(config, distance, "distance", "BYTES",
              "a short backward branch goes back this far at most; 1024", .fallback = 1024,
              .min = 0, .max = INT32_MAX),
    GS_FLAG(config, no_coalescing, "no-coalescing", "update the cache for every branch"),
    GS_FLAG(config, explore, "explore",
            "all detectors with 16 to 64 entries, 1 to 8 ways, 4 to 32 bits, 4 intervals"),
    GS_NUMBER(config, accuracy, "accuracy", "PERCENT",
              "explore: name the smallest detector that is this accurate; 90", .fallback = 90,
              .min = 1, .max = 100),
};

typedef struct unit {
    const config *config;
    const gs_isa *isa;
    gs_loops hardware; /* with explore its detector alone is used */
    gs_explore *explore;
    uint32_t run_address; /* with explore: the branch taken last, and how often in a row */
    uint64_t run_times;
} unit;

static void fini(void *self)
{
    unit *u = self;
    gs_explore_free(u->explore);
}

gs_status gs_loops_configure(gs_loops_parameters *is, const gs_loops_config *c, gs_error *err)
{
    *is = (gs_loops_parameters){
        .entries = (unsigned)c->entries,
        .ways = (unsigned)c->ways,
        .width = (unsigned)c->width,
        .interval = (unsigned)c->interval,
        .distance = (uint32_t)c->distance,
        .coalesce = !c->no_coalescing,
    };
    if (is->ways > is->entries)
        return gs_fail(err, GS_E_ARGUMENT, "loops: %u ways need %u entries at least, not %u",
                       is->ways, is->ways, is->entries);
    return GS_OK;
}

static gs_status init(void *self, const void *how, const gs_unit_context *context,
                      const void *before, gs_error *err)
{
    unit *u = self;
    const config *c = how;
    gs_loops_parameters is;
    (void)before;
    gs_status status = gs_loops_configure(&is, c, err);
    if (status != GS_OK)
        return status;
    u->config = c;
    u->isa = context->isa;
    gs_loops_reset(&u->hardware, &is);
    if (c->explore && !(u->explore = gs_explore_open()))
        return gs_fail_no_memory(err);
    return status;
}

static void explore_beat(unit *u, const gs_port *port)
{
    uint32_t address;
    gs_loops *hardware = &u->hardware;
    gs_loops_detector detector = {&hardware->pending, &hardware->pending_pc,
                                  &hardware->pending_target};
    if (!gs_loops_detect(detector, hardware->is.distance, port, u->isa, &address))
        return;
    hardware->audit.branches++;
    if (address != u->run_address && u->run_times > 0) {
        gs_explore_branch(u->explore, u->run_address, u->run_times);
        u->run_times = 0;
    }
    u->run_address = address;
    u->run_times++;
}

static void beat(void *self, const gs_port *port)
{
    unit *u = self;
    if (u->explore)
        explore_beat(u, port);
    else
        gs_loops_beat(&u->hardware, port, u->isa);
}

static void finish(void *self)
{
    unit *u = self;
    if (!u->explore) {
        gs_loops_end(&u->hardware);
        return;
    }
    if (u->run_times > 0)
        gs_explore_branch(u->explore, u->run_address, u->run_times);
    u->run_times = 0;
    gs_explore_end(u->explore);
}

static gs_cell name_of(gs_result *result, const gs_image *image, uint32_t address)
{
    const gs_function *function = gs_image_function_at(image, address);
    return gs_cell_text(result, function ? function->name : "(no function)");
}

static const gs_loops_entry *entry_of(const gs_loops *hardware, uint32_t address)
{
    for (unsigned i = 0; i < hardware->is.entries; i++) {
        if (hardware->cache[i].valid && hardware->cache[i].address == address)
            return &hardware->cache[i];
    }
    return NULL;
}

static void report_loops(const unit *u, const gs_truth *truth, const gs_loops_truths *loops,
                         gs_result *result)
{
    static const gs_column columns[] = {
        {"predicted", "predicted"}, {"actual", "actual"},    {"frequency", "frequency"},
        {"taken", "taken"},         {"cycles", "of cycles"}, {"branch", "branch"},
        {"target", "target"},       {"name", "function"},
    };
    const gs_loops *hardware = &u->hardware;
    gs_result_table *table = gs_result_add_table(
        result, "loops", "Share of all taken short backward branches, most frequent loops first",
        columns, sizeof columns / sizeof *columns);
    uint64_t cycles = truth->total.value[GS_METRIC_CYCLES];
    for (size_t i = 0; i < loops->count; i++) {
        const gs_loops_truth *loop = &loops->items[i];
        const gs_loops_entry *entry = entry_of(hardware, loop->address);
        gs_cell *row = gs_result_table_add_row(table);
        if (entry) {
            row[0] = gs_cell_share(
                gs_loops_predicted(hardware->cache, hardware->is.entries, loop->address));
            row[2] = gs_cell_count(entry->frequency);
        }
        row[1] = gs_cell_share_of(loop->taken, loops->taken);
        row[3] = gs_cell_count(loop->taken);
        row[4] = gs_cell_share_of(loop->cycles, cycles);
        row[5] = gs_cell_address(loop->address);
        row[6] = gs_cell_address(loop->target);
        row[7] = name_of(result, truth->image, loop->address);
    }
}

static void remark_one(const unit *u, const gs_loops_truths *loops, gs_result *result)
{
    const gs_loops *hardware = &u->hardware;
    gs_result_remark(result, "1 - SOD over the ten most frequent loops: %.2f%%",
                     100 * gs_loops_accuracy(hardware->cache, hardware->is.entries, loops));
    gs_result_remark(result, "(SOD, sum of differences: the mean of the square root of "
                             "|actual - predicted|. 100%% is exact.)");
    gs_result_remark(
        result,
        "%s branches, %s sampled, %s cache updates, %s evictions, %s halvings; %s bits of storage",
        GS_TEXT_DIGITS(hardware->audit.branches), GS_TEXT_DIGITS(hardware->audit.sampled),
        GS_TEXT_DIGITS(hardware->audit.updates), GS_TEXT_DIGITS(hardware->audit.evictions),
        GS_TEXT_DIGITS(hardware->audit.halvings), GS_TEXT_DIGITS(gs_loops_bits(&hardware->is)));
    if (loops->taken != hardware->audit.branches)
        gs_result_remark(result,
                         "the exact profile has %s branches: a trap or the end came between a "
                         "branch and its delay slot, or code was changed",
                         GS_TEXT_DIGITS(loops->taken));
}

/* A configuration that was explored. */
typedef struct explored {
    gs_loops_parameters is;
    uint64_t bits;
    double accuracy;
} explored;

static int by_bits(const void *a, const void *b)
{
    const explored *x = a, *y = b;
    if (x->bits != y->bits)
        return x->bits < y->bits ? -1 : 1;
    if (x->accuracy != y->accuracy)
        return x->accuracy > y->accuracy ? -1 : 1;
    if (x->is.ways != y->is.ways)
        return x->is.ways < y->is.ways ? -1 : 1;
    return (x->is.interval > y->is.interval) - (x->is.interval < y->is.interval);
}

static gs_result_table *explore_table(gs_result *result, const char *key, const char *title)
{
    static const gs_column columns[] = {
        {"entries", "entries"},   {"ways", "ways"}, {"width", "width"},
        {"interval", "interval"}, {"bits", "bits"}, {"accuracy", "1 - SOD"},
    };
    return gs_result_add_table(result, key, title, columns, sizeof columns / sizeof *columns);
}

static void add_explored(gs_result_table *table, const explored *e)
{
    gs_cell *row = gs_result_table_add_row(table);
    row[0] = gs_cell_count(e->is.entries);
    row[1] = gs_cell_count(e->is.ways);
    row[2] = gs_cell_count(e->is.width);
    row[3] = gs_cell_count(e->is.interval);
    row[4] = gs_cell_count(e->bits);
    row[5] = gs_cell_share(e->accuracy);
}

static void report_front(const explored *all, gs_result *result)
{
    gs_result_table *front = explore_table(
        result, "front", "Detectors that are more accurate than all smaller ones, by storage");
    double best = -1;
    for (size_t i = 0; i < GS_EXPLORE_COUNT; i++) {
        if (all[i].accuracy > best) {
            best = all[i].accuracy;
            add_explored(front, &all[i]);
        }
    }
}

static void remark_smallest(const explored *all, uint64_t wished, gs_result *result)
{
    for (size_t i = 0; i < GS_EXPLORE_COUNT; i++) {
        if (all[i].accuracy * 100 < (double)wished)
            continue;
        gs_result_remark(result,
                         "the smallest detector with %" PRIu64
                         "%% or more: entries=%u,ways=%u,width=%u,interval=%u, %s bits, %.2f%%",
                         wished, all[i].is.entries, all[i].is.ways, all[i].is.width,
                         all[i].is.interval, GS_TEXT_DIGITS(all[i].bits), 100 * all[i].accuracy);
        return;
    }
    gs_result_remark(result, "no detector of these reaches %" PRIu64 "%%", wished);
}

static bool report_explored(const unit *u, const gs_loops_truths *loops, gs_result *result)
{
    explored *all = calloc(GS_EXPLORE_COUNT, sizeof *all);
    if (!all)
        return false;
    for (size_t i = 0; i < GS_EXPLORE_COUNT; i++) {
        gs_loops_entry cache[GS_EXPLORE_ENTRIES_MAX];
        all[i].is = gs_explore_parameters(i);
        all[i].bits = gs_loops_bits(&all[i].is);
        gs_explore_cache(u->explore, i, cache);
        all[i].accuracy = gs_loops_accuracy(cache, all[i].is.entries, loops);
    }
    qsort(all, GS_EXPLORE_COUNT, sizeof *all, by_bits);
    report_front(all, result);
    gs_result_table *table = explore_table(result, "explore", "All detectors, by storage");
    table->hidden = true;
    for (size_t i = 0; i < GS_EXPLORE_COUNT; i++)
        add_explored(table, &all[i]);
    remark_smallest(all, u->config->accuracy, result);
    free(all);
    return true;
}

static bool report_curve(const gs_truth *truth, const gs_loops_truths *loops, gs_result *result)
{
    static const gs_column columns[] = {
        {"code", "of code"},  {"time", "of time"},  {"regions", "regions"},
        {"branch", "branch"}, {"name", "function"},
    };
    gs_curve curve;
    if (!gs_curve_find(&curve, truth, loops))
        return false;
    gs_result_table *table = gs_result_add_table(
        result, "curve", "Time over code: the hottest loops, without those in them, added up",
        columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < curve.count; i++) {
        const gs_curve_point *point = &curve.items[i];
        gs_cell *row = gs_result_table_add_row(table);
        row[0] = gs_cell_share_of(point->bytes, curve.bytes);
        row[1] = gs_cell_share_of(point->cycles, curve.cycles);
        row[2] = gs_cell_count(i + 1);
        row[3] = gs_cell_address(point->address);
        row[4] = name_of(result, truth->image, point->address);
    }
    free(curve.items);
    return true;
}

static gs_status report(void *self, const gs_truth *truth, gs_result *result, gs_error *err)
{
    unit *u = self;
    gs_loops_truths loops;
    if (!gs_loops_find_truth(&loops, truth, u->isa, u->hardware.is.distance))
        return gs_fail_no_memory(err);
    bool good = true;
    if (u->explore) {
        good = report_explored(u, &loops, result);
    } else {
        report_loops(u, truth, &loops, result);
        remark_one(u, &loops, result);
    }
    good = good && report_curve(truth, &loops, result);
    free(loops.items);
    return good ? GS_OK : gs_fail_no_memory(err);
}

const gs_unit_kind gs_unit_loops = {
    GS_UNIT_KIND(loops, "Frequent loop detector: a cache of taken short backward branches"),
    .finish = finish,
};
