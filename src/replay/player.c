/* Tells timing and observers what a trace says has retired. */
#include "replay/player.h"

#include <inttypes.h>
#include <string.h>

#include "base/vec.h"

void gs_player_init(gs_player *p, gs_machine *machine, gs_timing *timing, bool recorded)
{
    *p = (gs_player){.machine = machine, .timing = timing, .recorded = recorded};
    p->sp = machine->isa->arch == GS_ARCH_RV32 ? &machine->hart.rv.x[2] : &machine->hart.mips.r[29];
}

void gs_player_watch(gs_player *p, const gs_observer *const *observers, size_t count,
                     gs_region *region)
{
    gs_watch_init(&p->watch, p->timing, observers, count);
    p->watch.deadline = UINT64_MAX;
    p->watch.region = p->region = region;
    if (region && !region->announced) {
        region->announced = true;
        gs_watch_region(&p->watch, p->machine, region->inside);
    }
}

void gs_player_fini(gs_player *p)
{
    gs_watch_fini(&p->watch);
}

static void cross_region(gs_player *p)
{
    if (p->region && gs_region_arrive(p->region, p->machine))
        gs_watch_region(&p->watch, p->machine, p->region->inside);
}

/* The instruction has retired, and control is at `next`. */
static void deliver(gs_player *p, const gs_held *held, uint32_t next, uint32_t goal, bool transfers,
                    bool taken)
{
    static const gs_recorded_cost one = {.cycles = 1};
    gs_machine *machine = p->machine;
    const gs_retired event = {
        .number = p->number,
        .pc = held->pc,
        .next_pc = next,
        .insn = held->insn,
        .transfers = transfers,
        .taken = taken,
        .goal = taken ? goal : 0,
        .address = held->address,
        .size = held->size,
        .value = {held->value[0], held->value[1]},
    };
    if (held->moves_stack)
        *p->sp = held->sp;
    if (p->recorded)
        gs_recorded_set(p->timing, held->costly ? &held->cost : &one);
    const bool due = gs_watch_retired(&p->watch, machine, &event);
    machine->hart.instret = ++p->number;
    machine->hart.pc = next;
    if (__builtin_expect(held->marks, 0)) {
        gs_marker *marker = &machine->markers.items[machine->markers.count - 1];
        marker->instruction = event.number;
    }
    if (__builtin_expect(due, 0)) {
        machine->time = gs_watch_time(&p->watch, machine);
        cross_region(p);
    }
}

/* -- the stack pointer, where the trace does not tell it -- */

/* A called function has some bytes of stack, which are gone when control is back. */
static void follow_stack(gs_player *p, gs_flow flow, uint32_t return_address, uint32_t goal)
{
    enum { SEARCHED = 64 };
    if (flow == GS_FLOW_CALL || flow == GS_FLOW_CALL_INDIRECT || flow == GS_FLOW_BRANCH_CALL) {
        p->calls[p->call_count % GS_PLAYER_CALLS].return_address = return_address;
        p->calls[p->call_count++ % GS_PLAYER_CALLS].sp = *p->sp;
        return;
    }
    if (flow != GS_FLOW_RETURN && flow != GS_FLOW_JUMP_INDIRECT && flow != GS_FLOW_TRAP_RETURN)
        return;
    uint32_t most = p->call_count < GS_PLAYER_CALLS ? p->call_count : GS_PLAYER_CALLS;
    if (most > SEARCHED && flow != GS_FLOW_RETURN)
        most = SEARCHED;
    for (uint32_t i = 1; i <= most; i++) {
        const uint32_t at = (p->call_count - i) % GS_PLAYER_CALLS;
        if (p->calls[at].return_address != goal)
            continue;
        *p->sp = p->calls[at].sp;
        p->call_count -= i;
        return;
    }
}

static void enter_frame(gs_player *p, gs_flow flow)
{
    enum { FRAME = 16 };
    if (flow == GS_FLOW_CALL || flow == GS_FLOW_CALL_INDIRECT || flow == GS_FLOW_BRANCH_CALL)
        *p->sp -= FRAME;
}

/* -- what follows what -- */

/* Whether `next` is where the instruction can lead, `straight` being what is behind it. */
static bool explains(const gs_held *held, uint32_t straight, uint32_t next)
{
    switch (held->flow) {
    case GS_FLOW_NEXT:
    case GS_FLOW_ILLEGAL: return next == straight;
    case GS_FLOW_BRANCH:
    case GS_FLOW_BRANCH_CALL: return next == straight || next == (uint32_t)held->target;
    case GS_FLOW_JUMP:
    case GS_FLOW_CALL: return next == (uint32_t)held->target;
    default: return true;
    }
}

static bool is_taken(const gs_held *held, uint32_t straight, uint32_t next)
{
    switch (held->flow) {
    case GS_FLOW_NEXT: /* a jump to where it is for its link, if the trace says so */
    case GS_FLOW_ILLEGAL: return held->taken;
    case GS_FLOW_BRANCH:
    case GS_FLOW_BRANCH_CALL:
    case GS_FLOW_TRAP: return held->taken || next != straight;
    default: return true;
    }
}

/* Where control was to go, if an interrupt came before it got there. */
static uint32_t meant(const gs_held *held, uint32_t straight)
{
    return held->flow == GS_FLOW_JUMP || held->flow == GS_FLOW_CALL ? (uint32_t)held->target
                                                                    : straight;
}

static void interrupt(gs_player *p, uint32_t pc, uint32_t handler)
{
    p->machine->hart.pc = handler;
    p->machine->time = gs_watch_time(&p->watch, p->machine);
    gs_watch_trapped(&p->watch, p->machine, pc);
    cross_region(p);
}

static void settle_plain(gs_player *p, uint32_t next)
{
    gs_held *held = &p->held;
    const uint32_t straight = held->pc + held->insn->length;
    uint32_t to = next;
    if (!p->tells_traps && !explains(held, straight, next))
        to = meant(held, straight);
    const bool taken = is_taken(held, straight, to);
    const bool transfers = taken || held->flow == GS_FLOW_TRAP || to != straight;
    if (!p->knows_stack && taken)
        follow_stack(p, held->flow, straight, to);
    deliver(p, held, to, to, transfers, taken);
    if (!p->knows_stack && taken)
        enter_frame(p, held->flow);
    held->insn = NULL;
    if (to != next)
        interrupt(p, to, next);
}

/* A branch whose delay slot has retired, too. */
static void settle_slot(gs_player *p, uint32_t next)
{
    gs_held *branch = &p->branch, *slot = &p->held;
    const uint32_t straight = slot->pc + slot->insn->length;
    uint32_t goal = next;
    if (!p->tells_traps && !explains(branch, straight, next))
        goal = meant(branch, straight);
    const bool taken = is_taken(branch, straight, goal);
    deliver(p, branch, slot->pc, goal, taken, taken);
    if (!p->knows_stack && taken)
        follow_stack(p, branch->flow, straight, goal);
    deliver(p, slot, goal, 0, taken, false);
    if (!p->knows_stack && taken)
        enter_frame(p, branch->flow);
    branch->insn = slot->insn = NULL;
    if (goal != next)
        interrupt(p, goal, next);
}

static bool has_slot(const gs_player *p, const gs_held *held)
{
    return p->machine->isa->delay_slots > 0 && gs_player_is_jump(p, held->insn);
}

static void settle(gs_player *p, uint64_t next)
{
    if (!p->held.insn)
        return;
    if (p->branch.insn)
        settle_slot(p, (uint32_t)next);
    else
        settle_plain(p, (uint32_t)next);
}

void gs_player_settle_before(gs_player *p, uint64_t next)
{
    gs_held *held = &p->held;
    if (!held->insn)
        return;
    if (!p->branch.insn && has_slot(p, held) && next == held->pc + held->insn->length) {
        p->branch = *held;
        held->insn = NULL;
        return;
    }
    settle(p, next);
}

void gs_player_end(gs_player *p)
{
    gs_held *held = &p->held;
    if (p->branch.insn && !held->insn) { /* the trace ends in front of its delay slot */
        *held = p->branch;
        p->branch.insn = NULL;
    }
    if (held->insn)
        settle(p, meant(p->branch.insn ? &p->branch : held, held->pc + held->insn->length));
    p->machine->time = gs_watch_time(&p->watch, p->machine);
}

void gs_player_trap(gs_player *p, uint64_t pc, uint64_t handler, const gs_recorded_cost *before)
{
    if (p->branch.insn && !p->held.insn) { /* its delay slot has trapped */
        p->held = p->branch;
        p->branch.insn = NULL;
    }
    settle(p, pc);
    if (p->recorded && before)
        gs_recorded_pass(p->timing, before);
    interrupt(p, (uint32_t)pc, (uint32_t)handler);
}

void gs_player_stack(gs_player *p, uint32_t sp)
{
    if (!p->held.insn) {
        *p->sp = sp;
        return;
    }
    p->held.moves_stack = true;
    p->held.sp = sp;
}

gs_status gs_player_marker(gs_player *p, uint64_t value, uint64_t cycle, gs_error *err)
{
    const gs_marker marker = {.value = (uint32_t)value, .cycle = cycle};
    if (!gs_vec_push(&p->machine->markers, marker))
        return gs_fail_no_memory(err);
    p->held.marks = p->held.insn != NULL;
    return GS_OK;
}

static void map_accessed(gs_player *p, uint32_t address)
{
    gs_memory *memory = &p->machine->memory;
    gs_error ignored;
    if (!(memory->prot[address >> GS_PAGE_SHIFT] & (GS_PROT_MAPPED | GS_PROT_DEVICE)))
        (void)gs_memory_map(memory, address, 1, GS_PROT_READ | GS_PROT_WRITE, &ignored);
}

void gs_player_play_decoded(gs_player *p, const gs_played *played, const gs_insn *insn,
                            gs_flow flow, uint64_t target)
{
    gs_player_settle_before(p, played->pc);
    if (__builtin_expect(p->maps && played->size > 0, 0))
        map_accessed(p, (uint32_t)played->address);
    gs_held *held = &p->held;
    held->insn = insn;
    held->pc = (uint32_t)played->pc;
    held->flow = flow;
    held->target = target;
    held->address = played->address;
    held->size = (uint8_t)(played->size == GS_PLAYED_SIZE_OF_INSN
                               ? gs_op_access_bytes(p->machine->isa, insn->op)
                               : played->size);
    held->taken = played->taken;
    held->value[0] = played->value[0];
    held->value[1] = played->value[1];
    held->moves_stack = held->marks = false;
    held->costly = played->cost != NULL;
    if (held->costly)
        held->cost = *played->cost;
}

gs_status gs_player_play(gs_player *p, const gs_played *played, gs_error *err)
{
    const gs_insn *insn;
    uint64_t target = 0;
    gs_status status = gs_player_decode(p, &insn, played->pc, played->code, played->code_size, err);
    if (status != GS_OK)
        return status;
    gs_flow flow = p->machine->isa->flow(insn, played->pc, &target);
    gs_player_play_decoded(p, played, insn, flow, target);
    return GS_OK;
}

/* -- code -- */

/* Whether the ELF file has bytes at the address. */
static bool is_in_file(const gs_image *image, uint64_t address)
{
    for (size_t i = 0; i < gs_image_segment_count(image); i++) {
        const gs_segment *segment = gs_image_segment(image, i);
        if (address - segment->address < segment->file_size)
            return true;
    }
    return false;
}

static gs_status other_program(const gs_player *p, uint32_t pc, const uint8_t *code, unsigned size,
                               gs_error *err)
{
    char there[2 * 16 + 1] = "", executed[2 * 16 + 1] = "";
    for (unsigned i = 0; i < size && i < 16; i++) {
        static const char digits[] = "0123456789abcdef";
        const uint8_t byte = p->machine->memory.bytes[pc + i];
        there[2 * i] = digits[byte >> 4];
        there[2 * i + 1] = digits[byte & 15];
        executed[2 * i] = digits[code[i] >> 4];
        executed[2 * i + 1] = digits[code[i] & 15];
    }
    return gs_fail(err, GS_E_FORMAT,
                   "the trace is of another program: at 0x%08" PRIx32 " it has executed the bytes "
                   "%s, and %.200s has %s there (if the program changes its own code, say "
                   "--changing-code)",
                   pc, executed, gs_image_name(p->machine->image), there);
}

/* The code that was executed comes into the machine's memory. */
static gs_status take_code(gs_player *p, uint32_t pc, const uint8_t *code, unsigned size,
                           gs_error *err)
{
    enum { ALL = GS_PROT_READ | GS_PROT_WRITE | GS_PROT_EXEC };
    gs_memory *memory = &p->machine->memory;
    if (!gs_memory_allows(memory, pc, size, GS_PROT_MAPPED)) {
        gs_status status = gs_memory_map(memory, pc, size, ALL, err);
        if (status != GS_OK)
            return status;
    }
    if (!gs_memory_allows(memory, pc, size, GS_PROT_EXEC))
        gs_memory_protect(memory, pc, size, ALL);
    if (memcmp(memory->bytes + pc, code, size) == 0)
        return GS_OK;
    if (!p->may_change && is_in_file(p->machine->image, pc))
        return other_program(p, pc, code, size, err);
    return gs_memory_poke(memory, pc, code, size)
               ? GS_OK
               : gs_fail(err, GS_E_FORMAT, "no code can be at 0x%08" PRIx32, pc);
}

static gs_status no_code(const gs_player *p, uint64_t pc, gs_error *err)
{
    return gs_fail(err, GS_E_FORMAT,
                   "the trace is of another program: it has executed an instruction at 0x%08" PRIx64
                   ", where %.200s has no code",
                   pc, gs_image_name(p->machine->image));
}

gs_status gs_player_decode(gs_player *p, const gs_insn **insn, uint64_t pc, const uint8_t *code,
                           unsigned size, gs_error *err)
{
    gs_machine *machine = p->machine;
    gs_memory *memory = &machine->memory;
    if (pc > UINT32_MAX - GS_PAGE_SIZE)
        return gs_fail(err, GS_E_UNSUPPORTED,
                       "the trace has an instruction at 0x%" PRIx64
                       "; addresses of code may have 32 bits",
                       pc);
    if (pc % memory->unit != 0)
        return gs_fail(err, GS_E_FORMAT, "an instruction at the odd address 0x%08" PRIx64, pc);
    if (code) {
        gs_status status = take_code(p, (uint32_t)pc, code, size, err);
        if (status != GS_OK)
            return status;
    }
    gs_insn *page = gs_memory_code_page(memory, (gs_addr)pc);
    if (!page)
        return no_code(p, pc, err);
    gs_insn *slot = &page[(pc & (GS_PAGE_SIZE - 1)) / memory->unit];
    if (slot->op == GS_OP_UNDECODED) {
        if (gs_machine_decode(machine, slot, (gs_addr)pc) >= 0)
            return no_code(p, pc, err);
        gs_watch_decoded(&p->watch, machine, (gs_addr)pc, slot);
    }
    *insn = slot;
    return GS_OK;
}
