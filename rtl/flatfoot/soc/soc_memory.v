// soc_memory - words of RAM; a read is answered in the next cycle. A cycle either reads or writes.
module soc_memory #(
    parameter BYTES     = 4194304, // a power of two
    parameter INIT_FILE = ""       // words in hexadecimal, for $readmemh; none if empty
) (
    input  wire        clk_i,
    input  wire [31:2] addr_i, // wraps around
    output reg  [31:0] data_o,
    input  wire        write_i,
    input  wire [31:2] write_addr_i,
    input  wire [3:0]  write_strb_i,
    input  wire [31:0] write_data_i
);
    localparam BITS = $clog2(BYTES);

    (* no_rw_check *) reg [31:0] words [0:BYTES/4-1];

    generate
        if (INIT_FILE != "") begin : init
            initial $readmemh(INIT_FILE, words);
        end
    endgenerate

    integer lane;
    always @(posedge clk_i) begin
        data_o <= words[addr_i[BITS-1:2]];
        for (lane = 0; lane < 4; lane = lane + 1)
            if (write_i && write_strb_i[lane])
                words[write_addr_i[BITS-1:2]][8*lane +: 8] <= write_data_i[8*lane +: 8];
    end

    wire unused = &{1'b0, addr_i[31:BITS], write_addr_i[31:BITS]};
endmodule
