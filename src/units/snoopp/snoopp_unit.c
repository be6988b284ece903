/*
 * SnoopP as a unit: its options, its device on the bus, what it reports. The audit beside the
 * hardware says why a counter does not show what the exact profile does.
 */
#include "units/snoopp/snoopp_unit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "gumshoe/text.h"
#include "gumshoe/firmware/snoopp_registers.h"
#include "machine/machine.h"
#include "units/hardware.h"
#include "units/ranges.h"
#include "units/snoopp/hunt.h"

typedef gs_snoopp_config config;

static const char *const widths[] = {"32", "64", NULL};
enum { WIDTH_32, WIDTH_64 };

static const char *const amounts[] = {
#define AMOUNT(name, key, text) key,
#include "units/amounts.def"
#undef AMOUNT
    NULL};

static const gs_unit_option options[] = {
    GS_LIST(config, ranges, "range", "RANGE",
            "count here: a function, first..last, file.c:12, file.c:12-20, 0x1000-0x1100"),
    GS_NUMBER(config, counters, "counters", "N", "how many ranges there can be; 16", .fallback = 16,
              .min = 1, .max = GS_SNOOPP_MAX),
    GS_CHOICE(config, width, "width", "BITS", "of a counter: 32 or 64", widths, WIDTH_64),
    GS_CHOICE(config, amount, "count", "WHAT",
              "cycles, instructions, stalls, cache-stalls, i-stalls or d-stalls", amounts,
              GS_AMOUNT_CYCLES),
    GS_FLAG(config, data, "data", "count loads and stores to the ranges instead"),
    GS_FLAG(config, writable, "writable", "let a program write bounds, through the registers"),
    GS_FLAG(config, automatic, "auto",
            "the hottest functions as ranges: two runs; the default without a range"),
    GS_FLAG(config, hunt, "hunt", "find hot functions by dividing hot ranges: several runs"),
    GS_NUMBER(config, threshold, "threshold", "PERCENT",
              "a hunt leaves alone what has less of the total; 1", .fallback = 1, .min = 1,
              .max = 100),
    GS_NUMBER(config, map, "map", "ADDRESS",
              "where the program finds the registers; they are not mapped without it",
              .min = GS_PAGE_SIZE, .max = UINT32_MAX, .zero = "none"),
};

typedef struct unit {
    gs_snoopp hardware;
    const config *config;
    const gs_image *image;
    gs_arena arena;
    gs_unit_range ranges[GS_SNOOPP_MAX];
    gs_hunt hunt;
    struct {
        size_t *functions; /* numbers, hottest first */
        size_t count;
        bool known;
    } hottest;

    /* The audit: per counter, what passed by, and what of it the program threw away. */
    uint64_t passed[GS_SNOOPP_MAX], reset[GS_SNOOPP_MAX], paused[GS_SNOOPP_MAX];
    uint64_t since_reset[GS_SNOOPP_MAX];
} unit;

static bool is_automatic(const unit *u)
{
    return !u->config->hunt && u->config->ranges.count == 0;
}

gs_status gs_snoopp_check(const gs_snoopp_config *c, gs_error *err)
{
    int ways = (c->ranges.count > 0) + c->automatic + c->hunt;
    if (ways > 1)
        return gs_fail(err, GS_E_ARGUMENT, "snoopp: range, auto and hunt exclude each other");
    if (c->ranges.count > c->counters)
        return gs_fail(err, GS_E_ARGUMENT,
                       "snoopp: %zu ranges for %" PRIu64 " counters; counters=%zu has room",
                       c->ranges.count, c->counters, c->ranges.count);
    if (c->data && c->ranges.count == 0)
        return gs_fail(err, GS_E_ARGUMENT, "snoopp: data wants ranges: range=SYMBOL");
    if (c->data && c->amount != GS_AMOUNT_CYCLES)
        return gs_fail(err, GS_E_ARGUMENT, "snoopp: data counts accesses, not %s",
                       amounts[c->amount]);
    if (c->hunt && c->counters < 2)
        return gs_fail(err, GS_E_ARGUMENT, "snoopp: a hunt needs two counters at least");
    return GS_OK;
}

static bool load(void *self, uint32_t offset, unsigned size, uint64_t *value)
{
    return gs_snoopp_load(&((unit *)self)->hardware, offset, size, value);
}

/* The audit compares the counters before and after: what is gone was reset. */
static bool store(void *self, uint32_t offset, unsigned size, uint64_t value)
{
    unit *u = self;
    gs_snoopp *hardware = &u->hardware;
    uint64_t before[GS_SNOOPP_MAX];
    memcpy(before, hardware->counter, sizeof before);
    if (!gs_snoopp_store(hardware, offset, size, value))
        return false;
    for (unsigned i = 0; i < hardware->count; i++) {
        if (hardware->counter[i] != before[i]) {
            u->reset[i] += u->since_reset[i];
            u->since_reset[i] = 0;
        }
    }
    return true;
}

static gs_status attach(unit *u, gs_machine *machine, gs_error *err)
{
    uint64_t base = u->config->map;
    if (base == 0 || !machine)
        return GS_OK;
    gs_device device = {.base = (gs_addr)base, .load = load, .store = store, .self = u};
    uint64_t size = GS_SNOOPP_COUNTER + u->config->counters * GS_SNOOPP_COUNTER_STRIDE;
    device.size = (uint32_t)((size + GS_PAGE_SIZE - 1) & ~(uint64_t)(GS_PAGE_SIZE - 1));
    if (base % GS_PAGE_SIZE != 0)
        return gs_fail(err, GS_E_ARGUMENT, "snoopp: map=0x%" PRIx64 " is no multiple of %d", base,
                       GS_PAGE_SIZE);
    for (uint64_t page = base; page < base + device.size && page < UINT64_C(1) << 32;
         page += GS_PAGE_SIZE) {
        if (machine->memory.prot[page >> GS_PAGE_SHIFT] != 0)
            return gs_fail(err, GS_E_ARGUMENT,
                           "snoopp: map=0x%" PRIx64 " is taken: the machine has memory or a "
                           "device at 0x%" PRIx64,
                           base, page);
    }
    return gs_memory_add_device(&machine->memory, &device, err);
}

static void aim(unit *u, unsigned counter, gs_unit_range range)
{
    u->ranges[counter] = range;
    u->hardware.first[counter] = range.first;
    u->hardware.last[counter] = range.last;
    u->hardware.count = counter + 1;
}

static gs_status aim_at_ranges(unit *u, gs_error *err)
{
    for (size_t i = 0; i < u->config->ranges.count; i++) {
        gs_unit_range range;
        gs_status status = gs_range_parse(&range, u->config->ranges.items[i], u->image,
                                          u->config->data, "snoopp", &u->arena, err);
        if (status != GS_OK)
            return status;
        aim(u, (unsigned)i, range);
    }
    return GS_OK;
}

static gs_status aim_at_groups(unit *u, gs_error *err)
{
    for (size_t i = 0; i < u->hunt.aimed.count; i++) {
        const gs_hunt_group *group = &u->hunt.aimed.items[i];
        const gs_function *first = gs_image_function(u->image, group->first);
        const gs_function *last = gs_image_function(u->image, group->last);
        size_t size = strlen(first->name) + strlen(last->name) + 3;
        char *name = gs_arena_alloc(&u->arena, size);
        if (!name)
            return gs_fail_no_memory(err);
        snprintf(name, size, first == last ? "%s" : "%s..%s", first->name, last->name);
        gs_unit_range range = {name, (uint32_t)first->start, (uint32_t)(last->end - 1)};
        aim(u, (unsigned)i, range);
    }
    return GS_OK;
}

static gs_status aim_all(unit *u, const unit *before, gs_error *err)
{
    bool good = true;
    if (u->config->hunt) {
        good = before ? gs_hunt_copy(&u->hunt, &before->hunt)
                      : gs_hunt_begin(&u->hunt, u->image, (unsigned)u->config->counters,
                                      (double)u->config->threshold / 100);
        u->hunt.image = u->image; /* the same program, opened again */
        return good ? aim_at_groups(u, err) : gs_fail_no_memory(err);
    }
    if (!is_automatic(u))
        return aim_at_ranges(u, err);
    for (size_t i = 0; before && i < before->hottest.count; i++)
        aim(u, (unsigned)i,
            gs_range_of_function(gs_image_function(u->image, before->hottest.functions[i])));
    u->hottest.known = before != NULL;
    return GS_OK;
}

static void fini(void *self)
{
    unit *u = self;
    gs_hunt_fini(&u->hunt);
    free(u->hottest.functions);
    gs_arena_free(&u->arena);
}

static gs_status init(void *self, const void *how, const gs_unit_context *context,
                      const void *before, gs_error *err)
{
    unit *u = self;
    gs_status status = gs_snoopp_check(how, err);
    if (status != GS_OK)
        return status;
    u->config = how;
    u->image = context->image;
    u->hardware.amount = (gs_amount)u->config->amount;
    u->hardware.data = u->config->data;
    u->hardware.width = gs_snoopp_width(u->config);
    gs_snoopp_reset_state(&u->hardware);
    status = aim_all(u, before, err);
    if (status == GS_OK)
        status = attach(u, context->machine, err);
    return status;
}

static void count(unit *u, unsigned i, uint64_t amount)
{
    u->passed[i] += amount;
    if (u->hardware.run)
        u->since_reset[i] += amount;
    else
        u->paused[i] += amount;
}

static void beat(void *self, const gs_port *port)
{
    unit *u = self;
    gs_snoopp *hardware = &u->hardware;
    gs_snoopp_beat(hardware, port);

    uint64_t amount = hardware->data ? port->size > 0 : gs_amount_of(hardware->amount, port);
    uint32_t address = hardware->data ? port->address : port->pc;
    if (!port->valid || amount == 0)
        return;
    for (unsigned i = 0; i < hardware->count; i++) {
        if (address >= hardware->first[i] && address <= hardware->last[i])
            count(u, i, amount);
    }
}

/* -- translated code ----------------------------------------------------------------------------
 */

/* Addresses of data are not among what it counts; and a program that reads the registers has to
 * find in them what has happened until then. */
static bool fits(const void *self)
{
    const unit *u = self;
    return !u->config->data && u->config->map == 0;
}

/* Bounds stay as they are: where a program can write them, the reference engine sends beats. */
static uint32_t weights(void *self, size_t *count)
{
    *count = ((const unit *)self)->hardware.count;
    return 1;
}

static void weigh_at(const gs_snoopp *hardware, uint32_t pc, int64_t amount, int64_t *sums)
{
    for (unsigned i = 0; i < hardware->count && amount != 0; i++) {
        if (pc >= hardware->first[i] && pc <= hardware->last[i])
            sums[i] += amount;
    }
}

static void weigh(void *self, const gs_bulk_run *run, int64_t *sums)
{
    const gs_snoopp *hardware = &((const unit *)self)->hardware;
    const gs_port one = {.valid = true, .cycles = 1};
    for (unsigned i = 0; i < run->length; i++)
        weigh_at(hardware, (uint32_t)gs_bulk_insn_at(run, i)->pc,
                 (int64_t)gs_amount_of(hardware->amount, &one), sums);
    for (unsigned i = 0; i < run->charge_count; i++) {
        const gs_charge *charge = &run->charges[i];
        weigh_at(hardware, (uint32_t)gs_bulk_insn_at(run, charge->insn)->pc,
                 gs_amount_of_charge(hardware->amount, charge), sums);
    }
}

static void collect(void *self, const int64_t *sums, const gs_bulk_run *last)
{
    unit *u = self;
    (void)last;
    for (unsigned i = 0; i < u->hardware.count; i++) {
        gs_snoopp_add(&u->hardware, i, (uint64_t)sums[i]);
        count(u, i, (uint64_t)sums[i]);
    }
}

static const gs_unit_bulk bulk = {
    .fits = fits, .weights = weights, .weigh = weigh, .collect = collect};

static uint64_t exact(const unit *u, const gs_truth *truth, unsigned counter)
{
    uint64_t sum = 0;
    for (size_t i = gs_truth_find(truth, u->hardware.first[counter]); i < truth->insn_count; i++) {
        if (truth->insns[i].pc > u->hardware.last[counter])
            break;
        sum += gs_amount_in(u->hardware.amount, &truth->insns[i].cost);
    }
    return sum;
}

static void explain(const unit *u, unsigned i, gs_result *result)
{
    const char *name = u->ranges[i].name;
    uint64_t wrapped = u->since_reset[i] - u->hardware.counter[i];
    if (u->reset[i])
        gs_result_remark(result, "%s: %s had been counted when the program reset it", name,
                         GS_TEXT_DIGITS(u->reset[i]));
    if (u->paused[i])
        gs_result_remark(result, "%s: %s passed while the program had stopped counting", name,
                         GS_TEXT_DIGITS(u->paused[i]));
    if (wrapped)
        gs_result_remark(result, "%s: the %u-bit counter began again at 0 %s times: %s are missing",
                         name, u->hardware.width, GS_TEXT_DIGITS(wrapped >> u->hardware.width),
                         GS_TEXT_DIGITS(wrapped));
}

static void remark_overlaps(const unit *u, gs_result *result)
{
    for (unsigned i = 0; i < u->hardware.count; i++) {
        for (unsigned j = 0; j < i; j++) {
            if (u->hardware.first[i] <= u->hardware.last[j] &&
                u->hardware.first[j] <= u->hardware.last[i])
                gs_result_remark(result, "%s and %s overlap: what is in both counts in both",
                                 u->ranges[j].name, u->ranges[i].name);
        }
    }
}

static void report_ranges(const unit *u, const gs_truth *truth, gs_result *result)
{
    const char *counted = u->config->data ? "accesses" : amounts[u->config->amount];
    const gs_column columns[] = {
        GS_JUDGED_COLUMNS(counted), {"share", "share"}, {"first", "first"},
        {"last", "last"},           {"name", "range"},
    };
    gs_result_table *table = gs_result_add_table(result, "ranges", "What each counter shows",
                                                 columns, sizeof columns / sizeof *columns);
    uint64_t total = gs_amount_in(u->hardware.amount, &truth->total);
    table->hidden = u->config->hunt; /* where the last run happened to look */
    for (unsigned i = 0; i < u->hardware.count; i++) {
        gs_cell *row = gs_result_table_add_row(table);
        uint64_t truly = u->hardware.data ? u->passed[i] : exact(u, truth, i);
        gs_cells_judge(row, u->hardware.counter[i], &truly);
        if (!u->hardware.data)
            row[3] = gs_cell_share_of(truly, total);
        row[4] = gs_cell_address(u->hardware.first[i]);
        row[5] = gs_cell_address(u->hardware.last[i]);
        row[6] = gs_cell_text(result, u->ranges[i].name);
        explain(u, i, result);
    }
    remark_overlaps(u, result);
    if (u->hardware.data)
        gs_result_remark(result, "the exact profile knows no data addresses: exact is what went "
                                 "by on the trace port");
}

static void report_hunt(const unit *u, const gs_truth *truth, gs_result *result)
{
    static const gs_column columns[] = {
        GS_JUDGED_COLUMNS("counted"),
        {"share", "share"},
        {"run", "found in run"},
        {"name", "function"},
    };
    gs_result_table *table = gs_result_add_table(result, "found", "Hot functions found", columns,
                                                 sizeof columns / sizeof *columns);
    uint64_t covered = 0;
    for (size_t i = 0; i < u->hunt.found.count; i++) {
        const gs_hunt_group *group = &u->hunt.found.items[i];
        uint64_t truly = gs_amount_in(u->hardware.amount, &truth->functions[group->first].self);
        gs_cell *row = gs_result_table_add_row(table);
        gs_cells_judge(row, group->count, &truly);
        row[3] = gs_cell_share_of(group->count, u->hunt.total);
        row[4] = gs_cell_count(group->run);
        row[5] = gs_cell_text(result, gs_image_function(u->image, group->first)->name);
        covered += group->count;
    }
    gs_result_remark(result,
                     "%u runs with %u counters: %zu functions with %.2f%% of all that was counted",
                     u->hunt.runs, u->hunt.counters, u->hunt.found.count,
                     u->hunt.total ? 100 * (double)covered / (double)u->hunt.total : 0.0);
}

/* qsort() has no place for the truth they are sorted by, so it goes with each. */
typedef struct heat {
    uint64_t amount;
    size_t function;
} heat;

static int by_amount(const void *a, const void *b)
{
    const heat *x = a, *y = b;
    if (x->amount != y->amount)
        return x->amount < y->amount ? 1 : -1;
    return (x->function > y->function) - (x->function < y->function);
}

static bool find_hottest(unit *u, const gs_truth *truth)
{
    heat *all = malloc((truth->function_count + 1) * sizeof *all);
    size_t *functions = malloc(u->config->counters * sizeof *functions);
    size_t count = 0, kept = 0;
    if (all && functions) {
        for (size_t i = 0; i < truth->function_count; i++) {
            uint64_t amount = gs_amount_in(u->hardware.amount, &truth->functions[i].self);
            if (amount > 0)
                all[count++] = (heat){amount, i};
        }
        if (count > 0)
            qsort(all, count, sizeof *all, by_amount);
        for (; kept < count && kept < u->config->counters; kept++)
            functions[kept] = all[kept].function;
    }
    bool good = all && functions;
    free(all);
    if (!good) {
        free(functions);
        return false;
    }
    u->hottest.functions = functions;
    u->hottest.count = kept;
    return true;
}

static gs_status report(void *self, const gs_truth *truth, gs_result *result, gs_error *err)
{
    unit *u = self;
    bool good = true;
    report_ranges(u, truth, result);
    if (u->config->hunt) {
        good = gs_hunt_learn(&u->hunt, u->hardware.counter);
        if (good && gs_hunt_done(&u->hunt))
            report_hunt(u, truth, result);
    } else if (is_automatic(u) && !u->hottest.known) {
        good = find_hottest(u, truth);
    }
    return good ? GS_OK : gs_fail_no_memory(err);
}

static bool again(const void *self)
{
    const unit *u = self;
    if (u->config->hunt)
        return !gs_hunt_done(&u->hunt);
    return is_automatic(u) && !u->hottest.known;
}

const gs_unit_kind gs_unit_snoopp = {
    GS_UNIT_KIND(snoopp, "SnoopP: a counter per address range, between comparators"),
    .bulk = &bulk,
    .again = again,
};
