// flatfoot_store_buffer - stores on their way to memory, written in order. Rule 6.
module flatfoot_store_buffer #(
    parameter ENTRIES = 2 // at least 1
) (
    input  wire        clk_i,
    input  wire        rst_ni,

    input  wire        push_i, // not when full_o
    input  wire [31:2] addr_i,
    input  wire [3:0]  strb_i,
    input  wire [31:0] data_i,
    output wire        full_o,
    output wire        drained_o, // empty, or so after this cycle if nothing is pushed

    output wire        valid_o, // the oldest is to be written
    output wire [31:2] addr_o,
    output wire [3:0]  strb_o,
    output wire [31:0] data_o,
    input  wire        done_i
);
    localparam WIDTH = 30 + 4 + 32;
    localparam COUNT_BITS = $clog2(ENTRIES + 1);

    reg [WIDTH*ENTRIES-1:0] entries_q; // the oldest lowest
    reg [COUNT_BITS-1:0]    count_q;

    wire                  pop = valid_o && done_i;
    wire [COUNT_BITS-1:0] after_pop = count_q - {{COUNT_BITS-1{1'b0}}, pop};
    wire [COUNT_BITS-1:0] count_d = after_pop + {{COUNT_BITS-1{1'b0}}, push_i};

    integer i;
    always @(posedge clk_i) begin
        if (!rst_ni)
            count_q <= {COUNT_BITS{1'b0}};
        else
            count_q <= count_d;
        if (pop)
            entries_q <= entries_q >> WIDTH;
        for (i = 0; i < ENTRIES; i = i + 1)
            if (push_i && after_pop == i[COUNT_BITS-1:0])
                entries_q[WIDTH*i +: WIDTH] <= {addr_i, strb_i, data_i};
    end

    assign full_o = count_q == ENTRIES[COUNT_BITS-1:0];
    assign drained_o = after_pop == {COUNT_BITS{1'b0}};
    assign valid_o = count_q != {COUNT_BITS{1'b0}};
    assign {addr_o, strb_o, data_o} = entries_q[WIDTH-1:0];

`ifdef FORMAL
    always @(posedge clk_i)
        if (rst_ni)
            assert (count_q <= ENTRIES[COUNT_BITS-1:0]);
`endif
endmodule
