// flatfoot_results.vh - what execute makes its result of: from decode to execute.
localparam [2:0] RESULT_ALU    = 3'd0;
localparam [2:0] RESULT_TARGET = 3'd1; // what decode's adder made: lui, auipc
localparam [2:0] RESULT_LINK   = 3'd2; // the address behind a jump
localparam [2:0] RESULT_CSR    = 3'd3;
localparam [2:0] RESULT_DIV    = 3'd4;
localparam [2:0] RESULT_MEMORY = 3'd5; // a load's value, from M; execute makes the address
localparam [2:0] RESULT_MUL    = 3'd6; // from M as well
