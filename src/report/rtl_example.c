/*
 * How a module is connected: an example beside a core with RVFI, and the page that says the rest.
 */
#include <string.h>

#include "report/rtl.h"

enum { PORT_LATENCY = 2 }; /* rvfi_port.v: from RVFI to the trace port */

static bool is_trace_port(const gs_rtl_port *port)
{
    return strncmp(port->name, "trace_", 6) == 0;
}

/* rvfi_port's output for an input of the trace port: the same name with another end. */
static bool comes_from_rvfi(const gs_rtl_port *port)
{
    gs_rtl_port of_port[GS_RTL_PORTS_MAX];
    size_t count = gs_rtl_ports(gs_rtl_source("rvfi_port.v"), of_port);
    for (size_t i = 0; is_trace_port(port) && i < count; i++) {
        if (of_port[i].output && strncmp(of_port[i].name, port->name, strlen(port->name) - 1) == 0)
            return true;
    }
    return false;
}

static void declare(FILE *to, const gs_rtl_port *port)
{
    fprintf(to, "    %s wire %-6s %s", port->output ? "output" : "input ", port->range, port->name);
}

static void connect(FILE *to, const gs_rtl_port *port, const char *with)
{
    fprintf(to, "        .%s(%s)", port->name, with);
}

/* Without the end that says which way it goes. */
static const char *wire_of(const gs_rtl_port *port, char wire[48])
{
    snprintf(wire, 48, "%.*s", (int)strlen(port->name) - 2, port->name);
    return wire;
}

static void print_ports(FILE *to, const gs_rtl_design *d)
{
    gs_rtl_port ports[GS_RTL_PORTS_MAX];
    size_t count = gs_rtl_design_ports(d, ports);
    for (size_t i = 0; i < count; i++) {
        if (comes_from_rvfi(&ports[i]))
            continue;
        declare(to, &ports[i]);
        fprintf(to, ",\n");
    }
    count = gs_rtl_ports(gs_rtl_source("rvfi_port.v"), ports);
    fprintf(to, "    input  wire        core_rst_ni");
    for (size_t i = 0; i < count; i++) {
        if (ports[i].output || strcmp(ports[i].name, "clk_i") == 0 ||
            strcmp(ports[i].name, "rst_ni") == 0)
            continue;
        fprintf(to, ",\n");
        declare(to, &ports[i]);
    }
}

static void print_port(FILE *to)
{
    gs_rtl_port ports[GS_RTL_PORTS_MAX];
    char wire[48];
    size_t count = gs_rtl_ports(gs_rtl_source("rvfi_port.v"), ports);
    for (size_t i = 0; i < count; i++) {
        if (ports[i].output)
            fprintf(to, "    wire %-6s %s;\n", ports[i].range, wire_of(&ports[i], wire));
    }
    fprintf(to, "\n    rvfi_port #(.LATENCY(LATENCY), .ORDER(ORDER)) port (\n");
    for (size_t i = 0; i < count; i++) {
        connect(to, &ports[i],
                strcmp(ports[i].name, "rst_ni") == 0 ? "core_rst_ni"
                : ports[i].output                    ? wire_of(&ports[i], wire)
                                                     : ports[i].name);
        fprintf(to, i + 1 < count ? ",\n" : "\n    );\n\n");
    }
}

static void print_unused(FILE *to)
{
    gs_rtl_port ports[GS_RTL_PORTS_MAX];
    char wire[48];
    size_t count = gs_rtl_ports(gs_rtl_source("rvfi_port.v"), ports);
    fprintf(to, "    wire unused = &{1'b0");
    for (size_t i = 0; i < count; i++) {
        if (ports[i].output)
            fprintf(to, ",\n        %s", wire_of(&ports[i], wire));
    }
    fprintf(to, "};\n");
}

void gs_rtl_write_example(FILE *to, const gs_rtl_design *d)
{
    gs_rtl_port ports[GS_RTL_PORTS_MAX];
    char wire[48];
    size_t count = gs_rtl_design_ports(d, ports);
    fprintf(to,
            "// SPDX-License-Identifier: Apache-2.0\n"
            "// %s_example - %s beside a core that speaks RVFI, the RISC-V formal interface.\n"
            "//\n"
            "// README.md says how LATENCY, ORDER, start_i and stall_i are set for known cores.\n"
            "`default_nettype none\n"
            "module %s_example #(\n"
            "    parameter LATENCY = 1,\n"
            "    parameter ORDER = 1\n"
            ") (\n",
            d->module, d->module, d->module);
    print_ports(to, d);
    fprintf(to, "\n);\n");
    print_port(to);
    fprintf(to, "    %s profiler (\n", d->module);
    for (size_t i = 0; i < count; i++) {
        connect(to, &ports[i],
                comes_from_rvfi(&ports[i]) ? wire_of(&ports[i], wire) : ports[i].name);
        fprintf(to, i + 1 < count ? ",\n" : "\n    );\n");
    }
    print_unused(to);
    fprintf(to, "endmodule\n`default_nettype wire\n");
}

/* --- README.md --- */

static void print_parameters(FILE *to, const gs_rtl_design *d)
{
    fprintf(to, "\n| parameter | value | |\n|---|---|---|\n");
    for (size_t i = 0; i < d->hardware->parameters.count; i++) {
        const gs_hardware_value *value = &d->hardware->parameters.items[i];
        fprintf(to, "| `%s` | `%s` | %s |\n", value->name, value->value, value->text);
    }
}

void gs_rtl_write_readme_head(FILE *to, const gs_rtl_design *d)
{
    fprintf(to, "# %s for %s\n\n", d->parts ? "On-chip profilers" : d->unit->registers->title,
            d->program);
    if (d->command)
        fprintf(to, "Written by `%s`.\n\n", d->command);
    fprintf(to,
            "`%s.v` is the unit with its parameters set, `%s_example.v` shows it beside a core.\n",
            d->module, d->module);
    fprintf(to, "Registers: %s.\n", d->bus->text);
    if (!d->parts) {
        print_parameters(to, d);
        return;
    }
    for (size_t i = 0; i < d->part_count; i++) {
        const gs_rtl_design *p = &d->parts[i];
        fprintf(to, "\n## %s\n\nModule `%s`, registers from 0x%06zx on.\n",
                p->unit->registers->title, p->module, i << GS_RTL_WINDOW_BITS);
        print_parameters(to, p);
    }
}

void gs_rtl_write_readme_tail(FILE *to, const gs_rtl_design *d)
{
    fprintf(
        to,
        "\nThe other Verilog files are the unit itself, in Verilog-2005.\n"
        "\n## Clock and reset\n\n"
        "One clock, `clk_i`, which is the core's and never gated: a core that sleeps does not end "
        "its clocks.\n"
        "`rst_ni` is low for reset, taken in with `clk_i`, for at least one clock. Every output of "
        "the registers is\n"
        "a flip-flop; inputs go to flip-flops, some through a little logic. There is no other "
        "clock, no latch and\n"
        "no asynchronous reset, so one constraint does: the period of `clk_i`.\n"
        "\n## The trace port\n\n"
        "In every clock `trace_valid_i` says that an instruction retires, or `trace_stall_valid_i` "
        "that none does and\n"
        "the core stalls. A clock with neither is not counted. **Cycles are counted from both**: "
        "with\n"
        "`trace_stall_valid_i` tied to 0 a cycle would be an instruction. A core that has no wire "
        "for stalls drives it\n"
        "with `counting && !trace_valid_i`, and any cause on `trace_stall_i`; only counters of "
        "single causes need the\n"
        "true one. Clocks belong to the instruction that ends them. `trace_trap_i` is 1 for one "
        "clock when control\n"
        "goes to a handler: with the last instruction before it, or in a clock between.\n"
        "\n## Beside a core with RVFI\n\n"
        "`rvfi_port.v` does all of that. In the example:\n\n"
        "| | |\n|---|---|\n"
        "| `core_rst_ni` | the core's reset, also when the core is reset alone. Clocks in it do "
        "not count |\n"
        "| `start_i` | **the first clock that counts is the first in which it is 1**; it need not "
        "stay. Tied to 1: the first after `core_rst_ni` |\n"
        "| `LATENCY` | clocks from the one in which an instruction retires to the one in which "
        "`rvfi_valid` says so |\n"
        "| `ORDER` | 0 for a core that has no `rvfi_order`, which is then tied to 0 |\n"
        "| `stall_i` | why the core stalls in this clock, if it says so; else any constant |\n\n"
        "| core | LATENCY | `start_i` | |\n|---|---|---|---|\n"
        "| PicoRV32 | 1 | 1 | with `RISCV_FORMAL` defined |\n"
        "| Ibex | 1 | 1 | with `RVFI` defined; the clock in front of its clock gate |\n"
        "| Hazard3 | 2 | the first request of the fetch port, `i_htrans[1]` | "
        "`hazard3_rvfi_monitor.vh` |\n\n"
        "docs/units/port.md of Gumshoe has other cores, and the reasons. Wires of caches and of "
        "prediction are not in\n"
        "RVFI: they go to the unit %d clocks later than the RVFI of their instruction, or are tied "
        "to 0.\n",
        PORT_LATENCY);
    if (d->boot)
        fprintf(
            to,
            "\n## Without software\n\n"
            "After reset `%s_boot.mem` is written to the registers, which sets the unit up for the "
            "program and\n"
            "starts it. `boot_done_o` is 1 then: hold the core in reset until it is. The bus gets "
            "the "
            "registers\n"
            "from then on. Tools look for the file from where they are run.\n",
            d->module);
    fprintf(to,
            "\n## To have it looked at\n\n"
            "    verilator --lint-only -Wall lint.vlt -f files.f --top-module %s_example\n"
            "    iverilog -g2005 -t null -f files.f\n"
            "    yosys -p 'read_verilog -I. *.v; synth_ice40 -top %s'\n",
            d->module, d->parts ? d->module : d->top);
}
