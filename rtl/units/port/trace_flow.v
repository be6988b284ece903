// SPDX-License-Identifier: Apache-2.0
// trace_flow - what kind of jump an instruction word is. docs/units/leap.md, Operation Decoder.
//
// Words that no core retires need not be told from others, so only the bits that matter are looked at.
`default_nettype none
module trace_flow #(
    parameter MIPS = 0 // 1: MIPS; 0: RISC-V, with compressed instructions
) (
    input  wire [31:0] insn_i,
    output wire        call_o,     // with ret_o: returns first, then calls
    output wire        if_taken_o, // of a call: only if the branch is taken
    output wire        ret_o,
    output wire        branch_o,   // conditional, without linking
    output wire        jump_o,     // direct, without linking
    output wire        short_o     // two bytes long
);
    generate
        if (MIPS != 0) begin : g_mips
            wire [5:0] opcode = insn_i[31:26];
            wire [4:0] rs = insn_i[25:21];
            wire [4:0] rt = insn_i[20:16];
            wire       rs_zero = rs == 5'd0;
            wire       likely_or_not = opcode[5] == 1'b0 && opcode[3:2] == 2'b01; // 0x04-07, 0x14-17

            // jr and jalr, with or without .hb; rd is 0 in jr.
            wire by_register = opcode == 6'd0 && insn_i[5:1] == 5'b00100;
            wire links = insn_i[0] && insn_i[15:11] != 5'd0;
            wire jal = opcode == 6'd3;

            // bltz, bgez (rt[0]), likely (rt[1]), linking (rt[4]).
            wire regimm = opcode == 6'd1 && rt[3:2] == 2'b00;
            wire regimm_link = regimm && rt[4];
            wire sure = rt[0] && rs_zero;
            wire never = rt[1:0] == 2'b00 && rs_zero;
            wire bal_8 = sure && insn_i[15:0] == 16'd1;

            wire beq = likely_or_not && opcode[1:0] == 2'b00;
            wire blez = likely_or_not && opcode[1:0] == 2'b10;
            wire bc1 = opcode == 6'h11 && rs == 5'd8;
            wire decided = (beq && rs == rt) || (blez && rs_zero) || (regimm && !rt[4] && sure);

            assign call_o = jal || (by_register && links) || (regimm_link && !never && !bal_8);
            assign if_taken_o = regimm_link && !sure && !never;
            assign ret_o = by_register && !links && rs == 5'd31;
            assign branch_o = (likely_or_not || bc1 || (regimm && !rt[4])) && !decided;
            assign jump_o = opcode == 6'd2 || decided;
            assign short_o = 1'b0;
        end else begin : g_riscv
            wire       wide = insn_i[1:0] == 2'b11;
            wire [4:0] rd = insn_i[11:7]; // in c.jr and c.jalr, rs1
            wire [4:0] rs1 = insn_i[19:15];
            wire       rd_links = rd == 5'd1 || rd == 5'd5;
            wire       rs1_links = rs1 == 5'd1 || rs1 == 5'd5;

            wire jal = insn_i[6:0] == 7'b1101111;
            wire jalr = insn_i[6:0] == 7'b1100111;
            wire c_jal = insn_i[1:0] == 2'b01 && insn_i[15:13] == 3'b001;
            wire c_j = insn_i[1:0] == 2'b01 && insn_i[15:13] == 3'b101;
            wire c_branch = insn_i[1:0] == 2'b01 && insn_i[15:14] == 2'b11;
            wire c_by_register = insn_i[1:0] == 2'b10 && insn_i[15:13] == 3'b100 &&
                                 insn_i[6:2] == 5'd0 && rd != 5'd0;
            wire c_links = insn_i[12];

            assign call_o = ((jal || jalr) && rd_links) || c_jal || (c_by_register && c_links);
            assign if_taken_o = 1'b0;
            assign ret_o = (jalr && rs1_links && !(rd_links && rs1 == rd)) ||
                           (c_by_register && (c_links ? rd == 5'd5 : rd_links));
            assign branch_o = insn_i[6:0] == 7'b1100011 || c_branch;
            assign jump_o = (jal && !rd_links) || c_j;
            assign short_o = !wide;
            wire unused = &{1'b0, insn_i[31:20]};
        end
    endgenerate
endmodule
`default_nettype wire
