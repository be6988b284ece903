/*
 * Merges instructions that the target can do in one operation.
 *
 * A pattern lists instructions, each of which feeds a later one; the last makes the result. It
 * matches where the values in between are read by nothing else, nothing leaves the region in
 * between, and what comes from outside fits into the operation's inputs. Patterns are tried in the
 * description's order on each instruction, from the region's end, so the larger ones stand first.
 */
#include <string.h>

#include "schedule/graph.h"

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

static bool stays_in_block(const gs_graph *g, unsigned from, unsigned to)
{
    for (unsigned i = from; i < to; i++) {
        if (g->insns[i].flow != GS_FLOW_NEXT)
            return false;
    }
    return true;
}

/* Whether an instruction can be at place `at`, of which the later ones are known. */
static bool fits_at(const match *m, unsigned at, unsigned insn)
{
    const gs_graph *g = m->graph;
    const gs_node *node = &g->nodes[g->node_of[insn]];
    const unsigned root = m->insns[m->fused->op_count - 1];
    if (node->fused >= 0 || !is_choice(m->fused->ops[at], g->insns[insn].insn.op) ||
        is_member(m, at + 1, insn))
        return false;
    const unsigned feeds = count_feeds(m, at + 1, insn);
    return feeds > 0 && feeds == count_readers(g, insn) && !g->escapes[insn] &&
           stays_in_block(g, insn, root);
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

/* Whether something outside the match has to come between two of its instructions. */
static bool is_convex(const match *m)
{
    const gs_graph *g = m->graph;
    const unsigned first = m->insns[0], root = m->insns[m->fused->op_count - 1];
    bool behind[GS_REGION_INSNS_MAX] = {false}; /* depends on the match and is not in it */
    for (unsigned n = first; n <= root; n++) {
        const bool member = is_member(m, 0, n);
        for (size_t i = 0; i < g->dependences.count; i++) {
            const gs_dependence *d = &g->dependences.items[i];
            unsigned from = g->nodes[d->from].root, to = g->nodes[d->to].root;
            if (to != n || d->distance > 0 || from < first)
                continue;
            if (member && behind[from])
                return false;
            behind[n] |= !member && (behind[from] || is_member(m, 0, from));
        }
    }
    return true;
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
    const unsigned last = m->fused->op_count - 1;
    m->insns[last] = root;
    if (!is_choice(m->fused->ops[last], m->graph->insns[root].insn.op) || !find_rest(m, last))
        return false;
    sort_members(m);
    return count_inputs(m) <= m->fused->inputs && is_convex(m);
}

/* Marks the members' nodes as one: the root's. */
static void merge(gs_graph *g, const match *m)
{
    const unsigned root = m->insns[m->fused->op_count - 1];
    gs_node *node = &g->nodes[g->node_of[root]];
    node->needs = m->fused->needs;
    node->fused = (int16_t)(m->fused - g->target->fused);
    for (unsigned i = 0; i + 1 < m->fused->op_count; i++) {
        g->nodes[g->node_of[m->insns[i]]].fused = node->fused;
        g->node_of[m->insns[i]] = g->node_of[root];
    }
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
            if (graph->nodes[graph->node_of[root]].fused >= 0 || !matches(&m, root))
                continue;
            merge(graph, &m);
            break;
        }
    }
    compact(graph);
}
