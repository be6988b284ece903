/*
 * LEAP in Verilog, rtl/units/leap: its registers, and its parameters and files for a program.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "timing/energy.h"
#include "gumshoe/firmware/leap_registers.h"
#include "units/hardware.h"
#include "units/leap/groups.h"
#include "units/leap/leap_unit.h"

static const gs_register_row rows[] = {
    GS_REGISTERS_ID_AND_CONFIG,
    GS_FIELD("WIDTH", 24, 8, "bits of a counter"),
    GS_FIELD("TAB_BITS", 16, 5, "log2 of the length of `tab`"),
    GS_FIELD("HALVES", 13, 1, "a full counter halves all"),
    GS_FIELD("NUMBER_BITS", 8, 5, "log2 N"),
    GS_FIELD("COUNT", 4, 4, "parameter `COUNT`"),
    GS_FIELD("MIPS", 3, 1, "decodes MIPS"),
    GS_FIELD("TAGGED", 2, 1, "entries have tags"),
    GS_FIELD("HIER", 1, 1, "hierarchical"),
    GS_FIELD("TWO_LANES", 0, 1, "two lanes"),
    GS_REGISTER("CONTROL", 0x08, GS_READ_WRITE, "what it does"),
    GS_FIELD("RUN", 0, 1, "listens to the trace port"),
    GS_FIELD("CLEAR", 1, 1,
             "written 1: clears all counters and the stack, and the next beat will be the first; "
             "reads 1 while that goes on"),
    GS_FIELD("DRAIN", 2, 1, "written 1, with RUN 0: ends the profile; reads 1 while that goes on"),
    GS_REGISTER("V", 0x0c, GS_WRITE, "parameter V of the hash"),
    GS_REGISTER("A1", 0x10, GS_WRITE, "parameter A1"),
    GS_REGISTER("B1", 0x14, GS_WRITE, "parameter B1"),
    GS_REGISTER("B2", 0x18, GS_WRITE, "parameter B2"),
    GS_REGISTER("LANE", 0x1c, GS_WRITE,
                "with more than two lanes: the one that LOW and HIGH are of"),
    GS_REGISTER("LANES", 0x20, GS_READ, "how many counters a function has"),
    GS_REGISTER("HALVED", 0x24, GS_READ,
                "how often all counters were halved: they count units of 2^HALVED"),
    GS_REGISTER(
        "BEGIN", 0x28, GS_WRITE,
        "an address: the first beat after CLEAR is in the function that begins there; CLEAR "
        "forgets it, and without it that is the beat's own address"),
    GS_BLOCK("TAB", 0x40000, 4, GS_WRITE, "entry i of `tab`"),
    GS_BLOCK("TAG", 0x80000, 4, GS_WRITE,
             "the address of the function with number i; with tags only"),
    GS_BLOCK("COUNTER", 0xc0000, 16, 0, "the counters of the function with number i"),
    GS_REGISTER("LOW", 0x0, GS_READ,
                "bits 31..0 of its counter; keeps the rest, of all lanes, for HIGH"),
    GS_REGISTER("HIGH", 0x4, GS_READ, "bits 63..32 as they were when LOW was read"),
    GS_REGISTER("LOW_2", 0x8, GS_READ, "the same of the second lane, if there is one"),
    GS_REGISTER("HIGH_2", 0xc, GS_READ, "the same of the second lane"),
};

static const gs_register_map registers = GS_REGISTER_MAP("leap", "LEAP", 0x50454c01, 6, 20, rows);

/* Groups are those of a core that the program is for. */
static gs_status check_energy(const gs_unit_context *context, gs_error *err)
{
    const gs_core *core = context->core;
    if (!core)
        return gs_fail(err, GS_E_ARGUMENT,
                       "leap: energy is counted by the groups of a core; --core names one");
    if (!gs_core_runs(core, gs_image_arch(context->image)))
        return gs_fail(err, GS_E_ARGUMENT, "leap: %s is no core for %s", core->name,
                       gs_hardware_program(context));
    if (core->energy.group_count == 0)
        return gs_fail(err, GS_E_ARGUMENT, "leap: %s has no energy table to count by", core->name);
    return GS_OK;
}

/* What the model can be and the hardware cannot. */
static gs_status check(const gs_leap_config *c, const gs_leap_hash *hash,
                       const gs_unit_context *context, gs_error *err)
{
    if (c->count == GS_LEAP_COUNT_ENERGY && check_energy(context, err) != GS_OK)
        return err->status;
    if (c->width % 16 != 0)
        return gs_fail(err, GS_E_ARGUMENT,
                       "leap: counters of the Verilog have 16, 32, 48 or 64 bits, not %" PRIu64,
                       c->width);
    if (c->depth < 2 || (c->depth & (c->depth - 1)) != 0)
        return gs_fail(err, GS_E_ARGUMENT,
                       "leap: the stack of the Verilog has a power of two of frames, at least 2, "
                       "not %" PRIu64,
                       c->depth);
    if (hash->entries > 1 << 14 || gs_leap_tab_length(hash) > 1 << 16)
        return gs_fail(err, GS_E_ARGUMENT,
                       "leap: the Verilog has room for 16384 functions and a table of 65536 "
                       "entries, not %" PRIu32 " and %" PRIu64 "; name some with --only",
                       hash->entries, gs_leap_tab_length(hash));
    return GS_OK;
}

static void describe_energy(gs_hardware *h, const gs_core_energy *energy)
{
    unsigned causes = 0;
    for (unsigned cause = 0; cause < GS_STALL_COUNT; cause++)
        causes |= (gs_energy_is_stall(energy, (gs_stall)cause) ? 1u : 0u) << cause;
    gs_hardware_parameter(h, "COUNT", "cycles by energy group, and stalls", "COUNT_ENERGY");
    gs_hardware_parameter(h, "STALLS", "the causes of stalls, a bit each", "16'h%04x", causes);
    gs_hardware_parameter(h, "GROUPS", "energy groups", "%u", energy->group_count);
}

static void describe_count(gs_hardware *h, gs_leap_count count, const gs_core *core)
{
    switch (count) {
    case GS_LEAP_COUNT_ENERGY: describe_energy(h, &core->energy); break;
    case GS_LEAP_COUNT_LOOPS:
        gs_hardware_parameter(h, "COUNT", "iterations of loops", "COUNT_LOOPS");
        break;
    case GS_LEAP_COUNT_BRANCHES:
        gs_hardware_parameter(h, "COUNT", "branches taken and not taken", "COUNT_BRANCHES");
        break;
    case GS_LEAP_COUNT_CALLS:
        gs_hardware_parameter(h, "COUNT", "calls of the function", "COUNT_CALLS");
        break;
    default: gs_hardware_count(h, (gs_amount)count); break;
    }
}

/* Which counter belongs to which function. */
static void write_functions(FILE *to, const gs_leap_listing *l, const gs_image *image)
{
    fprintf(to, "number,address,name\n");
    for (uint32_t i = 0; i < l->hash.entries; i++) {
        if (l->function_of[i] >= gs_image_function_count(image))
            continue;
        const gs_function *function = gs_image_function(image, l->function_of[i]);
        fprintf(to, "%" PRIu32 ",0x%08" PRIx32 ",", i, (uint32_t)function->start);
        fputc('"', to);
        for (const char *c = function->name; *c; c++) {
            if (*c == '"')
                fputc('"', to);
            fputc(*c, to);
        }
        fprintf(to, "\"\n");
    }
}

static void write_tags(FILE *to, const gs_leap_listing *l)
{
    fprintf(to,
            "\n/* Addresses by function number; 1 for none. */\nstatic const uint32_t "
            "leap_tags[%" PRIu32 "] = {\n",
            l->hash.entries);
    for (uint32_t i = 0; i < l->hash.entries; i++)
        fprintf(to, "    0x%08" PRIx32 ",\n", l->tags[i]);
    fprintf(to, "};\n");
}

/* What the files are written from. */
typedef struct source {
    const gs_leap_config *config;
    const gs_leap_listing *listing;
    const gs_unit_context *context;
} source;

static void write_header(FILE *to, const void *self)
{
    const source *s = self;
    gs_leap_hash_write_c(to, &s->listing->hash, gs_hardware_program(s->context));
    if (s->config->tagged)
        write_tags(to, s->listing);
}

static void write_memory(FILE *to, const void *self)
{
    const source *s = self;
    gs_leap_hash_write_memory(to, &s->listing->hash, gs_hardware_program(s->context));
}

static void write_numbers(FILE *to, const void *self)
{
    const source *s = self;
    write_functions(to, s->listing, s->context->image);
}

static void write_groups(FILE *to, const void *self)
{
    const source *s = self;
    gs_leap_write_groups(to, s->context->core, s->context->isa);
}

static void write_costs(FILE *to, const void *self)
{
    const source *s = self;
    gs_leap_write_costs(to, s->context->core);
}

static void add_files(gs_hardware *h, const source *s)
{
    static const struct {
        const char *name, *about;
        gs_hardware_writer *write;
        bool energy; /* only in an energy profile */
    } files[] = {
        {"leap_hash.h", "the program's hash, for firmware that writes it to the registers",
         write_header, false},
        {"leap_hash.mem", "the same for a testbench, for `$readmemh`", write_memory, false},
        {"leap_functions.csv", "which function has which number", write_numbers, false},
        {"leap_groups.v", "which instruction is in which energy group", write_groups, true},
        {"leap_energy.h", "what a cycle of each lane costs, for firmware", write_costs, true},
    };
    for (unsigned i = 0; i < sizeof files / sizeof *files; i++) {
        if (!files[i].energy || s->config->count == GS_LEAP_COUNT_ENERGY)
            gs_hardware_add_file(h, files[i].name, files[i].about, files[i].write, s);
    }
}

static void boot(gs_hardware *h, const gs_leap_listing *l, bool tagged)
{
    gs_hardware_boot(h, GS_LEAP_V, l->hash.v);
    gs_hardware_boot(h, GS_LEAP_A1, l->hash.a1);
    gs_hardware_boot(h, GS_LEAP_B1, l->hash.b1);
    gs_hardware_boot(h, GS_LEAP_B2, l->hash.b2);
    for (uint32_t i = 0; i < gs_leap_tab_length(&l->hash); i++)
        gs_hardware_boot(h, GS_LEAP_TAB + GS_LEAP_TAB_STRIDE * i, l->hash.tab[i]);
    for (uint32_t i = 0; tagged && i < l->hash.entries; i++)
        gs_hardware_boot(h, GS_LEAP_TAG + GS_LEAP_TAG_STRIDE * i, l->tags[i]);
    gs_hardware_boot(h, GS_LEAP_CONTROL, GS_LEAP_RUN);
}

static gs_status describe(gs_hardware *h, const void *how, const gs_unit_context *context,
                          gs_error *err)
{
    const gs_leap_config *c = how;
    gs_leap_config larger = *c;
    gs_leap_listing l = {0};
    gs_status status = gs_leap_list(&l, c, context->image, err);
    if (status == GS_OK && l.hash.entries < 2) {
        larger.functions = 2; /* the least that the hardware can have */
        gs_leap_listing_fini(&l);
        l = (gs_leap_listing){0};
        status = gs_leap_list(&l, &larger, context->image, err);
    }
    if (status == GS_OK)
        status = check(c, &l.hash, context, err);
    if (status == GS_OK)
        status = gs_leap_number(&l, context->image, err);
    if (status == GS_OK) {
        uint64_t functions = l.hash.entries, length = gs_leap_tab_length(&l.hash);
        gs_hardware_parameter(h, "N", "functions", "%" PRIu64, functions);
        gs_hardware_parameter(h, "CW", "bits of a counter", "%" PRIu64, c->width);
        /* Room for another program's hash, too. */
        gs_hardware_parameter(h, "TAB", "entries of the hash's table", "%" PRIu64,
                              length > functions ? length : functions);
        gs_hardware_parameter(h, "DEPTH", "frames of the stack", "%" PRIu64, c->depth);
        gs_hardware_parameter(h, "NEWEST", "1: a full stack loses its newest frame", "%d",
                              c->overflow == GS_LEAP_LOSE_NEWEST);
        gs_hardware_parameter(h, "HIER", "1: a function counts with all it calls", "%d",
                              c->hierarchical);
        gs_hardware_parameter(h, "TAGGED", "1: entries know their function's address", "%d",
                              c->tagged);
        gs_hardware_parameter(h, "HALVE", "1: a full counter halves all; 0: it begins again", "%d",
                              c->full == GS_LEAP_SHIFT);
        describe_count(h, (gs_leap_count)c->count, context->core);
        gs_hardware_isa(h, context);
        add_files(h, &(source){c, &l, context});
        boot(h, &l, c->tagged);
    }
    gs_leap_listing_fini(&l);
    return status;
}

const gs_unit_hardware gs_leap_hardware = {
    .module = "leap",
    .includes = (const char *const[]){"trace_counts.vh", "leap_counts.vh", NULL},
    .registers = &registers,
    .run_options = (const char *const[]){NULL},
    .describe = describe,
};
