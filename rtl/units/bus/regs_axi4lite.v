// regs_axi4lite - a unit's registers on an AXI4-Lite bus, one access at a time.
//
// A write waits for its address and its data, and goes before a read that came with them.
module regs_axi4lite #(
    parameter ADDR_BITS = 20
) (
    input  wire                 clk_i,
    input  wire                 rst_ni,

    input  wire                 s_awvalid_i,
    output wire                 s_awready_o,
    input  wire [ADDR_BITS-1:0] s_awaddr_i,
    input  wire                 s_wvalid_i,
    output wire                 s_wready_o,
    input  wire [31:0]          s_wdata_i,
    input  wire [3:0]           s_wstrb_i,
    output reg                  s_bvalid_o,
    input  wire                 s_bready_i,
    output reg  [1:0]           s_bresp_o,

    input  wire                 s_arvalid_i,
    output wire                 s_arready_o,
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

    reg                 busy_q, write_q;
    reg [ADDR_BITS-1:0] addr_q;
    reg [31:0]          wdata_q;

    // Idle: nothing asked, nothing left to say. Registers are whole words.
    wire idle = !busy_q && !s_bvalid_o && !s_rvalid_o;
    wire take_write = idle && s_awvalid_i && s_wvalid_i;
    wire take_read = idle && s_arvalid_i && !take_write;
    wire partial = take_write && s_wstrb_i != 4'hf;
    wire done = busy_q && reg_ready_i;

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            busy_q <= 1'b0;
            s_bvalid_o <= 1'b0;
            s_rvalid_o <= 1'b0;
        end else begin
            busy_q <= busy_q ? !reg_ready_i : (take_write && !partial) || take_read;
            s_bvalid_o <= s_bvalid_o ? !s_bready_i : partial || (done && write_q);
            s_rvalid_o <= s_rvalid_o ? !s_rready_i : done && !write_q;
        end
        if (idle) begin
            write_q <= take_write;
            addr_q <= take_write ? s_awaddr_i : s_araddr_i;
            wdata_q <= s_wdata_i;
        end
        if (done || partial)
            s_bresp_o <= partial || reg_error_i ? SLVERR : OKAY;
        if (done) begin
            s_rresp_o <= reg_error_i ? SLVERR : OKAY;
            s_rdata_o <= reg_rdata_i;
        end
    end

    assign s_awready_o = take_write;
    assign s_wready_o = take_write;
    assign s_arready_o = take_read;
    assign reg_valid_o = busy_q;
    assign reg_write_o = write_q;
    assign reg_addr_o = addr_q;
    assign reg_wdata_o = wdata_q;
endmodule
