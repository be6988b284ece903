/* Makes the beats of a random trace. */
#include "random_trace.h"

typedef struct walk {
    const gs_machine *machine;
    uint64_t random;
    uint32_t pc;
    bool in_slot;
    uint32_t goal; /* after the slot */
} walk;

static uint32_t any(walk *w, uint32_t below)
{
    w->random = w->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(w->random >> 33) % below;
}

/* Instructions by their fixed bits, and which others are random. */
typedef struct pattern {
    uint32_t match, random;
} pattern;

static const pattern rv_patterns[] = {
    {0x0000006f, 0x80100f80}, /* jal, a few bytes back or forth */
    {0x00000067, 0x000f8f80}, /* jalr */
    {0x00000067, 0x000f8000}, /* the same, without linking */
    {0x00008067, 0},          /* ret */
    {0x00000063, 0xfe007f80}, /* beq and others */
    {0x00000013, 0},          /* nop */
    {0x00002001, 0x00001ffc}, /* c.jal */
    {0x0000a001, 0x00001ffc}, /* c.j */
    {0x0000c001, 0x00003ffc}, /* c.beqz, c.bnez */
    {0x00008002, 0x00001f80}, /* c.jr, c.jalr */
    {0x00008082, 0},          /* c.jr ra */
};

static const pattern mips_patterns[] = {
    {0x0c000000, 0x0000ffff}, /* jal */
    {0x08000000, 0x0000ffff}, /* j */
    {0x00000008, 0x03e00000}, /* jr */
    {0x03e00008, 0},          /* jr $31 */
    {0x00000009, 0x03e0f800}, /* jalr */
    {0x10000000, 0x0421800f}, /* beq, bne */
    {0x18000000, 0x0460800f}, /* blez, bgtz */
    {0x04000000, 0x0061800f}, /* bltz, bgez */
    {0x04100000, 0x00618003}, /* bltzal, bgezal */
    {0x50000000, 0x0421800f}, /* likely */
    {0x04120000, 0x00618003}, /* likely, linking */
    {0x00000000, 0},          /* nop */
};

/* Random bits, but for registers, which are more often those that matter. */
static uint32_t random_bits(walk *w, bool rv)
{
    static const uint32_t links[] = {0, 1, 5, 31};
    uint32_t bits = any(w, 0x10000) << 16 | any(w, 0x10000);
    if (any(w, 4) == 0)
        return bits;
    uint32_t one = links[any(w, 4)], other = links[any(w, 4)];
    return rv ? (bits & ~0x000f8f80u) | one << 7 | other << 15
              : (bits & ~0x03e0f800u) | one << 11 | other << 21;
}

static void draw(walk *w, gs_insn *insn)
{
    bool rv = w->machine->isa->delay_slots == 0;
    const pattern *patterns = rv ? rv_patterns : mips_patterns;
    uint32_t count = rv ? sizeof rv_patterns / sizeof *rv_patterns
                        : sizeof mips_patterns / sizeof *mips_patterns;
    do {
        const pattern *p = &patterns[any(w, count)];
        uint32_t word = p->match | (random_bits(w, rv) & p->random);
        gs_decode(insn, &w->machine->decoder, w->in_slot ? 0 : word); /* 0: nop in a slot */
    } while (insn->op == GS_OP_ILLEGAL);
}

static bool is_likely(uint32_t word)
{
    return word >> 28 == 5 || (word >> 26 == 1 && word >> 17 & 1);
}

static uint32_t some_function(walk *w)
{
    size_t count = gs_image_function_count(w->machine->image);
    const gs_function *f = gs_image_function(w->machine->image, any(w, (uint32_t)count));
    return (uint32_t)f->start + (any(w, 8) == 0 ? 4 * any(w, 64) : 0);
}

/* Where the instruction leads, its slot apart. */
static uint32_t goal_of(walk *w, const gs_insn *insn, uint32_t straight)
{
    uint64_t target = 0;
    switch (w->machine->isa->flow(insn, w->pc, &target)) {
    case GS_FLOW_JUMP:
    case GS_FLOW_CALL: return (uint32_t)target;
    case GS_FLOW_BRANCH:
    case GS_FLOW_BRANCH_CALL: return any(w, 2) ? (uint32_t)target : straight;
    case GS_FLOW_JUMP_INDIRECT:
    case GS_FLOW_CALL_INDIRECT:
    case GS_FLOW_RETURN:
    case GS_FLOW_RETURN_CALL: return some_function(w);
    default: return straight;
    }
}

static uint32_t step(walk *w, const gs_insn *insn)
{
    uint32_t onwards = w->pc + insn->length;
    if (w->in_slot) {
        w->in_slot = false;
        return w->goal;
    }
    if (w->machine->isa->delay_slots == 0)
        return goal_of(w, insn, onwards);
    uint64_t target;
    gs_flow flow = w->machine->isa->flow(insn, w->pc, &target);
    if (flow == GS_FLOW_NEXT)
        return onwards;
    w->goal = goal_of(w, insn, onwards + 4);
    if (is_likely(insn->raw) && w->goal == onwards + 4)
        return w->goal;
    w->in_slot = true;
    return onwards;
}

static void stall(walk *w, gs_port *port)
{
    for (unsigned i = 0; i < GS_STALL_COUNT; i++) {
        port->stall[i] = any(w, 24) == 0 ? 1 + any(w, 3) : 0;
        port->cycles += port->stall[i];
    }
}

void random_trace(const gs_machine *machine, uint64_t seed, uint64_t beats, gs_port_reader *reader,
                  void *reader_self)
{
    walk w = {.machine = machine, .random = seed};
    w.pc = some_function(&w);
    for (uint64_t i = 0; i < beats; i++) {
        gs_insn insn;
        gs_port port = {.pc = w.pc};
        if (any(&w, 40) == 0) {
            port.trap = true;
            port.next_pc = some_function(&w);
            w.in_slot = false;
        } else {
            draw(&w, &insn);
            port.valid = true;
            port.insn = insn.raw;
            port.decoded = &insn;
            port.next_pc = step(&w, &insn);
            port.size = any(&w, 2) ? 4 : 0;
            port.read = port.size && any(&w, 3) > 0;
            port.write = port.size && any(&w, 3) > 0;
            port.mispredict = any(&w, 4) == 0;
            port.icache_hits = (uint8_t)any(&w, 3);
            port.icache_misses = any(&w, 9) == 0;
            port.dcache_hits = (uint8_t)any(&w, 2);
            port.dcache_misses = any(&w, 9) == 0;
            port.address = any(&w, UINT32_MAX) & ~3u;
            port.cycles = 1;
            if (any(&w, 2))
                stall(&w, &port);
        }
        w.pc = port.next_pc;
        reader(reader_self, &port);
    }
}
