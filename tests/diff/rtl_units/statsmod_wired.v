// statsmod_wired - the Statistics Module on the whole port; with WRITTEN, as 'gumshoe rtl' wrote it.
module statsmod_wired #(
    parameter COUNTERS = 8,
    parameter RANGES = 8,
    parameter WIDTH = 32,
    parameter [25:0] SIGNALS = 26'h3ffffff,
    parameter NAIVE = 0,
    parameter MIPS = 0
) (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire        trace_valid_i,
    input  wire        trace_trap_i,
    input  wire [31:0] trace_pc_i,
    input  wire [31:0] trace_next_pc_i,
    input  wire [31:0] trace_insn_i,
    input  wire        trace_stall_valid_i,
    input  wire [3:0]  trace_stall_i,
    input  wire        trace_mem_read_i,
    input  wire        trace_mem_write_i,
    input  wire        trace_mispredict_i,
    input  wire        trace_icache_hit_i,
    input  wire        trace_icache_miss_i,
    input  wire        trace_dcache_hit_i,
    input  wire        trace_dcache_miss_i,
    output wire        record_valid_o,
    output wire [7:0]  record_number_o,
    output wire [31:0] record_sequence_o,
    output wire        record_last_o,
    output wire [31:0] record_value_o,
    output wire [63:0] record_total_o,
    input  wire        reg_valid_i,
    input  wire        reg_write_i,
    input  wire [19:0] reg_addr_i,
    input  wire [31:0] reg_wdata_i,
    output wire        reg_ready_o,
    output wire        reg_error_o,
    output wire [31:0] reg_rdata_o
);
    wire ready, refused, record_clock;
`ifdef WRITTEN
    statsmod_configured unit (
`else
    statsmod #(
        .COUNTERS(COUNTERS), .RANGES(RANGES), .WIDTH(WIDTH), .SIGNALS(SIGNALS), .NAIVE(NAIVE),
        .MIPS(MIPS)
    ) unit (
`endif
        .clk_i(clk_i), .rst_ni(rst_ni), .trace_valid_i(trace_valid_i), .trace_trap_i(trace_trap_i),
        .trace_pc_i(trace_pc_i), .trace_next_pc_i(trace_next_pc_i), .trace_insn_i(trace_insn_i),
        .trace_stall_valid_i(trace_stall_valid_i), .trace_stall_i(trace_stall_i),
        .trace_mem_read_i(trace_mem_read_i), .trace_mem_write_i(trace_mem_write_i),
        .trace_mispredict_i(trace_mispredict_i), .trace_icache_hit_i(trace_icache_hit_i),
        .trace_icache_miss_i(trace_icache_miss_i), .trace_dcache_hit_i(trace_dcache_hit_i),
        .trace_dcache_miss_i(trace_dcache_miss_i),
        .record_valid_o(record_valid_o), .record_number_o(record_number_o),
        .record_sequence_o(record_sequence_o), .record_last_o(record_last_o),
        .record_value_o(record_value_o), .record_total_o(record_total_o), .record_clock_o(record_clock),
        .reg_valid_i(reg_valid_i), .reg_write_i(reg_write_i), .reg_addr_i(reg_addr_i[14:0]),
        .reg_wdata_i(reg_wdata_i), .reg_ready_o(ready), .reg_error_o(refused),
        .reg_rdata_o(reg_rdata_o)
    );
    assign reg_ready_o = ready;
    assign reg_error_o = refused;
    wire unused = &{1'b0, reg_addr_i, record_clock};
endmodule
