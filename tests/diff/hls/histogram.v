// A histogram: two loads, one after the other, and a store before the next one loads.
module kernel(
    input clk, input start, input [31:0] count, output reg done, output reg [31:0] result,
    output reg [8:0] a_addr, output reg a_write, output reg [31:0] a_data, input [31:0] a_value,
    output reg [8:0] b_addr, output reg b_write, output reg [31:0] b_data, input [31:0] b_value);
    reg [3:0] state = 0;
    reg [31:0] i;
    reg [7:0] bin;
    always @* begin
        a_addr = 0; a_write = 0; a_data = 0; b_addr = 0; b_write = 0; b_data = 0;
        case (state)
            1: a_addr = i[8:0];
            3: b_addr = {1'b1, a_value[7:0]};
            5: begin b_addr = {1'b1, bin}; b_data = b_value + 1; b_write = 1; end
            6: begin a_addr = 9'd256; b_addr = 9'd300; end
        endcase
    end
    always @(posedge clk) case (state)
        0: if (start) begin i <= 0; done <= 0; state <= count == 0 ? 6 : 1; end
        1: state <= 2;
        2: state <= 3;
        3: begin bin <= a_value[7:0]; state <= 4; end
        4: state <= 5;
        5: begin i <= i + 1; state <= i + 1 == count ? 6 : 1; end
        6: state <= 7;
        7: state <= 8;
        8: begin result <= a_value + b_value; done <= 1; state <= 0; end
    endcase
    initial done = 0;
endmodule
