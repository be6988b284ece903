// SPDX-License-Identifier: Apache-2.0
// leap_counts.vh - what else the Data Counter counts. docs/units/leap.md.
localparam COUNT_LOOPS    = 3;
localparam COUNT_BRANCHES = 4; // two lanes: taken, not taken
localparam COUNT_CALLS    = 5;
localparam COUNT_ENERGY   = 6; // a lane for each group, and one for stalls
