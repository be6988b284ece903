// Written by 'gumshoe rtl stats --registers verilog'. docs/units/stats.md.
localparam [31:0] ID = 32'h4d545301;
localparam [11:0] OFFSET_ID = 12'h00;
localparam [11:0] OFFSET_CONFIG = 12'h04;
localparam [11:0] OFFSET_CONTROL = 12'h08;
localparam CONTROL_RUN = 0;
localparam CONTROL_CLEAR = 1;
localparam CONTROL_END = 2;
localparam [11:0] OFFSET_INTERVAL = 12'h0c;
localparam [11:0] OFFSET_SEQUENCE = 12'h10;
localparam [11:0] OFFSET_SIGNALS = 12'h14;

localparam [14:0] BASE_RANGE = 15'h1000; // 8 bytes each
localparam [3:0] REG_FIRST = 4'h0;
localparam [3:0] REG_LAST = 4'h4;
localparam [14:0] BASE_SELECTOR = 15'h2000; // 4 bytes each
localparam [14:0] BASE_SENT = 15'h4000; // 16 bytes each
localparam [3:0] REG_VALUE = 4'h0;
localparam [3:0] REG_LOW = 4'h8;
localparam [3:0] REG_HIGH = 4'hc;
