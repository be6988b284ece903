#include "engine/fast/automaton.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "timing/energy.h"

enum { BUCKETS = 1 << 15, PARTIAL = 0x8000 };

/* Far enough from the beginning of time that nothing is before it. */
static const uint64_t base_time = UINT64_C(1) << 40;

/* What the caches of the oracle answer from. */
typedef struct script {
    gs_cache_script icache, dcache;
    gs_predictor_script predictor;
    const gs_automaton *a;
    const gs_stretch *stretch;
    const gs_way *way; /* or NULL */
    uint64_t key;
    gs_addr goal;
    unsigned step;
    unsigned strayed; /* in this step: how many instructions have been looked for */
    gs_addr stray;    /* and whose line has been brought in; 0: none */
    uint32_t icache_reads, dcache_reads, dcache_writes;
    uint32_t misses[2]; /* of icache and dcache */
} script;

struct gs_automaton {
    gs_timing *timing;   /* the real one */
    const gs_bulk *bulk; /* or NULL */
    gs_timing *oracle;
    script script;
    gs_arena arena;
    size_t node_count;
    gs_fast_edge nowhere; /* goes to an odd address: the edge of ways never taken */
    gs_fast_state *states[BUCKETS];
    gs_fast_node **nodes;
    gs_fast_edge **edges; /* all of them */
    size_t edge_count, node_buckets, edge_buckets;
    gs_fast_lesson *lessons[BUCKETS];
    struct stretch_slot {
        gs_stretch *stretch;
        struct stretch_slot *chained;
    } * stretches[BUCKETS];
};

static unsigned mix(uint64_t a, uint64_t b)
{
    uint64_t h = (a ^ (b + 0x9e3779b97f4a7c15u)) * 0xbf58476d1ce4e5b9u;
    h ^= h >> 29;
    return (unsigned)(h * 0x94d049bb133111ebu >> 32);
}

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
    for (unsigned i = 0; i < s->stretch->site_count; i++) {
        const gs_site *site = &s->stretch->sites[i];
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

/* The site where fetch strays in this step, or NULL. */
static const gs_site *stray_site(const script *s)
{
    const bool jumps = s->way && s->way->taken == (int)s->step;
    int site = jumps ? s->way->stray : s->stretch->steps[s->step].stray;
    return site < 0 ? NULL : &s->stretch->sites[site];
}

static bool probe_icache(gs_cache_script *cache, gs_addr address)
{
    (void)address;
    script *s = (script *)(void *)((char *)cache - offsetof(script, icache));
    const gs_site *site = stray_site(s);
    return ++s->strayed != (site ? outcome(s, site) : 0);
}

static void fill_icache(gs_cache_script *cache, gs_addr address)
{
    script *s = (script *)(void *)((char *)cache - offsetof(script, icache));
    s->stray = address;
}

static gs_flow flow_of(const script *s, const gs_step *step)
{
    uint64_t goal;
    return s->a->oracle->machine->isa->flow(&step->insn, step->pc, &goal);
}

static gs_guess answer_guess(gs_predictor_script *predictor)
{
    script *s = (script *)(void *)((char *)predictor - offsetof(script, predictor));
    const gs_step *step = &s->stretch->steps[s->step];
    if (step->guess < 0)
        return gs_predictor_at_best(&s->a->oracle->predictor, flow_of(s, step));
    const gs_site *site = &s->stretch->sites[step->guess];
    return (gs_guess)(outcome(s, site) ^ site->at_best);
}

static gs_cache_result answer_dcache(gs_cache_script *cache, gs_addr address, bool write)
{
    (void)address;
    script *s = (script *)(void *)((char *)cache - offsetof(script, dcache));
    const bool through = write && !s->a->oracle->core->dcache.write_back;
    *(write ? &s->dcache_writes : &s->dcache_reads) += 1;
    int site = s->stretch->steps[s->step].data;
    unsigned result = site < 0 ? GS_OUTCOME_HIT : outcome(s, &s->stretch->sites[site]);
    s->misses[1] += result != GS_OUTCOME_HIT;
    switch (result) {
    default: return (gs_cache_result){.hit = true, .through = through};
    case GS_OUTCOME_FILLED: return (gs_cache_result){.filled = true, .through = through};
    case GS_OUTCOME_WRITTEN_BACK:
        return (gs_cache_result){.filled = true, .writeback = true, .through = through};
    case GS_OUTCOME_PASSED: return (gs_cache_result){.through = write};
    }
}

bool gs_automaton_fits(const gs_timing *timing)
{
    return timing->model->freeze;
}

gs_status gs_automaton_open(gs_automaton **out, gs_timing *timing, const gs_bulk *bulk,
                            gs_error *err)
{
    gs_automaton *a = *out = calloc(1, sizeof *a);
    if (!a)
        return gs_fail_no_memory(err);
    a->timing = timing;
    a->bulk = bulk;
    a->node_buckets = a->edge_buckets = BUCKETS;
    a->nodes = calloc(BUCKETS, sizeof *a->nodes);
    a->edges = calloc(BUCKETS, sizeof *a->edges);
    if (!a->nodes || !a->edges) {
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
    free(a->nodes);
    free(a->edges);
    free(a);
}

size_t gs_automaton_node_count(const gs_automaton *a)
{
    return a->node_count;
}

/* -- stretches ---------------------------------------------------------------------------- */

gs_stretch *gs_automaton_stretch(const gs_automaton *a, gs_addr pc)
{
    for (struct stretch_slot *slot = a->stretches[mix(pc, 0) % BUCKETS]; slot;
         slot = slot->chained) {
        if (slot->stretch && slot->stretch->pc == pc)
            return slot->stretch;
    }
    return NULL;
}

bool gs_automaton_add(gs_automaton *a, gs_stretch *stretch)
{
    struct stretch_slot *slot = gs_arena_alloc(&a->arena, sizeof *slot);
    if (!slot)
        return false;
    struct stretch_slot **bucket = &a->stretches[mix(stretch->pc, 0) % BUCKETS];
    *slot = (struct stretch_slot){stretch, *bucket};
    *bucket = slot;
    return true;
}

void gs_automaton_remove(gs_automaton *a, const gs_stretch *stretch)
{
    for (struct stretch_slot *slot = a->stretches[mix(stretch->pc, 0) % BUCKETS]; slot;
         slot = slot->chained) {
        if (slot->stretch == stretch)
            slot->stretch = NULL;
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

static gs_fast_state *freeze(gs_automaton *a, const gs_timing *timing, gs_addr pc)
{
    uint8_t bytes[GS_FROZEN_MAX];
    int size = timing->model->freeze(timing, pc, bytes);
    return size < 0 ? NULL : intern(a, bytes, (unsigned)size);
}

gs_fast_state *gs_automaton_freeze(gs_automaton *a, gs_addr pc)
{
    return freeze(a, a->timing, pc);
}

bool gs_automaton_goals_are_alike(const gs_automaton *a, const gs_way *way)
{
    return way->fetch < 0 && a->timing->model->same_for_all_goals;
}

bool gs_automaton_is_uniform(const gs_automaton *a, const gs_way *way)
{
    return gs_way_is_indirect(way) && gs_automaton_goals_are_alike(a, way) &&
           (!a->bulk || way->flow == GS_FLOW_RETURN);
}

static gs_addr goal_of(const gs_automaton *a, const gs_way *way, gs_addr goal)
{
    return !gs_way_is_indirect(way) ? way->goal : gs_automaton_is_uniform(a, way) ? 0 : goal;
}

gs_fast_state *gs_automaton_rest(gs_automaton *a, gs_addr pc)
{
    static const uint8_t long_ago[GS_FROZEN_MAX]; /* is when all that can matter happened */
    a->oracle->now = base_time;
    a->oracle->instructions++; /* it is not the reset either */
    a->oracle->model->thaw(a->oracle, pc, long_ago);
    return freeze(a, a->oracle, pc);
}

static gs_fast_edge **edge_bucket(const gs_automaton *a, const gs_fast_node *from, unsigned way,
                                  uint64_t key, gs_addr goal)
{
    return &a->edges[mix((uintptr_t)from + way, key * 31 + goal) % a->edge_buckets];
}

static gs_fast_node **node_bucket(const gs_automaton *a, const gs_stretch *stretch,
                                  const gs_fast_state *state, uint64_t path)
{
    uint64_t place = (uintptr_t)stretch + path * 0x9e3779b97f4a7c15u;
    return &a->nodes[mix(place, (uintptr_t)state) % a->node_buckets];
}

static void put_edge(gs_automaton *a, gs_fast_edge *edge)
{
    gs_fast_edge **bucket = edge_bucket(a, edge->from, edge->way, edge->key, edge->goal);
    edge->chained = *bucket;
    *bucket = edge;
}

static void put_node(gs_automaton *a, gs_fast_node *node)
{
    gs_fast_node **bucket = node_bucket(a, node->stretch, node->state, node->path);
    node->chained = *bucket;
    *bucket = node;
}

/* Without memory for more buckets, what is in them only takes longer to find. */
static void add_edge(gs_automaton *a, gs_fast_edge *edge)
{
    gs_fast_edge **old = a->edges,
                 **wider = a->edge_count++ < 2 * a->edge_buckets
                               ? NULL
                               : calloc(4 * a->edge_buckets, sizeof(gs_fast_edge *));
    if (wider) {
        size_t count = a->edge_buckets;
        a->edges = wider;
        a->edge_buckets = 4 * count;
        for (size_t i = 0; i < count; i++) {
            for (gs_fast_edge *moved = old[i], *next; moved; moved = next) {
                next = moved->chained;
                put_edge(a, moved);
            }
        }
        free(old);
    }
    put_edge(a, edge);
}

static void add_node(gs_automaton *a, gs_fast_node *node)
{
    gs_fast_node **old = a->nodes,
                 **wider = a->node_count++ < 2 * a->node_buckets
                               ? NULL
                               : calloc(4 * a->node_buckets, sizeof(gs_fast_node *));
    if (wider) {
        size_t count = a->node_buckets;
        a->nodes = wider;
        a->node_buckets = 4 * count;
        for (size_t i = 0; i < count; i++) {
            for (gs_fast_node *moved = old[i], *next; moved; moved = next) {
                next = moved->chained;
                put_node(a, moved);
            }
        }
        free(old);
    }
    put_node(a, node);
}

static gs_fast_edge *new_edge(gs_automaton *a, gs_fast_node *node, unsigned way, uint64_t key,
                              gs_addr goal)
{
    gs_fast_edge *edge = gs_arena_alloc(&a->arena, sizeof *edge);
    if (edge)
        *edge = (gs_fast_edge){
            .from = node, .way = (uint16_t)way, .key = key, .goal = goal, .arrives = -1};
    return edge;
}

gs_fast_edge *gs_automaton_nowhere(gs_automaton *a)
{
    return &a->nowhere;
}

gs_fast_node *gs_automaton_node(gs_automaton *a, gs_stretch *stretch, gs_fast_state *state,
                                uint64_t path)
{
    gs_fast_node *node = *node_bucket(a, stretch, state, path);
    while (node && !(node->stretch == stretch && node->state == state && node->path == path))
        node = node->chained;
    if (node)
        return node;
    node = gs_arena_alloc(&a->arena, sizeof *node + stretch->way_count * sizeof *node->way);
    if (!node)
        return NULL;
    *node = (gs_fast_node){.stretch = stretch, .state = state, .path = path};
    for (unsigned i = 0; i < stretch->way_count; i++)
        node->way[i] = (gs_fast_edge){.from = node, .way = (uint16_t)i, .arrives = -1};
    add_node(a, node);
    return node;
}

void gs_automaton_thaw(gs_automaton *a, const gs_fast_state *state, gs_addr pc)
{
    a->timing->model->thaw(a->timing, pc, state->bytes);
}

/* -- learning ----------------------------------------------------------------------------- */

/* The operand values that make the class cost what the outcome says. */
static void set_operands(const script *s, const gs_step *step, gs_timing_step *t)
{
    const gs_timing *oracle = s->a->oracle;
    const gs_isa *isa = oracle->machine->isa;
    const gs_core_class *class = &oracle->core->classes[isa->ops[step->insn.op].timing];
    unsigned value = step->operand < 0 ? 0 : outcome(s, &s->stretch->sites[step->operand]);
    switch (class->operand) {
    case GS_OPERAND_RULE_NONE: break;
    case GS_OPERAND_RULE_SHIFT_STEPS: t->value[isa->arch == GS_ARCH_MIPS32 ? 0 : 1] = value; break;
    case GS_OPERAND_RULE_EARLY_OUT: t->value[1] = value ? 1u << (value - 1) : 0; break;
    case GS_OPERAND_RULE_DIVISOR_ZERO: t->value[1] = !value; break;
    }
}

/* Every access is at address 0. */
static void set_stores(const script *s, const gs_step *step)
{
    unsigned overlaps = step->overlap < 0 ? 0 : outcome(s, &s->stretch->sites[step->overlap]);
    for (unsigned i = 0; i < 2; i++)
        s->a->oracle->last_stores[i] = (gs_timing_store){overlaps >> i & 1 ? 0 : 64, 4};
}

static void take_step(gs_automaton *a, unsigned number)
{
    script *s = &a->script;
    const gs_step *step = &s->stretch->steps[number];
    const bool taken = s->way && s->way->taken == (int)number;
    gs_timing_step t = {.pc = step->pc, .taken = taken, .goal = taken ? s->goal : 0};
    if (step->access)
        gs_timing_access(&t, a->oracle->machine->isa->ops[step->insn.op].timing, 0, step->access);
    set_operands(s, step, &t);
    set_stores(s, step);
    s->step = number;
    s->strayed = 0;
    s->stray = 0;
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

static void prepare(gs_automaton *a, const gs_fast_lesson *lesson, const gs_way *way)
{
    gs_timing *oracle = a->oracle;
    oracle->now = base_time;
    oracle->branches = (gs_branch_counts){0};
    oracle->issue_fj = 0;
    oracle->model->thaw(oracle, lesson->stretch->pc, lesson->state->bytes);
    memset(oracle->stalls, 0, sizeof oracle->stalls);
    oracle->lost_before = 0;
    oracle->now_before = oracle->now;
    script *s = &a->script;
    s->stretch = lesson->stretch;
    s->way = way;
    s->key = lesson->key;
    s->goal = lesson->goal;
    s->icache_reads = s->dcache_reads = s->dcache_writes = s->misses[0] = s->misses[1] = 0;
}

/* Runs the model over the first `steps` instructions and remembers what they cost. */
static gs_fast_lesson *learn(gs_automaton *a, gs_fast_lesson question, const gs_way *way)
{
    gs_timing *oracle = a->oracle;
    gs_charge charges[(GS_STRETCH_STEPS + 2) * GS_CHARGE_KINDS];
    unsigned count = 0;
    uint64_t before[GS_CHARGE_KINDS], now[GS_CHARGE_KINDS];
    prepare(a, &question, way);
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
    gs_fast_lesson *lesson = gs_arena_alloc(&a->arena, sizeof *lesson + count * sizeof *charges);
    if (!lesson)
        return NULL;
    *lesson = question;
    lesson->after = freeze(a, oracle, question.goal);
    lesson->cycles = (int32_t)(oracle->now - base_time);
    lesson->icache_reads = a->script.icache_reads;
    lesson->dcache_reads = a->script.dcache_reads;
    lesson->dcache_writes = a->script.dcache_writes;
    lesson->branches = oracle->branches;
    lesson->issue_fj = oracle->issue_fj;
    lesson->stray = a->script.stray;
    lesson->charge_count = count;
    memcpy(lesson->charges, charges, count * sizeof *charges);
    return lesson->after ? lesson : NULL;
}

/* The same, unless it has been learnt before. */
static gs_fast_lesson *lesson_for(gs_automaton *a, const gs_fast_lesson *question,
                                  const gs_way *way)
{
    gs_fast_lesson **bucket = &a->lessons[mix((uintptr_t)question->stretch + question->way,
                                              (uintptr_t)question->state + question->key * 31) %
                                          BUCKETS],
                   *lesson = *bucket;
    while (lesson && !(lesson->stretch == question->stretch && lesson->state == question->state &&
                       lesson->key == question->key && lesson->goal == question->goal &&
                       lesson->way == question->way))
        lesson = lesson->chained;
    if (!lesson) {
        lesson = learn(a, *question, way);
        if (!lesson)
            return NULL;
        lesson->chained = *bucket;
        *bucket = lesson;
    }
    return lesson;
}

gs_fast_lesson *gs_automaton_lesson(gs_automaton *a, gs_stretch *stretch, gs_fast_state *state,
                                    unsigned way, gs_addr goal)
{
    return gs_automaton_lesson_with(a, stretch, state, way, goal, 0);
}

gs_fast_lesson *gs_automaton_lesson_with(gs_automaton *a, gs_stretch *stretch, gs_fast_state *state,
                                         unsigned way, gs_addr goal, uint64_t key)
{
    const gs_way *w = &stretch->ways[way];
    const gs_fast_lesson question = {
        .stretch = stretch,
        .state = state,
        .key = key,
        .goal = goal_of(a, w, goal),
        .way = (uint16_t)way,
        .steps = w->steps,
    };
    return lesson_for(a, &question, w);
}

/* What an edge costs. */
static bool learn_edge(gs_automaton *a, gs_fast_edge *edge, const gs_way *way, unsigned steps,
                       gs_addr next_pc)
{
    const gs_fast_lesson question = {
        .stretch = edge->from->stretch,
        .state = edge->from->state,
        .key = edge->key,
        .goal = next_pc,
        .way = edge->way,
        .steps = (uint16_t)steps,
    };
    edge->lesson = lesson_for(a, &question, way);
    if (!edge->lesson)
        return false;
    edge->cost = gs_lesson_cost(edge->lesson);
    edge->after = edge->lesson->after->number;
    return true;
}

static gs_fast_edge *find(gs_automaton *a, const gs_fast_node *node, unsigned way, uint64_t key,
                          gs_addr goal)
{
    gs_fast_edge *edge = *edge_bucket(a, node, way, key, goal);
    while (edge &&
           !(edge->from == node && edge->way == way && edge->key == key && edge->goal == goal))
        edge = edge->chained;
    return edge;
}

bool gs_automaton_move(const gs_automaton *a, const gs_fast_edge *edge, gs_move *move)
{
    const gs_isa *isa = a->timing->machine->isa;
    const gs_stretch *s = edge->from->stretch;
    int taken = edge->way & PARTIAL ? -1 : s->ways[edge->way].taken;
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

gs_fast_edge *gs_automaton_edge(gs_automaton *a, gs_fast_node *node, unsigned way, uint64_t key,
                                gs_addr goal)
{
    const gs_way *w = &node->stretch->ways[way];
    const bool usual = key == 0 && (!gs_way_is_indirect(w) || gs_automaton_is_uniform(a, w));
    gs_addr known = goal_of(a, w, goal); /* a usual one is part of the node */
    gs_fast_edge *edge = usual ? &node->way[way] : find(a, node, way, key, known);
    if (!edge)
        edge = new_edge(a, node, way, key, known);
    if (!edge)
        return NULL;
    if (!edge->lesson) {
        edge->goal = known;
        if (!learn_edge(a, edge, w, w->steps, known))
            return NULL;
        add_edge(a, edge);
    }
    return edge;
}

void gs_automaton_forget_goals(gs_automaton *a)
{
    for (size_t i = 0; i < a->edge_buckets; i++) {
        for (gs_fast_edge *edge = a->edges[i]; edge; edge = edge->chained) {
            edge->move = GS_MOVE_UNSEEN;
            edge->block = NULL;
        }
    }
}

gs_fast_edge *gs_automaton_partial(gs_automaton *a, gs_fast_node *node, unsigned steps,
                                   uint64_t key)
{
    gs_fast_edge *edge = find(a, node, PARTIAL | steps, key, 0);
    if (edge)
        return edge;
    edge = new_edge(a, node, PARTIAL | steps, key, 0);
    const gs_stretch *s = node->stretch;
    const gs_addr next_pc = steps < s->step_count ? s->steps[steps].pc : s->end;
    if (!edge || !learn_edge(a, edge, NULL, steps, next_pc))
        return NULL;
    add_edge(a, edge);
    return edge;
}

/* -- counting ----------------------------------------------------------------------------- */

static void tell_bulk(const gs_automaton *a, const gs_fast_edge *edge, uint64_t times)
{
    const gs_fast_lesson *lesson = edge->lesson;
    const gs_stretch *s = lesson->stretch;
    gs_bulk_run run = {
        .path = edge->from->path,
        .times = times,
        .steps = s->steps,
        .step_count = lesson->steps,
        .taken = edge->way & PARTIAL ? -1 : s->ways[edge->way].taken,
        .goal = edge->goal,
        .calls = gs_automaton_calls(edge),
        .new_path = edge->path,
        .cycles = (uint64_t)lesson->cycles,
        .issue_fj = lesson->issue_fj,
        .branches = lesson->branches,
        .charges = lesson->charges,
        .charge_count = lesson->charge_count,
    };
    a->bulk->add(a->bulk->self, &run);
}

static void settle(gs_automaton *a, gs_fast_edge *edge)
{
    gs_timing *timing = a->timing;
    const gs_fast_lesson *lesson = edge->lesson;
    const uint64_t times = edge->count - edge->settled;
    if (times == 0)
        return;
    edge->settled = edge->count;
    timing->instructions += times * edge->lesson->steps;
    timing->issue_fj += times * lesson->issue_fj;
    timing->branches.executed += times * lesson->branches.executed;
    timing->branches.taken += times * lesson->branches.taken;
    timing->branches.mispredicted += times * lesson->branches.mispredicted;
    timing->icache.stats.reads += times * lesson->icache_reads;
    timing->dcache.stats.reads += times * lesson->dcache_reads;
    timing->dcache.stats.writes += times * lesson->dcache_writes;
    for (unsigned i = 0; i < lesson->charge_count; i++) {
        const gs_charge *charge = &lesson->charges[i];
        if (charge->kind >= GS_CHARGE_STALLS)
            timing->stalls[charge->kind - GS_CHARGE_STALLS] += times * (uint64_t)charge->amount;
    }
    if (a->bulk)
        tell_bulk(a, edge, times);
}

static void judge(gs_automaton *a, gs_fast_edge *edge, bool crowded)
{
    gs_move move;
    bool jumps = gs_automaton_move(a, edge, &move);
    (void)a->bulk->judge(a->bulk->self, jumps ? &move : NULL, &edge->arrival);
    if (crowded && gs_automaton_calls(edge)) {
        settle(a, edge); /* as what it was */
        edge->move = GS_MOVE_OTHER;
    }
}

void gs_automaton_judge(gs_automaton *a)
{
    const bool crowded = a->bulk->crowded(a->bulk->self);
    for (size_t i = 0; i < a->edge_buckets; i++) {
        for (gs_fast_edge *edge = a->edges[i]; edge; edge = edge->chained) {
            if (edge->move != GS_MOVE_UNSEEN)
                judge(a, edge, crowded);
        }
    }
}

void gs_automaton_charge(gs_automaton *a, const gs_stretch *stretch, uint64_t path,
                         const gs_charge *charges, unsigned count, uint64_t times)
{
    gs_bulk_run run = {
        .path = path,
        .times = times,
        .steps = stretch->steps,
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
    if (a->bulk)
        a->bulk->add(a->bulk->self, &run);
}

void gs_automaton_settle(gs_automaton *a)
{
    for (size_t i = 0; i < a->edge_buckets; i++) {
        for (gs_fast_edge *edge = a->edges[i]; edge; edge = edge->chained)
            settle(a, edge);
    }
    gs_energy_caught_up(a->timing);
}

static void explain_charges(const gs_fast_lesson *lesson, FILE *to)
{
    const char *separator = ", of them";
    for (unsigned i = 0; i < lesson->charge_count; i++) {
        const gs_charge *charge = &lesson->charges[i];
        if (charge->kind < GS_CHARGE_STALLS)
            continue;
        fprintf(to, "%s %d %s at %08x", separator, charge->amount,
                gs_timing_stall_key((gs_stall)(charge->kind - GS_CHARGE_STALLS)),
                lesson->stretch->steps[charge->step].pc);
        separator = "";
    }
}

void gs_automaton_explain(const gs_automaton *a, const gs_stretch *stretch, FILE *to)
{
    fprintf(to, "/* %08x: %u instructions */\n", stretch->pc, stretch->step_count);
    for (size_t i = 0; i < a->edge_buckets; i++) {
        for (const gs_fast_edge *edge = a->edges[i]; edge; edge = edge->chained) {
            if (edge->from->stretch != stretch || edge->count == 0)
                continue;
            fprintf(to, "/*   %llu times", (unsigned long long)edge->count);
            if (edge->way & PARTIAL)
                fputs(" left", to);
            else
                fprintf(to, " to %08x", edge->goal);
            fprintf(to, " after %u instructions, %d cycles", edge->lesson->steps,
                    edge->lesson->cycles);
            explain_charges(edge->lesson, to);
            fputs(" */\n", to);
        }
    }
}
