// SPDX-License-Identifier: Apache-2.0
// regs_boot - between a bus and a unit's registers: after reset it writes what FILE says, so that no software is
// needed; then the bus has the registers.
//
// FILE is for $readmemh: for each write the address, then the value, 32 bits each.
`default_nettype none
module regs_boot #(
    parameter ADDR_BITS = 20,
    parameter WRITES = 1,   // how many there are in FILE
    parameter FILE = ""
) (
    input  wire                 clk_i,
    input  wire                 rst_ni,
    output reg                  boot_done_o, // hold the core in reset until then, to count from its start

    input  wire                 reg_valid_i, // stays, with all below, until ready
    input  wire                 reg_write_i,
    input  wire [ADDR_BITS-1:0] reg_addr_i,
    input  wire [31:0]          reg_wdata_i,
    output wire                 reg_ready_o,
    output wire                 reg_error_o,
    output wire [31:0]          reg_rdata_o,

    output wire                 unit_valid_o,
    output wire                 unit_write_o,
    output wire [ADDR_BITS-1:0] unit_addr_o,
    output wire [31:0]          unit_wdata_o,
    input  wire                 unit_ready_i,
    input  wire                 unit_error_i,
    input  wire [31:0]          unit_rdata_i
);
    localparam BITS = WRITES > 1 ? $clog2(WRITES) : 1;
    localparam [31:0] LAST = WRITES - 1;

    generate
        if (WRITES < 1) begin : g_writes
            regs_boot_WRITES_must_be_at_least_1 wrong ();
        end
    endgenerate

    // Without FILE, as for a look at the module alone, the writes are of 0 to register 0, which units refuse.
    reg     [63:0] rom [0:WRITES-1];
    integer        i;
    initial begin
        for (i = 0; i < WRITES; i = i + 1)
            rom[i] = 64'd0;
        if (FILE != "")
            $readmemh(FILE, rom);
    end

    reg            valid_q;
    reg [BITS-1:0] next_q;
    reg [63:0]     write_q;
    always @(posedge clk_i) begin
        write_q <= rom[next_q];
        // A clock to read the ROM in, then the write.
        valid_q <= rst_ni && !boot_done_o && !(valid_q && unit_ready_i);
        if (!rst_ni) begin
            boot_done_o <= 1'b0;
            next_q <= {BITS{1'b0}};
        end else if (valid_q && unit_ready_i) begin
            boot_done_o <= boot_done_o || next_q == LAST[BITS-1:0];
            next_q <= next_q + {{BITS-1{1'b0}}, 1'b1};
        end
    end

    // The ROM's word is there in the second clock after the write before; until then nothing is asked for.
    reg settled_q;
    always @(posedge clk_i)
        settled_q <= rst_ni && valid_q && !unit_ready_i;

    assign unit_valid_o = boot_done_o ? reg_valid_i : valid_q && settled_q;
    assign unit_write_o = boot_done_o ? reg_write_i : 1'b1;
    assign unit_addr_o = boot_done_o ? reg_addr_i : write_q[32 +: ADDR_BITS];
    assign unit_wdata_o = boot_done_o ? reg_wdata_i : write_q[31:0];
    assign reg_ready_o = boot_done_o && unit_ready_i;
    assign reg_error_o = unit_error_i;
    assign reg_rdata_o = unit_rdata_i;
    wire unused = &{1'b0, write_q};
endmodule
`default_nettype wire
