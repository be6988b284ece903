// SPDX-License-Identifier: Apache-2.0
// leap_registers - LEAP on a bus: control, the parameters of the hash, and the counters.
//
// rtl/units/README.md describes the interface and docs/units/leap.md the registers. Parameters can
// be written only; software knows what it wrote.
`default_nettype none
module leap_registers #(
    parameter N = 64,
    parameter CW = 32,
    parameter TAB = 64,
    parameter LANES = 1,
    parameter HIER = 0,
    parameter TAGGED = 0,
    parameter MIPS = 0,
    parameter COUNT = 0,
    parameter HALVE = 0,
    parameter NUMBER_BITS = $clog2(N),
    parameter TAB_BITS = $clog2(TAB)
) (
    input  wire                   clk_i,
    input  wire                   rst_ni,

    input  wire                   reg_valid_i, // stays, with all below, until ready
    input  wire                   reg_write_i,
    input  wire [19:0]            reg_addr_i,
    input  wire [31:0]            reg_wdata_i,
    output reg                    reg_ready_o,
    output reg                    reg_error_o, // with ready: no such register, or not that value
    output reg  [31:0]            reg_rdata_o, // with ready

    output reg                    run_o,
    output reg                    clear_o, // for a clock
    output reg                    drain_o, // for a clock
    input  wire                   clearing_i,
    input  wire                   draining_i,

    output reg                    begins_o, // the first beat is in the function at begin_o
    output reg  [31:0]            begin_o,
    output reg  [31:0]            v_o,
    output reg  [5:0]             a1_o,
    output reg  [4:0]             b1_o,
    output reg  [TAB_BITS-1:0]    b2_o,
    output wire                   tab_write_o,
    output wire                   tag_write_o,
    output wire [TAB_BITS-1:0]    tab_entry_o,
    output wire [NUMBER_BITS-1:0] number_o, // that the address or the data mean
    output wire [31:0]            data_o,

    output wire                   read_o, // a counter, until taken
    input  wire                   read_taken_i,
    input  wire                   read_done_i,
    input  wire [CW*LANES-1:0]    read_data_i,
    input  wire [5:0]             shift_i
);
    `include "leap_registers.vh"
    localparam [1:0] REGION_CONTROL  = 2'd0;
    localparam [1:0] REGION_TAB      = BASE_TAB[19:18];
    localparam [1:0] REGION_TAGS     = BASE_TAG[19:18];
    localparam [1:0] REGION_COUNTERS = BASE_COUNTER[19:18];

    localparam LANE_BITS = $clog2(LANES + 1);
    localparam [31:0] CONFIG = {CW[7:0], 3'd0, TAB_BITS[4:0], 2'd0, HALVE[0], NUMBER_BITS[4:0], COUNT[3:0],
                                MIPS[0], TAGGED[0], HIER[0], LANES == 2};

    // The access in registers; it acts in the clock after that.
    reg         taken_q, acts_q, fetching_q, write_q;
    reg  [19:0] addr_q;
    reg  [31:0] wdata_q;
    wire [1:0]  region = addr_q[19:18];
    wire [5:0]  offset = addr_q[5:0];
    wire        upper = addr_q[2];

    // Which registers there are, and what may be done with them.
    wire head = region == REGION_CONTROL && addr_q[17:6] == 12'd0;
    wire counter_word = region == REGION_COUNTERS && {18'd0, addr_q[17:4]} < N && (!addr_q[3] || LANES == 2);
    wire readable = counter_word ||
                    (head && (offset == OFFSET_ID || offset == OFFSET_CONFIG || offset == OFFSET_CONTROL ||
                              offset == OFFSET_LANES || offset == OFFSET_HALVED));
    wire parameter_word = offset == OFFSET_CONTROL || offset == OFFSET_V || offset == OFFSET_A1 ||
                          offset == OFFSET_B1 || offset == OFFSET_B2 || offset == OFFSET_BEGIN ||
                          (offset == OFFSET_LANE && LANES > 2 && wdata_q < LANES);
    wire writable = (head && parameter_word) || (region == REGION_TAB && {16'd0, addr_q[17:2]} < TAB) ||
                    (region == REGION_TAGS && TAGGED != 0 && {16'd0, addr_q[17:2]} < N);
    wire known = addr_q[1:0] == 2'd0 && (write_q ? writable : readable);

    wire writes = acts_q && write_q && known;
    wire fetches = counter_word && !upper && !write_q && known;

    assign tab_write_o = writes && region == REGION_TAB;
    assign tag_write_o = writes && region == REGION_TAGS;
    assign tab_entry_o = addr_q[2 +: TAB_BITS];
    assign number_o = region == REGION_COUNTERS ? addr_q[4 +: NUMBER_BITS] :
                                                  addr_q[2 +: NUMBER_BITS];
    assign data_o = wdata_q;
    assign read_o = acts_q && fetches;

    wire control = writes && head;
    wire [CW-1:0] lane;
    generate
        if (LANES > 2) begin : g_many
            reg [LANE_BITS-1:0] lane_q;
            always @(posedge clk_i)
                if (control && offset == OFFSET_LANE)
                    lane_q <= wdata_q[LANE_BITS-1:0];
            assign lane = read_data_i[CW*lane_q +: CW];
        end else if (LANES == 2) begin : g_two
            assign lane = addr_q[3] ? read_data_i[CW +: CW] : read_data_i[0 +: CW];
        end else begin : g_one
            assign lane = read_data_i;
        end
    endgenerate
    reg [63:0] wide;
    integer    i;
    always @* begin
        wide = 64'd0;
        for (i = 0; i < CW; i = i + 1)
            wide[i] = lane[i];
    end
    wire [31:0] counter = upper ? wide[63:32] : wide[31:0];
    wire [31:0] other = offset == OFFSET_CONTROL ? {29'd0, draining_i, clearing_i, run_o} :
                        offset == OFFSET_CONFIG ? CONFIG :
                        offset == OFFSET_LANES ? LANES :
                        offset == OFFSET_HALVED ? {26'd0, shift_i} : ID;

    wire done = acts_q ? !fetches : fetching_q && read_done_i;
    always @(posedge clk_i) begin
        taken_q <= rst_ni && reg_valid_i && !reg_ready_o;
        acts_q <= rst_ni && (acts_q ? fetches && !read_taken_i : reg_valid_i && !taken_q);
        fetching_q <= rst_ni && ((read_o && read_taken_i) || (fetching_q && !read_done_i));
        reg_ready_o <= rst_ni && done;
        reg_error_o <= !known;
        reg_rdata_o <= region == REGION_COUNTERS ? counter : other;
        if (!taken_q) begin
            write_q <= reg_write_i;
            addr_q <= reg_addr_i;
            wdata_q <= reg_wdata_i;
        end
    end

    always @(posedge clk_i) begin
        clear_o <= rst_ni && control && offset == OFFSET_CONTROL && wdata_q[CONTROL_CLEAR];
        drain_o <= rst_ni && control && offset == OFFSET_CONTROL && wdata_q[CONTROL_DRAIN];
        if (!rst_ni)
            run_o <= 1'b0;
        else if (control && offset == OFFSET_CONTROL)
            run_o <= wdata_q[CONTROL_RUN];
        if (!rst_ni || clear_o)
            begins_o <= 1'b0;
        else if (control && offset == OFFSET_BEGIN)
            begins_o <= 1'b1;
        if (control && offset == OFFSET_BEGIN)
            begin_o <= wdata_q;
        if (control && offset == OFFSET_V)
            v_o <= wdata_q;
        if (control && offset == OFFSET_A1)
            a1_o <= wdata_q[5:0];
        if (control && offset == OFFSET_B1)
            b1_o <= wdata_q[4:0];
        if (control && offset == OFFSET_B2)
            b2_o <= wdata_q[TAB_BITS-1:0];
    end
endmodule
`default_nettype wire
