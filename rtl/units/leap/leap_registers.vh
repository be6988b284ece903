// SPDX-License-Identifier: Apache-2.0
// Written by 'gumshoe rtl leap --registers verilog'. docs/units/leap.md.
localparam [31:0] ID = 32'h50454c01;
localparam [5:0] OFFSET_ID = 6'h00;
localparam [5:0] OFFSET_CONFIG = 6'h04;
localparam [5:0] OFFSET_CONTROL = 6'h08;
localparam CONTROL_RUN = 0;
localparam CONTROL_CLEAR = 1;
localparam CONTROL_DRAIN = 2;
localparam [5:0] OFFSET_V = 6'h0c;
localparam [5:0] OFFSET_A1 = 6'h10;
localparam [5:0] OFFSET_B1 = 6'h14;
localparam [5:0] OFFSET_B2 = 6'h18;
localparam [5:0] OFFSET_LANE = 6'h1c;
localparam [5:0] OFFSET_LANES = 6'h20;
localparam [5:0] OFFSET_HALVED = 6'h24;
localparam [5:0] OFFSET_BEGIN = 6'h28;

localparam [19:0] BASE_TAB = 20'h40000; // 4 bytes each
localparam [19:0] BASE_TAG = 20'h80000; // 4 bytes each
localparam [19:0] BASE_COUNTER = 20'hc0000; // 16 bytes each
localparam [3:0] REG_LOW = 4'h0;
localparam [3:0] REG_HIGH = 4'h4;
localparam [3:0] REG_LOW_2 = 4'h8;
localparam [3:0] REG_HIGH_2 = 4'hc;
