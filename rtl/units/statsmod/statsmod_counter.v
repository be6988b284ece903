// SPDX-License-Identifier: Apache-2.0
// statsmod_counter - Statistics Module: a saturating counter.
//
// Which instruction an event belongs to, and so whether its address is in range, is known when that
// retires; until then events wait in pending_q. What is dispatched goes into a register of a chain,
// which is then shifted out.
`default_nettype none
module statsmod_counter #(
    parameter WIDTH = 32
) (
    input  wire             clk_i,
    input  wire             rst_ni,

    input  wire             event_i,
    input  wire             valid_i,    // an instruction retires,
    input  wire             hit_i,      // and its address is in range
    input  wire             dispatch_i, // what was counted before this clock

    input  wire             shift_i,
    input  wire [WIDTH-1:0] chain_i,
    output reg  [WIDTH-1:0] chain_o
);
    reg  [WIDTH-1:0] pending_q, counter_q;
    wire [WIDTH:0]   more = {1'b0, pending_q} + {{WIDTH{1'b0}}, event_i};
    wire [WIDTH-1:0] base = dispatch_i ? {WIDTH{1'b0}} : counter_q;
    wire [WIDTH:0]   sum = {1'b0, base} + {1'b0, pending_q} + {{WIDTH{1'b0}}, event_i};

    always @(posedge clk_i) begin
        if (!rst_ni || valid_i)
            pending_q <= {WIDTH{1'b0}};
        else if (!more[WIDTH])
            pending_q <= more[WIDTH-1:0];

        if (!rst_ni)
            counter_q <= {WIDTH{1'b0}};
        else if (!(valid_i && hit_i))
            counter_q <= base;
        else
            counter_q <= sum[WIDTH] ? {WIDTH{1'b1}} : sum[WIDTH-1:0];

        if (dispatch_i)
            chain_o <= counter_q;
        else if (shift_i)
            chain_o <= chain_i;
    end

`ifdef FORMAL
    // As long as nothing is full, all events wait, are counted, were sent, or belonged to others.
    reg       full_q = 1'b0;
    reg [7:0] events_q = 8'd0, sent_q = 8'd0, others_q = 8'd0;
    wire [7:0] pending = {{8-WIDTH{1'b0}}, pending_q};
    wire [7:0] counter = {{8-WIDTH{1'b0}}, counter_q};
    always @(posedge clk_i) begin
        if (!rst_ni) begin
            full_q <= 1'b0;
            events_q <= 8'd0;
            sent_q <= 8'd0;
            others_q <= 8'd0;
        end else begin
            full_q <= full_q || (!valid_i && more[WIDTH]) || (valid_i && hit_i && sum[WIDTH]);
            events_q <= events_q + {7'd0, event_i};
            if (dispatch_i)
                sent_q <= sent_q + counter;
            if (valid_i && !hit_i)
                others_q <= others_q + pending + {7'd0, event_i};
            assert (full_q || events_q == pending + counter + sent_q + others_q);
        end
    end
`endif
endmodule
`default_nettype wire
