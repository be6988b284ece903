// snoopp_wired - SnoopP with its bounds in registers: writes to 0x80000 + 8 i and 0x80004 + 8 i set the
// first and last address of a range. With WRITTEN, as 'gumshoe rtl' wrote it, bounds and all.
module snoopp_wired #(
    parameter N = 16,
    parameter CW = 64,
    parameter COUNT = 0,
    parameter [15:0] STALLS = 16'hffff,
    parameter DATA = 0,
    parameter BOUNDS = 1,
    parameter WRITABLE = 0
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
    wire ready, refused;

`ifdef WRITTEN
    wire bound = 1'b0;
    snoopp_configured unit (
`else
    wire           bound = reg_addr_i[19];
    reg [32*N-1:0] first_q, last_q;

    integer i;
    always @(posedge clk_i)
        for (i = 0; i < N; i = i + 1)
            if (reg_valid_i && reg_write_i && bound && {16'd0, reg_addr_i[18:3]} == i) begin
                if (reg_addr_i[2])
                    last_q[32*i +: 32] <= reg_wdata_i;
                else
                    first_q[32*i +: 32] <= reg_wdata_i;
            end

    snoopp #(
        .N(N), .CW(CW), .COUNT(COUNT), .STALLS(STALLS), .DATA(DATA), .BOUNDS(BOUNDS),
        .WRITABLE(WRITABLE)
    ) unit (
        .first_i(first_q), .last_i(last_q),
`endif
        .clk_i(clk_i), .rst_ni(rst_ni), .trace_valid_i(trace_valid_i), .trace_pc_i(trace_pc_i),
        .trace_stall_valid_i(trace_stall_valid_i), .trace_stall_i(trace_stall_i),
        .trace_mem_valid_i(trace_mem_valid_i), .trace_mem_addr_i(trace_mem_addr_i),
        .reg_valid_i(reg_valid_i && !bound), .reg_write_i(reg_write_i),
        .reg_addr_i(reg_addr_i[14:0]), .reg_wdata_i(reg_wdata_i), .reg_ready_o(ready),
        .reg_error_o(refused), .reg_rdata_o(reg_rdata_o)
    );
    assign reg_ready_o = bound || ready;
    assign reg_error_o = !bound && refused;
    wire unused = &{1'b0, trace_trap_i, trace_next_pc_i, trace_insn_i, reg_addr_i};
endmodule
