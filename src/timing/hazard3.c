/*
 * Hazard3, the RISC-V core of the RP2350: fetch, X (decode and execute) and M (memory), a branch
 * predictor of one entry, separate AHB-Lite ports for instructions and data.
 *
 * One instruction leaves X per cycle, in order. It retires then, but for a load or store, which
 * does when M has done with it. W = memory.wait: every data phase on either port takes 1 + W
 * cycles.
 *
 *  1 An instruction is in X once the one before has left and all its halfwords are in the buffer
 *    (rules 9 and 10). Most leave in that cycle, and their result is there for the next.
 *  2 A load or store that leaves X in cycle x keeps M until x + W; nothing leaves X meanwhile. What
 *    needs the loaded register leaves at x + 2 + W or later. The data of a store do not wait.
 *  3 False needs: a csr instruction waits as if it read the register whose number is in the low
 *    five bits of the csr's number, and, with an immediate, the one of that number.
 *  4 DIV takes classes.DIV.cycles in X, `special` if it is signed and the dividend negative. They
 *    begin when rules 1 to 3 are fulfilled, also while M waits.
 *  5 lr.w and sc.w are like loads; an sc.w without a reservation uses no bus, so M does not wait.
 *    An AMO takes classes.ATOMIC.cycles + 2 W cycles in X from when M is free, and leaves nothing
 *    behind. All three wait until an lr.w or sc.w before them has left M (x + 2 + W).
 *  6 Zcmp: cm.push, cm.pop of n registers are n stores or loads, then one step more. cm.popret: n
 *    loads, a return, then one step that hides behind it; cm.popretz has one more before the
 *    return. The return waits for ra only if that has just been loaded, as the only one of its
 *    list. cm.mvsa01 and cm.mva01s are two steps. Each step obeys the rules above.
 *  7 jal, jalr, fence.i, a taken branch that was not predicted and a predicted one that is not
 *    taken ask for a redirect in X, as soon as rules 1 to 3 are fulfilled and in every cycle, until
 *    one in which no fetch request is held; M waiting does not delay that. The instruction leaves
 *    then, or when M is free.
 *  8 Traps and mret: trap_entry cycles after the instruction would have left X, the redirect is
 *    asked for as in rule 7. So is an interrupt's.
 *  9 Fetch presents a request in each cycle: the one that is held; else a redirect's target word;
 *    else, unless Q = 2, or Q = 1 and P > 0, or P = 2, the next word. Q words are in the queue, P
 *    requests unanswered. It is accepted in a cycle with no data phase or in the last of one; the
 *    data phase is the following 1 + W cycles, and the word arrives in the last of them.
 * 10 With R halfwords left in the buffer, the oldest word, from the queue or just arriving, moves
 *    there if R <= 1, or R <= 2 if one of its halfwords is of the program. It is usable in the next
 *    cycle. At most one moves per cycle.
 * 11 A redirect empties buffer and queue; requests underway keep the port and are dropped.
 * 12 The predictor knows one branch: conditional, with a negative offset. It is written when such a
 *    branch that was not predicted asks for its redirect, and emptied by a predicted branch that
 *    is not taken, by fence.i, and by a trap. It is looked up with the address of each accepted
 *    request, except that of a redirect accepted at once. If the branch's last halfword is in that
 *    word, the target's word is next; for a branch of 4 bytes at 2 mod 4 the word of its first half
 *    is looked up, and the word behind that leads to the target.
 * 13 After reset the first request is in cycle 1.
 *
 * Evidence: 992 microbenchmarks on the RTL (configured like the RP2350, in Verilator, W = 0 and 1),
 * all exact; rules 1 to 13 without traps predicted 374 million instructions of whole programs
 * without a wrong cycle. Of traps only ecall, a misaligned load and mret were measured; interrupts,
 * and wfi, were not.
 *
 * Who pays: the instruction that retires next. RVFI shows an instruction when it has left M, two
 * cycles after the one in which it retires here. The data phase's W cycles go to d-read-miss or
 * d-write of the access, waiting for a loaded value to load-use, DIV to mul-div, the steps of AMO
 * and Zcmp to structural. Of waiting for fetch, one cycle behind a redirect goes to branch or
 * mispredict, 2 + trap_entry behind a trap to trap, one for a second word to fetch-alignment, the
 * rest to i-miss.
 */
#include "timing/timing.h"

#include <stdlib.h>

#include "isa/rv/rv.h"
#include "timing/hazard3_fetch.h"
#include "timing/serialize.h"
#include "timing/view.h"

/* What comes next after a jump, for its charges. */
typedef enum arrival_kind {
    STRAIGHT,
    REDIRECTED,
    MISPREDICTED,
    TRAPPED,
} arrival_kind;

typedef struct hazard3 {
    gs_hazard3_fetch fetch;
    bool started;
    bool entering;       /* a trap, or mret: where to is known when the next instruction comes */
    uint64_t enter_from; /* the cycle in which that redirect is asked for first */
    arrival_kind arrival;
    uint64_t m_free;    /* M waits until the cycle before */
    gs_stall m_cause;   /* for what */
    uint64_t loaded_at; /* the last loaded register can be read in this cycle */
    uint8_t loaded;     /* which one that is */
    uint64_t atomic_at; /* the next lr.w, sc.w or AMO may leave in this cycle */
} hazard3;

/* An instruction's way through X. */
typedef struct passage {
    uint64_t begun;   /* the cycle after the instruction before has retired */
    uint64_t arrived; /* all of it is in X */
    uint64_t ready;   /* and has what it needs */
    uint64_t left;
    uint64_t retired;              /* then, or when M has done with its access */
    uint64_t lost[GS_STALL_COUNT]; /* what it was kept for from `ready` on, and after `begun` */
} passage;

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static gs_status open(gs_timing *timing, gs_error *err)
{
    hazard3 *h = calloc(1, sizeof *h);
    if (!h)
        return gs_fail_no_memory(err);
    h->fetch.wait = timing->core->memory.wait;
    timing->state = h;
    return GS_OK;
}

static bool reads(const gs_timing_insn *insn, unsigned number)
{
    const bool stores = insn->class == GS_CLASS_STORE;
    const uint8_t *source = insn->operands.source;
    if (source[0] == number || (!stores && source[1] == number))
        return true;
    if (insn->class != GS_CLASS_CSR)
        return false;
    const bool immediate = insn->raw >> 14 & 1;
    return (insn->raw >> 20 & 31) == number || (immediate && (insn->raw >> 15 & 31) == number);
}

/* When a register can be read. */
static uint64_t readable(const hazard3 *h, unsigned number)
{
    return number != GS_OPERAND_NONE && number == h->loaded ? h->loaded_at : 0;
}

static bool is_conditional_store(const gs_timing_insn *insn)
{
    return insn->class == GS_CLASS_ATOMIC && insn->raw >> 27 == 3;
}

static bool is_amo(const gs_timing_insn *insn)
{
    return insn->class == GS_CLASS_ATOMIC && insn->raw >> 27 != 2 && insn->raw >> 27 != 3;
}

/* Rules 1 to 3. */
static passage enter(gs_timing *timing, const gs_timing_insn *insn)
{
    hazard3 *h = timing->state;
    const unsigned halves = insn->length / 2u;
    while (h->fetch.buffered < halves)
        gs_hazard3_fetch_cycle(&h->fetch, 0);
    passage p = {.begun = timing->now + 1, .arrived = h->fetch.cycle};
    p.ready = p.arrived;
    if (h->loaded != GS_OPERAND_NONE && reads(insn, h->loaded))
        p.ready = later(p.ready, h->loaded_at);
    if (insn->class == GS_CLASS_ATOMIC)
        p.ready = later(p.ready, h->atomic_at);
    return p;
}

/* An access that leaves X in cycle `x`. */
static void access(hazard3 *h, uint64_t x, gs_stall cause, unsigned target)
{
    h->m_free = x + 1 + h->fetch.wait;
    h->m_cause = cause;
    if (cause == GS_STALL_D_READ) {
        h->loaded = (uint8_t)target;
        h->loaded_at = h->m_free + 1;
    }
}

/* One step of an instruction of several, which may leave X in cycle `from`. */
static uint64_t take_step(const hazard3 *h, passage *p, uint64_t from)
{
    const uint64_t x = later(from, h->m_free);
    p->lost[h->m_cause] += x - later(from, p->begun < x ? p->begun : x);
    return x;
}

/* Rule 6, up to the last step, or to the return: returns the cycle the next step may leave in. */
static uint64_t access_list(hazard3 *h, const gs_timing_insn *insn, uint64_t from, passage *p)
{
    uint8_t registers[GS_RV_LISTED_MAX];
    const unsigned count = gs_rv_listed(insn->raw >> 4 & 15, registers);
    for (unsigned i = count; i-- > 0;) {
        const uint64_t x = take_step(h, p, from);
        access(h, x, insn->class == GS_CLASS_STORE ? GS_STALL_D_WRITE : GS_STALL_D_READ,
               count == 1 ? registers[i] : GS_OPERAND_NONE);
        from = x + 1;
        p->lost[GS_STALL_STRUCTURAL]++;
    }
    return from;
}

/* Rule 7: asks for the redirect from cycle `from` on. Of the instruction, `staying` halfwords stay
 * in the buffer if M waits then. Returns the cycle of the redirect. */
static uint64_t redirect_to(hazard3 *h, uint32_t target, uint64_t from, unsigned halves, bool stays,
                            passage *p)
{
    gs_hazard3_fetch *f = &h->fetch;
    gs_hazard3_fetch_until(f, from);
    while (f->held)
        gs_hazard3_fetch_cycle(f, 0);
    const uint64_t cycle = f->cycle;
    p->lost[GS_STALL_I_MISS] += cycle - later(from, p->begun < cycle ? p->begun : cycle);
    gs_hazard3_fetch_redirect(f, target, stays || h->m_free > cycle ? halves : 0);
    return cycle;
}

/* The instruction, all of whose halfwords are in the buffer, leaves X. */
static void leave(hazard3 *h, unsigned halves, uint64_t x)
{
    gs_hazard3_fetch_until(&h->fetch, x);
    gs_hazard3_fetch_cycle(&h->fetch, halves);
}

/* Rule 12. */
static bool was_predicted(const hazard3 *h, const gs_timing_insn *insn)
{
    return h->fetch.predicted >> (insn->length / 2u - 1) & 1;
}

static void learn(gs_hazard3_fetch *f, const gs_timing_insn *insn)
{
    f->knows = true;
    f->branch = insn->pc;
    f->branch_size = insn->length;
    f->target = insn->goal;
}

/* Where control leaves the straight line, or what was fetched behind it is wrong. */
static bool jump(gs_timing *timing, const gs_timing_step *s, passage *p)
{
    hazard3 *h = timing->state;
    const gs_timing_insn *insn = s->insn;
    const unsigned halves = insn->length / 2u;
    uint32_t target = s->goal;
    if (insn->class == GS_CLASS_BRANCH) {
        const bool predicted = was_predicted(h, insn);
        if (predicted == s->taken)
            return false;
        h->arrival = predicted ? MISPREDICTED : REDIRECTED;
        timing->branches.mispredicted += predicted;
        if (predicted)
            target = s->pc + insn->length;
        gs_hazard3_fetch_until(&h->fetch, p->ready);
        if (predicted)
            h->fetch.knows = false;
        else if ((int32_t)(insn->goal - insn->pc) < 0)
            learn(&h->fetch, insn);
    } else if (insn->class == GS_CLASS_FENCE_I) {
        target = s->pc + insn->length;
        gs_hazard3_fetch_until(&h->fetch, p->ready);
        h->fetch.knows = false;
        h->arrival = REDIRECTED;
    } else if (s->taken) {
        h->arrival = REDIRECTED;
    } else {
        return false;
    }
    const uint64_t before = timing->core->classes[insn->class].cycles - 1;
    p->lost[GS_STALL_STRUCTURAL] = before;
    const uint64_t cycle = redirect_to(h, target, p->ready + before, halves, false, p);
    p->left = take_step(h, p, cycle);
    if (p->left > cycle)
        leave(h, halves, p->left);
    return true;
}

static bool is_list(const gs_timing_insn *insn)
{
    return insn->length == 2 && (insn->raw & 0xe003) == 0xa002 && insn->class <= GS_CLASS_STORE &&
           insn->class >= GS_CLASS_LOAD;
}

/* The return at the end of a list, asked for in cycle `from`: gives the cycle it leaves in. */
static uint64_t return_from_list(hazard3 *h, const gs_timing_step *s, uint64_t from, passage *p)
{
    const gs_timing_insn *insn = s->insn;
    const bool clears = !(insn->raw >> 9 & 1);
    if (clears) {
        from = take_step(h, p, from) + 1;
        p->lost[GS_STALL_STRUCTURAL]++;
    } else {
        const uint64_t ra = later(from, readable(h, 1));
        p->lost[GS_STALL_LOAD_USE] += ra - from;
        from = ra;
    }
    const uint64_t cycle = redirect_to(h, s->goal, from, insn->length / 2u, true, p);
    p->lost[GS_STALL_STRUCTURAL]++;
    h->arrival = REDIRECTED;
    return take_step(h, p, cycle) + 1;
}

/* Rule 6. */
static void pass_list(gs_timing *timing, const gs_timing_step *s, passage *p)
{
    hazard3 *h = timing->state;
    const gs_timing_insn *insn = s->insn;
    const uint64_t before = timing->core->classes[insn->class].cycles - 1;
    const uint64_t from = access_list(h, insn, p->ready + before, p);
    p->lost[GS_STALL_STRUCTURAL] += before;
    p->left =
        insn->flow == GS_FLOW_RETURN ? return_from_list(h, s, from, p) : take_step(h, p, from);
    leave(h, insn->length / 2u, p->left);
}

static void pass_pair(gs_timing *timing, const gs_timing_step *s, passage *p)
{
    hazard3 *h = timing->state;
    const gs_timing_insn *insn = s->insn;
    const uint8_t *source = insn->operands.source;
    p->ready = later(p->arrived, readable(h, source[0]));
    const uint64_t before = timing->core->classes[insn->class].cycles - 1;
    p->lost[GS_STALL_STRUCTURAL] = before;
    const uint64_t first = take_step(h, p, p->ready + before);
    const uint64_t second = later(first + 1, readable(h, source[1]));
    p->lost[GS_STALL_LOAD_USE] += second - first - 1;
    p->lost[GS_STALL_STRUCTURAL]++;
    p->left = second;
    leave(h, insn->length / 2u, p->left);
}

/* Rules 4 and 5, and everything that takes one cycle. */
static void execute(gs_timing *timing, const gs_timing_step *s, passage *p)
{
    hazard3 *h = timing->state;
    const gs_timing_insn *insn = s->insn;
    const uint64_t cycles = gs_timing_class_cycles(timing->core, s);
    if (is_amo(insn)) {
        const uint64_t inside = cycles - 1 + 2 * h->fetch.wait;
        p->lost[GS_STALL_STRUCTURAL] = inside;
        p->left = take_step(h, p, p->ready) + inside;
    } else if (insn->class == GS_CLASS_ATOMIC) {
        p->left = take_step(h, p, p->ready);
    } else {
        const bool is_long = insn->class >= GS_CLASS_MUL && insn->class <= GS_CLASS_DIV;
        p->lost[is_long ? GS_STALL_MULDIV : GS_STALL_STRUCTURAL] = cycles - 1;
        p->left = take_step(h, p, p->ready + cycles - 1);
    }
    leave(h, insn->length / 2u, p->left);
    if (is_amo(insn))
        return;
    if (s->load || s->store)
        access(h, p->left, s->load ? GS_STALL_D_READ : GS_STALL_D_WRITE, insn->operands.target[0]);
    if (insn->class != GS_CLASS_ATOMIC)
        return;
    if (is_conditional_store(insn) && !s->load && !s->store) {
        h->loaded = insn->operands.target[0];
        h->loaded_at = p->left + 2;
        h->atomic_at = p->left + 2;
    } else {
        h->atomic_at = p->left + 2 + h->fetch.wait;
    }
}

/* The first instruction, or that of a handler. */
static void arrive_anew(hazard3 *h, uint32_t pc)
{
    if (!h->started) {
        h->started = true;
        gs_hazard3_fetch_start(&h->fetch, 1, pc);
        return;
    }
    if (!h->entering)
        return;
    h->entering = false;
    h->arrival = TRAPPED;
    passage unused = {0};
    (void)redirect_to(h, pc, h->enter_from, 0, false, &unused);
}

static void charge(gs_timing *timing, gs_stall cause, uint64_t cycles, uint64_t *left)
{
    if (cycles > *left)
        cycles = *left;
    gs_timing_charge(timing, cause, cycles);
    *left -= cycles;
}

static void charge_all(gs_timing *timing, const gs_timing_insn *insn, const passage *p,
                       arrival_kind arrival)
{
    static const gs_stall causes[] = {[REDIRECTED] = GS_STALL_BRANCH,
                                      [MISPREDICTED] = GS_STALL_MISPREDICT,
                                      [TRAPPED] = GS_STALL_TRAP};
    uint64_t left = p->retired - p->begun;
    if (left == 0)
        return;
    for (unsigned cause = 0; cause < GS_STALL_COUNT; cause++)
        charge(timing, (gs_stall)cause, p->lost[cause], &left);
    charge(timing, GS_STALL_LOAD_USE, p->ready - p->arrived, &left);
    if (arrival != STRAIGHT)
        charge(timing, causes[arrival], arrival == TRAPPED ? 2 + timing->core->trap_entry : 1,
               &left);
    if (arrival != STRAIGHT && insn->length == 4 && insn->pc & 2)
        charge(timing, GS_STALL_ALIGNMENT, 1, &left);
    gs_timing_charge(timing, timing->instructions == 1 ? GS_STALL_STRUCTURAL : GS_STALL_I_MISS,
                     left);
}

static void step(gs_timing *timing, const gs_timing_step *s)
{
    hazard3 *h = timing->state;
    const gs_timing_insn *insn = s->insn;
    arrive_anew(h, s->pc);
    const arrival_kind arrival = h->arrival;
    h->arrival = STRAIGHT;

    passage p = enter(timing, insn);
    if (is_list(insn))
        pass_list(timing, s, &p);
    else if (insn->operands.target[1] != GS_OPERAND_NONE)
        pass_pair(timing, s, &p);
    else if (insn->flow == GS_FLOW_TRAP_RETURN || !jump(timing, s, &p))
        execute(timing, s, &p);

    p.retired = later(p.left, h->m_free - (h->m_free > 0));
    p.lost[h->m_cause] += p.retired - p.left;
    charge_all(timing, insn, &p, arrival);
    gs_timing_show(timing, timing->instructions - 1, s->pc, &(gs_stage){'X', p.arrived, p.left}, 1);
    timing->now = p.retired;
    if (insn->flow == GS_FLOW_TRAP_RETURN) {
        h->entering = true;
        h->enter_from = p.retired + timing->core->trap_entry;
    }
}

static void redirect(gs_timing *timing, gs_redirect kind, uint64_t until)
{
    hazard3 *h = timing->state;
    if (kind == GS_REDIRECT_SLEEP) {
        if (until > timing->now) {
            gs_timing_charge(timing, GS_STALL_IDLE, until - timing->now);
            timing->now = until;
        }
        if (h->started)
            gs_hazard3_fetch_until(&h->fetch, timing->now + 1);
        return;
    }
    if (!h->started)
        return; /* nothing has gone before: as after reset */
    h->fetch.knows = false;
    h->entering = true;
    h->enter_from = later(timing->now + 1, h->m_free) + timing->core->trap_entry;
}

/* Rule 8. */
static void trap(gs_timing *timing, const gs_trap *trap)
{
    hazard3 *h = timing->state;
    arrive_anew(h, (uint32_t)trap->pc);
    passage p = enter(timing, gs_timing_insn_at(timing, (uint32_t)trap->pc));
    gs_hazard3_fetch_until(&h->fetch, p.ready);
    h->fetch.knows = false;
    h->entering = true;
    h->enter_from = later(p.ready, h->m_free) + timing->core->trap_entry;
}

/* The fetch stands at the cycle after the last instruction has left X, and what is over by then is
 * over; M may have waited after that, until the instruction retired. */
static int serialize(const gs_timing *timing, uint32_t pc, uint8_t *to)
{
    (void)pc;
    const hazard3 *h = timing->state;
    const uint64_t next = h->fetch.cycle;
    const bool waits = h->m_free > next, loads = h->loaded && h->loaded_at > next;
    if (!h->started || h->entering || (waits ? h->m_free : next) != timing->now + 1)
        return -1;
    gs_serializer f = {.to = to, .now = next};
    gs_serialize_byte(&f, h->arrival | (unsigned)waits << 2 | (unsigned)loads << 3 |
                              (unsigned)(h->atomic_at > f.now) << 4);
    if (waits) {
        gs_serialize_half(&f, (unsigned)(h->m_free - next));
        gs_serialize_byte(&f, h->m_cause);
    }
    if (loads) {
        gs_serialize_cycle(&f, h->loaded_at);
        gs_serialize_byte(&f, h->loaded);
    }
    if (h->atomic_at > f.now)
        gs_serialize_cycle(&f, h->atomic_at);
    gs_hazard3_fetch_serialize(&h->fetch, &f);
    return f.size;
}

static void deserialize(gs_timing *timing, uint32_t pc, const uint8_t *from)
{
    (void)pc;
    hazard3 *h = timing->state;
    *h = (hazard3){.fetch = {.wait = h->fetch.wait, .cycle = timing->now + 1}, .started = true};
    gs_deserializer t = {.from = from, .now = timing->now + 1};
    const unsigned flags = gs_deserialize_byte(&t);
    h->arrival = (arrival_kind)(flags & 3);
    if (flags >> 2 & 1) {
        h->m_free = t.now;
        t.now = h->fetch.cycle = h->m_free - gs_deserialize_half(&t);
        h->m_cause = (gs_stall)gs_deserialize_byte(&t);
    }
    if (flags >> 3 & 1) {
        h->loaded_at = gs_deserialize_cycle(&t);
        h->loaded = (uint8_t)gs_deserialize_byte(&t);
    }
    if (flags >> 4 & 1)
        h->atomic_at = gs_deserialize_cycle(&t);
    gs_hazard3_fetch_deserialize(&h->fetch, &t);
}

const gs_timing_model gs_timing_hazard3 = {.state_size = sizeof(hazard3),
                                           .open = open,
                                           .step = step,
                                           .redirect = redirect,
                                           .trap = trap,
                                           .serialize = serialize,
                                           .deserialize = deserialize,
                                           .minds_atomics = true};
