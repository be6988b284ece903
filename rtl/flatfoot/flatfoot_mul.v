// flatfoot_mul - multiply in two stages: partial products and their sums in X, the last sum in M.
//
// Booth's recoding with radix 4: sixteen digits of -2 to 2 and a last one, each a row that is a shift and a
// complement. The rows are added in pairs; synthesis for FPGAs without multipliers would make
// carry-save adders of a plain product, which take twice the space where there are carry chains.
module flatfoot_mul (
    input  wire        clk_i,
    input  wire        start_i, // the operands leave X
    input  wire [31:0] a_i,
    input  wire [31:0] b_i,
    input  wire [1:0]  op_i,    // mul, mulh, mulhsu, mulhu
    output wire [31:0] result_o // in the next cycle, until the next start
);
    wire        a_sign = op_i != 2'd3 && a_i[31];
    wire        b_sign = !op_i[1] && b_i[31];
    wire [33:0] a = {{2{a_sign}}, a_i};
    wire [32:0] b = {b_i, 1'b0};

    // Row i stands for (row + negative) << 2i.
    wire [34*16-1:0] rows;
    wire [15:0]      negative;
    genvar i;
    generate
        for (i = 0; i < 16; i = i + 1) begin : digits
            wire one = b[2*i] != b[2*i+1];
            wire two = b[2*i+2] != b[2*i+1] && !one;
            assign negative[i] = b[2*i+2];
            assign rows[34*i +: 34] = ((one ? a : 34'd0) | (two ? {a[32:0], 1'b0} : 34'd0)) ^
                                      {34{negative[i]}};
        end
    endgenerate
    wire [33:0] top = b_i[31] && !b_sign ? a : 34'd0; // the last digit is 0 or 1

    // The rows in pairs, fours, eights. Each sum has room at its end for a digit's sign.
    (* keep *) wire [36*8-1:0] pairs;
    (* keep *) wire [40*4-1:0] fours;
    (* keep *) wire [48*2-1:0] eights;
    generate
        for (i = 0; i < 8; i = i + 1) begin : level1
            wire [33:0] low = rows[68*i +: 34], high = rows[68*i+34 +: 34];
            assign pairs[36*i +: 36] = {{2{low[33]}}, low} + {high, 1'b0, negative[2*i]};
        end
        for (i = 0; i < 4; i = i + 1) begin : level2
            wire [35:0] low = pairs[72*i +: 36], high = pairs[72*i+36 +: 36];
            assign fours[40*i +: 40] = {{4{low[35]}}, low} + {high, 1'b0, negative[4*i+1], 2'd0};
        end
        for (i = 0; i < 2; i = i + 1) begin : level3
            wire [39:0] low = fours[80*i +: 40], high = fours[80*i+40 +: 40];
            assign eights[48*i +: 48] = {{8{low[39]}}, low} + {high, 1'b0, negative[8*i+3], 6'd0};
        end
    endgenerate

    reg [47:0] low_q, high_q;
    reg        sign_q, upper_q;

    always @(posedge clk_i) begin
        if (start_i) begin
            low_q <= eights[47:0];
            high_q <= eights[95:48] + {top[31:0], 1'b0, negative[15], 14'd0};
            sign_q <= negative[7];
            upper_q <= op_i != 2'd0;
        end
    end

    wire [63:0] product = {{16{low_q[47]}}, low_q} + {high_q, 1'b0, sign_q, 14'd0};
    assign result_o = upper_q ? product[63:32] : product[31:0];

    wire unused = &{1'b0, top[33:32]};
endmodule
