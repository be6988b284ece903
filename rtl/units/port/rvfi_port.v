// SPDX-License-Identifier: Apache-2.0
// rvfi_port - makes the trace port of what a core says over RVFI, the RISC-V formal interface, with NRET 1.
//
// docs/units/port.md has what known cores need. The trace port is two clocks behind RVFI, because an
// interrupt shows only with the handler's first instruction, and control went there before it.
`default_nettype none
module rvfi_port #(
    parameter LATENCY = 1, // clocks from the one in which an instruction retires to that of its rvfi_valid, 0 to 16
    parameter ORDER = 1    // 1: a beat with the order of the one before is the same one again; 0: there is no order
) (
    input  wire        clk_i,
    input  wire        rst_ni,  // the core's: clocks in which it is in reset are none
    input  wire        start_i, // the first clock that counts is the first in which it is 1
    input  wire [3:0]  stall_i, // why the core stalls in this clock, where it says so; see trace_stall_o

    input  wire        rvfi_valid,
    input  wire [63:0] rvfi_order,
    input  wire [31:0] rvfi_insn,
    input  wire        rvfi_trap,
    input  wire        rvfi_halt,
    input  wire        rvfi_intr,
    input  wire [31:0] rvfi_rs1_rdata,
    input  wire [31:0] rvfi_pc_rdata,
    input  wire [31:0] rvfi_pc_wdata,
    input  wire [31:0] rvfi_mem_addr,
    input  wire [3:0]  rvfi_mem_rmask,
    input  wire [3:0]  rvfi_mem_wmask,

    output reg         trace_valid_o,
    output reg         trace_trap_o,
    output reg  [31:0] trace_pc_o,
    output reg  [31:0] trace_next_pc_o,
    output reg  [31:0] trace_insn_o,
    output reg         trace_stall_valid_o,
    output reg  [3:0]  trace_stall_o,
    output reg         trace_mem_valid_o,
    output reg  [31:0] trace_mem_addr_o,
    output reg         trace_mem_read_o,
    output reg         trace_mem_write_o
);
    generate
        if (LATENCY < 0 || LATENCY > 16) begin : g_range
            rvfi_port_LATENCY_must_be_from_0_to_16 wrong ();
        end
    endgenerate

    // Whether the clock that RVFI speaks of counts, and why the core stalled in it.
    reg        started_q;
    wire       started = started_q || start_i;
    wire       counted;
    wire [3:0] cause;
    always @(posedge clk_i)
        started_q <= rst_ni && started;

    generate
        if (LATENCY == 0) begin : g_at_once
            assign counted = started;
            assign cause = stall_i;
        end else begin : g_later
            reg [LATENCY-1:0]   late_q;
            reg [4*LATENCY-1:0] causes_q;
            integer             i;
            always @(posedge clk_i) begin
                late_q[0] <= rst_ni && started;
                causes_q[3:0] <= stall_i;
                for (i = 1; i < LATENCY; i = i + 1) begin
                    late_q[i] <= rst_ni && late_q[i-1];
                    causes_q[4*i +: 4] <= causes_q[4*i-4 +: 4];
                end
            end
            assign counted = late_q[LATENCY-1];
            assign cause = causes_q[4*LATENCY-1 -: 4];
        end
    endgenerate

    // Cores leave masks set by others, by instruction fetches for one. So the instruction says whether it is
    // a load or a store, and the masks whether that got to memory.
    wire [1:0] quadrant = rvfi_insn[1:0];
    wire [2:0] row = rvfi_insn[15:13];
    wire [4:0] opcode = rvfi_insn[6:2];
    wire       wide = quadrant == 2'b11;
    wire       atomic = wide && opcode == 5'b01011;
    wire       reserves = atomic && rvfi_insn[31:27] == 5'b00010;
    wire       conditional = atomic && rvfi_insn[31:27] == 5'b00011;
    wire       bytes = quadrant == 2'b00 && row == 3'b100; // c.lbu to c.sh
    wire       list = quadrant == 2'b10 && row == 3'b101;  // cm.push to cm.popretz, or c.fsdsp
    wire       loads = (wide && (opcode == 5'b00000 || opcode == 5'b00001)) || (atomic && !conditional) ||
                       (!quadrant[0] && !row[2] && row[1:0] != 2'b00) || (bytes && !rvfi_insn[11]);
    wire       stores = (wide && (opcode == 5'b01000 || opcode == 5'b01001)) || (atomic && !reserves) ||
                        (!quadrant[0] && row[2] && row[1:0] != 2'b00) || (bytes && rvfi_insn[11]);
    wire       reads = loads && |rvfi_mem_rmask;
    wire       writes = stores && |rvfi_mem_wmask;
    // The last step of a list accesses nothing any more.
    wire       ends_list = list && rvfi_insn[12:11] == 2'b11 && !writes;

    // The address of the first byte: where a whole word was read for less, the instruction says which.
    wire [3:0] mask = reads ? rvfi_mem_rmask : rvfi_mem_wmask;
    wire       part = wide && opcode == 5'b00000 && rvfi_insn[13] == 1'b0 && &mask;
    wire [1:0] start_at = rvfi_rs1_rdata[1:0] + rvfi_insn[21:20];
    wire [1:0] lowest = mask[0] ? 2'd0 : mask[1] ? 2'd1 : mask[2] ? 2'd2 : 2'd3;
    wire [1:0] offset = rvfi_mem_addr[1:0] != 2'd0 ? rvfi_mem_addr[1:0] : part ? start_at : lowest;

    // A beat is there once, however long a gated clock holds it.
    reg         known_q, trapped_q, halted_q;
    reg  [63:0] order_q;
    wire        beat = rvfi_valid && !halted_q && !(ORDER != 0 && known_q && rvfi_order == order_q);
    wire        retires = counted && beat && !rvfi_trap;
    wire        traps = counted && beat && rvfi_trap && !rvfi_halt;
    wire        interrupts = counted && beat && rvfi_intr && !trapped_q;

    reg        clock_q, retires_q, traps_q, reads_q, writes_q, accesses_q;
    reg [3:0]  cause_q;
    reg [31:0] pc_q, next_pc_q, insn_q, address_q;
    always @(posedge clk_i) begin
        if (!rst_ni) begin
            {known_q, trapped_q, halted_q} <= 3'b000;
        end else if (beat) begin
            {known_q, trapped_q, halted_q} <= {1'b1, rvfi_trap, rvfi_halt};
        end
        if (beat)
            order_q <= rvfi_order;

        clock_q <= rst_ni && counted && !halted_q;
        retires_q <= rst_ni && retires;
        traps_q <= rst_ni && traps;
        cause_q <= cause;
        pc_q <= rvfi_pc_rdata;
        next_pc_q <= rvfi_pc_wdata;
        insn_q <= {wide ? rvfi_insn[31:16] : 16'd0, rvfi_insn[15:0]};
        accesses_q <= retires && (reads || writes);
        reads_q <= retires && (reads || (ends_list && rvfi_insn[10:9] != 2'b00));
        writes_q <= retires && (writes || (ends_list && rvfi_insn[10:9] == 2'b00));
        address_q <= {rvfi_mem_addr[31:2], offset};

        // With the instruction before it, or in a clock of its own, comes what interrupted.
        trace_valid_o <= rst_ni && retires_q;
        trace_trap_o <= rst_ni && (traps_q || interrupts);
        trace_pc_o <= pc_q;
        trace_next_pc_o <= next_pc_q;
        trace_insn_o <= insn_q;
        trace_stall_valid_o <= rst_ni && clock_q && !retires_q;
        trace_stall_o <= cause_q;
        trace_mem_valid_o <= accesses_q;
        trace_mem_addr_o <= address_q;
        trace_mem_read_o <= reads_q;
        trace_mem_write_o <= writes_q;
    end
    wire unused = &{1'b0, rvfi_rs1_rdata, rvfi_order, order_q, known_q};
endmodule
`default_nettype wire
