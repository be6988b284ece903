// SPDX-License-Identifier: Apache-2.0
// loopcache_detector - taken short backward branches on the trace port. docs/units/loops.md.
//
// A branch goes to its target or straight on, so next_pc alone tells whether it was taken and how far
// back: its own, or with delay slots that of its slot. An address comes out two clocks after that beat.
`default_nettype none
module loopcache_detector #(
    parameter MIPS = 0,
    parameter [31:0] DISTANCE = 32'd1024 // bytes back to the target, at most; below 2^31
) (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire        run_i,

    input  wire        trace_valid_i,
    input  wire        trace_trap_i,
    input  wire [31:0] trace_pc_i,
    input  wire [31:0] trace_next_pc_i,
    input  wire [31:0] trace_insn_i,

    output reg         found_o,
    output reg  [31:1] address_o
);
    reg        valid_q, trap_q;
    reg [31:0] pc_q, next_pc_q, insn_q;

    always @(posedge clk_i) begin
        valid_q <= rst_ni && run_i && trace_valid_i;
        trap_q <= trace_trap_i;
        pc_q <= trace_pc_i;
        next_pc_q <= trace_next_pc_i;
        insn_q <= trace_insn_i;
    end

    wire call, if_taken, ret, branch, jump, short;
    trace_flow #(.MIPS(MIPS)) flow (
        .insn_i(insn_q), .call_o(call), .if_taken_o(if_taken), .ret_o(ret), .branch_o(branch),
        .jump_o(jump), .short_o(short)
    );
    wire candidate = valid_q && (branch || jump);

    wire        decided;
    wire [31:0] from;
    generate
        if (MIPS != 0) begin : g_slot
            reg        pending_q;
            reg [31:0] from_q;
            always @(posedge clk_i) begin
                if (!rst_ni || trap_q)
                    pending_q <= 1'b0;
                else if (valid_q)
                    pending_q <= candidate;
                if (valid_q)
                    from_q <= pc_q;
            end
            assign decided = pending_q && valid_q && pc_q == from_q + 32'd4;
            assign from = from_q;
        end else begin : g_no_slot
            assign decided = candidate;
            assign from = pc_q;
        end
    endgenerate

    wire [31:0] back = from - next_pc_q; // wraps far beyond any distance if it is forward
    always @(posedge clk_i) begin
        found_o <= rst_ni && decided && back <= DISTANCE;
        address_o <= from[31:1];
    end
    wire unused = &{1'b0, call, if_taken, ret, short, trap_q, from[0]};
endmodule
`default_nettype wire
