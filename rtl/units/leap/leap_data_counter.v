// SPDX-License-Identifier: Apache-2.0
// leap_data_counter - LEAP's Data Counter: what is measured, one lane of it.
//
// In slices of 16 bits, each a clock behind the one below it, so that no carry goes further than
// 16 bits in a clock. Controls are given for the lowest slice; values, in and out, are skewed. In a
// clock, what an instruction did comes first, and then the amount of the next.
`default_nettype none
module leap_data_counter #(
    parameter CW = 32,  // a multiple of 16
    parameter WIDE = 0, // 1: amounts have CW bits; 0: one, and the others are 0
    parameter CALLS = 0 // 1: emptying it leaves 1 where a call did it
) (
    input  wire          clk_i,
    input  wire          rst_ni,

    input  wire          pop_i, // what the caller had counted comes on top
    input  wire [CW-1:0] popped_i,
    input  wire          empty_i, // after that
    input  wire          call_i,
    input  wire [CW-1:0] amount_i, // after all of that
    output wire [CW-1:0] value_o,  // before anything,
    output wire [CW-1:0] sum_o     // and where it is emptied: with what was popped
);
    localparam SLICES = CW / 16;

    // Three numbers have a carry of two bits.
    localparam CARRY = WIDE != 0 ? 2 : 1;
    wire [SLICES:0]             pop, empty;
    wire [CARRY*(SLICES+1)-1:0] carry;
    assign carry[0 +: CARRY] = {CARRY{WIDE == 0 && amount_i[0] && !empty_i}};
    assign pop[0] = pop_i;
    assign empty[0] = empty_i;

    genvar k;
    generate
        for (k = 0; k < SLICES; k = k + 1) begin : g_slice
            reg  [15:0]         value_q;
            reg  [CARRY-1:0]    carry_q;
            reg                 pop_q, empty_q;
            wire [15:0]         popped = popped_i[16*k +: 16] & {16{pop[k]}};
            wire [15:0]         amount = amount_i[16*k +: 16];
            wire [15:0]         more = WIDE != 0 ? amount & {16{!empty[k]}} : 16'd0;
            wire [CARRY+15:0]   sum = {{CARRY{1'b0}}, value_q} + {{CARRY{1'b0}}, popped} +
                                      {{CARRY{1'b0}}, more} + {16'd0, carry[CARRY*k +: CARRY]};

            always @(posedge clk_i) begin
                value_q <= !rst_ni ? 16'd0 : empty[k] ? amount : sum[15:0];
                if (k == 0 && CALLS != 0 && rst_ni && call_i)
                    value_q <= 16'd1;
                carry_q <= rst_ni ? sum[16 +: CARRY] : {CARRY{1'b0}};
                pop_q <= rst_ni && pop[k];
                empty_q <= rst_ni && empty[k];
            end
            assign value_o[16*k +: 16] = value_q;
            assign sum_o[16*k +: 16] = sum[15:0];
            assign carry[CARRY*(k+1) +: CARRY] = carry_q;
            assign pop[k+1] = pop_q;
            assign empty[k+1] = empty_q;
        end
    endgenerate
    wire unused = &{1'b0, carry[CARRY*SLICES +: CARRY], pop[SLICES], empty[SLICES], call_i};
endmodule
`default_nettype wire
