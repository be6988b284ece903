// SPDX-License-Identifier: Apache-2.0
// live_settings - memory for two settings: the one that the device has, and a command as it comes.
//
// A command that sets the device is not copied: the two change places. Its words stay where they are in the
// datagram, which is where a STATE has them, too.
`default_nettype none
module live_settings (
    input  wire        clk_i,
    input  wire        bank_i, // where the setting is that the device has
    input  wire        write_i, // into the other one
    input  wire [7:0]  write_at_i,
    input  wire [31:0] write_data_i,
    input  wire [7:0]  read_at_i,
    output reg  [31:0] read_data_o // a clock later
);
    reg [31:0] words [0:511];

    always @(posedge clk_i) begin
        if (write_i)
            words[{!bank_i, write_at_i}] <= write_data_i;
        read_data_o <= words[{bank_i, read_at_i}];
    end
endmodule
`default_nettype wire
