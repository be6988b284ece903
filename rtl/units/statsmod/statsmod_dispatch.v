// SPDX-License-Identifier: Apache-2.0
// statsmod_dispatch - Statistics Module: what is dispatched, counter by counter, and its totals.
//
// After a dispatch the values come out of the chain, one in each clock. Two clocks later, each is on
// the record_..._o wires with its total, for a network; both stay in memories, for the bus.
`default_nettype none
module statsmod_dispatch #(
    parameter COUNTERS = 8,
    parameter WIDTH = 32, // of a value
    parameter NUMBER_BITS = COUNTERS > 1 ? $clog2(COUNTERS) : 1
) (
    input  wire                   clk_i,
    input  wire                   rst_ni,
    input  wire                   clear_i, // for a clock: all totals become 0
    input  wire                   dispatch_i,
    input  wire                   last_i,
    input  wire [WIDTH-1:0]       chain_i,
    output wire                   shift_o,

    output wire                   busy_o, // memories are not to be read
    input  wire [NUMBER_BITS-1:0] read_i,
    output wire [WIDTH-1:0]       value_o, // a clock after read_i
    output wire [63:0]            total_o,

    output reg  [31:0]            sequence_o, // of the next dispatch
    output reg                    record_valid_o,
    output reg  [NUMBER_BITS-1:0] record_number_o,
    output wire [31:0]            record_sequence_o,
    output reg                    record_last_o, // the program has ended
    output reg  [WIDTH-1:0]       record_value_o,
    output wire [63:0]            record_total_o
);
    localparam [31:0] LAST_COUNTER = COUNTERS - 1;
    localparam [NUMBER_BITS-1:0] LAST_NUMBER = LAST_COUNTER[NUMBER_BITS-1:0];

    reg [WIDTH-1:0] values [0:COUNTERS-1];
    reg [31:0]      lows [0:COUNTERS-1];
    reg [31:0]      highs [0:COUNTERS-1];

    // Reads a total; adds to its low half; adds the carry to its high half.
    reg                   walks_q, zero_q, last_q, adds_q, zeros_q, carries_q;
    reg [NUMBER_BITS-1:0] number_q, low_number_q, high_number_q;
    reg [WIDTH-1:0]       value_q, read_value_q;
    reg [31:0]            low_q, high_q, sum_q, high_before_q;
    reg                   carry_q;

    wire [NUMBER_BITS-1:0] look = walks_q ? number_q : read_i;
    wire                   ends = walks_q && number_q == LAST_NUMBER;
    wire [31:0]            low = zeros_q ? 32'd0 : low_q;
    wire [32:0]            sum = {1'b0, low} + {{33-WIDTH{1'b0}}, value_q};
    wire [31:0]            high_sum = high_before_q + {31'd0, carry_q};

    always @(posedge clk_i) begin
        walks_q <= !rst_ni || clear_i || dispatch_i || (walks_q && !ends);
        if (!rst_ni || clear_i || dispatch_i)
            number_q <= {NUMBER_BITS{1'b0}};
        else
            number_q <= number_q + {{NUMBER_BITS-1{1'b0}}, 1'b1};
        if (!rst_ni || clear_i || dispatch_i) begin
            zero_q <= !rst_ni || clear_i;
            last_q <= last_i;
        end

        adds_q <= rst_ni && walks_q;
        zeros_q <= zero_q;
        low_number_q <= number_q;
        value_q <= zero_q ? {WIDTH{1'b0}} : chain_i;
        low_q <= lows[look];
        high_q <= highs[look];
        read_value_q <= values[look];

        carries_q <= rst_ni && adds_q;
        high_number_q <= low_number_q;
        sum_q <= sum[31:0];
        carry_q <= sum[32];
        high_before_q <= zeros_q ? 32'd0 : high_q;

        record_valid_o <= rst_ni && adds_q && !zeros_q;
        record_number_o <= low_number_q;
        record_value_o <= value_q;
        record_last_o <= last_q;

        if (!rst_ni || clear_i)
            sequence_o <= 32'd0;
        else if (dispatch_i)
            sequence_o <= sequence_o + 32'd1;
    end

    always @(posedge clk_i)
        if (adds_q)
            values[low_number_q] <= value_q;
    always @(posedge clk_i)
        if (adds_q)
            lows[low_number_q] <= sum[31:0];
    always @(posedge clk_i)
        if (carries_q)
            highs[high_number_q] <= high_sum;

    assign shift_o = walks_q;
    assign busy_o = walks_q || adds_q || carries_q;
    assign value_o = read_value_q;
    assign total_o = {high_q, low_q};
    assign record_sequence_o = sequence_o - 32'd1;
    assign record_total_o = {high_sum, sum_q};
endmodule
`default_nettype wire
