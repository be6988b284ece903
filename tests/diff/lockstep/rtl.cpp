#include "rtl.h"

#include <cstdlib>
#include <cstring>
#include <string>

#include "Vflatfoot_soc.h"
#include "Vflatfoot_soc___024root.h"
#include "verilated.h"

struct rtl_soc {
    VerilatedContext context;
    Vflatfoot_soc soc{&context};
    uint64_t cycle = 0;
    rtl_state state = {};
    std::string output;
    const uint8_t *input = nullptr; /* still to be received */
    size_t input_size = 0;
};

extern "C" {

rtl_soc *rtl_open(void)
{
    return new rtl_soc;
}

void rtl_free(rtl_soc *r)
{
    delete r;
}

void *rtl_memory(rtl_soc *r, size_t *bytes)
{
    auto &words = r->soc.rootp->flatfoot_soc__DOT__memory__DOT__words;
    *bytes = sizeof words;
    return &words[0];
}

static void tick(rtl_soc *r)
{
    if (r->soc.rx_ready_o) {
        r->input++;
        r->input_size--;
    }
    r->soc.clk_i = 1;
    r->soc.eval();
    r->soc.rx_valid_i = r->input_size > 0;
    r->soc.rx_data_i = r->input_size > 0 ? *r->input : 0;
    r->soc.clk_i = 0;
    r->soc.eval();
}

void rtl_reset(rtl_soc *r, uint32_t entry)
{
    auto &root = *r->soc.rootp;
    for (int i = 0; i < 32; i++) { /* which a reset does not: they are as at power-up */
        root.flatfoot_soc__DOT__core__DOT__regfile__DOT__copy1[i] = 0;
        root.flatfoot_soc__DOT__core__DOT__regfile__DOT__copy2[i] = 0;
    }
    r->soc.rst_ni = 0;
    r->soc.reset_pc_i = entry;
    r->input_size = 0;
    tick(r);
    tick(r);
    r->soc.rst_ni = 1;
    r->soc.eval();
    r->cycle = 0;
    r->state = {};
    r->output.clear();
}

void rtl_input(rtl_soc *r, const uint8_t *bytes, size_t size)
{
    r->input = bytes;
    r->input_size = size;
    r->soc.rx_valid_i = size > 0;
    r->soc.rx_data_i = size > 0 ? *bytes : 0;
    r->soc.eval();
}

/* Looks at the outputs of the cycle at hand; true if it has an event. */
static bool look(rtl_soc *r, rtl_event *event)
{
    const Vflatfoot_soc &soc = r->soc;
    if (soc.trace_stall_valid_o)
        r->state.stalls[soc.trace_stall_o]++;
    if (soc.tx_valid_o)
        r->output.push_back((char)soc.tx_data_o);
    if (soc.exit_valid_o) {
        r->state.exited = true;
        r->state.exit_code = soc.exit_code_o;
    }
    if (!soc.trace_valid_o && !soc.trace_intr_o)
        return false;
    event->cycle = r->cycle;
    event->retired = soc.trace_valid_o && !soc.trace_trap_o;
    event->trapped = soc.trace_valid_o && soc.trace_trap_o;
    event->interrupted = soc.trace_intr_o;
    event->pc = soc.trace_pc_o;
    event->next_pc = soc.trace_next_pc_o;
    event->insn = soc.trace_insn_o;
    event->rd = soc.trace_rd_addr_o;
    event->rd_value = soc.trace_rd_wdata_o;
    event->address = soc.trace_mem_addr_o;
    event->read_lanes = soc.trace_mem_rmask_o;
    event->write_lanes = soc.trace_mem_wmask_o;
    event->write_word = soc.trace_mem_wdata_o;
    return true;
}

bool rtl_next(rtl_soc *r, uint64_t cycles, rtl_event *event)
{
    while (cycles-- > 0) {
        r->cycle++; /* its outputs are there */
        bool found = look(r, event);
        tick(r);
        if (found)
            return true;
    }
    return false;
}

const rtl_state *rtl_look(const rtl_soc *r)
{
    auto *state = const_cast<rtl_state *>(&r->state);
    state->output = const_cast<char *>(r->output.data());
    state->output_size = r->output.size();
    return state;
}
}
