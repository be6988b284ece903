// leap_booted - LEAP as 'gumshoe rtl --boot' wrote it. Up to the end of the profile no write gets to it: what it is
// set to comes from its ROM.
module leap_booted (
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
    wire ready, refused, booted;
    wire ends = reg_write_i && reg_addr_i == 20'h8 && reg_wdata_i[2]; // CONTROL.DRAIN
    reg  ended_q;
    wire dropped = reg_write_i && !ended_q && !ends;
    always @(posedge clk_i)
        ended_q <= rst_ni && (ended_q || (reg_valid_i && ends));

    leap_configured unit (
        .clk_i(clk_i), .rst_ni(rst_ni), .trace_valid_i(trace_valid_i), .trace_trap_i(trace_trap_i),
        .trace_pc_i(trace_pc_i), .trace_next_pc_i(trace_next_pc_i), .trace_insn_i(trace_insn_i),
        .trace_stall_valid_i(trace_stall_valid_i), .trace_stall_i(trace_stall_i),
        .reg_valid_i(reg_valid_i && !dropped), .reg_write_i(reg_write_i), .reg_addr_i(reg_addr_i),
        .reg_wdata_i(reg_wdata_i), .reg_ready_o(ready), .reg_error_o(refused), .reg_rdata_o(reg_rdata_o),
        .boot_done_o(booted)
    );
    assign reg_ready_o = dropped || ready;
    assign reg_error_o = !dropped && refused;
    wire unused = &{1'b0, booted};
endmodule
