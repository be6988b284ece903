// SPDX-License-Identifier: Apache-2.0
// regs_wishbone - a unit's registers on a Wishbone B4 bus: classic cycles, whole words.
//
// A cycle is taken into registers and answered by one: no path leads from the bus to the bus within a clock. If the
// master ends the cycle before it is answered, as a reset of the master alone does, the access still ends in the
// unit, but its answer is dropped; the next cycle begins after that and gets its own. A byte may be read by itself,
// as the whole word is there; a write of less than a word is refused, and one of no byte does nothing.
`default_nettype none
module regs_wishbone #(
    parameter ADDR_BITS = 20
) (
    input  wire                 clk_i,
    input  wire                 rst_ni,

    input  wire                 wb_cyc_i,
    input  wire                 wb_stb_i,
    input  wire                 wb_we_i,
    input  wire [3:0]           wb_sel_i,
    input  wire [ADDR_BITS-1:0] wb_adr_i, // of bytes
    input  wire [31:0]          wb_dat_i,
    output reg                  wb_ack_o,
    output reg                  wb_err_o, // no such register, or not a whole word
    output reg  [31:0]          wb_dat_o,

    output wire                 reg_valid_o,
    output wire                 reg_write_o,
    output wire [ADDR_BITS-1:0] reg_addr_o,
    output wire [31:0]          reg_wdata_o,
    input  wire                 reg_ready_i,
    input  wire                 reg_error_i,
    input  wire [31:0]          reg_rdata_i
);
    reg                 busy_q; // an access
    reg                 asked_q; // the cycle it is for goes on
    reg                 write_q;
    reg [ADDR_BITS-1:0] addr_q;
    reg [31:0]          data_q;

    wire asks = wb_cyc_i && wb_stb_i;
    wire answered = wb_ack_o || wb_err_o;
    wire begins = asks && !busy_q && !answered;
    wire whole = !wb_we_i || wb_sel_i == 4'hf;
    wire nothing = wb_we_i && wb_sel_i == 4'h0;
    wire done = busy_q && reg_ready_i;
    wire answers = done && asked_q && asks;

    always @(posedge clk_i) begin
        busy_q <= rst_ni && (busy_q ? !reg_ready_i : begins && whole);
        asked_q <= asks && (asked_q || !busy_q);
        wb_ack_o <= rst_ni && ((answers && !reg_error_i) || (begins && nothing));
        wb_err_o <= rst_ni && ((answers && reg_error_i) || (begins && !whole && !nothing));
        if (!busy_q) begin
            write_q <= wb_we_i;
            addr_q <= wb_adr_i;
            data_q <= wb_dat_i;
        end
        if (done)
            wb_dat_o <= reg_rdata_i;
    end

    assign reg_valid_o = busy_q;
    assign reg_write_o = write_q;
    assign reg_addr_o = addr_q;
    assign reg_wdata_o = data_q;
endmodule
`default_nettype wire
