// SPDX-License-Identifier: Apache-2.0
// leap - LEAP: a profiler that follows calls and returns. docs/units/leap.md is the specification.
//
// The Operation Decoder finds calls and returns, and the Address Hash the number of the function
// that a call leads to. Operations wait for that number, so that everything that changes state
// happens in one clock, in order: first who is current and what is on the stack, and a clock
// later, slice by slice, the counters.
`default_nettype none
module leap #(
    parameter N = 64,                   // functions; a power of two, 2 to 16384
    parameter CW = 32,                  // bits of a counter: 16, 32, 48 or 64
    parameter TAB = 64,                 // entries of the hash's table; a power of two, 2 to 65536
    parameter DEPTH = 32,               // frames of the stack; a power of two, at least 2
    parameter NEWEST = 0,               // 1: a full stack loses the newest frame; 0: the oldest
    parameter HIER = 0,                 // 1: a function counts with all it calls
    parameter TAGGED = 0,               // 1: entries know their function's address
    parameter COUNT = 0,                // trace_counts.vh, leap_counts.vh
    parameter [15:0] STALLS = 16'hffff, // causes that COUNT_STALLS and COUNT_ENERGY count, by number
    parameter GROUPS = 6,               // of leap_groups, for COUNT_ENERGY
    parameter HALVE = 0,                // 1: a full counter halves all; 0: it begins again
    parameter MIPS = 0                  // 1: MIPS, with delay slots; 0: RISC-V
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
    output wire        reg_error_o, // with ready: no such register, or not that value
    output wire [31:0] reg_rdata_o
);
    `include "trace_counts.vh"
    `include "leap_counts.vh"
    localparam NUMBER_BITS = $clog2(N);
    localparam TAB_BITS = $clog2(TAB);
    localparam POINTER_BITS = $clog2(DEPTH);
    localparam LANES = COUNT == COUNT_ENERGY ? GROUPS + 1 : COUNT == COUNT_BRANCHES ? 2 : 1;
    localparam AMOUNTS = LANES > 1 ? 2 : 1;
    localparam GROUP_BITS = GROUPS > 1 ? $clog2(GROUPS) : 1;
    localparam HASH_CLOCKS = 7;
    localparam LATENCY = HASH_CLOCKS + (TAGGED != 0 ? 2 : 0);
    localparam OP_BITS = 4 + AMOUNTS;
    localparam AMOUNT_BITS = HALVE != 0 ? 16 : CW;

    // A parameter that is out of range ends elaboration: what is instantiated then does not exist, and says why.
    generate
        if (N < 2 || N > 16384 || (N & (N - 1)) != 0) begin : g_n
            leap_N_must_be_a_power_of_two_from_2_to_16384 wrong ();
        end
        if (CW != 16 && CW != 32 && CW != 48 && CW != 64) begin : g_cw
            leap_CW_must_be_16_32_48_or_64 wrong ();
        end
        if (TAB < 2 || TAB > 65536 || (TAB & (TAB - 1)) != 0) begin : g_tab
            leap_TAB_must_be_a_power_of_two_from_2_to_65536 wrong ();
        end
        if (DEPTH < 2 || (DEPTH & (DEPTH - 1)) != 0) begin : g_depth
            leap_DEPTH_must_be_a_power_of_two_of_at_least_2 wrong ();
        end
        if (COUNT > COUNT_ENERGY) begin : g_count_range
            leap_COUNT_must_be_one_of_leap_counts_vh wrong ();
        end
    endgenerate

    // What the bus wants.
    wire                   run, clear, drain, tab_write, tag_write, reading, read_taken, read_done;
    reg                    clearing_q, draining_q;
    wire                   begins;
    wire [31:0]            v, data, begin_address;
    wire [5:0]             a1;
    wire [4:0]             b1;
    wire [TAB_BITS-1:0]    b2, tab_entry;
    wire [NUMBER_BITS-1:0] bus_number;
    wire [CW*LANES-1:0]    read_data;
    wire [5:0]             shift;

    leap_registers #(
        .N(N), .CW(CW), .TAB(TAB), .LANES(LANES), .HIER(HIER), .TAGGED(TAGGED), .MIPS(MIPS),
        .COUNT(COUNT), .HALVE(HALVE)
    ) registers (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .reg_valid_i(reg_valid_i), .reg_write_i(reg_write_i), .reg_addr_i(reg_addr_i),
        .reg_wdata_i(reg_wdata_i), .reg_ready_o(reg_ready_o), .reg_error_o(reg_error_o),
        .reg_rdata_o(reg_rdata_o),
        .run_o(run), .clear_o(clear), .drain_o(drain), .clearing_i(clearing_q),
        .draining_i(draining_q),
        .begins_o(begins), .begin_o(begin_address), .v_o(v), .a1_o(a1), .b1_o(b1), .b2_o(b2), .tab_write_o(tab_write),
        .tag_write_o(tag_write), .tab_entry_o(tab_entry), .number_o(bus_number), .data_o(data),
        .read_o(reading), .read_taken_i(read_taken), .read_done_i(read_done),
        .read_data_i(read_data), .shift_i(shift)
    );

    // While counters are cleared, all else is held in reset.
    wire rst_n = rst_ni && !clearing_q;

    // From the port to operations that know where they lead.
    wire                   start_early, call_early, ret_early, drain_early;
    wire [AMOUNTS-1:0]     amount_early;
    wire                   retires_early;
    wire [GROUP_BITS-1:0]  group_early;
    wire [31:0]            target;
    wire [NUMBER_BITS-1:0] hashed;

    leap_op_decoder #(
        .MIPS(MIPS), .COUNT(COUNT), .STALLS(STALLS), .AMOUNTS(AMOUNTS), .GROUP_BITS(GROUP_BITS)
    ) op_decoder (
        .clk_i(clk_i), .rst_ni(rst_n), .run_i(run), .begins_i(begins), .begin_i(begin_address),
        .drain_i(draining_q),
        .trace_valid_i(trace_valid_i), .trace_trap_i(trace_trap_i), .trace_pc_i(trace_pc_i),
        .trace_next_pc_i(trace_next_pc_i), .trace_insn_i(trace_insn_i),
        .trace_stall_valid_i(trace_stall_valid_i), .trace_stall_i(trace_stall_i),
        .start_o(start_early), .call_o(call_early), .ret_o(ret_early), .drain_o(drain_early),
        .amount_o(amount_early), .target_o(target), .retires_o(retires_early),
        .group_o(group_early)
    );

    leap_address_hash #(.N(N), .TAB(TAB)) address_hash (
        .clk_i(clk_i), .v_i(v), .a1_i(a1), .b1_i(b1), .b2_i(b2),
        .tab_write_i(tab_write), .tab_entry_i(tab_entry), .tab_value_i(data[NUMBER_BITS-1:0]),
        .address_i(target), .number_o(hashed)
    );

    reg [OP_BITS*LATENCY-1:0] ops_q;
    always @(posedge clk_i)
        if (!rst_n)
            ops_q <= {OP_BITS*LATENCY{1'b0}};
        else
            ops_q <= {ops_q[OP_BITS*(LATENCY-1)-1:0], start_early, call_early, ret_early,
                      drain_early, amount_early};
    wire start, call_seen, ret_seen, drain_seen;
    wire [AMOUNTS-1:0] amount;
    assign {start, call_seen, ret_seen, drain_seen, amount} = ops_q[OP_BITS*LATENCY-1 -: OP_BITS];

    wire                   listed;
    wire [NUMBER_BITS-1:0] number;
    generate
        if (TAGGED != 0) begin : g_tags
            reg [32*HASH_CLOCKS-1:0]  targets_q;
            reg [2*NUMBER_BITS-1:0] numbers_q;
            always @(posedge clk_i) begin
                targets_q <= {targets_q[32*(HASH_CLOCKS-1)-1:0], target};
                numbers_q <= {numbers_q[NUMBER_BITS-1:0], hashed};
            end
            leap_tags #(.N(N)) listing (
                .clk_i(clk_i), .write_i(tag_write), .write_number_i(bus_number),
                .write_address_i(data), .number_i(hashed),
                .address_i(targets_q[32*HASH_CLOCKS-1 -: 32]), .listed_o(listed)
            );
            assign number = numbers_q[2*NUMBER_BITS-1 -: NUMBER_BITS];
        end else begin : g_no_tags
            assign listed = 1'b1;
            assign number = hashed;
            wire unused = &{1'b0, tag_write};
        end
    endgenerate

    // Who is current.
    reg                    listed_q;
    reg  [NUMBER_BITS-1:0] current_q;
    wire                   call, ret, pop, empty, popped_listed;
    wire [NUMBER_BITS-1:0] popped;
    wire [POINTER_BITS-1:0] newest;

    leap_call_stack #(.DEPTH(DEPTH), .NEWEST(NEWEST), .WIDTH(NUMBER_BITS + 1)) call_stack (
        .clk_i(clk_i), .rst_ni(rst_n), .call_i(call_seen), .ret_i(ret_seen),
        .frame_i({listed_q, current_q}), .call_o(call), .ret_o(ret), .pop_o(pop),
        .frame_o({popped_listed, popped}), .empty_o(empty), .newest_o(newest)
    );

    wire last_number = &current_q;
    always @(posedge clk_i) begin
        if (!rst_ni || clear) begin
            clearing_q <= 1'b1;
            current_q <= {NUMBER_BITS{1'b0}};
        end else if (clearing_q) begin
            clearing_q <= !last_number;
            current_q <= current_q + {{NUMBER_BITS-1{1'b0}}, 1'b1};
        end else if (start || call) begin
            current_q <= number;
        end else if (pop) begin
            current_q <= popped;
        end
        if (start || call)
            listed_q <= listed;
        else if (pop)
            listed_q <= popped_listed;

        // Returns until the stack is empty, and one more. Those that are on their way by then
        // find it empty and the Data Counter at 0.
        draining_q <= rst_n && (drain || (draining_q && !(drain_seen && ret && empty)));
    end

    // What is counted.
    wire [AMOUNT_BITS*LANES-1:0] amounts;
    genvar i;
    generate
        if (COUNT == COUNT_ENERGY) begin : g_energy
            reg [(1+GROUP_BITS)*LATENCY-1:0] retired_q;
            always @(posedge clk_i)
                retired_q <= {retired_q[(1+GROUP_BITS)*(LATENCY-1)-1:0], group_early,
                              rst_n && retires_early};
            leap_energy #(.CW(AMOUNT_BITS), .GROUPS(GROUPS), .GROUP_BITS(GROUP_BITS)) energy (
                .clk_i(clk_i), .rst_ni(rst_n), .clock_i(ops_q[OP_BITS*(LATENCY-2)]),
                .retires_i(retired_q[(1+GROUP_BITS)*(LATENCY-1)]),
                .group_i(retired_q[(1+GROUP_BITS)*LATENCY-1 -: GROUP_BITS]),
                .amounts_o(amounts[AMOUNT_BITS*GROUPS-1:0])
            );
            assign amounts[AMOUNT_BITS*GROUPS +: AMOUNT_BITS] = {{AMOUNT_BITS-1{1'b0}}, amount[1]};
        end else begin : g_count
            for (i = 0; i < LANES; i = i + 1) begin : g_amount
                assign amounts[AMOUNT_BITS*i +: AMOUNT_BITS] = {{AMOUNT_BITS-1{1'b0}}, amount[i]};
            end
            wire unused = &{1'b0, retires_early, group_early};
        end
    endgenerate

    // A clock later, for whom.
    reg                    store_q, zero_q, empty_counter_q, pop_q, call_q, push_zero_q;
    reg  [NUMBER_BITS-1:0] number_q;

    always @(posedge clk_i) begin
        store_q <= rst_ni && (clearing_q || (listed_q && (ret || (call && HIER == 0))));
        zero_q <= rst_ni && clearing_q;
        empty_counter_q <= rst_n && (call || (ret && !(HIER != 0 && pop)));
        pop_q <= rst_n && HIER != 0 && pop;
        call_q <= rst_n && call;
        push_zero_q <= ret && !pop; // the return has emptied the Data Counter
        number_q <= current_q;
    end

    // No counter is stored in the next clock.
    assign read_taken = reading && !call_seen && !ret_seen && !clearing_q;

    generate
        if (HALVE != 0) begin : g_halve
            leap_halving #(
                .N(N), .CW(CW), .LANES(LANES), .DEPTH(DEPTH), .HIER(HIER),
                .CALLS(COUNT == COUNT_CALLS ? 1 : 0)
            ) counters (
                .clk_i(clk_i), .rst_ni(rst_n), .next_number_i(current_q), .read_i(read_taken),
                .read_number_i(bus_number), .amounts_i(amounts), .newest_i(newest),
                .store_i(store_q), .zero_i(zero_q), .pop_i(pop_q), .call_i(call_q),
                .push_zero_i(push_zero_q), .empty_i(empty_counter_q), .read_data_o(read_data),
                .read_done_o(read_done), .shift_o(shift)
            );
            wire unused = &{1'b0, number_q};
        end else begin : g_wrap
            wire [LANES-1:0] done;
            assign read_done = done[0];
            assign shift = 6'd0;
            for (i = 0; i < LANES; i = i + 1) begin : g_lane
                wire [CW-1:0] value, sum, saved;

                leap_data_counter #(
                    .CW(CW), .WIDE(COUNT == COUNT_ENERGY && i < GROUPS ? 1 : 0),
                    .CALLS(COUNT == COUNT_CALLS ? 1 : 0)
                ) data_counter (
                    .clk_i(clk_i), .rst_ni(rst_n), .pop_i(pop_q), .popped_i(saved),
                    .empty_i(empty_counter_q), .call_i(call_q), .amount_i(amounts[CW*i +: CW]),
                    .value_o(value), .sum_o(sum)
                );

                leap_counter_storage #(.N(N), .CW(CW)) counter_storage (
                    .clk_i(clk_i), .rst_ni(rst_ni), .store_i(store_q), .zero_i(zero_q),
                    .number_i(number_q), .value_i(value), .next_number_i(current_q),
                    .read_i(read_taken), .read_number_i(bus_number),
                    .read_data_o(read_data[CW*i +: CW]), .read_done_o(done[i])
                );

                if (HIER != 0) begin : g_saved
                    leap_saved_values #(.CW(CW), .DEPTH(DEPTH)) saved_values (
                        .clk_i(clk_i), .push_i(call_q), .zero_i(push_zero_q), .newest_i(newest),
                        .value_i(sum), .popped_o(saved)
                    );
                end else begin : g_not_saved
                    assign saved = {CW{1'b0}};
                    wire unused = &{1'b0, sum};
                end
            end
            wire unused = &{1'b0, done};
        end
    endgenerate
    wire unused = &{1'b0, newest, push_zero_q, data, amount};
endmodule
`default_nettype wire
