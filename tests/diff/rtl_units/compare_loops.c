/* The loop detector: its configuration for the Verilog, and the cache's entries of both. */
#include <stddef.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/error.h"
#include "compare.h"
#include "gumshoe/firmware/loops_registers.h"
#include "units/hardware.h"
#include "units/loops/loops.h"

typedef struct config {
    uint64_t entries, ways, width, interval, distance;
    bool plain;
} config;

#define NUMBER(field, value, most)                                                   \
    {                                                                                \
        .name = #field, .type = GS_OPTION_NUMBER, .offset = offsetof(config, field), \
        .fallback = value, .min = 1, .max = most,                                    \
    }

static const gs_unit_option options[] = {
    NUMBER(entries, 32, GS_LOOPS_MAX),
    NUMBER(ways, 2, GS_LOOPS_MAX),
    NUMBER(width, 24, 32),
    NUMBER(interval, 1, 65536),
    NUMBER(distance, 1024, INT32_MAX),
    {.name = "no-coalescing", .type = GS_OPTION_FLAG, .offset = offsetof(config, plain)},
};

static gs_status open(comparison *c, const char *text, gs_error *err)
{
    config how;
    gs_arena arena = {0};
    gs_status status = gs_options_parse(&how, options, sizeof options / sizeof *options, "loops",
                                        text, &arena, err);
    gs_arena_free(&arena);
    if (status != GS_OK)
        return status;
    gs_loops_parameters parameters = {
        .entries = (unsigned)how.entries,
        .ways = (unsigned)how.ways,
        .width = (unsigned)how.width,
        .interval = (unsigned)how.interval,
        .distance = (uint32_t)how.distance,
        .coalesce = !how.plain,
    };
    c->model = malloc(sizeof(gs_loops));
    if (!c->model)
        return gs_fail_no_memory(err);
    gs_loops_reset(c->model, &parameters);
    compare_register(c, "register", GS_LOOPS_ID, GS_LOOPS_ID, GS_LOOPS_MAGIC);
    compare_write(c, GS_LOOPS_CONTROL, GS_LOOPS_RUN);
    return GS_OK;
}

static void beat(comparison *c, const gs_port *port)
{
    gs_loops_beat(c->model, port, c->context.isa);
}

static void compare_entries(comparison *c)
{
    const gs_loops *loops = c->model;
    for (unsigned i = 0; i < loops->is.entries; i++) {
        const gs_loops_entry *entry = &loops->cache[i];
        uint32_t entry_at = GS_LOOPS_ENTRY + GS_LOOPS_ENTRY_STRIDE * i;
        compare_register(c, "address of entry", i, entry_at + GS_LOOPS_ADDRESS,
                         entry->address | entry->valid);
        compare_register(c, "frequency of entry", i, entry_at + GS_LOOPS_FREQUENCY,
                         entry->frequency);
    }
}

static void finish(comparison *c)
{
    gs_loops *loops = c->model;
    compare_write(c, GS_LOOPS_CONTROL, 0);
    compare_entries(c);
    gs_loops_end(loops);
    compare_write(c, GS_LOOPS_CONTROL, GS_LOOPS_END);
    compare_entries(c);
    gs_loops_parameters parameters = loops->is;
    gs_loops_reset(loops, &parameters);
    compare_write(c, GS_LOOPS_CONTROL, GS_LOOPS_CLEAR);
    compare_entries(c);
    const register_extent extents[] = {{"ENTRY", loops->is.entries, false}, {NULL, 0, false}};
    compare_decoding(c, gs_loops_hardware.registers, extents);
}

static void free_model(comparison *c)
{
    free(c->model);
}

const comparison_kind compare_loops = {
    .name = "loops", .open = open, .beat = beat, .finish = finish, .free = free_model};
