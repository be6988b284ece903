/*
 * The loop detector in Verilog, rtl/units/loopcache: its registers, and its parameters.
 */
#include <inttypes.h>

#include "units/hardware.h"
#include "units/loops/loops_unit.h"

#define R  GS_REGISTER_READ
#define RW (R | GS_REGISTER_WRITE)

static const gs_register_row rows[] = {
    GS_REGISTER("ID", 0x00, R, NULL),
    GS_REGISTER("CONFIG", 0x04, R, "how the unit is made"),
    GS_FIELD("ENTRIES", 16, 16, "of the cache"),
    GS_FIELD("WAYS", 8, 8, "of a set"),
    GS_FIELD("WIDTH", 0, 8, "bits of a frequency"),
    GS_REGISTER("CONTROL", 0x08, RW, "what it does"),
    GS_FIELD("RUN", 0, 1, "listens to the trace port; 0 after reset"),
    GS_FIELD("CLEAR", 1, 1, "written 1: clears everything; reads 0"),
    GS_FIELD("END", 2, 1, "written 1, with RUN 0: releases the coalescing registers; reads 0"),
    GS_BLOCK("ENTRY", 0x2000, 8, 0, "an entry of the cache, set by set"),
    GS_REGISTER("ADDRESS", 0x0, R, "address of the branch of entry i; 0 if there is none"),
    GS_FIELD("VALID", 0, 1, "there is one"),
    GS_REGISTER("FREQUENCY", 0x4, R, "how frequent it is"),
};

static const gs_register_map registers = {
    .unit = "loops",
    .title = "the frequent loop detector",
    .page = "docs/units/loops.md",
    .magic = 0x43504c01,
    .offset_bits = 14,
    .address_bits = 14,
    .rows = rows,
    .count = sizeof rows / sizeof *rows,
};

static gs_status describe(gs_hardware *h, const void *how, const gs_unit_context *context,
                          gs_error *err)
{
    gs_loops_parameters is;
    gs_status status = gs_loops_configure(&is, how, err);
    if (status != GS_OK)
        return status;
    gs_hardware_parameter(h, "ENTRIES", "of the cache", "%u", is.entries);
    gs_hardware_parameter(h, "WAYS", "of a set", "%u", is.ways);
    gs_hardware_parameter(h, "WIDTH", "bits of a frequency", "%u", is.width);
    gs_hardware_parameter(h, "INTERVAL", "every so many branches, one counts", "%u", is.interval);
    gs_hardware_parameter(h, "DISTANCE", "bytes back to the target, at most", "%" PRIu32,
                          is.distance);
    gs_hardware_parameter(h, "COALESCE", "1: repeated branches are counted outside the cache", "%d",
                          is.coalesce);
    gs_hardware_isa(h, context);
    return GS_OK;
}

const gs_unit_hardware gs_loops_hardware = {
    .module = "loopcache",
    .includes = (const char *const[]){NULL},
    .registers = &registers,
    .run_options = (const char *const[]){"explore", "accuracy", NULL},
    .describe = describe,
};
