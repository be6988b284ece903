// leap_registers.vh - LEAP's registers. docs/units/leap.md.
localparam [31:0] ID = 32'h50454c01;

localparam [1:0] REGION_CONTROL  = 2'd0; // reg_addr_i[19:18]
localparam [1:0] REGION_TAB      = 2'd1;
localparam [1:0] REGION_TAGS     = 2'd2;
localparam [1:0] REGION_COUNTERS = 2'd3;

localparam [5:0] OFFSET_CONFIG   = 6'h04;
localparam [5:0] OFFSET_CONTROL  = 6'h08;
localparam [5:0] OFFSET_V        = 6'h0c;
localparam [5:0] OFFSET_A1       = 6'h10;
localparam [5:0] OFFSET_B1       = 6'h14;
localparam [5:0] OFFSET_B2       = 6'h18;

localparam CONTROL_RUN   = 0;
localparam CONTROL_CLEAR = 1;
localparam CONTROL_DRAIN = 2;
