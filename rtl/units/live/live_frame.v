// SPDX-License-Identifier: Apache-2.0
// live_frame - makes a frame, word by word: Ethernet, and an answer of ARP, or IPv4, UDP and a datagram with its tag.
//
// A word takes two clocks: one for the memories that it may come from, and one to go into the frame, into the sum of
// UDP and into the hash. Sums and tag are written when all before them are known.
`default_nettype none
module live_frame #(
    parameter COUNTERS = 8,
    parameter RANGES = 8,
    parameter HEAD_BITS = 320,
    parameter RESULT_BITS = 192,
    parameter STATE_BITS = 448,
    parameter NUMBER_BITS = COUNTERS > 1 ? $clog2(COUNTERS) : 1
) (
    input  wire                   clk_i,
    input  wire                   rst_ni,
    input  wire                   begin_i, // for a clock, while not busy
    input  wire [7:0]             kind_i,  // of the datagram; 0: ARP
    output wire                   busy_o,  // all inputs stay as they are

    input  wire [47:0]            mac_i,
    input  wire [31:0]            ip_i,
    input  wire [15:0]            port_i,
    input  wire [127:0]           key_i,
    input  wire [47:0]            to_mac_i,
    input  wire [31:0]            to_ip_i,
    input  wire [15:0]            to_port_i,

    input  wire [HEAD_BITS-1:0]   head_i, // what is in every datagram, from the device's number on, as on the wire
    input  wire [RESULT_BITS-1:0] result_i, // what else is in a RESULT, up to its counters,
    input  wire [STATE_BITS-1:0]  state_i,  // and in a STATE, up to its setting
    input  wire [6:0]             counters_i, // in use; 0: there is no setting yet

    output wire [NUMBER_BITS-1:0] counter_at_o,
    input  wire [31:0]            counter_value_i, // a clock later
    input  wire [63:0]            counter_total_i,
    output wire [7:0]             setting_at_o,
    input  wire [31:0]            setting_data_i, // a clock later

    input  wire                   transmits_i,
    output reg                    write_o,
    output reg  [7:0]             write_at_o,
    output reg  [31:0]            write_data_o,
    output wire                   transmit_o,
    output wire [9:0]             end_o
);
    `include "statsmod_wire.vh"

    localparam [15:0] TYPE_IP = 16'h0800, TYPE_ARP = 16'h0806;
    localparam [15:0] IP_BYTES = 16'd20, UDP_BYTES = 16'd8, TTL_AND_UDP = 16'h4011, UDP = 16'd17;

    // Where words of a frame are. Numbers of words of a datagram have nine bits, of bytes eleven.
    localparam [7:0] AT_ARP = 8'd4, AT_IP = 8'd4, AT_IP_SUM = 8'd6, AT_UDP = 8'd9, AT_UDP_SUM = 8'd10, AT_DATA = 8'd11;
    localparam [9:0] ARP_END = 10'd61;  // with padding, the least that Ethernet knows: 60 bytes behind the first two
    localparam [3:0] ARP_STEPS = 4'd15, UDP_STEPS = 4'd13;
    localparam [8:0] SETTING = WIRE_STATE_INTERVAL[10:2],
                     SELECTORS = WIRE_STATE_SELECTOR_BASE[10:2], RANGES_AT = WIRE_STATE_RANGE_BASE[10:2],
                     STATE_END = WIRE_STATE_TAG[10:2], COUNTERS_BASE = WIRE_RESULT_COUNTER_BASE[10:2],
                     FIELDS = WIRE_RESULT_SEQUENCE[10:2], HEAD = WIRE_HEADER_DEVICE[10:2];

    localparam [2:0] RESTS = 3'd0, WAITS = 3'd1, HEADS = 3'd2, DATA = 3'd3, ENDS = 3'd4, TAGS = 3'd5, SUMS = 3'd6,
                     GOES = 3'd7;
    reg  [2:0]  state_q;
    reg  [3:0]  step_q;
    reg  [8:0]  word_q;  // of the datagram
    reg         there_q; // memories have been read
    reg  [6:0]  number_q; // of the counter that is next, and its word
    reg  [1:0]  part_q;
    reg  [31:0] sum_q;

    wire        arp = kind_i == 8'd0;
    wire        result = kind_i == WIRE_KIND_RESULT;
    wire [15:0] data_bytes = result ? {5'd0, WIRE_RESULT_COUNTER_BASE + WIRE_TAG_BYTES} + {7'd0, counters_i, 2'b00} +
                                      {6'd0, counters_i, 3'b000}
                           : {5'd0, WIRE_STATE_BYTES};
    wire [15:0] udp_bytes = data_bytes + UDP_BYTES;
    wire [15:0] ip_bytes = udp_bytes + IP_BYTES;
    wire [16:0] folded = {1'b0, sum_q[31:16]} + {1'b0, sum_q[15:0]};
    wire [15:0] sum = ~(folded[15:0] + {15'd0, folded[16]});

    // -- headers ---------------------------------------------------------------------------------

    reg  [7:0]  head_at;
    reg  [31:0] head;
    always @* begin
        head_at = {4'd0, step_q};
        case (step_q)
            4'd0:    head = {16'd0, to_mac_i[47:32]};
            4'd1:    head = to_mac_i[31:0];
            4'd2:    head = mac_i[47:16];
            default: head = {mac_i[15:0], arp ? TYPE_ARP : TYPE_IP};
        endcase
        if (arp)
            case ({4'd0, step_q})
                8'd0, 8'd1, 8'd2, 8'd3: ;
                AT_ARP:        head = {16'd1, TYPE_IP};
                AT_ARP + 8'd1: head = 32'h0604_0002;
                AT_ARP + 8'd2: head = mac_i[47:16];
                AT_ARP + 8'd3: head = {mac_i[15:0], ip_i[31:16]};
                AT_ARP + 8'd4: head = {ip_i[15:0], to_mac_i[47:32]};
                AT_ARP + 8'd5: head = to_mac_i[31:0];
                AT_ARP + 8'd6: head = to_ip_i;
                default:       head = 32'd0;
            endcase
        else
            case (step_q)
                4'd0, 4'd1, 4'd2, 4'd3: ;
                4'd4: head = {16'h4500, ip_bytes};
                4'd5: head = 32'h0000_4000; // not to be broken up
                // Addresses are in the sum of the header, and again in that of UDP.
                4'd6, 4'd9:  begin head_at = AT_IP + 8'd3; head = ip_i; end
                4'd7, 4'd10: begin head_at = AT_IP + 8'd4; head = to_ip_i; end
                4'd8:        begin head_at = AT_IP_SUM; head = {TTL_AND_UDP, sum}; end
                4'd11:       begin head_at = AT_UDP; head = {port_i, to_port_i}; end
                // So is the length.
                default:     begin head_at = AT_UDP_SUM; head = {udp_bytes, 16'd0}; end
            endcase
    end
    wire starts_sum = step_q == 4'd3 || step_q == 4'd8;
    wire head_over = step_q == (arp ? ARP_STEPS : UDP_STEPS);

    // -- the datagram ----------------------------------------------------------------------------

    // Words of a vector, its first one leftmost.
    wire [8:0]  head_word = word_q - HEAD;
    wire [8:0]  field_word = word_q - FIELDS;
    wire [HEAD_BITS-1:0]  head_at_word = head_i << {head_word[3:0], 5'd0};
    wire [STATE_BITS-1:0] fields = result ? {result_i, {STATE_BITS-RESULT_BITS{1'b0}}} : state_i;
    wire [STATE_BITS-1:0] field_at_word = fields << {field_word[3:0], 5'd0};
    wire [8:0]  selector = word_q - SELECTORS;
    wire [8:0]  range = word_q - RANGES_AT;
    wire        in_use = counters_i != 7'd0 &&
                          (word_q < SELECTORS || (word_q < RANGES_AT ? selector < {2'd0, counters_i}
                                                                     : {23'd0, range} < 2 * RANGES));
    reg  [31:0]  data;
    always @* begin
        if (word_q == WIRE_HEADER_MAGIC[10:2])
            data = {WIRE_MAGIC, kind_i};
        else if (word_q == WIRE_HEADER_LENGTH[10:2])
            data = {16'd0, data_bytes};
        else if (word_q < FIELDS)
            data = head_at_word[HEAD_BITS-1 -: 32];
        else if (result && word_q >= COUNTERS_BASE)
            data = part_q == 2'd0 ? counter_value_i : part_q == 2'd1 ? counter_total_i[63:32] : counter_total_i[31:0];
        else if (result || word_q < SETTING)
            data = field_at_word[STATE_BITS-1 -: 32];
        else
            data = in_use ? setting_data_i : 32'd0;
    end
    wire data_over = result ? number_q == counters_i - 7'd1 && part_q == 2'd2 : word_q == STATE_END - 9'd1;

    wire        hash_ready, hash_done;
    wire [63:0] tag;
    wire        adds_word = state_q == DATA && there_q && hash_ready;
    live_siphash hash (
        .clk_i(clk_i), .rst_ni(rst_ni), .key_i(key_i), .begin_i(state_q == WAITS),
        .valid_i((state_q == DATA && there_q) || (state_q == ENDS && !hash_done)), .last_i(state_q == ENDS), .data_i(data),
        .ready_o(hash_ready), .done_o(hash_done), .tag_o(tag)
    );

    // -- putting it together ---------------------------------------------------------------------

    wire [31:0] tag_word = step_q[0] ? tag[31:0] : tag[63:32];
    reg         adds;
    always @* begin
        write_o = 1'b0;
        adds = 1'b0;
        write_at_o = head_at;
        write_data_o = head;
        case (state_q)
            HEADS: begin
                write_o = 1'b1;
                adds = 1'b1;
            end
            DATA: begin
                write_o = adds_word;
                adds = adds_word;
                write_at_o = AT_DATA + word_q[7:0];
                write_data_o = data;
            end
            TAGS: begin
                write_o = 1'b1;
                adds = 1'b1;
                write_at_o = AT_DATA + word_q[7:0];
                write_data_o = tag_word;
            end
            SUMS: begin
                write_o = 1'b1;
                write_at_o = AT_UDP_SUM;
                write_data_o = {udp_bytes, sum == 16'd0 ? 16'hffff : sum};
            end
            default: ;
        endcase
    end

    always @(posedge clk_i) begin
        if (!rst_ni)
            state_q <= RESTS;
        else
            case (state_q)
                RESTS:   if (begin_i) state_q <= WAITS;
                WAITS:   if (!transmits_i) state_q <= HEADS;
                HEADS:   if (head_over) state_q <= arp ? GOES : DATA;
                DATA:    if (adds_word && data_over) state_q <= ENDS;
                ENDS:    if (hash_done) state_q <= TAGS;
                TAGS:    if (step_q[0]) state_q <= SUMS;
                SUMS:    state_q <= GOES;
                default: state_q <= RESTS;
            endcase

        step_q <= state_q == HEADS || state_q == TAGS ? step_q + 4'd1 : 4'd0;
        there_q <= state_q == DATA && !adds_word;
        if (state_q == WAITS) begin
            word_q <= 9'd0;
            number_q <= 7'd0;
            part_q <= 2'd0;
        end else if (adds_word || state_q == TAGS) begin
            word_q <= word_q + 9'd1;
            if (word_q >= COUNTERS_BASE) begin
                part_q <= part_q == 2'd2 ? 2'd0 : part_q + 2'd1;
                if (part_q == 2'd2)
                    number_q <= number_q + 7'd1;
            end
        end

        if (state_q == HEADS && starts_sum)
            sum_q <= step_q == 4'd3 ? {16'd0, TTL_AND_UDP} : {16'd0, UDP};
        else if (adds)
            sum_q <= sum_q + {16'd0, write_data_o[31:16]} + {16'd0, write_data_o[15:0]};
    end

    assign busy_o = state_q != RESTS;
    assign counter_at_o = number_q[NUMBER_BITS-1:0];
    assign setting_at_o = word_q[7:0];
    assign transmit_o = state_q == GOES;
    assign end_o = arp ? ARP_END : {AT_DATA, 2'b00} + data_bytes[9:0] - 10'd1;
    wire unused = &{1'b0, head_word, field_word, head_at_word, field_at_word};
endmodule
`default_nettype wire
