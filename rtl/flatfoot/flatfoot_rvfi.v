// flatfoot_rvfi - RVFI, the RISC-V formal interface, of flatfoot's trace port: in the same clock, with NRET 1.
//
// What an instruction read is what a register file of its own has, which sees nothing but what retires. So a check
// that compares results with operands also checks forwarding.
module flatfoot_rvfi (
    input  wire        clk_i,
    input  wire        rst_ni,

    input  wire        trace_valid_i, // of flatfoot
    input  wire        trace_trap_i,
    input  wire        trace_intr_i,
    input  wire [31:0] trace_pc_i,
    input  wire [31:0] trace_next_pc_i,
    input  wire [31:0] trace_insn_i,
    input  wire [4:0]  trace_rd_addr_i,
    input  wire [31:0] trace_rd_wdata_i,
    input  wire [31:0] trace_mem_addr_i,
    input  wire [3:0]  trace_mem_rmask_i,
    input  wire [3:0]  trace_mem_wmask_i,
    input  wire [31:0] trace_mem_wdata_i,

    output wire        rvfi_valid,
    output reg  [63:0] rvfi_order,
    output wire [31:0] rvfi_insn,
    output wire        rvfi_trap,
    output wire        rvfi_halt,
    output reg         rvfi_intr,
    output wire [1:0]  rvfi_mode,
    output wire [1:0]  rvfi_ixl,
    output wire [4:0]  rvfi_rs1_addr,
    output wire [4:0]  rvfi_rs2_addr,
    output wire [31:0] rvfi_rs1_rdata,
    output wire [31:0] rvfi_rs2_rdata,
    output wire [4:0]  rvfi_rd_addr,
    output wire [31:0] rvfi_rd_wdata,
    output wire [31:0] rvfi_pc_rdata,
    output wire [31:0] rvfi_pc_wdata,
    output wire [31:0] rvfi_mem_addr,
    output wire [3:0]  rvfi_mem_rmask,
    output wire [3:0]  rvfi_mem_wmask,
    output wire [31:0] rvfi_mem_rdata,
    output wire [31:0] rvfi_mem_wdata
);
    wire writes = trace_valid_i && !trace_trap_i && trace_rd_addr_i != 5'd0;

    reg [31:0] registers [0:31];
    always @(posedge clk_i)
        if (writes)
            registers[trace_rd_addr_i] <= trace_rd_wdata_i;

    // The first instruction of a handler, of an exception as well as of an interrupt.
    always @(posedge clk_i)
        if (!rst_ni) begin
            rvfi_order <= 64'd0;
            rvfi_intr <= 1'b0;
        end else begin
            if (trace_valid_i)
                rvfi_order <= rvfi_order + 64'd1;
            if (trace_intr_i || (trace_valid_i && trace_trap_i))
                rvfi_intr <= 1'b1;
            else if (trace_valid_i)
                rvfi_intr <= 1'b0;
        end

    wire [4:0] opcode = trace_insn_i[6:2];
    wire       has_rs1 = !(opcode == 5'b01101 || opcode == 5'b00101 || opcode == 5'b11011 || // lui, auipc, jal
                           (opcode == 5'b11100 && (trace_insn_i[14] || trace_insn_i[13:12] == 2'b00)));
    wire       has_rs2 = opcode == 5'b01100 || opcode == 5'b01000 || opcode == 5'b11000; // op, store, branch

    assign rvfi_valid = rst_ni && trace_valid_i;
    assign rvfi_insn = trace_insn_i;
    assign rvfi_trap = trace_trap_i;
    assign rvfi_halt = 1'b0;
    assign rvfi_mode = 2'd3;
    assign rvfi_ixl = 2'd1;
    assign rvfi_rs1_addr = has_rs1 ? trace_insn_i[19:15] : 5'd0;
    assign rvfi_rs2_addr = has_rs2 ? trace_insn_i[24:20] : 5'd0;
    assign rvfi_rs1_rdata = rvfi_rs1_addr == 5'd0 ? 32'd0 : registers[rvfi_rs1_addr];
    assign rvfi_rs2_rdata = rvfi_rs2_addr == 5'd0 ? 32'd0 : registers[rvfi_rs2_addr];
    assign rvfi_rd_addr = writes ? trace_rd_addr_i : 5'd0;
    assign rvfi_rd_wdata = writes ? trace_rd_wdata_i : 32'd0;
    assign rvfi_pc_rdata = trace_pc_i;
    assign rvfi_pc_wdata = trace_next_pc_i;
    // By words, as RISCV_FORMAL_ALIGNED_MEM has it.
    assign rvfi_mem_addr = {trace_mem_addr_i[31:2], 2'd0};
    assign rvfi_mem_rmask = trace_trap_i ? 4'd0 : trace_mem_rmask_i;
    assign rvfi_mem_wmask = trace_trap_i ? 4'd0 : trace_mem_wmask_i;
    assign rvfi_mem_rdata = trace_rd_wdata_i << {trace_mem_addr_i[1:0], 3'd0};
    assign rvfi_mem_wdata = trace_mem_wdata_i;
endmodule
