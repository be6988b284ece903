// snoopp_range - SnoopP: the comparators around one range, and its counter.
module snoopp_range #(
    parameter CW = 64
) (
    input  wire          clk_i,
    input  wire          rst_ni,

    input  wire [31:0]   first_i, // both inclusive
    input  wire [31:0]   last_i,
    input  wire          valid_i,
    input  wire [31:0]   address_i,
    input  wire [CW-1:0] amount_i, // a clock after valid_i

    input  wire          reset_i,
    input  wire          select_i,
    output wire [CW-1:0] counter_o // 0 unless selected
);
    reg          hit_q;
    reg [CW-1:0] counter_q;

    always @(posedge clk_i) begin
        hit_q <= rst_ni && valid_i && address_i >= first_i && address_i <= last_i;
        if (!rst_ni || reset_i)
            counter_q <= {CW{1'b0}};
        else if (hit_q)
            counter_q <= counter_q + amount_i;
    end
    assign counter_o = counter_q & {CW{select_i}};
endmodule
