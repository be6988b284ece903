// SPDX-License-Identifier: Apache-2.0
// leap_op_decoder - LEAP's Operation Decoder: takes in the trace port and tells what happens.
//
// The port goes into registers first. An operation comes out two clocks after its beat, with the
// address that it leads to. The first beat of all starts the profile, at its own address or begin_i; that
// comes out a clock before the beat itself, in which nothing else can be.
`default_nettype none
module leap_op_decoder #(
    parameter MIPS = 0,
    parameter COUNT = 0,                // trace_counts.vh, leap_counts.vh
    parameter [15:0] STALLS = 16'hffff, // by number of cause
    parameter AMOUNTS = 1,
    parameter GROUP_BITS = 1
) (
    input  wire                  clk_i,
    input  wire                  rst_ni,

    input  wire                  run_i,    // else the port is not heard
    input  wire                  begins_i, // the first beat is in the function at begin_i
    input  wire [31:0]           begin_i,
    input  wire                  drain_i,  // a return that no instruction made

    input  wire                  trace_valid_i,
    input  wire                  trace_trap_i,
    input  wire [31:0]           trace_pc_i,
    input  wire [31:0]           trace_next_pc_i,
    input  wire [31:0]           trace_insn_i,
    input  wire                  trace_stall_valid_i,
    input  wire [3:0]            trace_stall_i,

    output reg                   start_o,
    output reg                   call_o, // with ret_o: after the return
    output reg                   ret_o,
    output reg                   drain_o,  // the return is one of drain_i
    output reg  [AMOUNTS-1:0]    amount_o, // 0 or 1 of each
    output reg  [31:0]           target_o,

    output reg                   retires_o, // COUNT_ENERGY: an instruction, of this group
    output reg  [GROUP_BITS-1:0] group_o
);
    `include "trace_counts.vh"
    `include "leap_counts.vh"

    // The port in registers.
    reg        started_q, valid_q, trap_q, stalled_q;
    reg [3:0]  stall_q;
    reg [31:0] insn_q, pc_q, next_pc_q, straight_q;

    wire [31:0] length = MIPS == 0 && trace_insn_i[1:0] != 2'b11 ? 32'd2 : 32'd4;
    wire        start = trace_valid_i && run_i && !started_q;

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            started_q <= 1'b0;
            valid_q <= 1'b0;
            trap_q <= 1'b0;
            stalled_q <= 1'b0;
        end else begin
            started_q <= started_q || start;
            valid_q <= trace_valid_i && run_i;
            trap_q <= trace_trap_i;
            stalled_q <= trace_stall_valid_i && run_i;
        end
        stall_q <= trace_stall_i;
        insn_q <= trace_insn_i;
        pc_q <= trace_pc_i;
        next_pc_q <= trace_next_pc_i;
        straight_q <= trace_pc_i + length;
    end

    // What the instruction is, or with delay slots the one before it.
    wire call, if_taken, ret, branch, jump;
    wire [4:0] kind = {call, if_taken, ret, branch, jump};
    wire short;
    trace_flow #(.MIPS(MIPS)) flow (
        .insn_i(insn_q), .call_o(call), .if_taken_o(if_taken), .ret_o(ret), .branch_o(branch),
        .jump_o(jump), .short_o(short)
    );
    wire differs = next_pc_q != straight_q;

    wire [4:0]  effect;
    wire [31:0] from;
    wire        taken;
    generate
        if (MIPS != 0) begin : g_slot
            reg [4:0]  pending_q;
            reg [31:0] from_q;
            wire       in_slot = pending_q != 5'd0;
            wire       slot_follows = !in_slot && !differs;
            always @(posedge clk_i) begin
                if (!rst_ni || trap_q)
                    pending_q <= 5'd0;
                else if (valid_q)
                    pending_q <= slot_follows ? kind : 5'd0;
                if (valid_q)
                    from_q <= pc_q;
            end
            // A likely branch that is not taken leaves its slot out.
            assign effect = !valid_q || slot_follows ? 5'd0 : in_slot ? pending_q : kind;
            assign from = in_slot ? from_q : pc_q;
            assign taken = in_slot && differs;
        end else begin : g_no_slot
            assign effect = valid_q ? kind : 5'd0;
            assign from = pc_q;
            assign taken = differs;
        end
    endgenerate
    wire effect_call = effect[4] && (taken || !effect[3]);
    wire backwards = next_pc_q <= from;

    wire counted_stall = stalled_q && STALLS[stall_q];
    wire [1:0] amount =
        COUNT == COUNT_CYCLES       ? {1'b0, valid_q || stalled_q} :
        COUNT == COUNT_INSTRUCTIONS ? {1'b0, valid_q} :
        COUNT == COUNT_STALLS       ? {1'b0, counted_stall} :
        COUNT == COUNT_ENERGY       ? {counted_stall, valid_q || (stalled_q && !counted_stall)} :
        COUNT == COUNT_LOOPS        ? {1'b0, backwards && (effect[0] || (effect[1] && taken))} :
        COUNT == COUNT_BRANCHES     ? {effect[1] && !taken, effect[1] && taken} : 2'b00;

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            start_o <= 1'b0;
            call_o <= 1'b0;
            ret_o <= 1'b0;
            drain_o <= 1'b0;
            amount_o <= {AMOUNTS{1'b0}};
        end else begin
            start_o <= start;
            call_o <= effect_call;
            ret_o <= effect[2] || drain_i;
            drain_o <= drain_i;
            amount_o <= amount[AMOUNTS-1:0];
        end
        target_o <= !start ? next_pc_q : begins_i ? begin_i : trace_pc_i;
    end

    wire [GROUP_BITS-1:0] group;
    generate
        if (COUNT == COUNT_ENERGY) begin : g_groups
            leap_groups groups (.insn_i(insn_q), .group_o(group));
        end else begin : g_no_groups
            assign group = {GROUP_BITS{1'b0}};
        end
    endgenerate
    always @(posedge clk_i) begin
        retires_o <= rst_ni && valid_q;
        group_o <= group;
    end

    // Not every instance has a use for all of it.
    wire unused = &{1'b0, short, trap_q, amount, from, backwards, stall_q};
endmodule
`default_nettype wire
