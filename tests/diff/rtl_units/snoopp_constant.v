// snoopp_constant - SnoopP with constant bounds, as 'gumshoe rtl' writes them: N ranges of code, one after the other, of
// sizes that are all different.
module snoopp_constant #(
    parameter N = 32,
    parameter CW = 32,
    parameter WRITABLE = 0
) (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire        trace_valid_i,
    input  wire [31:0] trace_pc_i,
    input  wire        trace_stall_valid_i,
    input  wire [3:0]  trace_stall_i,
    input  wire        reg_valid_i,
    input  wire        reg_write_i,
    input  wire [14:0] reg_addr_i,
    input  wire [31:0] reg_wdata_i,
    output wire        reg_ready_o,
    output wire        reg_error_o,
    output wire [31:0] reg_rdata_o
);
    wire [32*N-1:0] first, last;
    genvar i;
    generate
        for (i = 0; i < N; i = i + 1) begin : g_range
            assign first[32*i +: 32] = 32'h8000_0094 + 32'd236 * i + 32'd4 * ((i * i * 37) % 59);
            assign last[32*i +: 32] = 32'h8000_0093 + 32'd236 * (i + 1) + 32'd4 * (((i + 1) * (i + 1) * 37) % 59);
        end
    endgenerate
    snoopp #(.N(N), .CW(CW), .BOUNDS(WRITABLE), .WRITABLE(WRITABLE)) unit (
        .clk_i(clk_i), .rst_ni(rst_ni), .first_i(first), .last_i(last), .trace_valid_i(trace_valid_i),
        .trace_pc_i(trace_pc_i), .trace_stall_valid_i(trace_stall_valid_i), .trace_stall_i(trace_stall_i),
        .trace_mem_valid_i(1'b0), .trace_mem_addr_i(32'd0), .reg_valid_i(reg_valid_i),
        .reg_write_i(reg_write_i), .reg_addr_i(reg_addr_i), .reg_wdata_i(reg_wdata_i),
        .reg_ready_o(reg_ready_o), .reg_error_o(reg_error_o), .reg_rdata_o(reg_rdata_o)
    );
endmodule
