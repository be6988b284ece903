// wishbone_answers - regs_wishbone between a master that drops cycles as it likes and a unit that answers within UNIT
// clocks with the address it was asked for: what a cycle is answered with is its own and what the unit said, and it
// comes within BOUND clocks if the cycle goes on. A write of less than a word is refused.
module wishbone_answers #(
    parameter [4:0] UNIT = 5'd2,
    parameter [4:0] BOUND = 5'd8
) (
    input wire        clk_i,
    input wire        cyc_i,
    input wire        we_i,
    input wire        whole_i,
    input wire        address_i,
    input wire        answer_i,
    input wire        refuse_i
);
    reg        started_q = 1'b0;
    wire       rst_n = started_q;
    wire       ack, err, busy, write, address;
    wire [31:0] data, wdata;

    wire       held_asked; // the script that proves it connects this

    // A cycle stays as it is until it is answered or dropped.
    reg        goes_on_q, we_q, whole_q, address_q;
    reg [4:0]  age_q, unit_age_q;
    reg        was_ready_q, refused_q;
    wire       we = goes_on_q ? we_q : we_i;
    wire       whole = goes_on_q ? whole_q : whole_i;
    wire       asked = goes_on_q ? address_q : address_i;
    wire       ready = busy && unit_age_q != 5'd0 && (answer_i || unit_age_q == UNIT);
    wire       answered = cyc_i && (ack || err);

    regs_wishbone #(.ADDR_BITS(1)) bridge (
        .clk_i(clk_i), .rst_ni(rst_n), .wb_cyc_i(cyc_i), .wb_stb_i(cyc_i), .wb_we_i(we),
        .wb_sel_i({{3{whole}}, 1'b1}), .wb_adr_i(asked), .wb_dat_i({31'd0, asked}), .wb_ack_o(ack), .wb_err_o(err),
        .wb_dat_o(data),
        .reg_valid_o(busy), .reg_write_o(write), .reg_addr_o(address), .reg_wdata_o(wdata),
        .reg_ready_i(ready), .reg_error_i(refuse_i), .reg_rdata_i({30'd0, write, address})
    );

    always @(posedge clk_i) begin
        started_q <= 1'b1;
        goes_on_q <= rst_n && cyc_i && !answered;
        we_q <= we;
        whole_q <= whole;
        address_q <= asked;
        was_ready_q <= ready;
        refused_q <= refuse_i;
        age_q <= rst_n && cyc_i && !answered ? age_q + 5'd1 : 5'd0;
        unit_age_q <= rst_n && busy && !ready ? unit_age_q + 5'd1 : 5'd0;
        if (rst_n) begin
            assert (!(ack && err));
            assert (!answered || goes_on_q); // not in its first clock
            assert (!answered || (we && !whole) || data[1:0] == {we, asked});
            assert (!answered || err == (was_ready_q ? refused_q : 1'b1));
            assert (!answered || was_ready_q == !(we && !whole));
            assert (age_q <= BOUND);
            assert (unit_age_q <= UNIT);
            // An access that is for this cycle is what this cycle asks for.
            assert (!held_asked || !busy || (write == we && address == asked && goes_on_q));
            assert (!busy || !(ack || err));
        end
    end
endmodule
