// flatfoot_fetch - stage F: the pc, the instruction cache and its fills.
//
// Rules 1 and 2 of docs/flatfoot.md. A miss asks for its line in the cycle after `drained_i`,
// which says that everything ahead has finished; so nothing can redirect a fill under way.
module flatfoot_fetch #(
    parameter CACHE_BYTES = 8192,
    parameter LINE_BYTES  = 16
) (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire [31:0] reset_pc_i,

    input  wire        redirect_i, // the next cycle's fetch begins at target_i
    input  wire [31:0] target_i,
    input  wire        asleep_i,
    input  wire        drained_i,
    input  wire        flush_i,

    output wire        valid_o, // an instruction, or the fault of its address
    output wire        fault_o,
    output wire [31:0] pc_o,
    output wire [31:0] insn_o,
    output wire        missed_o, // it had to be filled first
    input  wire        ready_i, // decode takes it

    output wire [31:12] page_o, // of the pc, for the address map,
    input  wire         ram_i,  // which says whether it can be executed

    output wire        fill_o, // the line of pc_o is wanted
    input  wire        word_valid_i,
    input  wire [31:0] word_i
);
    localparam WORDS = LINE_BYTES / 4;
    localparam WORD_BITS = $clog2(WORDS);
    localparam LINE_BITS = $clog2(LINE_BYTES);

    reg [31:2] pc_q;
    reg        fill_q;
    reg        filled_q; // the repeated lookup: hits with word_q
    reg [31:0] word_q;
    reg [WORD_BITS-1:0] count_q;

    wire [31:2] pc_d = !rst_ni ? reset_pc_i[31:2]
                     : redirect_i ? target_i[31:2]
                     : valid_o && ready_i ? pc_q + 30'd1
                     : pc_q;
    wire        hit;
    wire [31:0] cached;
    wire        last = fill_q && word_valid_i && count_q == {WORD_BITS{1'b1}};
    wire        start = !hit && !filled_q && ram_i && !fill_q && !asleep_i && !redirect_i &&
                        drained_i;

    flatfoot_cache #(.BYTES(CACHE_BYTES), .LINE_BYTES(LINE_BYTES)) cache (
        .clk_i(clk_i),
        .flush_i(flush_i || !rst_ni),
        .look_addr_i(pc_d),
        .addr_i(pc_q),
        .hit_o(hit),
        .data_o(cached),
        .write_i(fill_q && word_valid_i),
        .write_tag_i(last),
        .write_addr_i({pc_q[31:LINE_BITS], count_q}),
        .write_strb_i(4'b1111),
        .write_data_i(word_i)
    );

    always @(posedge clk_i) begin
        pc_q <= pc_d;
        if (!rst_ni) begin
            fill_q <= 1'b0;
            filled_q <= 1'b0;
            count_q <= {WORD_BITS{1'b0}};
        end else begin
            fill_q <= start || (fill_q && !last);
            filled_q <= last;
            if (fill_q && word_valid_i)
                count_q <= count_q + 1'b1;
        end
        if (word_valid_i && count_q == pc_q[LINE_BITS-1:2])
            word_q <= word_i;
    end

    assign page_o = pc_q[31:12];
    assign fault_o = !ram_i;
    assign valid_o = (hit || filled_q || fault_o) && !fill_q && !asleep_i;
    assign pc_o = {pc_q, 2'b00};
    assign insn_o = filled_q ? word_q : cached;
    assign fill_o = fill_q;
    assign missed_o = filled_q;

    wire unused = &{1'b0, reset_pc_i[1:0], target_i[1:0]};
endmodule
