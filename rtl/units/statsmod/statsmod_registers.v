// SPDX-License-Identifier: Apache-2.0
// statsmod_registers - the Statistics Module on a bus: control, ranges, selectors, what was dispatched.
//
// rtl/units/README.md describes the interface and docs/units/stats.md the registers. Ranges and
// selectors are kept a second time, in memories, to be read: after reset they are what they were.
`default_nettype none
module statsmod_registers #(
    parameter COUNTERS = 8,
    parameter RANGES = 8,
    parameter WIDTH = 32,
    parameter MIPS = 0,
    parameter NAIVE = 0,
    parameter [25:0] SIGNALS = 26'h3ffffff,
    parameter NUMBER_BITS = COUNTERS > 1 ? $clog2(COUNTERS) : 1
) (
    input  wire                   clk_i,
    input  wire                   rst_ni,

    input  wire                   reg_valid_i, // stays, with all below, until ready
    input  wire                   reg_write_i,
    input  wire [14:0]            reg_addr_i,
    input  wire [31:0]            reg_wdata_i,
    output reg                    reg_ready_o,
    output reg                    reg_error_o, // with ready: no such register, or not that value
    output reg  [31:0]            reg_rdata_o, // with ready

    output reg                    run_o,
    output reg                    clear_o, // for a clock
    output reg                    end_o,   // for a clock
    input  wire                   ending_i,
    output wire                   write_interval_o,
    output reg  [RANGES-1:0]      write_first_o,
    output reg  [RANGES-1:0]      write_last_o,
    output reg  [COUNTERS-1:0]    write_selector_o,
    output reg  [31:0]            wdata_o, // with any of these

    input  wire [31:0]            interval_i,
    input  wire [31:0]            sequence_i,
    input  wire                   busy_i, // what was dispatched cannot be read now
    output wire [NUMBER_BITS-1:0] read_o,
    input  wire [WIDTH-1:0]       value_i, // a clock later
    input  wire [63:0]            total_i
);
    `include "statsmod_registers.vh"
    localparam [2:0] REGION_HEAD      = 3'd0;
    localparam [2:0] REGION_RANGES    = BASE_RANGE[14:12];
    localparam [2:0] REGION_SELECTORS = BASE_SELECTOR[14:12];
    localparam       REGION_BIT_SENT  = 14; // set from BASE_SENT on

    localparam BOUND_BITS = 1 + (RANGES > 1 ? $clog2(RANGES) : 0);
    localparam LEAST_INTERVAL = COUNTERS + 4; // a dispatch must be over when the next begins
    localparam [31:0] CONFIG = {NAIVE[0], 6'd0, MIPS[0], WIDTH[7:0], RANGES[7:0], COUNTERS[7:0]};

    // The access in registers; it acts in the clock after that, or when what it reads can be read.
    reg         acts_q, fetched_q, write_q;
    reg  [14:0] addr_q;
    reg  [31:0] high_q;
    wire [2:0]  region = addr_q[14:12];
    wire        sent = addr_q[REGION_BIT_SENT];
    wire        head = region == REGION_HEAD && addr_q[11:5] == 7'd0;
    wire [4:0]  offset = addr_q[4:0];
    wire        control = head && offset == OFFSET_CONTROL;
    wire        interval = head && offset == OFFSET_INTERVAL;
    wire        range = region == REGION_RANGES && {23'd0, addr_q[11:3]} < RANGES;
    wire        selector = region == REGION_SELECTORS && {22'd0, addr_q[11:2]} < COUNTERS &&
                           NAIVE == 0;
    wire        possible = wdata_o == 32'd0 || wdata_o >= LEAST_INTERVAL;
    wire        readable = (head && offset <= OFFSET_SIGNALS) || range || selector ||
                           (sent && {22'd0, addr_q[13:4]} < COUNTERS && addr_q[3:0] != 4'h4);
    wire        writable = control || (interval && possible) || range || selector;
    wire        known = addr_q[1:0] == 2'd0 && (write_q ? writable : readable);
    wire        waits = (sent || (!write_q && (range || selector))) && !fetched_q;
    wire        done = acts_q && !waits;
    wire        writes = done && write_q && known;

    assign read_o = addr_q[4 +: NUMBER_BITS];
    assign write_interval_o = writes && interval;

    reg [31:0] value, other;
    integer    i;
    always @* begin
        value = 32'd0;
        for (i = 0; i < WIDTH; i = i + 1)
            value[i] = value_i[i];
        case (offset)
            OFFSET_CONFIG:   other = CONFIG;
            OFFSET_CONTROL:  other = {29'd0, ending_i, 1'b0, run_o};
            OFFSET_INTERVAL: other = interval_i;
            OFFSET_SEQUENCE: other = sequence_i;
            OFFSET_SIGNALS:  other = {6'd0, SIGNALS};
            default:         other = ID;
        endcase
    end

    always @(posedge clk_i) begin
        acts_q <= rst_ni && (acts_q ? waits : reg_valid_i && !reg_ready_o);
        fetched_q <= acts_q && waits && (!busy_i || !sent);
        reg_ready_o <= rst_ni && done;
        reg_error_o <= !known;
        if (!acts_q) begin
            write_q <= reg_write_i;
            addr_q <= reg_addr_i;
            wdata_o <= reg_wdata_i;
        end
        if (done && sent && addr_q[3:0] == REG_LOW)
            high_q <= total_i[63:32];
        if (!sent)
            reg_rdata_o <= range ? bound_q : selector ? {18'd0, selector_q} : other;
        else
            reg_rdata_o <= addr_q[3:0] == REG_LOW ? total_i[31:0] :
                           addr_q[3:0] == REG_HIGH ? high_q : value;
    end

    // What was written.
    reg [31:0] bounds [0:2*RANGES-1];
    reg [13:0] selectors [0:COUNTERS-1];
    reg [31:0] bound_q;
    reg [13:0] selector_q;
    always @(posedge clk_i) begin
        if (writes && range)
            bounds[addr_q[2 +: BOUND_BITS]] <= wdata_o;
        bound_q <= bounds[addr_q[2 +: BOUND_BITS]];
    end
    always @(posedge clk_i) begin
        if (writes && selector)
            selectors[addr_q[2 +: NUMBER_BITS]] <= {wdata_o[13:8], 3'd0, wdata_o[4:0]};
        selector_q <= selectors[addr_q[2 +: NUMBER_BITS]];
    end

    // Decoded into a line each while the access is being taken in.
    always @* begin
        for (i = 0; i < RANGES; i = i + 1) begin
            write_first_o[i] = writes && range && !addr_q[2] && {23'd0, addr_q[11:3]} == i;
            write_last_o[i] = writes && range && addr_q[2] && {23'd0, addr_q[11:3]} == i;
        end
        for (i = 0; i < COUNTERS; i = i + 1)
            write_selector_o[i] = writes && selector && {22'd0, addr_q[11:2]} == i;
    end

    always @(posedge clk_i) begin
        clear_o <= rst_ni && writes && control && wdata_o[CONTROL_CLEAR];
        end_o <= rst_ni && writes && control && wdata_o[CONTROL_END];
        if (!rst_ni)
            run_o <= 1'b0;
        else if (writes && control)
            run_o <= wdata_o[CONTROL_RUN] && !wdata_o[CONTROL_END];
    end
endmodule
`default_nettype wire
