/* Feeds a pipeline model, and checks each step. */
#include "timing_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "isa/rv/rv.h"

void rig_open(rig *r, const char *core, const char *set)
{
    gs_error err = {0};
    if (gs_core_open(&r->core, core, &set, set ? 1 : 0, &err) != GS_OK)
        fail_msg("%s", err.message);
    gs_machine *m = r->machine = calloc(1, sizeof *m);
    assert_non_null(m);
    m->isa = gs_isa_for(GS_ARCH_RV32);
    m->extensions = r->core->any_isa ? m->isa->all_extensions : r->core->extensions;
    gs_decoder_init(&m->decoder, m->isa, m->extensions);
    assert_int_equal(gs_memory_init(&m->memory, m->isa, false, &err), GS_OK);
    const unsigned all = GS_PROT_READ | GS_PROT_WRITE | GS_PROT_EXEC;
    assert_int_equal(gs_memory_map(&m->memory, RIG_CODE, RIG_CODE_SIZE, all, &err), GS_OK);
    assert_int_equal(gs_timing_open(&r->timing, r->core, m, &err), GS_OK);
}

void rig_close(rig *r)
{
    gs_timing_free(r->timing);
    gs_memory_fini(&r->machine->memory);
    free(r->machine);
    gs_core_free(r->core);
}

uint32_t rig_put(rig *r, uint32_t pc, uint32_t insn)
{
    uint8_t bytes[4] = {insn & 0xff, insn >> 8 & 0xff, insn >> 16 & 0xff, (uint8_t)(insn >> 24)};
    unsigned length = (insn & 3) == 3 ? 4 : 2;
    assert_true(gs_memory_poke(&r->machine->memory, pc, bytes, length));
    return pc + length;
}

/* Every cycle is accounted for. */
static uint64_t passed(const rig *r, uint64_t before)
{
    assert_int_equal(gs_timing_issue_cycles(r->timing), r->timing->instructions);
    return gs_timing_cycles(r->timing) - before;
}

static uint64_t retire(rig *r, gs_timing_step *step)
{
    gs_insn insn;
    uint32_t word;
    uint64_t before = gs_timing_cycles(r->timing);
    const gs_machine *m = r->machine;
    assert_int_equal(gs_memory_fetch(&m->memory, m->isa, step->pc, &word), GS_ACCESS_OK);
    gs_decode(&insn, &m->decoder, word);
    if (step->size > 0) {
        step->store = m->isa->ops[insn.op].timing == GS_CLASS_STORE;
        step->load = !step->store;
    }
    gs_timing_retired(r->timing, &insn, step);
    return passed(r, before);
}

uint64_t rig_step(rig *r, uint32_t pc)
{
    return retire(r, &(gs_timing_step){.pc = pc});
}

uint64_t rig_jump(rig *r, uint32_t pc, uint32_t goal)
{
    return retire(r, &(gs_timing_step){.pc = pc, .taken = true, .goal = goal});
}

uint64_t rig_access(rig *r, uint32_t pc, uint32_t address, unsigned size)
{
    return retire(r, &(gs_timing_step){.pc = pc, .address = address, .size = (uint8_t)size});
}

uint64_t rig_operands(rig *r, uint32_t pc, uint32_t first, uint32_t second)
{
    return retire(r, &(gs_timing_step){.pc = pc, .value = {first, second}});
}

uint64_t rig_redirect(rig *r, gs_redirect kind, uint64_t until)
{
    uint64_t before = gs_timing_cycles(r->timing);
    gs_timing_redirected(r->timing, kind, until);
    return passed(r, before);
}
