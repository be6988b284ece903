#include "engine/interp.h"

/* Long enough to cost nothing, short enough that Ctrl-C and a progress bar feel immediate. */
static const uint64_t slice = 1 << 22;

int gs_interp_fill(gs_machine *machine, gs_insn *slot, gs_addr pc)
{
    uint32_t word;
    switch (gs_memory_fetch(&machine->memory, machine->isa, pc, &word)) {
    case GS_ACCESS_OK: break;
    case GS_ACCESS_FAULT: return GS_TRAP_FETCH_FAULT;
    case GS_ACCESS_MISALIGNED: return GS_TRAP_FETCH_MISALIGNED;
    }
    gs_decode(slot, &machine->decoder, word);
    /* A store to the second half must reach this slot even if that half is on the next page. */
    if (slot->length == 4 && (pc + 2) >> GS_PAGE_SHIFT != pc >> GS_PAGE_SHIFT)
        (void)gs_memory_code_page(&machine->memory, pc + 2);
    return -1;
}

static gs_interp *choose(const gs_machine *machine, bool observed)
{
    if (machine->isa->arch == GS_ARCH_RV32)
        return observed ? gs_interp_rv32_observed : gs_interp_rv32_plain;
    if (machine->memory.big_endian)
        return observed ? gs_interp_mipseb_observed : gs_interp_mipseb_plain;
    return observed ? gs_interp_mipsel_observed : gs_interp_mipsel_plain;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

gs_status gs_run(gs_machine *machine, const gs_run_options *options, gs_error *err)
{
    gs_hart *hart = &machine->hart;
    gs_interp *interp = choose(machine, options->observer != NULL);
    uint64_t limit = options->max_instructions ? options->max_instructions : UINT64_MAX;
    (void)err;

    if (machine->exit.kind == GS_EXIT_LIMIT || machine->exit.kind == GS_EXIT_INTERRUPTED)
        machine->exit = (gs_exit){0};
    while (machine->exit.kind == GS_EXIT_NONE) {
        if (hart->instret >= limit) {
            machine->exit.kind = GS_EXIT_LIMIT;
            break;
        }
        if (options->cancel && *options->cancel) {
            machine->exit.kind = GS_EXIT_INTERRUPTED;
            break;
        }
        uint64_t before = machine->time;
        uint64_t next_event = machine->environment->events(machine, machine->time);
        machine->idle += machine->time - before;
        if (machine->exit.kind != GS_EXIT_NONE)
            break;

        uint64_t until_event = next_event > machine->time ? next_event - machine->time : 1;
        uint64_t budget = smaller(smaller(limit - hart->instret, until_event), slice);
        gs_stop stop = interp(machine, budget, options->observer);
        hart->resync = false;
        machine->time = hart->instret + machine->idle;
        if (stop == GS_STOP_TRAP) {
            machine->environment->trap(machine);
            machine->time = hart->instret + machine->idle;
        }
        if (options->progress)
            options->progress(options->progress_self, machine);
    }
    if (machine->environment->flush)
        machine->environment->flush(machine);
    return GS_OK;
}
