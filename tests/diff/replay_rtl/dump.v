// dump - flatfoot runs a program, and its trace port goes into a waveform.
//
//     vvp MODEL +vcd=FILE
`timescale 1ns / 1ns
module dump;
    parameter RAM_FILE = "";

    reg clk = 0, rst_ni = 0;
    always #5 clk = !clk;

    wire        trace_valid, trace_trap, trace_intr;
    wire [31:0] trace_pc, trace_next_pc, trace_insn, trace_rd_wdata, trace_mem_addr, exit_code;
    wire [4:0]  trace_rd_addr;
    wire [3:0]  trace_mem_rmask, trace_mem_wmask, trace_stall;
    wire        trace_icache_hit, trace_icache_miss, trace_dcache_hit, trace_dcache_miss, trace_stall_valid;
    wire        exit_valid;

    flatfoot_soc #(.RAM_FILE(RAM_FILE), .RAM_BYTES(262144)) soc (
        .clk_i(clk), .rst_ni(rst_ni), .reset_pc_i(32'h8000_0000),
        .rx_valid_i(1'b0), .rx_data_i(8'd0),
        .exit_valid_o(exit_valid), .exit_code_o(exit_code),
        .trace_valid_o(trace_valid), .trace_trap_o(trace_trap), .trace_intr_o(trace_intr),
        .trace_pc_o(trace_pc), .trace_next_pc_o(trace_next_pc), .trace_insn_o(trace_insn),
        .trace_rd_addr_o(trace_rd_addr), .trace_rd_wdata_o(trace_rd_wdata),
        .trace_mem_addr_o(trace_mem_addr), .trace_mem_rmask_o(trace_mem_rmask),
        .trace_mem_wmask_o(trace_mem_wmask),
        .trace_icache_hit_o(trace_icache_hit), .trace_icache_miss_o(trace_icache_miss),
        .trace_dcache_hit_o(trace_dcache_hit), .trace_dcache_miss_o(trace_dcache_miss),
        .trace_stall_valid_o(trace_stall_valid), .trace_stall_o(trace_stall),
        .live_rx_tvalid_i(1'b0), .live_tx_tready_i(1'b0));

    reg [8*256-1:0] path;
    initial begin
        if (!$value$plusargs("vcd=%s", path)) $finish(1);
        $dumpfile(path);
        $dumpvars(1, dump);
        repeat (4) @(posedge clk);
        rst_ni <= 1;
        repeat (20000) @(posedge clk);
        $display("the program does not end");
        $finish(0);
    end
    // The instruction that ends the program is the last that counts.
    reg over = 0;
    always @(posedge clk) if (rst_ni) begin
        over <= over || exit_valid;
        if ((over || exit_valid) && trace_valid) @(negedge clk) $finish(0);
    end
endmodule
