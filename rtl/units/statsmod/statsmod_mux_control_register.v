// SPDX-License-Identifier: Apache-2.0
// statsmod_mux_control_register - Statistics Module: the two selectors of a counter and the multiplexers
// behind them. What they choose comes out a clock later.
`default_nettype none
module statsmod_mux_control_register #(
    parameter RANGES = 8,
    parameter MIPS = 0,
    parameter RANGE_BITS = RANGES > 1 ? $clog2(RANGES) : 1
) (
    input  wire                  clk_i,
    input  wire                  write_i,
    input  wire [4:0]            signal_i,
    input  wire [RANGE_BITS-1:0] range_i,

    input  wire [25:0]           signals_i,
    input  wire [RANGES-1:0]     hits_i,        // of the instruction
    input  wire [RANGES-1:0]     hits_before_i, // and of the one before it
    output reg                   event_o,
    output reg                   hit_o
);
    `include "statsmod_signals.vh"

    reg [4:0]            signal_q;
    reg [RANGE_BITS-1:0] range_q;

    // Selectors that lead nowhere lead to 0.
    wire [31:0]              signals = {6'd0, signals_i};
    wire [(1<<RANGE_BITS)-1:0] hits, hits_before;
    genvar r;
    generate
        for (r = 0; r < 1 << RANGE_BITS; r = r + 1) begin : g_range
            if (r < RANGES) begin : g_there
                assign hits[r] = hits_i[r];
                assign hits_before[r] = hits_before_i[r];
            end else begin : g_not_there
                assign hits[r] = 1'b0;
                assign hits_before[r] = 1'b0;
            end
        end
    endgenerate

    // A taken branch is charged where it stands, not where its delay slot does.
    wire one_back = MIPS != 0 && signal_q == SIGNAL_TAKEN;
    always @(posedge clk_i) begin
        if (write_i) begin
            signal_q <= signal_i;
            range_q <= range_i;
        end
        event_o <= signals[signal_q];
        hit_o <= one_back ? hits_before[range_q] : hits[range_q];
    end
    wire unused = &{1'b0, hits_before};
endmodule
`default_nettype wire
