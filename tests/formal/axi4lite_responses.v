// axi4lite_responses - regs_axi4lite between a master and a unit that take a few clocks each: every access is
// answered once, in order, within BOUND clocks, whatever the other channel does, and no output changes before it is
// taken. An answer says what the unit said; a write of less than a word is refused. The master takes a response within MASTER clocks, and the unit answers within UNIT.
module axi4lite_responses #(
    parameter [4:0] MASTER = 5'd1,
    parameter [4:0] UNIT = 5'd2,
    parameter [4:0] BOUND = 5'd9
) (
    input wire        clk_i,
    input wire        awvalid_i,
    input wire        wvalid_i,
    input wire [3:0]  wstrb_i,
    input wire        arvalid_i,
    input wire        bready_i,
    input wire        rready_i,
    input wire        answer_i,
    input wire        refuse_i
);
    reg        started_q = 1'b0, ready_q = 1'b0; // out of reset; for a clock at least
    wire       rst_n = started_q;
    wire       awready, wready, arready, bvalid, rvalid, busy, write;
    wire [1:0] bresp, rresp, addr;
    wire [31:0] wdata, rdata;

    // Taken and not begun. The script that proves it connects these.
    wire       held_aw, held_w, held_ar;
    wire [3:0] held_wstrb;

    // What the environment does: a request stays until it is taken, an answer comes in time.
    reg        aw_wait_q, w_wait_q, ar_wait_q;
    reg [3:0]  wstrb_q;
    reg [4:0]  b_age_q, r_age_q, unit_age_q;
    wire       ready = busy && unit_age_q != 5'd0 && (answer_i || unit_age_q == UNIT);
    wire       bready = bready_i || b_age_q == MASTER;
    wire       rready = rready_i || r_age_q == MASTER;
    wire       awvalid = rst_n && (awvalid_i || aw_wait_q);
    wire       wvalid = rst_n && (wvalid_i || w_wait_q);
    wire       arvalid = rst_n && (arvalid_i || ar_wait_q);
    wire [3:0] wstrb = w_wait_q ? wstrb_q : wstrb_i;

    regs_axi4lite #(.ADDR_BITS(2)) bridge (
        .clk_i(clk_i), .rst_ni(rst_n),
        .s_awvalid_i(awvalid), .s_awready_o(awready), .s_awaddr_i(2'd0),
        .s_wvalid_i(wvalid), .s_wready_o(wready), .s_wdata_i(32'd0), .s_wstrb_i(wstrb),
        .s_bvalid_o(bvalid), .s_bready_i(bready), .s_bresp_o(bresp),
        .s_arvalid_i(arvalid), .s_arready_o(arready), .s_araddr_i(2'd0),
        .s_rvalid_o(rvalid), .s_rready_i(rready), .s_rdata_o(rdata), .s_rresp_o(rresp),
        .reg_valid_o(busy), .reg_write_o(write), .reg_addr_o(addr), .reg_wdata_o(wdata),
        .reg_ready_i(ready), .reg_error_i(refuse_i), .reg_rdata_i(32'd0)
    );

    // Taken and not answered, and for how long both halves of a write, or a read, have been there.
    reg [1:0] aw_open_q, w_open_q, ar_open_q;
    reg [4:0] write_age_q, read_age_q;
    reg       bvalid_q, rvalid_q, refused_q;
    reg [1:0] bresp_q, rresp_q;
    reg       was_ready_q, was_write_q;
    reg [3:0] was_wstrb_q;
    wire      b_done = bvalid && bready;
    wire      r_done = rvalid && rready;

    always @(posedge clk_i) begin
        started_q <= 1'b1;
        ready_q <= rst_n;
        aw_wait_q <= awvalid && !awready;
        w_wait_q <= wvalid && !wready;
        ar_wait_q <= arvalid && !arready;
        wstrb_q <= wstrb;
        unit_age_q <= !rst_n || !busy || ready ? 5'd0 : unit_age_q + 5'd1;
        b_age_q <= !rst_n || !bvalid || bready ? 5'd0 : b_age_q + 5'd1;
        r_age_q <= !rst_n || !rvalid || rready ? 5'd0 : r_age_q + 5'd1;
        bvalid_q <= rst_n && bvalid && !bready;
        rvalid_q <= rst_n && rvalid && !rready;
        bresp_q <= bresp;
        rresp_q <= rresp;
        was_ready_q <= rst_n && ready;
        was_write_q <= write;
        refused_q <= refuse_i;
        was_wstrb_q <= held_wstrb;
        if (!rst_n) begin
            aw_open_q <= 2'd0;
            w_open_q <= 2'd0;
            ar_open_q <= 2'd0;
            write_age_q <= 5'd0;
            read_age_q <= 5'd0;
        end else begin
            aw_open_q <= aw_open_q + {1'b0, awvalid && awready} - {1'b0, b_done};
            w_open_q <= w_open_q + {1'b0, wvalid && wready} - {1'b0, b_done};
            ar_open_q <= ar_open_q + {1'b0, arvalid && arready} - {1'b0, r_done};
            write_age_q <= b_done || aw_open_q == 2'd0 || w_open_q == 2'd0 ? 5'd0 : write_age_q + 5'd1;
            read_age_q <= r_done || ar_open_q == 2'd0 ? 5'd0 : read_age_q + 5'd1;

            // No answer without a request, and not too late.
            assert (!bvalid || (aw_open_q != 2'd0 && w_open_q != 2'd0));
            assert (!rvalid || ar_open_q != 2'd0);
            assert (aw_open_q <= 2'd2 && w_open_q <= 2'd2 && ar_open_q <= 2'd2);
            assert (write_age_q <= BOUND);
            assert (read_age_q <= BOUND);

            // A new answer is that of the unit, or that of a write that never got there.
            assert (!bvalid || bvalid_q || !(was_ready_q && was_write_q) || bresp == {refused_q, 1'b0});
            assert (!bvalid || bvalid_q || (was_ready_q && was_write_q) || was_wstrb_q != 4'hf);
            assert (!bvalid || bvalid_q || (was_ready_q && was_write_q) || bresp == {was_wstrb_q != 4'h0, 1'b0});
            assert (!rvalid || rvalid_q || (was_ready_q && !was_write_q && rresp == {refused_q, 1'b0}));

            // What is offered stays.
            assert (!bvalid_q || (bvalid && bresp == bresp_q));
            assert (!rvalid_q || (rvalid && rresp == rresp_q));

            // What is taken is one of those in the bridge.
            assert (aw_open_q == {1'b0, held_aw} + {1'b0, (busy && write) || bvalid});
            assert (w_open_q == {1'b0, held_w} + {1'b0, (busy && write) || bvalid});
            assert (ar_open_q == {1'b0, held_ar} + {1'b0, (busy && !write) || rvalid});
            assert (!(busy && write && bvalid) && !(busy && !write && rvalid));
            assert (!ready_q || (awready == !held_aw && wready == !held_w && arready == !held_ar));
            assert (unit_age_q <= UNIT && b_age_q <= MASTER && r_age_q <= MASTER);
        end
    end
endmodule
