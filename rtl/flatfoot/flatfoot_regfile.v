// flatfoot_regfile - 31 registers, two reads and a write a cycle.
//
// A read is answered in the next cycle. What it gives for a register that is written in its own
// cycle is not used: stage W has it. x0 is never written, so it stays what it was made: zero.
module flatfoot_regfile (
    input  wire        clk_i,
    input  wire [4:0]  read1_i,
    input  wire [4:0]  read2_i,
    output reg  [31:0] data1_o,
    output reg  [31:0] data2_o,
    input  wire        write_i,
    input  wire [4:0]  write_addr_i,
    input  wire [31:0] write_data_i
);
    // Two copies, so that each is a memory of one read port and one write port.
    (* no_rw_check *) reg [31:0] copy1 [0:31];
    (* no_rw_check *) reg [31:0] copy2 [0:31];

    integer i;
    initial
        for (i = 0; i < 32; i = i + 1) begin
            copy1[i] = 32'd0;
            copy2[i] = 32'd0;
        end

    always @(posedge clk_i) begin
        data1_o <= copy1[read1_i];
        data2_o <= copy2[read2_i];
        if (write_i) begin
            copy1[write_addr_i] <= write_data_i;
            copy2[write_addr_i] <= write_data_i;
        end
    end
endmodule
