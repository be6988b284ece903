// soc_clint - the core's timer and software interrupt, where the CLINT of SiFive has them.
//
// mtime counts cycles: in the first after reset it is 1. A load sees it as of the last cycle in M
// of the instruction before, like the control register `time`. Words only.
module soc_clint (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire        finish_i, // an instruction leaves M, or sleep ends

    input  wire        write_i,
    input  wire [15:0] addr_i,
    input  wire [3:0]  strb_i,
    input  wire [31:0] wdata_i,
    output reg  [31:0] rdata_o,
    output wire        error_o,

    output wire        irq_software_o,
    output wire        irq_timer_o
);
    reg        msip_q, timer_q;
    reg [63:0] mtime_q, mtime_seen_q, mtimecmp_q;

    wire        at_msip = addr_i[15:3] == 13'h0000;
    wire        at_mtimecmp = addr_i[15:3] == 13'h0800;
    wire        at_mtime = addr_i[15:3] == 13'h17ff;
    wire        upper = addr_i[2];
    wire        write = write_i && !error_o;
    wire [63:0] old = at_mtime ? mtime_seen_q : mtimecmp_q;
    wire [63:0] merged = upper ? {wdata_i, old[31:0]} : {old[63:32], wdata_i};
    wire [63:0] mtimecmp_d = write && at_mtimecmp ? merged : mtimecmp_q;
    wire [63:0] mtime_d = write && at_mtime ? merged : mtime_q + 64'd1;

    always @* begin
        if (at_msip)
            rdata_o = {31'd0, msip_q && !upper};
        else if (at_mtime || at_mtimecmp)
            rdata_o = upper ? old[63:32] : old[31:0];
        else
            rdata_o = 32'd0; // registers of cores that are not there
    end

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            msip_q <= 1'b0;
            timer_q <= 1'b0;
            mtimecmp_q <= {64{1'b1}};
            mtime_q <= 64'd1;
            mtime_seen_q <= 64'd0;
        end else begin
            if (write && at_msip && !upper)
                msip_q <= wdata_i[0];
            timer_q <= mtime_d >= mtimecmp_d;
            mtimecmp_q <= mtimecmp_d;
            mtime_q <= mtime_d;
            if (finish_i)
                mtime_seen_q <= mtime_q;
        end
    end

    assign error_o = strb_i != 4'b1111;
    assign irq_software_o = msip_q;
    assign irq_timer_o = timer_q;

    wire unused = &{1'b0, addr_i[1:0]};
endmodule
