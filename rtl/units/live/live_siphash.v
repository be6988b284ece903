// SPDX-License-Identifier: Apache-2.0
// live_siphash - SipHash-2-4 of a message that comes in words, as they are on the wire: the tag of a datagram.
//
// Half a round in a clock, so that there are two additions and no more. Of each two words, the first can be taken at
// any time, and the second four clocks after the one before it: a byte in a clock is never too fast.
`default_nettype none
module live_siphash (
    input  wire         clk_i,
    input  wire         rst_ni,
    input  wire [127:0] key_i,    // its first byte first
    input  wire         begin_i,  // for a clock: a new message
    input  wire         valid_i,  // a word, or with last_i the end; taken when ready
    input  wire         last_i,   // the message has ended before this
    input  wire [31:0]  data_i,   // its first byte first
    output wire         ready_o,
    output reg          done_o,   // stays up to begin_i
    output wire [63:0]  tag_o     // its first byte first
);
    function [31:0] turned(input [31:0] word);
        turned = {word[7:0], word[15:8], word[23:16], word[31:24]};
    endfunction
    function [63:0] turned64(input [63:0] both);
        turned64 = {turned(both[31:0]), turned(both[63:32])};
    endfunction

    // Half rounds of a word of the message, and of the end.
    localparam [3:0] WORD_HALVES = 4'd4, END_HALVES = 4'd8;

    reg [63:0] v0_q, v1_q, v2_q, v3_q, message_q;
    reg [31:0] low_q;
    reg [3:0]  halves_q; // still to do
    reg        odd_q;    // low_q has half a word of the message
    reg        last_q;   // it is the last one, which has the length;
    reg        end_q;    // it was, and these are the rounds behind it
    reg [5:0]  words_q;  // of 32 bits, as far as the length counts them

    // The two halves of a round do the same, with v1 and v3 in each other's place, and other rotations.
    wire        second = halves_q[0];
    wire [63:0] left = v0_q + (second ? v3_q : v1_q);
    wire [63:0] right = v2_q + (second ? v1_q : v3_q);
    wire [63:0] v1 = second ? {v1_q[46:0], v1_q[63:47]} ^ right : {v1_q[50:0], v1_q[63:51]} ^ left;
    wire [63:0] v3 = second ? {v3_q[42:0], v3_q[63:43]} ^ left : {v3_q[47:0], v3_q[63:48]} ^ right;
    wire [63:0] v0 = second ? left : {left[31:0], left[63:32]};
    wire [63:0] v2 = second ? {right[31:0], right[63:32]} : right;

    wire        works = halves_q != 4'd0;
    wire        takes = valid_i && ready_o;
    wire [31:0] high = last_i ? {words_q, 2'b00, 24'd0} : turned(data_i);
    wire [63:0] message = {high, odd_q ? low_q : 32'd0};
    wire        absorbs = takes && (odd_q || last_i);
    wire [63:0] key0 = turned64(key_i[127:64]), key1 = turned64(key_i[63:0]);

    always @(posedge clk_i) begin
        if (!rst_ni || begin_i)
            halves_q <= 4'd0;
        else if (works)
            halves_q <= halves_q != 4'd1 ? halves_q - 4'd1 : last_q ? END_HALVES : 4'd0;
        else if (absorbs)
            halves_q <= WORD_HALVES;

        done_o <= rst_ni && !begin_i && (done_o || (end_q && halves_q == 4'd1));
        if (begin_i) begin
            odd_q <= 1'b0;
            last_q <= 1'b0;
            end_q <= 1'b0;
            words_q <= 6'd0;
            v0_q <= key0 ^ 64'h736f6d6570736575;
            v1_q <= key1 ^ 64'h646f72616e646f6d;
            v2_q <= key0 ^ 64'h6c7967656e657261;
            v3_q <= key1 ^ 64'h7465646279746573;
        end else if (works) begin
            v0_q <= v0 ^ (halves_q == 4'd1 && !end_q ? message_q : 64'd0);
            v1_q <= v1;
            v2_q <= v2 ^ (halves_q == 4'd1 && last_q ? 64'hff : 64'd0);
            v3_q <= v3;
            if (halves_q == 4'd1) begin
                last_q <= 1'b0;
                end_q <= last_q;
            end
        end else if (absorbs) begin
            last_q <= last_i;
            message_q <= message;
            v3_q <= v3_q ^ message;
        end
        if (takes && !begin_i) begin
            odd_q <= !odd_q;
            words_q <= words_q + 6'd1;
            low_q <= turned(data_i);
        end
    end

    assign ready_o = !works || (!odd_q && !last_i);
    assign tag_o = turned64(v0_q ^ v1_q ^ v2_q ^ v3_q);
endmodule
`default_nettype wire
