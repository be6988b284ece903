/*
 * The module with its parameters set, and an example of its use. Ports are found in the unit's
 * source and its bus adapter's, so that they cannot differ.
 */
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

static void print_range(FILE *to, const gs_rtl_design *d, const char *range)
{
    char own[32];
    snprintf(own, sizeof own, "[%u:0]", d->unit->registers->address_bits - 1);
    fprintf(to, "%-6s ", strcmp(range, "[ADDR_BITS-1:0]") == 0 ? own : range);
}

/* The ports of the module, each handed to `print`. */
static void each_port(FILE *to, const gs_rtl_design *d,
                      void (*print)(FILE *to, const gs_rtl_design *d, const gs_rtl_port *port))
{
    gs_rtl_port ports[GS_RTL_PORTS_MAX];
    size_t count = ports_of(d->top, ports);
    for (size_t i = 0; i < count; i++) {
        if (passes(d, &ports[i]))
            print(to, d, &ports[i]);
    }
    count = d->bus->adapter ? ports_of(d->bus->adapter, ports) : 0;
    for (size_t i = 0; i < count; i++) {
        if (faces_bus(&ports[i]))
            print(to, d, &ports[i]);
    }
}

/* A comma stands before each but clk_i, which is the first of every unit. */
static void declare(FILE *to, const gs_rtl_design *d, const gs_rtl_port *port)
{
    fprintf(to, "%s\n    %s wire ", strcmp(port->name, "clk_i") == 0 ? "" : ",",
            port->output ? "output" : "input ");
    print_range(to, d, port->range);
    fprintf(to, "%s", port->name);
}

static void print_head(FILE *to, const gs_rtl_design *d, const char *module, const char *what)
{
    fprintf(to, "// %s - %s, for %s.\n", module, what, d->program);
    if (d->command)
        fprintf(to, "//\n// %s\n", d->command);
    fprintf(to, "module %s (", module);
    each_port(to, d, declare);
    fprintf(to, "\n);\n");
}

static const char *wired(const gs_rtl_design *d, const char *name)
{
    for (size_t i = 0; i < d->hardware->wires.count; i++) {
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

static void print_adapter(FILE *to, const gs_rtl_design *d)
{
    gs_rtl_port ports[GS_RTL_PORTS_MAX];
    size_t count = ports_of(d->bus->adapter, ports);
    unsigned bits = d->unit->registers->address_bits;
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

    print_head(to, d, d->module, d->kind->summary);
    for (size_t i = 0; d->unit->includes[i]; i++)
        fprintf(to, "    `include \"%s\"\n", d->unit->includes[i]);
    if (d->unit->includes[0])
        fprintf(to, "\n");
    if (d->bus->adapter)
        print_adapter(to, d);
    fprintf(to, "    %s #(\n", d->top);
    print_parameters(to, d->hardware);
    fprintf(to, "    ) unit (");
    for (size_t i = 0; i < count; i++)
        print_connection(to, d, ports[i].name, i == 0);
    fprintf(to, "\n    );\nendmodule\n");
}

/* What a core that speaks RVFI puts on each wire of the trace port. Stalls and caches are beyond
 * RVFI. */
static const struct {
    const char *port, *value;
} rvfi[] = {
    {"trace_valid_i", "rvfi_valid && !rvfi_trap"},
    {"trace_trap_i", "rvfi_valid && rvfi_trap"},
    {"trace_pc_i", "rvfi_pc_rdata"},
    {"trace_next_pc_i", "rvfi_pc_wdata"},
    {"trace_insn_i", "rvfi_insn"},
    {"trace_mem_valid_i", "|rvfi_mem_rmask || |rvfi_mem_wmask"},
    {"trace_mem_addr_i", "rvfi_mem_addr"},
    {"trace_mem_read_i", "|rvfi_mem_rmask"},
    {"trace_mem_write_i", "|rvfi_mem_wmask"},
};

static const char *rvfi_value(const char *port)
{
    for (size_t i = 0; i < sizeof rvfi / sizeof *rvfi; i++) {
        if (strcmp(rvfi[i].port, port) == 0)
            return rvfi[i].value;
    }
    return NULL;
}

/* All but what comes from RVFI. */
static void declare_rest(FILE *to, const gs_rtl_design *d, const gs_rtl_port *port)
{
    if (!rvfi_value(port->name))
        declare(to, d, port);
}

static void connect(FILE *to, const gs_rtl_design *d, const gs_rtl_port *port)
{
    const char *value = rvfi_value(port->name);
    (void)d;
    fprintf(to, "%s\n        .%s(%s)", strcmp(port->name, "clk_i") == 0 ? "" : ",", port->name,
            value ? value : port->name);
}

void gs_rtl_write_example(FILE *to, const gs_rtl_design *d)
{
    fprintf(to,
            "// %s_example - %s beside a core that speaks RVFI, the RISC-V formal interface.\n"
            "//\n"
            "// RVFI knows nothing of stalls and caches: where the unit listens to them, the core "
            "says so\n"
            "// itself. docs/units/port.md of Gumshoe has the wires.\n"
            "module %s_example (",
            d->module, d->module, d->module);
    each_port(to, d, declare_rest);
    fprintf(to,
            ",\n    input  wire        rvfi_valid,\n"
            "    input  wire        rvfi_trap,\n"
            "    input  wire [31:0] rvfi_insn,\n"
            "    input  wire [31:0] rvfi_pc_rdata,\n"
            "    input  wire [31:0] rvfi_pc_wdata,\n"
            "    input  wire [31:0] rvfi_mem_addr,\n"
            "    input  wire [3:0]  rvfi_mem_rmask,\n"
            "    input  wire [3:0]  rvfi_mem_wmask\n"
            ");\n"
            "    %s profiler (",
            d->module);
    each_port(to, d, connect);
    fprintf(to, "\n    );\n"
                "    wire unused = &{1'b0, rvfi_trap, rvfi_insn, rvfi_pc_rdata, rvfi_pc_wdata, "
                "rvfi_mem_addr,\n"
                "                    rvfi_mem_rmask, rvfi_mem_wmask};\n"
                "endmodule\n");
}
