// soc_bus - when a request is answered: the latencies of memory and devices alike.
//
// With g the first cycle of a request, the words of a read come in cycles g + FIRST,
// g + FIRST + NEXT, ...; a word of a device in cycle g + FIRST + UNCACHED; a write is done in cycle
// g + WRITE - 1.
module soc_bus #(
    parameter FIRST      = 8, // at least 1, as all of these
    parameter NEXT       = 1,
    parameter WRITE      = 4,
    parameter UNCACHED   = 0, // may be 0
    parameter LINE_BYTES = 16
) (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire        valid_i,
    input  wire        write_i,
    input  wire        line_i,
    output wire        read_o, // a word is answered,
    output wire        done_o, // the write happens: in this cycle
    output wire [$clog2(LINE_BYTES/4)-1:0] word_o // of the line: the next to read
);
    localparam WORD_BITS = $clog2(LINE_BYTES / 4);
    localparam COUNT_BITS = 16;
    localparam [COUNT_BITS-1:0] FIRST_COUNT = FIRST[COUNT_BITS-1:0];
    localparam [COUNT_BITS-1:0] DEVICE_COUNT = FIRST[COUNT_BITS-1:0] + UNCACHED[COUNT_BITS-1:0];
    localparam [COUNT_BITS-1:0] NEXT_COUNT = NEXT[COUNT_BITS-1:0] - 1'b1;
    localparam [COUNT_BITS-1:0] WRITE_COUNT = WRITE[COUNT_BITS-1:0] - 1'b1;

    reg [COUNT_BITS-1:0] count_q; // cycles since the request, or the word before
    reg [WORD_BITS-1:0]  word_q;

    wire [COUNT_BITS-1:0] wanted = write_i ? WRITE_COUNT
                                 : !line_i ? DEVICE_COUNT
                                 : word_q == {WORD_BITS{1'b0}} ? FIRST_COUNT : NEXT_COUNT;
    wire answer = valid_i && count_q == wanted;
    wire [WORD_BITS-1:0] word_d = read_o && line_i ? word_q + 1'b1 : word_q;

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            count_q <= {COUNT_BITS{1'b0}};
            word_q <= {WORD_BITS{1'b0}};
        end else begin
            count_q <= valid_i && !answer ? count_q + 1'b1 : {COUNT_BITS{1'b0}};
            word_q <= word_d;
        end
    end

    assign read_o = answer && !write_i;
    assign done_o = answer && write_i;
    assign word_o = word_d;
endmodule
