// leap_data_counter - LEAP's Data Counter: what is measured, one lane of it.
//
// In slices of 16 bits, each a clock behind the one below it, so that no carry goes further than
// 16 bits in a clock. Controls are given for the lowest slice; values, in and out, are skewed.
module leap_data_counter #(
    parameter CW = 32, // a multiple of 16
    parameter CALLS = 0 // 1: emptying it leaves 1 where a call did it
) (
    input  wire          clk_i,
    input  wire          rst_ni,

    input  wire          amount_i,
    input  wire          pop_i, // what the caller had counted comes on top
    input  wire [CW-1:0] popped_i,
    input  wire          empty_i, // after that
    input  wire          call_i,
    output wire [CW-1:0] value_o, // before the amount,
    output wire [CW-1:0] sum_o    // and with it and what was popped
);
    localparam SLICES = CW / 16;

    wire [SLICES:0] carry, pop, empty;
    assign carry[0] = amount_i;
    assign pop[0] = pop_i;
    assign empty[0] = empty_i;

    genvar k;
    generate
        for (k = 0; k < SLICES; k = k + 1) begin : g_slice
            reg  [15:0] value_q;
            reg             carry_q, pop_q, empty_q;
            wire [15:0] popped = popped_i[16*k +: 16] & {16{pop[k]}};
            wire [16:0]   sum = {1'b0, value_q} + {1'b0, popped} + {16'd0, carry[k]};

            always @(posedge clk_i) begin
                if (!rst_ni || empty[k])
                    value_q <= 16'd0;
                else
                    value_q <= sum[15:0];
                if (k == 0 && CALLS != 0 && rst_ni && call_i)
                    value_q <= 16'd1;
                carry_q <= rst_ni && sum[16];
                pop_q <= rst_ni && pop[k];
                empty_q <= rst_ni && empty[k];
            end
            assign value_o[16*k +: 16] = value_q;
            assign sum_o[16*k +: 16] = sum[15:0];
            assign carry[k+1] = carry_q;
            assign pop[k+1] = pop_q;
            assign empty[k+1] = empty_q;
        end
    endgenerate
    wire unused = &{1'b0, carry[SLICES], pop[SLICES], empty[SLICES], call_i};
endmodule
