/*
 * The Statistics Module in Verilog, rtl/units/statsmod: its registers, its parameters, and what a
 * program is to write to it.
 */
#include <inttypes.h>

#include "base/error.h"
#include "gumshoe/firmware/stats_registers.h"
#include "units/hardware.h"
#include "units/stats/stats_unit.h"

static const gs_register_row rows[] = {
    GS_REGISTERS_ID_AND_CONFIG,
    GS_FIELD("NAIVE", 31, 1, "has a counter for every signal in every range"),
    GS_FIELD("MIPS", 24, 1, "decodes MIPS"),
    GS_FIELD("WIDTH", 16, 8, "bits of a counter"),
    GS_FIELD("RANGES", 8, 8, "address range registers"),
    GS_FIELD("COUNTERS", 0, 8, "counters"),
    GS_REGISTER("CONTROL", 0x08, GS_READ_WRITE, "what it does"),
    GS_FIELD("RUN", 0, 1, "listens to the trace port; 0 after reset"),
    GS_FIELD("CLEAR", 1, 1,
             "written 1: clears all counters, totals and the sequence, and starts the timer anew"),
    GS_FIELD("END", 2, 1, "written 1: ends the program; reads 1 up to the last dispatch"),
    GS_REGISTER(
        "INTERVAL", 0x0c, GS_READ_WRITE,
        "clocks from one dispatch to the next: 0, or at least 4 more than there are counters; "
        "writing it starts the timer anew"),
    GS_REGISTER("SEQUENCE", 0x10, GS_READ, "the number of the next datagram"),
    GS_REGISTER("SIGNALS", 0x14, GS_READ, "which signals there are, a bit each"),
    GS_BLOCK("RANGE", 0x1000, 8, 0, "address range register i"),
    GS_REGISTER("FIRST", 0x0, GS_READ_WRITE, "the first address that counts"),
    GS_REGISTER("LAST", 0x4, GS_READ_WRITE, "the last one"),
    GS_BLOCK("SELECTOR", 0x2000, 4, GS_READ_WRITE, "what counter i counts; not with NAIVE"),
    GS_FIELD("SIGNAL_OF", 0, 5, "the number of a signal"),
    GS_FIELD("RANGE_OF", 8, 6, "and of a range"),
    GS_BLOCK("SENT", 0x4000, 16, 0, "what counter i has dispatched"),
    GS_REGISTER("VALUE", 0x0, GS_READ, "in the last dispatch"),
    GS_REGISTER("LOW", 0x8, GS_READ, "bits 31..0 of its total; keeps the rest for HIGH"),
    GS_REGISTER("HIGH", 0xc, GS_READ, "bits 63..32 as they were when LOW was read"),
};

static const gs_register_map registers =
    GS_REGISTER_MAP("stats", "the Statistics Module", 0x4d545301, 5, 15, rows);

/* What the setup is written from. */
typedef struct setup {
    const void *unit;
    const char *program;
} setup;

static void write_setup(FILE *to, const void *self)
{
    const setup *s = self;
    unsigned ranges;
    const gs_stats *chosen = gs_stats_chosen(s->unit, &ranges);
    fprintf(to,
            "/* What the Statistics Module is to count of %s: for stats.h */\n"
            "#include <stdint.h>\n\n#define STATS_INTERVAL %" PRIu32 "u\n\n"
            "static const uint32_t stats_ranges[%u][2] = {\n",
            s->program, chosen->interval, ranges);
    for (unsigned i = 0; i < ranges; i++)
        fprintf(to, "    {0x%08" PRIx32 ", 0x%08" PRIx32 "},\n", chosen->range[i].first,
                chosen->range[i].last);
    fprintf(to, "};\n\nstatic const uint32_t stats_selectors[%u] = {\n", chosen->count);
    for (unsigned i = 0; i < chosen->count; i++)
        fprintf(to, "    0x%02x%02x, /* %s */\n", chosen->range_of[i], chosen->signal_of[i],
                gs_stats_signal_key(chosen->signal_of[i]));
    fprintf(to, "};\n");
}

static void boot(gs_hardware *h, const void *unit)
{
    unsigned ranges;
    const gs_stats *chosen = gs_stats_chosen(unit, &ranges);
    for (unsigned i = 0; i < ranges; i++) {
        const uint32_t at = GS_STATS_RANGE + GS_STATS_RANGE_STRIDE * i;
        gs_hardware_boot(h, at + GS_STATS_FIRST, chosen->range[i].first);
        gs_hardware_boot(h, at + GS_STATS_LAST, chosen->range[i].last);
    }
    for (unsigned i = 0; i < chosen->count; i++)
        gs_hardware_boot(h, GS_STATS_SELECTOR + GS_STATS_SELECTOR_STRIDE * i,
                         (uint32_t)chosen->range_of[i] << 8 | chosen->signal_of[i]);
    gs_hardware_boot(h, GS_STATS_INTERVAL, chosen->interval);
    gs_hardware_boot(h, GS_STATS_CONTROL, GS_STATS_CLEAR | GS_STATS_RUN);
}

static gs_status describe(gs_hardware *h, const void *how, const gs_unit_context *context,
                          gs_error *err)
{
    const gs_stats_config *c = how;
    uint64_t least = c->counters + 4; /* until a dispatch is over */
    if (c->interval > 0 && c->interval < least)
        return gs_fail(err, GS_E_ARGUMENT,
                       "stats: with %" PRIu64
                       " counters, the hardware takes an interval of %" PRIu64
                       " clocks at least, or none; not %" PRIu64,
                       c->counters, least, c->interval);
    void *unit;
    gs_status status = gs_unit_open(&unit, &gs_unit_stats, how, context, NULL, err);
    if (status != GS_OK)
        return status;
    gs_hardware_parameter(h, "COUNTERS", "how many there are", "%" PRIu64, c->counters);
    gs_hardware_parameter(h, "RANGES", "address range registers", "%" PRIu64, c->ranges);
    gs_hardware_parameter(h, "WIDTH", "bits of a counter", "%" PRIu64, c->width);
    gs_hardware_isa(h, context);
    gs_hardware_add_file(h, "stats_setup.h",
                         "ranges and selectors, for firmware that writes them to the registers",
                         write_setup, &(setup){unit, gs_hardware_program(context)});
    boot(h, unit);
    gs_unit_close(&gs_unit_stats, unit);
    return GS_OK;
}

const gs_unit_hardware gs_stats_hardware = {
    .module = "statsmod",
    .network = "live",
    .includes = (const char *const[]){NULL},
    .registers = &registers,
    .run_options = (const char *const[]){NULL},
    .describe = describe,
};
