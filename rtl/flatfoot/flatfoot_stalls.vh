// flatfoot_stalls.vh - why a cycle retired nothing, as on trace_stall_o.
//
// The numbers are the order of src/timing/stalls.def; what flatfoot never waits for has none here.
localparam [3:0] STALL_I_MISS     = 4'd0;
localparam [3:0] STALL_D_READ     = 4'd1;
localparam [3:0] STALL_D_WRITE    = 4'd2;
localparam [3:0] STALL_LOAD_USE   = 4'd3;
localparam [3:0] STALL_HAZARD     = 4'd4;
localparam [3:0] STALL_MULDIV     = 4'd5;
localparam [3:0] STALL_BRANCH     = 4'd6;
localparam [3:0] STALL_STRUCTURAL = 4'd9;
localparam [3:0] STALL_TRAP       = 4'd10;
localparam [3:0] STALL_IDLE       = 4'd11;
