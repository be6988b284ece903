// SPDX-License-Identifier: Apache-2.0
// statsmod - the Statistics Module: any signal in any address range, at intervals.
// docs/units/stats.md is the specification.
//
// A beat is taken in, compared and decoded, chosen by each counter, and counted: a clock each. The
// timer goes along with the second, so that a dispatch and the events of its clock reach the counters
// together.
`default_nettype none
module statsmod #(
    parameter COUNTERS = 8,                     // 1 to 255
    parameter RANGES = 8,                       // address range registers, 1 to 64
    parameter WIDTH = 32,                       // bits of a counter, 4 to 32
    parameter [25:0] SIGNALS = 26'h3ffffff,     // which there are, by number in statsmod_signals.vh
    parameter NAIVE = 0,                        // 1: no selectors but a counter for every signal in
                                                // every range, whatever COUNTERS says
    parameter MIPS = 0                          // 1: MIPS, with delay slots; 0: RISC-V
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

    output wire        record_valid_o, // a counter's part of a datagram
    output wire [7:0]  record_number_o,
    output wire [31:0] record_sequence_o,
    output wire        record_last_o,
    output wire [31:0] record_value_o,
    output wire [63:0] record_total_o,
    output wire        record_clock_o, // a clock of the core has been counted

    input  wire        reg_valid_i, // stays, with all below, until ready
    input  wire        reg_write_i,
    input  wire [14:0] reg_addr_i,
    input  wire [31:0] reg_wdata_i,
    output wire        reg_ready_o,
    output wire        reg_error_o, // with ready: no such register, or not that value
    output wire [31:0] reg_rdata_o  // with ready
);
    `include "statsmod_signals.vh"

    // Of the signals that there are, the number of one, and how many they are.
    function integer signal_at(input integer below);
        integer s, seen;
        begin
            signal_at = 0;
            seen = 0;
            for (s = 0; s < SIGNAL_COUNT; s = s + 1)
                if (SIGNALS[s]) begin
                    if (seen == below)
                        signal_at = s;
                    seen = seen + 1;
                end
        end
    endfunction
    function integer signals_in(input [25:0] mask);
        integer s;
        begin
            signals_in = 0;
            for (s = 0; s < SIGNAL_COUNT; s = s + 1)
                if (mask[s])
                    signals_in = signals_in + 1;
        end
    endfunction
    localparam TOTAL = NAIVE != 0 ? signals_in(SIGNALS) * RANGES : COUNTERS;
    localparam NUMBER_BITS = TOTAL > 1 ? $clog2(TOTAL) : 1;
    localparam RANGE_BITS = RANGES > 1 ? $clog2(RANGES) : 1;

    // A parameter that is out of range ends elaboration: what is instantiated then does not exist, and says why.
    generate
        if (TOTAL < 1 || TOTAL > 255) begin : g_counters
            statsmod_COUNTERS_must_be_from_1_to_255 wrong ();
        end
        if (RANGES < 1 || RANGES > 64) begin : g_ranges
            statsmod_RANGES_must_be_from_1_to_64 wrong ();
        end
        if (WIDTH < 4 || WIDTH > 32) begin : g_width
            statsmod_WIDTH_must_be_from_4_to_32 wrong ();
        end
    endgenerate

    wire                   run, clear, write_interval, ending, end_now, busy;
    wire [RANGES-1:0]      write_first, write_last;
    wire [TOTAL-1:0]       write_selector;
    wire [31:0]            wdata, interval, sequence_next;
    wire [NUMBER_BITS-1:0] bus_number, record_number;
    wire [WIDTH-1:0]       bus_value, record_value;
    wire [63:0]            bus_total;

    // The end is behind the last beat.
    reg end_q;
    always @(posedge clk_i)
        end_q <= rst_ni && end_now;

    statsmod_registers #(
        .COUNTERS(TOTAL), .RANGES(RANGES), .WIDTH(WIDTH), .MIPS(MIPS), .NAIVE(NAIVE),
        .SIGNALS(SIGNALS)
    ) registers (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .reg_valid_i(reg_valid_i), .reg_write_i(reg_write_i), .reg_addr_i(reg_addr_i),
        .reg_wdata_i(reg_wdata_i), .reg_ready_o(reg_ready_o), .reg_error_o(reg_error_o),
        .reg_rdata_o(reg_rdata_o),
        .run_o(run), .clear_o(clear), .end_o(end_now), .ending_i(ending || end_now || end_q),
        .write_interval_o(write_interval), .write_first_o(write_first), .write_last_o(write_last),
        .write_selector_o(write_selector), .wdata_o(wdata), .interval_i(interval),
        .sequence_i(sequence_next), .busy_i(busy), .read_o(bus_number), .value_i(bus_value),
        .total_i(bus_total)
    );

    wire        rst_n = rst_ni && !clear;
    wire [31:0] pc;
    wire        valid, clock;
    wire [25:0] all_signals;
    wire [25:0] signals = all_signals & SIGNALS;
    statsmod_signals #(.MIPS(MIPS)) port_signals (
        .clk_i(clk_i), .rst_ni(rst_n), .run_i(run),
        .trace_valid_i(trace_valid_i), .trace_trap_i(trace_trap_i), .trace_pc_i(trace_pc_i),
        .trace_next_pc_i(trace_next_pc_i), .trace_insn_i(trace_insn_i),
        .trace_stall_valid_i(trace_stall_valid_i), .trace_stall_i(trace_stall_i),
        .trace_mem_read_i(trace_mem_read_i), .trace_mem_write_i(trace_mem_write_i),
        .trace_mispredict_i(trace_mispredict_i), .trace_icache_hit_i(trace_icache_hit_i),
        .trace_icache_miss_i(trace_icache_miss_i), .trace_dcache_hit_i(trace_dcache_hit_i),
        .trace_dcache_miss_i(trace_dcache_miss_i),
        .pc_o(pc), .valid_o(valid), .clock_o(clock), .signals_o(all_signals)
    );

    wire dispatch, last;
    statsmod_timer timer (
        .clk_i(clk_i), .rst_ni(rst_ni), .write_i(write_interval), .wdata_i(wdata),
        .restart_i(clear), .clock_i(clock), .end_i(end_q), .dispatch_o(dispatch), .last_o(last),
        .ending_o(ending), .interval_o(interval)
    );

    wire [RANGES-1:0] hits;
    reg  [RANGES-1:0] hits_before_q;
    reg               valid_q;
    always @(posedge clk_i) begin
        valid_q <= rst_n && valid;
        if (valid)
            hits_before_q <= hits;
    end

    wire                   shift;
    wire [WIDTH*(TOTAL+1)-1:0] chain;
    assign chain[WIDTH*TOTAL +: WIDTH] = {WIDTH{1'b0}};
    genvar i;
    generate
        for (i = 0; i < RANGES; i = i + 1) begin : g_range
            statsmod_address_range_register register (
                .clk_i(clk_i), .write_first_i(write_first[i]), .write_last_i(write_last[i]),
                .wdata_i(wdata), .pc_i(pc), .hit_o(hits[i])
            );
        end
        for (i = 0; i < TOTAL; i = i + 1) begin : g_counter
            wire happens, hit;
            if (NAIVE != 0) begin : g_wired
                localparam SIGNAL = signal_at(i / RANGES);
                localparam BEFORE = MIPS != 0 && SIGNAL == {27'd0, SIGNAL_TAKEN};
                reg event_q, hit_q;
                always @(posedge clk_i) begin
                    event_q <= signals[SIGNAL];
                    hit_q <= BEFORE ? hits_before_q[i % RANGES] : hits[i % RANGES];
                end
                assign happens = event_q;
                assign hit = hit_q;
            end else begin : g_chosen
                statsmod_mux_control_register #(.RANGES(RANGES), .MIPS(MIPS)) mux_control (
                    .clk_i(clk_i), .write_i(write_selector[i]), .signal_i(wdata[4:0]),
                    .range_i(wdata[8 +: RANGE_BITS]), .signals_i(signals), .hits_i(hits),
                    .hits_before_i(hits_before_q), .event_o(happens), .hit_o(hit)
                );
            end
            statsmod_counter #(.WIDTH(WIDTH)) counter (
                .clk_i(clk_i), .rst_ni(rst_n), .event_i(happens), .valid_i(valid_q), .hit_i(hit),
                .dispatch_i(dispatch), .shift_i(shift), .chain_i(chain[WIDTH*(i+1) +: WIDTH]),
                .chain_o(chain[WIDTH*i +: WIDTH])
            );
        end
    endgenerate

    statsmod_dispatch #(.COUNTERS(TOTAL), .WIDTH(WIDTH)) dispatcher (
        .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(clear), .dispatch_i(dispatch), .last_i(last),
        .chain_i(chain[0 +: WIDTH]), .shift_o(shift),
        .busy_o(busy), .read_i(bus_number), .value_o(bus_value), .total_o(bus_total),
        .sequence_o(sequence_next), .record_valid_o(record_valid_o),
        .record_number_o(record_number), .record_sequence_o(record_sequence_o),
        .record_last_o(record_last_o), .record_value_o(record_value),
        .record_total_o(record_total_o)
    );
    assign record_clock_o = clock;
    assign record_number_o = {{8-NUMBER_BITS{1'b0}}, record_number};
    assign record_value_o = {{32-WIDTH{1'b0}}, record_value};
    wire unused = &{1'b0, write_selector, wdata, hits_before_q};
endmodule
`default_nettype wire
