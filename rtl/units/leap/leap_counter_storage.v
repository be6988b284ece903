// SPDX-License-Identifier: Apache-2.0
// leap_counter_storage - LEAP's Counter Storage, one lane: an entry per function number.
//
// Skewed slices as in the Data Counter; each has a memory of its own. The entry of the current
// function is read a clock ahead; where it was written in that clock, the sum is taken instead.
`default_nettype none
module leap_counter_storage #(
    parameter N = 64,
    parameter CW = 32, // a multiple of 16
    parameter NUMBER_BITS = $clog2(N)
) (
    input  wire                   clk_i,
    input  wire                   rst_ni,

    input  wire                   store_i, // entry += value
    input  wire                   zero_i,  // entry = 0, with store_i and a value of 0
    input  wire [NUMBER_BITS-1:0] number_i,
    input  wire [CW-1:0]          value_i,
    input  wire [NUMBER_BITS-1:0] next_number_i, // number_i of the next clock, if that stores

    input  wire                   read_i, // that does not; read this one instead
    input  wire [NUMBER_BITS-1:0] read_number_i,
    output wire [CW-1:0]          read_data_o, // stays until the next
    output wire                   read_done_o
);
    localparam SLICES = CW / 16;

    wire [SLICES:0]                   carry, store, zero, reading;
    wire [NUMBER_BITS*(SLICES+1)-1:0] numbers, next_numbers;
    assign carry[0] = 1'b0;
    assign store[0] = store_i;
    assign zero[0] = zero_i;
    assign reading[0] = read_i;
    assign numbers[0 +: NUMBER_BITS] = number_i;
    assign next_numbers[0 +: NUMBER_BITS] = read_i ? read_number_i : next_number_i;

    genvar k;
    generate
        for (k = 0; k < SLICES; k = k + 1) begin : g_slice
            reg  [15:0]        entries [0:N-1];
            reg  [15:0]        read_q, sum_q, data_q;
            reg                    same_q, carry_q, store_q, zero_q, reading_q;
            reg  [NUMBER_BITS-1:0] number_q, next_number_q;
            wire [NUMBER_BITS-1:0] number = numbers[NUMBER_BITS*k +: NUMBER_BITS];
            wire [NUMBER_BITS-1:0] next = next_numbers[NUMBER_BITS*k +: NUMBER_BITS];
            wire [15:0]        entry = (same_q ? sum_q : read_q) & {16{!zero[k]}};
            wire [16:0]          sum = {1'b0, entry} + {1'b0, value_i[16*k +: 16]} +
                                         {16'd0, carry[k]};

            always @(posedge clk_i) begin
                read_q <= entries[next];
                sum_q <= sum[15:0];
                same_q <= store[k] && number == next;
                if (reading_q)
                    data_q <= entry;
                carry_q <= store[k] && sum[16];
                store_q <= rst_ni && store[k];
                zero_q <= rst_ni && zero[k];
                reading_q <= rst_ni && reading[k];
                number_q <= number;
                next_number_q <= next;
            end
            always @(posedge clk_i)
                if (store[k])
                    entries[number] <= sum[15:0];

`ifdef FORMAL
            // What is added to is what was stored last, however short ago.
            reg                   looked_valid_q = 1'b0;
            reg [NUMBER_BITS-1:0] looked_q;
            always @(posedge clk_i) begin
                looked_valid_q <= 1'b1;
                looked_q <= next;
                if (looked_valid_q) begin
                    assume (!store[k] || number == looked_q);
                    assert ((same_q ? sum_q : read_q) == entries[looked_q]);
                end
            end
`endif
            assign read_data_o[16*k +: 16] = data_q;
            assign carry[k+1] = carry_q;
            assign store[k+1] = store_q;
            assign zero[k+1] = zero_q;
            assign reading[k+1] = reading_q;
            assign numbers[NUMBER_BITS*(k+1) +: NUMBER_BITS] = number_q;
            assign next_numbers[NUMBER_BITS*(k+1) +: NUMBER_BITS] = next_number_q;
        end
    endgenerate

    reg done_q;
    always @(posedge clk_i)
        done_q <= rst_ni && reading[SLICES];
    assign read_done_o = done_q;

`ifdef FORMAL
    // The sum of all entries, of one slice; for tests/formal/leap_counting.v.
    (* keep *) reg [15:0] formal_stored;
    integer    e;
    always @* begin
        formal_stored = 16'd0;
        for (e = 0; e < N; e = e + 1)
            formal_stored = formal_stored + g_slice[0].entries[e];
    end
`endif

    wire unused = &{1'b0, carry[SLICES], store[SLICES], zero[SLICES],
                    numbers[NUMBER_BITS*SLICES +: NUMBER_BITS],
                    next_numbers[NUMBER_BITS*SLICES +: NUMBER_BITS]};
endmodule
`default_nettype wire
