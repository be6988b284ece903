// SPDX-License-Identifier: Apache-2.0
// live - the Statistics Module on a network: frames of bytes to and from an Ethernet MAC.
//
// docs/live.md is the specification. What the module dispatches goes out as datagrams; commands that come in, and they
// alone, set it: it is on no bus.
//
//     rx ──► live_receive ──► live_control ──► registers of statsmod ◄── trace
//                │                │                    │ records
//                ▼                ▼                    ▼
//           live_settings ──► live_frame ◄─────── live_result
//                                 │
//                                 ▼
//                           live_transmit ──► tx
`default_nettype none
module live #(
    parameter COUNTERS = 8,                 // 1 to 64; these are as in statsmod
    parameter RANGES = 8,                   // 1 to 64
    parameter WIDTH = 32,
    parameter [25:0] SIGNALS = 26'h3ffffff,
    parameter MIPS = 0
) (
    input  wire         clk_i,
    input  wire         rst_ni,

    // Who it is. These stay as they are from reset on.
    input  wire [47:0]  mac_i,
    input  wire [31:0]  ip_i,
    input  wire [15:0]  port_i,
    input  wire [63:0]  device_i,
    input  wire [63:0]  session_i,
    input  wire [127:0] program_i, // 0: not known
    input  wire [127:0] key_i,     // its first byte first
    input  wire [31:0]  clock_hz_i, // 0: not known

    input  wire         end_i, // for a clock: the program ends with it

    input  wire         trace_valid_i,
    input  wire         trace_trap_i,
    input  wire [31:0]  trace_pc_i,
    input  wire [31:0]  trace_next_pc_i,
    input  wire [31:0]  trace_insn_i,
    input  wire         trace_stall_valid_i,
    input  wire [3:0]   trace_stall_i,
    input  wire         trace_mem_read_i,
    input  wire         trace_mem_write_i,
    input  wire         trace_mispredict_i,
    input  wire         trace_icache_hit_i,
    input  wire         trace_icache_miss_i,
    input  wire         trace_dcache_hit_i,
    input  wire         trace_dcache_miss_i,

    // Frames from the first byte of the destination up to the last of the data, without the checksum.
    input  wire         rx_tvalid_i,
    output wire         rx_tready_o, // not between a frame and the answer to it
    input  wire [7:0]   rx_tdata_i,
    input  wire         rx_tlast_i,
    input  wire         rx_tuser_i, // with the last byte: the frame is damaged

    output wire         tx_tvalid_o, // without a gap in a frame
    input  wire         tx_tready_i,
    output wire [7:0]   tx_tdata_o,
    output wire         tx_tlast_o
);
    `include "statsmod_wire.vh"

    generate
        if (COUNTERS < 1 || COUNTERS > 64) begin : g_counters
            live_COUNTERS_must_be_from_1_to_64 wrong ();
        end
    endgenerate

    localparam NUMBER_BITS = COUNTERS > 1 ? $clog2(COUNTERS) : 1;
    localparam [31:0] CONFIG = {7'd0, MIPS[0], WIDTH[7:0], RANGES[7:0], COUNTERS[7:0]};

    wire        hears, ended, running;
    wire        reg_valid, reg_ready, reg_error;
    wire [14:0] reg_addr;
    wire [31:0] reg_wdata, reg_rdata, record_sequence;
    wire        record_valid, record_last, record_clock;
    wire [7:0]  record_number;
    wire [31:0] record_value;
    wire [63:0] record_total;
    statsmod #(.COUNTERS(COUNTERS), .RANGES(RANGES), .WIDTH(WIDTH), .SIGNALS(SIGNALS), .MIPS(MIPS)) statistics (
        .clk_i(clk_i), .rst_ni(rst_ni), .trace_valid_i(trace_valid_i && hears),
        .trace_trap_i(trace_trap_i && hears), .trace_pc_i(trace_pc_i), .trace_next_pc_i(trace_next_pc_i),
        .trace_insn_i(trace_insn_i), .trace_stall_valid_i(trace_stall_valid_i && hears),
        .trace_stall_i(trace_stall_i), .trace_mem_read_i(trace_mem_read_i), .trace_mem_write_i(trace_mem_write_i),
        .trace_mispredict_i(trace_mispredict_i && hears), .trace_icache_hit_i(trace_icache_hit_i && hears),
        .trace_icache_miss_i(trace_icache_miss_i && hears), .trace_dcache_hit_i(trace_dcache_hit_i && hears),
        .trace_dcache_miss_i(trace_dcache_miss_i && hears), .record_valid_o(record_valid),
        .record_number_o(record_number), .record_sequence_o(record_sequence), .record_last_o(record_last),
        .record_value_o(record_value), .record_total_o(record_total), .record_clock_o(record_clock),
        .reg_valid_i(reg_valid), .reg_write_i(1'b1), .reg_addr_i(reg_addr), .reg_wdata_i(reg_wdata),
        .reg_ready_o(reg_ready), .reg_error_o(reg_error), .reg_rdata_o(reg_rdata)
    );

    wire         arp, stranger, command, same_session, other_program, fits, taken, write;
    wire [4:0]   orders;
    wire [63:0]  number;
    wire [47:0]  from_mac;
    wire [31:0]  from_ip;
    wire [15:0]  from_port;
    wire [7:0]   write_at;
    wire [31:0]  write_data;
    live_receive #(.COUNTERS(COUNTERS), .RANGES(RANGES), .SIGNALS(SIGNALS)) receiver (
        .clk_i(clk_i), .rst_ni(rst_ni), .rx_tvalid_i(rx_tvalid_i), .rx_tready_o(rx_tready_o),
        .rx_tdata_i(rx_tdata_i), .rx_tlast_i(rx_tlast_i), .rx_tuser_i(rx_tuser_i), .mac_i(mac_i), .ip_i(ip_i),
        .port_i(port_i), .key_i(key_i), .device_i(device_i), .session_i(session_i), .program_i(program_i),
        .write_o(write), .write_at_o(write_at), .write_data_o(write_data), .arp_o(arp), .stranger_o(stranger),
        .command_o(command), .same_session_o(same_session), .other_program_o(other_program), .fits_o(fits),
        .orders_o(orders), .number_o(number), .taken_i(taken), .from_mac_o(from_mac), .from_ip_o(from_ip),
        .from_port_o(from_port)
    );

    wire        bank, frame_busy;
    wire [7:0]  control_at, frame_at;
    wire [31:0] setting;
    live_settings settings (
        .clk_i(clk_i), .bank_i(bank), .write_i(write), .write_at_i(write_at), .write_data_i(write_data),
        .read_at_i(frame_busy ? frame_at : control_at), .read_data_o(setting)
    );

    wire                   waiting, there, sending, sent, clear, set, last;
    wire [31:0]            interval, sequence_number, interval_number, count, skipped, value;
    wire [63:0]            cycle, total;
    wire [NUMBER_BITS-1:0] counter_at;
    live_result #(.COUNTERS(COUNTERS)) result (
        .clk_i(clk_i), .rst_ni(rst_ni), .clear_i(clear), .forget_i(set),
        .interval_i(interval), .clock_i(record_clock),
        .record_valid_i(record_valid), .record_number_i(record_number[NUMBER_BITS-1:0]),
        .record_last_i(record_last), .record_value_i(record_value), .record_total_i(record_total),
        .waiting_o(waiting), .there_o(there), .sending_i(sending), .sent_i(sent), .sequence_o(sequence_number),
        .interval_o(interval_number), .cycle_o(cycle), .last_o(last), .read_i(counter_at), .value_o(value),
        .total_o(total), .count_o(count), .skipped_o(skipped)
    );

    wire         frame;
    wire [7:0]   kind;
    wire [47:0]  to_mac;
    wire [31:0]  to_ip, strangers, old, repeated;
    wire [15:0]  to_port;
    wire [63:0]  stream, accepted;
    wire [127:0] told;
    wire [2:0]   outcome;
    wire [6:0]   counters;
    live_control #(.COUNTERS(COUNTERS), .RANGES(RANGES)) control (
        .clk_i(clk_i), .rst_ni(rst_ni), .end_i(end_i), .arp_i(arp), .stranger_i(stranger), .command_i(command),
        .same_session_i(same_session), .other_program_i(other_program), .fits_i(fits), .orders_i(orders),
        .number_i(number), .taken_o(taken), .from_mac_i(from_mac), .from_ip_i(from_ip), .from_port_i(from_port),
        .bank_o(bank), .setting_at_o(control_at), .setting_data_i(setting), .reg_valid_o(reg_valid),
        .reg_addr_o(reg_addr), .reg_wdata_o(reg_wdata), .reg_ready_i(reg_ready), .waiting_i(waiting),
        .there_i(there), .sending_o(sending), .sent_o(sent), .clear_o(clear), .set_o(set), .frame_o(frame),
        .frame_kind_o(kind), .frame_busy_i(frame_busy), .to_mac_o(to_mac), .to_ip_o(to_ip), .to_port_o(to_port),
        .hears_o(hears), .ended_o(ended), .running_o(running), .outcome_o(outcome), .stream_o(stream),
        .told_o(told), .accepted_o(accepted), .strangers_o(strangers), .old_o(old), .repeated_o(repeated),
        .interval_o(interval), .counters_o(counters)
    );

    // Fields at their offsets, from the left.
    localparam HEAD_BITS = 8 * (WIRE_RESULT_SEQUENCE - WIRE_HEADER_DEVICE);
    localparam RESULT_BITS = 8 * (WIRE_RESULT_COUNTER_BASE - WIRE_RESULT_SEQUENCE);
    localparam STATE_BITS = 8 * (WIRE_STATE_INTERVAL - WIRE_STATE_ANSWERS);
    wire [HEAD_BITS-1:0]   head;
    wire [RESULT_BITS-1:0] result_fields;
    wire [STATE_BITS-1:0]  state_fields;
    assign head[HEAD_BITS-1 - 8*(WIRE_HEADER_DEVICE-WIRE_HEADER_DEVICE) -: 64] = device_i;
    assign head[HEAD_BITS-1 - 8*(WIRE_HEADER_SESSION-WIRE_HEADER_DEVICE) -: 64] = session_i;
    assign head[HEAD_BITS-1 - 8*(WIRE_HEADER_STREAM-WIRE_HEADER_DEVICE) -: 64] = stream;
    assign head[HEAD_BITS-1 - 8*(WIRE_HEADER_PROGRAM-WIRE_HEADER_DEVICE) -: 128] =
        program_i != 128'd0 ? program_i : told;
    assign result_fields[RESULT_BITS-1 - 8*(WIRE_RESULT_SEQUENCE-WIRE_RESULT_SEQUENCE) -: 32] = sequence_number;
    assign result_fields[RESULT_BITS-1 - 8*(WIRE_RESULT_INTERVAL-WIRE_RESULT_SEQUENCE) -: 32] = interval_number;
    assign result_fields[RESULT_BITS-1 - 8*(WIRE_RESULT_CYCLE-WIRE_RESULT_SEQUENCE) -: 64] = cycle;
    assign result_fields[RESULT_BITS-1 - 8*(WIRE_RESULT_MARKS-WIRE_RESULT_SEQUENCE) -: 32] =
        {31'd0, last} << WIRE_MARK_LAST;
    assign result_fields[RESULT_BITS-1 - 8*(WIRE_RESULT_COUNTERS-WIRE_RESULT_SEQUENCE) -: 32] = {25'd0, counters};
    assign state_fields[STATE_BITS-1 - 8*(WIRE_STATE_ANSWERS-WIRE_STATE_ANSWERS) -: 64] = number;
    assign state_fields[STATE_BITS-1 - 8*(WIRE_STATE_OUTCOME-WIRE_STATE_ANSWERS) -: 32] = {29'd0, outcome};
    assign state_fields[STATE_BITS-1 - 8*(WIRE_STATE_STATUS-WIRE_STATE_ANSWERS) -: 32] =
        {31'd0, running} << WIRE_STATUS_RUNNING | {31'd0, ended} << WIRE_STATUS_ENDED;
    assign state_fields[STATE_BITS-1 - 8*(WIRE_STATE_ACCEPTED-WIRE_STATE_ANSWERS) -: 64] = accepted;
    assign state_fields[STATE_BITS-1 - 8*(WIRE_STATE_MODULE-WIRE_STATE_ANSWERS) -: 32] = CONFIG;
    assign state_fields[STATE_BITS-1 - 8*(WIRE_STATE_SIGNALS-WIRE_STATE_ANSWERS) -: 32] = {6'd0, SIGNALS};
    assign state_fields[STATE_BITS-1 - 8*(WIRE_STATE_CLOCK_HZ-WIRE_STATE_ANSWERS) -: 32] = clock_hz_i;
    assign state_fields[STATE_BITS-1 - 8*(WIRE_STATE_SENT-WIRE_STATE_ANSWERS) -: 32] = count;
    assign state_fields[STATE_BITS-1 - 8*(WIRE_STATE_SKIPPED-WIRE_STATE_ANSWERS) -: 32] = skipped;
    assign state_fields[STATE_BITS-1 - 8*(WIRE_STATE_STRANGERS-WIRE_STATE_ANSWERS) -: 32] = strangers;
    assign state_fields[STATE_BITS-1 - 8*(WIRE_STATE_OLD-WIRE_STATE_ANSWERS) -: 32] = old;
    assign state_fields[STATE_BITS-1 - 8*(WIRE_STATE_REPEATED-WIRE_STATE_ANSWERS) -: 32] = repeated;

    wire        transmits, frame_write, transmit;
    wire [7:0]  frame_write_at;
    wire [9:0]  frame_end;
    wire [31:0] frame_data;
    live_frame #(
        .COUNTERS(COUNTERS), .RANGES(RANGES), .HEAD_BITS(HEAD_BITS), .RESULT_BITS(RESULT_BITS), .STATE_BITS(STATE_BITS)
    ) framer (
        .clk_i(clk_i), .rst_ni(rst_ni), .begin_i(frame), .kind_i(kind), .busy_o(frame_busy), .mac_i(mac_i),
        .ip_i(ip_i), .port_i(port_i), .key_i(key_i), .to_mac_i(to_mac), .to_ip_i(to_ip), .to_port_i(to_port),
        .head_i(head), .result_i(result_fields), .state_i(state_fields), .counters_i(counters),
        .counter_at_o(counter_at), .counter_value_i(value), .counter_total_i(total), .setting_at_o(frame_at),
        .setting_data_i(setting), .transmits_i(transmits), .write_o(frame_write), .write_at_o(frame_write_at),
        .write_data_o(frame_data), .transmit_o(transmit), .end_o(frame_end)
    );
    live_transmit transmitter (
        .clk_i(clk_i), .rst_ni(rst_ni), .write_i(frame_write), .write_at_i(frame_write_at),
        .write_data_i(frame_data), .begin_i(transmit), .end_i(frame_end), .busy_o(transmits),
        .tx_tvalid_o(tx_tvalid_o), .tx_tready_i(tx_tready_i), .tx_tdata_o(tx_tdata_o), .tx_tlast_o(tx_tlast_o)
    );
    wire unused = &{1'b0, record_number, record_sequence, reg_error, reg_rdata};
endmodule
`default_nettype wire
