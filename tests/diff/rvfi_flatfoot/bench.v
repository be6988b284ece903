// bench - flatfoot runs a program from RAM_FILE. What it says over RVFI is checked as riscv-formal does, and SnoopP
// behind rvfi_port has to count what it counts on the trace port itself.
module bench #(
    parameter RAM_FILE = "",
    parameter [31:0] RESET_PC = 32'h8000_0000
) (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire        ends_i, // nothing more is told to anyone
    output wire        retires_o,
    output wire        exits_o,
    output reg  [31:0] failures_o,
    output reg  [31:0] checked_o, // instructions whose results were
    output reg  [31:0] traps_o,
    output reg  [31:0] traps_seen_o,
    output wire        same_o // SnoopP's counters
);
    wire        s_valid, s_intr, s_stalled, trap;
    wire [31:0] pc, next_pc, insn, rd_wdata, mem_addr, mem_wdata;
    wire [4:0]  rd_addr;
    wire [3:0]  rmask, wmask, stall;
    flatfoot_soc #(.RAM_FILE(RAM_FILE), .ICACHE_BYTES(1024), .DCACHE_BYTES(1024)) soc (
        .clk_i(clk_i), .rst_ni(rst_ni), .reset_pc_i(RESET_PC), .rx_valid_i(1'b0), .rx_data_i(8'd0),
        .exit_valid_o(exits_o), .trace_valid_o(s_valid), .trace_trap_o(trap), .trace_intr_o(s_intr),
        .trace_pc_o(pc), .trace_next_pc_o(next_pc), .trace_insn_o(insn), .trace_rd_addr_o(rd_addr),
        .trace_rd_wdata_o(rd_wdata), .trace_mem_addr_o(mem_addr), .trace_mem_rmask_o(rmask),
        .trace_mem_wmask_o(wmask), .trace_mem_wdata_o(mem_wdata), .trace_stall_valid_o(s_stalled),
        .trace_stall_o(stall)
    );
    wire valid = s_valid && !ends_i, stalled = s_stalled && !ends_i, intr = s_intr && !ends_i;
    assign retires_o = s_valid && !trap && !s_intr;

    wire        r_valid, r_trap, r_halt, r_intr;
    wire [63:0] r_order;
    wire [31:0] r_insn, r_rs1, r_rs2, r_rd, r_pc, r_next, r_addr, r_rdata, r_wdata;
    wire [4:0]  r_rs1_addr, r_rs2_addr, r_rd_addr;
    wire [3:0]  r_rmask, r_wmask;
    wire [1:0]  r_mode, r_ixl;
    flatfoot_rvfi rvfi (
        .clk_i(clk_i), .rst_ni(rst_ni), .trace_valid_i(valid), .trace_trap_i(trap), .trace_intr_i(intr),
        .trace_pc_i(pc), .trace_next_pc_i(next_pc), .trace_insn_i(insn), .trace_rd_addr_i(rd_addr),
        .trace_rd_wdata_i(rd_wdata), .trace_mem_addr_i(mem_addr), .trace_mem_rmask_i(rmask),
        .trace_mem_wmask_i(wmask), .trace_mem_wdata_i(mem_wdata),
        .rvfi_valid(r_valid), .rvfi_order(r_order), .rvfi_insn(r_insn), .rvfi_trap(r_trap),
        .rvfi_halt(r_halt), .rvfi_intr(r_intr), .rvfi_mode(r_mode), .rvfi_ixl(r_ixl),
        .rvfi_rs1_addr(r_rs1_addr), .rvfi_rs2_addr(r_rs2_addr), .rvfi_rs1_rdata(r_rs1),
        .rvfi_rs2_rdata(r_rs2), .rvfi_rd_addr(r_rd_addr), .rvfi_rd_wdata(r_rd), .rvfi_pc_rdata(r_pc),
        .rvfi_pc_wdata(r_next), .rvfi_mem_addr(r_addr), .rvfi_mem_rmask(r_rmask),
        .rvfi_mem_wmask(r_wmask), .rvfi_mem_rdata(r_rdata), .rvfi_mem_wdata(r_wdata)
    );

    wire        p_valid, p_trap, p_stalled, p_access, p_read, p_write;
    wire [31:0] p_pc, p_next, p_insn, p_addr;
    wire [3:0]  p_stall;
    rvfi_port #(.LATENCY(0)) port (
        .clk_i(clk_i), .rst_ni(rst_ni), .start_i(1'b1), .stall_i(stall), .rvfi_valid(r_valid),
        .rvfi_order(r_order), .rvfi_insn(r_insn), .rvfi_trap(r_trap), .rvfi_halt(r_halt),
        .rvfi_intr(r_intr), .rvfi_rs1_rdata(r_rs1), .rvfi_pc_rdata(r_pc), .rvfi_pc_wdata(r_next),
        .rvfi_mem_addr(r_addr), .rvfi_mem_rmask(r_rmask), .rvfi_mem_wmask(r_wmask),
        .trace_valid_o(p_valid), .trace_trap_o(p_trap), .trace_pc_o(p_pc), .trace_next_pc_o(p_next),
        .trace_insn_o(p_insn), .trace_stall_valid_o(p_stalled), .trace_stall_o(p_stall),
        .trace_mem_valid_o(p_access), .trace_mem_addr_o(p_addr), .trace_mem_read_o(p_read),
        .trace_mem_write_o(p_write)
    );

    // The two ways to the same counters: four ranges of code, and of bytes.
    localparam [127:0] FIRSTS = {32'h8000_0000, 32'h8000_0100, 32'h8000_0321, 32'h0};
    localparam [127:0] LASTS = {32'h8000_00ff, 32'h8000_0320, 32'h8000_7fff, 32'hffff_ffff};
    snoopp #(.N(4), .BOUNDS(0)) direct (
        .clk_i(clk_i), .rst_ni(rst_ni), .first_i(FIRSTS), .last_i(LASTS), .trace_valid_i(valid && !trap),
        .trace_pc_i(pc), .trace_stall_valid_i(stalled), .trace_stall_i(stall), .trace_mem_valid_i(1'b0),
        .trace_mem_addr_i(32'd0), .reg_valid_i(1'b0), .reg_write_i(1'b0), .reg_addr_i(15'd0), .reg_wdata_i(32'd0)
    );
    snoopp #(.N(4), .BOUNDS(0)) over_rvfi (
        .clk_i(clk_i), .rst_ni(rst_ni), .first_i(FIRSTS), .last_i(LASTS), .trace_valid_i(p_valid),
        .trace_pc_i(p_pc), .trace_stall_valid_i(p_stalled), .trace_stall_i(p_stall), .trace_mem_valid_i(1'b0),
        .trace_mem_addr_i(32'd0), .reg_valid_i(1'b0), .reg_write_i(1'b0), .reg_addr_i(15'd0), .reg_wdata_i(32'd0)
    );
    snoopp #(.N(4), .DATA(1), .BOUNDS(0)) data_direct (
        .clk_i(clk_i), .rst_ni(rst_ni), .first_i(FIRSTS), .last_i(LASTS), .trace_valid_i(valid && !trap),
        .trace_pc_i(pc), .trace_stall_valid_i(stalled), .trace_stall_i(stall),
        .trace_mem_valid_i(rmask != 4'd0 || wmask != 4'd0), .trace_mem_addr_i(mem_addr), .reg_valid_i(1'b0),
        .reg_write_i(1'b0), .reg_addr_i(15'd0), .reg_wdata_i(32'd0)
    );
    snoopp #(.N(4), .DATA(1), .BOUNDS(0)) data_over_rvfi (
        .clk_i(clk_i), .rst_ni(rst_ni), .first_i(FIRSTS), .last_i(LASTS), .trace_valid_i(p_valid),
        .trace_pc_i(p_pc), .trace_stall_valid_i(p_stalled), .trace_stall_i(p_stall),
        .trace_mem_valid_i(p_access), .trace_mem_addr_i(p_addr), .reg_valid_i(1'b0), .reg_write_i(1'b0),
        .reg_addr_i(15'd0), .reg_wdata_i(32'd0)
    );

    // Of the instruction that retires: what it must write, and where it must go.
    wire [31:0] imm_i = {{20{r_insn[31]}}, r_insn[31:20]};
    wire [31:0] imm_b = {{20{r_insn[31]}}, r_insn[7], r_insn[30:25], r_insn[11:8], 1'b0};
    wire [31:0] imm_j = {{12{r_insn[31]}}, r_insn[19:12], r_insn[20], r_insn[30:21], 1'b0};
    wire [31:0] imm_s = {{20{r_insn[31]}}, r_insn[31:25], r_insn[11:7]};
    wire [31:0] imm_u = {r_insn[31:12], 12'd0};
    wire [2:0]  funct = r_insn[14:12];
    wire        is_reg = r_insn[6:0] == 7'b0110011;
    wire [31:0] second = is_reg ? r_rs2 : imm_i;
    wire signed [31:0] signed_1 = r_rs1, signed_2 = second, signed_b = r_rs2;
    wire signed [31:0] shifted = signed_1 >>> second[4:0];
    wire [31:0] product = r_rs1 * r_rs2;
    reg  [31:0] result, target, address;
    reg         known, taken;
    always @* begin
        known = 1'b1;
        target = r_pc + 32'd4;
        taken = 1'b0;
        result = 32'd0;
        address = r_rs1 + (r_insn[5] ? imm_s : imm_i);
        case (r_insn[6:0])
            7'b0110111: result = imm_u;
            7'b0010111: result = r_pc + imm_u;
            7'b1101111: begin result = r_pc + 32'd4; target = r_pc + imm_j; end
            7'b1100111: begin result = r_pc + 32'd4; target = (r_rs1 + imm_i) & ~32'd1; end
            7'b1100011: begin
                case (funct)
                    3'd0: taken = r_rs1 == r_rs2;
                    3'd1: taken = r_rs1 != r_rs2;
                    3'd4: taken = signed_1 < signed_b;
                    3'd5: taken = !(signed_1 < signed_b);
                    3'd6: taken = r_rs1 < r_rs2;
                    default: taken = r_rs1 >= r_rs2;
                endcase
                if (taken)
                    target = r_pc + imm_b;
            end
            7'b0010011, 7'b0110011:
                if (is_reg && r_insn[25]) begin
                    known = funct == 3'd0;
                    result = product;
                end else
                    case (funct)
                        3'd0: result = is_reg && r_insn[30] ? r_rs1 - second : r_rs1 + second;
                        3'd1: result = r_rs1 << second[4:0];
                        3'd2: result = {31'd0, signed_1 < signed_2};
                        3'd3: result = {31'd0, r_rs1 < second};
                        3'd4: result = r_rs1 ^ second;
                        3'd5: result = r_insn[30] ? shifted : r_rs1 >> second[4:0];
                        3'd6: result = r_rs1 | second;
                        default: result = r_rs1 & second;
                    endcase
            default: known = 1'b0;
        endcase
    end
    wire accesses = r_insn[6:0] == 7'b0000011 || r_insn[6:0] == 7'b0100011;
    wire writes_rd = r_insn[6:0] != 7'b1100011 && r_insn[11:7] != 5'd0;

    // Values that were never written are unknown, and whatever is made of them.
    reg  [63:0] order_q;
    reg  [31:0] expected_q;
    wire        good_order = r_order == order_q;
    wire        good_pc = r_intr || r_pc == expected_q;
    wire        good_zero = r_rd_addr != 5'd0 || r_rd == 32'd0;
    wire        good_trap = !r_trap || (r_rd_addr == 5'd0 && r_rmask == 4'd0 && r_wmask == 4'd0);
    wire        good_masks = accesses || (r_rmask == 4'd0 && r_wmask == 4'd0);
    wire        good_access = r_trap || !accesses ||
                              ((r_insn[5] ? r_rmask : r_wmask) == 4'd0 && r_addr == (address & ~32'd3));
    wire        good_result = r_trap || !known || (r_rd == (writes_rd ? result : 32'd0) && r_next == target);
    wire        good = good_order && good_pc && good_zero && good_trap && good_masks && good_access && good_result;
    always @(posedge clk_i)
        if (!rst_ni) begin
            order_q <= 64'd0;
            expected_q <= RESET_PC;
            failures_o <= 32'd0;
            checked_o <= 32'd0;
            traps_o <= 32'd0;
            traps_seen_o <= 32'd0;
        end else begin
            if (r_valid) begin
                order_q <= r_order + 64'd1;
                expected_q <= r_next;
                checked_o <= checked_o + {31'd0, known && !r_trap};
                failures_o <= failures_o + {31'd0, !good};
                if (!good)
                    $display("instruction %0d, %h at %h: order %b, pc %b, x0 %b, trap %b, masks %b, access %b, result %b",
                             r_order, r_insn, r_pc, good_order, good_pc, good_zero, good_trap, good_masks,
                             good_access, good_result);
            end
            traps_o <= traps_o + {31'd0, (valid && trap) || intr};
            traps_seen_o <= traps_seen_o + {31'd0, p_trap};
        end

    wire [3:0] same;
    genvar     i;
    generate
        for (i = 0; i < 4; i = i + 1) begin : g_compare
            assign same[i] = direct.g_range[i].range.counter_q == over_rvfi.g_range[i].range.counter_q &&
                             data_direct.g_range[i].range.counter_q == data_over_rvfi.g_range[i].range.counter_q &&
                             data_direct.g_range[0].range.counter_q != 64'd0;
        end
    endgenerate
    assign same_o = &same;
endmodule
