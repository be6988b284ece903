// flatfoot_soc - flatfoot with memory and devices, laid out as boards/rv-virt.yaml says.
//
// The same ELF file runs here and in Gumshoe, to the cycle, if the latencies are those of
// cores/flatfoot.yaml, which they are by default. With UNITS, the profilers are on the trace port
// and, as another device, on the bus. With LIVE, a Statistics Module of its own is on the trace port and
// on a network, where it is set and read.
module flatfoot_soc #(
    parameter ICACHE_BYTES = 8192,
    parameter DCACHE_BYTES = 8192,
    parameter LINE_BYTES   = 16,
    parameter STORE_BUFFER = 2,
    parameter RAM_BYTES    = 4194304,
    parameter RAM_FILE     = "", // its contents, for $readmemh
    parameter FIRST        = 8,  // latencies: see soc_bus
    parameter NEXT         = 1,
    parameter WRITE        = 4,
    parameter UNCACHED     = 0,  // with UNITS, 28 - FIRST at least
    parameter TIMER        = 1,  // 0: without timer and software interrupt
    parameter UNITS        = 0,  // those of soc_units that are there, a bit each
    parameter LIVE         = 0,  // 1: with the Statistics Module on a network
    parameter LIVE_COUNTERS = 8,
    parameter LIVE_RANGES  = 8
) (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire [31:0] reset_pc_i,

    output wire        tx_valid_o, // a byte for the console, of the UART or the test device
    output wire [7:0]  tx_data_o,
    input  wire        rx_valid_i,
    input  wire [7:0]  rx_data_i,
    output wire        rx_ready_o,

    output wire        exit_valid_o, // the program ends with the instruction in M
    output wire [31:0] exit_code_o,
    output wire        mark_valid_o,
    output wire [31:0] mark_o,

    output wire        trace_valid_o, // see flatfoot
    output wire        trace_trap_o,
    output wire        trace_intr_o,
    output wire [31:0] trace_pc_o,
    output wire [31:0] trace_next_pc_o,
    output wire [31:0] trace_insn_o,
    output wire [4:0]  trace_rd_addr_o,
    output wire [31:0] trace_rd_wdata_o,
    output wire [31:0] trace_mem_addr_o,
    output wire [3:0]  trace_mem_rmask_o,
    output wire [3:0]  trace_mem_wmask_o,
    output wire [31:0] trace_mem_wdata_o,
    output wire        trace_icache_hit_o,
    output wire        trace_icache_miss_o,
    output wire        trace_dcache_hit_o,
    output wire        trace_dcache_miss_o,
    output wire        trace_stall_valid_o,
    output wire [3:0]  trace_stall_o,

    input  wire [47:0] live_mac_i, // of no use without LIVE: see live
    input  wire [31:0] live_ip_i,
    input  wire [15:0] live_port_i,
    input  wire [63:0] live_device_i,
    input  wire [63:0] live_session_i,
    input  wire [127:0] live_program_i,
    input  wire [127:0] live_key_i,
    input  wire [31:0] live_clock_hz_i,
    input  wire        live_rx_tvalid_i,
    output wire        live_rx_tready_o,
    input  wire [7:0]  live_rx_tdata_i,
    input  wire        live_rx_tlast_i,
    input  wire        live_rx_tuser_i,
    output wire        live_tx_tvalid_o,
    input  wire        live_tx_tready_i,
    output wire [7:0]  live_tx_tdata_o,
    output wire        live_tx_tlast_o
);
    localparam [31:0] RAM_BASE = 32'h8000_0000;
    localparam [31:0] CLINT_BASE = 32'h0200_0000;
    localparam [31:0] UART_BASE = 32'h1000_0000;
    localparam [31:0] TEST_BASE = 32'hf000_0000;
    localparam [31:0] UNITS_BASE = 32'h4000_0000;
    localparam [31:0] UNITS_BYTES = UNITS != 0 ? 32'h0040_0000 : 32'd0;
    localparam WORD_BITS = $clog2(LINE_BYTES / 4);
    localparam LINE_BITS = $clog2(LINE_BYTES);

    wire        irq_software, irq_timer, irq_external;
    wire        finish;
    wire        mem_valid, mem_write, mem_line, mem_error;
    wire [31:0] mem_addr, mem_wdata, mem_rdata;
    wire [3:0]  mem_strb;
    wire        bus_read, bus_done;

    flatfoot #(
        .ICACHE_BYTES(ICACHE_BYTES),
        .DCACHE_BYTES(DCACHE_BYTES),
        .LINE_BYTES(LINE_BYTES),
        .STORE_BUFFER(STORE_BUFFER),
        .RAM_BASE(RAM_BASE),
        .RAM_BYTES(RAM_BYTES),
        .CLINT_BASE(CLINT_BASE),
        .UART_BASE(UART_BASE),
        .TEST_BASE(TEST_BASE),
        .UNITS_BASE(UNITS_BASE),
        .UNITS_BYTES(UNITS_BYTES)
    ) core (
        .clk_i(clk_i),
        .rst_ni(rst_ni),
        .reset_pc_i(reset_pc_i),
        .irq_software_i(irq_software),
        .irq_timer_i(irq_timer),
        .irq_external_i(irq_external),
        .finish_o(finish),
        .mem_valid_o(mem_valid),
        .mem_write_o(mem_write),
        .mem_line_o(mem_line),
        .mem_addr_o(mem_addr),
        .mem_strb_o(mem_strb),
        .mem_wdata_o(mem_wdata),
        .mem_rvalid_i(bus_read),
        .mem_rdata_i(mem_rdata),
        .mem_wdone_i(bus_done),
        .mem_error_i(mem_error),
        .trace_valid_o(trace_valid_o),
        .trace_trap_o(trace_trap_o),
        .trace_intr_o(trace_intr_o),
        .trace_pc_o(trace_pc_o),
        .trace_next_pc_o(trace_next_pc_o),
        .trace_insn_o(trace_insn_o),
        .trace_rd_addr_o(trace_rd_addr_o),
        .trace_rd_wdata_o(trace_rd_wdata_o),
        .trace_mem_addr_o(trace_mem_addr_o),
        .trace_mem_rmask_o(trace_mem_rmask_o),
        .trace_mem_wmask_o(trace_mem_wmask_o),
        .trace_mem_wdata_o(trace_mem_wdata_o),
        .trace_icache_hit_o(trace_icache_hit_o),
        .trace_icache_miss_o(trace_icache_miss_o),
        .trace_dcache_hit_o(trace_dcache_hit_o),
        .trace_dcache_miss_o(trace_dcache_miss_o),
        .trace_stall_valid_o(trace_stall_valid_o),
        .trace_stall_o(trace_stall_o)
    );

    // Which device is addressed. The core makes no access to where nothing is.
    wire at_ram = mem_addr[31:28] == RAM_BASE[31:28];
    wire at_clint = mem_addr[31:28] == CLINT_BASE[31:28];
    wire at_uart = mem_addr[31:28] == UART_BASE[31:28];
    wire at_test = mem_addr[31:28] == TEST_BASE[31:28];
    wire at_units = mem_addr[31:28] == UNITS_BASE[31:28];

    wire [WORD_BITS-1:0] word;
    soc_bus #(.FIRST(FIRST), .NEXT(NEXT), .WRITE(WRITE), .UNCACHED(UNCACHED),
              .LINE_BYTES(LINE_BYTES)) bus (
        .clk_i(clk_i),
        .rst_ni(rst_ni),
        .valid_i(mem_valid),
        .write_i(mem_write),
        .line_i(mem_line),
        .read_o(bus_read),
        .done_o(bus_done),
        .word_o(word)
    );

    wire [31:0] ram_data, clint_data;
    wire [7:0]  uart_data;
    wire        clint_error, uart_error;

    soc_memory #(.BYTES(RAM_BYTES), .INIT_FILE(RAM_FILE)) memory (
        .clk_i(clk_i),
        .addr_i({mem_addr[31:LINE_BITS], word}),
        .data_o(ram_data),
        .write_i(bus_done && at_ram),
        .write_addr_i(mem_addr[31:2]),
        .write_strb_i(mem_strb),
        .write_data_i(mem_wdata)
    );

    generate
        if (TIMER != 0) begin : g_timer
            soc_clint clint (
                .clk_i(clk_i),
                .rst_ni(rst_ni),
                .finish_i(finish),
                .write_i(bus_done && at_clint),
                .addr_i(mem_addr[15:0]),
                .strb_i(mem_strb),
                .wdata_i(mem_wdata),
                .rdata_o(clint_data),
                .error_o(clint_error),
                .irq_software_o(irq_software),
                .irq_timer_o(irq_timer)
            );
        end else begin : g_no_timer
            assign clint_data = 32'd0;
            assign clint_error = 1'b1;
            assign irq_software = 1'b0;
            assign irq_timer = 1'b0;
            wire unused = &{1'b0, finish};
        end
    endgenerate

    wire       uart_tx_valid;
    wire [7:0] uart_tx_data;
    soc_uart uart (
        .clk_i(clk_i),
        .rst_ni(rst_ni),
        .read_i(bus_read && at_uart),
        .write_i(bus_done && at_uart),
        .addr_i(mem_addr[11:0]),
        .strb_i(mem_strb),
        .wdata_i(mem_wdata[7:0]), // bytes are in every lane
        .rdata_o(uart_data),
        .error_o(uart_error),
        .irq_o(irq_external),
        .tx_valid_o(uart_tx_valid),
        .tx_data_o(uart_tx_data),
        .rx_valid_i(rx_valid_i),
        .rx_data_i(rx_data_i),
        .rx_ready_o(rx_ready_o)
    );

    wire [31:0] units_data;
    wire        units_error;
    generate
        if (UNITS != 0) begin : g_units
            soc_units #(.UNITS(UNITS), .RAM_BASE(RAM_BASE)) units (
                .clk_i(clk_i),
                .rst_ni(rst_ni),
                .request_i(mem_valid && at_units),
                .write_i(mem_write),
                .done_i(bus_done && at_units),
                .addr_i(mem_addr[21:0]),
                .strb_i(mem_strb),
                .wdata_i(mem_wdata),
                .rdata_o(units_data),
                .error_o(units_error),
                .trace_valid_i(trace_valid_o && !trace_trap_o),
                .trace_trap_i((trace_valid_o && trace_trap_o) || trace_intr_o),
                .trace_pc_i(trace_pc_o),
                .trace_next_pc_i(trace_next_pc_o),
                .trace_insn_i(trace_insn_o),
                .trace_stall_valid_i(trace_stall_valid_o),
                .trace_stall_i(trace_stall_o),
                .trace_mem_read_i(trace_mem_rmask_o != 4'd0),
                .trace_mem_write_i(trace_mem_wmask_o != 4'd0),
                .trace_mem_addr_i(trace_mem_addr_o),
                .trace_icache_hit_i(trace_icache_hit_o),
                .trace_icache_miss_i(trace_icache_miss_o),
                .trace_dcache_hit_i(trace_dcache_hit_o),
                .trace_dcache_miss_i(trace_dcache_miss_o)
            );
        end else begin : g_no_units
            assign units_data = 32'd0;
            assign units_error = 1'b0;
        end
    endgenerate

    generate
        if (LIVE != 0) begin : g_live
            live #(.COUNTERS(LIVE_COUNTERS), .RANGES(LIVE_RANGES)) statistics (
                .clk_i(clk_i),
                .rst_ni(rst_ni),
                .mac_i(live_mac_i),
                .ip_i(live_ip_i),
                .port_i(live_port_i),
                .device_i(live_device_i),
                .session_i(live_session_i),
                .program_i(live_program_i),
                .key_i(live_key_i),
                .clock_hz_i(live_clock_hz_i),
                .end_i(exit_valid_o),
                .trace_valid_i(trace_valid_o && !trace_trap_o),
                .trace_trap_i((trace_valid_o && trace_trap_o) || trace_intr_o),
                .trace_pc_i(trace_pc_o),
                .trace_next_pc_i(trace_next_pc_o),
                .trace_insn_i(trace_insn_o),
                .trace_stall_valid_i(trace_stall_valid_o),
                .trace_stall_i(trace_stall_o),
                .trace_mem_read_i(trace_mem_rmask_o != 4'd0),
                .trace_mem_write_i(trace_mem_wmask_o != 4'd0),
                .trace_mispredict_i(1'b0),
                .trace_icache_hit_i(trace_icache_hit_o),
                .trace_icache_miss_i(trace_icache_miss_o),
                .trace_dcache_hit_i(trace_dcache_hit_o),
                .trace_dcache_miss_i(trace_dcache_miss_o),
                .rx_tvalid_i(live_rx_tvalid_i),
                .rx_tready_o(live_rx_tready_o),
                .rx_tdata_i(live_rx_tdata_i),
                .rx_tlast_i(live_rx_tlast_i),
                .rx_tuser_i(live_rx_tuser_i),
                .tx_tvalid_o(live_tx_tvalid_o),
                .tx_tready_i(live_tx_tready_i),
                .tx_tdata_o(live_tx_tdata_o),
                .tx_tlast_o(live_tx_tlast_o)
            );
        end else begin : g_no_live
            assign live_rx_tready_o = 1'b1;
            assign live_tx_tvalid_o = 1'b0;
            assign live_tx_tdata_o = 8'd0;
            assign live_tx_tlast_o = 1'b0;
            wire unused = &{1'b0, live_mac_i, live_ip_i, live_port_i, live_device_i, live_session_i, live_program_i,
                            live_key_i, live_clock_hz_i, live_rx_tvalid_i, live_rx_tdata_i, live_rx_tlast_i,
                            live_rx_tuser_i, live_tx_tready_i};
        end
    endgenerate

    // The test device: three words to write, zeros to read.
    wire test_error = mem_strb != 4'b1111 || mem_addr[11:0] > 12'd8;
    wire test_write = bus_done && at_test && !test_error;
    wire test_put = test_write && mem_addr[3:0] == 4'd4;
    assign exit_valid_o = test_write && mem_addr[3:0] == 4'd0;
    assign exit_code_o = mem_wdata;
    assign mark_valid_o = test_write && mem_addr[3:0] == 4'd8;
    assign mark_o = mem_wdata;
    assign tx_valid_o = uart_tx_valid || test_put;
    assign tx_data_o = test_put ? mem_wdata[7:0] : uart_tx_data;

    assign mem_rdata = at_ram ? ram_data : at_clint ? clint_data : at_uart ? {4{uart_data}}
                     : at_units ? units_data : 32'd0;
    assign mem_error = (at_clint && clint_error) || (at_uart && uart_error) ||
                       (at_test && test_error) || (at_units && units_error);
endmodule
