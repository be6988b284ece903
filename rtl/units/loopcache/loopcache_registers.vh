// SPDX-License-Identifier: Apache-2.0
// Written by 'gumshoe rtl loops --registers verilog'. docs/units/loops.md.
localparam [31:0] ID = 32'h43504c01;
localparam [13:0] OFFSET_ID = 14'h00;
localparam [13:0] OFFSET_CONFIG = 14'h04;
localparam [13:0] OFFSET_CONTROL = 14'h08;
localparam CONTROL_RUN = 0;
localparam CONTROL_CLEAR = 1;
localparam CONTROL_END = 2;

localparam [13:0] BASE_ENTRY = 14'h2000; // 8 bytes each
localparam [3:0] REG_ADDRESS = 4'h0;
localparam [3:0] REG_FREQUENCY = 4'h4;
