// SPDX-License-Identifier: Apache-2.0
// snoopp - SnoopP: counters for address ranges. docs/units/snoopp.md is the specification.
//
// A counter has changed three clocks after its beat.
`default_nettype none
module snoopp #(
    parameter N = 16,                   // ranges, 1 to 1024
    parameter CW = 64,                  // bits of a counter, 32 or 64
    parameter COUNT = 0,                // trace_counts.vh
    parameter [15:0] STALLS = 16'hffff, // causes that COUNT_STALLS counts, by number
    parameter DATA = 0,                 // 1: addresses are those of memory accesses, each counts 1
    parameter BOUNDS = 1,               // 1: FIRST and LAST can be read; 0: they are not there
    parameter WRITABLE = 0              // 1: and written; they begin as first_i and last_i are
) (
    input  wire            clk_i,
    input  wire            rst_ni,

    input  wire [32*N-1:0] first_i, // bounds of the ranges, the first lowest; both inclusive
    input  wire [32*N-1:0] last_i,

    input  wire            trace_valid_i,
    input  wire [31:0]     trace_pc_i,
    input  wire            trace_stall_valid_i,
    input  wire [3:0]      trace_stall_i,
    input  wire            trace_mem_valid_i, // it accesses memory
    input  wire [31:0]     trace_mem_addr_i,

    input  wire            reg_valid_i, // stays, with all below, until ready
    input  wire            reg_write_i,
    input  wire [14:0]     reg_addr_i,
    input  wire [31:0]     reg_wdata_i,
    output reg             reg_ready_o,
    output reg             reg_error_o, // with ready: no such register, or it cannot be written
    output reg  [31:0]     reg_rdata_o  // with ready
);
    `include "trace_counts.vh"
    `include "snoopp_registers.vh"
    localparam [10:0] FIRST_LINE = BASE_COUNTER[14:4];
    localparam [31:0] FIRST_LINE_32 = {21'd0, FIRST_LINE};

    // A parameter that is out of range ends elaboration: what is instantiated then does not exist, and says why.
    generate
        if (N < 1 || N > 1024) begin : g_n
            snoopp_N_must_be_from_1_to_1024 wrong ();
        end
        if (CW != 32 && CW != 64) begin : g_cw
            snoopp_CW_must_be_32_or_64 wrong ();
        end
        if (WRITABLE != 0 && BOUNDS == 0) begin : g_writable
            snoopp_BOUNDS_must_be_1_where_WRITABLE_is wrong ();
        end
        if (COUNT > COUNT_STALLS) begin : g_count
            snoopp_COUNT_must_be_one_of_trace_counts_vh wrong ();
        end
    endgenerate

    // The port in registers.
    reg        valid_q, stalled_q;
    reg [3:0]  stall_q;
    reg [31:0] address_q;
    reg        run_q;

    always @(posedge clk_i) begin
        valid_q <= rst_ni && trace_valid_i && (DATA == 0 || trace_mem_valid_i);
        stalled_q <= rst_ni && trace_stall_valid_i;
        stall_q <= trace_stall_i;
        address_q <= DATA != 0 ? trace_mem_addr_i : trace_pc_i;
    end

    // What the beat adds: all since the beat before.
    wire [CW-1:0] amount;
    generate
        if (DATA != 0 || COUNT == COUNT_INSTRUCTIONS) begin : g_one
            assign amount = {{CW-1{1'b0}}, 1'b1};
            wire unused = &{1'b0, stalled_q, stall_q, STALLS};
        end else begin : g_sum
            reg  [CW-1:0] pending_q, amount_q;
            wire          counts = COUNT == COUNT_STALLS ? stalled_q && STALLS[stall_q] :
                                                           valid_q || stalled_q;
            wire [CW-1:0] sum = pending_q + {{CW-1{1'b0}}, counts};
            always @(posedge clk_i) begin
                pending_q <= !rst_ni || valid_q ? {CW{1'b0}} : sum;
                amount_q <= sum;
            end
            assign amount = amount_q;
            wire unused = &{1'b0, STALLS, stall_q};
        end
    endgenerate

    // An access is decoded into a line per range, and done in the clock after that.
    reg             decoded_q;
    reg  [N-1:0]    select_q;
    wire [10:0]     line = reg_addr_i[14:4];
    wire            control = reg_addr_i == OFFSET_CONTROL;
    wire            counter = line >= FIRST_LINE && {21'd0, line} < FIRST_LINE_32 + N;
    wire            aligned = reg_addr_i[1:0] == 2'd0;
    wire            head = reg_addr_i == OFFSET_ID || reg_addr_i == OFFSET_CONFIG || control;
    wire            writable = control || (counter && (WRITABLE != 0 || !reg_addr_i[3]));
    wire            readable = head || (counter && (BOUNDS != 0 || !reg_addr_i[3]));
    wire            known = aligned && (reg_write_i ? writable : readable);
    wire            acts = decoded_q && !reg_ready_o && reg_valid_i;
    wire            writes = acts && reg_write_i && known;
    wire            reset_all = writes && control && reg_wdata_i[CONTROL_RESET];

    wire [CW*N-1:0] counters;
    wire [64*N-1:0] bounds;
    genvar i;
    generate
        for (i = 0; i < N; i = i + 1) begin : g_range
            wire [31:0] first, last;
            if (WRITABLE != 0) begin : g_written
                reg [31:0] first_q, last_q;
                always @(posedge clk_i)
                    if (!rst_ni) begin
                        first_q <= first_i[32*i +: 32];
                        last_q <= last_i[32*i +: 32];
                    end else if (writes && select_q[i] && reg_addr_i[3]) begin
                        if (reg_addr_i[2])
                            last_q <= reg_wdata_i;
                        else
                            first_q <= reg_wdata_i;
                    end
                assign first = first_q;
                assign last = last_q;
            end else begin : g_wired
                assign first = first_i[32*i +: 32];
                assign last = last_i[32*i +: 32];
            end
            snoopp_range #(.CW(CW)) range (
                .clk_i(clk_i), .rst_ni(rst_ni), .first_i(first), .last_i(last),
                .valid_i(valid_q && run_q), .address_i(address_q), .amount_i(amount),
                .reset_i(reset_all || (writes && select_q[i] && !reg_addr_i[3])),
                .select_i(select_q[i]), .counter_o(counters[CW*i +: CW])
            );
            assign bounds[64*i +: 64] = BOUNDS == 0 ? 64'd0 : {last, first} & {64{select_q[i]}};
        end
    endgenerate

    reg [CW-1:0] selected;
    reg [63:0]   selected_bounds;
    integer      r;
    always @* begin
        selected = {CW{1'b0}};
        selected_bounds = 64'd0;
        for (r = 0; r < N; r = r + 1) begin
            selected = selected | counters[CW*r +: CW];
            selected_bounds = selected_bounds | bounds[64*r +: 64];
        end
    end

    wire [31:0] upper;
    generate
        if (CW > 32) begin : g_upper
            reg [CW-33:0] high_q;
            always @(posedge clk_i)
                if (!rst_ni)
                    high_q <= {CW-32{1'b0}};
                else if (acts && !reg_write_i && counter && reg_addr_i[3:0] == REG_LOW)
                    high_q <= selected[CW-1:32];
            assign upper = high_q;
        end else begin : g_no_upper
            assign upper = 32'd0;
        end
    endgenerate

    localparam [31:0] CONFIG = {6'd0, WRITABLE[0], DATA[0], CW[7:0], N[15:0]};
    always @(posedge clk_i) begin
        decoded_q <= rst_ni && reg_valid_i && !reg_ready_o && !decoded_q;
        reg_ready_o <= rst_ni && acts;
        reg_error_o <= !known;
        for (r = 0; r < N; r = r + 1)
            select_q[r] <= {21'd0, line} == FIRST_LINE_32 + r;
        if (!rst_ni)
            run_q <= 1'b1;
        else if (writes && control)
            run_q <= reg_wdata_i[CONTROL_RUN];
        case (reg_addr_i[3:0])
            REG_LOW:   reg_rdata_o <= counter ? selected[31:0] : ID;
            REG_HIGH:  reg_rdata_o <= counter ? upper : CONFIG;
            REG_FIRST: reg_rdata_o <= counter ? selected_bounds[31:0] : {31'd0, run_q};
            default:   reg_rdata_o <= selected_bounds[63:32];
        endcase
    end
    wire unused = &{1'b0, reg_wdata_i, trace_pc_i, trace_mem_valid_i, trace_mem_addr_i};
endmodule
`default_nettype wire
