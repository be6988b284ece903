// flatfoot_lsu - stage M's loads and stores: the data cache, the store buffer, devices.
//
// Rules 5 and 6 of docs/flatfoot.md. Fields m_* belong to the instruction in M and stay while it
// is there; x_addr_i is the address that enters M next.
module flatfoot_lsu #(
    parameter CACHE_BYTES  = 8192,
    parameter LINE_BYTES   = 16,
    parameter STORE_BUFFER = 2
) (
    input  wire        clk_i,
    input  wire        rst_ni,

    input  wire [31:2] x_addr_i,
    input  wire        m_load_i, // an access that has not trapped already
    input  wire        m_store_i,
    input  wire [31:0] m_addr_i,
    input  wire [2:0]  m_funct3_i, // size and sign
    input  wire [31:0] m_data_i,   // to store, from its lowest byte
    output wire        done_o,
    output wire        misaligned_o, // with done_o
    output wire        fault_o,      // with done_o
    output wire [31:0] data_o,       // loaded, with done_o
    output wire [3:0]  lanes_o,      // the bytes of the word that are accessed
    output wire [31:0] word_o,       // to store, in its place in the word
    output wire        drained_o,    // no store is on its way after this cycle
    output wire        cached_o,     // with done_o: it was looked up in the cache,
    output wire        hit_o,        // and was there

    input  wire        ram_i, // what m_addr_i is
    input  wire        device_i,

    output wire        mem_valid_o,
    output wire        mem_write_o,
    output wire        mem_line_o,
    output wire [31:0] mem_addr_o,
    output wire [3:0]  mem_strb_o,
    output wire [31:0] mem_wdata_o,
    input  wire        mem_rvalid_i,
    input  wire [31:0] mem_rdata_i,
    input  wire        mem_wdone_i,
    input  wire        mem_error_i
);
    localparam WORDS = LINE_BYTES / 4;
    localparam WORD_BITS = $clog2(WORDS);
    localparam LINE_BITS = $clog2(LINE_BYTES);

    localparam [1:0] LOOK = 2'd0; // the first cycles in M: lookup, waiting for the buffer
    localparam [1:0] WAIT = 2'd1; // for memory or a device
    localparam [1:0] LAST = 2'd2; // the answer is in word_q

    reg [1:0]           state_q;
    reg [WORD_BITS-1:0] count_q;
    reg [31:0]          word_q;
    reg                 error_q;

    // Lanes.
    wire       byte_size = m_funct3_i[1:0] == 2'd0;
    wire       half_size = m_funct3_i[1:0] == 2'd1;
    wire [1:0] offset = m_addr_i[1:0];
    assign lanes_o = byte_size ? 4'b0001 << offset : half_size ? 4'b0011 << offset : 4'b1111;
    assign word_o = byte_size ? {4{m_data_i[7:0]}} : half_size ? {2{m_data_i[15:0]}} : m_data_i;

    wire access = m_load_i || m_store_i;
    assign misaligned_o = access && (half_size ? offset[0] : !byte_size && offset != 2'd0);
    wire unmapped = access && !ram_i && !device_i;
    wire dead = misaligned_o || unmapped;

    // The cache; a store updates the line it hits.
    wire        hit;
    wire [31:0] cached;
    wire        buffer_full;
    wire        buffered = m_store_i && ram_i && !dead;
    wire        push = buffered && !buffer_full;
    wire        fill_word = state_q == WAIT && mem_line_o && mem_rvalid_i;
    wire        fill_last = fill_word && count_q == {WORD_BITS{1'b1}};
    wire        update = push && hit;
    wire [31:2] look = done_o ? x_addr_i : m_addr_i[31:2];
    wire [31:2] fill_addr = {m_addr_i[31:LINE_BITS], count_q};

    flatfoot_cache #(.BYTES(CACHE_BYTES), .LINE_BYTES(LINE_BYTES)) cache (
        .clk_i(clk_i),
        .flush_i(!rst_ni),
        .look_addr_i(look),
        .addr_i(m_addr_i[31:2]),
        .hit_o(hit),
        .data_o(cached),
        .write_i(fill_word || update),
        .write_tag_i(fill_last),
        .write_addr_i(fill_word ? fill_addr : m_addr_i[31:2]),
        .write_strb_i(fill_word ? 4'b1111 : lanes_o),
        .write_data_i(fill_word ? mem_rdata_i : word_o)
    );

    // A lookup does not see the store of the same cycle: those bytes are laid over it.
    reg [3:0]  over_q;
    reg [31:0] over_word_q;
    wire [31:0] current;
    genvar lane;
    generate
        for (lane = 0; lane < 4; lane = lane + 1) begin : lanes
            assign current[8*lane +: 8] = over_q[lane] ? over_word_q[8*lane +: 8]
                                                       : cached[8*lane +: 8];
        end
    endgenerate
    always @(posedge clk_i) begin
        over_q <= update && look == m_addr_i[31:2] ? lanes_o : 4'd0;
        over_word_q <= word_o;
    end

    // Memory and devices.
    wire needs_bus = !dead && (m_load_i ? device_i || !hit : m_store_i && device_i);
    wire answered = m_store_i ? mem_wdone_i : mem_line_o ? fill_last : mem_rvalid_i;

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            state_q <= LOOK;
            count_q <= {WORD_BITS{1'b0}};
        end else begin
            case (state_q)
                LOOK: if (needs_bus && drained_o) state_q <= WAIT;
                WAIT: if (answered) state_q <= LAST;
                default: state_q <= LOOK;
            endcase
            if (fill_word)
                count_q <= count_q + 1'b1;
        end
        if (state_q == WAIT && mem_rvalid_i && (device_i || count_q == m_addr_i[LINE_BITS-1:2]))
            word_q <= mem_rdata_i;
        if (state_q == WAIT)
            error_q <= mem_error_i;
    end

    wire        buffer_drained, buffer_valid;
    wire [31:2] buffer_addr;
    wire [3:0]  buffer_strb;
    wire [31:0] buffer_data;
    flatfoot_store_buffer #(.ENTRIES(STORE_BUFFER)) buffer (
        .clk_i(clk_i),
        .rst_ni(rst_ni),
        .push_i(push),
        .addr_i(m_addr_i[31:2]),
        .strb_i(lanes_o),
        .data_i(word_o),
        .full_o(buffer_full),
        .drained_o(buffer_drained),
        .valid_o(buffer_valid),
        .addr_o(buffer_addr),
        .strb_o(buffer_strb),
        .data_o(buffer_data),
        .done_i(mem_wdone_i)
    );
    assign drained_o = buffer_drained && !push;

    assign mem_valid_o = buffer_valid || state_q == WAIT;
    assign mem_write_o = buffer_valid || m_store_i;
    assign mem_line_o = !buffer_valid && ram_i;
    assign mem_addr_o = buffer_valid ? {buffer_addr, 2'd0}
                      : ram_i ? {m_addr_i[31:LINE_BITS], {LINE_BITS{1'b0}}} : m_addr_i;
    assign mem_strb_o = buffer_valid ? buffer_strb : ram_i ? 4'b1111 : lanes_o;
    assign mem_wdata_o = buffer_valid ? buffer_data : word_o;

    // The end of it.
    assign done_o = dead || state_q == LAST ||
                    (state_q == LOOK && (buffered ? !buffer_full : !needs_bus));
    assign cached_o = access && ram_i && !dead;
    assign hit_o = m_load_i ? state_q == LOOK : hit;
    assign fault_o = unmapped || (state_q == LAST && error_q);

    wire [31:0] raw = state_q == LAST ? word_q : current;
    wire [15:0] half = offset[1] ? raw[31:16] : raw[15:0];
    wire [7:0]  single = offset[0] ? half[15:8] : half[7:0];
    wire        sign = !m_funct3_i[2] && (byte_size ? single[7] : half[15]);
    assign data_o = byte_size ? {{24{sign}}, single} : half_size ? {{16{sign}}, half} : raw;

`ifdef FORMAL
    // An instruction that waits for an answer is one that needs one, and alone.
    always @(posedge clk_i)
        if (rst_ni && state_q != LOOK) begin
            assert (m_load_i || m_store_i);
            assert (!dead);
            assert (!(m_store_i && ram_i));
            assert (!buffer_valid);
        end
`endif
endmodule
