// Square roots: one state for each bit, in which a sum is compared and subtracted.
module kernel(
    input clk, input start, input [31:0] count, output reg done, output reg [31:0] result,
    output reg [8:0] a_addr, output reg a_write, output reg [31:0] a_data, input [31:0] a_value,
    output reg [8:0] b_addr, output reg b_write, output reg [31:0] b_data, input [31:0] b_value);
    reg [2:0] state = 0;
    reg [31:0] i, rest, root, bit_q;
    wire [31:0] both = root + bit_q;
    wire fits = rest >= both;
    always @* begin
        a_addr = 0; a_write = 0; a_data = 0; b_addr = 0; b_write = 0; b_data = 0;
        a_addr = i[8:0];
    end
    always @(posedge clk) case (state)
        0: if (start) begin i <= 0; result <= 0; done <= 0; state <= count == 0 ? 6 : 1; end
        1: state <= 2;
        2: state <= 3;
        3: begin rest <= a_value; root <= 0; bit_q <= 32'h40000000; state <= 4; end
        4: begin
            if (fits) rest <= rest - both;
            root <= fits ? (root >> 1) + bit_q : root >> 1;
            bit_q <= bit_q >> 2;
            state <= bit_q[31:2] == 0 ? 5 : 4;
        end
        5: begin result <= result + root; i <= i + 1; state <= i + 1 == count ? 6 : 1; end
        6: begin done <= 1; state <= 0; end
    endcase
    initial done = 0;
endmodule
