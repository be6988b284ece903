/* Finds superblocks, states, nodes, edges and transitions, and makes those that are missing. */
#include "engine/fast/automaton/automaton.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "engine/fast/automaton/automaton_parts.h"

/* -- what the tables of nodes, edges and transitions find their items by -- */

static uint32_t node_hash(const gs_superblock *superblock, const gs_fast_state *state,
                          uint64_t path)
{
    uint64_t place = (uintptr_t)superblock + path * 0x9e3779b97f4a7c15u;
    return gs_table_mix(place, (uintptr_t)state);
}

static uint32_t hash_of_node(const void *item)
{
    const gs_fast_node *node = item;
    return node_hash(node->superblock, node->state, node->path);
}

static uint32_t edge_hash(const gs_fast_node *from, unsigned exit, uint64_t key, gs_addr goal)
{
    return gs_table_mix((uintptr_t)from + exit, key * 31 + goal);
}

static uint32_t hash_of_edge(const void *item)
{
    const gs_fast_edge *edge = item;
    return edge_hash(edge->from, edge->exit, edge->key, edge->goal);
}

/* An indirect call has as many transitions as it has targets. */
static uint32_t hash_of_transition(const void *item)
{
    const gs_transition *t = item;
    const uint64_t from = (uintptr_t)t->superblock + t->exit + ((uint64_t)t->goal << 32);
    return gs_table_mix(from, (uintptr_t)t->state + t->key * 31);
}

/* -- life ----------------------------------------------------------------------------------------
 */

bool gs_automaton_fits(const gs_timing *timing)
{
    return timing->model->serialize;
}

gs_status gs_automaton_open(gs_automaton **out, gs_timing *timing, const gs_bulk_group *observers,
                            gs_error *err)
{
    gs_automaton *a = *out = calloc(1, sizeof *a);
    if (!a)
        return gs_fail_no_memory(err);
    a->timing = timing;
    a->observers = observers;
    if (!gs_table_open(&a->nodes, offsetof(gs_fast_node, chained), hash_of_node) ||
        !gs_table_open(&a->edges, offsetof(gs_fast_edge, chained), hash_of_edge) ||
        !gs_table_open(&a->transitions, offsetof(gs_transition, chained), hash_of_transition)) {
        gs_automaton_free(a);
        *out = NULL;
        return gs_fail_no_memory(err);
    }
    gs_status status = gs_oracle_open(&a->oracle, timing, err);
    if (status != GS_OK) {
        gs_automaton_free(a);
        *out = NULL;
        return status;
    }
    a->nowhere.goal = GS_FAST_LEFT;
    return GS_OK;
}

void gs_automaton_free(gs_automaton *a)
{
    if (!a)
        return;
    gs_oracle_free(a->oracle);
    gs_arena_free(&a->arena);
    gs_table_close(&a->nodes);
    gs_table_close(&a->edges);
    gs_table_close(&a->transitions);
    free(a);
}

size_t gs_automaton_node_count(const gs_automaton *a)
{
    return a->nodes.count;
}

/* -- superblocks ---------------------------------------------------------------------------- */

gs_superblock *gs_automaton_superblock(const gs_automaton *a, gs_addr pc)
{
    for (struct superblock_slot *slot = a->superblocks[gs_table_mix(pc, 0) % GS_AUTOMATON_BUCKETS];
         slot; slot = slot->chained) {
        if (slot->superblock && slot->superblock->pc == pc)
            return slot->superblock;
    }
    return NULL;
}

bool gs_automaton_add(gs_automaton *a, gs_superblock *superblock)
{
    struct superblock_slot *slot = gs_arena_alloc(&a->arena, sizeof *slot);
    if (!slot)
        return false;
    struct superblock_slot **bucket =
        &a->superblocks[gs_table_mix(superblock->pc, 0) % GS_AUTOMATON_BUCKETS];
    *slot = (struct superblock_slot){superblock, *bucket};
    *bucket = slot;
    return true;
}

void gs_automaton_remove(gs_automaton *a, const gs_superblock *superblock)
{
    for (struct superblock_slot *slot =
             a->superblocks[gs_table_mix(superblock->pc, 0) % GS_AUTOMATON_BUCKETS];
         slot; slot = slot->chained) {
        if (slot->superblock == superblock)
            slot->superblock = NULL;
    }
}

/* -- states and nodes --------------------------------------------------------------------- */

gs_fast_state *gs_automaton_state(const gs_automaton *a, uint32_t number)
{
    gs_fast_state *state = a->states[number % GS_AUTOMATON_BUCKETS];
    while (state && state->number != number)
        state = state->chained;
    return state;
}

static gs_fast_state *intern(gs_automaton *a, const uint8_t *bytes, unsigned size)
{
    uint32_t hash = 2166136261u;
    for (unsigned i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * 16777619u;
    gs_fast_state *state;
    for (; (state = gs_automaton_state(a, hash)) != NULL; hash++) {
        if (state->size == size && memcmp(state->bytes, bytes, size) == 0)
            return state;
    }
    state = gs_arena_alloc(&a->arena, sizeof *state + size);
    if (!state)
        return NULL;
    gs_fast_state **bucket = &a->states[hash % GS_AUTOMATON_BUCKETS];
    *state = (gs_fast_state){.chained = *bucket, .number = hash, .size = (uint16_t)size};
    memcpy(state->bytes, bytes, size);
    *bucket = state;
    return state;
}

static gs_fast_state *serialize(gs_automaton *a, const gs_timing *timing, gs_addr pc)
{
    uint8_t bytes[GS_SERIALIZED_MAX];
    int size = timing->model->serialize(timing, pc, bytes);
    return size < 0 ? NULL : intern(a, bytes, (unsigned)size);
}

gs_fast_state *gs_automaton_serialize(gs_automaton *a, gs_addr pc)
{
    return serialize(a, a->timing, pc);
}

bool gs_automaton_goals_are_alike(const gs_automaton *a, const gs_sb_exit *exit)
{
    return exit->fetch < 0 && a->timing->model->same_for_all_goals;
}

bool gs_automaton_is_uniform(const gs_automaton *a, const gs_sb_exit *exit)
{
    return gs_sb_exit_is_indirect(exit) && gs_automaton_goals_are_alike(a, exit) &&
           (!a->observers->paths || exit->flow == GS_FLOW_RETURN);
}

static gs_addr goal_of(const gs_automaton *a, const gs_sb_exit *exit, gs_addr goal)
{
    return !gs_sb_exit_is_indirect(exit) ? exit->goal : gs_automaton_is_uniform(a, exit) ? 0 : goal;
}

gs_fast_state *gs_automaton_rest(gs_automaton *a, gs_addr pc)
{
    gs_oracle_rest(a->oracle, pc);
    return serialize(a, gs_oracle_timing(a->oracle), pc);
}

static gs_fast_edge *new_edge(gs_automaton *a, gs_fast_node *node, unsigned exit, uint64_t key,
                              gs_addr goal)
{
    gs_fast_edge *edge = gs_arena_alloc(&a->arena, sizeof *edge);
    if (edge)
        *edge = (gs_fast_edge){
            .from = node, .exit = (uint16_t)exit, .key = key, .goal = goal, .arrives = -1};
    return edge;
}

static void add_edge(gs_automaton *a, gs_fast_edge *edge)
{
    gs_table_add(&a->edges, edge);
    edge->older = a->newest;
    a->newest = edge;
}

gs_fast_edge *gs_automaton_nowhere(gs_automaton *a)
{
    return &a->nowhere;
}

gs_fast_node *gs_automaton_node(gs_automaton *a, gs_superblock *superblock, gs_fast_state *state,
                                uint64_t path)
{
    gs_fast_node *node = gs_table_first(&a->nodes, node_hash(superblock, state, path));
    while (node && !(node->superblock == superblock && node->state == state && node->path == path))
        node = node->chained;
    if (node)
        return node;
    node = gs_arena_alloc(&a->arena, sizeof *node + superblock->exit_count * sizeof *node->exit);
    if (!node)
        return NULL;
    *node = (gs_fast_node){.superblock = superblock, .state = state, .path = path};
    for (unsigned i = 0; i < superblock->exit_count; i++)
        node->exit[i] = (gs_fast_edge){.from = node, .exit = (uint16_t)i, .arrives = -1};
    gs_table_add(&a->nodes, node);
    return node;
}

void gs_automaton_deserialize(gs_automaton *a, const gs_fast_state *state, gs_addr pc)
{
    a->timing->model->deserialize(a->timing, pc, state->bytes);
}

/* -- transitions ----------------------------------------------------------------------------- */

/* Has the oracle compute a transition, and remembers it. */
static gs_transition *compute(gs_automaton *a, gs_transition question, const gs_sb_exit *exit)
{
    gs_charge charges[GS_ORACLE_CHARGES];
    question.charge_count = gs_oracle_run(a->oracle, &question, exit, charges);
    const size_t size = question.charge_count * sizeof *charges;
    gs_transition *transition = gs_arena_alloc(&a->arena, sizeof *transition + size);
    if (!transition)
        return NULL;
    *transition = question;
    transition->after = serialize(a, gs_oracle_timing(a->oracle), question.goal);
    memcpy(transition->charges, charges, size);
    return transition->after ? transition : NULL;
}

/* The same, unless it is memoized. */
static gs_transition *transition_for(gs_automaton *a, const gs_transition *question,
                                     const gs_sb_exit *exit)
{
    gs_transition *transition = gs_table_first(&a->transitions, hash_of_transition(question));
    while (transition &&
           !(transition->superblock == question->superblock &&
             transition->state == question->state && transition->key == question->key &&
             transition->goal == question->goal && transition->exit == question->exit))
        transition = transition->chained;
    if (!transition) {
        transition = compute(a, *question, exit);
        if (!transition)
            return NULL;
        gs_table_add(&a->transitions, transition);
    }
    return transition;
}

gs_transition *gs_automaton_transition(gs_automaton *a, gs_superblock *superblock,
                                       gs_fast_state *state, unsigned exit, gs_addr goal)
{
    return gs_automaton_transition_with(a, superblock, state, exit, goal, 0);
}

gs_transition *gs_automaton_transition_with(gs_automaton *a, gs_superblock *superblock,
                                            gs_fast_state *state, unsigned exit, gs_addr goal,
                                            uint64_t key)
{
    const gs_sb_exit *w = &superblock->exits[exit];
    const gs_transition question = {
        .superblock = superblock,
        .state = state,
        .key = key,
        .goal = goal_of(a, w, goal),
        .exit = (uint16_t)exit,
        .steps = w->steps,
    };
    return transition_for(a, &question, w);
}

/* What an edge costs. */
static bool resolve_edge(gs_automaton *a, gs_fast_edge *edge, const gs_sb_exit *exit,
                         unsigned steps, gs_addr next_pc)
{
    const gs_transition question = {
        .superblock = edge->from->superblock,
        .state = edge->from->state,
        .key = edge->key,
        .goal = next_pc,
        .exit = edge->exit,
        .steps = (uint16_t)steps,
    };
    edge->transition = transition_for(a, &question, exit);
    if (!edge->transition)
        return false;
    edge->cost = gs_transition_cost(edge->transition);
    edge->after = edge->transition->after->number;
    return true;
}

static gs_fast_edge *find(gs_automaton *a, const gs_fast_node *node, unsigned exit, uint64_t key,
                          gs_addr goal)
{
    gs_fast_edge *edge = gs_table_first(&a->edges, edge_hash(node, exit, key, goal));
    while (edge &&
           !(edge->from == node && edge->exit == exit && edge->key == key && edge->goal == goal))
        edge = edge->chained;
    return edge;
}

bool gs_automaton_move(const gs_automaton *a, const gs_fast_edge *edge, gs_move *move)
{
    const gs_isa *isa = a->timing->machine->isa;
    const gs_superblock *s = edge->from->superblock;
    int taken = edge->exit & GS_EDGE_PARTIAL ? -1 : s->exits[edge->exit].taken;
    if (taken < 0)
        return false;
    const gs_step *step = &s->steps[taken];
    uint64_t goal;
    *move = (gs_move){
        .flow = isa->flow(&step->insn, step->pc, &goal),
        .insn = &step->insn,
        .from = step->pc,
        .goal = edge->goal,
        .return_address = step->pc + step->insn.length * (1u + isa->delay_slots),
    };
    return true;
}

gs_fast_edge *gs_automaton_edge(gs_automaton *a, gs_fast_node *node, unsigned exit, uint64_t key,
                                gs_addr goal)
{
    const gs_sb_exit *w = &node->superblock->exits[exit];
    const bool predicted =
        key == 0 && (!gs_sb_exit_is_indirect(w) || gs_automaton_is_uniform(a, w));
    gs_addr known = goal_of(a, w, goal); /* the edge without events is part of the node */
    gs_fast_edge *edge = predicted ? &node->exit[exit] : find(a, node, exit, key, known);
    if (!edge)
        edge = new_edge(a, node, exit, key, known);
    if (!edge)
        return NULL;
    if (!edge->transition) {
        edge->goal = known;
        if (!resolve_edge(a, edge, w, w->steps, known))
            return NULL;
        add_edge(a, edge);
    }
    return edge;
}

void gs_automaton_forget_goals(gs_automaton *a)
{
    for (gs_fast_edge *edge = a->newest; edge; edge = edge->older) {
        edge->move = GS_MOVE_UNSEEN;
        edge->block = NULL;
    }
}

gs_fast_edge *gs_automaton_partial(gs_automaton *a, gs_fast_node *node, unsigned steps,
                                   uint64_t key)
{
    gs_fast_edge *edge = find(a, node, GS_EDGE_PARTIAL | steps, key, 0);
    if (edge)
        return edge;
    edge = new_edge(a, node, GS_EDGE_PARTIAL | steps, key, 0);
    const gs_superblock *s = node->superblock;
    const gs_addr next_pc = steps < s->step_count ? s->steps[steps].pc : s->end;
    if (!edge || !resolve_edge(a, edge, NULL, steps, next_pc))
        return NULL;
    add_edge(a, edge);
    return edge;
}
