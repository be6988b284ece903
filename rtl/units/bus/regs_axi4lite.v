// SPDX-License-Identifier: Apache-2.0
// regs_axi4lite - a unit's registers on an AXI4-Lite bus.
//
// Each channel has a register for what it took, and READY is such a register's own: no path leads from a VALID to
// a READY within a clock. A write begins when its address and its data are there. An access begins only when there is
// room for its response, so one that is not taken holds up its own kind and not the other; and as the clock in which a
// response is offered is free for the other kind, reads and writes take turns where both are due.
`default_nettype none
module regs_axi4lite #(
    parameter ADDR_BITS = 20
) (
    input  wire                 clk_i,
    input  wire                 rst_ni,

    input  wire                 s_awvalid_i,
    output reg                  s_awready_o,
    input  wire [ADDR_BITS-1:0] s_awaddr_i,
    input  wire                 s_wvalid_i,
    output reg                  s_wready_o,
    input  wire [31:0]          s_wdata_i,
    input  wire [3:0]           s_wstrb_i, // all or none: registers are whole words
    output reg                  s_bvalid_o,
    input  wire                 s_bready_i,
    output reg  [1:0]           s_bresp_o,

    input  wire                 s_arvalid_i,
    output reg                  s_arready_o,
    input  wire [ADDR_BITS-1:0] s_araddr_i,
    output reg                  s_rvalid_o,
    input  wire                 s_rready_i,
    output reg  [31:0]          s_rdata_o,
    output reg  [1:0]           s_rresp_o,

    output wire                 reg_valid_o,
    output wire                 reg_write_o,
    output wire [ADDR_BITS-1:0] reg_addr_o,
    output wire [31:0]          reg_wdata_o,
    input  wire                 reg_ready_i,
    input  wire                 reg_error_i,
    input  wire [31:0]          reg_rdata_i
);
    localparam [1:0] OKAY = 2'b00, SLVERR = 2'b10;

    reg                 aw_q, w_q, ar_q; // taken, and not begun
    reg [ADDR_BITS-1:0] awaddr_q, araddr_q;
    reg [31:0]          wdata_q;
    reg [3:0]           wstrb_q;
    reg                 busy_q, write_q; // an access, and of which kind it or the last one is
    reg [ADDR_BITS-1:0] addr_q;
    reg [31:0]          data_q;

    wire begin_write = !busy_q && aw_q && w_q && !s_bvalid_o;
    wire begin_read = !busy_q && ar_q && !s_rvalid_o && !begin_write;
    wire whole = wstrb_q == 4'hf;
    wire done = busy_q && reg_ready_i;

    wire aw_next = aw_q ? !begin_write : s_awvalid_i && s_awready_o;
    wire w_next = w_q ? !begin_write : s_wvalid_i && s_wready_o;
    wire ar_next = ar_q ? !begin_read : s_arvalid_i && s_arready_o;

    always @(posedge clk_i) begin
        aw_q <= rst_ni && aw_next;
        w_q <= rst_ni && w_next;
        ar_q <= rst_ni && ar_next;
        s_awready_o <= rst_ni && !aw_next;
        s_wready_o <= rst_ni && !w_next;
        s_arready_o <= rst_ni && !ar_next;
        if (!aw_q)
            awaddr_q <= s_awaddr_i;
        if (!w_q) begin
            wdata_q <= s_wdata_i;
            wstrb_q <= s_wstrb_i;
        end
        if (!ar_q)
            araddr_q <= s_araddr_i;
    end

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            busy_q <= 1'b0;
            write_q <= 1'b0;
            s_bvalid_o <= 1'b0;
            s_rvalid_o <= 1'b0;
        end else begin
            busy_q <= busy_q ? !reg_ready_i : (begin_write && whole) || begin_read;
            if (begin_write || begin_read)
                write_q <= begin_write;
            s_bvalid_o <= s_bvalid_o ? !s_bready_i : (begin_write && !whole) || (done && write_q);
            s_rvalid_o <= s_rvalid_o ? !s_rready_i : done && !write_q;
        end
        if (!busy_q) begin
            addr_q <= begin_write ? awaddr_q : araddr_q;
            data_q <= wdata_q;
            s_bresp_o <= s_bvalid_o ? s_bresp_o : wstrb_q == 4'h0 ? OKAY : SLVERR;
        end else if (done && write_q) begin
            s_bresp_o <= reg_error_i ? SLVERR : OKAY;
        end
        if (done && !write_q) begin
            s_rresp_o <= reg_error_i ? SLVERR : OKAY;
            s_rdata_o <= reg_rdata_i;
        end
    end

    assign reg_valid_o = busy_q;
    assign reg_write_o = write_q;
    assign reg_addr_o = addr_q;
    assign reg_wdata_o = data_q;
endmodule
`default_nettype wire
