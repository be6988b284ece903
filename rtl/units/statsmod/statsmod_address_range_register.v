// statsmod_address_range_register - Statistics Module: two bounds, and whether an address is between
// them, a clock later.
module statsmod_address_range_register (
    input  wire        clk_i,
    input  wire        write_first_i,
    input  wire        write_last_i,
    input  wire [31:0] wdata_i,

    input  wire [31:0] pc_i,
    output reg         hit_o
);
    reg [31:0] first_q, last_q; // both inclusive

    always @(posedge clk_i) begin
        if (write_first_i)
            first_q <= wdata_i;
        if (write_last_i)
            last_q <= wdata_i;
        hit_o <= pc_i >= first_q && pc_i <= last_q;
    end
endmodule
