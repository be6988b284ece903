// Products of pairs: both loads at once, the multiplier in the state after their values, then the sum.
module kernel(
    input clk, input start, input [31:0] count, output reg done, output reg [31:0] result,
    output reg [8:0] a_addr, output reg a_write, output reg [31:0] a_data, input [31:0] a_value,
    output reg [8:0] b_addr, output reg b_write, output reg [31:0] b_data, input [31:0] b_value);
    reg [2:0] state = 0;
    reg [31:0] i, product;
    always @* begin
        a_addr = 0; a_write = 0; a_data = 0; b_addr = 0; b_write = 0; b_data = 0;
        a_addr = i[8:0]; b_addr = i[8:0] + 9'd256;
    end
    always @(posedge clk) case (state)
        0: if (start) begin i <= 0; result <= 0; done <= 0; state <= count == 0 ? 5 : 1; end
        1: state <= 2; // the loads are asked for
        2: state <= 3;
        3: begin product <= a_value * b_value; state <= 4; end
        4: begin result <= result + product; i <= i + 1; state <= i + 1 == count ? 5 : 1; end
        5: begin done <= 1; state <= 0; end
    endcase
    initial done = 0;
endmodule
