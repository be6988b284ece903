// flatfoot - an RV32IM core of five stages, whose timing docs/flatfoot.md tells to the cycle.
//
// Every stage register holds an instruction or a bubble, and a bubble carries the reason why it
// is one. A stage is free when it holds a bubble or what it holds leaves; whatever is behind it,
// instruction or bubble, then moves in. So what comes out of M is in each cycle either an
// instruction or the one reason why there is none.
//
// Stages are killed from the right: by M (traps, interrupts, sleep) all of F, D and X; by X
// (jumps) F and D; by D (jal) only F. An instruction in M is never killed: when it gets there
// everything before it has retired.
module flatfoot #(
    parameter ICACHE_BYTES = 8192, // powers of two
    parameter DCACHE_BYTES = 8192,
    parameter LINE_BYTES   = 16,   // of both caches, at least 8
    parameter STORE_BUFFER = 2,    // stores that may be on their way to memory
    parameter [31:0] RAM_BASE   = 32'h8000_0000, // the address map: see flatfoot_pma
    parameter [31:0] RAM_BYTES  = 32'h0040_0000,
    parameter [31:0] CLINT_BASE = 32'h0200_0000,
    parameter [31:0] UART_BASE  = 32'h1000_0000,
    parameter [31:0] TEST_BASE  = 32'hf000_0000,
    parameter [31:0] UNITS_BASE  = 32'h4000_0000,
    parameter [31:0] UNITS_BYTES = 32'd0
) (
    input  wire        clk_i,
    input  wire        rst_ni, // synchronous
    input  wire [31:0] reset_pc_i,

    input  wire        irq_software_i,
    input  wire        irq_timer_i,
    input  wire        irq_external_i,
    output wire        finish_o, // an instruction leaves M, or sleep ends: what others show now,
                                 // programs see until the next time

    // Memory. A request stays until its last answer: a line of words, a word, or done.
    output wire        mem_valid_o,
    output wire        mem_write_o,
    output wire        mem_line_o, // a whole line, from its first word; else what mem_strb_o says
    output wire [31:0] mem_addr_o,
    output wire [3:0]  mem_strb_o,
    output wire [31:0] mem_wdata_o,
    input  wire        mem_rvalid_i, // a word
    input  wire [31:0] mem_rdata_i,
    input  wire        mem_wdone_i,
    input  wire        mem_error_i,  // with either: a device refuses

    // What happens in this cycle, in the terms of RVFI.
    output wire        trace_valid_o, // an instruction retires, or traps
    output wire        trace_trap_o,  // it traps
    output wire        trace_intr_o,  // an interrupt is taken, behind it or out of sleep
    output wire [31:0] trace_pc_o,
    output wire [31:0] trace_next_pc_o,
    output wire [31:0] trace_insn_o,
    output wire [4:0]  trace_rd_addr_o, // 0 if none is written
    output wire [31:0] trace_rd_wdata_o,
    output wire [31:0] trace_mem_addr_o,
    output wire [3:0]  trace_mem_rmask_o,
    output wire [3:0]  trace_mem_wmask_o,
    output wire [31:0] trace_mem_wdata_o,
    output wire        trace_icache_hit_o, // of what retires or traps
    output wire        trace_icache_miss_o,
    output wire        trace_dcache_hit_o,
    output wire        trace_dcache_miss_o,
    output wire        trace_stall_valid_o, // nothing retires,
    output wire [3:0]  trace_stall_o        // for this reason: flatfoot_stalls.vh
);
`include "flatfoot_results.vh"
`include "flatfoot_stalls.vh"

    // Exceptions, as in mcause.
    localparam [3:0] CAUSE_FETCH_MISALIGNED = 4'd0;
    localparam [3:0] CAUSE_FETCH_FAULT      = 4'd1;
    localparam [3:0] CAUSE_ILLEGAL          = 4'd2;
    localparam [3:0] CAUSE_BREAKPOINT       = 4'd3;
    localparam [3:0] CAUSE_LOAD_MISALIGNED  = 4'd4;
    localparam [3:0] CAUSE_LOAD_FAULT       = 4'd5;
    localparam [3:0] CAUSE_STORE_MISALIGNED = 4'd6;
    localparam [3:0] CAUSE_STORE_FAULT      = 4'd7;
    localparam [3:0] CAUSE_ECALL_U          = 4'd8;
    localparam [3:0] CAUSE_ECALL_M          = 4'd11;

    // -- Stage registers -------------------------------------------------------------------

    reg        d_valid_q;
    reg [3:0]  d_bubble_q;
    reg        d_fault_q, d_missed_q;
    reg [31:0] d_pc_q, d_insn_q;

    reg        x_valid_q;
    reg [3:0]  x_bubble_q;
    reg        x_fault_q, x_missed_q, x_illegal_q;
    reg [31:0] x_pc_q, x_insn_q;
    reg [31:0] x_rs1_q;          // the value of rs1,
    reg [31:0] x_b_q;            // of rs2, or the immediate in its place
    reg [31:0] x_target_q;       // of the adder in decode
    reg [11:0] x_imm_q;          // of addresses
    reg        x_writes_q, x_variant_q;
    reg [2:0]  x_result_q;
    reg        x_jal_q, x_jalr_q, x_branch_q, x_load_q, x_store_q, x_mul_q, x_div_q, x_csr_q;
    reg        x_fence_i_q, x_ecall_q, x_ebreak_q, x_mret_q, x_wfi_q;

    reg        m_valid_q;
    reg [3:0]  m_bubble_q;
    reg [31:0] m_pc_q, m_next_pc_q, m_insn_q;
    reg [31:0] m_result_q; // an address, for loads and stores; what mtval gets, for traps
    reg [31:0] m_data_q;   // to store
    reg        m_writes_q, m_load_q, m_store_q, m_mul_q, m_wfi_q, m_counts_q;
    reg        m_trap_q, m_missed_q, m_fetched_q;
    reg [3:0]  m_cause_q;

    reg        w_writes_q;
    reg [4:0]  w_rd_q;
    reg [31:0] w_data_q;

    reg        asleep_q;

    // -- Which stage moves -------------------------------------------------------------------

    wire        f_valid, f_fault, f_missed;
    wire [31:0] f_pc, f_insn;
    wire        d_ready, x_done, m_ready;    // ready to leave, as far as the stage itself goes
    wire        m_kill, x_jump;              // drops what is behind
    wire [3:0]  m_kill_bubble;               // and why

    wire m_free = !m_valid_q || m_ready;
    wire x_leave = x_valid_q && x_done && m_free;
    wire x_go = x_leave && !m_kill;
    wire x_free = !x_valid_q || x_leave;
    wire d_leave = d_valid_q && d_ready && x_free;
    wire d_go = d_leave && !x_jump && !m_kill;
    wire d_free = !d_valid_q || d_leave;
    wire f_go = f_valid && d_free;

    // -- F ---------------------------------------------------------------------------------

    wire        lsu_drained, fill;
    wire        f_ram;
    wire [31:12] f_page;
    wire        flush;
    wire        d_jump;
    wire [31:0] d_target, x_target, m_target;
    wire        redirect = m_kill || x_jump || d_jump;
    wire [31:0] target = m_kill ? m_target : x_jump ? x_target : d_target;

    flatfoot_fetch #(.CACHE_BYTES(ICACHE_BYTES), .LINE_BYTES(LINE_BYTES)) fetch (
        .clk_i(clk_i),
        .rst_ni(rst_ni),
        .reset_pc_i(reset_pc_i),
        .redirect_i(redirect),
        .target_i(target),
        .asleep_i(asleep_q),
        .drained_i(!d_valid_q && !x_valid_q && m_free && lsu_drained),
        .flush_i(flush),
        .valid_o(f_valid),
        .fault_o(f_fault),
        .pc_o(f_pc),
        .insn_o(f_insn),
        .missed_o(f_missed),
        .ready_i(d_free),
        .page_o(f_page),
        .ram_i(f_ram),
        .fill_o(fill),
        .word_valid_i(mem_rvalid_i),
        .word_i(mem_rdata_i)
    );

    wire f_device_unused;
    flatfoot_pma #(
        .RAM_BASE(RAM_BASE), .RAM_BYTES(RAM_BYTES), .CLINT_BASE(CLINT_BASE),
        .UART_BASE(UART_BASE), .TEST_BASE(TEST_BASE), .UNITS_BASE(UNITS_BASE), .UNITS_BYTES(UNITS_BYTES)
    ) f_map (
        .page_i(f_page),
        .ram_o(f_ram),
        .device_o(f_device_unused)
    );

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            d_valid_q <= 1'b0;
            d_bubble_q <= STALL_STRUCTURAL;
        end else if (m_kill || x_jump || d_free) begin
            d_valid_q <= f_go && !redirect;
            d_bubble_q <= m_kill ? m_kill_bubble
                        : redirect ? STALL_BRANCH
                        : asleep_q ? STALL_IDLE : STALL_I_MISS;
        end
        if (d_free) begin
            d_pc_q <= f_pc;
            d_insn_q <= f_insn;
            d_fault_q <= f_fault;
            d_missed_q <= f_missed;
        end
    end

    // -- D ---------------------------------------------------------------------------------

    wire        d_illegal, d_reads1, d_reads2, d_writes, d_from_zero, d_immediate, d_variant;
    wire        d_jal, d_jalr, d_branch, d_load, d_store, d_mul, d_div, d_csr, d_fence_i;
    wire        d_ecall, d_ebreak, d_mret, d_wfi;
    wire [31:0] d_imm;
    wire [2:0]  d_result;

    flatfoot_decode decode (
        .insn_i(d_insn_q),
        .illegal_o(d_illegal),
        .reads1_o(d_reads1),
        .reads2_o(d_reads2),
        .writes_o(d_writes),
        .imm_o(d_imm),
        .from_zero_o(d_from_zero),
        .immediate_o(d_immediate),
        .alu_variant_o(d_variant),
        .result_o(d_result),
        .jal_o(d_jal),
        .jalr_o(d_jalr),
        .branch_o(d_branch),
        .load_o(d_load),
        .store_o(d_store),
        .mul_o(d_mul),
        .div_o(d_div),
        .csr_o(d_csr),
        .fence_i_o(d_fence_i),
        .ecall_o(d_ecall),
        .ebreak_o(d_ebreak),
        .mret_o(d_mret),
        .wfi_o(d_wfi)
    );

    // Registers: the newest value wins.
    wire [4:0]  rs1 = d_insn_q[19:15], rs2 = d_insn_q[24:20];
    wire [4:0]  x_rd = x_insn_q[11:7], m_rd = m_insn_q[11:7];
    wire [31:0] file1, file2, x_result, m_value;
    wire        m_write; // into the register file, in this cycle

    flatfoot_regfile regfile (
        .clk_i(clk_i),
        .read1_i(d_free ? f_insn[19:15] : rs1),
        .read2_i(d_free ? f_insn[24:20] : rs2),
        .data1_o(file1),
        .data2_o(file2),
        .write_i(m_write),
        .write_addr_i(m_rd),
        .write_data_i(m_value)
    );

    wire x_makes = x_valid_q && x_writes_q, m_makes = m_valid_q && m_writes_q;
    wire x_is1 = x_makes && x_rd == rs1, x_is2 = x_makes && x_rd == rs2;
    wire m_is1 = m_makes && m_rd == rs1, m_is2 = m_makes && m_rd == rs2;
    wire [31:0] d_rs1 = x_is1 ? x_result : m_is1 ? m_value
                      : w_writes_q && w_rd_q == rs1 ? w_data_q : file1;
    wire [31:0] d_rs2 = x_is2 ? x_result : m_is2 ? m_value
                      : w_writes_q && w_rd_q == rs2 ? w_data_q : file2;

    // Rule 3: a load or multiply right ahead has to be done in M.
    wire x_late = x_load_q || x_mul_q;
    wire wait_x = x_late && ((d_reads1 && x_is1) || (d_reads2 && x_is2));
    wire wait_m = !m_ready && ((d_reads1 && m_is1) || (d_reads2 && m_is2));
    assign d_ready = d_fault_q || !(wait_x || wait_m);
    wire wait_load = wait_x ? x_load_q : m_load_q;

    assign d_target = (d_from_zero ? 32'd0 : d_pc_q) + d_imm;
    assign d_jump = d_go && d_jal && !d_fault_q;

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            x_valid_q <= 1'b0;
            x_bubble_q <= STALL_STRUCTURAL;
        end else if (m_kill || x_free) begin
            x_valid_q <= d_go;
            x_bubble_q <= m_kill ? m_kill_bubble
                        : x_jump ? STALL_BRANCH
                        : !d_valid_q ? d_bubble_q
                        : wait_load ? STALL_LOAD_USE : STALL_HAZARD;
        end
        if (x_free) begin
            x_pc_q <= d_pc_q;
            x_insn_q <= d_insn_q;
            x_fault_q <= d_fault_q;
            x_missed_q <= d_missed_q;
            x_illegal_q <= d_illegal;
            x_rs1_q <= d_rs1;
            x_b_q <= d_immediate ? d_imm : d_rs2;
            x_target_q <= d_target;
            x_imm_q <= d_imm[11:0];
            x_writes_q <= d_writes && !d_fault_q;
            x_variant_q <= d_variant;
            x_result_q <= d_result;
            x_jal_q <= d_jal && !d_fault_q;
            x_jalr_q <= d_jalr && !d_fault_q;
            x_branch_q <= d_branch && !d_fault_q;
            x_load_q <= d_load && !d_fault_q;
            x_store_q <= d_store && !d_fault_q;
            x_mul_q <= d_mul && !d_fault_q;
            x_div_q <= d_div && !d_fault_q;
            x_csr_q <= d_csr && !d_fault_q;
            x_fence_i_q <= d_fence_i && !d_fault_q;
            x_ecall_q <= d_ecall;
            x_ebreak_q <= d_ebreak;
            x_mret_q <= d_mret && !d_fault_q;
            x_wfi_q <= d_wfi && !d_fault_q;
        end
    end

    // -- X ---------------------------------------------------------------------------------

    wire [2:0]  x_funct3 = x_insn_q[14:12];
    wire [31:0] alu_result, csr_value, div_result, mul_result;
    wire        alu_taken, div_done, csr_illegal, x_user, x_wfi_traps, csr_counts;
    wire [31:0] mepc;
    wire [31:0] x_addr = x_rs1_q + {{20{x_imm_q[11]}}, x_imm_q};
    wire [31:0] x_behind = x_pc_q + 32'd4;

    flatfoot_alu alu (
        .a_i(x_rs1_q),
        .b_i(x_b_q),
        .op_i(x_funct3),
        .variant_i(x_variant_q),
        .result_o(alu_result),
        .taken_o(alu_taken)
    );
    flatfoot_mul mul (
        .clk_i(clk_i),
        .start_i(x_go),
        .a_i(x_rs1_q),
        .b_i(x_b_q),
        .op_i(x_funct3[1:0]),
        .result_o(mul_result)
    );
    flatfoot_div div (
        .clk_i(clk_i),
        .rst_ni(rst_ni),
        .busy_i(x_valid_q && x_div_q),
        .leave_i(m_kill || x_leave),
        .a_i(x_rs1_q),
        .b_i(x_b_q),
        .op_i(x_funct3[1:0]),
        .done_o(div_done),
        .result_o(div_result)
    );
    assign x_done = !x_div_q || div_done;

    reg [31:0] result;
    always @* begin
        case (x_result_q)
            RESULT_TARGET: result = x_target_q;
            RESULT_LINK: result = x_behind;
            RESULT_CSR: result = csr_value;
            RESULT_DIV: result = div_result;
            RESULT_MEMORY: result = x_addr; // the address
            RESULT_ALU, RESULT_MUL: result = alu_result; // a multiply's comes from M
            default: result = x_addr;
        endcase
    end
    assign x_result = result;

    // Where it goes.
    wire        x_branches = x_branch_q && alu_taken;
    wire [31:0] x_jump_target = x_jalr_q ? {x_addr[31:1], 1'b0} : x_target_q;
    wire        x_misaligned = (x_jal_q || x_jalr_q || x_branches) && x_jump_target[1];

    // What is wrong with it.
    wire x_bad = x_illegal_q || (x_csr_q && csr_illegal) || (x_mret_q && x_user) ||
                 (x_wfi_q && x_wfi_traps);
    wire x_trap = x_fault_q || x_bad || x_misaligned || x_ecall_q || x_ebreak_q;
    reg [3:0]  x_cause;
    reg [31:0] x_tval;
    always @* begin
        x_cause = x_user ? CAUSE_ECALL_U : CAUSE_ECALL_M;
        x_tval = 32'd0;
        if (x_fault_q) begin
            x_cause = CAUSE_FETCH_FAULT;
            x_tval = x_pc_q;
        end else if (x_bad) begin
            x_cause = CAUSE_ILLEGAL; // of a word that is none, the half that says so
            x_tval = x_insn_q[1:0] == 2'b11 ? x_insn_q : {16'd0, x_insn_q[15:0]};
        end else if (x_misaligned) begin
            x_cause = CAUSE_FETCH_MISALIGNED;
            x_tval = x_jump_target;
        end else if (x_ebreak_q) begin
            x_cause = CAUSE_BREAKPOINT;
            x_tval = x_pc_q;
        end
    end

    wire x_leaves_line = x_branches || x_jalr_q || x_mret_q || x_fence_i_q;
    // Whether it traps takes long to find out, and is mostly of no matter to those that jump.
    assign x_jump = x_go && (((x_branches || x_jalr_q) && !x_jump_target[1]) ||
                             (x_mret_q && !x_user) || x_fence_i_q);
    assign x_target = x_mret_q ? mepc : x_fence_i_q ? x_behind : x_jump_target;
    assign flush = x_go && x_fence_i_q;

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            m_valid_q <= 1'b0;
            m_bubble_q <= STALL_STRUCTURAL;
        end else if (m_free) begin
            m_valid_q <= x_go;
            m_bubble_q <= m_kill ? m_kill_bubble : x_valid_q ? STALL_MULDIV : x_bubble_q;
        end
        if (x_go) begin
            m_pc_q <= x_pc_q;
            m_next_pc_q <= x_leaves_line || x_jal_q ? x_target : x_behind;
            m_insn_q <= x_insn_q;
            m_result_q <= x_trap ? x_tval : x_result;
            m_data_q <= x_b_q;
            m_writes_q <= x_writes_q && !x_trap;
            m_load_q <= x_load_q && !x_trap;
            m_store_q <= x_store_q && !x_trap;
            m_mul_q <= x_mul_q;
            m_wfi_q <= x_wfi_q && !x_trap;
            m_counts_q <= !(x_csr_q && csr_counts);
            m_trap_q <= x_trap;
            m_missed_q <= x_missed_q;
            m_fetched_q <= !x_fault_q;
            m_cause_q <= x_cause;
        end
    end

    // -- M ---------------------------------------------------------------------------------

    wire        lsu_done, lsu_misaligned, lsu_fault, lsu_cached, lsu_hit;
    wire [31:0] lsu_data, lsu_word;
    wire [3:0]  lsu_lanes;
    wire        m_ram, m_device;
    wire        lsu_valid, lsu_write, lsu_line;
    wire [31:0] lsu_addr;
    wire [3:0]  lsu_strb;

    flatfoot_pma #(
        .RAM_BASE(RAM_BASE), .RAM_BYTES(RAM_BYTES), .CLINT_BASE(CLINT_BASE),
        .UART_BASE(UART_BASE), .TEST_BASE(TEST_BASE), .UNITS_BASE(UNITS_BASE), .UNITS_BYTES(UNITS_BYTES)
    ) m_map (
        .page_i(m_result_q[31:12]),
        .ram_o(m_ram),
        .device_o(m_device)
    );
    flatfoot_lsu #(
        .CACHE_BYTES(DCACHE_BYTES), .LINE_BYTES(LINE_BYTES), .STORE_BUFFER(STORE_BUFFER)
    ) lsu (
        .clk_i(clk_i),
        .rst_ni(rst_ni),
        .x_addr_i(x_addr[31:2]),
        .m_load_i(m_valid_q && m_load_q),
        .m_store_i(m_valid_q && m_store_q),
        .m_addr_i(m_result_q),
        .m_funct3_i(m_insn_q[14:12]),
        .m_data_i(m_data_q),
        .done_o(lsu_done),
        .misaligned_o(lsu_misaligned),
        .fault_o(lsu_fault),
        .data_o(lsu_data),
        .lanes_o(lsu_lanes),
        .word_o(lsu_word),
        .drained_o(lsu_drained),
        .cached_o(lsu_cached),
        .hit_o(lsu_hit),
        .ram_i(m_ram),
        .device_i(m_device),
        .mem_valid_o(lsu_valid),
        .mem_write_o(lsu_write),
        .mem_line_o(lsu_line),
        .mem_addr_o(lsu_addr),
        .mem_strb_o(lsu_strb),
        .mem_wdata_o(mem_wdata_o),
        .mem_rvalid_i(mem_rvalid_i),
        .mem_rdata_i(mem_rdata_i),
        .mem_wdone_i(mem_wdone_i),
        .mem_error_i(mem_error_i)
    );

    assign m_ready = lsu_done;
    wire       m_finish = m_valid_q && lsu_done;
    wire       m_trap = m_trap_q || lsu_misaligned || lsu_fault;
    wire       m_retire = m_finish && !m_trap;
    wire [3:0] m_cause = m_trap_q ? m_cause_q
                       : m_store_q ? (lsu_misaligned ? CAUSE_STORE_MISALIGNED : CAUSE_STORE_FAULT)
                       : (lsu_misaligned ? CAUSE_LOAD_MISALIGNED : CAUSE_LOAD_FAULT);
    assign m_value = m_load_q ? lsu_data : m_mul_q ? mul_result : m_result_q;
    assign m_write = m_retire && m_writes_q;

    // Rule 7. Sleep begins with a wfi for which nothing is pending, and ends when something is.
    wire irq_pending, irq_enabled;
    wire m_traps = m_finish && m_trap;
    wire m_sleeps = m_retire && m_wfi_q && !irq_pending;
    wire wakes = asleep_q && irq_pending;
    wire m_interrupt = (m_retire || asleep_q) && irq_pending && irq_enabled;
    wire [31:0] vector;
    assign m_kill_bubble = m_traps || m_interrupt ? STALL_TRAP
                         : wakes ? STALL_BRANCH : STALL_IDLE;
    assign finish_o = m_finish || wakes;
    assign m_kill = m_traps || m_interrupt || m_sleeps || wakes;
    assign m_target = m_traps || m_interrupt ? vector : m_next_pc_q;

    always @(posedge clk_i) begin
        if (!rst_ni)
            asleep_q <= 1'b0;
        else
            asleep_q <= m_sleeps || (asleep_q && !irq_pending);
    end

    flatfoot_csr csr (
        .clk_i(clk_i),
        .rst_ni(rst_ni),
        .irq_software_i(irq_software_i),
        .irq_timer_i(irq_timer_i),
        .irq_external_i(irq_external_i),
        .csr_i(x_insn_q[31:20]),
        .change_i(x_funct3[1:0]),
        .writes_i(x_funct3[1:0] == 2'd1 || x_insn_q[19:15] != 5'd0),
        .operand_i(x_funct3[2] ? {27'd0, x_insn_q[19:15]} : x_rs1_q),
        .value_o(csr_value),
        .illegal_o(csr_illegal),
        .access_i(x_go && x_csr_q && !csr_illegal),
        .return_i(x_go && x_mret_q && !x_user),
        .user_o(x_user),
        .wfi_traps_o(x_wfi_traps),
        .mepc_o(mepc),
        .writes_minstret_o(csr_counts),
        .m_valid_i(m_valid_q),
        .m_counts_i(m_counts_q),
        .finish_i(finish_o),
        .retire_i(m_retire),
        .trap_i(m_traps),
        .cause_i(m_cause),
        .tval_i(m_result_q),
        .trap_pc_i(m_pc_q),
        .interrupt_i(m_interrupt),
        .next_pc_i(m_next_pc_q),
        .pending_o(irq_pending),
        .enabled_o(irq_enabled),
        .vector_o(vector)
    );

    // -- W: what the register file does not show yet -----------------------------------------

    always @(posedge clk_i) begin
        w_writes_q <= m_write && rst_ni;
        w_rd_q <= m_rd;
        w_data_q <= m_value;
    end

    // -- The memory port: a fill of F is under way only when M and the buffer are empty --------

    assign mem_valid_o = lsu_valid || fill;
    assign mem_write_o = !fill && lsu_write;
    assign mem_line_o = fill || lsu_line;
    assign mem_addr_o = fill ? f_pc & ~(LINE_BYTES - 32'd1) : lsu_addr;
    assign mem_strb_o = fill ? 4'b1111 : lsu_strb;

    // -- Trace -----------------------------------------------------------------------------

    assign trace_valid_o = m_finish;
    assign trace_trap_o = m_trap;
    assign trace_intr_o = m_interrupt;
    assign trace_pc_o = m_pc_q;
    assign trace_next_pc_o = m_next_pc_q;
    assign trace_insn_o = m_insn_q;
    assign trace_rd_addr_o = m_write ? m_rd : 5'd0;
    assign trace_rd_wdata_o = m_value;
    assign trace_mem_addr_o = m_result_q;
    assign trace_mem_rmask_o = m_load_q ? lsu_lanes : 4'd0;
    assign trace_mem_wmask_o = m_store_q ? lsu_lanes : 4'd0;
    assign trace_mem_wdata_o = lsu_word;
    assign trace_icache_hit_o = m_finish && m_fetched_q && !m_missed_q;
    assign trace_icache_miss_o = m_finish && m_fetched_q && m_missed_q;
    assign trace_dcache_hit_o = m_finish && lsu_cached && lsu_hit;
    assign trace_dcache_miss_o = m_finish && lsu_cached && !lsu_hit;
    assign trace_stall_valid_o = !m_retire;
    assign trace_stall_o = !m_valid_q ? m_bubble_q
                         : m_finish ? STALL_TRAP
                         : m_store_q ? STALL_D_WRITE : STALL_D_READ;

`ifdef FORMAL
    reg started_q = 1'b0;
    always @(posedge clk_i) begin
        started_q <= 1'b1;
        assume (started_q || !rst_ni);
        if (rst_ni) begin
            // x0 is never written.
            assert (!(x_valid_q && x_writes_q && x_rd == 5'd0));
            assert (!(m_valid_q && m_writes_q && m_rd == 5'd0));
            assert (!(m_write && m_rd == 5'd0));
            // An instruction that jumps is nothing else, and does if it does not trap.
            if (x_valid_q && (x_branch_q || x_jalr_q || x_mret_q || x_fence_i_q)) begin
                assert (!x_fault_q && !x_illegal_q && !x_csr_q && !x_wfi_q && !x_ecall_q && !x_ebreak_q);
                assert (!x_jal_q);
                assert ({2'd0, x_branch_q} + {2'd0, x_jalr_q} + {2'd0, x_mret_q} +
                        {2'd0, x_fence_i_q} == 3'd1);
            end
            assert (x_jump == (x_go && x_leaves_line && !x_trap));
            // The memory port never has two customers: a fill has the core for itself.
            if (fill) begin
                assert (!d_valid_q && !x_valid_q && !m_valid_q && !asleep_q);
                assert (!lsu_valid);
            end
            // Asleep is asleep.
            if (asleep_q)
                assert (!d_valid_q && !x_valid_q && !m_valid_q);
            // A cycle retires one instruction, or has one reason why not.
            assert (trace_stall_valid_o != (trace_valid_o && !trace_trap_o));
        end
    end
`endif
endmodule
