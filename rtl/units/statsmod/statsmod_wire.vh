// Written by tools/check-wire from src/live/wire.def. docs/live.md. Offsets and lengths in bytes.

localparam [10:0] WIRE_HEADER_MAGIC = 11'd0;
localparam [10:0] WIRE_HEADER_LENGTH = 11'd4;
localparam [10:0] WIRE_HEADER_DEVICE = 11'd8;
localparam [10:0] WIRE_HEADER_SESSION = 11'd16;
localparam [10:0] WIRE_HEADER_STREAM = 11'd24;
localparam [10:0] WIRE_HEADER_PROGRAM = 11'd32;

localparam [10:0] WIRE_RESULT_SEQUENCE = 11'd48;
localparam [10:0] WIRE_RESULT_INTERVAL = 11'd52;
localparam [10:0] WIRE_RESULT_CYCLE = 11'd56;
localparam [10:0] WIRE_RESULT_MARKS = 11'd64;
localparam [10:0] WIRE_RESULT_COUNTERS = 11'd68;
localparam [10:0] WIRE_RESULT_COUNTER_BASE = 11'd72;
localparam [10:0] WIRE_RESULT_COUNTER_STRIDE = 11'd12;
localparam [10:0] WIRE_RESULT_COUNTER_VALUE = 11'd0;
localparam [10:0] WIRE_RESULT_COUNTER_TOTAL = 11'd4;

localparam [10:0] WIRE_COMMAND_NUMBER = 11'd48;
localparam [10:0] WIRE_COMMAND_ORDERS = 11'd56;
localparam [10:0] WIRE_COMMAND_HEARD = 11'd60;
localparam [10:0] WIRE_COMMAND_SPARE = 11'd64;
localparam [10:0] WIRE_COMMAND_INTERVAL = 11'd104;
localparam [10:0] WIRE_COMMAND_COUNTERS = 11'd108;
localparam [10:0] WIRE_COMMAND_SELECTOR_BASE = 11'd112;
localparam [10:0] WIRE_COMMAND_SELECTOR_STRIDE = 11'd4;
localparam [10:0] WIRE_COMMAND_SELECTOR_SELECT = 11'd0;
localparam [10:0] WIRE_COMMAND_RANGE_BASE = 11'd368;
localparam [10:0] WIRE_COMMAND_RANGE_STRIDE = 11'd8;
localparam [10:0] WIRE_COMMAND_RANGE_FIRST = 11'd0;
localparam [10:0] WIRE_COMMAND_RANGE_LAST = 11'd4;
localparam [10:0] WIRE_COMMAND_TAG = 11'd880;
localparam [10:0] WIRE_COMMAND_BYTES = 11'd888;

localparam [10:0] WIRE_STATE_ANSWERS = 11'd48;
localparam [10:0] WIRE_STATE_OUTCOME = 11'd56;
localparam [10:0] WIRE_STATE_STATUS = 11'd60;
localparam [10:0] WIRE_STATE_ACCEPTED = 11'd64;
localparam [10:0] WIRE_STATE_MODULE = 11'd72;
localparam [10:0] WIRE_STATE_SIGNALS = 11'd76;
localparam [10:0] WIRE_STATE_CLOCK_HZ = 11'd80;
localparam [10:0] WIRE_STATE_SENT = 11'd84;
localparam [10:0] WIRE_STATE_SKIPPED = 11'd88;
localparam [10:0] WIRE_STATE_STRANGERS = 11'd92;
localparam [10:0] WIRE_STATE_OLD = 11'd96;
localparam [10:0] WIRE_STATE_REPEATED = 11'd100;
localparam [10:0] WIRE_STATE_INTERVAL = 11'd104;
localparam [10:0] WIRE_STATE_COUNTERS = 11'd108;
localparam [10:0] WIRE_STATE_SELECTOR_BASE = 11'd112;
localparam [10:0] WIRE_STATE_SELECTOR_STRIDE = 11'd4;
localparam [10:0] WIRE_STATE_SELECTOR_SELECT = 11'd0;
localparam [10:0] WIRE_STATE_RANGE_BASE = 11'd368;
localparam [10:0] WIRE_STATE_RANGE_STRIDE = 11'd8;
localparam [10:0] WIRE_STATE_RANGE_FIRST = 11'd0;
localparam [10:0] WIRE_STATE_RANGE_LAST = 11'd4;
localparam [10:0] WIRE_STATE_TAG = 11'd880;
localparam [10:0] WIRE_STATE_BYTES = 11'd888;

localparam [10:0] WIRE_TAG_BYTES = 11'd8;
localparam [7:0] WIRE_KIND_RESULT = 8'd1;
localparam [7:0] WIRE_KIND_STATE = 8'd2;
localparam [7:0] WIRE_KIND_COMMAND = 8'd3;
localparam [23:0] WIRE_MAGIC = 24'h474c01;

localparam WIRE_MARK_LAST = 0;

localparam WIRE_ORDER_SET = 0;
localparam WIRE_ORDER_START = 1;
localparam WIRE_ORDER_STOP = 2;
localparam WIRE_ORDER_TO_SENDER = 3;
localparam WIRE_ORDER_AGAIN = 4;

localparam WIRE_STATUS_RUNNING = 0;
localparam WIRE_STATUS_ENDED = 1;

localparam [2:0] WIRE_OUTCOME_DONE = 3'd0;
localparam [2:0] WIRE_OUTCOME_OLD = 3'd1;
localparam [2:0] WIRE_OUTCOME_OTHER_SESSION = 3'd2;
localparam [2:0] WIRE_OUTCOME_OTHER_PROGRAM = 3'd3;
localparam [2:0] WIRE_OUTCOME_IMPOSSIBLE = 3'd4;
localparam [2:0] WIRE_OUTCOME_ENDED = 3'd5;
