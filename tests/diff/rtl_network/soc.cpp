/*
 * soc - the Verilated flatfoot SoC on a TAP device.
 *
 *     soc TAP KEY PROGRAM
 *
 * TAP is the descriptor of the device, KEY and PROGRAM have 32 hexadecimal digits. What comes on
 * the standard input is what the UART receives; its end is the end of the simulation.
 */
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <vector>

#include "Vflatfoot_soc.h"
#include "verilated.h"

enum : unsigned {
    LOOK_CLOCKS = 256, /* between looks at descriptors */
    FRAME = 2048,
    IP = 0x0a5a0002, /* 10.90.0.2 */
    PORT = 4750,
    DEVICE = 77,
    CLOCK_HZ = 50000000,
};
static const uint64_t mac = 0x02005e900002, session = 0x5e5510f0123;

struct simulation {
    VerilatedContext context;
    Vflatfoot_soc soc{&context};
    int tap;
    std::deque<uint8_t> uart;
    std::vector<uint8_t> in, out;
    size_t taken = 0; /* of `in` */
};

static void set_wide(VlWide<4> &to, const char *digits)
{
    for (int word = 0; word < 4; word++)
        to[3 - word] = (uint32_t)strtoul(std::string(digits + 8 * word, 8).c_str(), nullptr, 16);
}

static void tick(simulation *s)
{
    Vflatfoot_soc &soc = s->soc;
    soc.rx_valid_i = !s->uart.empty();
    soc.rx_data_i = s->uart.empty() ? 0 : s->uart.front();
    soc.live_rx_tvalid_i = s->taken < s->in.size();
    soc.live_rx_tdata_i = s->taken < s->in.size() ? s->in[s->taken] : 0;
    soc.live_rx_tlast_i = s->taken + 1 == s->in.size();
    soc.live_tx_tready_i = 1;
    soc.eval();
    if (soc.rx_ready_o && !s->uart.empty())
        s->uart.pop_front();
    if (soc.live_rx_tvalid_i && soc.live_rx_tready_o)
        s->taken++;
    if (soc.live_tx_tvalid_o) {
        s->out.push_back(soc.live_tx_tdata_o);
        if (soc.live_tx_tlast_o) {
            if (write(s->tap, s->out.data(), s->out.size()) < 0)
                perror("soc: TAP");
            s->out.clear();
        }
    }
    soc.clk_i = 1;
    soc.eval();
    soc.clk_i = 0;
    soc.eval();
}

/* False at the end of the input. */
static bool look(simulation *s)
{
    struct pollfd fds[] = {{0, POLLIN, 0}, {s->tap, POLLIN, 0}};
    poll(fds, 2, 0);
    if (fds[0].revents) {
        uint8_t byte;
        if (read(0, &byte, 1) <= 0)
            return false;
        s->uart.push_back(byte);
    }
    if (fds[1].revents & POLLIN && s->taken == s->in.size()) {
        s->in.resize(FRAME);
        const ssize_t length = read(s->tap, s->in.data(), FRAME);
        s->in.resize(length > 0 ? (size_t)length : 0);
        s->taken = 0;
    }
    return true;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: soc TAP KEY PROGRAM\n");
        return 2;
    }
    simulation s;
    s.tap = atoi(argv[1]);
    s.soc.live_mac_i = mac;
    s.soc.live_ip_i = IP;
    s.soc.live_port_i = PORT;
    s.soc.live_device_i = DEVICE;
    s.soc.live_session_i = session;
    s.soc.live_clock_hz_i = CLOCK_HZ;
    set_wide(s.soc.live_key_i, argv[2]);
    set_wide(s.soc.live_program_i, argv[3]);
    s.soc.reset_pc_i = 0x80000000;
    s.soc.rst_ni = 0;
    tick(&s);
    tick(&s);
    s.soc.rst_ni = 1;
    do {
        for (unsigned i = 0; i < LOOK_CLOCKS; i++)
            tick(&s);
    } while (look(&s));
    s.soc.final();
    return 0;
}
