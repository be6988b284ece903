/*
 * Merges instructions that the target can do in one operation.
 *
 * A pattern lists instructions. Linked by values, each feeds a later one, and the last makes the
 * result; values in between are read by nothing else, as far as the operation has no outputs for
 * them. Linked by a base, they are an access and an addition to its base register; adjacent, two
 * accesses side by side on the stack. Nothing leaves the region in between, nothing outside has to
 * come in between, and what comes from outside fits into the operation's inputs. Patterns are tried
 * in the description's order on each instruction, from the region's end, so the larger ones stand
 * first.
 */
#include <string.h>

#include "isa/rv/rv.h"
#include "schedule/graph.h"

enum { STACK_POINTER = 2 };

typedef struct match {
    const gs_graph *graph;
    const gs_vliw_fused *fused;
    unsigned insns[GS_VLIW_FUSED_OPS_MAX]; /* by place in the pattern */
} match;

static bool is_choice(const uint16_t *choices, unsigned op)
{
    for (unsigned i = 0; i < GS_VLIW_CHOICES_MAX && choices[i]; i++) {
        if (choices[i] == op)
            return true;
    }
    return false;
}

/* Whether an instruction can be at a place of the pattern, as far as it alone is concerned. */
static bool can_be(const match *m, unsigned at, unsigned insn)
{
    const gs_node *node = &m->graph->nodes[m->graph->node_of[insn]];
    return node->fused < 0 && node->needs.slots &&
           is_choice(m->fused->ops[at], m->graph->insns[insn].insn.op);
}

/* How many sources in the region read the value an instruction makes. */
static unsigned count_readers(const gs_graph *g, unsigned insn)
{
    unsigned count = 0;
    for (unsigned i = insn + 1; i < g->count; i++) {
        for (unsigned s = 0; s < 3; s++)
            count += g->reaching[i][s] == (int)insn;
    }
    return count;
}

static bool is_member(const match *m, unsigned from, unsigned insn)
{
    for (unsigned i = from; i < m->fused->op_count; i++) {
        if (m->insns[i] == insn)
            return true;
    }
    return false;
}

/* How often the instructions of the pattern from place `from` on read what an instruction makes. */
static unsigned count_feeds(const match *m, unsigned from, unsigned insn)
{
    unsigned count = 0;
    for (unsigned i = from; i < m->fused->op_count; i++) {
        for (unsigned s = 0; s < 3; s++)
            count += m->graph->reaching[m->insns[i]][s] == (int)insn;
    }
    return count;
}

/* Whether the value of the instruction at a place is read outside the match. */
static bool is_output(const match *m, unsigned at)
{
    const unsigned insn = m->insns[at];
    return m->graph->escapes[insn] || count_readers(m->graph, insn) > count_feeds(m, 0, insn);
}

static bool stays_in_block(const gs_graph *g, unsigned from, unsigned to)
{
    for (unsigned i = from; i < to; i++) {
        if (g->insns[i].flow != GS_FLOW_NEXT)
            return false;
    }
    return true;
}

/* -- linked by values ------------------------------------------------------------------------- */

/* Whether an instruction can be at place `at`, of which the later ones are known. */
static bool fits_at(const match *m, unsigned at, unsigned insn)
{
    const gs_graph *g = m->graph;
    const unsigned root = m->insns[m->fused->op_count - 1];
    if (!can_be(m, at, insn) || is_member(m, at + 1, insn))
        return false;
    const unsigned feeds = count_feeds(m, at + 1, insn);
    const bool hidden = feeds == count_readers(g, insn) && !g->escapes[insn];
    return feeds > 0 && (hidden || m->fused->outputs > 1) && stays_in_block(g, insn, root);
}

static bool find_rest(match *m, unsigned at);

/* Tries what made a source of the instruction at place `reader` for the place before `at`. */
static bool find_maker(match *m, unsigned at, unsigned reader, unsigned source)
{
    const int maker = m->graph->reaching[m->insns[reader]][source];
    if (maker == GS_LIVE_IN || !fits_at(m, at - 1, (unsigned)maker))
        return false;
    m->insns[at - 1] = (unsigned)maker;
    return find_rest(m, at - 1);
}

/* Finds the instructions for the places below `at`, backtracking. */
static bool find_rest(match *m, unsigned at)
{
    if (at == 0)
        return true;
    for (unsigned reader = at; reader < m->fused->op_count; reader++) {
        for (unsigned source = 0; source < 3; source++) {
            if (find_maker(m, at, reader, source))
                return true;
        }
    }
    return false;
}

static bool matches_values(match *m, unsigned root)
{
    const unsigned last = m->fused->op_count - 1;
    unsigned outputs = 0;
    m->insns[last] = root;
    if (!can_be(m, last, root) || !find_rest(m, last))
        return false;
    for (unsigned i = 0; i <= last; i++)
        outputs += i == last || is_output(m, i);
    return outputs <= m->fused->outputs;
}

/* -- linked by addresses ---------------------------------------------------------------------- */

/* An access, whose address is in its first source, and the addition of a constant to that register:
 * before or behind it. Outside of a loop the access is at the address before the addition. */
static bool share_base(const match *m, unsigned access, unsigned addition)
{
    const gs_graph *g = m->graph;
    const gs_insn *add = &g->insns[addition].insn, *at = &g->insns[access].insn;
    if (add->op != GS_RV_addi || add->rd != add->rs1 || at->rs1 != add->rs1)
        return false;
    const bool behind = access < addition;
    const int value = g->reaching[access][0];
    if (value != (behind ? g->reaching[addition][0] : (int)addition))
        return false;
    return g->loops || at->imm == (behind ? 0 : -add->imm);
}

static bool are_adjacent(const match *m, unsigned one, unsigned other)
{
    const gs_graph *g = m->graph;
    const gs_insn *a = &g->insns[one].insn, *b = &g->insns[other].insn;
    const int32_t bytes = (int32_t)gs_op_access_bytes(gs_isa_for(GS_ARCH_RV32), a->op);
    const int32_t lower = (int32_t)(a->imm < b->imm ? a->imm : b->imm);
    return a->op == b->op && a->rs1 == STACK_POINTER && b->rs1 == STACK_POINTER &&
           g->reaching[one][0] == g->reaching[other][0] &&
           (a->imm - b->imm == bytes || b->imm - a->imm == bytes) && lower % (2 * bytes) == 0;
}

/* Whether two instructions, at the places of a pattern of two, are linked as it says. */
static bool are_linked(match *m, unsigned first, unsigned second)
{
    m->insns[0] = first;
    m->insns[1] = second;
    return can_be(m, 0, first) && can_be(m, 1, second) &&
           (m->fused->link == GS_FUSED_BASE ? share_base(m, first, second)
                                            : are_adjacent(m, first, second));
}

static bool matches_addresses(match *m, unsigned root)
{
    for (unsigned other = root; other-- > 0;) {
        if (m->graph->insns[other].flow != GS_FLOW_NEXT)
            return false;
        if (are_linked(m, other, root) || are_linked(m, root, other))
            return true;
    }
    return false;
}

/* -- merging ---------------------------------------------------------------------------------- */

/* Registers the operation reads: values from outside the match, each once. */
static unsigned count_inputs(const match *m)
{
    unsigned count = 0;
    struct {
        int made_by;
        unsigned name;
    } seen[GS_VLIW_FUSED_OPS_MAX * 3];
    for (unsigned i = 0; i < m->fused->op_count; i++) {
        for (unsigned s = 0; s < 3; s++) {
            unsigned name = m->graph->insns[m->insns[i]].operands.source[s];
            int made_by = m->graph->reaching[m->insns[i]][s];
            bool known = name == GS_OPERAND_NONE ||
                         (made_by != GS_LIVE_IN && is_member(m, 0, (unsigned)made_by));
            for (unsigned k = 0; k < count && !known; k++)
                known = seen[k].name == name && seen[k].made_by == made_by;
            if (known)
                continue;
            seen[count].made_by = made_by;
            seen[count++].name = name;
        }
    }
    return count;
}

static void sort_members(match *m)
{
    for (unsigned i = 1; i < m->fused->op_count; i++) {
        for (unsigned k = i; k > 0 && m->insns[k - 1] > m->insns[k]; k--) {
            unsigned insn = m->insns[k];
            m->insns[k] = m->insns[k - 1];
            m->insns[k - 1] = insn;
        }
    }
}

static bool matches(match *m, unsigned root)
{
    if (m->fused->link == GS_FUSED_VALUES ? !matches_values(m, root) : !matches_addresses(m, root))
        return false;
    sort_members(m);
    return count_inputs(m) <= m->fused->inputs;
}

/* Whether a node has to come before itself. Dependences are still between instructions. */
static bool is_circular(const gs_graph *g, unsigned node)
{
    bool reached[GS_REGION_INSNS_MAX] = {false};
    uint16_t queue[GS_REGION_INSNS_MAX];
    unsigned count = 0;
    queue[count++] = (uint16_t)node;
    for (unsigned at = 0; at < count; at++) {
        const bool merged = g->nodes[queue[at]].fused >= 0;
        for (unsigned i = merged ? 0 : queue[at]; i <= queue[at]; i++) {
            if (g->node_of[i] != queue[at])
                continue;
            const gs_dependence *end, *d = gs_graph_dependences(g, i, &end);
            for (; d < end; d++) {
                const uint16_t to = g->node_of[d->to];
                if (d->distance > 0 || to == queue[at] || reached[to])
                    continue;
                if (to == node)
                    return true;
                reached[to] = true;
                queue[count++] = to;
            }
        }
    }
    return false;
}

/* Makes the members one node, the root's, if nothing has to come in between. */
static bool merge(gs_graph *g, const match *m)
{
    const unsigned count = m->fused->op_count, root = m->insns[count - 1];
    const gs_node before = g->nodes[root];
    for (unsigned i = 0; i < count; i++)
        g->node_of[m->insns[i]] = (uint16_t)root;
    g->nodes[root].fused = (int16_t)(m->fused - g->target->fused);
    if (is_circular(g, root)) {
        for (unsigned i = 0; i < count; i++)
            g->node_of[m->insns[i]] = (uint16_t)m->insns[i];
        g->nodes[root] = before;
        return false;
    }
    g->nodes[root].needs = m->fused->needs;
    for (unsigned i = 0; i < count; i++) {
        g->nodes[root].escapes |= g->escapes[m->insns[i]];
        g->inner[m->insns[i]] = m->insns[i] != root && !is_output(m, i);
    }
    return true;
}

/* Numbers the nodes that are left anew, in program order of their roots. */
static void compact(gs_graph *g)
{
    uint16_t number[GS_REGION_INSNS_MAX];
    unsigned count = 0;
    for (unsigned i = 0; i < g->count; i++) {
        if (g->node_of[i] != i)
            continue;
        number[i] = (uint16_t)count;
        g->nodes[count++] = g->nodes[i];
    }
    for (unsigned i = 0; i < g->count; i++)
        g->node_of[i] = number[g->node_of[i]];
    g->node_count = count;
}

void gs_graph_fuse(gs_graph *graph)
{
    match m = {.graph = graph};
    for (unsigned root = graph->count; root-- > 0;) {
        for (unsigned i = 0; i < graph->target->fused_count; i++) {
            m.fused = &graph->target->fused[i];
            if (graph->nodes[graph->node_of[root]].fused >= 0)
                break;
            if (matches(&m, root) && merge(graph, &m))
                break;
        }
    }
    compact(graph);
}
