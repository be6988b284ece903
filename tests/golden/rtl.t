# On-chip profilers in Verilog, for a program.
$ gumshoe rtl
leap       LEAP: follows calls and returns, a counter per function
snoopp     SnoopP: a counter per address range, between comparators
stats      Statistics Module: any signal in any address range, at intervals
loops      Frequent loop detector: a cache of taken short backward branches

$ gumshoe rtl leap --for $PROGRAMS/rv32im/dhry.elf --functions 64 --count cache-stalls -o profiler && ls profiler
30 files in profiler, to start with README.md
LICENSE
README.md
files.f
leap.h
leap.v
leap_address_hash.v
leap_call_stack.v
leap_configured.core
leap_configured.v
leap_configured_example.v
leap_counter_storage.v
leap_counts.vh
leap_data_counter.v
leap_energy.v
leap_functions.csv
leap_groups.v
leap_halving.v
leap_hash.h
leap_hash.mem
leap_op_decoder.v
leap_registers.h
leap_registers.md
leap_registers.v
leap_registers.vh
leap_saved_values.v
leap_tags.v
lint.vlt
rvfi_port.v
trace_counts.vh
trace_flow.v

$ sed -n '/^    leap #(/,/) unit/p' profiler/leap_configured.v
    leap #(
        .N(64), // functions
        .CW(32), // bits of a counter
        .TAB(64), // entries of the hash's table
        .DEPTH(32), // frames of the stack
        .NEWEST(0), // 1: a full stack loses its newest frame
        .HIER(0), // 1: a function counts with all it calls
        .TAGGED(0), // 1: entries know their function's address
        .HALVE(0), // 1: a full counter halves all; 0: it begins again
        .COUNT(COUNT_STALLS), // cycles waiting for instructions or data from memory
        .STALLS(16'h0007), // the causes that count, a bit each
        .MIPS(0) // 1: MIPS; 0: RISC-V
    ) unit (

$ head -4 profiler/leap_functions.csv
number,address,name
3,0x80000250,"interest.isra.0"
10,0x800001c4,"make_order"
11,0x80000094,"next_letter"

$ gumshoe rtl snoopp --for $PROGRAMS/rv32im/dhry.elf --range main --range execute --bus wishbone --module watch -o ranges && cat ranges/watch.v
16 files in ranges, to start with README.md
// SPDX-License-Identifier: Apache-2.0
// watch - SnoopP: a counter per address range, between comparators, for dhry.elf.
//
// gumshoe rtl snoopp --for dhry.elf --range main --range execute --bus wishbone --module watch
`default_nettype none
module watch (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire        trace_valid_i,
    input  wire [31:0] trace_pc_i,
    input  wire        trace_stall_valid_i,
    input  wire [3:0]  trace_stall_i,
    input  wire        trace_mem_valid_i,
    input  wire [31:0] trace_mem_addr_i,
    input  wire        wb_cyc_i,
    input  wire        wb_stb_i,
    input  wire        wb_we_i,
    input  wire [3:0]  wb_sel_i,
    input  wire [14:0] wb_adr_i,
    input  wire [31:0] wb_dat_i,
    output wire        wb_ack_o,
    output wire        wb_err_o,
    output wire [31:0] wb_dat_o
);
    `include "trace_counts.vh"

    wire reg_valid, reg_write, reg_ready, reg_error;
    wire [14:0] reg_addr;
    wire [31:0] reg_wdata, reg_rdata;

    regs_wishbone #(.ADDR_BITS(15)) bus (
        .clk_i(clk_i),
        .rst_ni(rst_ni),
        .wb_cyc_i(wb_cyc_i),
        .wb_stb_i(wb_stb_i),
        .wb_we_i(wb_we_i),
        .wb_sel_i(wb_sel_i),
        .wb_adr_i(wb_adr_i),
        .wb_dat_i(wb_dat_i),
        .wb_ack_o(wb_ack_o),
        .wb_err_o(wb_err_o),
        .wb_dat_o(wb_dat_o),
        .reg_valid_o(reg_valid),
        .reg_write_o(reg_write),
        .reg_addr_o(reg_addr),
        .reg_wdata_o(reg_wdata),
        .reg_ready_i(reg_ready),
        .reg_error_i(reg_error),
        .reg_rdata_i(reg_rdata)
    );

    snoopp #(
        .N(2), // ranges
        .CW(64), // bits of a counter
        .COUNT(COUNT_CYCLES), // clock cycles
        .DATA(0), // 1: addresses are those of memory accesses
        .WRITABLE(0) // 1: bounds are registers, which begin as they are wired
    ) unit (
        .clk_i(clk_i),
        .rst_ni(rst_ni),
        .first_i({
            32'h80000268, // execute
            32'h800003cc // main
        }),
        .last_i({
            32'h800003cb, // execute
            32'h8000062b // main
        }),
        .trace_valid_i(trace_valid_i),
        .trace_pc_i(trace_pc_i),
        .trace_stall_valid_i(trace_stall_valid_i),
        .trace_stall_i(trace_stall_i),
        .trace_mem_valid_i(trace_mem_valid_i),
        .trace_mem_addr_i(trace_mem_addr_i),
        .reg_valid_i(reg_valid),
        .reg_write_i(reg_write),
        .reg_addr_i(reg_addr),
        .reg_wdata_i(reg_wdata),
        .reg_ready_o(reg_ready),
        .reg_error_o(reg_error),
        .reg_rdata_o(reg_rdata)
    );
endmodule
`default_nettype wire

$ gumshoe rtl leap --for $PROGRAMS/mips1el/dhry.elf --count energy --core tiger-mips -o energy && cat energy/leap_energy.h
31 files in energy, to start with README.md
#include <stdint.h>

/* What a cycle costs in femtojoules, by lane: groups of tiger-mips, and stalls. */
static const uint32_t leap_cycle_fj[7] = {
    1890800, /* A */
    2292800, /* B */
    2485600, /* C */
    2640800, /* D */
    2842800, /* E */
    3349600, /* F */
    1274000, /* stall */
};

$ sed -n '/^    leap #(/,/) unit/p' energy/leap_configured.v
    leap #(
        .N(32), // functions
        .CW(32), // bits of a counter
        .TAB(32), // entries of the hash's table
        .DEPTH(32), // frames of the stack
        .NEWEST(0), // 1: a full stack loses its newest frame
        .HIER(0), // 1: a function counts with all it calls
        .TAGGED(0), // 1: entries know their function's address
        .HALVE(0), // 1: a full counter halves all; 0: it begins again
        .COUNT(COUNT_ENERGY), // cycles by energy group, and stalls
        .STALLS(16'h0007), // the causes of stalls, a bit each
        .GROUPS(6), // energy groups
        .MIPS(1) // 1: MIPS; 0: RISC-V
    ) unit (

$ gumshoe rtl leap --for $PROGRAMS/mips1el/dhry.elf --count energy -o nothing
gumshoe rtl: leap: energy is counted by the groups of a core; --core names one
Try 'gumshoe rtl --help'.
[2]

$ gumshoe rtl leap --for $PROGRAMS/rv32im/dhry.elf --count energy --core tiger-mips -o nothing
gumshoe rtl: leap: tiger-mips is no core for dhry.elf
Try 'gumshoe rtl --help'.
[2]

$ gumshoe rtl leap --for $PROGRAMS/rv32im/dhry.elf --count energy --core flatfoot -o nothing
gumshoe rtl: leap: flatfoot has no energy table to count by
Try 'gumshoe rtl --help'.
[2]

$ gumshoe rtl leap --for $PROGRAMS/rv32im/dhry.elf --core nowhere -o nothing
gumshoe: there is no core 'nowhere'; built in are flatfoot, hazard3, ibex-small, ideal, mips-24kf, mips-4k, picorv32, picorv32-fast, risc5, risc5-exposed, rocket-rv32, tiger-mips, tiger-mips-b, tiger-mips-board, vexriscv, vliw-hexagon, vliw4, vliw4-dsp; a file's name ends in .yaml
[3]

$ gumshoe rtl stats --for $PROGRAMS/rv32im/dhry.elf --count cycle@main --count taken --interval 5000 -o stats && cat stats/stats_setup.h
22 files in stats, to start with README.md
/* What the Statistics Module is to count of dhry.elf: for stats.h */
#include <stdint.h>

#define STATS_INTERVAL 5000u

static const uint32_t stats_ranges[2][2] = {
    {0x800003cc, 0x8000062b},
    {0x00000000, 0xffffffff},
};

static const uint32_t stats_selectors[2] = {
    0x0000, /* cycle */
    0x0109, /* taken */
};

$ gumshoe rtl loops --registers markdown
| offset | name | | |
|---|---|---|---|
| 0x00 | ID | read | 0x43504c01 |
| 0x04 | CONFIG | read | how the unit is made |
| bits 31..16 | ENTRIES | | of the cache |
| bits 15..8 | WAYS | | of a set |
| bits 7..0 | WIDTH | | bits of a frequency |
| 0x08 | CONTROL | read, write | what it does |
| bit 0 | RUN | | listens to the trace port; 0 after reset |
| bit 1 | CLEAR | | written 1: clears everything; reads 0 |
| bit 2 | END | | written 1, with RUN 0: releases the coalescing registers; reads 0 |
| 0x2000 + 8 i | ADDRESS | read | address of the branch of entry i; 0 if there is none |
| bit 0 | VALID | | there is one |
| 0x2004 + 8 i | FREQUENCY | read | how frequent it is |

$ gumshoe rtl leap --for /etc/passwd -o nothing
gumshoe: /etc/passwd: is not an ELF file: give a RISC-V or MIPS ELF program
[3]

$ head -c 3000 $PROGRAMS/rv32im/dhry.elf > cut.elf; gumshoe rtl leap --for cut.elf -o nothing 2>&1 | cut -d: -f 1-3
gumshoe: cut.elf: is damaged or cut short

$ touch file; gumshoe rtl leap --for $PROGRAMS/rv32im/dhry.elf -o file
gumshoe: file: cannot write files there: Not a directory
[3]

$ gumshoe rtl leap --for $PROGRAMS/rv32im/dhry.elf -o no/such
gumshoe: no/such: cannot make this directory: No such file or directory
[3]

$ gumshoe rtl leap --for $PROGRAMS/rv32im/dhry.elf --functions 16 -o nothing
gumshoe rtl: leap: $PROGRAMS/rv32im/dhry.elf has 21 functions, more than 16 entries; functions=32 has room, or name some with only=FUNCTION
Try 'gumshoe rtl --help'.
[2]

$ gumshoe rtl leap --for $PROGRAMS/rv32im/dhry.elf --width 40 -o nothing
gumshoe rtl: leap: counters of the Verilog have 16, 32, 48 or 64 bits, not 40
Try 'gumshoe rtl --help'.
[2]

$ gumshoe rtl snoopp --for $PROGRAMS/rv32im/dhry.elf -o nothing
gumshoe rtl: snoopp: its ranges are wired: name them with --range; 'gumshoe unit snoopp PROGRAM' finds the hottest functions. With --writable they can be set later
Try 'gumshoe rtl --help'.
[2]

$ gumshoe rtl snoopp --for $PROGRAMS/rv32im/dhry.elf --hunt -o nothing
gumshoe rtl: snoopp has no option --hunt in Verilog
Try 'gumshoe rtl --help'.
[2]

$ gumshoe rtl stats --for $PROGRAMS/rv32im/dhry.elf --interval 11 -o nothing
gumshoe rtl: stats: with 8 counters, the hardware takes an interval of 12 clocks at least, or none; not 11
Try 'gumshoe rtl --help'.
[2]

$ gumshoe rtl leap --for $PROGRAMS/rv32im/dhry.elf --bus pci -o nothing
gumshoe rtl: there is no bus 'pci'; there are plain, wishbone, axi4lite and udp
Try 'gumshoe rtl --help'.
[2]

$ gumshoe rtl leap --for $PROGRAMS/rv32im/dhry.elf --module 4you -o nothing
gumshoe rtl: '4you' cannot name a module: letters, digits and _, and no digit first
Try 'gumshoe rtl --help'.
[2]

$ gumshoe rtl leap -o nothing
gumshoe rtl: --for PROGRAM says what is to be profiled
Try 'gumshoe rtl --help'.
[2]

$ gumshoe rtl leap --registers pdf
gumshoe rtl: registers are written as verilog, c or markdown, not 'pdf'
Try 'gumshoe rtl --help'.
[2]

$ ls nothing
ls: cannot access 'nothing': No such file or directory
[2]
