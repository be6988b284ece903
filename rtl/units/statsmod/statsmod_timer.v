// SPDX-License-Identifier: Apache-2.0
// statsmod_timer - Statistics Module: the Dispatch Timer.
//
// It counts the core's clocks down and starts again from the interval. When the program has ended it
// runs out, whatever the core does, for the last dispatch.
`default_nettype none
module statsmod_timer (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire        write_i, // the interval; 0: the timer stands still
    input  wire [31:0] wdata_i,
    input  wire        restart_i,
    input  wire        clock_i,
    input  wire        end_i, // for a clock: with the next dispatch, it is over
    output reg         dispatch_o,
    output reg         last_o, // with dispatch_o
    output reg         ending_o,
    output reg  [31:0] interval_o
);
    reg [31:0] timer_q;

    wire stands = interval_o == 32'd0;
    wire out = stands ? ending_o : timer_q == 32'd1 && (clock_i || ending_o);

    always @(posedge clk_i) begin
        if (!rst_ni)
            interval_o <= 32'd0;
        else if (write_i)
            interval_o <= wdata_i;

        if (write_i)
            timer_q <= wdata_i;
        else if (restart_i || out)
            timer_q <= interval_o;
        else if (clock_i || ending_o)
            timer_q <= timer_q - 32'd1;

        dispatch_o <= rst_ni && !restart_i && out;
        last_o <= ending_o;
        ending_o <= rst_ni && !restart_i && (end_i || (ending_o && !out));
    end
endmodule
`default_nettype wire
