// flatfoot_pma - what lies at an address: cached memory, a device, or nothing.
//
// Only memory can be executed. Everything is on whole pages of 4 KB; sizes are powers of two,
// and each base is a multiple of its size.
module flatfoot_pma #(
    parameter [31:0] RAM_BASE    = 32'h8000_0000,
    parameter [31:0] RAM_BYTES   = 32'h0040_0000,
    parameter [31:0] CLINT_BASE  = 32'h0200_0000,
    parameter [31:0] CLINT_BYTES = 32'h0001_0000,
    parameter [31:0] UART_BASE   = 32'h1000_0000,
    parameter [31:0] TEST_BASE   = 32'hf000_0000,
    parameter [31:0] UNITS_BASE  = 32'h4000_0000,
    parameter [31:0] UNITS_BYTES = 32'd0 // 0: there are none
) (
    input  wire [31:12] page_i,
    output wire         ram_o,
    output wire         device_o
);
    localparam [31:0] RAM_MASK = ~(RAM_BYTES - 32'd1);
    localparam [31:0] CLINT_MASK = ~(CLINT_BYTES - 32'd1);
    localparam [31:0] UNITS_MASK = ~(UNITS_BYTES - 32'd1);

    assign ram_o = (page_i & RAM_MASK[31:12]) == RAM_BASE[31:12];
    assign device_o = (page_i & CLINT_MASK[31:12]) == CLINT_BASE[31:12] ||
                      page_i == UART_BASE[31:12] || page_i == TEST_BASE[31:12] ||
                      (UNITS_BYTES != 32'd0 &&
                       (page_i & UNITS_MASK[31:12]) == UNITS_BASE[31:12]);
endmodule
