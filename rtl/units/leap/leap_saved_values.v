// SPDX-License-Identifier: Apache-2.0
// leap_saved_values - what callers had counted, one lane: hierarchical profiles only.
//
// The values beside the frames of the Call Stack, skewed as the Data Counter is. The newest is
// read a clock ahead.
`default_nettype none
module leap_saved_values #(
    parameter CW = 32, // a multiple of 16
    parameter DEPTH = 32,
    parameter POINTER_BITS = $clog2(DEPTH)
) (
    input  wire                    clk_i,
    input  wire                    push_i,
    input  wire                    zero_i, // push 0
    input  wire [POINTER_BITS-1:0] newest_i, // after the push
    input  wire [CW-1:0]           value_i,
    output wire [CW-1:0]           popped_o
);
    localparam SLICES = CW / 16;

    wire [SLICES:0]                    push, zero;
    wire [POINTER_BITS*(SLICES+1)-1:0] newest;
    assign push[0] = push_i;
    assign zero[0] = zero_i;
    assign newest[0 +: POINTER_BITS] = newest_i;

    genvar k;
    generate
        for (k = 0; k < SLICES; k = k + 1) begin : g_slice
            reg [15:0]         values [0:DEPTH-1];
            reg [15:0]         read_q, pushed_q;
            reg                    push_q, zero_q;
            reg [POINTER_BITS-1:0] newest_q;
            wire [POINTER_BITS-1:0] frame = newest[POINTER_BITS*k +: POINTER_BITS];
            wire [15:0]        value = value_i[16*k +: 16] & {16{!zero[k]}};

            always @(posedge clk_i) begin
                read_q <= values[frame];
                pushed_q <= value;
                push_q <= push[k];
                zero_q <= zero[k];
                newest_q <= frame;
            end
            always @(posedge clk_i)
                if (push[k])
                    values[frame] <= value;

            assign popped_o[16*k +: 16] = push_q ? pushed_q : read_q;
            assign push[k+1] = push_q;
            assign zero[k+1] = zero_q;
            assign newest[POINTER_BITS*(k+1) +: POINTER_BITS] = newest_q;
        end
    endgenerate
    wire unused = &{1'b0, push[SLICES], zero[SLICES], newest[POINTER_BITS*SLICES +: POINTER_BITS]};
endmodule
`default_nettype wire
