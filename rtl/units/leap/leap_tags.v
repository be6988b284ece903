// SPDX-License-Identifier: Apache-2.0
// leap_tags - the addresses of the functions that LEAP lists, by number.
//
// Whether the address is its number's comes out two clocks after both came in.
`default_nettype none
module leap_tags #(
    parameter N = 64,
    parameter NUMBER_BITS = $clog2(N)
) (
    input  wire                   clk_i,
    input  wire                   write_i,
    input  wire [NUMBER_BITS-1:0] write_number_i,
    input  wire [31:0]            write_address_i,

    input  wire [NUMBER_BITS-1:0] number_i,
    input  wire [31:0]            address_i,
    output reg                    listed_o
);
    reg [31:0] tags [0:N-1];
    reg [31:0] tag_q, address_q;

    always @(posedge clk_i) begin
        tag_q <= tags[number_i];
        address_q <= address_i;
        listed_o <= tag_q == address_q;
    end

    always @(posedge clk_i)
        if (write_i)
            tags[write_number_i] <= write_address_i;
endmodule
`default_nettype wire
