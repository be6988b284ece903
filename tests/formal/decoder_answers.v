// decoder_answers - a master and two units around regs_decoder: whatever they do, an access is answered once, within
// the clocks that the unit takes and three more, with the answer of the unit whose window it is in, and refused where
// there is none. A unit takes three clocks at most.
module decoder_answers (
    input wire        clk_i,
    input wire        asks_i,
    input wire        write_i,
    input wire [21:0] addr_i,
    input wire [31:0] wdata_i,
    input wire [1:0]  ready_i,
    input wire [1:0]  error_i,
    input wire [63:0] rdata_i
);
    reg started_q = 1'b0;
    always @(posedge clk_i)
        started_q <= 1'b1;

    // The master keeps what it asks for until it is answered.
    reg         valid_q, write_q;
    reg  [21:0] addr_q;
    reg  [31:0] wdata_q;
    wire        ready, error;
    wire [31:0] rdata;
    wire [1:0]  unit_valid, unit_ready;
    wire        unit_write;
    wire [19:0] unit_addr;
    wire [31:0] unit_wdata;
    always @(posedge clk_i) begin
        valid_q <= started_q && (valid_q ? !ready : asks_i);
        if (!valid_q) begin
            write_q <= write_i;
            addr_q <= addr_i;
            wdata_q <= wdata_i;
        end
    end

    // A unit answers what it is asked, a clock later or more.
    reg  [1:0] ready_q, age_q;
    wire       asked = |unit_valid;
    assign unit_ready = ready_q & unit_valid;
    always @(posedge clk_i) begin
        ready_q <= {2{started_q}} & unit_valid & ~ready_q & (ready_i | {2{age_q == 2'd2}});
        age_q <= started_q && asked && !(|unit_ready) ? age_q + {1'b0, age_q != 2'd3} : 2'd0;
    end

    regs_decoder #(.UNITS(2), .ADDR_BITS(22), .UNIT_BITS({8'd5, 8'd20})) decoder (
        .clk_i(clk_i), .rst_ni(started_q), .reg_valid_i(valid_q), .reg_write_i(write_q), .reg_addr_i(addr_q),
        .reg_wdata_i(wdata_q), .reg_ready_o(ready), .reg_error_o(error), .reg_rdata_o(rdata),
        .unit_valid_o(unit_valid), .unit_write_o(unit_write), .unit_addr_o(unit_addr),
        .unit_wdata_o(unit_wdata), .unit_ready_i(unit_ready), .unit_error_i(error_i), .unit_rdata_i(rdata_i)
    );

    wire [1:0]  window = {addr_q[21:5] == {2'd1, 15'd0}, addr_q[21:20] == 2'd0};
    reg  [2:0]  waited_q;
    reg         error_q;
    reg  [31:0] rdata_q;
    always @(posedge clk_i) begin
        waited_q <= started_q && valid_q && !ready ? waited_q + {2'd0, waited_q != 3'd7} : 3'd0;
        error_q <= |(unit_ready & error_i);
        rdata_q <= unit_ready[0] ? rdata_i[31:0] : rdata_i[63:32];
        if (started_q) begin
            assert (!ready || valid_q);
            assert (waited_q < 3'd7);
            assert ((unit_valid & ~window) == 2'd0);
            assert (unit_valid == 2'd0 || (unit_write == write_q && unit_addr == addr_q[19:0] &&
                                           unit_wdata == wdata_q && valid_q && !ready));
            if (ready && window == 2'd0)
                assert (error);
            if (ready && window != 2'd0)
                assert (error == error_q && (error || rdata == rdata_q));
        end
    end
endmodule
