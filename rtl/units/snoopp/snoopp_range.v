// SPDX-License-Identifier: Apache-2.0
// snoopp_range - SnoopP: the comparators around one range, and its counter.
`default_nettype none
module snoopp_range #(
    parameter CW = 64
) (
    input  wire          clk_i,
    input  wire          rst_ni,

    input  wire [31:0]   first_i, // both inclusive
    input  wire [31:0]   last_i,
    input  wire          valid_i,
    input  wire [31:0]   address_i,
    input  wire [CW-1:0] amount_i, // a clock after valid_i

    input  wire          reset_i,
    input  wire          select_i,
    output wire [CW-1:0] counter_o // 0 unless selected
);
    // The carries of first - address and address - last say that the address is outside. With >= and <= it
    // would be Yosys that chooses which operand to subtract, by their names, and one of the two ways takes
    // a comparison for equality on top: 22 LUTs of a range.
    wire [32:0] below = {1'b0, first_i} + {1'b0, ~address_i};
    wire [32:0] above = {1'b0, address_i} + {1'b0, ~last_i};

    reg          hit_q;
    reg [CW-1:0] counter_q;

    always @(posedge clk_i) begin
        hit_q <= rst_ni && valid_i && !below[32] && !above[32];
        if (!rst_ni || reset_i)
            counter_q <= {CW{1'b0}};
        else if (hit_q)
            counter_q <= counter_q + amount_i;
    end
    assign counter_o = counter_q & {CW{select_i}};
    wire unused = &{1'b0, below, above};
endmodule
`default_nettype wire
