// flatfoot_cache - a direct-mapped cache's tags and data.
//
// The lookup of an address given in one cycle is answered in the next. It says nothing of bytes
// that are written in the same cycle; the owner has to know better. Filling a line is the owner's
// task, too: it writes the words, and with one of them the tag.
module flatfoot_cache #(
    parameter BYTES      = 8192, // a power of two
    parameter LINE_BYTES = 16    // a power of two, at least 8
) (
    input  wire        clk_i,
    input  wire        flush_i, // every line becomes invalid, for the lookup of this cycle too

    input  wire [31:2] look_addr_i, // what the next cycle wants to know
    input  wire [31:2] addr_i,      // the address of the cycle before, which is answered
    output wire        hit_o,
    output wire [31:0] data_o,

    input  wire        write_i,
    input  wire        write_tag_i, // the line of the address becomes valid
    input  wire [31:2] write_addr_i,
    input  wire [3:0]  write_strb_i,
    input  wire [31:0] write_data_i
);
    localparam LINES = BYTES / LINE_BYTES;
    localparam LINE_BITS = $clog2(LINE_BYTES);
    localparam SIZE_BITS = $clog2(BYTES);
    localparam TAG_BITS = 32 - SIZE_BITS;

    (* no_rw_check *) reg [TAG_BITS-1:0] tags [0:LINES-1];
    reg [LINES-1:0]    valid_q;
    reg [TAG_BITS-1:0] tag_q;

    wire [SIZE_BITS-LINE_BITS-1:0] look_line = look_addr_i[SIZE_BITS-1:LINE_BITS];
    wire [SIZE_BITS-LINE_BITS-1:0] write_line = write_addr_i[SIZE_BITS-1:LINE_BITS];

    always @(posedge clk_i) begin
        tag_q <= tags[look_line];
        if (write_tag_i)
            tags[write_line] <= write_addr_i[31:SIZE_BITS];
    end

    always @(posedge clk_i) begin
        if (flush_i)
            valid_q <= {LINES{1'b0}};
        else if (write_tag_i)
            valid_q[write_line] <= 1'b1;
    end

    // A memory per byte, as block RAMs have no common idea of byte enables.
    genvar lane;
    generate
        for (lane = 0; lane < 4; lane = lane + 1) begin : lanes
            (* no_rw_check *) reg [7:0] bytes [0:BYTES/4-1];
            reg [7:0] byte_q;
            always @(posedge clk_i) begin
                byte_q <= bytes[look_addr_i[SIZE_BITS-1:2]];
                if (write_i && write_strb_i[lane])
                    bytes[write_addr_i[SIZE_BITS-1:2]] <= write_data_i[8*lane +: 8];
            end
            assign data_o[8*lane +: 8] = byte_q;
        end
    endgenerate

    // Valid bits are registers: they are looked up with the address that has arrived, which is
    // a long way ahead of the one that is on its way to the memories.
    assign hit_o = valid_q[addr_i[SIZE_BITS-1:LINE_BITS]] && tag_q == addr_i[31:SIZE_BITS];

    wire unused = &{1'b0, addr_i[LINE_BITS-1:2], look_addr_i[31:SIZE_BITS]};
endmodule
