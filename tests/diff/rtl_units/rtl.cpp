/* Built for each unit, whose class Verilator is told to name Vunit. */
#include "rtl.h"

#include <new>
#include <vector>

#include "Vunit.h"
#include "verilated.h"

enum { PATIENCE = 1000, QUIET = 2500 };

struct rtl_unit {
    VerilatedContext context;
    Vunit top{&context};
    std::vector<rtl_record> records;
#ifdef HAS_FRAMES
    std::vector<std::vector<uint8_t>> sent; /* the last one is not whole yet */
    std::vector<rtl_frame> frames;
    unsigned stall = 0, gaps = 0, quiet = 0;
    uint64_t chance = 1;
    int offered = -1; /* the byte that was not taken in the clock before */
#endif
};

#ifdef HAS_FRAMES
static unsigned draw(rtl_unit *u)
{
    u->chance = u->chance * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(u->chance >> 33) % 100;
}

/* What the MAC does with what is offered to it before the clock. */
static void take_byte(rtl_unit *u)
{
    u->top.tx_tready_i = draw(u) >= u->stall;
    u->top.eval();
    const bool within = !u->sent.empty() && !u->sent.back().empty();
    u->quiet = u->top.tx_tvalid_o || !u->top.rx_tready_o ? 0 : u->quiet + 1;
    if ((within && !u->top.tx_tvalid_o) ||
        (u->offered >= 0 && (!u->top.tx_tvalid_o || u->top.tx_tdata_o != u->offered)))
        u->gaps++;
    u->offered = -1;
    if (!u->top.tx_tvalid_o)
        return;
    if (!u->top.tx_tready_i) {
        u->offered = u->top.tx_tdata_o;
        return;
    }
    if (u->sent.empty())
        u->sent.emplace_back();
    u->sent.back().push_back(u->top.tx_tdata_o);
    if (u->top.tx_tlast_o)
        u->sent.emplace_back();
}
#endif

static void tick(rtl_unit *u)
{
    u->top.clk_i = 0;
    u->top.eval();
#ifdef HAS_RECORDS
    if (u->top.record_valid_o)
        u->records.push_back({u->top.record_number_o, u->top.record_sequence_o,
                              u->top.record_last_o, u->top.record_value_o, u->top.record_total_o});
#endif
#ifdef HAS_FRAMES
    take_byte(u);
#endif
    u->top.clk_i = 1;
    u->top.eval();
}

extern "C" {

rtl_unit *rtl_open(void)
{
    rtl_unit *u = new (std::nothrow) rtl_unit;
    if (!u)
        return nullptr;
    u->top.rst_ni = 0;
    tick(u);
    u->top.rst_ni = 1;
    return u;
}

void rtl_free(rtl_unit *u)
{
    delete u;
}

#ifdef HAS_RVFI
static void set_rvfi(rtl_unit *u, const rtl_rvfi *rvfi)
{
    u->top.core_rst_ni = !rvfi->reset;
    u->top.start_i = rvfi->start;
    u->top.stall_i = rvfi->stall;
    u->top.rvfi_valid = rvfi->valid;
    u->top.rvfi_order = rvfi->order;
    u->top.rvfi_insn = rvfi->insn;
    u->top.rvfi_trap = rvfi->trap;
    u->top.rvfi_halt = rvfi->halt;
    u->top.rvfi_intr = rvfi->intr;
    u->top.rvfi_rs1_rdata = rvfi->rs1_rdata;
    u->top.rvfi_pc_rdata = rvfi->pc_rdata;
    u->top.rvfi_pc_wdata = rvfi->pc_wdata;
    u->top.rvfi_mem_addr = rvfi->mem_addr;
    u->top.rvfi_mem_rmask = rvfi->mem_rmask;
    u->top.rvfi_mem_wmask = rvfi->mem_wmask;
}

void rtl_clock_rvfi(rtl_unit *u, const rtl_rvfi *rvfi)
{
    set_rvfi(u, rvfi);
    tick(u);
}

int rtl_rvfi_style(unsigned *latency)
{
    *latency = RVFI_LATENCY;
    return HAS_RVFI;
}

/* An access to a register, at the end: the core is halted, or has not been started. */
static void set_port(rtl_unit *u, const rtl_wires *)
{
    u->top.rvfi_valid = 0;
}
#else
static void set_port(rtl_unit *u, const rtl_wires *wires)
{
    u->top.trace_valid_i = wires->valid;
    u->top.trace_trap_i = wires->trap;
    u->top.trace_stall_valid_i = wires->stalled;
    u->top.trace_stall_i = wires->stall;
    u->top.trace_pc_i = wires->pc;
    u->top.trace_next_pc_i = wires->next_pc;
    u->top.trace_insn_i = wires->insn;
#ifdef HAS_ACCESS
    u->top.trace_mem_valid_i = wires->access;
    u->top.trace_mem_addr_i = wires->address;
#endif
#ifdef HAS_SIGNALS
    u->top.trace_mem_read_i = wires->read;
    u->top.trace_mem_write_i = wires->write;
    u->top.trace_mispredict_i = wires->mispredict;
    u->top.trace_icache_hit_i = wires->icache_hit;
    u->top.trace_icache_miss_i = wires->icache_miss;
    u->top.trace_dcache_hit_i = wires->dcache_hit;
    u->top.trace_dcache_miss_i = wires->dcache_miss;
#endif
}
#endif

void rtl_clock(rtl_unit *u, const rtl_wires *wires)
{
    set_port(u, wires);
    tick(u);
}

#ifndef HAS_FRAMES
/* Until the clock with which the unit is ready. */
static bool transfer(rtl_unit *u, uint32_t *value)
{
    static const rtl_wires silence = {};
    set_port(u, &silence);
    u->top.reg_valid_i = 1;
    bool ready = false, refused = false;
    for (int i = 0; i < PATIENCE && !ready; i++) {
        u->top.clk_i = 0;
        u->top.eval();
        ready = u->top.reg_ready_o;
        refused = u->top.reg_error_o;
        *value = u->top.reg_rdata_o;
        tick(u);
    }
    u->top.reg_valid_i = 0;
    return ready && !refused;
}

bool rtl_read(rtl_unit *u, uint32_t address, uint32_t *value)
{
    u->top.reg_write_i = 0;
    u->top.reg_addr_i = address;
    return transfer(u, value);
}

bool rtl_write(rtl_unit *u, uint32_t address, uint32_t value)
{
    u->top.reg_write_i = 1;
    u->top.reg_addr_i = address;
    u->top.reg_wdata_i = value;
    uint32_t nothing;
    return transfer(u, &nothing);
}

#endif

const rtl_record *rtl_records(const rtl_unit *u, size_t *count)
{
    *count = u->records.size();
    return u->records.data();
}

#ifdef HAS_FRAMES
static void set_wide(VlWide<4> &to, const uint8_t *bytes)
{
    for (int word = 0; word < 4; word++)
        to[3 - word] = (uint32_t)bytes[4 * word] << 24 | (uint32_t)bytes[4 * word + 1] << 16 |
                       (uint32_t)bytes[4 * word + 2] << 8 | bytes[4 * word + 3];
}

void rtl_identify(rtl_unit *u, const rtl_identity *who, unsigned stall)
{
    u->stall = stall;
    u->top.mac_i = who->mac;
    u->top.ip_i = who->ip;
    u->top.port_i = who->port;
    u->top.device_i = who->device;
    u->top.session_i = who->session;
    u->top.clock_hz_i = who->clock_hz;
    set_wide(u->top.key_i, who->key);
    set_wide(u->top.program_i, who->program);
}

static void pause_for(rtl_unit *u)
{
    static const rtl_wires silence = {};
    set_port(u, &silence);
    tick(u);
}

bool rtl_send(rtl_unit *u, const uint8_t *bytes, size_t length, bool damaged)
{
    for (size_t i = 0; i < length; i++) {
        for (u->top.rx_tvalid_i = 0; draw(u) < u->stall;)
            pause_for(u);
        u->top.rx_tvalid_i = 1;
        u->top.rx_tdata_i = bytes[i];
        u->top.rx_tlast_i = i + 1 == length;
        u->top.rx_tuser_i = i + 1 == length && damaged;
        u->top.eval();
        for (int patience = 0; !u->top.rx_tready_o; patience++) {
            if (i > 0 || patience == PATIENCE)
                return false;
            pause_for(u);
        }
        pause_for(u);
    }
    u->top.rx_tvalid_i = 0;
    return true;
}

void rtl_settle(rtl_unit *u)
{
    for (u->quiet = 0; u->quiet < QUIET;)
        pause_for(u);
}

void rtl_end(rtl_unit *u)
{
    u->top.end_i = 1;
    pause_for(u);
    u->top.end_i = 0;
}

const rtl_frame *rtl_frames(const rtl_unit *unit, size_t *count)
{
    auto *u = const_cast<rtl_unit *>(unit);
    u->frames.clear();
    for (size_t i = 0; i + 1 < u->sent.size(); i++)
        u->frames.push_back({u->sent[i].data(), u->sent[i].size()});
    *count = u->frames.size();
    return u->frames.data();
}

unsigned rtl_gaps(const rtl_unit *u)
{
    return u->gaps;
}
#endif
}
