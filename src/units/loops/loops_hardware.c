/*
 * The loop detector in Verilog, rtl/units/loopcache: its registers, and its parameters.
 */
#include <inttypes.h>

#include "gumshoe/firmware/loops_registers.h"
#include "units/hardware.h"
#include "units/loops/loops_unit.h"

static const gs_register_row rows[] = {
    GS_REGISTERS_ID_AND_CONFIG,
    GS_FIELD("ENTRIES", 16, 16, "of the cache"),
    GS_FIELD("WAYS", 8, 8, "of a set"),
    GS_FIELD("WIDTH", 0, 8, "bits of a frequency"),
    GS_REGISTER("CONTROL", 0x08, GS_READ_WRITE, "what it does"),
    GS_FIELD("RUN", 0, 1, "listens to the trace port; 0 after reset"),
    GS_FIELD("CLEAR", 1, 1, "written 1: clears everything; reads 0"),
    GS_FIELD("END", 2, 1, "written 1, with RUN 0: releases the coalescing registers; reads 0"),
    GS_BLOCK("ENTRY", 0x2000, 8, 0, "an entry of the cache, set by set"),
    GS_REGISTER("ADDRESS", 0x0, GS_READ, "address of the branch of entry i; 0 if there is none"),
    GS_FIELD("VALID", 0, 1, "there is one"),
    GS_REGISTER("FREQUENCY", 0x4, GS_READ, "how frequent it is"),
};

static const gs_register_map registers =
    GS_REGISTER_MAP("loops", "the frequent loop detector", 0x43504c01, 14, 14, rows);

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
    gs_hardware_boot(h, GS_LOOPS_CONTROL, GS_LOOPS_RUN);
    return GS_OK;
}

const gs_unit_hardware gs_loops_hardware = {
    .module = "loopcache",
    .includes = (const char *const[]){NULL},
    .registers = &registers,
    .run_options = (const char *const[]){"explore", "accuracy", NULL},
    .describe = describe,
};
