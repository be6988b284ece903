// leap_on_axi4lite - LEAP behind its AXI4-Lite wrapper, and a master in front of that, which is slow
// with data and answers.
module leap_on_axi4lite (
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
    output wire        reg_error_o,
    output wire [31:0] reg_rdata_o
);
    wire        valid, write, ready;
    wire [19:0] addr;
    wire [31:0] wdata, rdata;
    wire        refused;

    wire       awready, wready, arready, bvalid, rvalid;
    wire [1:0] bresp, rresp;
    reg        addressed_q, sent_q, waited_q, answered_q;

    // The address is out in the first clock, the data in the second; an answer waits for one, too.
    wire answer = (bvalid || rvalid) && answered_q;
    assign reg_ready_o = answer;
    assign reg_error_o = (bvalid ? bresp : rresp) != 2'b00;
    always @(posedge clk_i) begin
        addressed_q <= rst_ni && reg_valid_i && (addressed_q || (reg_write_i ? awready : arready)) && !answer;
        sent_q <= rst_ni && reg_valid_i && (sent_q || (waited_q && wready)) && !answer;
        waited_q <= rst_ni && reg_valid_i && !answer;
        answered_q <= (bvalid || rvalid) && !answer;
    end

    regs_axi4lite bridge (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .s_awvalid_i(reg_valid_i && reg_write_i && !addressed_q), .s_awready_o(awready),
        .s_awaddr_i(reg_addr_i),
        .s_wvalid_i(reg_valid_i && reg_write_i && !sent_q && waited_q), .s_wready_o(wready),
        .s_wdata_i(reg_wdata_i), .s_wstrb_i(4'hf),
        .s_bvalid_o(bvalid), .s_bready_i(answered_q), .s_bresp_o(bresp),
        .s_arvalid_i(reg_valid_i && !reg_write_i && !addressed_q), .s_arready_o(arready),
        .s_araddr_i(reg_addr_i),
        .s_rvalid_o(rvalid), .s_rready_i(answered_q), .s_rdata_o(reg_rdata_o), .s_rresp_o(rresp),
        .reg_valid_o(valid), .reg_write_o(write), .reg_addr_o(addr), .reg_wdata_o(wdata),
        .reg_ready_i(ready), .reg_error_i(refused), .reg_rdata_i(rdata)
    );

    leap unit (
        .clk_i(clk_i), .rst_ni(rst_ni), .trace_valid_i(trace_valid_i), .trace_trap_i(trace_trap_i),
        .trace_pc_i(trace_pc_i), .trace_next_pc_i(trace_next_pc_i), .trace_insn_i(trace_insn_i),
        .trace_stall_valid_i(trace_stall_valid_i), .trace_stall_i(trace_stall_i),
        .reg_valid_i(valid), .reg_write_i(write), .reg_addr_i(addr), .reg_wdata_i(wdata),
        .reg_ready_o(ready), .reg_error_o(refused), .reg_rdata_o(rdata)
    );
endmodule
