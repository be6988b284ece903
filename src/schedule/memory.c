/*
 * Orders the accesses to memory of a region.
 *
 * An address is a constant offset from the value that a register had at some instruction, or from
 * nothing, if code puts the whole of it together. Two offsets from the same value either overlap
 * or do not. Offsets from different values may overlap, unless the target's compiler is told that
 * they do not (`optimistic`), or one is on the stack and the other at a fixed address.
 */
#include <string.h>

#include "isa/rv/rv.h"
#include "schedule/graph.h"

enum { STACK_POINTER = 2, ROOT_CONSTANT = -2, ROOT_LIVE_IN = -100, FARTHEST = 64 };

/* A value: `offset` from what instruction `root` made, from what register ROOT_LIVE_IN - root held
 * when the region was entered, or from nothing. */
typedef struct place {
    int root;
    uint32_t offset;
} place;

typedef struct access {
    unsigned insn, bytes;
    place at;
    bool stores;
} access;

static place of_register(const place *registers, unsigned number)
{
    return number == 0 ? (place){ROOT_CONSTANT, 0} : registers[number];
}

/* What an instruction makes of the places that registers hold. */
static void follow(place *registers, const gs_routine_insn *at, unsigned number)
{
    for (unsigned i = 0; i < 2; i++) {
        unsigned target = at->operands.target[i];
        if (target == GS_OPERAND_NONE)
            continue;
        place made = {(int)number, 0};
        const place from = of_register(registers, at->insn.rs1);
        if (at->insn.op == GS_RV_addi)
            made = (place){from.root, from.offset + (uint32_t)at->insn.imm};
        else if (at->insn.op == GS_RV_lui)
            made = (place){ROOT_CONSTANT, (uint32_t)at->insn.imm};
        else if (at->insn.op == GS_RV_auipc)
            made = (place){ROOT_CONSTANT, at->pc + (uint32_t)at->insn.imm};
        registers[target] = made;
    }
}

/* All loads and stores, with their places; and what registers hold in the end. Returns how many. */
static unsigned find_accesses(const gs_graph *g, access *accesses, place *registers)
{
    const gs_isa *isa = gs_isa_for(GS_ARCH_RV32);
    unsigned count = 0;
    for (int r = 0; r < GS_OPERAND_COUNT; r++)
        registers[r] = (place){ROOT_LIVE_IN - r, 0};
    for (unsigned i = 0; i < g->count; i++) {
        const gs_routine_insn *at = &g->insns[i];
        if (gs_class_loads(at->class) || gs_class_stores(at->class)) {
            place base = of_register(registers, at->insn.rs1);
            base.offset += (uint32_t)at->insn.imm;
            accesses[count++] = (access){.insn = i,
                                         .bytes = gs_op_access_bytes(isa, at->insn.op),
                                         .at = base,
                                         .stores = gs_class_stores(at->class)};
        }
        follow(registers, at, i);
    }
    return count;
}

/* Whether two ranges overlap, of which the second is `ahead` bytes further on. */
static bool overlap(const access *a, const access *b, uint32_t ahead)
{
    uint32_t from_a = b->at.offset + ahead - a->at.offset;
    return from_a < a->bytes || 0u - from_a < b->bytes;
}

static bool is_stack(const place *at)
{
    return at->root == ROOT_LIVE_IN - STACK_POINTER;
}

static bool are_apart(const gs_graph *g, const access *a, const access *b)
{
    if (g->target->optimistic)
        return true;
    return (is_stack(&a->at) && b->at.root == ROOT_CONSTANT) ||
           (is_stack(&b->at) && a->at.root == ROOT_CONSTANT);
}

/* A value that was stored can be loaded in the next bundle; a load reads before a store writes. */
static int latency_between(const access *first)
{
    return first->stores ? 1 : 0;
}

static bool order_pair(gs_graph *g, const access *first, const access *second)
{
    if (!first->stores && !second->stores)
        return true;
    bool conflict = first->at.root == second->at.root ? overlap(first, second, 0)
                                                      : !are_apart(g, first, second);
    return !conflict || gs_graph_depend(g, first->insn, second->insn, latency_between(first), 0);
}

/* How many iterations later `second` accesses what `first` does now; 0: never. */
static unsigned iterations_between(const gs_graph *g, const place *last, const access *first,
                                   const access *second)
{
    if (first->at.root != second->at.root)
        return are_apart(g, first, second) ? 0 : 1;
    if (first->at.root == ROOT_CONSTANT)
        return overlap(first, second, 0);
    if (first->at.root > ROOT_LIVE_IN)
        return 1; /* a value made in the iteration: the next one makes another, or the same */
    const place *next = &last[ROOT_LIVE_IN - first->at.root];
    if (next->root != first->at.root)
        return 1;
    for (unsigned distance = 1; distance <= FARTHEST; distance++) {
        if (overlap(first, second, next->offset * distance))
            return distance;
    }
    return 0;
}

static bool order_iterations(gs_graph *g, const place *last, const access *first,
                             const access *second)
{
    if (!first->stores && !second->stores)
        return true;
    unsigned distance = iterations_between(g, last, first, second);
    return distance == 0 ||
           gs_graph_depend(g, first->insn, second->insn, latency_between(first), distance);
}

bool gs_graph_order_memory(gs_graph *graph)
{
    access accesses[GS_REGION_INSNS_MAX];
    place registers[GS_OPERAND_COUNT];
    unsigned count = find_accesses(graph, accesses, registers);
    bool fits = true;
    for (unsigned i = 0; i < count && fits; i++) {
        for (unsigned k = i + 1; k < count; k++)
            fits &= order_pair(graph, &accesses[i], &accesses[k]);
        for (unsigned k = 0; k < count && graph->loops; k++)
            fits &= order_iterations(graph, registers, &accesses[i], &accesses[k]);
    }
    return fits;
}
