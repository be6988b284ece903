/*
 * SnoopP in Verilog, rtl/units/snoopp: its registers, and its parameters and bounds for a program.
 */
#include <inttypes.h>

#include "base/error.h"
#include "gumshoe/firmware/snoopp_registers.h"
#include "units/hardware.h"
#include "units/ranges.h"
#include "units/snoopp/snoopp_unit.h"

static const gs_register_row rows[] = {
    GS_REGISTERS_ID_AND_CONFIG,
    GS_FIELD("COUNTERS", 0, 16, "ranges in use"),
    GS_FIELD("WIDTH", 16, 8, "bits of a counter"),
    GS_FIELD("DATA", 24, 1, "counts memory accesses"),
    GS_FIELD("WRITABLE", 25, 1, "bounds can be written"),
    GS_REGISTER("CONTROL", 0x08, GS_READ_WRITE, "what it does"),
    GS_FIELD("RUN", 0, 1, "counts; 1 after reset"),
    GS_FIELD("RESET", 1, 1, "written 1: all counters become 0; reads 0"),
    GS_BLOCK("COUNTER", 0x100, 16, 0, "a range and its counter"),
    GS_REGISTER("LOW", 0x0, GS_READ_WRITE,
                "read: bits 31..0 of counter i, and keeps the rest for HIGH; write: reset"),
    GS_REGISTER("HIGH", 0x4, GS_READ_WRITE,
                "read: bits 63..32 as they were when LOW was read; write: reset"),
    GS_REGISTER(
        "FIRST", 0x8, GS_READ_WRITE,
        "the first address that counts; written only if WRITABLE, and while it does not run"),
    GS_REGISTER("LAST", 0xc, GS_READ_WRITE, "the last one"),
};

static const gs_register_map registers =
    GS_REGISTER_MAP("snoopp", "SnoopP", 0x504e5301, 15, 15, rows);

/* One bound of all ranges. */
typedef struct bounds {
    const gs_unit_range *ranges;
    size_t count;
    bool last;
} bounds;

/* Side by side, that of the first range lowest, as snoopp.v wants them. */
static void write_bounds(FILE *to, const void *self)
{
    const bounds *b = self;
    fprintf(to, "{");
    for (size_t i = b->count; i-- > 0;) {
        fprintf(to, "\n            32'h%08" PRIx32 "%s // ",
                b->last ? b->ranges[i].last : b->ranges[i].first, i ? "," : "");
        for (const char *c = b->ranges[i].name; *c; c++)
            fputc((unsigned char)*c < ' ' ? '?' : *c, to); /* a comment is one line */
    }
    fprintf(to, "\n        }");
}

static gs_status check(const gs_snoopp_config *c, gs_error *err)
{
    if (c->ranges.count == 0 && !c->writable)
        return gs_fail(
            err, GS_E_ARGUMENT,
            "snoopp: its ranges are wired: name them with --range; 'gumshoe unit snoopp "
            "PROGRAM' finds the hottest functions. With --writable they can be set later");
    return gs_snoopp_check(c, err);
}

static gs_status describe(gs_hardware *h, const void *how, const gs_unit_context *context,
                          gs_error *err)
{
    const gs_snoopp_config *c = how;
    gs_status status = check(c, err);
    if (status != GS_OK)
        return status;
    const size_t count = c->writable ? c->counters : c->ranges.count;
    gs_unit_range *ranges = gs_arena_alloc(&h->arena, count * sizeof *ranges);
    if (!ranges)
        return gs_fail_no_memory(err);
    for (size_t i = 0; i < count; i++)
        ranges[i] = (gs_unit_range){.first = 1, .last = 0, .name = "nothing"};
    for (size_t i = 0; i < c->ranges.count && status == GS_OK; i++)
        status = gs_range_parse(&ranges[i], c->ranges.items[i], context->image, c->data, "snoopp",
                                &h->arena, err);
    if (status != GS_OK)
        return status;
    gs_hardware_parameter(h, "N", "ranges", "%zu", count);
    gs_hardware_parameter(h, "CW", "bits of a counter", "%u", gs_snoopp_width(c));
    gs_hardware_count(h, (gs_amount)c->amount);
    gs_hardware_parameter(h, "DATA", "1: addresses are those of memory accesses", "%d", c->data);
    gs_hardware_parameter(h, "WRITABLE", "1: bounds are registers, which begin as they are wired",
                          "%d", c->writable);
    gs_hardware_wire(h, "first_i", write_bounds, &(bounds){ranges, count, false});
    gs_hardware_wire(h, "last_i", write_bounds, &(bounds){ranges, count, true});
    gs_hardware_boot(h, GS_SNOOPP_CONTROL, GS_SNOOPP_RUN);
    return GS_OK;
}

const gs_unit_hardware gs_snoopp_hardware = {
    .module = "snoopp",
    .includes = (const char *const[]){"trace_counts.vh", NULL},
    .registers = &registers,
    .run_options = (const char *const[]){"auto", "hunt", "threshold", "map", NULL},
    .describe = describe,
};
