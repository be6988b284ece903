// SPDX-License-Identifier: Apache-2.0
// leap_call_stack - LEAP's Call Stack: which function a return leads back to.
//
// A memory with a pointer to its newest frame. The frame that a return would pop is read a clock
// ahead, so it is there when the return comes.
`default_nettype none
module leap_call_stack #(
    parameter DEPTH = 32, // a power of two, at least 2
    parameter NEWEST = 0, // 1: a call that finds no room is lost; 0: the oldest frame is
    parameter WIDTH = 6,  // of a frame
    parameter POINTER_BITS = $clog2(DEPTH)
) (
    input  wire                    clk_i,
    input  wire                    rst_ni,

    input  wire                    call_i, // with ret_i: after the return
    input  wire                    ret_i,
    input  wire [WIDTH-1:0]        frame_i, // to push
    output wire                    call_o, // the call takes place
    output wire                    ret_o,  // the return takes place,
    output wire                    pop_o,  // and finds a frame
    output wire [WIDTH-1:0]        frame_o,
    output wire                    empty_o, // nothing in it, and nothing lost
    output reg  [POINTER_BITS-1:0] newest_o
);
    localparam LOST_BITS = 16;

    reg [WIDTH-1:0]      frames [0:DEPTH-1];
    reg [WIDTH-1:0]      read_q, pushed_q;
    reg                  just_pushed_q;
    reg [POINTER_BITS:0] used_q;

    wire full = used_q[POINTER_BITS];
    wire some = used_q != {POINTER_BITS+1{1'b0}};
    wire lost;

    assign call_o = call_i && (NEWEST == 0 || !full || (ret_i && !lost));
    assign ret_o = ret_i && !lost;
    assign pop_o = ret_o && some;
    assign frame_o = just_pushed_q ? pushed_q : read_q;
    assign empty_o = !some;

    // A frame that is popped and pushed again stays where it is.
    wire push = call_o && !pop_o;
    wire pull = pop_o && !call_o;
    wire [POINTER_BITS-1:0] newest = newest_o + {{POINTER_BITS-1{pull}}, push || pull};

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            newest_o <= {POINTER_BITS{1'b0}};
            used_q <= {POINTER_BITS+1{1'b0}};
            just_pushed_q <= 1'b0;
        end else begin
            newest_o <= newest;
            used_q <= used_q + {{POINTER_BITS{pull}}, (push && !full) || pull};
            just_pushed_q <= push;
        end
        pushed_q <= frame_i;
        read_q <= frames[newest];
    end

    always @(posedge clk_i)
        if (push)
            frames[newest] <= frame_i;

    generate
        if (NEWEST != 0) begin : g_lost
            reg [LOST_BITS-1:0] lost_q;
            wire                more = call_i && !ret_i && full && !(&lost_q);
            wire                less = ret_i && !call_i && lost;
            always @(posedge clk_i)
                if (!rst_ni)
                    lost_q <= {LOST_BITS{1'b0}};
                else
                    lost_q <= lost_q + {{LOST_BITS-1{less}}, more || less};
            assign lost = lost_q != {LOST_BITS{1'b0}};
`ifdef FORMAL
            always @(posedge clk_i)
                if (rst_ni)
                    assert (!lost || full);
`endif
        end else begin : g_none_lost
            assign lost = 1'b0;
        end
    endgenerate

`ifdef FORMAL
    always @(posedge clk_i)
        if (rst_ni)
            assert (used_q <= DEPTH[POINTER_BITS:0]);
`endif
endmodule
`default_nettype wire
