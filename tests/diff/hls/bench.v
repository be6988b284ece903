// A kernel with its memory, and how many cycles it takes: prints the result and the cycles from start to done.
//
// The memory is as an accelerator has it on the device of hls/legup-cyclone2.yaml: two ports, addresses
// and results registered, so that what is asked for in a state can be used two states later. The divider
// has a stage for each bit.
`timescale 1ns / 1ps

module bench;
    reg clk = 0;
    reg start = 0;
    wire done;
    wire [31:0] result;
    wire [8:0] a_addr, b_addr;
    wire a_write, b_write;
    wire [31:0] a_data, b_data;
    reg [31:0] a_value, b_value;
    reg [8:0] a_addr_q, b_addr_q;
    reg [31:0] mem[0:511];
    reg [31:0] random;
    integer i, cycles;

    kernel kernel (
        .clk(clk), .start(start), .count(32'd200), .done(done), .result(result),
        .a_addr(a_addr), .a_write(a_write), .a_data(a_data), .a_value(a_value),
        .b_addr(b_addr), .b_write(b_write), .b_data(b_data), .b_value(b_value));

    always @(posedge clk) begin
        a_addr_q <= a_addr;
        b_addr_q <= b_addr;
        a_value <= mem[a_addr_q];
        b_value <= mem[b_addr_q];
        if (a_write) mem[a_addr] = a_data;
        if (b_write) mem[b_addr] = b_data;
    end

    initial begin
        random = 12345;
        for (i = 0; i < 512; i = i + 1) begin
            random = random * 32'd1664525 + 32'd1013904223;
            mem[i] = random >> 8;
        end
        start = 1;
        cycles = 0;
        while (!done && cycles < 10000000) begin
            #1 clk = 1;
            #1 clk = 0;
            start = 0;
            cycles = cycles + 1;
        end
        $display("%08x %0d", result, cycles);
        $finish;
    end
endmodule
