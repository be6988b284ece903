// soc_units - the profilers of rtl/units on flatfoot's trace port and on its bus.
//
// docs/units has them and their registers; rtl/README.md says where they are. A program sees them as if
// they knew of everything at once: a store acts between the store itself and the next instruction, and a
// load waits until what came before it has gone through the units.
module soc_units #(
    parameter UNITS = 15, // those that are there, a bit each: AT_LEAP and so on
    parameter [31:0] RAM_BASE = 32'h8000_0000,
    parameter LEAP_FUNCTIONS = 64,
    parameter LEAP_WIDTH = 32,
    parameter SNOOPP_RANGES = 16,
    parameter SNOOPP_BYTES = 1024, // of a range; they follow each other from RAM_BASE on
    parameter STATS_COUNTERS = 8,
    parameter STATS_RANGES = 4,
    parameter LOOP_ENTRIES = 32
) (
    input  wire        clk_i,
    input  wire        rst_ni,

    input  wire        request_i, // stays, with all below, up to the answer
    input  wire        write_i,
    input  wire        done_i,    // a write is done in this cycle
    input  wire [21:0] addr_i,
    input  wire [3:0]  strb_i,
    input  wire [31:0] wdata_i,
    output reg  [31:0] rdata_o,
    output wire        error_o,

    input  wire        trace_valid_i, // as the units have it: see rtl/units/README.md
    input  wire        trace_trap_i,
    input  wire [31:0] trace_pc_i,
    input  wire [31:0] trace_next_pc_i,
    input  wire [31:0] trace_insn_i,
    input  wire        trace_stall_valid_i,
    input  wire [3:0]  trace_stall_i,
    input  wire        trace_mem_read_i,
    input  wire        trace_mem_write_i,
    input  wire [31:0] trace_mem_addr_i,
    input  wire        trace_icache_hit_i,
    input  wire        trace_icache_miss_i,
    input  wire        trace_dcache_hit_i,
    input  wire        trace_dcache_miss_i
);
    localparam [1:0] AT_LEAP = 2'd0, AT_SNOOPP = 2'd1, AT_STATS = 2'd2, AT_LOOPS = 2'd3;
    localparam [3:0] PRESENT = UNITS[3:0];

    // Cycles after which the slowest unit, LEAP with tags, has the beat before the load.
    localparam [3:0] SETTLE = 4'd12;

    // An access to a unit is one of its own: a store's begins when the core is told that it is done,
    // and a load's after waiting.
    reg         busy_q, write_q, refused_q;
    reg  [3:0]  settle_q;
    reg  [21:0] addr_q;
    reg  [31:0] wdata_q;
    wire        whole = strb_i == 4'b1111;
    wire        stores = done_i && whole;
    wire        settled = settle_q == SETTLE;
    wire        valid = busy_q || stores;
    wire        write = busy_q ? write_q : 1'b1;
    wire [21:0] addr = busy_q ? addr_q : addr_i;
    wire [31:0] wdata = busy_q ? wdata_q : wdata_i;
    wire [3:0]  select = 4'b0001 << addr[21:20];
    wire [3:0]  ready, refused;
    wire [31:0] leap_data, snoopp_data, stats_data, loops_data;
    reg  [31:0] data;

    always @* begin
        case (addr_q[21:20])
            AT_LEAP:   data = leap_data;
            AT_SNOOPP: data = snoopp_data;
            AT_STATS:  data = stats_data;
            default:   data = loops_data;
        endcase
    end

    wire answered = busy_q && |(ready & select);
    always @(posedge clk_i) begin
        if (!rst_ni || !request_i || write_i)
            settle_q <= 4'd0;
        else if (settle_q <= SETTLE)
            settle_q <= settle_q + 4'd1;
        busy_q <= rst_ni && (busy_q ? !answered : stores || (settled && whole));
        if (!busy_q) begin
            write_q <= stores;
            addr_q <= addr_i;
            wdata_q <= wdata_i;
        end
        if (answered) begin
            rdata_o <= data;
            refused_q <= |(refused & select);
        end
    end

    // What becomes of a store is known too late to refuse it.
    assign error_o = !whole || (!write_i && refused_q);

    generate
        if (PRESENT[AT_LEAP]) begin : g_leap
            leap #(.N(LEAP_FUNCTIONS), .TAB(LEAP_FUNCTIONS), .CW(LEAP_WIDTH)) profiler (
                .clk_i(clk_i), .rst_ni(rst_ni), .trace_valid_i(trace_valid_i), .trace_trap_i(trace_trap_i),
                .trace_pc_i(trace_pc_i), .trace_next_pc_i(trace_next_pc_i), .trace_insn_i(trace_insn_i),
                .trace_stall_valid_i(trace_stall_valid_i), .trace_stall_i(trace_stall_i),
                .reg_valid_i(valid && select[AT_LEAP]), .reg_write_i(write), .reg_addr_i(addr[19:0]),
                .reg_wdata_i(wdata), .reg_ready_o(ready[AT_LEAP]), .reg_error_o(refused[AT_LEAP]),
                .reg_rdata_o(leap_data)
            );
        end else begin : g_no_leap
            assign ready[AT_LEAP] = 1'b1;
            assign refused[AT_LEAP] = 1'b1;
            assign leap_data = 32'd0;
        end

        if (PRESENT[AT_SNOOPP]) begin : g_snoopp
            wire [32*SNOOPP_RANGES-1:0] first, last;
            genvar i;
            for (i = 0; i < SNOOPP_RANGES; i = i + 1) begin : g_range
                assign first[32*i +: 32] = RAM_BASE + i * SNOOPP_BYTES;
                assign last[32*i +: 32] = RAM_BASE + (i + 1) * SNOOPP_BYTES - 32'd1;
            end
            snoopp #(.N(SNOOPP_RANGES)) ranges (
                .clk_i(clk_i), .rst_ni(rst_ni), .first_i(first), .last_i(last),
                .trace_valid_i(trace_valid_i), .trace_pc_i(trace_pc_i),
                .trace_stall_valid_i(trace_stall_valid_i), .trace_stall_i(trace_stall_i),
                .trace_mem_valid_i(trace_mem_read_i || trace_mem_write_i),
                .trace_mem_addr_i(trace_mem_addr_i),
                .reg_valid_i(valid && select[AT_SNOOPP]), .reg_write_i(write), .reg_addr_i(addr[14:0]),
                .reg_wdata_i(wdata), .reg_ready_o(ready[AT_SNOOPP]), .reg_error_o(refused[AT_SNOOPP]),
                .reg_rdata_o(snoopp_data)
            );
        end else begin : g_no_snoopp
            assign ready[AT_SNOOPP] = 1'b1;
            assign refused[AT_SNOOPP] = 1'b1;
            assign snoopp_data = 32'd0;
        end

        if (PRESENT[AT_STATS]) begin : g_stats
            statsmod #(.COUNTERS(STATS_COUNTERS), .RANGES(STATS_RANGES)) statistics (
                .clk_i(clk_i), .rst_ni(rst_ni), .trace_valid_i(trace_valid_i), .trace_trap_i(trace_trap_i),
                .trace_pc_i(trace_pc_i), .trace_next_pc_i(trace_next_pc_i), .trace_insn_i(trace_insn_i),
                .trace_stall_valid_i(trace_stall_valid_i), .trace_stall_i(trace_stall_i),
                .trace_mem_read_i(trace_mem_read_i), .trace_mem_write_i(trace_mem_write_i),
                .trace_mispredict_i(1'b0), .trace_icache_hit_i(trace_icache_hit_i),
                .trace_icache_miss_i(trace_icache_miss_i), .trace_dcache_hit_i(trace_dcache_hit_i),
                .trace_dcache_miss_i(trace_dcache_miss_i),
                .record_valid_o(), .record_number_o(), .record_sequence_o(), .record_last_o(),
                .record_value_o(), .record_total_o(), .record_clock_o(),
                .reg_valid_i(valid && select[AT_STATS]), .reg_write_i(write), .reg_addr_i(addr[14:0]),
                .reg_wdata_i(wdata), .reg_ready_o(ready[AT_STATS]), .reg_error_o(refused[AT_STATS]),
                .reg_rdata_o(stats_data)
            );
        end else begin : g_no_stats
            assign ready[AT_STATS] = 1'b1;
            assign refused[AT_STATS] = 1'b1;
            assign stats_data = 32'd0;
        end

        if (PRESENT[AT_LOOPS]) begin : g_loops
            loopcache #(.ENTRIES(LOOP_ENTRIES)) loops (
                .clk_i(clk_i), .rst_ni(rst_ni), .trace_valid_i(trace_valid_i), .trace_trap_i(trace_trap_i),
                .trace_pc_i(trace_pc_i), .trace_next_pc_i(trace_next_pc_i), .trace_insn_i(trace_insn_i),
                .reg_valid_i(valid && select[AT_LOOPS]), .reg_write_i(write), .reg_addr_i(addr[13:0]),
                .reg_wdata_i(wdata), .reg_ready_o(ready[AT_LOOPS]), .reg_error_o(refused[AT_LOOPS]),
                .reg_rdata_o(loops_data)
            );
        end else begin : g_no_loops
            assign ready[AT_LOOPS] = 1'b1;
            assign refused[AT_LOOPS] = 1'b1;
            assign loops_data = 32'd0;
        end
    endgenerate

    // Not every unit is there that has a use for it.
    wire unused = &{1'b0, trace_mem_read_i, trace_mem_write_i, trace_mem_addr_i, trace_icache_hit_i,
                    trace_icache_miss_i, trace_dcache_hit_i, trace_dcache_miss_i};
endmodule
