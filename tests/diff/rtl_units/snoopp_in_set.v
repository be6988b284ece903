// snoopp_in_set - SnoopP as 'gumshoe rtl' wrote it behind one bus with LEAP, which comes first.
module snoopp_in_set (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire        trace_valid_i,
    input  wire        trace_trap_i,
    input  wire [31:0] trace_pc_i,
    input  wire [31:0] trace_next_pc_i,
    input  wire [31:0] trace_insn_i,
    input  wire        trace_stall_valid_i,
    input  wire [3:0]  trace_stall_i,
    input  wire        trace_mem_valid_i,
    input  wire [31:0] trace_mem_addr_i,
    input  wire        reg_valid_i,
    input  wire        reg_write_i,
    input  wire [19:0] reg_addr_i,
    input  wire [31:0] reg_wdata_i,
    output wire        reg_ready_o,
    output wire        reg_error_o,
    output wire [31:0] reg_rdata_o
);
    profilers units (
        .clk_i(clk_i), .rst_ni(rst_ni), .trace_valid_i(trace_valid_i), .trace_trap_i(trace_trap_i),
        .trace_pc_i(trace_pc_i), .trace_next_pc_i(trace_next_pc_i), .trace_insn_i(trace_insn_i),
        .trace_stall_valid_i(trace_stall_valid_i), .trace_stall_i(trace_stall_i),
        .trace_mem_valid_i(trace_mem_valid_i), .trace_mem_addr_i(trace_mem_addr_i),
        .reg_valid_i(reg_valid_i), .reg_write_i(reg_write_i), .reg_addr_i({1'b1, reg_addr_i}),
        .reg_wdata_i(reg_wdata_i), .reg_ready_o(reg_ready_o), .reg_error_o(reg_error_o),
        .reg_rdata_o(reg_rdata_o)
    );
endmodule
