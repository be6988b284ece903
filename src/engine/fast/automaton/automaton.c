/*
 * Keeps superblocks, their states and transitions; runs the pipeline model for a transition that is
 * missing.
 */
#include "engine/fast/automaton/automaton.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "engine/fast/automaton/table.h"
#include "timing/energy.h"

enum { BUCKETS = 1 << 15, PARTIAL = 0x8000 };

/* Far enough from the beginning of time that nothing is before it. */
static const uint64_t base_time = UINT64_C(1) << 40;

/* What the caches of the oracle answer from. */
typedef struct script {
    gs_cache_script icache, dcache;
    gs_predictor_script predictor;
    const gs_automaton *a;
    const gs_superblock *superblock;
    const gs_sb_exit *exit; /* or NULL */
    uint64_t key;
    gs_addr goal;
    unsigned step;
    unsigned wrong_path_fetches; /* in this step: how many instructions have been looked for */
    gs_addr wrong_path;          /* and whose line has been brought in; 0: none */
    uint32_t icache_reads, dcache_reads, dcache_writes;
    uint32_t misses[2]; /* of icache and dcache */
} script;

struct gs_automaton {
    gs_timing *timing; /* the real one */
    const gs_bulk_group *observers;
    gs_timing *oracle;
    script script;
    gs_arena arena;
    gs_fast_edge nowhere; /* goes to an odd address: the edge of exits never taken */
    gs_fast_state *states[BUCKETS];
    gs_table nodes, edges, transitions;
    gs_fast_edge *newest; /* of the edges */
    struct superblock_slot {
        gs_superblock *superblock;
        struct superblock_slot *chained;
    } * superblocks[BUCKETS];
};

static unsigned outcome(const script *s, const gs_site *site)
{
    return (unsigned)(s->key >> site->shift) & ((1u << site->bits) - 1);
}

static gs_cache_result answer_icache(gs_cache_script *cache, gs_addr address, bool write)
{
    (void)write;
    script *s = (script *)(void *)((char *)cache - offsetof(script, icache));
    const unsigned shift = s->a->oracle->icache.line_shift;
    s->icache_reads++;
    for (unsigned i = 0; i < s->superblock->site_count; i++) {
        const gs_site *site = &s->superblock->sites[i];
        if (site->kind != GS_SITE_FETCH || site->step != s->step)
            continue;
        gs_addr at = site->address ? site->address : s->goal;
        if (at >> shift == address >> shift && outcome(s, site) == GS_OUTCOME_FILLED) {
            s->misses[0]++;
            return (gs_cache_result){.filled = true};
        }
    }
    return (gs_cache_result){.hit = true};
}

/* The site where fetch goes down the wrong path in this step, or NULL. */
static const gs_site *wrong_path_site(const script *s)
{
    const bool jumps = s->exit && s->exit->taken == (int)s->step;
    int site = jumps ? s->exit->wrong_path : s->superblock->steps[s->step].wrong_path;
    return site < 0 ? NULL : &s->superblock->sites[site];
}

static bool probe_icache(gs_cache_script *cache, gs_addr address)
{
    (void)address;
    script *s = (script *)(void *)((char *)cache - offsetof(script, icache));
    const gs_site *site = wrong_path_site(s);
    return ++s->wrong_path_fetches != (site ? outcome(s, site) : 0);
}

static void fill_icache(gs_cache_script *cache, gs_addr address)
{
    script *s = (script *)(void *)((char *)cache - offsetof(script, icache));
    s->wrong_path = address;
}

static gs_flow flow_of(const script *s, const gs_step *step)
{
    uint64_t goal;
    return s->a->oracle->machine->isa->flow(&step->insn, step->pc, &goal);
}

static gs_guess answer_guess(gs_predictor_script *predictor)
{
    script *s = (script *)(void *)((char *)predictor - offsetof(script, predictor));
    const gs_step *step = &s->superblock->steps[s->step];
    if (step->guess < 0)
        return gs_predictor_at_best(&s->a->oracle->predictor, flow_of(s, step));
    const gs_site *site = &s->superblock->sites[step->guess];
    return (gs_guess)(outcome(s, site) ^ site->at_best);
}

static gs_cache_result answer_dcache(gs_cache_script *cache, gs_addr address, bool write)
{
    (void)address;
    script *s = (script *)(void *)((char *)cache - offsetof(script, dcache));
    const bool through = write && !s->a->oracle->core->dcache.write_back;
    *(write ? &s->dcache_writes : &s->dcache_reads) += 1;
    int site = s->superblock->steps[s->step].data;
    unsigned result = site < 0 ? GS_OUTCOME_HIT : outcome(s, &s->superblock->sites[site]);
    s->misses[1] += result != GS_OUTCOME_HIT;
    switch (result) {
    default: return (gs_cache_result){.hit = true, .through = through};
    case GS_OUTCOME_FILLED: return (gs_cache_result){.filled = true, .through = through};
    case GS_OUTCOME_WRITTEN_BACK:
        return (gs_cache_result){.filled = true, .writeback = true, .through = through};
    case GS_OUTCOME_PASSED: return (gs_cache_result){.through = write};
    }
}

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
    gs_status status = gs_timing_open(&a->oracle, timing->core, timing->machine, err);
    if (status != GS_OK) {
        gs_automaton_free(a);
        *out = NULL;
        return status;
    }
    a->nowhere.goal = GS_FAST_LEFT;
    a->script.a = a;
    a->script.icache.answer = answer_icache;
    a->script.icache.probe = probe_icache;
    a->script.icache.fill = fill_icache;
    a->script.dcache.answer = answer_dcache;
    a->script.predictor.answer = answer_guess;
    if (gs_predictor_learns(&a->oracle->predictor))
        a->oracle->predictor.script = &a->script.predictor;
    a->oracle->icache.script = &a->script.icache;
    a->oracle->dcache.script = &a->script.dcache;
    return GS_OK;
}

void gs_automaton_free(gs_automaton *a)
{
    if (!a)
        return;
    gs_timing_free(a->oracle);
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
    for (struct superblock_slot *slot = a->superblocks[gs_table_mix(pc, 0) % BUCKETS]; slot;
         slot = slot->chained) {
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
    struct superblock_slot **bucket = &a->superblocks[gs_table_mix(superblock->pc, 0) % BUCKETS];
    *slot = (struct superblock_slot){superblock, *bucket};
    *bucket = slot;
    return true;
}

void gs_automaton_remove(gs_automaton *a, const gs_superblock *superblock)
{
    for (struct superblock_slot *slot = a->superblocks[gs_table_mix(superblock->pc, 0) % BUCKETS];
         slot; slot = slot->chained) {
        if (slot->superblock == superblock)
            slot->superblock = NULL;
    }
}

/* -- states and nodes --------------------------------------------------------------------- */

gs_fast_state *gs_automaton_state(const gs_automaton *a, uint32_t number)
{
    gs_fast_state *state = a->states[number % BUCKETS];
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
    gs_fast_state **bucket = &a->states[hash % BUCKETS];
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
    static const uint8_t long_ago[GS_SERIALIZED_MAX]; /* is when all that can matter happened */
    a->oracle->now = base_time;
    a->oracle->instructions++; /* it is not the reset either */
    a->oracle->model->deserialize(a->oracle, pc, long_ago);
    return serialize(a, a->oracle, pc);
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

/* The operand values that make the class cost what the outcome says. */
static void set_operands(const script *s, const gs_step *step, gs_timing_step *t)
{
    const gs_timing *oracle = s->a->oracle;
    const gs_isa *isa = oracle->machine->isa;
    const gs_core_class *class = &oracle->core->classes[isa->ops[step->insn.op].timing];
    unsigned value = step->operand < 0 ? 0 : outcome(s, &s->superblock->sites[step->operand]);
    switch (class->operand) {
    case GS_OPERAND_RULE_NONE: break;
    case GS_OPERAND_RULE_SHIFT_STEPS: t->value[isa->arch == GS_ARCH_MIPS32 ? 0 : 1] = value; break;
    case GS_OPERAND_RULE_EARLY_OUT: t->value[1] = value ? 1u << (value - 1) : 0; break;
    case GS_OPERAND_RULE_DIVISOR_ZERO: t->value[1] = !value; break;
    case GS_OPERAND_RULE_NEGATIVE_DIVIDEND: t->value[0] = value << 31; break;
    }
}

/* Every access is at address 0. */
static void set_stores(const script *s, const gs_step *step)
{
    unsigned overlaps = step->overlap < 0 ? 0 : outcome(s, &s->superblock->sites[step->overlap]);
    for (unsigned i = 0; i < 2; i++)
        s->a->oracle->last_stores[i] = (gs_timing_store){overlaps >> i & 1 ? 0 : 64, 4};
}

static void take_step(gs_automaton *a, unsigned number)
{
    script *s = &a->script;
    const gs_step *step = &s->superblock->steps[number];
    const bool taken = s->exit && s->exit->taken == (int)number;
    gs_timing_step t = {.pc = step->pc, .taken = taken, .goal = taken ? s->goal : 0};
    if (step->access)
        gs_timing_access(&t, a->oracle->machine->isa->ops[step->insn.op].timing, 0, step->access);
    set_operands(s, step, &t);
    set_stores(s, step);
    s->step = number;
    s->wrong_path_fetches = 0;
    s->wrong_path = 0;
    gs_timing_retired(a->oracle, &step->insn, &t);
}

/* How the oracle stands, in what a step can be charged with. */
static void read_oracle(const gs_automaton *a, uint64_t reading[GS_CHARGE_KINDS])
{
    const gs_timing *oracle = a->oracle;
    reading[GS_CHARGE_CYCLES] = oracle->now;
    reading[GS_CHARGE_I_MISSES] = a->script.misses[0];
    reading[GS_CHARGE_D_MISSES] = a->script.misses[1];
    reading[GS_CHARGE_MISPREDICTED] = oracle->branches.mispredicted;
    memcpy(&reading[GS_CHARGE_STALLS], oracle->stalls, sizeof oracle->stalls);
}

static void prepare(gs_automaton *a, const gs_transition *transition, const gs_sb_exit *exit)
{
    gs_timing *oracle = a->oracle;
    oracle->now = base_time;
    oracle->branches = (gs_branch_counts){0};
    oracle->issue_fj = 0;
    oracle->model->deserialize(oracle, transition->superblock->pc, transition->state->bytes);
    memset(oracle->stalls, 0, sizeof oracle->stalls);
    oracle->lost_before = 0;
    oracle->now_before = oracle->now;
    script *s = &a->script;
    s->superblock = transition->superblock;
    s->exit = exit;
    s->key = transition->key;
    s->goal = transition->goal;
    s->icache_reads = s->dcache_reads = s->dcache_writes = s->misses[0] = s->misses[1] = 0;
}

/* Runs the model over the first `steps` instructions and remembers what they cost. */
static gs_transition *compute(gs_automaton *a, gs_transition question, const gs_sb_exit *exit)
{
    gs_timing *oracle = a->oracle;
    gs_charge charges[(GS_SUPERBLOCK_STEPS + 2) * GS_CHARGE_KINDS];
    unsigned count = 0;
    uint64_t before[GS_CHARGE_KINDS], now[GS_CHARGE_KINDS];
    prepare(a, &question, exit);
    read_oracle(a, now);
    for (unsigned i = 0; i < question.steps; i++) {
        memcpy(before, now, sizeof before);
        take_step(a, i);
        read_oracle(a, now);
        for (unsigned kind = 0; kind < GS_CHARGE_KINDS; kind++) {
            int64_t amount = (int64_t)(now[kind] - before[kind]) - (kind == GS_CHARGE_CYCLES);
            if (amount != 0)
                charges[count++] = (gs_charge){(uint16_t)i, (uint16_t)kind, (int32_t)amount};
        }
    }
    gs_transition *transition =
        gs_arena_alloc(&a->arena, sizeof *transition + count * sizeof *charges);
    if (!transition)
        return NULL;
    *transition = question;
    transition->after = serialize(a, oracle, question.goal);
    transition->cycles = (int32_t)(oracle->now - base_time);
    transition->icache_reads = a->script.icache_reads;
    transition->dcache_reads = a->script.dcache_reads;
    transition->dcache_writes = a->script.dcache_writes;
    transition->branches = oracle->branches;
    transition->issue_fj = oracle->issue_fj;
    transition->wrong_path = a->script.wrong_path;
    transition->charge_count = count;
    memcpy(transition->charges, charges, count * sizeof *charges);
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
    int taken = edge->exit & PARTIAL ? -1 : s->exits[edge->exit].taken;
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
    gs_fast_edge *edge = find(a, node, PARTIAL | steps, key, 0);
    if (edge)
        return edge;
    edge = new_edge(a, node, PARTIAL | steps, key, 0);
    const gs_superblock *s = node->superblock;
    const gs_addr next_pc = steps < s->step_count ? s->steps[steps].pc : s->end;
    if (!edge || !resolve_edge(a, edge, NULL, steps, next_pc))
        return NULL;
    add_edge(a, edge);
    return edge;
}

/* -- counting ----------------------------------------------------------------------------- */

static void report(const gs_automaton *a, const gs_fast_edge *edge, uint64_t times)
{
    const gs_transition *transition = edge->transition;
    const gs_superblock *s = transition->superblock;
    gs_bulk_run run = {
        .path = edge->from->path,
        .times = times,
        .first = &s->steps->counted,
        .stride = sizeof *s->steps,
        .length = transition->steps,
        .taken = edge->exit & PARTIAL ? -1 : s->exits[edge->exit].taken,
        .goal = edge->goal,
        .calls = gs_automaton_calls(edge),
        .new_path = edge->path,
        .cycles = (uint64_t)transition->cycles,
        .issue_fj = transition->issue_fj,
        .branches = transition->branches,
        .charges = transition->charges,
        .charge_count = transition->charge_count,
    };
    gs_bulk_add(a->observers, &run);
}

static void settle(gs_automaton *a, gs_fast_edge *edge)
{
    gs_timing *timing = a->timing;
    const gs_transition *transition = edge->transition;
    const uint64_t times = edge->count - edge->settled;
    if (times == 0)
        return;
    edge->settled = edge->count;
    timing->instructions += times * edge->transition->steps;
    timing->issue_fj += times * transition->issue_fj;
    timing->branches.executed += times * transition->branches.executed;
    timing->branches.taken += times * transition->branches.taken;
    timing->branches.mispredicted += times * transition->branches.mispredicted;
    timing->icache.stats.reads += times * transition->icache_reads;
    timing->dcache.stats.reads += times * transition->dcache_reads;
    timing->dcache.stats.writes += times * transition->dcache_writes;
    for (unsigned i = 0; i < transition->charge_count; i++) {
        const gs_charge *charge = &transition->charges[i];
        if (charge->kind >= GS_CHARGE_STALLS)
            timing->stalls[charge->kind - GS_CHARGE_STALLS] += times * (uint64_t)charge->amount;
    }
    if (a->observers->count > 0)
        report(a, edge, times);
}

static void judge(gs_automaton *a, gs_fast_edge *edge, bool crowded)
{
    gs_move move;
    gs_arrival arrival = GS_ARRIVAL_ONWARDS;
    if (gs_automaton_move(a, edge, &move))
        (void)a->observers->paths->classify(a->observers->paths_self, &move, &arrival);
    edge->arrival = (uint8_t)arrival;
    if (crowded && gs_automaton_calls(edge)) {
        settle(a, edge); /* as what it was */
        edge->move = GS_MOVE_OTHER;
    }
}

void gs_automaton_judge(gs_automaton *a)
{
    const bool crowded = a->observers->paths->view(a->observers->paths_self).crowded;
    for (gs_fast_edge *edge = a->newest; edge; edge = edge->older) {
        if (edge->move != GS_MOVE_UNSEEN)
            judge(a, edge, crowded);
    }
}

void gs_automaton_charge(gs_automaton *a, const gs_superblock *superblock, uint64_t path,
                         const gs_charge *charges, unsigned count, uint64_t times)
{
    gs_bulk_run run = {
        .path = path,
        .times = times,
        .first = &superblock->steps->counted,
        .stride = sizeof *superblock->steps,
        .taken = -1,
        .charges = charges,
        .charge_count = count,
    };
    for (unsigned i = 0; i < count; i++) {
        if (charges[i].kind >= GS_CHARGE_STALLS)
            a->timing->stalls[charges[i].kind - GS_CHARGE_STALLS] +=
                times * (uint64_t)charges[i].amount;
        else if (charges[i].kind == GS_CHARGE_CYCLES)
            run.cycles += (uint64_t)charges[i].amount;
    }
    gs_bulk_add(a->observers, &run);
}

void gs_automaton_settle(gs_automaton *a)
{
    for (gs_fast_edge *edge = a->newest; edge; edge = edge->older)
        settle(a, edge);
    gs_energy_caught_up(a->timing);
}

static void explain_charges(const gs_transition *transition, FILE *to)
{
    const char *separator = ", of them";
    for (unsigned i = 0; i < transition->charge_count; i++) {
        const gs_charge *charge = &transition->charges[i];
        if (charge->kind < GS_CHARGE_STALLS)
            continue;
        fprintf(to, "%s %d %s at %08x", separator, charge->amount,
                gs_timing_stall_key((gs_stall)(charge->kind - GS_CHARGE_STALLS)),
                transition->superblock->steps[charge->insn].pc);
        separator = "";
    }
}

void gs_automaton_explain(const gs_automaton *a, const gs_superblock *superblock, FILE *to)
{
    fprintf(to, "/* %08x: %u instructions */\n", superblock->pc, superblock->step_count);
    for (const gs_fast_edge *edge = a->newest; edge; edge = edge->older) {
        if (edge->from->superblock != superblock || edge->count == 0)
            continue;
        fprintf(to, "/*   %llu times", (unsigned long long)edge->count);
        if (edge->exit & PARTIAL)
            fputs(" left", to);
        else
            fprintf(to, " to %08x", edge->goal);
        fprintf(to, " after %u instructions, %d cycles", edge->transition->steps,
                edge->transition->cycles);
        explain_charges(edge->transition, to);
        fputs(" */\n", to);
    }
}
