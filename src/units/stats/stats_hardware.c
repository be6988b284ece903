/*
 * The Statistics Module in Verilog, rtl/units/statsmod: its registers, its parameters, and what a
 * program is to write to it.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "units/hardware.h"
#include "units/stats/stats_unit.h"

#define R  GS_REGISTER_READ
#define W  GS_REGISTER_WRITE
#define RW (R | W)

static const gs_register_row rows[] = {
    GS_REGISTER("ID", 0x00, R, NULL),
    GS_REGISTER("CONFIG", 0x04, R, "how the unit is made"),
    GS_FIELD("NAIVE", 31, 1, "has a counter for every signal in every range"),
    GS_FIELD("MIPS", 24, 1, "decodes MIPS"),
    GS_FIELD("WIDTH", 16, 8, "bits of a counter"),
    GS_FIELD("RANGES", 8, 8, "address range registers"),
    GS_FIELD("COUNTERS", 0, 8, "counters"),
    GS_REGISTER("CONTROL", 0x08, RW, "what it does"),
    GS_FIELD("RUN", 0, 1, "listens to the trace port; 0 after reset"),
    GS_FIELD("CLEAR", 1, 1,
             "written 1: clears all counters, totals and the sequence, and starts the timer anew"),
    GS_FIELD("END", 2, 1, "written 1: ends the program; reads 1 up to the last dispatch"),
    GS_REGISTER(
        "INTERVAL", 0x0c, RW,
        "clocks from one dispatch to the next: 0, or at least 4 more than there are counters; "
        "writing it starts the timer anew"),
    GS_REGISTER("SEQUENCE", 0x10, R, "the number of the next datagram"),
    GS_REGISTER("SIGNALS", 0x14, R, "which signals there are, a bit each"),
    GS_BLOCK("RANGE", 0x1000, 8, 0, "address range register i"),
    GS_REGISTER("FIRST", 0x0, W, "the first address that counts"),
    GS_REGISTER("LAST", 0x4, W, "the last one"),
    GS_BLOCK("SELECTOR", 0x2000, 4, W, "what counter i counts; not with NAIVE"),
    GS_FIELD("SIGNAL_OF", 0, 5, "the number of a signal"),
    GS_FIELD("RANGE_OF", 8, 6, "and of a range"),
    GS_BLOCK("SENT", 0x4000, 16, 0, "what counter i has dispatched"),
    GS_REGISTER("VALUE", 0x0, R, "in the last dispatch"),
    GS_REGISTER("LOW", 0x8, R, "bits 31..0 of its total; keeps the rest for HIGH"),
    GS_REGISTER("HIGH", 0xc, R, "bits 63..32 as they were when LOW was read"),
};

static const gs_register_map registers = {
    .unit = "stats",
    .title = "the Statistics Module",
    .page = "docs/units/stats.md",
    .magic = 0x4d545301,
    .offset_bits = 5,
    .address_bits = 15,
    .rows = rows,
    .count = sizeof rows / sizeof *rows,
};

static void write_setup(FILE *to, const gs_stats *chosen, unsigned ranges, const char *program)
{
    fprintf(to,
            "/* What the Statistics Module is to count of %s: for stats.h */\n"
            "#include <stdint.h>\n\n#define STATS_INTERVAL %" PRIu32 "u\n\n"
            "static const uint32_t stats_ranges[%u][2] = {\n",
            program, chosen->interval, ranges);
    for (unsigned i = 0; i < ranges; i++)
        fprintf(to, "    {0x%08" PRIx32 ", 0x%08" PRIx32 "},\n", chosen->range[i].first,
                chosen->range[i].last);
    fprintf(to, "};\n\nstatic const uint32_t stats_selectors[%u] = {\n", chosen->count);
    for (unsigned i = 0; i < chosen->count; i++)
        fprintf(to, "    0x%02x%02x, /* %s */\n", chosen->range_of[i], chosen->signal_of[i],
                gs_stats_signal_key(chosen->signal_of[i]));
    fprintf(to, "};\n");
}

static void add_setup(gs_hardware *h, const void *unit, const gs_unit_context *context)
{
    unsigned ranges;
    const gs_stats *chosen = gs_stats_chosen(unit, &ranges);
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (!to) {
        h->no_memory = true;
        return;
    }
    write_setup(to, chosen, ranges, gs_hardware_program(context));
    fclose(to);
    gs_hardware_add_file(h, "stats_setup.h", text,
                         "ranges and selectors, for firmware that writes them to the registers");
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
    gs_status status = gs_unit_stats.open(&unit, how, context, NULL, err);
    if (status != GS_OK)
        return status;
    gs_hardware_parameter(h, "COUNTERS", "how many there are", "%" PRIu64, c->counters);
    gs_hardware_parameter(h, "RANGES", "address range registers", "%" PRIu64, c->ranges);
    gs_hardware_parameter(h, "WIDTH", "bits of a counter", "%" PRIu64, c->width);
    gs_hardware_isa(h, context);
    add_setup(h, unit, context);
    gs_unit_stats.free(unit);
    return GS_OK;
}

const gs_unit_hardware gs_stats_hardware = {
    .module = "statsmod",
    .includes = (const char *const[]){NULL},
    .registers = &registers,
    .run_options = (const char *const[]){NULL},
    .describe = describe,
};
