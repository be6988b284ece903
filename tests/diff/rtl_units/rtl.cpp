/* Built for each unit, whose class Verilator is told to name Vunit. */
#include "rtl.h"

#include <new>
#include <vector>

#include "Vunit.h"
#include "verilated.h"

enum { PATIENCE = 1000 };

struct rtl_unit {
    VerilatedContext context;
    Vunit top{&context};
    std::vector<rtl_record> records;
};

static void tick(rtl_unit *u)
{
    u->top.clk_i = 0;
    u->top.eval();
#ifdef HAS_RECORDS
    if (u->top.record_valid_o)
        u->records.push_back({u->top.record_number_o, u->top.record_sequence_o,
                              u->top.record_last_o, u->top.record_value_o, u->top.record_total_o});
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
#ifdef HAS_RECORDS
    u->top.trace_mem_read_i = wires->read;
    u->top.trace_mem_write_i = wires->write;
    u->top.trace_mispredict_i = wires->mispredict;
    u->top.trace_icache_hit_i = wires->icache_hit;
    u->top.trace_icache_miss_i = wires->icache_miss;
    u->top.trace_dcache_hit_i = wires->dcache_hit;
    u->top.trace_dcache_miss_i = wires->dcache_miss;
#endif
}

void rtl_clock(rtl_unit *u, const rtl_wires *wires)
{
    set_port(u, wires);
    tick(u);
}

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

const rtl_record *rtl_records(const rtl_unit *u, size_t *count)
{
    *count = u->records.size();
    return u->records.data();
}
}
