// SPDX-License-Identifier: Apache-2.0
// Written by 'gumshoe rtl snoopp --registers verilog'. docs/units/snoopp.md.
localparam [31:0] ID = 32'h504e5301;
localparam [14:0] OFFSET_ID = 15'h00;
localparam [14:0] OFFSET_CONFIG = 15'h04;
localparam [14:0] OFFSET_CONTROL = 15'h08;
localparam CONTROL_RUN = 0;
localparam CONTROL_RESET = 1;

localparam [14:0] BASE_COUNTER = 15'h100; // 16 bytes each
localparam [3:0] REG_LOW = 4'h0;
localparam [3:0] REG_HIGH = 4'h4;
localparam [3:0] REG_FIRST = 4'h8;
localparam [3:0] REG_LAST = 4'hc;
