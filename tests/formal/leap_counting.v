// leap_counting - LEAP's Data Counter and Counter Storage together, in a flat profile: all that was counted
// is in one of them, once. `stored` is the sum of all entries; the script that proves it connects that.
module leap_counting (
    input wire       clk_i,
    input wire       rst_ni,
    input wire       amount_i,
    input wire       store_i, // a call or return; or for zero_i, while all is cleared
    input wire       zero_i,
    input wire       number_i,
    input wire       next_number_i,
    input wire       read_i,
    input wire       read_number_i
);
    wire [15:0] value, sum, read_data, stored;
    wire        read_done;
    reg         started_q = 1'b0;
    reg  [15:0] events_q;

    leap_data_counter #(.CW(16)) data_counter (
        .clk_i(clk_i), .rst_ni(rst_ni), .pop_i(1'b0), .popped_i(16'd0), .empty_i(store_i),
        .call_i(1'b0), .amount_i({15'd0, amount_i}), .value_o(value), .sum_o(sum)
    );
    leap_counter_storage #(.N(2), .CW(16)) counter_storage (
        .clk_i(clk_i), .rst_ni(rst_ni), .store_i(store_i), .zero_i(zero_i), .number_i(number_i),
        .value_i(value), .next_number_i(next_number_i), .read_i(read_i),
        .read_number_i(read_number_i), .read_data_o(read_data), .read_done_o(read_done)
    );

    // Held in reset while entries are cleared, after which the sum is whatever they hold: 0.
    always @(posedge clk_i) begin
        started_q <= 1'b1;
        assume (started_q || !rst_ni);
        if (!rst_ni) begin
            events_q <= stored;
            assume (!store_i);
        end else begin
            assume (!zero_i);
            events_q <= events_q + {15'd0, amount_i};
            assert (stored + value == events_q);
        end
    end
endmodule
