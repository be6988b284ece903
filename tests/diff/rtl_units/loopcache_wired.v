// loopcache_wired - the loop detector on the whole port; with WRITTEN, as 'gumshoe rtl' wrote it.
module loopcache_wired #(
    parameter ENTRIES = 32,
    parameter WAYS = 2,
    parameter WIDTH = 24,
    parameter INTERVAL = 1,
    parameter DISTANCE = 1024,
    parameter COALESCE = 1,
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
    input  wire        reg_valid_i,
    input  wire        reg_write_i,
    input  wire [19:0] reg_addr_i,
    input  wire [31:0] reg_wdata_i,
    output wire        reg_ready_o,
    output wire        reg_error_o,
    output wire [31:0] reg_rdata_o
);
    wire ready, refused;
`ifdef WRITTEN
    loopcache_configured unit (
`else
    loopcache #(
        .ENTRIES(ENTRIES), .WAYS(WAYS), .WIDTH(WIDTH), .INTERVAL(INTERVAL), .DISTANCE(DISTANCE),
        .COALESCE(COALESCE), .MIPS(MIPS)
    ) unit (
`endif
        .clk_i(clk_i), .rst_ni(rst_ni), .trace_valid_i(trace_valid_i), .trace_trap_i(trace_trap_i),
        .trace_pc_i(trace_pc_i), .trace_next_pc_i(trace_next_pc_i), .trace_insn_i(trace_insn_i),
        .reg_valid_i(reg_valid_i), .reg_write_i(reg_write_i), .reg_addr_i(reg_addr_i[13:0]),
        .reg_wdata_i(reg_wdata_i), .reg_ready_o(ready), .reg_error_o(refused),
        .reg_rdata_o(reg_rdata_o)
    );
    assign reg_ready_o = ready;
    assign reg_error_o = refused;
    wire unused = &{1'b0, trace_stall_valid_i, trace_stall_i, reg_addr_i};
endmodule
