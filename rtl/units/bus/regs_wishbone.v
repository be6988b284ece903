// regs_wishbone - a unit's registers on a Wishbone B4 bus: classic cycles, whole words.
module regs_wishbone #(
    parameter ADDR_BITS = 20
) (
    input  wire                 wb_cyc_i,
    input  wire                 wb_stb_i,
    input  wire                 wb_we_i,
    input  wire [3:0]           wb_sel_i,
    input  wire [ADDR_BITS-1:0] wb_adr_i, // of bytes
    input  wire [31:0]          wb_dat_i,
    output wire                 wb_ack_o,
    output wire                 wb_err_o, // no such register, or not a whole word
    output wire [31:0]          wb_dat_o,

    output wire                 reg_valid_o,
    output wire                 reg_write_o,
    output wire [ADDR_BITS-1:0] reg_addr_o,
    output wire [31:0]          reg_wdata_o,
    input  wire                 reg_ready_i,
    input  wire                 reg_error_i,
    input  wire [31:0]          reg_rdata_i
);
    wire asked = wb_cyc_i && wb_stb_i;
    wire whole = wb_sel_i == 4'hf;

    assign reg_valid_o = asked && whole;
    assign reg_write_o = wb_we_i;
    assign reg_addr_o = wb_adr_i;
    assign reg_wdata_o = wb_dat_i;
    assign wb_ack_o = asked && whole && reg_ready_i && !reg_error_i;
    assign wb_err_o = asked && (!whole || (reg_ready_i && reg_error_i));
    assign wb_dat_o = reg_rdata_i;
endmodule
