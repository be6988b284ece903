// SPDX-License-Identifier: Apache-2.0
// leap_energy - what an energy profile counts: the clocks of an instruction for the group it is in.
//
// Clocks that an instruction lost and that are no stalls count for its group, which is known only when
// it retires. Until then they are in a counter of their own, and all bits of it are in time for the Data
// Counters: amounts are skewed as these are.
`default_nettype none
module leap_energy #(
    parameter CW = 32, // a multiple of 16
    parameter GROUPS = 6,
    parameter GROUP_BITS = 3
) (
    input  wire                  clk_i,
    input  wire                  rst_ni,
    input  wire                  clock_i,   // one of an instruction's, the last of which comes
    input  wire                  retires_i, // a clock before this, and its group
    input  wire [GROUP_BITS-1:0] group_i,
    output wire [CW*GROUPS-1:0]  amounts_o
);
    localparam SLICES = CW / 16;

    wire [CW-1:0] clocks, unused_sum;
    leap_data_counter #(.CW(CW)) lost (
        .clk_i(clk_i), .rst_ni(rst_ni), .pop_i(1'b0), .popped_i({CW{1'b0}}), .empty_i(retires_i),
        .call_i(1'b0), .amount_i({{CW-1{1'b0}}, clock_i}), .value_o(clocks), .sum_o(unused_sum)
    );

    wire [SLICES:0]                  retires;
    wire [GROUP_BITS*(SLICES+1)-1:0] group;
    assign retires[0] = retires_i;
    assign group[0 +: GROUP_BITS] = group_i;

    genvar k, g;
    generate
        for (k = 0; k < SLICES; k = k + 1) begin : g_slice
            reg                  retires_q;
            reg [GROUP_BITS-1:0] group_q;
            always @(posedge clk_i) begin
                retires_q <= rst_ni && retires[k];
                group_q <= group[GROUP_BITS*k +: GROUP_BITS];
            end
            for (g = 0; g < GROUPS; g = g + 1) begin : g_group
                wire here = retires[k] && group[GROUP_BITS*k +: GROUP_BITS] == g;
                assign amounts_o[CW*g+16*k +: 16] = clocks[16*k +: 16] & {16{here}};
            end
            assign retires[k+1] = retires_q;
            assign group[GROUP_BITS*(k+1) +: GROUP_BITS] = group_q;
        end
    endgenerate
    wire unused = &{1'b0, unused_sum, retires[SLICES], group[GROUP_BITS*SLICES +: GROUP_BITS]};
endmodule
`default_nettype wire
