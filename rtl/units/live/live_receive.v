// SPDX-License-Identifier: Apache-2.0
// live_receive - takes in Ethernet frames, a byte in a clock, and says what they are.
//
// What may be a command is checked while it comes, its tag included, and goes word by word into the memory of
// settings. Nothing acts on it before the verdict, which comes some clocks after the last byte and stays until it is
// taken; the next frame waits for that. docs/live.md says which frames are damaged, and which are for others.
`default_nettype none
module live_receive #(
    parameter COUNTERS = 8,
    parameter RANGES = 8,
    parameter [25:0] SIGNALS = 26'h3ffffff
) (
    input  wire         clk_i,
    input  wire         rst_ni,

    input  wire         rx_tvalid_i,
    output wire         rx_tready_o,
    input  wire [7:0]   rx_tdata_i,
    input  wire         rx_tlast_i,
    input  wire         rx_tuser_i, // with the last byte: the MAC has found the frame damaged

    input  wire [47:0]  mac_i,
    input  wire [31:0]  ip_i,
    input  wire [15:0]  port_i,
    input  wire [127:0] key_i,
    input  wire [63:0]  device_i,
    input  wire [63:0]  session_i,
    input  wire [127:0] program_i, // 0: not known

    output wire         write_o, // a word of what may be a command
    output wire [7:0]   write_at_o,
    output wire [31:0]  write_data_o,

    // The verdict, up to taken_i. A frame for others has none.
    output wire         arp_o,      // it asks for the device's address
    output wire         stranger_o, // it is damaged, or no command with a right tag
    output wire         command_o,  // it is one, with what follows
    output wire         same_session_o,
    output wire         other_program_o,
    output wire         fits_o, // the module can be set so
    output reg  [4:0]   orders_o,
    output reg  [63:0]  number_o,
    input  wire         taken_i,

    output reg  [47:0]  from_mac_o, // who sent it
    output reg  [31:0]  from_ip_o,
    output reg  [15:0]  from_port_o
);
    `include "statsmod_wire.vh"

    localparam [15:0] TYPE_IP = 16'h0800, TYPE_ARP = 16'h0806;
    localparam [31:0] ARP_ETHERNET_IP = 32'h0001_0800, ARP_ASKS = 32'h0604_0001;
    localparam [15:0] PROTOCOL_UDP = 16'd17;
    localparam [15:0] DATAGRAM = {5'd0, WIRE_COMMAND_BYTES} + 16'd8; // with the header of UDP
    localparam [31:0] LEAST_INTERVAL = COUNTERS + 4;
    localparam [4:0]  CHANGES = 5'd1 << WIRE_ORDER_SET | 5'd1 << WIRE_ORDER_START | 5'd1 << WIRE_ORDER_STOP |
                                5'd1 << WIRE_ORDER_TO_SENDER;

    // Where in a frame. Words begin two bytes before it, so that every other header begins with a word.
    localparam [2:0] AT_ETHERNET = 3'd0, AT_ARP = 3'd1, AT_IP = 3'd2, AT_UDP = 3'd3, AT_DATA = 3'd4, AT_REST = 3'd5;
    // And behind it: its length goes into the checksum, the tag has to be ready, and then there is a verdict.
    localparam [1:0] RECEIVES = 2'd0, ADDS = 2'd1, HASHES = 2'd2, KNOWS = 2'd3;

    reg  [1:0]  state_q;
    reg  [2:0]  part_q, part_d;
    reg  [8:0]  word_q; // of this part
    reg  [1:0]  byte_q; // of this word
    reg  [23:0] before_q;
    reg         arp_q, udp_q, fragment_q;
    reg         elsewhere_q; // for another MAC, or none of the device's business
    reg         others_q, damaged_q;
    reg         ours_q, all_q; // as far as its first address says
    reg  [3:0]  header_q;      // words of the IPv4 header
    reg  [15:0] left_q;        // bytes of the IPv4 datagram that are still to come
    reg  [15:0] length_q;      // of its body
    reg         no_sum_q;

    wire        takes = rx_tvalid_i && rx_tready_o;
    wire        begins = takes && part_q == AT_ETHERNET && word_q == 9'd0 && byte_q == 2'd2;
    wire        finishes = takes && rx_tlast_i;
    wire        whole = takes && byte_q == 2'd3;
    wire [31:0] word = {before_q, rx_tdata_i};

    // -- headers ---------------------------------------------------------------------------------

    wire ends = left_q == 16'd1; // with this byte, what IPv4 says there is
    wire ip_ends = part_q == AT_IP && word_q[3:0] + 4'd1 == header_q && word_q != 9'd0;
    wire ours = ours_q && word == mac_i[31:0];
    wire all = all_q && word == 32'hffff_ffff;
    wire known_type = word[15:0] == TYPE_IP || word[15:0] == TYPE_ARP;

    // What a word says when it is whole.
    reg foreign, wrong;
    always @* begin
        foreign = 1'b0;
        wrong = 1'b0;
        part_d = part_q;
        case (part_q)
            AT_ETHERNET: begin
                if (word_q == 9'd1 && !ours && !all)
                    part_d = AT_REST;
                if (word_q == 9'd3)
                    part_d = word[15:0] == TYPE_IP ? AT_IP : word[15:0] == TYPE_ARP ? AT_ARP : AT_REST;
            end
            AT_ARP: begin
                foreign = (word_q == 9'd0 && word != ARP_ETHERNET_IP) || (word_q == 9'd1 && word != ARP_ASKS) ||
                          (word_q == 9'd6 && word != ip_i);
                if (word_q == 9'd6)
                    part_d = AT_REST;
            end
            AT_IP: begin
                foreign = (word_q == 9'd2 && word[23:16] != PROTOCOL_UDP[7:0]) || (word_q == 9'd4 && word != ip_i);
                wrong = word_q == 9'd0 && (word[31:28] != 4'd4 || word[27:24] < 4'd5 ||
                                           word[15:0] < {10'd0, word[27:24], 2'b00});
                if (wrong)
                    part_d = AT_REST;
                else if (ip_ends)
                    part_d = others_q || foreign || fragment_q ? AT_REST : AT_UDP;
            end
            AT_UDP: begin
                foreign = word_q == 9'd0 && word[15:0] != port_i;
                wrong = word_q == 9'd1 && word[31:16] != length_q;
                if (word_q == 9'd1)
                    part_d = ends ? AT_REST : AT_DATA;
            end
            default:
                part_d = part_q;
        endcase
        if (!whole) begin
            foreign = 1'b0;
            wrong = 1'b0;
            part_d = part_q;
        end
        // Less than the header of UDP, or the end of what is in it.
        if (takes && ends && part_q == AT_UDP && part_d == AT_UDP)
            wrong = 1'b1;
        if (takes && ends && part_q == AT_DATA)
            part_d = AT_REST;
    end

    wire cut = finishes && (part_d != AT_REST || left_q > 16'd1);
    always @(posedge clk_i) begin
        if (!rst_ni || finishes) begin
            part_q <= AT_ETHERNET;
            word_q <= 9'd0;
            byte_q <= 2'd2;
        end else if (takes) begin
            part_q <= part_d;
            word_q <= part_d != part_q ? 9'd0 : word_q + {8'd0, whole};
            byte_q <= part_d != part_q ? 2'd0 : byte_q + 2'd1;
        end

        if (begins) begin
            arp_q <= 1'b0;
            udp_q <= 1'b0;
            fragment_q <= 1'b0;
            elsewhere_q <= 1'b0;
            others_q <= 1'b0;
            damaged_q <= finishes;
            left_q <= 16'd0;
        end else if (takes) begin
            others_q <= others_q || foreign;
            damaged_q <= damaged_q || wrong || cut || (finishes && rx_tuser_i);
            if (left_q != 16'd0)
                left_q <= left_q - 16'd1;
        end

        if (takes)
            before_q <= {before_q[15:0], rx_tdata_i};
        if (whole) begin
            case ({part_q, word_q[3:0]})
                {AT_ETHERNET, 4'd0}: begin
                    ours_q <= word[15:0] == mac_i[47:32];
                    all_q <= word[15:0] == 16'hffff;
                end
                {AT_ETHERNET, 4'd1}: elsewhere_q <= !ours && !all;
                {AT_ETHERNET, 4'd2}: from_mac_o[47:16] <= word;
                {AT_ETHERNET, 4'd3}: begin
                    from_mac_o[15:0] <= word[31:16];
                    arp_q <= word[15:0] == TYPE_ARP;
                    elsewhere_q <= !known_type;
                end
                {AT_ARP, 4'd2}: from_mac_o[47:16] <= word;
                {AT_ARP, 4'd3}: begin
                    from_mac_o[15:0] <= word[31:16];
                    from_ip_o[31:16] <= word[15:0];
                end
                {AT_ARP, 4'd4}: from_ip_o[15:0] <= word[31:16];
                {AT_IP, 4'd0}: begin
                    header_q <= word[27:24];
                    length_q <= word[15:0] - {10'd0, word[27:24], 2'b00};
                    left_q <= word[15:0] - 16'd4;
                end
                {AT_IP, 4'd1}: fragment_q <= word[13:0] != 14'd0;
                {AT_IP, 4'd3}: from_ip_o <= word;
                {AT_UDP, 4'd0}: begin
                    udp_q <= 1'b1;
                    from_port_o <= word[31:16];
                end
                {AT_UDP, 4'd1}: no_sum_q <= word[15:0] == 16'd0;
                default: ;
            endcase
        end
    end

    // -- checksums -------------------------------------------------------------------------------

    // The carry waits for the next byte.
    reg  [16:0] header_sum_q, body_sum_q;
    reg         header_checked_q, header_good_q;
    wire [15:0] lane = byte_q[0] ? {8'd0, rx_tdata_i} : {rx_tdata_i, 8'd0};
    wire [15:0] body_lane = state_q == ADDS ? length_q : lane;
    wire [16:0] header_sum = {1'b0, header_sum_q[15:0]} + {1'b0, lane} + {16'd0, header_sum_q[16]};
    wire [16:0] body_sum = {1'b0, body_sum_q[15:0]} + {1'b0, body_lane} + {16'd0, body_sum_q[16]};
    wire        in_addresses = part_q == AT_IP && (word_q == 9'd3 || word_q == 9'd4);
    wire        in_body = part_q == AT_UDP || part_q == AT_DATA;

    function is_ones(input [16:0] sum);
        is_ones = sum == 17'h0ffff || sum == 17'h1fffe;
    endfunction
    always @(posedge clk_i) begin
        if (begins) begin
            header_sum_q <= 17'd0;
            body_sum_q <= {1'b0, PROTOCOL_UDP};
            header_checked_q <= 1'b0;
        end else begin
            if (takes && part_q == AT_IP)
                header_sum_q <= header_sum;
            if ((takes && (in_addresses || in_body)) || state_q == ADDS)
                body_sum_q <= body_sum;
            if (whole && ip_ends) begin
                header_checked_q <= 1'b1;
                header_good_q <= is_ones(header_sum);
            end
        end
    end
    wire sums_bad = (header_checked_q && !header_good_q) || (udp_q && !no_sum_q && !is_ones(body_sum_q));

    // -- a command -------------------------------------------------------------------------------

    // The words of a field of two or four.
    function is_in(input [8:0] at, input [8:0] field, input [8:0] words);
        is_in = at >= field && at < field + words;
    endfunction
    localparam [8:0] AT_TAG = WIRE_COMMAND_TAG[10:2];
    reg         like_one_q, mine_q, anyones_q, same_session_q, same_program_q, no_program_q, fits_q;
    reg  [6:0]  counters_q;
    reg  [63:0] tag_q;
    wire        data = whole && part_q == AT_DATA;
    wire        in_device = is_in(word_q, WIRE_HEADER_DEVICE[10:2], 9'd2);
    wire        in_session = is_in(word_q, WIRE_HEADER_SESSION[10:2], 9'd2);
    wire        in_program = is_in(word_q, WIRE_HEADER_PROGRAM[10:2], 9'd4);
    wire        in_number = is_in(word_q, WIRE_COMMAND_NUMBER[10:2], 9'd2);
    wire        in_selectors = is_in(word_q, WIRE_COMMAND_SELECTOR_BASE[10:2], {2'd0, counters_q});

    // What it should be.
    reg  [31:0] own;
    always @* begin
        own = {WIRE_MAGIC, WIRE_KIND_COMMAND};
        if (in_device)
            own = word_q[0] == WIRE_HEADER_DEVICE[2] ? device_i[63:32] : device_i[31:0];
        if (in_session)
            own = word_q[0] == WIRE_HEADER_SESSION[2] ? session_i[63:32] : session_i[31:0];
        if (in_program)
            case (word_q[1:0] - WIRE_HEADER_PROGRAM[3:2])
                2'd0:    own = program_i[127:96];
                2'd1:    own = program_i[95:64];
                2'd2:    own = program_i[63:32];
                default: own = program_i[31:0];
            endcase
        if (word_q == WIRE_HEADER_LENGTH[10:2])
            own = {21'd0, WIRE_COMMAND_BYTES};
    end
    wire same = word == own;
    wire none = word == 32'd0;
    wire [31:0] signals = {6'd0, SIGNALS};
    always @(posedge clk_i) begin
        if (begins) begin
            like_one_q <= 1'b1;
            mine_q <= 1'b1;
            anyones_q <= 1'b1;
            same_session_q <= 1'b1;
            same_program_q <= 1'b1;
            no_program_q <= 1'b1;
            fits_q <= 1'b1;
            counters_q <= 7'd0;
        end else if (data) begin
            if (word_q == WIRE_HEADER_MAGIC[10:2] || word_q == WIRE_HEADER_LENGTH[10:2])
                like_one_q <= like_one_q && same;
            if (in_device) begin
                mine_q <= mine_q && same;
                anyones_q <= anyones_q && none;
            end
            if (in_session)
                same_session_q <= same_session_q && same;
            if (in_program) begin
                same_program_q <= same_program_q && same;
                no_program_q <= no_program_q && none;
            end
            if (in_number)
                number_o <= {number_o[31:0], word};
            if (word_q == WIRE_COMMAND_ORDERS[10:2])
                orders_o <= word[4:0];
            if (word_q == WIRE_COMMAND_INTERVAL[10:2] && !none && word < LEAST_INTERVAL)
                fits_q <= 1'b0;
            if (word_q == WIRE_COMMAND_COUNTERS[10:2]) begin
                counters_q <= word[6:0];
                if (none || word > COUNTERS)
                    fits_q <= 1'b0;
            end
            if (in_selectors && (!signals[word[4:0]] || {26'd0, word[13:8]} >= RANGES))
                fits_q <= 1'b0;
            if (is_in(word_q, WIRE_COMMAND_TAG[10:2], 9'd2))
                tag_q <= {tag_q[31:0], word};
        end
    end

    wire [63:0] tag;
    wire        hash_ready, hash_done;
    reg         hashed_q; // all of it has been given to the hash
    wire        hash_ends = state_q == HASHES && !hashed_q;
    live_siphash hash (
        .clk_i(clk_i), .rst_ni(rst_ni), .key_i(key_i), .begin_i(begins),
        .valid_i((data && word_q < AT_TAG) || hash_ends), .last_i(hash_ends), .data_i(word),
        .ready_o(hash_ready), .done_o(hash_done), .tag_o(tag)
    );

    assign write_o = data && !word_q[8];
    assign write_at_o = word_q[7:0];
    assign write_data_o = word;

    // -- the verdict -----------------------------------------------------------------------------

    wire verdict = arp_o || stranger_o || command_o;
    wire may_be_one = udp_q && !others_q && !damaged_q && length_q == DATAGRAM && like_one_q;
    always @(posedge clk_i) begin
        hashed_q <= state_q == HASHES && (hashed_q || hash_ready);
        if (!rst_ni)
            state_q <= RECEIVES;
        else
            case (state_q)
                RECEIVES: if (finishes) state_q <= ADDS;
                ADDS:     state_q <= may_be_one ? HASHES : KNOWS;
                HASHES:   if (hash_done) state_q <= KNOWS;
                default:  if (taken_i || !verdict) state_q <= RECEIVES;
            endcase
    end

    wire knows = state_q == KNOWS && !elsewhere_q;
    wire damaged = damaged_q || sums_bad;
    wire question = (orders_o & CHANGES) == 5'd0;
    wire right = may_be_one && !sums_bad && tag == tag_q && (mine_q || (question && anyones_q));
    assign rx_tready_o = state_q == RECEIVES;
    assign arp_o = knows && arp_q && !others_q && !damaged;
    assign command_o = knows && right;
    assign stranger_o = knows && (damaged || (!others_q && !arp_q && !right));
    assign same_session_o = same_session_q;
    assign other_program_o = !no_program_q && !same_program_q && program_i != 128'd0;
    assign fits_o = fits_q;
endmodule
`default_nettype wire
