// leap_on_wishbone - LEAP behind its Wishbone wrapper, and a master in front of that.
module leap_on_wishbone (
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
    wire        valid, write, ready;
    wire [19:0] addr;
    wire [31:0] wdata, rdata;
    wire        refused;

    wire ack, err;
    assign reg_ready_o = ack || err;
    assign reg_error_o = err;

    regs_wishbone bridge (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .wb_cyc_i(reg_valid_i), .wb_stb_i(reg_valid_i), .wb_we_i(reg_write_i), .wb_sel_i(4'hf),
        .wb_adr_i(reg_addr_i), .wb_dat_i(reg_wdata_i), .wb_ack_o(ack), .wb_err_o(err),
        .wb_dat_o(reg_rdata_o),
        .reg_valid_o(valid), .reg_write_o(write), .reg_addr_o(addr), .reg_wdata_o(wdata),
        .reg_ready_i(ready), .reg_error_i(refused), .reg_rdata_i(rdata)
    );

    leap unit (
        .clk_i(clk_i), .rst_ni(rst_ni), .trace_valid_i(trace_valid_i), .trace_trap_i(trace_trap_i),
        .trace_pc_i(trace_pc_i), .trace_next_pc_i(trace_next_pc_i), .trace_insn_i(trace_insn_i),
        .trace_stall_valid_i(trace_stall_valid_i), .trace_stall_i(trace_stall_i),
        .reg_valid_i(valid), .reg_write_i(write), .reg_addr_i(addr), .reg_wdata_i(wdata),
        .reg_ready_o(ready), .reg_error_o(refused), .reg_rdata_o(rdata)
    );
endmodule
