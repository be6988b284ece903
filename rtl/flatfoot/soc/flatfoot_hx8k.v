// flatfoot_hx8k - the SoC as it fits an iCE40 HX8K: 32 block RAMs of 512 bytes and no multipliers.
//
// Both caches have 1 KB in lines of 32 bytes, and the RAM 4 KB; with smaller caches, a smaller store buffer and
// no timer there is room for LEAP, too. The console is a byte and its strobe on pins, the test device's exit a
// light.
module flatfoot_hx8k #(
    parameter ICACHE_BYTES = 1024,
    parameter DCACHE_BYTES = 1024,
    parameter LINE_BYTES   = 32,
    parameter STORE_BUFFER = 2,
    parameter RAM_BYTES    = 4096,
    parameter UNCACHED     = 0,
    parameter TIMER        = 1,
    parameter UNITS        = 0,
    parameter RAM_FILE     = "" // the program, for $readmemh
) (
    input  wire       clk_i,
    input  wire       rst_ni,
    output reg        tx_valid_o,
    output reg  [7:0] tx_data_o,
    input  wire       rx_valid_i,
    input  wire [7:0] rx_data_i,
    output wire       rx_ready_o,
    output reg        exited_o
);
    // Pins are a long way from anything.
    reg       reset_n_q, rx_valid_q;
    reg [7:0] rx_data_q;
    wire       tx_valid, exit_valid;
    wire [7:0] tx_data;

    always @(posedge clk_i) begin
        reset_n_q <= rst_ni;
        rx_valid_q <= rx_valid_i && !rx_ready_o;
        rx_data_q <= rx_data_i;
        tx_valid_o <= tx_valid;
        tx_data_o <= tx_data;
        exited_o <= reset_n_q && (exited_o || exit_valid);
    end

    flatfoot_soc #(
        .ICACHE_BYTES(ICACHE_BYTES),
        .DCACHE_BYTES(DCACHE_BYTES),
        .LINE_BYTES(LINE_BYTES),
        .STORE_BUFFER(STORE_BUFFER),
        .UNCACHED(UNCACHED),
        .TIMER(TIMER),
        .UNITS(UNITS),
        .RAM_BYTES(RAM_BYTES),
        .RAM_FILE(RAM_FILE)
    ) soc (
        .clk_i(clk_i),
        .rst_ni(reset_n_q),
        .reset_pc_i(32'h8000_0000),
        .tx_valid_o(tx_valid),
        .tx_data_o(tx_data),
        .rx_valid_i(rx_valid_q),
        .rx_data_i(rx_data_q),
        .rx_ready_o(rx_ready_o),
        .exit_valid_o(exit_valid),
        .exit_code_o(),
        .mark_valid_o(),
        .mark_o(),
        .trace_valid_o(),
        .trace_trap_o(),
        .trace_intr_o(),
        .trace_pc_o(),
        .trace_next_pc_o(),
        .trace_insn_o(),
        .trace_rd_addr_o(),
        .trace_rd_wdata_o(),
        .trace_mem_addr_o(),
        .trace_mem_rmask_o(),
        .trace_mem_wmask_o(),
        .trace_mem_wdata_o(),
        .trace_icache_hit_o(),
        .trace_icache_miss_o(),
        .trace_dcache_hit_o(),
        .trace_dcache_miss_o(),
        .trace_stall_valid_o(),
        .trace_stall_o(),
        .live_mac_i(48'd0),
        .live_ip_i(32'd0),
        .live_port_i(16'd0),
        .live_device_i(64'd0),
        .live_session_i(64'd0),
        .live_program_i(128'd0),
        .live_key_i(128'd0),
        .live_clock_hz_i(32'd0),
        .live_rx_tvalid_i(1'b0),
        .live_rx_tready_o(),
        .live_rx_tdata_i(8'd0),
        .live_rx_tlast_i(1'b0),
        .live_rx_tuser_i(1'b0),
        .live_tx_tvalid_o(),
        .live_tx_tready_i(1'b1),
        .live_tx_tdata_o(),
        .live_tx_tlast_o()
    );
endmodule
