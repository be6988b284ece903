// SPDX-License-Identifier: Apache-2.0
// loopcache_cache - the frequent loop cache: addresses of branches and how frequent they are.
//
// All frequencies are halved in one clock, so they are registers and no block RAM.
`default_nettype none
module loopcache_cache #(
    parameter ENTRIES = 32, // powers of two, WAYS at most ENTRIES
    parameter WAYS = 2,
    parameter WIDTH = 24,   // of a frequency
    parameter INDEX_BITS = ENTRIES > 1 ? $clog2(ENTRIES) : 1
) (
    input  wire                  clk_i,
    input  wire                  rst_ni,

    input  wire                  update_i,
    input  wire [31:1]           address_i,
    input  wire [WIDTH-1:0]      frequency_i, // to add
    input  wire                  halve_i,     // all; not with update_i

    input  wire [INDEX_BITS-1:0] read_i, // set by set
    output wire                  valid_o,
    output wire [31:1]           address_o,
    output wire [WIDTH-1:0]      frequency_o
);
    localparam SETS = ENTRIES / WAYS;
    localparam SET_BITS = $clog2(SETS);
    localparam TAG_BITS = 31 - SET_BITS;

    reg [ENTRIES-1:0]  valid_q;
    reg [TAG_BITS-1:0] tags [0:ENTRIES-1];
    reg [WIDTH-1:0]    frequencies [0:ENTRIES-1];

    // The set is address[2 +: SET_BITS], the tag all the rest.
    wire [31:0] word = {2'd0, address_i[31:2]};
    wire [31:0] first = (word & (SETS - 1)) * WAYS;
    wire [TAG_BITS-1:0] tag = {address_i[31:2+SET_BITS], address_i[1]};

    // The ways of the set, side by side.
    wire [WAYS-1:0]            way_valid, way_hit;
    wire [WIDTH*WAYS-1:0]      way_frequency;
    wire [INDEX_BITS*WAYS-1:0] way_index;
    genvar w;
    generate
        for (w = 0; w < WAYS; w = w + 1) begin : g_way
            wire [INDEX_BITS-1:0] index = first[INDEX_BITS-1:0] + w[INDEX_BITS-1:0];
            assign way_index[INDEX_BITS*w +: INDEX_BITS] = index;
            assign way_valid[w] = valid_q[index];
            assign way_hit[w] = valid_q[index] && tags[index] == tag;
            assign way_frequency[WIDTH*w +: WIDTH] = frequencies[index];
        end
    endgenerate

    // The one that has the address; else the first that is empty; else the least frequent.
    integer              way, e;
    reg                  hit, chosen_valid;
    reg [INDEX_BITS-1:0] chosen;
    reg [WIDTH-1:0]      chosen_frequency;
    always @* begin
        hit = way_hit[0];
        chosen = way_index[INDEX_BITS-1:0];
        chosen_valid = way_valid[0];
        chosen_frequency = way_frequency[WIDTH-1:0];
        for (way = 1; way < WAYS; way = way + 1)
            if (way_hit[way] || (!hit && chosen_valid &&
                (!way_valid[way] || way_frequency[WIDTH*way +: WIDTH] < chosen_frequency))) begin
                hit = way_hit[way];
                chosen = way_index[INDEX_BITS*way +: INDEX_BITS];
                chosen_valid = way_valid[way];
                chosen_frequency = way_frequency[WIDTH*way +: WIDTH];
            end
    end

    wire [WIDTH:0]   sum = {1'b0, hit ? chosen_frequency : {WIDTH{1'b0}}} + {1'b0, frequency_i};
    wire             carry = sum[WIDTH];
    wire [WIDTH-1:0] kept = carry ? sum[WIDTH:1] : sum[WIDTH-1:0];

    always @(posedge clk_i) begin
        if (!rst_ni)
            valid_q <= {ENTRIES{1'b0}};
        else if (update_i)
            valid_q[chosen] <= 1'b1;
        if (update_i)
            tags[chosen] <= tag;
    end
    always @(posedge clk_i) begin
        for (e = 0; e < ENTRIES; e = e + 1)
            if (halve_i || (update_i && carry))
                frequencies[e] <= frequencies[e] >> 1;
        if (update_i)
            frequencies[chosen] <= kept;
    end

    wire [31:0] read_set = {{32-INDEX_BITS{1'b0}}, read_i} / WAYS;
    wire [TAG_BITS-1:0] read_tag = tags[read_i];
    assign valid_o = valid_q[read_i];
    assign frequency_o = frequencies[read_i];
    assign address_o[31:2+SET_BITS] = read_tag[TAG_BITS-1:1];
    assign address_o[1] = read_tag[0];
    generate
        if (SET_BITS > 0) begin : g_set
            assign address_o[2 +: SET_BITS] = read_set[SET_BITS-1:0];
        end
    endgenerate
    wire unused = &{1'b0, first, read_set};

`ifdef FORMAL
    // A branch is in one entry at most, so it is counted once.
    integer e1, e2;
    always @(posedge clk_i)
        if (rst_ni)
            for (e1 = 0; e1 < ENTRIES; e1 = e1 + 1)
                for (e2 = e1 + 1; e2 < ENTRIES; e2 = e2 + 1)
                    if (e1 / WAYS == e2 / WAYS)
                        assert (!(valid_q[e1] && valid_q[e2] && tags[e1] == tags[e2]));
`endif
endmodule
`default_nettype wire
