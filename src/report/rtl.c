/* Makes the files of a unit's configuration: Verilog, headers, memories, documentation. */
#include "report/rtl.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/plain.h"
#include "base/vec.h"
#include "gumshoe/live.h"
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
           add_written(rtl, d, "registers", ".md", write_registers_page,
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

/* Every Verilog file, for a tool's command line. */
static bool add_list(gs_rtl *rtl)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return false;
    for (size_t i = 0; i < rtl->files.count; i++) {
        const char *name = rtl->files.items[i].name;
        if (strcmp(name + strlen(name) - 2, ".v") == 0)
            fprintf(to, "%s\n", name);
    }
    return fclose(to) == 0 &&
           add(rtl, "files.f", text, "all Verilog files, for `verilator -f` and others");
}

static void print_readme(FILE *to, const gs_rtl *rtl, const gs_rtl_design *d)
{
    fprintf(to, "# %s for %s\n\n", d->unit->registers->title, d->program);
    if (d->command)
        fprintf(to, "Written by `%s`.\n\n", d->command);
    fprintf(to,
            "`%s.v` is the unit with its parameters set, `%s_example.v` shows it beside a core.\n"
            "Registers: %s.\n\n| parameter | value | |\n|---|---|---|\n",
            d->module, d->module, d->bus->text);
    for (size_t i = 0; i < d->hardware->parameters.count; i++) {
        const gs_hardware_value *value = &d->hardware->parameters.items[i];
        fprintf(to, "| `%s` | `%s` | %s |\n", value->name, value->value, value->text);
    }
    fprintf(to, "\n| file | |\n|---|---|\n");
    for (size_t i = 0; i < rtl->files.count; i++) {
        if (rtl->files.items[i].about)
            fprintf(to, "| `%s` | %s |\n", rtl->files.items[i].name, rtl->files.items[i].about);
    }
    fprintf(to,
            "\nThe other Verilog files are the unit itself. To have it looked at:\n\n"
            "    verilator --lint-only -Wall lint.vlt -f files.f --top-module %s_example\n"
            "    iverilog -g2005 -t null -f files.f\n"
            "    yosys -p 'read_verilog -I. *.v; synth_ice40 -top %s'\n",
            d->module, d->module);
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

static bool make_files(gs_rtl *rtl, const gs_rtl_design *d)
{
    const gs_embedded *waivers = gs_embedded_find("units", "lint.vlt");
    bool good =
        add_written(rtl, d, d->module, ".v", gs_rtl_write_module, "the unit with its parameters") &&
        add_written(rtl, d, d->module, "_example.v", gs_rtl_write_example, "how it is connected") &&
        (d->bus->network || (add_program_files(rtl, d->hardware) && add_firmware(rtl, d))) &&
        add(rtl, "lint.vlt", strdup(waivers->text), "waivers for Verilator, with reasons");
    good = good && add_sources(rtl, d->top);
    for (size_t i = 0; good && d->unit->includes[i]; i++)
        good = add_source(rtl, gs_rtl_source(d->unit->includes[i]));
    if (d->bus->adapter)
        good = good && add_sources(rtl, d->bus->adapter);
    return good && add_list(rtl) && add_readme(rtl, d);
}

/* --- the design --- */

static gs_status find_bus(gs_rtl_design *d, const char *name, gs_error *err)
{
    for (size_t i = 0; i < sizeof buses / sizeof *buses && !d->bus; i++) {
        if (!name || strcmp(buses[i].name, name) == 0)
            d->bus = &buses[i];
    }
    if (!d->bus)
        return gs_fail(err, GS_E_ARGUMENT,
                       "there is no bus '%.40s'; there are plain, wishbone, axi4lite and udp",
                       name);
    d->top = d->bus->network ? d->unit->network : d->unit->module;
    return d->top ? GS_OK
                  : gs_fail(err, GS_E_ARGUMENT, "%s cannot be on a network, only stats can",
                            d->kind->name);
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

static gs_status make(gs_rtl *rtl, gs_rtl_design *d, const void *config,
                      const gs_unit_context *context, gs_error *err)
{
    gs_hardware hardware = {0};
    gs_status status = d->unit->describe(&hardware, config, context, err);
    if (status == GS_OK && d->bus->network)
        status = name_program(&hardware, context->image, err);
    d->hardware = &hardware;
    if (status == GS_OK && (hardware.no_memory || !make_files(rtl, d)))
        status = gs_fail_no_memory(err);
    gs_hardware_fini(&hardware);
    return status;
}

gs_status gs_rtl_make(gs_rtl **out, size_t kind, const char *options, const gs_image *image,
                      const gs_rtl_options *how, gs_error *err)
{
    const gs_unit_kind *k = gs_unit_at(kind);
    gs_unit_context context = {
        .image = image, .isa = gs_isa_for(gs_image_arch(image)), .core = how->core};
    gs_arena arena = {0};
    char own[NAME_LENGTH_MAX];
    *out = NULL;
    if (!k->hardware)
        return gs_fail(err, GS_E_ARGUMENT, "there is no Verilog of %s", k->name);
    char *program = printable(gs_hardware_program(&context)), *command = printable(how->command);
    gs_rtl_design d = {
        .kind = k,
        .unit = k->hardware,
        .program = program,
        .command = command,
    };
    gs_rtl *rtl = calloc(1, sizeof *rtl);
    void *config = gs_arena_alloc(&arena, k->config_size);
    gs_status status = find_bus(&d, how->bus, err);
    if (status == GS_OK) {
        snprintf(own, sizeof own, "%s_configured", d.top);
        d.module = how->module ? how->module : own;
        status = check_module(d.module, err);
    }
    if (status == GS_OK && (!rtl || !config || !program || (how->command && !command)))
        status = gs_fail_no_memory(err);
    if (status == GS_OK)
        status =
            gs_options_parse(config, k->options, k->option_count, k->name, options, &arena, err);
    if (status == GS_OK)
        status = make(rtl, &d, config, &context, err);
    gs_arena_free(&arena);
    free(program);
    free(command);
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
