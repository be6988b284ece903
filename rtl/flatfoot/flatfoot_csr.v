// flatfoot_csr - control registers, counters, and the way into and out of traps.
//
// A control register is read and written in the last cycle in X, so that interrupts are
// decided, in M, with what the instruction wrote. What changes by itself (time, counters,
// mip) is seen as of the last cycle in M of the instruction before: rule 8.
module flatfoot_csr (
    input  wire        clk_i,
    input  wire        rst_ni,

    input  wire        irq_software_i,
    input  wire        irq_timer_i,
    input  wire        irq_external_i,

    // Stage X.
    input  wire [11:0] csr_i,
    input  wire [1:0]  change_i,  // 1 write, 2 set, 3 clear: funct3
    input  wire        writes_i,  // not a set or clear of nothing
    input  wire [31:0] operand_i,
    output wire [31:0] value_o,   // the old one
    output wire        illegal_o,
    input  wire        access_i,  // a csr instruction leaves X
    input  wire        return_i,  // an mret leaves X
    output wire        user_o,    // the mode that X is in
    output wire        wfi_traps_o,
    output wire [31:0] mepc_o,
    output wire        writes_minstret_o, // this one does not count itself

    // Stage M.
    input  wire        m_valid_i,
    input  wire        m_counts_i,
    input  wire        finish_i, // the instruction in M is done, or sleep ends
    input  wire        retire_i, // it retires
    input  wire        trap_i,   // it traps
    input  wire [3:0]  cause_i,
    input  wire [31:0] tval_i,
    input  wire [31:0] trap_pc_i,
    input  wire        interrupt_i, // an interrupt is taken, back to next_pc_i
    input  wire [31:0] next_pc_i,
    output wire        pending_o,   // one that mie lets through,
    output wire        enabled_o,   // and may be taken
    output wire [31:0] vector_o
);
    localparam [11:0] MSTATUS = 12'h300, MISA = 12'h301, MIE = 12'h304, MTVEC = 12'h305,
                      MCOUNTEREN = 12'h306, MSTATUSH = 12'h310, MCOUNTINHIBIT = 12'h320,
                      MSCRATCH = 12'h340, MEPC = 12'h341, MCAUSE = 12'h342, MTVAL = 12'h343,
                      MIP = 12'h344, MCYCLE = 12'hb00, MINSTRET = 12'hb02, MCYCLEH = 12'hb80,
                      MINSTRETH = 12'hb82, CYCLE = 12'hc00, TIME = 12'hc01, INSTRET = 12'hc02,
                      CYCLEH = 12'hc80, TIMEH = 12'hc81, INSTRETH = 12'hc82;
    localparam [31:0] MISA_VALUE = 32'h4010_1100; // RV32IM, and user mode

    reg        user_q, mie_q, mpie_q, mpp_q, mprv_q, tw_q;
    reg [2:0]  irq_enable_q; // external, timer, software
    reg [2:0]  mcounteren_q;
    reg [31:2] mtvec_q, mepc_q;
    reg        vectored_q;
    reg [31:0] mscratch_q, mtval_q;
    reg        interrupt_q; // mcause
    reg [4:0]  cause_q;
    reg [63:0] cycle_q; // from 1 in the first cycle after reset
    reg [63:0] time_q;  // of the last finish_i
    reg [63:0] mcycle_q; // in the cycle after the last finish_i,
    reg [31:0] passed_q; // since when so many have passed
    reg [63:0] minstret_q;
    reg [2:0]  lines_q;

    wire [2:0] lines = {irq_external_i, irq_timer_i, irq_software_i};

    // What the instruction in X sees. When it leaves X, the one in M is done or there is none.
    wire [63:0] time_seen = m_valid_i ? cycle_q : time_q;
    wire [2:0]  lines_seen = m_valid_i ? lines : lines_q;
    wire [63:0] mcycle_seen = mcycle_q + (m_valid_i ? {32'd0, passed_q} : {64{1'b1}});
    wire [63:0] minstret_seen = minstret_q + {63'd0, m_valid_i && m_counts_i};

    function [31:0] spread(input [2:0] bits); // mie and mip
        spread = {20'd0, bits[2], 3'd0, bits[1], 3'd0, bits[0], 3'd0};
    endfunction

    wire [31:0] mstatus = {10'd0, tw_q, 3'd0, mprv_q, 4'd0, {2{mpp_q}}, 3'd0, mpie_q, 3'd0, mie_q,
                           3'd0};
    wire constant_zero = csr_i == MSTATUSH || csr_i == MCOUNTINHIBIT ||
                         (csr_i >= 12'h323 && csr_i <= 12'h33f) || // mhpmevent
                         (csr_i >= 12'h3a0 && csr_i <= 12'h3ef) || // pmpcfg, pmpaddr
                         (csr_i >= 12'hb03 && csr_i <= 12'hb1f) || // mhpmcounter
                         (csr_i >= 12'hb83 && csr_i <= 12'hb9f) ||
                         (csr_i >= 12'hf11 && csr_i <= 12'hf15);   // vendor, architecture and so on
    reg [31:0] value;
    reg        known;
    always @* begin
        known = 1'b1;
        case (csr_i)
            MSTATUS: value = mstatus;
            MISA: value = MISA_VALUE;
            MIE: value = spread(irq_enable_q);
            MTVEC: value = {mtvec_q, 1'b0, vectored_q};
            MCOUNTEREN: value = {29'd0, mcounteren_q};
            MSCRATCH: value = mscratch_q;
            MEPC: value = {mepc_q, 2'd0};
            MCAUSE: value = {interrupt_q, 26'd0, cause_q};
            MTVAL: value = mtval_q;
            MIP: value = spread(lines_seen);
            MCYCLE, CYCLE: value = mcycle_seen[31:0];
            MCYCLEH, CYCLEH: value = mcycle_seen[63:32];
            TIME: value = time_seen[31:0];
            TIMEH: value = time_seen[63:32];
            MINSTRET, INSTRET: value = minstret_seen[31:0];
            MINSTRETH, INSTRETH: value = minstret_seen[63:32];
            default: begin
                value = 32'd0;
                known = constant_zero;
            end
        endcase
    end

    wire read_only = csr_i[11:10] == 2'b11;
    wire for_user = csr_i[9:8] == 2'b00;
    wire counter_off = csr_i[11:8] == 4'hc &&
                       !(csr_i[4:0] < 5'd3 && mcounteren_q[csr_i[1:0]]);
    assign illegal_o = !known || (writes_i && read_only) || (user_q && (!for_user || counter_off));
    assign value_o = value;
    assign user_o = user_q;
    assign wfi_traps_o = user_q && tw_q;
    assign mepc_o = {mepc_q, 2'd0};

    wire        write = access_i && writes_i;
    wire [31:0] written = change_i == 2'd1 ? operand_i
                        : change_i == 2'd2 ? value | operand_i : value & ~operand_i;
    assign writes_minstret_o = writes_i && (csr_i == MINSTRET || csr_i == MINSTRETH);

    // The counter goes on from what is written as if that had been in the cycle after
    // the instruction before.
    wire [63:0] mcycle_written = csr_i == MCYCLE ? {mcycle_seen[63:32], written}
                                                 : {written, mcycle_seen[31:0]};

    wire [2:0] ready = lines & irq_enable_q;
    wire       enter = trap_i || interrupt_i;
    wire [4:0] irq_cause = ready[2] ? 5'd11 : ready[0] ? 5'd3 : 5'd7;
    assign pending_o = ready != 3'd0;
    assign enabled_o = mie_q || user_q;
    assign vector_o = {mtvec_q + (vectored_q && !trap_i ? {25'd0, irq_cause} : 30'd0), 2'd0};

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            user_q <= 1'b0;
            mie_q <= 1'b0;
            mpie_q <= 1'b0;
            mpp_q <= 1'b1;
            mprv_q <= 1'b0;
            tw_q <= 1'b0;
        end else if (enter) begin
            user_q <= 1'b0;
            mie_q <= 1'b0;
            mpie_q <= mie_q;
            mpp_q <= !user_q;
        end else if (return_i) begin
            user_q <= !mpp_q;
            mie_q <= mpie_q;
            mpie_q <= 1'b1;
            mpp_q <= 1'b0;
            mprv_q <= mprv_q && mpp_q;
        end else if (write && csr_i == MSTATUS) begin
            mie_q <= written[3];
            mpie_q <= written[7];
            if (written[12] == written[11]) // only user and machine mode exist
                mpp_q <= written[11];
            mprv_q <= written[17];
            tw_q <= written[21];
        end
    end

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            irq_enable_q <= 3'd0;
            mcounteren_q <= 3'd7;
            mtvec_q <= 30'd0;
            vectored_q <= 1'b0;
            mscratch_q <= 32'd0;
            mepc_q <= 30'd0;
            interrupt_q <= 1'b0;
            cause_q <= 5'd0;
            mtval_q <= 32'd0;
        end else if (enter) begin
            mepc_q <= trap_i ? trap_pc_i[31:2] : next_pc_i[31:2];
            interrupt_q <= !trap_i;
            cause_q <= trap_i ? {1'b0, cause_i} : irq_cause;
            mtval_q <= trap_i ? tval_i : 32'd0;
        end else if (write) begin
            case (csr_i)
                MIE: irq_enable_q <= {written[11], written[7], written[3]};
                MTVEC: {mtvec_q, vectored_q} <= {written[31:2], written[0]};
                MCOUNTEREN: mcounteren_q <= written[2:0];
                MSCRATCH: mscratch_q <= written;
                MEPC: mepc_q <= written[31:2];
                MCAUSE: {interrupt_q, cause_q} <= {written[31], written[4:0]};
                MTVAL: mtval_q <= written;
                default: ;
            endcase
        end
    end

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            cycle_q <= 64'd1;
            time_q <= 64'd0;
            lines_q <= 3'd0;
            mcycle_q <= 64'd1;
            passed_q <= 32'd0;
            minstret_q <= 64'd0;
        end else begin
            cycle_q <= cycle_q + 64'd1;
            passed_q <= finish_i ? 32'd0 : passed_q + 32'd1;
            if (finish_i) begin
                time_q <= cycle_q;
                lines_q <= lines;
            end
            if (write && (csr_i == MCYCLE || csr_i == MCYCLEH))
                mcycle_q <= mcycle_written;
            else if (finish_i)
                mcycle_q <= mcycle_q + {32'd0, passed_q} + 64'd1;
            if (write && csr_i == MINSTRET)
                minstret_q <= {minstret_seen[63:32], written};
            else if (write && csr_i == MINSTRETH)
                minstret_q <= {written, minstret_seen[31:0]};
            else if (retire_i)
                minstret_q <= minstret_seen;
        end
    end

    wire unused = &{1'b0, trap_pc_i[1:0], next_pc_i[1:0]};
endmodule
