/*
 * The module with its parameters set, and one that has several of them behind one bus. Ports are
 * found in the unit's source and its bus adapter's, so that they cannot differ.
 */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "report/rtl.h"

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static size_t ports_of(const char *module, gs_rtl_port ports[GS_RTL_PORTS_MAX])
{
    char file[64];
    snprintf(file, sizeof file, "%s.v", module);
    const gs_embedded *source = gs_rtl_source(file);
    return source ? gs_rtl_ports(source, ports) : 0;
}

/* Those of the unit that are the module's as well: all but what is wired and, behind an adapter,
 * the registers. */
static bool passes(const gs_rtl_design *d, const gs_rtl_port *port)
{
    for (size_t i = 0; i < d->hardware->wires.count; i++) {
        if (strcmp(d->hardware->wires.items[i].name, port->name) == 0)
            return false;
    }
    return !d->bus->adapter || !begins(port->name, "reg_");
}

/* Of the adapter: towards the bus. */
static bool faces_bus(const gs_rtl_port *port)
{
    return begins(port->name, "s_") || begins(port->name, "wb_");
}

unsigned gs_rtl_address_bits(const gs_rtl_design *d)
{
    unsigned bits = GS_RTL_WINDOW_BITS + 1;
    if (!d->parts)
        return d->unit->registers->address_bits;
    while (1u << (bits - GS_RTL_WINDOW_BITS) < d->part_count)
        bits++;
    return bits;
}

bool gs_rtl_is_register_port(const gs_rtl_port *port)
{
    return begins(port->name, "reg_");
}

static size_t append(const gs_rtl_design *d, const gs_rtl_port *port, gs_rtl_port *ports,
                     size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(ports[i].name, port->name) == 0)
            return count;
    }
    if (count == GS_RTL_PORTS_MAX)
        return count;
    ports[count] = *port;
    if (strcmp(port->range, "[ADDR_BITS-1:0]") == 0)
        snprintf(ports[count].range, sizeof ports->range, "[%u:0]", gs_rtl_address_bits(d) - 1);
    return count + 1;
}

size_t gs_rtl_design_ports(const gs_rtl_design *d, gs_rtl_port ports[GS_RTL_PORTS_MAX])
{
    gs_rtl_port all[GS_RTL_PORTS_MAX];
    size_t count = 0, found = d->parts ? 0 : ports_of(d->top, all);
    for (size_t i = 0; i < found; i++) {
        if (passes(d, &all[i]))
            count = append(d, &all[i], ports, count);
    }
    for (size_t part = 0; part < d->part_count; part++) {
        found = gs_rtl_design_ports(&d->parts[part], all);
        for (size_t i = 0; i < found; i++) {
            if (!gs_rtl_is_register_port(&all[i]))
                count = append(d, &all[i], ports, count);
        }
    }
    if (d->boot)
        count = append(d, &(gs_rtl_port){.output = true, .name = "boot_done_o"}, ports, count);
    const char *bus = d->bus->adapter ? d->bus->adapter : d->parts ? "regs_decoder" : NULL;
    found = bus ? ports_of(bus, all) : 0;
    for (size_t i = 0; i < found; i++) {
        if (d->bus->adapter ? faces_bus(&all[i]) : gs_rtl_is_register_port(&all[i]))
            count = append(d, &all[i], ports, count);
    }
    return count;
}

void gs_rtl_print_head(FILE *to, const gs_rtl_design *d, const char *what)
{
    gs_rtl_port ports[GS_RTL_PORTS_MAX];
    size_t count = gs_rtl_design_ports(d, ports);
    fprintf(to, "// SPDX-License-Identifier: Apache-2.0\n// %s - %s, for %s.\n", d->module, what,
            d->program);
    if (d->command)
        fprintf(to, "//\n// %s\n", d->command);
    fprintf(to, "`default_nettype none\nmodule %s (", d->module);
    for (size_t i = 0; i < count; i++)
        fprintf(to, "%s\n    %s wire %-6s %s", i ? "," : "", ports[i].output ? "output" : "input ",
                ports[i].range, ports[i].name);
    fprintf(to, "\n);\n");
}

/* What regs_boot stands in front of: all units, the first one's window lowest. */
static size_t print_boot(FILE *to, const gs_rtl_design *d)
{
    size_t writes = 0;
    for (size_t part = 0; part < (d->parts ? d->part_count : 1); part++) {
        const gs_hardware *h = d->parts ? d->parts[part].hardware : d->hardware;
        for (size_t i = 0; i < h->boot.count; i++, writes++) {
            if (to)
                fprintf(to, "%08zx%08" PRIx32 "\n",
                        h->boot.items[i].address + (part << GS_RTL_WINDOW_BITS),
                        h->boot.items[i].value);
        }
    }
    return writes;
}

void gs_rtl_write_boot(FILE *to, const gs_rtl_design *d)
{
    fprintf(to, "// What is written to the registers after reset, for %s: address and value.\n",
            d->program);
    (void)print_boot(to, d);
}

/* Between the bus, whose registers are reg_..., and the units, whose are booted_... */
static void print_boot_instance(FILE *to, const gs_rtl_design *d)
{
    const char *side_i = d->bus->adapter ? "" : "_i", *side_o = d->bus->adapter ? "" : "_o";
    const unsigned bits = gs_rtl_address_bits(d);
    fprintf(
        to,
        "    wire booted_valid, booted_write, booted_ready, booted_error;\n"
        "    wire [%u:0] booted_addr;\n"
        "    wire [31:0] booted_wdata, booted_rdata;\n\n"
        "    regs_boot #(.ADDR_BITS(%u), .WRITES(%zu), .FILE(\"%s_boot.mem\")) boot (\n"
        "        .clk_i(clk_i), .rst_ni(rst_ni), .boot_done_o(boot_done_o),\n"
        "        .reg_valid_i(reg_valid%s), .reg_write_i(reg_write%s), .reg_addr_i(reg_addr%s),\n"
        "        .reg_wdata_i(reg_wdata%s), .reg_ready_o(reg_ready%s), .reg_error_o(reg_error%s),\n"
        "        .reg_rdata_o(reg_rdata%s), .unit_valid_o(booted_valid), "
        ".unit_write_o(booted_write),\n"
        "        .unit_addr_o(booted_addr), .unit_wdata_o(booted_wdata), "
        ".unit_ready_i(booted_ready),\n"
        "        .unit_error_i(booted_error), .unit_rdata_i(booted_rdata)\n"
        "    );\n\n",
        bits - 1, bits, print_boot(NULL, d), d->module, side_i, side_i, side_i, side_i, side_o,
        side_o, side_o);
}

static const char *wired(const gs_rtl_design *d, const char *name)
{
    for (size_t i = 0; d->hardware && i < d->hardware->wires.count; i++) {
        if (strcmp(d->hardware->wires.items[i].name, name) == 0)
            return d->hardware->wires.items[i].value;
    }
    return NULL;
}

static void print_parameters(FILE *to, const gs_hardware *hardware)
{
    for (size_t i = 0; i < hardware->parameters.count; i++) {
        const gs_hardware_value *value = &hardware->parameters.items[i];
        fprintf(to, "        .%s(%s)%s // %s\n", value->name, value->value,
                i + 1 < hardware->parameters.count ? "," : "", value->text);
    }
}

/* Behind an adapter: reg_valid_i of the unit and reg_valid_o of the adapter are reg_valid. */
static void print_connection(FILE *to, const gs_rtl_design *d, const char *name, bool first)
{
    const char *constant = wired(d, name);
    fprintf(to, "%s\n        .%s(", first ? "" : ",", name);
    if (constant)
        fprintf(to, "%s)", constant);
    else if (d->bus->adapter && begins(name, "reg_"))
        fprintf(to, "%.*s)", (int)strlen(name) - 2, name);
    else
        fprintf(to, "%s)", name);
}

void gs_rtl_print_adapter(FILE *to, const gs_rtl_design *d)
{
    gs_rtl_port ports[GS_RTL_PORTS_MAX];
    size_t count = ports_of(d->bus->adapter, ports);
    unsigned bits = gs_rtl_address_bits(d);
    fprintf(to,
            "    wire reg_valid, reg_write, reg_ready, reg_error;\n"
            "    wire [%u:0] reg_addr;\n"
            "    wire [31:0] reg_wdata, reg_rdata;\n\n",
            bits - 1);
    fprintf(to, "    %s #(.ADDR_BITS(%u)) bus (", d->bus->adapter, bits);
    for (size_t i = 0; i < count; i++)
        print_connection(to, d, ports[i].name, i == 0);
    fprintf(to, "\n    );\n\n");
}

void gs_rtl_write_module(FILE *to, const gs_rtl_design *d)
{
    gs_rtl_port ports[GS_RTL_PORTS_MAX];
    size_t count = ports_of(d->top, ports);

    gs_rtl_print_head(to, d, d->kind->summary);
    for (size_t i = 0; d->unit->includes[i]; i++)
        fprintf(to, "    `include \"%s\"\n", d->unit->includes[i]);
    if (d->unit->includes[0])
        fprintf(to, "\n");
    if (d->bus->adapter)
        gs_rtl_print_adapter(to, d);
    if (d->boot)
        print_boot_instance(to, d);
    fprintf(to, "    %s #(\n", d->top);
    print_parameters(to, d->hardware);
    fprintf(to, "    ) unit (");
    for (size_t i = 0; i < count; i++) {
        if (d->boot && gs_rtl_is_register_port(&ports[i]))
            fprintf(to, ",\n        .%s(booted_%.*s)", ports[i].name,
                    (int)strlen(ports[i].name) - 6, ports[i].name + 4);
        else
            print_connection(to, d, ports[i].name, i == 0);
    }
    fprintf(to, "\n    );\nendmodule\n`default_nettype wire\n");
}

/* --- several behind one bus --- */

/* A part's port; those of registers come in vectors, a bit or a word for each part. */
static void print_part_port(FILE *to, const gs_rtl_port *port, size_t part, unsigned address_bits)
{
    static const char *const shared[] = {"reg_write_i", "reg_wdata_i"};
    fprintf(to, "        .%s(", port->name);
    if (!gs_rtl_is_register_port(port))
        fprintf(to, "%s)", port->name);
    else if (strcmp(port->name, "reg_addr_i") == 0)
        fprintf(to, "unit_addr[%u:0])", address_bits - 1);
    else if (strcmp(port->name, shared[0]) == 0 || strcmp(port->name, shared[1]) == 0)
        fprintf(to, "unit_%.*s)", (int)strlen(port->name) - 6, port->name + 4);
    else if (strcmp(port->name, "reg_rdata_o") == 0)
        fprintf(to, "unit_rdata[%zu +: 32])", 32 * part);
    else
        fprintf(to, "unit_%.*s[%zu])", (int)strlen(port->name) - 6, port->name + 4, part);
}

static void print_decoder(FILE *to, const gs_rtl_design *d)
{
    const bool inside = d->bus->adapter || d->boot;
    const char *side_i = inside ? "" : "_i", *side_o = inside ? "" : "_o";
    const char *from = d->boot ? "booted" : "reg";
    const size_t units = d->part_count;
    fprintf(to,
            "    // Each unit's registers are in a window of their own, the first one's lowest.\n"
            "    wire [%zu:0] unit_valid, unit_ready, unit_error;\n"
            "    wire        unit_write;\n"
            "    wire [%d:0] unit_addr;\n"
            "    wire [31:0] unit_wdata;\n"
            "    wire [%zu:0] unit_rdata;\n\n"
            "    regs_decoder #(.UNITS(%zu), .ADDR_BITS(%u), .UNIT_BITS({",
            units - 1, GS_RTL_WINDOW_BITS - 1, 32 * units - 1, units, gs_rtl_address_bits(d));
    for (size_t i = units; i-- > 0;)
        fprintf(to, "8'd%u%s", d->parts[i].unit->registers->address_bits,
                i ? ", " : "})) decoder (\n");
    fprintf(
        to,
        "        .clk_i(clk_i), .rst_ni(rst_ni), .reg_valid_i(%s_valid%s),\n"
        "        .reg_write_i(%s_write%s), .reg_addr_i(%s_addr%s), .reg_wdata_i(%s_wdata%s),\n"
        "        .reg_ready_o(%s_ready%s), .reg_error_o(%s_error%s), .reg_rdata_o(%s_rdata%s),\n"
        "        .unit_valid_o(unit_valid), .unit_write_o(unit_write), .unit_addr_o(unit_addr),\n"
        "        .unit_wdata_o(unit_wdata), .unit_ready_i(unit_ready), .unit_error_i(unit_error),\n"
        "        .unit_rdata_i(unit_rdata)\n    );\n",
        from, side_i, from, side_i, from, side_i, from, side_i, from, side_o, from, side_o, from,
        side_o);
}

void gs_rtl_write_set(FILE *to, const gs_rtl_design *d)
{
    gs_rtl_port ports[GS_RTL_PORTS_MAX];
    gs_rtl_print_head(to, d, "on-chip profilers on one bus");
    if (d->bus->adapter)
        gs_rtl_print_adapter(to, d);
    if (d->boot)
        print_boot_instance(to, d);
    print_decoder(to, d);
    for (size_t part = 0; part < d->part_count; part++) {
        const gs_rtl_design *p = &d->parts[part];
        size_t count = gs_rtl_design_ports(p, ports);
        fprintf(to, "\n    %s %s (\n", p->module, p->kind->name);
        for (size_t i = 0; i < count; i++) {
            print_part_port(to, &ports[i], part, p->unit->registers->address_bits);
            fprintf(to, i + 1 < count ? ",\n" : "\n    );\n");
        }
    }
    fprintf(to, "    wire unused = &{1'b0, unit_addr};\nendmodule\n`default_nettype wire\n");
}

void gs_rtl_write_set_header(FILE *to, const gs_rtl_design *d)
{
    fprintf(to, "/* Where each unit's registers lie, in bytes from the first one of all. */\n");
    for (size_t i = 0; i < d->part_count; i++) {
        fprintf(to, "#define GS_PROFILERS_");
        for (const char *c = d->parts[i].kind->name; *c; c++)
            fputc(toupper((unsigned char)*c), to);
        fprintf(to, " 0x%06zxu\n", i << GS_RTL_WINDOW_BITS);
    }
}
