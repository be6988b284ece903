// SPDX-License-Identifier: Apache-2.0
// loopcache - the frequent loop detector. docs/units/loops.md is the specification.
//
// detector, sampler, coalescing registers, holding registers, cache: a clock each.
`default_nettype none
module loopcache #(
    parameter ENTRIES = 32,     // a power of two, 1 to 1024
    parameter WAYS = 2,         // a power of two, up to ENTRIES
    parameter WIDTH = 24,       // bits of a frequency, 4 to 32
    parameter INTERVAL = 1,     // every INTERVAL-th branch is counted; 1 to 65536
    parameter DISTANCE = 1024,  // bytes from a branch back to its target, at most
    parameter COALESCE = 1,     // 0: every branch goes to the cache at once
    parameter MIPS = 0          // 1: MIPS, with delay slots; 0: RISC-V
) (
    input  wire        clk_i,
    input  wire        rst_ni,

    input  wire        trace_valid_i,
    input  wire        trace_trap_i,
    input  wire [31:0] trace_pc_i,
    input  wire [31:0] trace_next_pc_i,
    input  wire [31:0] trace_insn_i,

    input  wire        reg_valid_i, // stays, with all below, until ready
    input  wire        reg_write_i,
    input  wire [13:0] reg_addr_i,
    input  wire [31:0] reg_wdata_i,
    output reg         reg_ready_o,
    output reg         reg_error_o, // with ready: no such register, or it cannot be written
    output reg  [31:0] reg_rdata_o  // with ready
);
    `include "loopcache_registers.vh"
    localparam INDEX_BITS = ENTRIES > 1 ? $clog2(ENTRIES) : 1;

    // A parameter that is out of range ends elaboration: what is instantiated then does not exist, and says why.
    generate
        if (ENTRIES < 1 || ENTRIES > 1024 || (ENTRIES & (ENTRIES - 1)) != 0) begin : g_entries
            loopcache_ENTRIES_must_be_a_power_of_two_from_1_to_1024 wrong ();
        end
        if (WAYS < 1 || WAYS > ENTRIES || (WAYS & (WAYS - 1)) != 0) begin : g_ways
            loopcache_WAYS_must_be_a_power_of_two_up_to_ENTRIES wrong ();
        end
        if (WIDTH < 4 || WIDTH > 32) begin : g_width
            loopcache_WIDTH_must_be_from_4_to_32 wrong ();
        end
        if (INTERVAL < 1 || INTERVAL > 65536) begin : g_interval
            loopcache_INTERVAL_must_be_from_1_to_65536 wrong ();
        end
    endgenerate

    reg  run_q, clear_q, end_q;
    wire rst_n = rst_ni && !clear_q;

    wire        found;
    wire [31:1] found_address;
    loopcache_detector #(.MIPS(MIPS), .DISTANCE(DISTANCE)) detector (
        .clk_i(clk_i), .rst_ni(rst_n), .run_i(run_q), .trace_valid_i(trace_valid_i),
        .trace_trap_i(trace_trap_i), .trace_pc_i(trace_pc_i), .trace_next_pc_i(trace_next_pc_i),
        .trace_insn_i(trace_insn_i), .found_o(found), .address_o(found_address)
    );

    // The sampler: every INTERVAL-th goes on.
    wire sampled;
    generate
        if (INTERVAL > 1) begin : g_sampler
            reg [15:0] sample_q; // the bits that INTERVAL does not need stay 0
            assign sampled = found && {16'd0, sample_q} == INTERVAL - 1;
            always @(posedge clk_i)
                if (!rst_n || sampled)
                    sample_q <= 16'd0;
                else if (found)
                    sample_q <= sample_q + 16'd1;
        end else begin : g_no_sampler
            assign sampled = found;
        end
    endgenerate

    // Coalescing registers, and what they release to the holding registers.
    wire             halve, release_run;
    wire [31:1]      run_address;
    wire [WIDTH-1:0] run_frequency;
    generate
        if (COALESCE != 0) begin : g_coalesce
            reg              valid_q;
            reg  [31:1]      address_q;
            reg  [WIDTH-1:0] frequency_q;
            wire             same = valid_q && address_q == found_address;
            wire [WIDTH:0]   more = {1'b0, frequency_q} + {{WIDTH{1'b0}}, 1'b1};
            always @(posedge clk_i) begin
                if (!rst_n || end_q)
                    valid_q <= 1'b0;
                else if (sampled)
                    valid_q <= 1'b1;
                if (sampled) begin
                    address_q <= found_address;
                    frequency_q <= !same ? {{WIDTH-1{1'b0}}, 1'b1} :
                                   more[WIDTH] ? more[WIDTH:1] : more[WIDTH-1:0];
                end
            end
`ifdef FORMAL
            // As long as nothing is halved, all that was sampled is here or was released.
            reg             halved_q = 1'b0;
            reg [WIDTH+3:0] sampled_q, released_q;
            always @(posedge clk_i)
                if (!rst_n) begin
                    halved_q <= 1'b0;
                    sampled_q <= {WIDTH+4{1'b0}};
                    released_q <= {WIDTH+4{1'b0}};
                end else begin
                    assume (!(sampled && end_q)); // with run 0 there is nothing to sample
                    halved_q <= halved_q || halve;
                    sampled_q <= sampled_q + {{WIDTH+3{1'b0}}, sampled};
                    if (release_run)
                        released_q <= released_q + {4'd0, run_frequency};
                    assert (halved_q || sampled_q == released_q +
                            (valid_q ? {4'd0, frequency_q} : {WIDTH+4{1'b0}}));
                    assert (!valid_q || frequency_q != {WIDTH{1'b0}});
                end
`endif
            assign halve = rst_n && sampled && same && more[WIDTH];
            assign release_run = valid_q && ((sampled && !same) || end_q);
            assign run_address = address_q;
            assign run_frequency = frequency_q;
        end else begin : g_each
            assign halve = 1'b0;
            assign release_run = sampled;
            assign run_address = found_address;
            assign run_frequency = {{WIDTH-1{1'b0}}, 1'b1};
            wire unused = &{1'b0, end_q};
        end
    endgenerate

    reg              held_q;
    reg  [31:1]      hold_address_q;
    reg  [WIDTH-1:0] hold_frequency_q;
    always @(posedge clk_i) begin
        held_q <= rst_n && release_run;
        if (release_run) begin
            hold_address_q <= run_address;
            hold_frequency_q <= run_frequency;
        end
    end

    // Registers: the access is taken in, and acts in the clock after that.
    reg              acts_q, write_q;
    reg  [13:0]      addr_q;
    reg  [31:0]      wdata_q;
    wire             entry_valid;
    wire [31:1]      entry_address;
    wire [WIDTH-1:0] entry_frequency;
    wire             entry = addr_q[13] && {22'd0, addr_q[12:3]} < ENTRIES;
    wire             head = addr_q == OFFSET_ID || addr_q == OFFSET_CONFIG || addr_q == OFFSET_CONTROL;
    wire             known = addr_q[1:0] == 2'd0 &&
                             (write_q ? addr_q == OFFSET_CONTROL : head || entry);
    wire             control = acts_q && write_q && known;

    localparam [31:0] CONFIG = {ENTRIES[15:0], WAYS[7:0], WIDTH[7:0]};

    loopcache_cache #(.ENTRIES(ENTRIES), .WAYS(WAYS), .WIDTH(WIDTH)) cache (
        .clk_i(clk_i), .rst_ni(rst_n), .update_i(held_q), .address_i(hold_address_q),
        .frequency_i(hold_frequency_q), .halve_i(halve), .read_i(addr_q[3 +: INDEX_BITS]),
        .valid_o(entry_valid), .address_o(entry_address), .frequency_o(entry_frequency)
    );

    reg [31:0] frequency;
    integer    i;
    always @* begin
        frequency = 32'd0;
        for (i = 0; i < WIDTH; i = i + 1)
            frequency[i] = entry_frequency[i] && entry_valid;
    end

    always @(posedge clk_i) begin
        acts_q <= rst_ni && reg_valid_i && !acts_q && !reg_ready_o;
        reg_ready_o <= rst_ni && acts_q;
        reg_error_o <= !known;
        write_q <= reg_write_i;
        addr_q <= reg_addr_i;
        wdata_q <= reg_wdata_i;
        if (entry)
            reg_rdata_o <= addr_q[2] ? frequency : {entry_address, 1'b1} & {32{entry_valid}};
        else
            reg_rdata_o <= addr_q == OFFSET_ID ? ID : addr_q == OFFSET_CONFIG ? CONFIG :
                           {31'd0, run_q};

        clear_q <= rst_ni && control && wdata_q[CONTROL_CLEAR];
        end_q <= rst_ni && control && wdata_q[CONTROL_END];
        if (!rst_ni)
            run_q <= 1'b0;
        else if (control)
            run_q <= wdata_q[CONTROL_RUN];
    end
    wire unused = &{1'b0, wdata_q, hold_frequency_q};
endmodule
`default_nettype wire
