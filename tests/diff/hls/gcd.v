// Greatest common divisors: a divider that has its remainder 32 states later.
module kernel(
    input clk, input start, input [31:0] count, output reg done, output reg [31:0] result,
    output reg [8:0] a_addr, output reg a_write, output reg [31:0] a_data, input [31:0] a_value,
    output reg [8:0] b_addr, output reg b_write, output reg [31:0] b_data, input [31:0] b_value);
    reg [2:0] state = 0;
    reg [31:0] i, a, b, rest, quotient;
    reg [5:0] step;
    wire [32:0] shifted = {rest, quotient[31]};
    wire fits = shifted >= {1'b0, b};
    wire [32:0] left = shifted - {1'b0, b};
    wire [31:0] next_rest = fits ? left[31:0] : shifted[31:0];
    always @* begin
        a_addr = 0; a_write = 0; a_data = 0; b_addr = 0; b_write = 0; b_data = 0;
        a_addr = i[8:0]; b_addr = i[8:0] + 9'd256;
    end
    always @(posedge clk) case (state)
        0: if (start) begin i <= 0; result <= 0; done <= 0; state <= count == 0 ? 6 : 1; end
        1: state <= 2;
        2: state <= 3;
        3: begin
            a <= a_value; b <= b_value; rest <= 0; quotient <= a_value; step <= 0;
            state <= b_value == 0 ? 5 : 4;
        end
        4: if (step < 32) begin
            rest <= next_rest; quotient <= {quotient[30:0], fits}; step <= step + 1;
        end else begin // the remainder is there
            a <= b; b <= rest; quotient <= b; rest <= 0; step <= 0;
            state <= rest == 0 ? 5 : 4;
        end
        5: begin result <= result + a; i <= i + 1; state <= i + 1 == count ? 6 : 1; end
        6: begin done <= 1; state <= 0; end
    endcase
    initial done = 0;
endmodule
