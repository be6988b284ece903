// SPDX-License-Identifier: Apache-2.0
// live_result - what the Statistics Module dispatches, kept until it is sent, and numbered.
//
// There is room for one. What is dispatched while it is waiting to be sent is left out, and counted; with the totals
// of the next one, nothing is missing but that interval.
`default_nettype none
module live_result #(
    parameter COUNTERS = 8,
    parameter NUMBER_BITS = COUNTERS > 1 ? $clog2(COUNTERS) : 1
) (
    input  wire                   clk_i,
    input  wire                   rst_ni,
    input  wire                   clear_i,  // for a clock: a stream begins
    input  wire                   forget_i, // for a clock: what is here is not to be sent again

    input  wire [31:0]            interval_i, // clocks
    input  wire                   clock_i,    // of the core, for a stream with one dispatch only
    input  wire                   record_valid_i,
    input  wire [NUMBER_BITS-1:0] record_number_i,
    input  wire                   record_last_i,
    input  wire [31:0]            record_value_i,
    input  wire [63:0]            record_total_i,

    output reg                    waiting_o, // there is one that has not been sent
    output reg                    there_o,   // there is one that has
    input  wire                   sending_i, // it must stay as it is,
    input  wire                   sent_i,    // for a clock: and is on its way now

    output reg  [31:0]            sequence_o, // of the one that is here
    output reg  [31:0]            interval_o,
    output reg  [63:0]            cycle_o,
    output reg                    last_o,
    input  wire [NUMBER_BITS-1:0] read_i,
    output reg  [31:0]            value_o, // a clock later
    output reg  [63:0]            total_o,

    output reg  [31:0]            count_o, // that were sent,
    output reg  [31:0]            skipped_o // and were not
);
    localparam [31:0] LAST_COUNTER = COUNTERS - 1;

    reg [95:0] counters [0:COUNTERS-1];
    reg [31:0] number_q; // of the interval
    reg [63:0] cycle_q;  // of its beginning
    reg        keeps_q;

    wire        first = record_number_i == {NUMBER_BITS{1'b0}};
    wire        keeps = first ? !waiting_o && !sending_i : keeps_q;
    wire        over = record_valid_i && record_number_i == LAST_COUNTER[NUMBER_BITS-1:0];
    wire        once = interval_i == 32'd0;
    wire [63:0] cycle = cycle_q + {32'd0, over ? interval_i : {31'd0, once && clock_i}};

    always @(posedge clk_i) begin
        if (record_valid_i)
            keeps_q <= keeps;
        if (record_valid_i && keeps)
            counters[record_number_i] <= {record_total_i, record_value_i};
        {total_o, value_o} <= counters[read_i];

        if (!rst_ni || clear_i) begin
            waiting_o <= 1'b0;
            there_o <= 1'b0;
            number_q <= 32'd0;
            cycle_q <= 64'd0;
            count_o <= 32'd0;
            skipped_o <= 32'd0;
        end else begin
            cycle_q <= cycle;
            if (over)
                number_q <= number_q + 32'd1;
            if (over && !keeps)
                skipped_o <= skipped_o + 32'd1;
            waiting_o <= (waiting_o && !sent_i) || (over && keeps);
            there_o <= (there_o || sent_i) && !forget_i && !(record_valid_i && first && keeps);
            if (sent_i && waiting_o)
                count_o <= count_o + 32'd1;
        end
        if (over && keeps) begin
            sequence_o <= count_o;
            interval_o <= number_q;
            cycle_o <= cycle;
            last_o <= record_last_i;
        end
    end
endmodule
`default_nettype wire
