// SPDX-License-Identifier: Apache-2.0
// statsmod_address_range_register - Statistics Module: two bounds, and whether an address is between
// them, a clock later.
`default_nettype none
module statsmod_address_range_register (
    input  wire        clk_i,
    input  wire        write_first_i,
    input  wire        write_last_i,
    input  wire [31:0] wdata_i,

    input  wire [31:0] pc_i,
    output reg         hit_o
);
    reg  [31:0] first_q, last_q; // both inclusive

    // Carries, as in snoopp_range.
    wire [32:0] below = {1'b0, first_q} + {1'b0, ~pc_i};
    wire [32:0] above = {1'b0, pc_i} + {1'b0, ~last_q};

    always @(posedge clk_i) begin
        if (write_first_i)
            first_q <= wdata_i;
        if (write_last_i)
            last_q <= wdata_i;
        hit_o <= !below[32] && !above[32];
    end
    wire unused = &{1'b0, below, above};
endmodule
`default_nettype wire
