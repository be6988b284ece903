// loopcache_registers.vh - the loop detector's registers. docs/units/loops.md.
localparam [31:0] ID = 32'h43504c01;

localparam [13:0] OFFSET_ID      = 14'h00;
localparam [13:0] OFFSET_CONFIG  = 14'h04;
localparam [13:0] OFFSET_CONTROL = 14'h08;

localparam CONTROL_RUN   = 0;
localparam CONTROL_CLEAR = 1;
localparam CONTROL_END   = 2;
