// Insertion sort: the word below is loaded, and stored one higher in the state in which it is compared.
module kernel(
    input clk, input start, input [31:0] count, output reg done, output reg [31:0] result,
    output reg [8:0] a_addr, output reg a_write, output reg [31:0] a_data, input [31:0] a_value,
    output reg [8:0] b_addr, output reg b_write, output reg [31:0] b_data, input [31:0] b_value);
    reg [3:0] state = 0;
    reg [31:0] i, at, key;
    wire higher = a_value > key;
    always @* begin
        a_addr = 0; a_write = 0; a_data = 0; b_addr = 0; b_write = 0; b_data = 0;
        case (state)
            1: a_addr = i[8:0];
            5: a_addr = at[8:0] - 9'd1;
            7: begin b_addr = at[8:0]; b_data = higher ? a_value : key; b_write = 1; end
            8: begin b_addr = at[8:0]; b_data = key; b_write = 1; end
            9: begin a_addr = 0; b_addr = count[9:1]; end
        endcase
    end
    always @(posedge clk) case (state)
        0: if (start) begin i <= 1; done <= 0; state <= count < 2 ? 9 : 1; end
        1: state <= 2;
        2: state <= 3;
        3: begin key <= a_value; at <= i; state <= 5; end
        5: state <= 6;
        6: state <= 7;
        7: if (!higher) begin i <= i + 1; state <= i + 1 == count ? 9 : 1; end
           else begin at <= at - 1; state <= at == 1 ? 8 : 5; end
        8: begin i <= i + 1; state <= i + 1 == count ? 9 : 1; end
        9: state <= 10;
        10: state <= 11;
        11: begin result <= a_value ^ b_value; done <= 1; state <= 0; end
    endcase
    initial done = 0;
endmodule
