// SPDX-License-Identifier: Apache-2.0
// regs_decoder - several units' registers behind one interface, each in a window of 2^20 bytes.
//
// An address that a unit has no bits for, or in no unit's window, is refused. What a unit answers is passed on
// a clock later.
`default_nettype none
module regs_decoder #(
    parameter UNITS = 2,
    parameter ADDR_BITS = 21,
    parameter [8*UNITS-1:0] UNIT_BITS = {UNITS{8'd20}} // address bits of each, the first one's lowest
) (
    input  wire                 clk_i,
    input  wire                 rst_ni,

    input  wire                 reg_valid_i, // stays, with all below, until ready
    input  wire                 reg_write_i,
    input  wire [ADDR_BITS-1:0] reg_addr_i,
    input  wire [31:0]          reg_wdata_i,
    output reg                  reg_ready_o,
    output reg                  reg_error_o, // with ready
    output reg  [31:0]          reg_rdata_o,

    output reg  [UNITS-1:0]     unit_valid_o,
    output reg                  unit_write_o,
    output reg  [19:0]          unit_addr_o,
    output reg  [31:0]          unit_wdata_o,
    input  wire [UNITS-1:0]     unit_ready_i,
    input  wire [UNITS-1:0]     unit_error_i,
    input  wire [32*UNITS-1:0]  unit_rdata_i
);
    generate
        if (UNITS < 1 || UNITS > 1 << (ADDR_BITS - 20)) begin : g_units
            regs_decoder_UNITS_must_be_as_many_as_ADDR_BITS_has_windows wrong ();
        end
    endgenerate

    reg [UNITS-1:0] hit;
    reg [31:0]      rdata;
    integer         i;
    always @* begin
        rdata = 32'd0;
        for (i = 0; i < UNITS; i = i + 1) begin
            hit[i] = {{52-ADDR_BITS{1'b0}}, reg_addr_i[ADDR_BITS-1:20]} == i &&
                     reg_addr_i[19:0] >> UNIT_BITS[8*i +: 8] == 20'd0;
            if (unit_ready_i[i])
                rdata = rdata | unit_rdata_i[32*i +: 32];
        end
    end

    reg  waits_q; // for a unit
    wire begins = reg_valid_i && !waits_q && !reg_ready_o;
    wire ends = waits_q && |unit_ready_i;
    always @(posedge clk_i) begin
        waits_q <= rst_ni && ((begins && |hit) || (waits_q && !ends));
        reg_ready_o <= rst_ni && (ends || (begins && !(|hit)));
        reg_error_o <= !waits_q || |(unit_ready_i & unit_error_i);
        reg_rdata_o <= rdata;
        if (!rst_ni || ends)
            unit_valid_o <= {UNITS{1'b0}};
        else if (begins)
            unit_valid_o <= hit;
        if (begins) begin
            unit_write_o <= reg_write_i;
            unit_addr_o <= reg_addr_i[19:0];
            unit_wdata_o <= reg_wdata_i;
        end
    end

`ifdef FORMAL
    always @(posedge clk_i)
        if (rst_ni) begin
            assert (waits_q == |unit_valid_o);
            assert (!waits_q || !reg_ready_o);
        end
`endif
endmodule
`default_nettype wire
