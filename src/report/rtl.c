/* Makes the files of a unit's configuration: Verilog, headers, memories, documentation. */
#include "report/rtl.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/plain.h"
#include "base/vec.h"
#include "gumshoe/live.h"
#include "gumshoe/version.h"
#include "isa/isa.h"

enum { NAME_LENGTH_MAX = 64 };

static const gs_rtl_bus buses[] = {
    {"plain", NULL, "the unit's own interface: valid, write, address and data, until ready", false},
    {"wishbone", "regs_wishbone", "Wishbone B4, classic cycles", false},
    {"axi4lite", "regs_axi4lite", "AXI4-Lite", false},
    {"udp", NULL,
     "none; it is set and read by UDP datagrams, in frames on an AXI4-Stream of bytes, which "
     "docs/live.md of Gumshoe specifies",
     true},
};

typedef struct file {
    char *name, *text;
    size_t size;
    const char *about; /* or NULL: one of the unit's sources */
} file;

struct gs_rtl {
    struct {
        file *items;
        size_t count, capacity;
    } files;
};

bool gs_rtl_exists(size_t kind)
{
    return gs_unit_at(kind)->hardware != NULL;
}

bool gs_rtl_takes(size_t kind, size_t option)
{
    const gs_unit_kind *k = gs_unit_at(kind);
    for (size_t i = 0; k->hardware->run_options[i]; i++) {
        if (strcmp(k->hardware->run_options[i], k->options[option].name) == 0)
            return false;
    }
    return true;
}

void gs_rtl_free(gs_rtl *rtl)
{
    if (!rtl)
        return;
    for (size_t i = 0; i < rtl->files.count; i++) {
        free(rtl->files.items[i].name);
        free(rtl->files.items[i].text);
    }
    free(rtl->files.items);
    free(rtl);
}

size_t gs_rtl_file_count(const gs_rtl *rtl)
{
    return rtl->files.count;
}

gs_rtl_file gs_rtl_file_at(const gs_rtl *rtl, size_t index)
{
    const file *f = &rtl->files.items[index];
    return (gs_rtl_file){f->name, f->text, f->size};
}

/* --- files --- */

/* Takes `text`. False when memory is out, as it was if `text` is NULL. */
static bool add(gs_rtl *rtl, const char *name, char *text, const char *about)
{
    file item = {strdup(name), text, text ? strlen(text) : 0, about};
    if (item.name && item.text && gs_vec_push(&rtl->files, item))
        return true;
    free(item.name);
    free(text);
    return false;
}

static bool has(const gs_rtl *rtl, const char *name)
{
    for (size_t i = 0; i < rtl->files.count; i++) {
        if (strcmp(rtl->files.items[i].name, name) == 0)
            return true;
    }
    return false;
}

static bool add_source(gs_rtl *rtl, const gs_embedded *source)
{
    return has(rtl, source->name) || add(rtl, source->name, strdup(source->text), NULL);
}

/* A source, and all it is made of. */
static bool add_sources(gs_rtl *rtl, const char *module)
{
    char name[NAME_LENGTH_MAX];
    size_t first = rtl->files.count;
    snprintf(name, sizeof name, "%s.v", module);
    if (!add_source(rtl, gs_rtl_source(name)))
        return false;
    for (size_t i = first; i < rtl->files.count; i++) {
        const gs_embedded *source = gs_rtl_source(rtl->files.items[i].name), *other;
        for (size_t j = 0; (other = gs_rtl_nth(j)); j++) {
            if (other != source && gs_rtl_needs(source, other) && !add_source(rtl, other))
                return false;
        }
    }
    return true;
}

typedef void writer(FILE *to, const gs_rtl_design *design);

/* In memory; NULL when that is out. */
static char *written(writer *write, const gs_rtl_design *design)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return NULL;
    write(to, design);
    if (fclose(to) == 0)
        return text;
    free(text);
    return NULL;
}

static void write_registers_page(FILE *to, const gs_rtl_design *d)
{
    fprintf(to, "# The registers of %s\n\nWords, at offsets in bytes.\n\n",
            d->unit->registers->title);
    gs_register_map_write(to, d->unit->registers, "markdown", NULL);
}

static void write_registers_header(FILE *to, const gs_rtl_design *d)
{
    gs_register_map_write(to, d->unit->registers, "c", NULL);
}

static bool add_written(gs_rtl *rtl, const gs_rtl_design *d, const char *stem, const char *suffix,
                        writer *write, const char *about)
{
    char name[2 * NAME_LENGTH_MAX];
    snprintf(name, sizeof name, "%s%s", stem, suffix);
    return add(rtl, name, written(write, d), about);
}

static bool add_firmware(gs_rtl *rtl, const gs_rtl_design *d)
{
    const char *unit = d->unit->registers->unit;
    char name[NAME_LENGTH_MAX];
    const gs_embedded *functions = gs_embedded_find("firmware", unit);
    snprintf(name, sizeof name, "%s.h", unit);
    return add_written(rtl, d, unit, "_registers.h", write_registers_header,
                       "the registers, for firmware") &&
           (!functions ||
            add(rtl, name, strdup(functions->text), "functions for firmware to use them")) &&
           add_written(rtl, d, unit, "_registers.md", write_registers_page,
                       "the registers, for people");
}

static bool add_program_files(gs_rtl *rtl, const gs_hardware *hardware)
{
    for (size_t i = 0; i < hardware->files.count; i++) {
        const gs_hardware_file *f = &hardware->files.items[i];
        if (!add(rtl, f->name, strdup(f->text), f->about))
            return false;
    }
    return true;
}

static bool is_called(const char *name, const char *end)
{
    const size_t length = strlen(name), tail = strlen(end);
    return length >= tail && strcmp(name + length - tail, end) == 0;
}

/* Files whose names end so, in CAPI2's list of a file set. */
static void list_files(FILE *to, const gs_rtl *rtl, const char *end, const char *suffix)
{
    for (size_t i = 0; i < rtl->files.count; i++) {
        if (is_called(rtl->files.items[i].name, end))
            fprintf(to, "      - %s%s\n", rtl->files.items[i].name, suffix);
    }
}

/* For FuseSoC. */
static bool add_core(gs_rtl *rtl, const gs_rtl_design *d)
{
    char *text = NULL, name[2 * NAME_LENGTH_MAX];
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return false;
    fprintf(to,
            "CAPI=2:\n# SPDX-License-Identifier: Apache-2.0\n"
            "name: gumshoe:profilers:%s:%s\n"
            "description: On-chip profilers, for a program that they are configured for\n\n"
            "filesets:\n  rtl:\n    files:\n",
            d->module, GUMSHOE_VERSION);
    list_files(to, rtl, ".v", "");
    list_files(to, rtl, ".vh", ": {is_include_file: true}");
    list_files(to, rtl, ".mem", ": {file_type: user, copyto: .}");
    fprintf(to, "    file_type: verilogSource-2005\n"
                "  waivers:\n    files:\n      - lint.vlt: {file_type: vlt}\n\n"
                "targets:\n  default: &default\n    filesets: [rtl]\n    toplevel: ");
    fprintf(to,
            "%s\n  lint:\n    <<: *default\n    filesets: [rtl, waivers]\n"
            "    toplevel: %s_example\n    default_tool: verilator\n    tools:\n      verilator:\n"
            "        mode: lint-only\n        verilator_options: [-Wall]\n",
            d->module, d->module);
    snprintf(name, sizeof name, "%s.core", d->module);
    return fclose(to) == 0 && add(rtl, name, text, "the same for FuseSoC");
}

/* Every Verilog file, for a tool's command line. */
static bool add_list(gs_rtl *rtl)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return false;
    for (size_t i = 0; i < rtl->files.count; i++) {
        if (is_called(rtl->files.items[i].name, ".v"))
            fprintf(to, "%s\n", rtl->files.items[i].name);
    }
    return fclose(to) == 0 &&
           add(rtl, "files.f", text, "all Verilog files, for `verilator -f` and others");
}

static void print_readme(FILE *to, const gs_rtl *rtl, const gs_rtl_design *d)
{
    gs_rtl_write_readme_head(to, d);
    fprintf(to, "\n| file | |\n|---|---|\n");
    for (size_t i = 0; i < rtl->files.count; i++) {
        if (rtl->files.items[i].about)
            fprintf(to, "| `%s` | %s |\n", rtl->files.items[i].name, rtl->files.items[i].about);
    }
    gs_rtl_write_readme_tail(to, d);
}

static bool add_readme(gs_rtl *rtl, const gs_rtl_design *d)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return false;
    print_readme(to, rtl, d);
    return fclose(to) == 0 && add(rtl, "README.md", text, "this page");
}

/* What a unit needs, whatever bus it is on. */
static bool add_unit(gs_rtl *rtl, const gs_rtl_design *d)
{
    bool good =
        add_written(rtl, d, d->module, ".v", gs_rtl_write_module, "the unit with its parameters") &&
        (d->bus->network || (add_program_files(rtl, d->hardware) && add_firmware(rtl, d))) &&
        add_sources(rtl, d->top);
    for (size_t i = 0; good && d->unit->includes[i]; i++)
        good = add_source(rtl, gs_rtl_source(d->unit->includes[i]));
    return good;
}

static bool add_units(gs_rtl *rtl, const gs_rtl_design *d)
{
    if (!d->parts)
        return add_unit(rtl, d);
    bool good = add_written(rtl, d, d->module, ".v", gs_rtl_write_set, "all units on one bus") &&
                add_written(rtl, d, d->module, ".h", gs_rtl_write_set_header,
                            "where each unit's registers lie, for firmware") &&
                add_sources(rtl, "regs_decoder");
    for (size_t i = 0; good && i < d->part_count; i++)
        good = add_unit(rtl, &d->parts[i]);
    return good;
}

static bool make_files(gs_rtl *rtl, const gs_rtl_design *d)
{
    const gs_embedded *waivers = gs_embedded_find("units", "lint.vlt");
    bool good =
        !d->boot || (add_written(rtl, d, d->module, "_boot.mem", gs_rtl_write_boot,
                                 "what is written to the registers after reset, for `$readmemh`") &&
                     add_sources(rtl, "regs_boot"));
    return good && add_units(rtl, d) && (!d->bus->adapter || add_sources(rtl, d->bus->adapter)) &&
           add_written(rtl, d, d->module, "_example.v", gs_rtl_write_example,
                       "how it is connected") &&
           add_sources(rtl, "rvfi_port") &&
           add(rtl, "lint.vlt", strdup(waivers->text), "waivers for Verilator, with reasons") &&
           add(rtl, "LICENSE", strdup(gs_embedded_find("units", "LICENSE")->text),
               "of all that is here") &&
           add_list(rtl) && add_core(rtl, d) && add_readme(rtl, d);
}

/* --- the design --- */

static gs_status find_bus(const gs_rtl_bus **bus, const char *name, gs_error *err)
{
    *bus = NULL;
    for (size_t i = 0; i < sizeof buses / sizeof *buses && !*bus; i++) {
        if (!name || strcmp(buses[i].name, name) == 0)
            *bus = &buses[i];
    }
    return *bus ? GS_OK
                : gs_fail(err, GS_E_ARGUMENT,
                          "there is no bus '%.40s'; there are plain, wishbone, axi4lite and udp",
                          name);
}

/* A Verilog identifier that is none of our modules'. */
static gs_status check_module(const char *name, gs_error *err)
{
    char source[NAME_LENGTH_MAX + 2];
    bool good = strlen(name) < NAME_LENGTH_MAX && (isalpha((unsigned char)*name) || *name == '_');
    for (const char *c = name; good && *c; c++)
        good = isalnum((unsigned char)*c) || *c == '_';
    if (!good)
        return gs_fail(err, GS_E_ARGUMENT,
                       "'%.64s' cannot name a module: letters, digits and _, and no digit first",
                       name);
    snprintf(source, sizeof source, "%s.v", name);
    if (gs_rtl_source(source))
        return gs_fail(err, GS_E_ARGUMENT, "a module of the unit is called '%s' already", name);
    return GS_OK;
}

/* Comments must not end early, whatever a program is called. */
static char *printable(const char *text)
{
    char *copy = text ? strdup(text) : NULL;
    if (copy)
        gs_plain_text(copy, "");
    return copy;
}

static void write_program(FILE *to, const void *self)
{
    const gs_live_program *program = self;
    fprintf(to, "128'h");
    for (size_t i = 0; i < sizeof program->bytes; i++)
        fprintf(to, "%02x", program->bytes[i]);
}

/* A device on a network says what it runs. */
static gs_status name_program(gs_hardware *hardware, const gs_image *image, gs_error *err)
{
    gs_live_program program;
    gs_status status = gs_live_program_read(&program, gs_image_name(image), err);
    if (status == GS_OK)
        gs_hardware_wire(hardware, "program_i", write_program, &program);
    return status;
}

/* What is asked for: its units, and the design that has them. */
typedef struct project {
    gs_arena arena;
    gs_unit_context context;
    gs_rtl_design design;
    gs_rtl_design parts[GS_RTL_UNITS_MAX];
    gs_hardware hardware[GS_RTL_UNITS_MAX];
    char *program, *command;
} project;

static void close_project(project *p)
{
    for (size_t i = 0; i < GS_RTL_UNITS_MAX; i++)
        gs_hardware_fini(&p->hardware[i]);
    gs_arena_free(&p->arena);
    free(p->program);
    free(p->command);
}

static gs_status name_module(gs_rtl_design *d, const char *name, gs_error *err)
{
    gs_status status = name ? check_module(name, err) : GS_OK;
    if (status == GS_OK && name)
        snprintf(d->module, sizeof d->module, "%s", name);
    else if (d->parts)
        snprintf(d->module, sizeof d->module, "profilers");
    else
        snprintf(d->module, sizeof d->module, "%s_configured", d->top);
    return status;
}

/* One of the units; `d` has the bus. */
static gs_status describe_unit(project *p, gs_rtl_design *d, const gs_rtl_unit *unit,
                               gs_hardware *hardware, gs_error *err)
{
    const gs_unit_kind *k = d->kind = gs_unit_at(unit->kind);
    d->unit = k->hardware;
    d->hardware = hardware;
    if (!k->hardware)
        return gs_fail(err, GS_E_ARGUMENT, "there is no Verilog of %s", k->name);
    d->top = d->bus->network ? d->unit->network : d->unit->module;
    if (!d->top)
        return gs_fail(err, GS_E_ARGUMENT, "%s cannot be on a network, only stats can", k->name);
    void *config = gs_arena_alloc(&p->arena, k->config_size);
    gs_status status = config ? gs_options_parse(config, k->options, k->option_count, k->name,
                                                 unit->options, &p->arena, err)
                              : gs_fail_no_memory(err);
    if (status == GS_OK)
        status = d->unit->describe(hardware, config, &p->context, err);
    if (status == GS_OK && d->bus->network)
        status = name_program(hardware, p->context.image, err);
    return status != GS_OK || !hardware->no_memory ? status : gs_fail_no_memory(err);
}

static gs_status check_set(const gs_rtl_unit *units, size_t count, const gs_rtl_bus *bus,
                           gs_error *err)
{
    if (count > GS_RTL_UNITS_MAX)
        return gs_fail(err, GS_E_ARGUMENT, "more than %d units", GS_RTL_UNITS_MAX);
    if (bus->network)
        return gs_fail(err, GS_E_ARGUMENT, "only one unit can be on a network, stats");
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (units[i].kind == units[j].kind)
                return gs_fail(err, GS_E_ARGUMENT, "%s is asked for twice",
                               gs_unit_at(units[i].kind)->name);
        }
    }
    return GS_OK;
}

static gs_status describe_set(project *p, const gs_rtl_unit *units, size_t count, gs_error *err)
{
    gs_rtl_design *d = &p->design;
    gs_status status = check_set(units, count, d->bus, err);
    d->parts = p->parts;
    d->part_count = count;
    for (size_t i = 0; i < count && status == GS_OK; i++) {
        gs_rtl_design *part = &p->parts[i];
        *part = (gs_rtl_design){.bus = &buses[0], .program = d->program, .command = d->command};
        status = describe_unit(p, part, &units[i], &p->hardware[i], err);
        if (status == GS_OK)
            status = name_module(part, NULL, err);
    }
    return status;
}

static gs_status describe(project *p, const gs_rtl_unit *units, size_t count,
                          const gs_rtl_options *how, gs_error *err)
{
    gs_rtl_design *d = &p->design;
    p->program = printable(gs_hardware_program(&p->context));
    p->command = printable(how->command);
    if (!p->program || (how->command && !p->command))
        return gs_fail_no_memory(err);
    d->program = p->program;
    d->command = p->command;
    gs_status status = find_bus(&d->bus, how->bus, err);
    if (status == GS_OK && how->boot && d->bus->network)
        status = gs_fail(err, GS_E_ARGUMENT, "over a network, there are no registers to boot");
    d->boot = how->boot;
    if (status == GS_OK)
        status = count > 1 ? describe_set(p, units, count, err)
                           : describe_unit(p, d, units, &p->hardware[0], err);
    return status == GS_OK ? name_module(d, how->module, err) : status;
}

gs_status gs_rtl_make(gs_rtl **out, const gs_rtl_unit *units, size_t count, const gs_image *image,
                      const gs_rtl_options *how, gs_error *err)
{
    gs_rtl *rtl = calloc(1, sizeof *rtl);
    project *p = calloc(1, sizeof *p);
    *out = NULL;
    gs_status status = rtl && p ? GS_OK : gs_fail_no_memory(err);
    if (status == GS_OK) {
        p->context = (gs_unit_context){
            .image = image, .isa = gs_isa_for(gs_image_arch(image)), .core = how->core};
        status = describe(p, units, count, how, err);
    }
    if (status == GS_OK && !make_files(rtl, &p->design))
        status = gs_fail_no_memory(err);
    if (p)
        close_project(p);
    free(p);
    if (status == GS_OK)
        *out = rtl;
    else
        gs_rtl_free(rtl);
    return status;
}

gs_status gs_rtl_write_registers(FILE *to, size_t kind, const char *format, gs_error *err)
{
    const gs_unit_kind *k = gs_unit_at(kind);
    if (!k->hardware)
        return gs_fail(err, GS_E_ARGUMENT, "there is no Verilog of %s", k->name);
    gs_status status = gs_register_map_write(to, k->hardware->registers, format, err);
    if (status == GS_OK && ferror(to))
        status = gs_fail(err, GS_E_IO, "cannot write the registers");
    return status;
}
