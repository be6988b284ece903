// SPDX-License-Identifier: Apache-2.0
// Written by 'gumshoe rtl stats --registers verilog'. docs/units/stats.md.
localparam [31:0] ID = 32'h4d545301;
localparam [4:0] OFFSET_ID = 5'h00;
localparam [4:0] OFFSET_CONFIG = 5'h04;
localparam [4:0] OFFSET_CONTROL = 5'h08;
localparam CONTROL_RUN = 0;
localparam CONTROL_CLEAR = 1;
localparam CONTROL_END = 2;
localparam [4:0] OFFSET_INTERVAL = 5'h0c;
localparam [4:0] OFFSET_SEQUENCE = 5'h10;
localparam [4:0] OFFSET_SIGNALS = 5'h14;

localparam [14:0] BASE_RANGE = 15'h1000; // 8 bytes each
localparam [3:0] REG_FIRST = 4'h0;
localparam [3:0] REG_LAST = 4'h4;
localparam [14:0] BASE_SELECTOR = 15'h2000; // 4 bytes each
localparam SELECTOR_SIGNAL_OF = 0;
localparam SELECTOR_RANGE_OF = 8;
localparam [14:0] BASE_SENT = 15'h4000; // 16 bytes each
localparam [3:0] REG_VALUE = 4'h0;
localparam [3:0] REG_LOW = 4'h8;
localparam [3:0] REG_HIGH = 4'hc;
