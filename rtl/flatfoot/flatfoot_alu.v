// flatfoot_alu - arithmetic of execute, and the decision of branches.
module flatfoot_alu (
    input  wire [31:0] a_i,
    input  wire [31:0] b_i,
    input  wire [2:0]  op_i,      // funct3 of the instruction
    input  wire        variant_i, // sub for add, sra for srl
    output reg  [31:0] result_o,
    output wire        taken_o    // of a branch with this funct3
);
    // One adder: everything that compares subtracts, and the carry says which is greater.
    wire        subtract = variant_i || op_i != 3'b000;
    wire [32:0] sum = {1'b0, a_i} + {1'b0, b_i ^ {32{subtract}}} + {32'd0, subtract};
    wire        below = !sum[32]; // unsigned
    wire        less = a_i[31] != b_i[31] ? a_i[31] : below;
    wire        equal = a_i == b_i;

    // One right shifter; left shifts go through it mirrored.
    wire        left = op_i == 3'b001;
    wire [31:0] mirrored_a, mirrored;
    wire [31:0] shift_in = left ? mirrored_a : a_i;
    wire [32:0] filled = {variant_i && !left && a_i[31], shift_in};
    wire [32:0] wide = $signed(filled) >>> b_i[4:0];
    genvar bit_no;
    generate
        for (bit_no = 0; bit_no < 32; bit_no = bit_no + 1) begin : mirror
            assign mirrored_a[bit_no] = a_i[31-bit_no];
            assign mirrored[bit_no] = wide[31-bit_no];
        end
    endgenerate

    always @* begin
        case (op_i)
            3'b000: result_o = sum[31:0];
            3'b001: result_o = mirrored;
            3'b010: result_o = {31'd0, less};
            3'b011: result_o = {31'd0, below};
            3'b100: result_o = a_i ^ b_i;
            3'b101: result_o = wide[31:0];
            3'b110: result_o = a_i | b_i;
            default: result_o = a_i & b_i;
        endcase
    end

    // beq bne - - blt bge bltu bgeu: the lowest bit turns the condition round.
    wire condition = !op_i[2] ? equal : op_i[1] ? below : less;
    assign taken_o = condition != op_i[0];

    wire unused = &{1'b0, wide[32]};
endmodule
