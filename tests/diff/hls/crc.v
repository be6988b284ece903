// A checksum with a table: the second load has its address in the state in which the first has its value.
module kernel(
    input clk, input start, input [31:0] count, output reg done, output reg [31:0] result,
    output reg [8:0] a_addr, output reg a_write, output reg [31:0] a_data, input [31:0] a_value,
    output reg [8:0] b_addr, output reg b_write, output reg [31:0] b_data, input [31:0] b_value);
    reg [2:0] state = 0;
    reg [31:0] i, crc;
    always @* begin
        a_addr = 0; a_write = 0; a_data = 0; b_addr = 0; b_write = 0; b_data = 0;
        a_addr = i[8:0]; b_addr = {1'b1, crc[7:0] ^ a_value[7:0]};
    end
    always @(posedge clk) case (state)
        0: if (start) begin i <= 0; crc <= 32'hffffffff; done <= 0; state <= count == 0 ? 6 : 1; end
        1: state <= 2;
        2: state <= 3;
        3: state <= 4; // a_value is there, and asks for the table's word
        4: state <= 5;
        5: begin crc <= b_value ^ (crc >> 8); i <= i + 1; state <= i + 1 == count ? 6 : 1; end
        6: begin result <= crc; done <= 1; state <= 0; end
    endcase
    initial done = 0;
endmodule
