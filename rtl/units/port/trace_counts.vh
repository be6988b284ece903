// SPDX-License-Identifier: Apache-2.0
// trace_counts.vh - what LEAP and SnoopP count of a clock, as in parameter COUNT.
localparam COUNT_CYCLES       = 0;
localparam COUNT_INSTRUCTIONS = 1;
localparam COUNT_STALLS       = 2; // those that parameter STALLS has a bit for
