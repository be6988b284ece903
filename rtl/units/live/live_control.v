// SPDX-License-Identifier: Apache-2.0
// live_control - does what commands say, and sets the Statistics Module by its registers.
//
// One thing at a time: a result that waits is sent first, then the end of the program is seen to, then what has come
// is answered. A command that touches a stream which runs stops the module's clock first, so that what was dispatched
// before that is sent in the stream that it belongs to.
`default_nettype none
module live_control #(
    parameter COUNTERS = 8,
    parameter RANGES = 8
) (
    input  wire         clk_i,
    input  wire         rst_ni,
    input  wire         end_i, // for a clock: the program ends

    input  wire         arp_i, // the verdict of live_receive
    input  wire         stranger_i,
    input  wire         command_i,
    input  wire         same_session_i,
    input  wire         other_program_i,
    input  wire         fits_i,
    input  wire [4:0]   orders_i,
    input  wire [63:0]  number_i,
    output wire         taken_o,
    input  wire [47:0]  from_mac_i,
    input  wire [31:0]  from_ip_i,
    input  wire [15:0]  from_port_i,

    output reg          bank_o, // of live_settings
    output wire [7:0]   setting_at_o,
    input  wire [31:0]  setting_data_i,

    output wire         reg_valid_o, // of the Statistics Module
    output wire [14:0]  reg_addr_o,
    output wire [31:0]  reg_wdata_o,
    input  wire         reg_ready_i,

    input  wire         waiting_i, // of live_result
    input  wire         there_i,
    output wire         sending_o,
    output wire         sent_o,
    output wire         clear_o, // a stream begins
    output wire         set_o,   // for a clock: another setting, and perhaps another program

    output wire         frame_o, // for a clock: to be made
    output wire [7:0]   frame_kind_o,
    input  wire         frame_busy_i,
    output wire [47:0]  to_mac_o,
    output wire [31:0]  to_ip_o,
    output wire [15:0]  to_port_o,

    output wire         hears_o, // the program has not ended
    output reg          ended_o,
    output wire         running_o,
    output reg  [2:0]   outcome_o,
    output reg  [63:0]  stream_o,
    output reg  [127:0] told_o, // which program a command has said it is
    output reg  [63:0]  accepted_o,
    output reg  [31:0]  strangers_o,
    output reg  [31:0]  old_o,
    output reg  [31:0]  repeated_o,
    output reg  [31:0]  interval_o,
    output reg  [6:0]   counters_o // in use; 0: it has not been set yet
);
    `include "statsmod_wire.vh"
    `include "statsmod_registers.vh"

    localparam [7:0]  KIND_ARP = 8'd0;
    localparam [31:0] SETTLE = COUNTERS + 16; // clocks until all that was counted has been dispatched
    localparam [31:0] RANGE_WORDS = 2 * RANGES, COUNTER_WORDS = COUNTERS;
    localparam [8:0]  LAST_READ = 9'd5;

    localparam [4:0] RESTS = 5'd0, LOOKS = 5'd1, REPEATS = 5'd2, JUDGES = 5'd3, // what has come
                     PAUSES = 5'd4, SETTLES = 5'd5, FLUSHES = 5'd6,             // the clock is stopped
                     SETS = 5'd7, READS = 5'd8, KEEPS = 5'd9,                   // SET
                     FETCHES = 5'd10, WRITES = 5'd11, STARTS = 5'd12,           // START
                     EMPTIES = 5'd13, ENDS = 5'd14, LASTS = 5'd15,              // STOP
                     TURNS = 5'd16, ANSWERS = 5'd17, TAKES = 5'd18,             // TO_SENDER, and the answer
                     FRAMES = 5'd19, BUILDS = 5'd20;                            // a frame is made; then back_q
    reg  [4:0]  state_q, state_d, back_q;
    reg  [8:0]  step_q;
    reg  [7:0]  kind_q;
    reg         running_q, end_q;
    reg         set_q, start_q, stop_q, turn_q, answer_q; // what is to be done
    reg  [2:0]  accepted_outcome_q;
    reg         results_q; // there is somewhere for results to go to:
    reg  [47:0] results_mac_q;
    reg  [31:0] results_ip_q;
    reg  [15:0] results_port_q;

    // -- what becomes of a command ---------------------------------------------------------------

    wire set = orders_i[WIRE_ORDER_SET];
    wire start = orders_i[WIRE_ORDER_START];
    wire stop = orders_i[WIRE_ORDER_STOP];
    wire turn = orders_i[WIRE_ORDER_TO_SENDER];
    wire question = !set && !start && !stop && !turn;
    wire again = number_i == accepted_o;
    wire older = number_i < accepted_o;
    wire heeds = state_q == JUDGES && same_session_i && !again && !older;
    wire impossible = (start && stop) || (set && !fits_i) || (start && !set && counters_o == 7'd0);
    reg  [2:0] judgement;
    always @* begin
        if (other_program_i)
            judgement = WIRE_OUTCOME_OTHER_PROGRAM;
        else if (ended_o && (set || start || stop))
            judgement = WIRE_OUTCOME_ENDED;
        else
            judgement = impossible ? WIRE_OUTCOME_IMPOSSIBLE : WIRE_OUTCOME_DONE;
    end

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            accepted_o <= 64'd0;
            accepted_outcome_q <= WIRE_OUTCOME_DONE;
            strangers_o <= 32'd0;
            old_o <= 32'd0;
            repeated_o <= 32'd0;
        end else begin
            if (heeds) begin
                accepted_o <= number_i;
                accepted_outcome_q <= judgement;
            end
            strangers_o <= strangers_o + {31'd0, state_q == LOOKS && stranger_i};
            old_o <= old_o + {31'd0, state_q == JUDGES && (!same_session_i || older)};
            repeated_o <= repeated_o + {31'd0, state_q == JUDGES && same_session_i && again};
        end
        if (state_q == LOOKS)
            outcome_o <= WIRE_OUTCOME_DONE;
        else if (state_q == JUDGES)
            outcome_o <= !same_session_i ? WIRE_OUTCOME_OTHER_SESSION
                       : again ? accepted_outcome_q : older ? WIRE_OUTCOME_OLD : judgement;
    end

    // -- one thing after the other ---------------------------------------------------------------

    // A START writes the ranges, the selectors and the interval, which are fetched one by one.
    wire        in_ranges = {23'd0, step_q} < RANGE_WORDS;
    wire        in_selectors = !in_ranges && {23'd0, step_q} < RANGE_WORDS + COUNTER_WORDS;
    wire [8:0]  selector = step_q - RANGE_WORDS[8:0];
    wire [8:0]  fetch_at = in_ranges ? WIRE_COMMAND_RANGE_BASE[10:2] + step_q
                         : in_selectors ? WIRE_COMMAND_SELECTOR_BASE[10:2] + selector
                         : WIRE_COMMAND_INTERVAL[10:2];
    // Of a SET, this has to be known before.
    wire [8:0]  read_at = step_q == 9'd0 ? WIRE_COMMAND_INTERVAL[10:2]
                        : step_q == 9'd1 ? WIRE_COMMAND_COUNTERS[10:2]
                        : WIRE_HEADER_PROGRAM[10:2] + step_q - 9'd2;
    wire        reads = state_q == READS || state_q == KEEPS;

    always @* begin
        state_d = state_q;
        case (state_q)
            RESTS: begin
                if (waiting_i)
                    state_d = FRAMES;
                else if (end_q)
                    state_d = running_q ? PAUSES : TURNS;
                else if (arp_i || stranger_i || command_i)
                    state_d = LOOKS;
            end
            LOOKS: begin
                if (arp_i)
                    state_d = FRAMES;
                else if (stranger_i)
                    state_d = TAKES;
                else if (question)
                    state_d = orders_i[WIRE_ORDER_AGAIN] ? REPEATS : ANSWERS;
                else
                    state_d = JUDGES;
            end
            REPEATS: state_d = there_i ? FRAMES : ANSWERS;
            JUDGES: begin
                if (!heeds || judgement != WIRE_OUTCOME_DONE)
                    state_d = ANSWERS;
                else
                    state_d = running_q && (set || start || stop) ? PAUSES : SETS;
            end
            PAUSES:  if (reg_ready_i) state_d = SETTLES;
            SETTLES: if ({23'd0, step_q} == SETTLE) state_d = FLUSHES;
            FLUSHES: state_d = waiting_i ? FRAMES : SETS;
            SETS:    state_d = set_q ? READS : start_q ? FETCHES : stop_q && running_q ? EMPTIES : TURNS;
            READS:   state_d = KEEPS;
            KEEPS:   state_d = step_q != LAST_READ ? READS : start_q ? FETCHES : TURNS;
            FETCHES: state_d = WRITES;
            WRITES:  if (reg_ready_i) state_d = in_ranges || in_selectors ? FETCHES : STARTS;
            STARTS:  if (reg_ready_i) state_d = TURNS;
            EMPTIES: if (reg_ready_i) state_d = ENDS;
            ENDS:    if (reg_ready_i) state_d = LASTS;
            LASTS:   if (waiting_i) state_d = FRAMES;
            TURNS:   state_d = answer_q ? ANSWERS : RESTS;
            ANSWERS: state_d = FRAMES;
            FRAMES:  state_d = frame_o ? BUILDS : back_q;
            BUILDS:  if (!frame_busy_i) state_d = back_q;
            default: state_d = RESTS;
        endcase
    end

    always @(posedge clk_i) begin
        state_q <= rst_ni ? state_d : RESTS;
        if (state_q == PAUSES || state_q == SETS || (state_q == KEEPS && step_q == LAST_READ))
            step_q <= 9'd0;
        else if (state_q == SETTLES || state_q == KEEPS || (state_q == WRITES && reg_ready_i))
            step_q <= step_q + 9'd1;

        if (state_d == FRAMES) begin
            kind_q <= WIRE_KIND_RESULT;
            back_q <= state_q == REPEATS ? ANSWERS : state_q == LASTS ? TURNS : state_q;
            if (state_q == LOOKS || state_q == ANSWERS) begin
                kind_q <= state_q == LOOKS ? KIND_ARP : WIRE_KIND_STATE;
                back_q <= TAKES;
            end
        end

        if (state_q == RESTS || state_q == JUDGES) begin
            set_q <= state_q == JUDGES && set;
            start_q <= state_q == JUDGES && start;
            stop_q <= state_q == RESTS || stop;
            turn_q <= state_q == JUDGES && turn;
            answer_q <= state_q == JUDGES;
        end

        if (!rst_ni) begin
            running_q <= 1'b0;
            end_q <= 1'b0;
            ended_o <= 1'b0;
            bank_o <= 1'b0;
            counters_o <= 7'd0;
            stream_o <= 64'd0;
            told_o <= 128'd0;
            results_q <= 1'b0;
        end else begin
            end_q <= end_i || (end_q && !(state_q == TURNS && !answer_q));
            if (state_q == TURNS && !answer_q)
                ended_o <= 1'b1;
            if (state_q == STARTS && reg_ready_i) begin
                running_q <= 1'b1;
                stream_o <= number_i;
            end else if (set_o || state_q == LASTS) begin
                running_q <= 1'b0;
            end
            if (set_o)
                bank_o <= !bank_o;
            if (state_q == KEEPS && step_q == 9'd0)
                interval_o <= setting_data_i;
            else if (state_q == KEEPS && step_q == 9'd1)
                counters_o <= setting_data_i[6:0];
            else if (state_q == KEEPS)
                told_o <= {told_o[95:0], setting_data_i};
            if (state_q == TURNS && turn_q)
                results_q <= 1'b1;
        end
        if (state_q == TURNS && turn_q) begin
            results_mac_q <= from_mac_i;
            results_ip_q <= from_ip_i;
            results_port_q <= from_port_i;
        end
    end

    reg [14:0] addr;
    reg [31:0] wdata;
    always @* begin
        addr = {10'd0, OFFSET_CONTROL};
        wdata = 32'd0;
        case (state_q)
            WRITES: begin
                addr = in_ranges ? BASE_RANGE + {4'd0, step_q, 2'b00}
                     : in_selectors ? BASE_SELECTOR + {4'd0, selector, 2'b00} : {10'd0, OFFSET_INTERVAL};
                wdata = setting_data_i;
            end
            STARTS: begin
                wdata[CONTROL_RUN] = 1'b1;
                wdata[CONTROL_CLEAR] = 1'b1;
            end
            EMPTIES: addr = {10'd0, OFFSET_INTERVAL}; // so that the end need not wait for the timer
            ENDS:    wdata[CONTROL_END] = 1'b1;
            default: ; // PAUSES
        endcase
    end

    wire result = kind_q == WIRE_KIND_RESULT;
    wire [8:0] setting_at = reads ? read_at : fetch_at;
    assign setting_at_o = setting_at[7:0];
    assign reg_valid_o = state_q == PAUSES || state_q == WRITES || state_q == STARTS || state_q == EMPTIES ||
                         state_q == ENDS;
    assign reg_addr_o = addr;
    assign reg_wdata_o = wdata;
    assign taken_o = state_q == TAKES;
    assign sending_o = state_q == REPEATS || ((state_q == FRAMES || state_q == BUILDS) && result);
    assign sent_o = result && (state_q == FRAMES || state_q == BUILDS) && state_d == back_q;
    assign clear_o = state_q == STARTS && reg_ready_i;
    assign set_o = state_q == SETS && set_q;
    assign frame_o = state_q == FRAMES && (!result || results_q);
    assign frame_kind_o = kind_q;
    assign to_mac_o = result ? results_mac_q : from_mac_i;
    assign to_ip_o = result ? results_ip_q : from_ip_i;
    assign to_port_o = result ? results_port_q : from_port_i;
    assign hears_o = !end_q && !ended_o;
    assign running_o = running_q;
    wire unused = &{1'b0, setting_at};
endmodule
`default_nettype wire
