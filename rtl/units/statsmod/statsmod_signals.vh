// SPDX-License-Identifier: Apache-2.0
// statsmod_signals.vh - what the Statistics Module can count.
//
// The numbers are the order of src/units/stats/signals.def; behind them come the causes of
// src/timing/stalls.def.
localparam SIGNAL_COUNT = 26;

localparam [4:0] SIGNAL_CYCLE       = 5'd0;
localparam [4:0] SIGNAL_INSTRUCTION = 5'd1;
localparam [4:0] SIGNAL_I_HIT       = 5'd2;
localparam [4:0] SIGNAL_I_MISS      = 5'd3;
localparam [4:0] SIGNAL_D_HIT       = 5'd4;
localparam [4:0] SIGNAL_D_MISS      = 5'd5;
localparam [4:0] SIGNAL_READ        = 5'd6;
localparam [4:0] SIGNAL_WRITE       = 5'd7;
localparam [4:0] SIGNAL_BRANCH      = 5'd8;
localparam [4:0] SIGNAL_TAKEN       = 5'd9;
localparam [4:0] SIGNAL_MISPREDICT  = 5'd10;
localparam [4:0] SIGNAL_TRAP        = 5'd11;
localparam [4:0] SIGNAL_STALL       = 5'd12;
localparam       SIGNAL_FIRST_STALL = 13;
