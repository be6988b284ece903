// on_rvfi - a unit, which UNIT names, behind rvfi_port.
module on_rvfi #(
    parameter LATENCY = 1,
    parameter ORDER = 1
) (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire        core_rst_ni,
    input  wire        start_i,
    input  wire [3:0]  stall_i,
    input  wire        rvfi_valid,
    input  wire [63:0] rvfi_order,
    input  wire [31:0] rvfi_insn,
    input  wire        rvfi_trap,
    input  wire        rvfi_halt,
    input  wire        rvfi_intr,
    input  wire [31:0] rvfi_rs1_rdata,
    input  wire [31:0] rvfi_pc_rdata,
    input  wire [31:0] rvfi_pc_wdata,
    input  wire [31:0] rvfi_mem_addr,
    input  wire [3:0]  rvfi_mem_rmask,
    input  wire [3:0]  rvfi_mem_wmask,
`ifdef HAS_RECORDS
    output wire        record_valid_o,
    output wire [7:0]  record_number_o,
    output wire [31:0] record_sequence_o,
    output wire        record_last_o,
    output wire [31:0] record_value_o,
    output wire [63:0] record_total_o,
`endif
    input  wire        reg_valid_i,
    input  wire        reg_write_i,
    input  wire [19:0] reg_addr_i,
    input  wire [31:0] reg_wdata_i,
    output wire        reg_ready_o,
    output wire        reg_error_o,
    output wire [31:0] reg_rdata_o
);
    wire        trace_valid, trace_trap, trace_stall_valid;
    wire        trace_mem_valid, trace_mem_read, trace_mem_write;
    wire [31:0] trace_pc, trace_next_pc, trace_insn, trace_mem_addr;
    wire [3:0]  trace_stall;

    rvfi_port #(.LATENCY(LATENCY), .ORDER(ORDER)) port (
        .clk_i(clk_i), .rst_ni(core_rst_ni), .start_i(start_i), .stall_i(stall_i),
        .rvfi_valid(rvfi_valid), .rvfi_order(rvfi_order), .rvfi_insn(rvfi_insn), .rvfi_trap(rvfi_trap),
        .rvfi_halt(rvfi_halt), .rvfi_intr(rvfi_intr), .rvfi_rs1_rdata(rvfi_rs1_rdata),
        .rvfi_pc_rdata(rvfi_pc_rdata), .rvfi_pc_wdata(rvfi_pc_wdata), .rvfi_mem_addr(rvfi_mem_addr),
        .rvfi_mem_rmask(rvfi_mem_rmask), .rvfi_mem_wmask(rvfi_mem_wmask),
        .trace_valid_o(trace_valid), .trace_trap_o(trace_trap), .trace_pc_o(trace_pc),
        .trace_next_pc_o(trace_next_pc), .trace_insn_o(trace_insn),
        .trace_stall_valid_o(trace_stall_valid), .trace_stall_o(trace_stall),
        .trace_mem_valid_o(trace_mem_valid), .trace_mem_addr_o(trace_mem_addr),
        .trace_mem_read_o(trace_mem_read), .trace_mem_write_o(trace_mem_write)
    );

    `UNIT unit (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .trace_valid_i(trace_valid), .trace_trap_i(trace_trap), .trace_pc_i(trace_pc),
        .trace_next_pc_i(trace_next_pc), .trace_insn_i(trace_insn),
        .trace_stall_valid_i(trace_stall_valid), .trace_stall_i(trace_stall),
`ifdef HAS_ACCESS
        .trace_mem_valid_i(trace_mem_valid), .trace_mem_addr_i(trace_mem_addr),
`endif
`ifdef HAS_SIGNALS
        .trace_mem_read_i(trace_mem_read), .trace_mem_write_i(trace_mem_write), .trace_mispredict_i(1'b0),
        .trace_icache_hit_i(1'b0), .trace_icache_miss_i(1'b0), .trace_dcache_hit_i(1'b0),
        .trace_dcache_miss_i(1'b0),
        .record_valid_o(record_valid_o), .record_number_o(record_number_o),
        .record_sequence_o(record_sequence_o), .record_last_o(record_last_o),
        .record_value_o(record_value_o), .record_total_o(record_total_o),
`endif
        .reg_valid_i(reg_valid_i), .reg_write_i(reg_write_i), .reg_addr_i(reg_addr_i),
        .reg_wdata_i(reg_wdata_i), .reg_ready_o(reg_ready_o), .reg_error_o(reg_error_o),
        .reg_rdata_o(reg_rdata_o)
    );
    wire unused = &{1'b0, trace_mem_valid, trace_mem_addr, trace_mem_read, trace_mem_write};
endmodule
