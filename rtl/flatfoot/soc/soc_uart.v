// soc_uart - the registers of a 16550 on two streams of bytes.
//
// A byte is gone when it is written, so the transmitter is always empty, as in Gumshoe's boards.
// There is no loop-back mode. Bytes only.
module soc_uart (
    input  wire       clk_i,
    input  wire       rst_ni,

    input  wire       read_i,  // with its effects
    input  wire       write_i,
    input  wire [11:0] addr_i,
    input  wire [3:0] strb_i,
    input  wire [7:0] wdata_i,
    output reg  [7:0] rdata_o,
    output wire       error_o,
    output wire       irq_o,

    output wire       tx_valid_o,
    output wire [7:0] tx_data_o,
    input  wire       rx_valid_i,
    input  wire [7:0] rx_data_i,
    output wire       rx_ready_o // taken in this cycle
);
    localparam [2:0] DATA = 3'd0, IER = 3'd1, IIR_FCR = 3'd2, LCR = 3'd3, MCR = 3'd4, LSR = 3'd5,
                     MSR = 3'd6;

    reg [3:0] ier_q;
    reg       fifo_q, empty_q; // empty_q: IIR has not yet reported that the transmitter is
    reg [7:0] lcr_q, scratch_q, divisor_low_q, divisor_high_q;
    reg [4:0] mcr_q;

    wire       byte_access = strb_i == 4'b0001 || strb_i == 4'b0010 || strb_i == 4'b0100 ||
                             strb_i == 4'b1000;
    wire       divisor = lcr_q[7];
    wire       read = read_i && !error_o;
    wire       write = write_i && !error_o;
    wire [2:0] number = addr_i[2:0];
    wire       received = ier_q[0] && rx_valid_i;
    wire       emptied = ier_q[1] && empty_q;
    wire [7:0] iir = {{2{fifo_q}}, 3'd0, received ? 3'd4 : emptied ? 3'd2 : 3'd1};

    always @* begin
        case (number)
            DATA: rdata_o = divisor ? divisor_low_q : rx_valid_i ? rx_data_i : 8'd0;
            IER: rdata_o = divisor ? divisor_high_q : {4'd0, ier_q};
            IIR_FCR: rdata_o = iir;
            LCR: rdata_o = lcr_q;
            MCR: rdata_o = {3'd0, mcr_q};
            LSR: rdata_o = {7'b0110000, rx_valid_i};
            MSR: rdata_o = 8'hb0; // clear to send, ready, carrier
            default: rdata_o = scratch_q;
        endcase
    end

    always @(posedge clk_i) begin
        if (!rst_ni) begin
            ier_q <= 4'd0;
            fifo_q <= 1'b0;
            empty_q <= 1'b0;
            lcr_q <= 8'd3;
            mcr_q <= 5'd0;
            scratch_q <= 8'd0;
            divisor_low_q <= 8'd1;
            divisor_high_q <= 8'd0;
        end else if (write) begin
            case (number)
                DATA: if (divisor) divisor_low_q <= wdata_i; else empty_q <= 1'b1;
                IER:
                    if (divisor) begin
                        divisor_high_q <= wdata_i;
                    end else begin
                        ier_q <= wdata_i[3:0];
                        if (wdata_i[1] && !ier_q[1])
                            empty_q <= 1'b1;
                    end
                IIR_FCR: fifo_q <= wdata_i[0];
                LCR: lcr_q <= wdata_i;
                MCR: mcr_q <= wdata_i[4:0];
                LSR, MSR: ;
                default: scratch_q <= wdata_i;
            endcase
        end else if (read && number == IIR_FCR && !received) begin
            empty_q <= empty_q && !ier_q[1]; // reading it is the answer to it
        end
    end

    assign error_o = !byte_access || addr_i[11:3] != 9'd0;
    assign irq_o = received || emptied;
    assign tx_valid_o = write && number == DATA && !divisor;
    assign tx_data_o = wdata_i;
    assign rx_ready_o = read && number == DATA && !divisor && rx_valid_i;
endmodule
