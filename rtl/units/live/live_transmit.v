// SPDX-License-Identifier: Apache-2.0
// live_transmit - memory for a frame, and its bytes onto the stream: one in each clock, as long as they are taken.
//
// A MAC that has begun with a frame must not be kept waiting, so nothing is sent before all of it is there.
`default_nettype none
module live_transmit (
    input  wire        clk_i,
    input  wire        rst_ni,

    input  wire        write_i,
    input  wire [7:0]  write_at_i, // words begin two bytes before the frame
    input  wire [31:0] write_data_i,
    input  wire        begin_i, // for a clock, while not busy
    input  wire [9:0]  end_i,   // where its last byte is, counted from the first word
    output wire        busy_o,

    output reg         tx_tvalid_o,
    input  wire        tx_tready_i,
    output reg  [7:0]  tx_tdata_o,
    output reg         tx_tlast_o
);
    reg [31:0] words [0:255];
    reg [31:0] word_q;
    reg [9:0]  at_q, end_q; // the next byte to go out
    reg        reads_q, sends_q;

    // A word is read while the one before goes out.
    wire       moves = !tx_tvalid_o || tx_tready_i;
    wire       leaves = sends_q && moves;
    wire [9:0] next = leaves ? at_q + 10'd1 : at_q;
    reg  [7:0] bytes;

    always @* begin
        case (at_q[1:0])
            2'd0:    bytes = word_q[31:24];
            2'd1:    bytes = word_q[23:16];
            2'd2:    bytes = word_q[15:8];
            default: bytes = word_q[7:0];
        endcase
    end

    always @(posedge clk_i) begin
        if (write_i)
            words[write_at_i] <= write_data_i;
        word_q <= words[next[9:2]];
    end

    always @(posedge clk_i) begin
        reads_q <= rst_ni && begin_i;
        sends_q <= rst_ni && (reads_q || (sends_q && !(moves && at_q == end_q)));
        if (begin_i) begin
            at_q <= 10'd2;
            end_q <= end_i;
        end else begin
            at_q <= next;
        end

        if (moves) begin
            tx_tvalid_o <= rst_ni && sends_q;
            tx_tdata_o <= bytes;
            tx_tlast_o <= at_q == end_q;
        end else if (!rst_ni) begin
            tx_tvalid_o <= 1'b0;
        end
    end

    assign busy_o = reads_q || sends_q || tx_tvalid_o;
endmodule
`default_nettype wire
