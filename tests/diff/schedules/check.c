/*
 * schedule_check: tries the schedules of programs against the rules of docs/vliw.md.
 *
 *     schedule_check CORE [KEY=VALUE]... -- PROGRAM...
 *
 * It has nothing of the scheduler but its result. What orders two instructions is found here in
 * other ways: what is live by following the code to a reader, where accesses go by executing the
 * region on random registers. Prints what each program takes and what it could not be shorter than,
 * or every rule that is broken.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gumshoe/core.h"
#include "image/image.h"
#include "isa/rv/rv.h"
#include "schedule/schedule.h"
#include "timing/core.h"

enum { INSNS_MAX = 256, TRIALS = 4, UNROLLED = 4, SP = 2, A0 = 10 };

typedef struct insn {
    gs_insn insn;
    uint32_t pc;
    gs_operands operands;
    gs_flow flow;
    uint64_t target;
    unsigned class, bytes;
    const gs_scheduled_insn *is;
} insn;

typedef struct checker {
    const gs_vliw *target;
    const gs_scheduled_function *function;
    insn *code; /* of the function */
    uint8_t *seen;
    const gs_vliw_region *region;
    const insn *at; /* of the region */
    const char *name;
    uint64_t problems, regions, cycles, bound;
} checker;

static void broken(checker *c, unsigned i, const char *rule)
{
    if (c->problems++ < 20)
        printf("%s: region %08x, instruction %08x: %s\n", c->name, c->at[0].pc, c->at[i].pc, rule);
}

static void want(checker *c, bool holds, unsigned i, const char *rule)
{
    if (!holds)
        broken(c, i, rule);
}

static const gs_vliw_class *needs(const checker *c, unsigned i)
{
    const int fused = c->at[i].is->fused;
    return fused >= 0 ? &c->target->fused[fused].needs : &c->target->classes[c->at[i].class];
}

/* The branch of a loop whose iterations the target counts: it takes no slot and reads nothing. */
static bool is_counter(const checker *c, unsigned i)
{
    return c->region->counts && i + 1 == c->region->count;
}

static int delay_behind(const checker *c, unsigned i)
{
    return c->at[i].flow == GS_FLOW_NEXT || is_counter(c, i) ? 0 : (int)c->target->delay;
}

static int cycle(const checker *c, unsigned i)
{
    return c->at[i].is->cycle;
}

static int there(const checker *c, unsigned i)
{
    return cycle(c, i) + needs(c, i)->latency;
}

/* When a source of an instruction can have what another one makes. */
static int there_for(const checker *c, unsigned from, unsigned i, unsigned s)
{
    const unsigned class = c->at[i].class;
    const bool stores = class == GS_CLASS_STORE || class == GS_CLASS_FP_STORE;
    const bool loads = class == GS_CLASS_LOAD || class == GS_CLASS_FP_LOAD;
    unsigned least = stores && s ? c->target->data_latency : 0;
    if (s == 0 && (stores || loads))
        least = c->target->address_latency;
    const int earliest = cycle(c, from) + (int)least;
    return there(c, from) > earliest ? there(c, from) : earliest;
}

static bool together(const checker *c, unsigned i, unsigned k)
{
    return c->at[i].is->node == c->at[k].is->node;
}

static bool reads(const insn *i, unsigned r)
{
    return r &&
           (i->operands.source[0] == r || i->operands.source[1] == r || i->operands.source[2] == r);
}

static bool writes(const insn *i, unsigned r)
{
    return r && (i->operands.target[0] == r || i->operands.target[1] == r);
}

static bool is_store(const insn *i)
{
    return i->class == GS_CLASS_STORE || i->class == GS_CLASS_FP_STORE;
}

static bool is_access(const insn *i)
{
    return is_store(i) || i->class == GS_CLASS_LOAD || i->class == GS_CLASS_FP_LOAD;
}

static bool stays_put(const insn *i)
{
    return i->class == GS_CLASS_ATOMIC || i->class == GS_CLASS_CSR || i->class == GS_CLASS_FENCE ||
           i->class == GS_CLASS_FENCE_I || i->class == GS_CLASS_SYSTEM;
}

/* -- what is live ----------------------------------------------------------------------------- */

static bool is_argument(unsigned r)
{
    return (r >= A0 && r < A0 + 8) || (r >= GS_OPERAND_F + 10 && r < GS_OPERAND_F + 18);
}

static bool is_kept(unsigned r) /* by a called function */
{
    return (r >= 2 && r <= 4) || r == 8 || r == 9 || (r >= 18 && r <= 27) ||
           r == GS_OPERAND_F + 8 || r == GS_OPERAND_F + 9 ||
           (r >= GS_OPERAND_F + 18 && r <= GS_OPERAND_F + 27);
}

static int64_t index_of(const checker *c, uint64_t pc)
{
    for (uint32_t i = 0; i < c->function->insn_count; i++) {
        if (c->code[i].pc == pc)
            return i;
    }
    return -1;
}

/* Whether a register's value may be read from instruction `i` of the function on. */
static bool is_live(checker *c, int64_t i, unsigned r)
{
    for (;; i++) {
        if (i < 0 || i >= c->function->insn_count)
            return true;
        if (c->seen[i])
            return false;
        c->seen[i] = 1;
        const insn *at = &c->code[i];
        if (reads(at, r))
            return true;
        if (writes(at, r))
            return false;
        const bool inside = at->target >= c->function->start && at->target < c->function->end;
        switch (at->flow) {
        case GS_FLOW_NEXT: break;
        case GS_FLOW_BRANCH:
            if (!inside || is_live(c, index_of(c, at->target), r))
                return true;
            break;
        case GS_FLOW_JUMP:
            if (!inside)
                return is_argument(r) || is_kept(r) || r == 1;
            i = index_of(c, at->target) - 1;
            break;
        case GS_FLOW_CALL:
        case GS_FLOW_CALL_INDIRECT:
            if (at->insn.rd != 1)
                return true;
            if (is_argument(r) || (r >= 2 && r <= 4))
                return true;
            if (!is_kept(r))
                return false;
            break;
        case GS_FLOW_RETURN:
            return is_kept(r) || r == A0 || r == A0 + 1 || r == GS_OPERAND_F + 10 ||
                   r == GS_OPERAND_F + 11;
        default: return true;
        }
    }
}

static bool live_at(checker *c, uint64_t pc, unsigned r)
{
    memset(c->seen, 0, c->function->insn_count);
    return is_live(c, index_of(c, pc), r);
}

/* Behind a jump at `i` of the region: where it leads. */
static bool live_behind_jump(checker *c, unsigned i, unsigned r)
{
    const insn *at = &c->at[i];
    const bool inside = at->target >= c->function->start && at->target < c->function->end;
    if ((at->flow == GS_FLOW_BRANCH || at->flow == GS_FLOW_JUMP) && inside)
        return live_at(c, at->target, r);
    insn *first = &c->code[at - c->code];
    memset(c->seen, 0, c->function->insn_count);
    if (at->flow == GS_FLOW_BRANCH)
        return true;
    return is_live(c, first - c->code, r) && !reads(at, r);
}

/* -- slots and units -------------------------------------------------------------------------- */

static unsigned row(const checker *c, int when)
{
    return c->region->interval ? (unsigned)when % c->region->interval : (unsigned)when;
}

static bool is_first_of_node(const checker *c, unsigned i)
{
    for (unsigned k = 0; k < i; k++) {
        if (together(c, i, k))
            return false;
    }
    return true;
}

static void check_places(checker *c)
{
    static uint8_t busy[UINT16_MAX * 2][GS_VLIW_UNITS_MAX + 1];
    unsigned rows = 0;
    for (unsigned i = 0; i < c->region->count; i++) {
        const gs_vliw_class *n = needs(c, i);
        if (is_counter(c, i)) {
            want(c, c->at[i].is->slot == GS_SLOT_NONE, i, "a loop's branch has a slot");
            continue;
        }
        want(c, c->at[i].is->slot < c->target->width && n->slots >> c->at[i].is->slot & 1, i,
             "its slot does not take it");
        for (unsigned k = 0; k < i; k++) {
            bool same = c->at[i].is->slot == c->at[k].is->slot &&
                        row(c, cycle(c, i)) == row(c, cycle(c, k));
            want(c, same == together(c, i, k) || (!same && !together(c, i, k)), i,
                 "two operations in one slot, or one operation in two");
        }
        for (unsigned b = 0; is_first_of_node(c, i) && n->unit && b < n->busy; b++) {
            unsigned at = row(c, cycle(c, i) + (int)b);
            rows = at + 1 > rows ? at + 1 : rows;
            want(c, ++busy[at][n->unit] <= c->target->copies[n->unit], i,
                 "its unit has no copy left");
        }
    }
    memset(busy, 0, rows * sizeof *busy);
}

/* -- values ----------------------------------------------------------------------------------- */

static int writer_before(const checker *c, unsigned end, unsigned r)
{
    for (unsigned k = end; k-- > 0;) {
        if (writes(&c->at[k], r))
            return (int)k;
    }
    return -1;
}

static void check_values(checker *c)
{
    const int interval = c->region->interval;
    for (unsigned i = 0; i < c->region->count && !is_counter(c, i); i++) {
        for (unsigned s = 0; s < 3; s++) {
            const unsigned r = c->at[i].operands.source[s];
            int from = r ? writer_before(c, i, r) : -1, late = 0;
            if (r && from < 0 && interval) {
                from = writer_before(c, c->region->count, r);
                late = interval;
            }
            if (from >= 0 && !(late == 0 && together(c, i, (unsigned)from)))
                want(c, cycle(c, i) + late >= there_for(c, (unsigned)from, i, s), i,
                     "it reads a value that is not there yet");
        }
        for (unsigned k = 0; k < i && !c->region->renames; k++) {
            for (unsigned t = 0; t < 2; t++) {
                const unsigned r = c->at[i].operands.target[t];
                if (together(c, i, k))
                    continue;
                want(c, !reads(&c->at[k], r) || cycle(c, i) >= cycle(c, k), i,
                     "it overwrites what has not been read");
                want(c, !writes(&c->at[k], r) || there(c, i) > there(c, k), i,
                     "an older value overwrites it");
            }
        }
    }
}

/* -- control ---------------------------------------------------------------------------------- */

static void check_control(checker *c)
{
    for (unsigned e = 0; e < c->region->count; e++) {
        const insn *exit = &c->at[e];
        const int delay = delay_behind(c, e);
        for (unsigned i = 0; i < c->region->count; i++) {
            const insn *at = &c->at[i];
            if (stays_put(exit) && i != e)
                want(c, i < e ? cycle(c, i) < cycle(c, e) : cycle(c, i) > cycle(c, e), i,
                     "it was moved across what nothing is moved across");
            if (exit->flow == GS_FLOW_NEXT || together(c, i, e))
                continue;
            if (i < e)
                want(c, cycle(c, i) <= cycle(c, e) + delay, i, "control has left before it");
            bool early = cycle(c, i) < cycle(c, e) + 1 + delay;
            if (i < e || !early)
                continue;
            want(c, !is_store(at) && at->flow == GS_FLOW_NEXT, i,
                 "it is executed though control may have left");
            for (unsigned t = 0; t < 2; t++)
                want(c, !at->operands.target[t] || !live_behind_jump(c, e, at->operands.target[t]),
                     i, "it overwrites what is read where control goes");
        }
    }
}

/* -- fused operations ------------------------------------------------------------------------- */

static bool can_be(const uint16_t *choices, unsigned op)
{
    for (unsigned i = 0; i < GS_VLIW_CHOICES_MAX && choices[i]; i++) {
        if (choices[i] == op)
            return true;
    }
    return false;
}

/* Whether members from `m` on can take the places that are left. */
static bool assign(const checker *c, const gs_vliw_fused *fused, const unsigned *members,
                   unsigned m, unsigned taken)
{
    if (m == fused->op_count)
        return true;
    for (unsigned place = 0; place < fused->op_count; place++) {
        if (!(taken >> place & 1) && can_be(fused->ops[place], c->at[members[m]].insn.op) &&
            assign(c, fused, members, m + 1, taken | 1u << place))
            return true;
    }
    return false;
}

/* Whether the value of an instruction is read outside of its operation, or live at an exit. */
static bool is_seen(checker *c, unsigned i, unsigned r)
{
    for (unsigned k = i + 1; k < c->region->count; k++) {
        if (reads(&c->at[k], r) && !together(c, i, k))
            return true;
        if (c->at[k].flow != GS_FLOW_NEXT && !writes(&c->at[k], r) && live_behind_jump(c, k, r))
            return true;
        if (writes(&c->at[k], r))
            return false;
    }
    const insn *last = &c->at[c->region->count - 1];
    return (last->flow == GS_FLOW_NEXT || last->flow == GS_FLOW_BRANCH) &&
           live_at(c, last->pc + last->insn.length, r);
}

/* What links two instructions by their addresses. */
static void check_link(checker *c, const gs_vliw_fused *fused, unsigned one, unsigned other)
{
    const insn *a = &c->at[one], *b = &c->at[other];
    if (fused->link == GS_FUSED_ADJACENT) {
        const int32_t apart = abs(a->insn.imm - b->insn.imm);
        const int32_t lower = a->insn.imm < b->insn.imm ? a->insn.imm : b->insn.imm;
        want(c, a->insn.rs1 == SP && b->insn.rs1 == SP && writer_before(c, other, SP) < (int)one,
             one, "the accesses are not on the stack");
        want(c, a->bytes == b->bytes && apart == (int32_t)a->bytes && lower % (2 * apart) == 0, one,
             "the accesses are not side by side");
    } else {
        const insn *adds = is_access(a) ? b : a;
        want(c, is_access(a) != is_access(b) && a->insn.rs1 == b->insn.rs1, one,
             "they have no base in common");
        want(c, adds->insn.rd == adds->insn.rs1 && writer_before(c, other, a->insn.rs1) <= (int)one,
             one, "their base is not the same");
    }
}

static void check_fused(checker *c, unsigned first)
{
    const gs_vliw_fused *fused = &c->target->fused[c->at[first].is->fused];
    unsigned members[INSNS_MAX], count = 0, inputs = 0, outputs = 1;
    int64_t seen[INSNS_MAX * 3];
    for (unsigned i = first; i < c->region->count; i++) {
        if (together(c, i, first))
            members[count++] = i;
    }
    want(c, count == fused->op_count && assign(c, fused, members, 0, 0), first,
         "these instructions are not the operation they are fused as");
    for (unsigned m = 0; m < count; m++) {
        if (m + 1 < count)
            outputs += is_seen(c, members[m], c->at[members[m]].operands.target[0]);
        for (unsigned s = 0; s < 3; s++) {
            const unsigned r = c->at[members[m]].operands.source[s];
            const int from = writer_before(c, members[m], r);
            bool known = !r || (from >= 0 && together(c, (unsigned)from, first));
            for (unsigned k = 0; k < inputs && !known; k++)
                known = seen[k] == from * 100 + (int)r;
            if (!known)
                seen[inputs++] = from * 100 + (int)r;
        }
    }
    want(c, inputs <= fused->inputs, first, "the fused operation has too many inputs");
    if (fused->link == GS_FUSED_VALUES)
        want(c, outputs <= fused->outputs, first,
             "a value that is lost in a fused operation is read elsewhere");
    else if (count == 2)
        check_link(c, fused, members[0], members[1]);
}

/* -- memory ----------------------------------------------------------------------------------- */

static uint32_t random_word(void)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 16);
}

/* Addresses of accesses, and what a branch compares, by iteration; of executions that start with
 * other stack pointers (1), with others of everything else (2), and with others of everything (3).
 */
static uint32_t address[TRIALS][UNROLLED][INSNS_MAX], compared[TRIALS][UNROLLED][2];

static void execute(const checker *c, unsigned trial, const uint32_t *entry, unsigned iterations)
{
    uint32_t x[GS_OPERAND_COUNT];
    memcpy(x, entry, sizeof x);
    for (unsigned k = 0; k < iterations; k++) {
        for (unsigned i = 0; i < c->region->count; i++) {
            const insn *at = &c->at[i];
            const uint32_t base = at->insn.rs1 ? x[at->insn.rs1] : 0;
            const uint32_t imm = (uint32_t)at->insn.imm;
            address[trial][k][i] = base + imm;
            compared[trial][k][0] = x[at->operands.source[0]];
            compared[trial][k][1] = x[at->operands.source[1]];
            for (unsigned t = 0; t < 2; t++) {
                if (at->operands.target[t])
                    x[at->operands.target[t]] = at->insn.op == GS_RV_addi    ? base + imm
                                                : at->insn.op == GS_RV_lui   ? imm
                                                : at->insn.op == GS_RV_auipc ? at->pc + imm
                                                                             : random_word();
            }
        }
    }
}

static bool may_overlap(const checker *c, unsigned k, unsigned i, unsigned m, unsigned j)
{
    const uint32_t ahead = address[0][m][j] - address[0][k][i];
    bool constant = true, fixed_i = true, fixed_j = true;
    for (unsigned t = 1; t < TRIALS; t++) {
        constant &= address[t][m][j] - address[t][k][i] == ahead;
        fixed_i &= address[t][k][i] == address[0][k][i];
        fixed_j &= address[t][m][j] == address[0][m][j];
    }
    if (constant)
        return ahead < c->at[i].bytes || 0 - ahead < c->at[j].bytes;
    if (c->target->optimistic)
        return false;
    bool stack_i = !fixed_i && address[2][k][i] == address[0][k][i];
    bool stack_j = !fixed_j && address[2][m][j] == address[0][m][j];
    return !(fixed_i && stack_j) && !(fixed_j && stack_i);
}

static void check_memory(checker *c)
{
    const unsigned iterations = c->region->interval || c->region->counts ? UNROLLED : 1;
    uint32_t entry[TRIALS][GS_OPERAND_COUNT];
    for (unsigned t = 0; t < TRIALS; t++) {
        for (unsigned r = 0; r < GS_OPERAND_COUNT; r++)
            entry[t][r] = t == 0 || t == 3 || (t == 1) == (r == SP) ? random_word() : entry[0][r];
        entry[t][0] = 0;
        execute(c, t, entry[t], iterations);
    }
    for (unsigned m = 0; m < (c->region->interval ? UNROLLED : 1); m++) {
        for (unsigned i = 0; i < c->region->count; i++) {
            for (unsigned j = m ? 0 : i + 1; j < c->region->count; j++) {
                if (!is_access(&c->at[i]) || !is_access(&c->at[j]) ||
                    !(is_store(&c->at[i]) || is_store(&c->at[j])) || !may_overlap(c, 0, i, m, j))
                    continue;
                const int later = cycle(c, j) + (int)m * c->region->interval;
                want(c, later >= cycle(c, i) + is_store(&c->at[i]) || (m == 0 && together(c, i, j)),
                     j, "an access overtakes one it may overlap with");
            }
        }
    }
}

/* Whether a loop's number of iterations is known: what its branch compares grows by as much each
 * time. */
static bool is_counted(void)
{
    bool counted = true;
    for (unsigned s = 0; s < 2; s++) {
        uint32_t step = compared[0][1][s] - compared[0][0][s];
        for (unsigned t = 0; t < TRIALS; t++) {
            for (unsigned k = 1; k < UNROLLED; k++)
                counted &= compared[t][k][s] - compared[t][k - 1][s] == step;
        }
    }
    return counted;
}

/* A loop that does not know how many iterations there will be changes nothing ahead of time, and
 * its branch is executed. */
static void check_iterations(checker *c)
{
    const unsigned last = c->region->count - 1;
    const bool counted = is_counted();
    want(c, !c->region->counts || (counted && c->target->hardware_loops), last,
         "its iterations cannot be counted without it");
    for (unsigned i = 0; i < last && !counted && c->region->interval; i++) {
        if (is_store(&c->at[i]))
            want(c, cycle(c, i) + c->region->interval >= cycle(c, last) + 1 + (int)c->target->delay,
                 i, "it stores before it is known that there is an iteration");
    }
}

/* -- charges and bounds ----------------------------------------------------------------------- */

/* When the region may be over at an exit behind instruction `e`, for what is live. */
static int over(checker *c, unsigned e, bool jumps)
{
    const insn *at = &c->at[e];
    int when = cycle(c, e) + 1 + delay_behind(c, e);
    for (unsigned r = 1; r < 64 && !c->target->interlocked; r++) {
        const int from = writer_before(c, e + 1, r);
        if (from < 0 || there(c, (unsigned)from) <= when)
            continue;
        if (jumps ? live_behind_jump(c, e, r) : live_at(c, at->pc + at->insn.length, r))
            when = there(c, (unsigned)from);
    }
    return when;
}

static void check_charges(checker *c)
{
    const gs_vliw_region *region = c->region;
    const int length = region->length + (region->counts ? (int)c->target->loop_setup : 0);
    int sum = 0;
    for (unsigned i = 0; i < region->count; i++) {
        const gs_scheduled_insn *is = c->at[i].is;
        const bool ends = i + 1 == region->count, jumps = c->at[i].flow != GS_FLOW_NEXT;
        sum += is->cycles;
        if (jumps && ends && region->interval)
            want(c, sum + is->jumping == region->interval, i, "an iteration is not its interval");
        else if (jumps)
            want(c, sum + is->jumping >= over(c, i, true), i, "the jump is too cheap");
        if (ends && (!jumps || c->at[i].flow == GS_FLOW_BRANCH))
            want(c, sum + is->going_on >= over(c, i, false), i, "the end is too cheap");
        want(c, sum + is->jumping <= region->length && sum + is->going_on <= length, i,
             "more is charged than the schedule takes");
    }
    c->cycles += region->interval ? region->interval : region->length;
}

static void check_bound(checker *c)
{
    const gs_vliw_region *region = c->region;
    int earliest[INSNS_MAX] = {0}, chain = 1, nodes = 0, busy[GS_VLIW_UNITS_MAX + 1] = {0};
    for (unsigned i = 0; i < region->count; i++) {
        for (unsigned s = 0; s < 3; s++) {
            const unsigned r = c->at[i].operands.source[s];
            const int from = r ? writer_before(c, i, r) : -1;
            if (from < 0 || is_counter(c, i))
                continue;
            int when = earliest[from] +
                       (together(c, i, (unsigned)from) ? 0 : needs(c, (unsigned)from)->latency);
            earliest[i] = when > earliest[i] ? when : earliest[i];
        }
        const int end = earliest[i] + 1 + delay_behind(c, i);
        chain = end > chain ? end : chain;
        if (!is_first_of_node(c, i) || is_counter(c, i))
            continue;
        nodes++;
        busy[needs(c, i)->unit] += needs(c, i)->unit ? needs(c, i)->busy : 0;
    }
    int bound = (nodes + (int)c->target->width - 1) / (int)c->target->width;
    for (unsigned u = 1; u <= GS_VLIW_UNITS_MAX; u++) {
        if (busy[u] && c->target->copies[u] && region->interval) {
            int most = (busy[u] + c->target->copies[u] - 1) / c->target->copies[u];
            bound = most > bound ? most : bound;
        }
    }
    if (!region->interval)
        bound = chain > bound ? chain : bound;
    want(c, (region->interval ? region->interval : region->length) >= bound, 0,
         "it is shorter than it can be");
    c->bound += (uint64_t)bound;
}

/* -- programs --------------------------------------------------------------------------------- */

static void check_region(checker *c)
{
    c->at = &c->code[c->region->first];
    c->regions++;
    check_places(c);
    check_values(c);
    check_control(c);
    check_memory(c);
    if (c->region->interval || c->region->counts)
        check_iterations(c);
    for (unsigned i = 0; i < c->region->count; i++) {
        if (c->at[i].is->fused >= 0 && is_first_of_node(c, i))
            check_fused(c, i);
    }
    check_charges(c);
    check_bound(c);
}

static void read_code(checker *c, const gs_image *image)
{
    const gs_isa *isa = gs_isa_for(GS_ARCH_RV32);
    for (uint32_t i = 0; i < c->function->insn_count; i++) {
        insn *at = &c->code[i];
        *at = (insn){.pc = c->function->pcs[i], .is = &c->function->insns[i]};
        if (!gs_image_insn_at(image, at->pc, &at->insn))
            abort();
        at->operands = isa->operands(&at->insn);
        at->flow = isa->flow(&at->insn, at->pc, &at->target);
        at->class = isa->ops[at->insn.op].timing;
        at->bytes = gs_op_access_bytes(isa, at->insn.op);
    }
}

static void check_function(checker *c, const gs_image *image)
{
    const uint32_t count = c->function->insn_count;
    c->code = calloc(count + 1, sizeof *c->code);
    c->seen = calloc(count + 1, 1);
    if (!c->code || !c->seen)
        abort();
    read_code(c, image);
    uint32_t next = 0;
    for (uint32_t i = 0; i < c->function->region_count; i++) {
        c->region = &c->function->regions[i];
        c->at = &c->code[c->region->first];
        want(c, c->region->first == next && c->region->count <= INSNS_MAX, 0,
             "regions are not side by side");
        next = c->region->first + c->region->count;
        check_region(c);
    }
    if (next != count)
        broken(c, 0, "instructions behind the last region");
    free(c->code);
    free(c->seen);
}

static bool check_program(const gs_core *core, const char *path)
{
    checker c = {.target = &core->vliw, .name = path};
    gs_image *image;
    gs_scheduler *schedule;
    gs_error err;
    if (gs_image_open(&image, path, &err) != GS_OK ||
        gs_scheduler_open(&schedule, image, c.target, &err) != GS_OK) {
        fprintf(stderr, "schedule_check: %s\n", err.message);
        exit(3);
    }
    for (size_t i = 0; i < gs_image_function_count(image); i++) {
        const gs_function *function = gs_image_function(image, i);
        c.function = gs_scheduler_function_at(schedule, (uint32_t)function->start);
        if (c.function)
            check_function(&c, image);
    }
    printf("%s: %llu regions, %llu cycles, no fewer than %llu\n", path,
           (unsigned long long)c.regions, (unsigned long long)c.cycles,
           (unsigned long long)c.bound);
    gs_scheduler_free(schedule);
    gs_image_free(image);
    return c.problems == 0 && c.regions > 0;
}

int main(int argc, char **argv)
{
    gs_core *core;
    gs_error err;
    int sets = 0;
    bool holds = true;
    while (sets + 2 < argc && strcmp(argv[sets + 2], "--"))
        sets++;
    if (argc < sets + 4) {
        fputs("Usage: schedule_check CORE [KEY=VALUE]... -- PROGRAM...\n", stderr);
        return 2;
    }
    if (gs_core_open(&core, argv[1], (const char *const *)&argv[2], (size_t)sets, &err) != GS_OK) {
        fprintf(stderr, "schedule_check: %s\n", err.message);
        return 3;
    }
    for (int i = sets + 3; i < argc; i++)
        holds &= check_program(core, argv[i]);
    gs_core_free(core);
    return holds ? 0 : 1;
}
