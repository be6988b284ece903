// snoopp_registers.vh - SnoopP's registers. docs/units/snoopp.md.
localparam [31:0] ID = 32'h504e5301;

localparam [14:0] OFFSET_ID      = 15'h00;
localparam [14:0] OFFSET_CONFIG  = 15'h04;
localparam [14:0] OFFSET_CONTROL = 15'h08;

localparam        FIRST_LINE_32  = 32'h10; // counters begin at 0x100, 16 bytes each
localparam [10:0] FIRST_LINE     = FIRST_LINE_32[10:0];
localparam [3:0]  REG_LOW        = 4'h0;
localparam [3:0]  REG_HIGH       = 4'h4;
localparam [3:0]  REG_FIRST      = 4'h8;

localparam CONTROL_RUN   = 0;
localparam CONTROL_RESET = 1;
