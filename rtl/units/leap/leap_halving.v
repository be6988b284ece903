// SPDX-License-Identifier: Apache-2.0
// leap_halving - LEAP's Data Counter, Counter Storage and saved values where a full counter halves all.
//
// Counters have CW bits and count units of 2^shift. Halving each number there is takes no time, because
// none is kept with the unit of the moment: the Data Counter has all bits, and an entry or a saved value
// the shift it was written with. In between, numbers are in units of 1 and have TOTAL bits, and the lowest
// `shift` of them are masked: what halving loses. A number is moved into place in the clock before it is
// needed, and out of it in the clock after.
//
//     read       align       act            write
//     number ──► entry ────► add, halve ──► back into CW bits
//
// An entry that one of the last three operations changed is taken from there.
`default_nettype none
module leap_halving #(
    parameter N = 64,
    parameter CW = 32, // a multiple of 16
    parameter LANES = 1,
    parameter DEPTH = 32,
    parameter HIER = 0,
    parameter CALLS = 0, // 1: a call counts
    parameter NUMBER_BITS = $clog2(N),
    parameter POINTER_BITS = $clog2(DEPTH)
) (
    input  wire                    clk_i,
    input  wire                    rst_ni, // not of entries

    // In the clock before an operation:
    input  wire [NUMBER_BITS-1:0]  next_number_i, // whose entry,
    input  wire                    read_i,        // or if there is no operation, this one's is read
    input  wire [NUMBER_BITS-1:0]  read_number_i,
    input  wire [16*LANES-1:0]     amounts_i, // of the same instruction
    input  wire [POINTER_BITS-1:0] newest_i,  // frame; in the clock of the operation, the one after it

    // The operation.
    input  wire                    store_i, // entry += value
    input  wire                    zero_i,  // entry = 0, with store_i
    input  wire                    pop_i,   // after that: value += what was saved
    input  wire                    call_i,  // after that: save value,
    input  wire                    push_zero_i, // or 0 instead
    input  wire                    empty_i, // after that

    output wire [CW*LANES-1:0]     read_data_o, // stays until the next
    output reg                     read_done_o,
    output wire [5:0]              shift_o
);
    localparam SHIFTS = CW <= 32 ? 32 : 16; // there can be
    localparam TOTAL = CW + SHIFTS;

    // Read.
    reg  [CW*LANES+5:0]    entries [0:N-1];
    reg  [CW*LANES+5:0]    entry_read_q;
    reg  [NUMBER_BITS-1:0] number_read_q;
    reg                    reading_q;
    wire [NUMBER_BITS-1:0] number = read_i ? read_number_i : next_number_i;
    always @(posedge clk_i) begin
        entry_read_q <= entries[number];
        number_read_q <= number;
        reading_q <= rst_ni && read_i;
    end

    // Align.
    reg  [TOTAL*LANES-1:0] entry_q;
    reg  [NUMBER_BITS-1:0] number_q;
    reg                    store_q, zero_q, pop_q, call_q, push_zero_q, empty_q, reads_q, again_q;
    reg  [16*LANES-1:0]    amounts_q;

    // Act.
    reg  [TOTAL*LANES-1:0] value_q;
    reg  [5:0]             shift_q;
    reg  [SHIFTS-1:0]      mask_q; // `shift` ones
    assign shift_o = shift_q;

    // What was done last, and before that: to be written, and written.
    reg                    stored1_q, stored2_q, read1_q;
    reg  [NUMBER_BITS-1:0] number1_q, number2_q;
    reg  [TOTAL*LANES-1:0] sum1_q, sum2_q;
    reg  [5:0]             shift1_q;

    // How often all is halved: by storing, then by popping, then by counting, each once at most. What follows
    // is worked out for every number of halvings before it is known.
    wire [SHIFTS-1:0] mask1 = {mask_q[SHIFTS-2:0], 1'b1};
    wire [SHIFTS-1:0] mask2 = {mask1[SHIFTS-2:0], 1'b1};
    wire [SHIFTS-1:0] mask3 = {mask2[SHIFTS-2:0], 1'b1};
    wire [LANES-1:0]  store_full, pop_full0, pop_full1, count_full0, count_full1, count_full2;
    wire              stores_fill = store_q && !zero_q && |store_full;
    wire              pop_fills = pop_q && (stores_fill ? |pop_full1 : |pop_full0);
    wire              once = stores_fill != pop_fills;
    wire              twice = stores_fill && pop_fills;
    wire              counts_fill = !empty_q && (twice ? |count_full2 : once ? |count_full1 : |count_full0);
    wire [SHIFTS-1:0] popped_mask = twice ? mask2 : once ? mask1 : mask_q;
    wire [SHIFTS-1:0] counted_mask = twice ? mask3 : once ? mask2 : mask1;
    wire [5:0]        stored_shift = shift_q + {5'd0, stores_fill};
    wire [5:0]        popped_shift = shift_q + {4'd0, twice, once};

    wire [CW*LANES-1:0]    written;
    reg  [CW*LANES-1:0]    read_data_q;
    wire [TOTAL*LANES-1:0] sums, pushed;
    assign read_data_o = read_data_q;

    always @(posedge clk_i) begin
        number_q <= number_read_q;
        store_q <= store_i;
        zero_q <= zero_i;
        pop_q <= rst_ni && pop_i;
        call_q <= rst_ni && call_i;
        push_zero_q <= push_zero_i;
        empty_q <= rst_ni && empty_i;
        reads_q <= rst_ni && reading_q;
        again_q <= store_q && number_q == number_read_q;
        amounts_q <= rst_ni ? amounts_i : {16*LANES{1'b0}};

        if (!rst_ni) begin
            shift_q <= 6'd0;
            mask_q <= {SHIFTS{1'b0}};
        end else begin
            shift_q <= popped_shift + {5'd0, counts_fill};
            mask_q <= counts_fill ? counted_mask : popped_mask;
        end

        stored1_q <= store_q;
        number1_q <= number_q;
        sum1_q <= sums;
        shift1_q <= stored_shift;
        read1_q <= rst_ni && reads_q;
        stored2_q <= stored1_q;
        number2_q <= number1_q;
        sum2_q <= sum1_q;
        if (read1_q)
            read_data_q <= written;
        read_done_o <= rst_ni && read1_q;
    end

    always @(posedge clk_i)
        if (stored1_q)
            entries[number1_q] <= {shift1_q, written};

`ifdef FORMAL
    reg started_q = 1'b0;
    always @(posedge clk_i) begin
        started_q <= 1'b1;
        assume (started_q || !rst_ni);
        if (started_q)
            assert (mask_q == (1 << shift_q) - 1);
    end
`endif

    // Saved values go the same way, by frames.
    wire [TOTAL*LANES-1:0] saved;
    genvar i;
    generate
        if (HIER != 0) begin : g_saved
            reg  [CW*LANES+5:0]     values [0:DEPTH-1];
            reg  [CW*LANES+5:0]     read_q;
            reg  [POINTER_BITS-1:0] frame_q, frame1_q, frame2_q; // popped next, and pushed
            reg  [TOTAL*LANES-1:0]  saved_q, pushed1_q, pushed2_q;
            reg                     call1_q, call2_q;
            reg  [5:0]              pushed_shift1_q;
            wire [CW*LANES-1:0]     packed_values;
            always @(posedge clk_i) begin
                read_q <= values[newest_i];
                frame_q <= newest_i;
                call1_q <= call_q;
                frame1_q <= frame_q;
                pushed1_q <= pushed;
                pushed_shift1_q <= popped_shift;
                call2_q <= call1_q;
                frame2_q <= frame1_q;
                pushed2_q <= pushed1_q;
            end
            always @(posedge clk_i)
                if (call1_q)
                    values[frame1_q] <= {pushed_shift1_q, packed_values};
            for (i = 0; i < LANES; i = i + 1) begin : g_lane
                wire [TOTAL-1:0] moved = {{SHIFTS{1'b0}}, read_q[CW*i +: CW]} << read_q[CW*LANES +: 6];
                wire [TOTAL-1:0] out = pushed1_q[TOTAL*i +: TOTAL] >> pushed_shift1_q;
                always @(posedge clk_i)
                    saved_q[TOTAL*i +: TOTAL] <=
                        call1_q && frame1_q == frame_q ? pushed1_q[TOTAL*i +: TOTAL] :
                        call2_q && frame2_q == frame_q ? pushed2_q[TOTAL*i +: TOTAL] : moved;
                assign packed_values[CW*i +: CW] = out[CW-1:0];
                wire unused = &{1'b0, out};
            end
            assign saved = call1_q ? pushed1_q : saved_q;
        end else begin : g_not_saved
            assign saved = {TOTAL*LANES{1'b0}};
            wire unused = &{1'b0, newest_i, pushed};
        end

        for (i = 0; i < LANES; i = i + 1) begin : g_lane
            // Align. What was done three clocks ago was written too late to be read.
            wire [TOTAL-1:0] moved = {{SHIFTS{1'b0}}, entry_read_q[CW*i +: CW]} <<
                                     entry_read_q[CW*LANES +: 6];
            always @(posedge clk_i)
                entry_q[TOTAL*i +: TOTAL] <=
                    stored1_q && number1_q == number_read_q ? sum1_q[TOTAL*i +: TOTAL] :
                    stored2_q && number2_q == number_read_q ? sum2_q[TOTAL*i +: TOTAL] : moved;

            // Store.
            wire [TOTAL-1:0] value = value_q[TOTAL*i +: TOTAL];
            wire [TOTAL-1:0] entry = again_q ? sum1_q[TOTAL*i +: TOTAL] : entry_q[TOTAL*i +: TOTAL];
            wire [TOTAL-1:0] units0 = {{CW{1'b1}}, ~mask_q};
            wire [TOTAL-1:0] units1 = {{CW{1'b1}}, ~mask1};
            wire [TOTAL-1:0] units2 = {{CW{1'b1}}, ~mask2};
            wire [TOTAL:0]   sum0 = {1'b0, entry & units0} + {1'b0, value & units0};
            wire [TOTAL-1:0] sum1 = (entry & units1) + (value & units1);
            assign store_full[i] = |(sum0[TOTAL:CW] & ~{1'b0, mask_q});
            assign sums[TOTAL*i +: TOTAL] = zero_q  ? {TOTAL{1'b0}} :
                                            reads_q ? entry & units0 :
                                            stores_fill ? sum1 : sum0[TOTAL-1:0];

            // Pop and push.
            wire [TOTAL-1:0] caller = saved[TOTAL*i +: TOTAL] & {TOTAL{pop_q}};
            wire [TOTAL:0]   resumed0 = {1'b0, value} + {1'b0, caller & units0};
            wire [TOTAL:0]   resumed1 = {1'b0, value} + {1'b0, caller & units1};
            wire [TOTAL:0]   resumed2 = {1'b0, value} + {1'b0, caller & units2};
            assign pop_full0[i] = |(resumed0[TOTAL:CW] & ~{1'b0, mask_q});
            assign pop_full1[i] = |(resumed1[TOTAL:CW] & ~{1'b0, mask1});
            wire [TOTAL-1:0] to_push = twice ? resumed2[TOTAL-1:0] & units2 :
                                       once  ? resumed1[TOTAL-1:0] & units1 :
                                               resumed0[TOTAL-1:0] & units0;
            assign pushed[TOTAL*i +: TOTAL] = to_push & {TOTAL{!push_zero_q}};

            // Empty and count. What is left when it is empty leaves room for any amount.
            wire             called = CALLS != 0 && call_q;
            wire [TOTAL:0]   amount = {{TOTAL-15{1'b0}}, amounts_q[16*i +: 16]} | {{TOTAL{1'b0}}, called};
            wire [TOTAL:0]   counted0 = resumed0 + amount;
            wire [TOTAL:0]   counted1 = resumed1 + amount;
            wire [TOTAL:0]   counted2 = resumed2 + amount;
            wire [TOTAL-1:0] emptied0 = (value & ~units0) + amount[TOTAL-1:0];
            wire [TOTAL-1:0] emptied1 = (value & ~units1) + amount[TOTAL-1:0];
            wire [TOTAL-1:0] emptied2 = (value & ~units2) + amount[TOTAL-1:0];
            assign count_full0[i] = |(counted0[TOTAL:CW] & ~{1'b0, mask_q});
            assign count_full1[i] = |(counted1[TOTAL:CW] & ~{1'b0, mask1});
            assign count_full2[i] = |(counted2[TOTAL:CW] & ~{1'b0, mask2});
            always @(posedge clk_i)
                value_q[TOTAL*i +: TOTAL] <=
                    !rst_ni ? {TOTAL{1'b0}} :
                    twice   ? (empty_q ? emptied2 : counted2[TOTAL-1:0]) :
                    once    ? (empty_q ? emptied1 : counted1[TOTAL-1:0]) :
                              (empty_q ? emptied0 : counted0[TOTAL-1:0]);

            // Back.
            wire [TOTAL-1:0] back = sum1_q[TOTAL*i +: TOTAL] >> shift1_q;
            assign written[CW*i +: CW] = back[CW-1:0];
            wire unused = &{1'b0, back, resumed2[TOTAL]};

`ifdef FORMAL
            // Whatever is counted, stored and popped, a number has CW bits in its unit; saved values and entries
            // have if they had when they were written. No run lasts until the last halving.
            wire [SHIFTS-1:0] stored_mask = stores_fill ? mask1 : mask_q;
            always @(posedge clk_i) begin
                assume (shift_q < SHIFTS - 4);
                assume (!(|(entry[TOTAL-1:CW] & ~mask_q)) && !(|(caller[TOTAL-1:CW] & ~mask_q)));
                if (started_q) begin
                    assert (!(|(value[TOTAL-1:CW] & ~mask_q)));
                    assert (!store_q || !(|(sums[TOTAL*i+CW +: SHIFTS] & ~stored_mask)));
                    assert (!(|(pushed[TOTAL*i+CW +: SHIFTS] & ~popped_mask)));
                end
            end
`endif
        end
    endgenerate
endmodule
`default_nettype wire
