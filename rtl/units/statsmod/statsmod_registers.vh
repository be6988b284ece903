// statsmod_registers.vh - the Statistics Module's registers. docs/units/stats.md.
localparam [31:0] ID = 32'h4d545301;

localparam [2:0] REGION_HEAD      = 3'd0; // reg_addr_i[14:12]
localparam [2:0] REGION_RANGES    = 3'd1;
localparam [2:0] REGION_SELECTORS = 3'd2;
localparam       REGION_BIT_SENT  = 14;   // and all above: what was dispatched

localparam [4:0] OFFSET_CONFIG    = 5'h04;
localparam [4:0] OFFSET_CONTROL   = 5'h08;
localparam [4:0] OFFSET_INTERVAL  = 5'h0c;
localparam [4:0] OFFSET_SEQUENCE  = 5'h10;
localparam [4:0] OFFSET_SIGNALS   = 5'h14;

localparam [3:0] SENT_LOW         = 4'h8;
localparam [3:0] SENT_HIGH        = 4'hc;

localparam CONTROL_RUN   = 0;
localparam CONTROL_CLEAR = 1;
localparam CONTROL_END   = 2;
