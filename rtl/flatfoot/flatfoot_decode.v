// flatfoot_decode - what an instruction word asks for.
//
// Pure logic. Of an instruction that is illegal only `illegal_o` counts; whether a control
// register exists is decided in execute.
module flatfoot_decode (
    input  wire [31:0] insn_i,
    output wire        illegal_o,
    output wire        reads1_o, // rs1
    output wire        reads2_o, // rs2
    output wire        writes_o, // rd
    output reg  [31:0] imm_o,    // for the adder of decode, or of addresses
    output wire        from_zero_o, // lui: that adder starts from zero, not from the pc
    output wire        immediate_o, // the second operand of the ALU is imm_o
    output wire        alu_variant_o,
    output reg  [2:0]  result_o,
    output wire        jal_o,
    output wire        jalr_o,
    output wire        branch_o,
    output wire        load_o,
    output wire        store_o,
    output wire        mul_o,
    output wire        div_o,
    output wire        csr_o,
    output wire        fence_i_o,
    output wire        ecall_o,
    output wire        ebreak_o,
    output wire        mret_o,
    output wire        wfi_o
);
`include "flatfoot_results.vh"
    wire [6:0] opcode = insn_i[6:0];
    wire [2:0] funct3 = insn_i[14:12];
    wire [6:0] funct7 = insn_i[31:25];

    wire lui = opcode == 7'b0110111;
    wire auipc = opcode == 7'b0010111;
    wire op_imm = opcode == 7'b0010011;
    wire op_reg = opcode == 7'b0110011;
    wire fence = opcode == 7'b0001111;
    wire system = opcode == 7'b1110011;
    wire plain = funct7 == 7'd0;
    wire varied = funct7 == 7'b0100000;
    wire muldiv = op_reg && funct7 == 7'd1;
    wire shift = funct3[1:0] == 2'b01;

    assign jal_o = opcode == 7'b1101111;
    assign jalr_o = opcode == 7'b1100111 && funct3 == 3'd0;
    assign branch_o = opcode == 7'b1100011 && funct3[2:1] != 2'b01;
    assign load_o = opcode == 7'b0000011 && funct3[1:0] != 2'b11 && funct3 != 3'b110;
    assign store_o = opcode == 7'b0100011 && !funct3[2] && funct3 != 3'b011;
    assign mul_o = muldiv && !funct3[2];
    assign div_o = muldiv && funct3[2];
    assign csr_o = system && funct3[1:0] != 2'b00;
    assign fence_i_o = fence && funct3 == 3'd1;
    assign ecall_o = insn_i == 32'h00000073;
    assign ebreak_o = insn_i == 32'h00100073;
    assign mret_o = insn_i == 32'h30200073;
    assign wfi_o = insn_i == 32'h10500073;

    wire legal_imm = op_imm && (!shift || plain || (varied && funct3[2]));
    wire legal_reg = op_reg && (plain || (varied && (funct3 == 3'b000 || funct3 == 3'b101)));
    wire legal_fence = fence && funct3[2:1] == 2'b00;
    assign illegal_o = !(lui || auipc || jal_o || jalr_o || branch_o || load_o || store_o ||
                         legal_imm || legal_reg || muldiv || legal_fence || csr_o || ecall_o ||
                         ebreak_o || mret_o || wfi_o);

    assign reads1_o = jalr_o || branch_o || load_o || store_o || legal_imm || legal_reg ||
                      muldiv || (csr_o && !funct3[2]);
    assign reads2_o = branch_o || store_o || legal_reg || muldiv;
    assign writes_o = (lui || auipc || jal_o || jalr_o || load_o || legal_imm || legal_reg ||
                       muldiv || csr_o) && insn_i[11:7] != 5'd0;

    assign from_zero_o = lui;
    assign immediate_o = op_imm;
    assign alu_variant_o = insn_i[30] && (op_reg || shift);

    always @* begin
        if (lui || auipc)
            imm_o = {insn_i[31:12], 12'd0};
        else if (jal_o)
            imm_o = {{12{insn_i[31]}}, insn_i[19:12], insn_i[20], insn_i[30:21], 1'b0};
        else if (branch_o)
            imm_o = {{20{insn_i[31]}}, insn_i[7], insn_i[30:25], insn_i[11:8], 1'b0};
        else if (store_o)
            imm_o = {{21{insn_i[31]}}, insn_i[30:25], insn_i[11:7]};
        else
            imm_o = {{21{insn_i[31]}}, insn_i[30:20]};

        if (lui || auipc)
            result_o = RESULT_TARGET;
        else if (jal_o || jalr_o)
            result_o = RESULT_LINK;
        else if (load_o || store_o)
            result_o = RESULT_MEMORY;
        else if (csr_o)
            result_o = RESULT_CSR;
        else if (mul_o)
            result_o = RESULT_MUL;
        else if (div_o)
            result_o = RESULT_DIV;
        else
            result_o = RESULT_ALU;
    end
endmodule
