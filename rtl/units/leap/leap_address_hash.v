// SPDX-License-Identifier: Apache-2.0
// leap_address_hash - LEAP's Address Hash: from an address to a function's number.
//
// docs/units/leap.md has the formula. An address may come with every clock; its number follows
// seven clocks later. Parameters must not change while addresses are on their way.
`default_nettype none
module leap_address_hash #(
    parameter N = 64,   // numbers; a power of two, at least 2
    parameter TAB = 64, // entries of the table; a power of two, at least 2
    parameter NUMBER_BITS = $clog2(N),
    parameter TAB_BITS = $clog2(TAB)
) (
    input  wire                   clk_i,

    // A2 is 32 - log2 N.
    input  wire [31:0]            v_i,
    input  wire [5:0]             a1_i,
    input  wire [4:0]             b1_i,
    input  wire [TAB_BITS-1:0]    b2_i,
    input  wire                   tab_write_i,
    input  wire [TAB_BITS-1:0]    tab_entry_i,
    input  wire [NUMBER_BITS-1:0] tab_value_i,

    input  wire [31:0]            address_i,
    output reg  [NUMBER_BITS-1:0] number_o
);
    localparam RIGHT_BITS = TAB_BITS + 7; // what the last shift can still bring down

    reg [NUMBER_BITS-1:0] tab [0:TAB-1];

    reg [31:0]            sum_q, spread_q, mixed_q, mixed1_q, mixed2_q, left1_q, left2_q;
    reg [RIGHT_BITS-1:0]  right1_q;
    reg [TAB_BITS-1:0]    entry_q;
    reg [NUMBER_BITS-1:0] high_q, tab_q;

    // Shifts go in two steps: by eights, then by ones.
    wire [31:0] by_eights = mixed_q << {a1_i[4:3], 3'b000};
    wire [31:0] right_by_eights = mixed_q >> {b1_i[4:3], 3'b000};
    wire [RIGHT_BITS-1:0] right_by_ones = right1_q >> b1_i[2:0];
    wire [31:0] total = mixed2_q + left2_q;

    always @(posedge clk_i) begin
        sum_q <= address_i + v_i;
        spread_q <= sum_q + {sum_q[23:0], 8'd0};
        mixed_q <= spread_q ^ (spread_q >> 4);

        left1_q <= a1_i[5] ? 32'd0 : by_eights;
        right1_q <= right_by_eights[RIGHT_BITS-1:0];
        mixed1_q <= mixed_q;

        left2_q <= left1_q << a1_i[2:0];
        entry_q <= right_by_ones[TAB_BITS-1:0] & b2_i;
        mixed2_q <= mixed1_q;

        high_q <= total[31 -: NUMBER_BITS];
        tab_q <= tab[entry_q];

        number_o <= high_q ^ tab_q;
    end

    always @(posedge clk_i)
        if (tab_write_i)
            tab[tab_entry_i] <= tab_value_i;

    wire unused = &{1'b0, right_by_eights, right_by_ones, total};
endmodule
`default_nettype wire
