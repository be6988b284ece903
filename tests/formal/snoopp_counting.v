// snoopp_counting - SnoopP from reset on: what a program did in a few clocks is what it reads in the end,
// whatever that was. The range is half of all addresses.
module snoopp_counting (
    input wire        clk_i,
    input wire        trace_valid_i,
    input wire [31:0] trace_pc_i,
    input wire        trace_stall_valid_i
);
    localparam [4:0] BUSY = 5'd9, READS = 5'd12; // clocks with something on the port; the access begins

    reg  [4:0]  time_q = 5'd0;
    reg  [31:0] pending_q = 32'd0, expected_q = 32'd0;
    wire        rst_n = time_q != 5'd0;
    wire        busy = rst_n && time_q < BUSY;
    wire        valid = busy && trace_valid_i;
    wire        stalled = busy && trace_stall_valid_i && !trace_valid_i;
    wire [31:0] now = pending_q + {31'd0, valid || stalled};
    wire        ready, refused;
    wire [31:0] data;

    snoopp #(.N(1), .CW(32), .BOUNDS(0)) unit (
        .clk_i(clk_i), .rst_ni(rst_n), .first_i(32'h8000_0000), .last_i(32'hffff_ffff),
        .trace_valid_i(valid), .trace_pc_i(trace_pc_i), .trace_stall_valid_i(stalled),
        .trace_stall_i(4'd0), .trace_mem_valid_i(1'b0), .trace_mem_addr_i(32'd0),
        .reg_valid_i(time_q >= READS && !ready), .reg_write_i(1'b0), .reg_addr_i(15'h100),
        .reg_wdata_i(32'd0), .reg_ready_o(ready), .reg_error_o(refused), .reg_rdata_o(data)
    );

    always @(posedge clk_i) begin
        time_q <= time_q + 5'd1;
        pending_q <= valid ? 32'd0 : now;
        if (valid && trace_pc_i[31])
            expected_q <= expected_q + now;
        if (rst_n && ready)
            assert (!refused && data == expected_q);
    end
endmodule
