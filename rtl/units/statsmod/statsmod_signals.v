// SPDX-License-Identifier: Apache-2.0
// statsmod_signals - takes in the trace port and makes a wire of everything that can be counted.
//
// A wire is high in each clock in which the thing happens. The address comes out a clock after its
// beat, for the comparators, and the wires a clock later; that of traps one later still, because a
// trap comes after the instruction of its clock.
`default_nettype none
module statsmod_signals #(
    parameter MIPS = 0
) (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire        run_i, // else the port is not heard

    input  wire        trace_valid_i,
    input  wire        trace_trap_i,
    input  wire [31:0] trace_pc_i,
    input  wire [31:0] trace_next_pc_i,
    input  wire [31:0] trace_insn_i,
    input  wire        trace_stall_valid_i,
    input  wire [3:0]  trace_stall_i,
    input  wire        trace_mem_read_i,
    input  wire        trace_mem_write_i,
    input  wire        trace_mispredict_i,
    input  wire        trace_icache_hit_i,
    input  wire        trace_icache_miss_i,
    input  wire        trace_dcache_hit_i,
    input  wire        trace_dcache_miss_i,

    output wire [31:0] pc_o,
    output reg         valid_o, // an instruction retires,
    output reg         clock_o, // or the core stalls
    output reg  [25:0] signals_o
);
    `include "statsmod_signals.vh"

    // The port in registers.
    reg        valid_q, trap_q, trapped_q, stalled_q, read_q, write_q, mispredict_q;
    reg        i_hit_q, i_miss_q, d_hit_q, d_miss_q;
    reg [3:0]  stall_q;
    reg [31:0] pc_q, next_pc_q, insn_q, straight_q;

    wire [31:0] length = MIPS == 0 && trace_insn_i[1:0] != 2'b11 ? 32'd2 : 32'd4;
    wire        listens = rst_ni && run_i;

    always @(posedge clk_i) begin
        valid_q <= listens && trace_valid_i;
        trap_q <= rst_ni && trace_trap_i;
        trapped_q <= listens && trap_q;
        stalled_q <= listens && trace_stall_valid_i;
        read_q <= listens && trace_valid_i && trace_mem_read_i;
        write_q <= listens && trace_valid_i && trace_mem_write_i;
        mispredict_q <= listens && trace_mispredict_i;
        i_hit_q <= listens && trace_icache_hit_i;
        i_miss_q <= listens && trace_icache_miss_i;
        d_hit_q <= listens && trace_dcache_hit_i;
        d_miss_q <= listens && trace_dcache_miss_i;
        stall_q <= trace_stall_i;
        pc_q <= trace_pc_i;
        next_pc_q <= trace_next_pc_i;
        insn_q <= trace_insn_i;
        straight_q <= trace_pc_i + length;
    end
    assign pc_o = pc_q;

    // Conditional branches, those that link included. Words that no core retires need not be told
    // from others.
    wire branch, taken;
    wire strays = next_pc_q != straight_q;
    generate
        if (MIPS != 0) begin : g_mips
            wire [5:0] opcode = insn_q[31:26];
            assign branch = (opcode[5] == 1'b0 && opcode[3:2] == 2'b01) ||    // beq to bgtz, likely
                            (opcode == 6'd1 && insn_q[19:18] == 2'b00) ||     // bltz, bgez
                            (opcode == 6'h11 && insn_q[25:21] == 5'd8);       // bc1f, bc1t

            // The delay slot shows where the branch before it went.
            reg        pending_q;
            reg [31:0] slot_q;
            always @(posedge clk_i) begin
                if (!rst_ni || trap_q)
                    pending_q <= 1'b0;
                else if (valid_q)
                    pending_q <= branch;
                if (valid_q)
                    slot_q <= straight_q;
            end
            assign taken = pending_q && pc_q == slot_q && strays;
            wire unused = &{1'b0, insn_q};
        end else begin : g_riscv
            assign branch = insn_q[6:0] == 7'b1100011 ||
                            (insn_q[1:0] == 2'b01 && insn_q[15:14] == 2'b11); // c.beqz, c.bnez
            assign taken = branch && strays;
            wire unused = &{1'b0, insn_q};
        end
    endgenerate

    integer cause;
    always @(posedge clk_i) begin
        valid_o <= rst_ni && valid_q;
        clock_o <= rst_ni && (valid_q || stalled_q);
        signals_o[SIGNAL_CYCLE] <= valid_q || stalled_q;
        signals_o[SIGNAL_INSTRUCTION] <= valid_q;
        signals_o[SIGNAL_I_HIT] <= i_hit_q;
        signals_o[SIGNAL_I_MISS] <= i_miss_q;
        signals_o[SIGNAL_D_HIT] <= d_hit_q;
        signals_o[SIGNAL_D_MISS] <= d_miss_q;
        signals_o[SIGNAL_READ] <= read_q;
        signals_o[SIGNAL_WRITE] <= write_q;
        signals_o[SIGNAL_BRANCH] <= valid_q && branch;
        signals_o[SIGNAL_TAKEN] <= valid_q && taken;
        signals_o[SIGNAL_MISPREDICT] <= mispredict_q;
        signals_o[SIGNAL_TRAP] <= trapped_q;
        signals_o[SIGNAL_STALL] <= stalled_q;
        for (cause = 0; cause < SIGNAL_COUNT - SIGNAL_FIRST_STALL; cause = cause + 1)
            signals_o[SIGNAL_FIRST_STALL + cause] <= stalled_q && {28'd0, stall_q} == cause;
    end
endmodule
`default_nettype wire
