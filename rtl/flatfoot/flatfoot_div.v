// flatfoot_div - divide: a bit of the quotient a cycle, 32 of them, and one for the sign.
module flatfoot_div (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire        busy_i,  // a divide is in X,
    input  wire        leave_i, // for the last cycle
    input  wire [31:0] a_i,
    input  wire [31:0] b_i,
    input  wire [1:0]  op_i,    // div, divu, rem, remu
    output wire        done_o,
    output wire [31:0] result_o
);
    reg [5:0]  count_q;
    reg [31:0] remainder_q, quotient_q, divisor_q; // the dividend leaves the quotient's top

    wire signed_op = !op_i[0];
    wire a_negative = signed_op && a_i[31];
    wire b_negative = signed_op && b_i[31];
    wire [31:0] a_size = a_negative ? -a_i : a_i;
    wire [31:0] b_size = b_negative ? -b_i : b_i;

    wire        first = count_q == 6'd0;
    wire [31:0] divisor = first ? b_size : divisor_q;
    wire [31:0] dividend = first ? a_size : quotient_q;
    wire [32:0] remainder = {first ? 32'd0 : remainder_q, dividend[31]};
    wire [32:0] difference = remainder - {1'b0, divisor};
    wire        fits = !difference[32];

    always @(posedge clk_i) begin
        if (!rst_ni || leave_i || !busy_i)
            count_q <= 6'd0;
        else if (!done_o)
            count_q <= count_q + 6'd1;
        if (!done_o) begin
            divisor_q <= divisor;
            remainder_q <= fits ? difference[31:0] : remainder[31:0];
            quotient_q <= {dividend[30:0], fits};
        end
    end

    assign done_o = count_q[5];

    // Without a divisor every bit of the quotient is one and the dividend remains, as it should.
    wire negate = op_i[1] ? a_negative : a_negative != b_negative && b_i != 32'd0;
    wire [31:0] size = op_i[1] ? remainder_q : quotient_q;
    assign result_o = negate ? -size : size;
endmodule
