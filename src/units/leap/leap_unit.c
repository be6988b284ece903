/*
 * LEAP as a unit: its options, and its way through a run.
 */
#include "units/leap/leap_unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "units/hardware.h"

typedef gs_leap_config config;
typedef gs_leap_unit unit;

static const char *const counts[] = {
#define AMOUNT(name, key, text) key,
#include "units/amounts.def"
#undef AMOUNT
#define COUNT(name, key, text) key,
#include "units/leap/counts.def"
#undef COUNT
    NULL};
static const char *const fulls[] = {"wrap", "shift", NULL};
static const char *const overflows[] = {"oldest", "newest", NULL};

static const gs_unit_option options[] = {
    GS_NUMBER(config, functions, "functions", "N",
              "entries of the counter storage, a power of two; auto: as the program needs",
              .min = 1, .max = GS_LEAP_ENTRIES_MAX, .power_of_two = true, .zero = "auto"),
    GS_CHOICE(config, count, "count", "WHAT",
              "cycles, instructions, stalls, cache-stalls, i-stalls, d-stalls, energy, loops, "
              "branches, calls",
              counts, GS_LEAP_COUNT_CYCLES),
    GS_NUMBER(config, width, "width", "BITS", "of a counter, 16 to 64; 32", .fallback = 32,
              .min = 16, .max = 64),
    GS_CHOICE(config, full, "full", "HOW",
              "a counter that is full begins again (wrap) or halves all counters (shift)", fulls,
              GS_LEAP_WRAP),
    GS_FLAG(config, hierarchical, "hier", "count a function with all it calls"),
    GS_NUMBER(config, depth, "depth", "N", "frames of the call stack; 32", .fallback = 32, .min = 1,
              .max = 65536),
    GS_CHOICE(config, overflow, "overflow", "WHICH",
              "a full stack loses its oldest frame, or the newest", overflows, GS_LEAP_LOSE_OLDEST),
    GS_FLAG(config, tagged, "tagged",
            "entries know their function's address: calls elsewhere count for none"),
    GS_LIST(config, only, "only", "FUNCTION",
            "list this function, and no others but those named so; all without it"),
};

static void fini(void *self)
{
    unit *u = self;
    gs_leap_audit_fini(&u->audit);
    gs_leap_fini(&u->leap);
    gs_leap_fini(&u->ideal);
    gs_leap_listing_fini(&u->listing);
}

static gs_leap_parameters parameters_of(const unit *u)
{
    const config *c = u->config;
    return (gs_leap_parameters){
        .hash = &u->listing.hash,
        .tags = c->tagged ? u->listing.tags : NULL,
        .isa = u->context.isa,
        .core = u->context.core,
        .count = (gs_leap_count)c->count,
        .width = (unsigned)c->width,
        .full = (gs_leap_full)c->full,
        .hierarchical = c->hierarchical,
        .depth = (uint32_t)c->depth,
        .overflow = (gs_leap_overflow)c->overflow,
    };
}

static gs_status make_hardware(unit *u, gs_error *err)
{
    gs_leap_parameters parameters = parameters_of(u);
    if (!gs_leap_init(&u->leap, &parameters))
        return gs_fail_no_memory(err);
    parameters.width = 64;
    parameters.full = GS_LEAP_WRAP;
    if (!gs_leap_init(&u->ideal, &parameters) ||
        !gs_leap_audit_init(&u->audit, u->context.image, &u->ideal, u->listing.function_of))
        return gs_fail_no_memory(err);
    return GS_OK;
}

static gs_status init(void *self, const void *how, const gs_unit_context *context,
                      const void *before, gs_error *err)
{
    unit *u = self;
    const config *c = how;
    (void)before;
    if (c->count == GS_LEAP_COUNT_ENERGY && !(context->core && context->core->energy.group_count))
        return gs_fail(err, GS_E_ARGUMENT, "leap: %s has no energy table to count by",
                       context->core ? context->core->name : "a run without a core");
    u->context = *context;
    u->config = c;
    gs_status status = gs_leap_list(&u->listing, c, context->image, err);
    if (status == GS_OK)
        status = gs_leap_number(&u->listing, context->image, err);
    if (status == GS_OK)
        status = make_hardware(u, err);
    return status;
}

static void beat(void *self, const gs_port *port)
{
    unit *u = self;
    gs_leap_event event;
    gs_leap_beat(&u->leap, port, &event);
    gs_leap_follow(&u->ideal, port, &event);
    gs_leap_audit_beat(&u->audit, &u->ideal, &event, port);
}

static void finish(void *self)
{
    unit *u = self;
    gs_leap_event event;
    bool more = true;
    while (gs_leap_drain(&u->leap, &event))
        continue;
    while (more) {
        more = gs_leap_drain(&u->ideal, &event);
        gs_leap_audit_drain(&u->audit, &u->ideal, &event);
    }
}

static gs_status report(void *self, const gs_truth *truth, gs_result *result, gs_error *err)
{
    return gs_leap_report(self, truth, result, err);
}

static gs_status print_hash(FILE *to, const void *how, const gs_unit_context *context,
                            const char *format, gs_error *err)
{
    static const struct {
        const char *name;
        void (*write)(FILE *to, const gs_leap_hash *hash, const char *name);
    } formats[] = {
        {"text", gs_leap_hash_write_text},
        {"c", gs_leap_hash_write_c},
        {"verilog", gs_leap_hash_write_memory},
    };
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (strcmp(formats[i].name, format) != 0)
            continue;
        gs_leap_listing l = {0};
        const char *name = gs_image_name(context->image), *slash = strrchr(name, '/');
        gs_status status = gs_leap_list(&l, how, context->image, err);
        if (status == GS_OK)
            formats[i].write(to, &l.hash, slash ? slash + 1 : name);
        gs_leap_listing_fini(&l);
        return status;
    }
    return gs_fail(err, GS_E_ARGUMENT, "leap: a hash is printed as text, c or verilog, not '%.40s'",
                   format);
}

static const gs_unit_print prints[] = {
    {.name = "hash",
     .argument = "FORMAT",
     .program = true,
     .help = "the parameters of the address hash, as text, c (a header) or verilog ($readmemh)",
     .print = print_hash},
};

const gs_unit_kind gs_unit_leap = {
    GS_UNIT_KIND(leap, "LEAP: follows calls and returns, a counter per function"),
    .prints = prints,
    .print_count = sizeof prints / sizeof *prints,
    .finish = finish,
};
