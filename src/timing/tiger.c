/*
 * Tiger MIPS: five stages, branches in decode, one data cache port.
 *
 * Found by measuring the core's RTL; these recurrences gave whole programs exactly with memory
 * latencies of 2 and 8. With G(k) the cycle in which instruction k leaves decode, X(k) its
 * last in execute and M(k) its last in memory access, and k counting instructions as they retire:
 *
 *   G(k) = max(G(k-1) + 1 + (P if k+1 misses the instruction cache),
 *              X(k-1),
 *              X(p) + latency   for a producer p of a source of k: 1 for loads, else 0
 *              M(p) + 1         the same if k is a branch or jump: it reads in decode, where
 *                               nothing is forwarded to)
 *          but if X(k-1) < G(k) < M(k-1), then M(k-1)
 *   X(k) = max(G(k) + cycles, M(k-1),
 *              X(d) + 1 + latency  of the last divide d, if k reads HI or LO
 *              X(s) + 2 + write    for a load or store behind the store s
 *              M(l) + 1            for a store behind the load l)
 *   M(k) = X(k) + 1 (+ P if k misses the data cache)
 *          If k waits in execute and needs the register of k-2, which sits in write-back for as
 *          long as k-1 stays in memory access, then k-1 stays: M(k-1) = X(k)
 *   P    = overhead + first + (words of the line - 1) next
 *
 * Branches cost nothing by themselves, taken or not; delay slots are executed. The rt field of
 * an instruction that only writes it, or does not have it, is no source.
 *
 * Assumed, not measured:
 *  - A load from a device takes overhead + first. A store to one is like any other.
 *  - memory.shared, as on boards with one SDRAM: fills are done one after the other and wait
 *    for stores on their way. k+1 is fetched, if it has to be, a cycle before the load k-1 can ask
 *    for its line; memory.priority says which goes first then.
 *  - A trap drains the pipeline; the handler's first fetch follows after trap_entry cycles.
 *
 * The instruction after k is fetched while k is in decode, so it is looked up with k: in the
 * delay slot's case the branch has said by then where it goes. Only after a trap or its return
 * is it looked up when it comes, and then it is the one to wait.
 *
 * The cycle of k's retirement is its M, before k+1 can make it stay. Of the cycles since k-1's,
 * the first is its own; the others are charged from the last stage backwards.
 */
#include "timing/timing.h"

#include <stdlib.h>

#include "timing/serialize.h"
#include "timing/view.h"

typedef struct tiger {
    uint64_t decode, execute, memory; /* G, X and M of the instruction before */
    uint64_t number;                  /* of the next instruction */
    uint32_t next_pc;                 /* has been looked up already, */
    bool next_known;                  /* if this is true */
    bool slot;                        /* the next instruction is a delay slot, */
    uint32_t slot_goal;               /* and this is where control goes then */
    uint8_t last_target;              /* what the instruction before writes */
    gs_stall leftover;                /* the cause of cycles nothing else explains */
    uint64_t load_from;               /* the data cache port takes a load, */
    uint64_t store_from;              /* a store; */
    uint64_t write_wait;  /* so many cycles of that are the memory's, for a store on its way */
    uint64_t port_free;   /* shared memory: the last data fill or store has ended */
    uint64_t port_before; /* the same before the instruction before, */
    uint64_t last_fill;   /* which had its data brought in in so many cycles */
    uint64_t hilo_from;   /* a divide has finished */
    uint64_t forwarded[GS_OPERAND_COUNT]; /* a reader may leave decode in this cycle, */
    uint64_t written[GS_OPERAND_COUNT];   /* a branch in this one */
    uint64_t producer[GS_OPERAND_COUNT];  /* number of the instruction that writes it */
    bool loaded[GS_OPERAND_COUNT];        /* which is a load */
    uint64_t ifill, dfill;                /* P of each cache */
    uint64_t read;                        /* the same for a word from a device */
} tiger;

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Words of a line after the first. */
static uint64_t later_words(const gs_core *core, const gs_cache_config *cache)
{
    return cache->line_bytes > core->memory.width ? cache->line_bytes / core->memory.width - 1 : 0;
}

static gs_status open(gs_timing *timing, gs_error *err)
{
    const gs_core *core = timing->core;
    if (!core->has_icache || !core->has_dcache)
        return gs_fail(err, GS_E_ARGUMENT, "core %s: pipeline tiger needs both caches", core->name);
    tiger *t = calloc(1, sizeof *t);
    if (!t)
        return gs_fail_no_memory(err);
    t->read = core->memory.overhead + core->memory.first;
    t->ifill = t->read + later_words(core, &core->icache) * core->memory.next;
    t->dfill = t->read + later_words(core, &core->dcache) * core->memory.next;
    t->leftover = GS_STALL_STRUCTURAL;
    /* So that the first instruction retires in cycle first_retire, were there no misses. */
    uint64_t start = core->first_retire > 3 ? core->first_retire - 3 : 0;
    t->decode = t->execute = t->memory = start;
    t->number = 2;
    timing->state = t;
    return GS_OK;
}

/* When the line of `pc` is there if it is looked up in cycle `now` and may have to be brought in.
 */
static __attribute__((noinline)) uint64_t fetch_missing(gs_timing *timing, uint32_t pc,
                                                        uint64_t now)
{
    tiger *t = timing->state;
    const gs_core_memory *memory = &timing->core->memory;
    if (gs_cache_access(&timing->icache, pc, false).hit)
        return now;
    if (!memory->shared)
        return now + t->ifill;
    if (!memory->fetch_first || t->last_fill == 0)
        return later(now, t->port_free) + t->ifill;

    /* The load before has yet to ask: it waits, and stays in memory access for longer. */
    uint64_t done = later(now, t->port_before) + t->ifill;
    if (done > t->execute + 1) {
        t->memory = done + t->last_fill;
        t->load_from = later(t->load_from, t->memory);
        t->store_from = later(t->store_from, t->memory + 1);
        t->port_free = t->memory;
        t->written[t->last_target] = t->memory + 1;
    }
    return done;
}

/* When the line of `pc` is there if it is looked up in cycle `now`. */
static inline uint64_t fetch_line(gs_timing *timing, uint32_t pc, uint64_t now)
{
    if (!gs_cache_probe_first(&timing->icache, pc))
        return fetch_missing(timing, pc, now);
    timing->icache.stats.reads++;
    return now;
}

/* When k may leave decode as far as fetch is concerned. */
static uint64_t fetch(gs_timing *timing, const gs_timing_step *s)
{
    tiger *t = timing->state;
    uint64_t free = t->decode + 1;
    if (!t->next_known || t->next_pc != s->pc)
        free = fetch_line(timing, s->pc, free);
    t->next_known = s->insn->flow != GS_FLOW_TRAP_RETURN;
    if (t->next_known) {
        t->next_pc = t->slot ? t->slot_goal : s->pc + s->insn->length;
        free = fetch_line(timing, t->next_pc, free);
    }
    t->slot = s->taken;
    t->slot_goal = s->goal;
    return free;
}

static bool reads_in_decode(unsigned flow)
{
    return flow != GS_FLOW_NEXT && flow < GS_FLOW_TRAP;
}

/* Charges at most `*left` cycles. */
static void charge(gs_timing *timing, gs_stall cause, uint64_t cycles, uint64_t *left)
{
    if (cycles > *left)
        cycles = *left;
    gs_timing_charge(timing, cause, cycles);
    *left -= cycles;
}

/* Cycles in which M is occupied beyond the first. */
static uint64_t access(gs_timing *timing, const gs_timing_step *s, uint64_t execute)
{
    tiger *t = timing->state;
    const gs_core *core = timing->core;
    uint64_t extra = 0;
    if (s->load) {
        if (s->uncached)
            extra = t->read;
        else if (!gs_cache_access(&timing->dcache, s->address, false).hit)
            extra = t->dfill;
        t->load_from = later(t->load_from, execute + 1 + extra);
        t->store_from = later(t->store_from, execute + 2 + extra);
    }
    if (s->store) {
        if (!s->uncached)
            (void)gs_cache_access(&timing->dcache, s->address, true);
        t->load_from = t->store_from = execute + extra + 2 + core->memory.write;
    }
    t->write_wait = s->store ? core->memory.write : 0;
    t->last_fill = s->store || s->uncached ? 0 : extra;
    t->port_before = t->port_free;
    t->port_free = later(t->port_free, s->store ? t->store_from : execute + 1 + extra);
    return extra;
}

static void step(gs_timing *timing, const gs_timing_step *s)
{
    tiger *t = timing->state;
    const gs_core *core = timing->core;
    const gs_timing_insn *insn = s->insn;
    const gs_core_class *class = &core->classes[insn->class];

    uint64_t base = later(t->decode + 1, t->execute);
    uint64_t fetched = later(fetch(timing, s), t->execute);
    uint64_t decode = fetched;
    gs_stall decode_cause = GS_STALL_HAZARD;
    const uint64_t *ready = reads_in_decode(insn->flow) ? t->written : t->forwarded;
    bool waits_for_hilo = false, needs_write_back = false;
    for (unsigned i = 0; i < 3; i++) {
        unsigned source = insn->operands.source[i];
        if (source == GS_OPERAND_NONE)
            continue;
        if (ready[source] > decode) {
            decode = ready[source];
            decode_cause = t->loaded[source] ? GS_STALL_LOAD_USE : GS_STALL_HAZARD;
        }
        waits_for_hilo |= source == GS_OPERAND_HI || source == GS_OPERAND_LO;
        needs_write_back |= t->producer[source] + 2 == t->number;
    }
    if (decode > t->execute && decode < t->memory)
        decode = t->memory;

    uint64_t free = later(decode + class->cycles, t->memory);
    uint64_t execute = free;
    gs_stall execute_cause = GS_STALL_MULDIV;
    uint64_t write_wait = t->write_wait; /* of the access before, if it is what we wait for */
    if (waits_for_hilo)
        execute = later(execute, t->hilo_from);
    if (s->load || s->store) {
        execute = later(execute, s->store ? t->store_from : t->load_from);
        execute_cause = GS_STALL_STRUCTURAL;
    }
    if (needs_write_back && execute > decode + 1 && decode < t->memory && execute > t->memory)
        t->written[t->last_target] = execute + 1;

    t->last_fill = 0;
    uint64_t extra = s->load || s->store ? access(timing, s, execute) : 0;
    uint64_t memory = execute + 1 + extra;

    uint64_t left = memory - timing->now - 1;
    if (left > 0) {
        charge(timing, s->load ? GS_STALL_D_READ : GS_STALL_D_WRITE, extra, &left);
        uint64_t wait = execute - free;
        if (execute_cause == GS_STALL_STRUCTURAL && write_wait > 0) {
            uint64_t slow = wait < write_wait ? wait : write_wait;
            charge(timing, GS_STALL_D_WRITE, slow, &left);
            wait -= slow;
        }
        charge(timing, execute_cause, wait, &left);
        charge(timing, GS_STALL_MULDIV, class->cycles - 1, &left);
        charge(timing, decode_cause, decode - fetched, &left);
        charge(timing, GS_STALL_I_MISS, fetched - base, &left);
        gs_timing_charge(timing, t->leftover, left);
    }

    bool load = insn->class == GS_CLASS_LOAD || insn->class == GS_CLASS_FP_LOAD;
    t->last_target = insn->operands.target[0];
    for (unsigned i = 0; i < 2; i++) {
        unsigned target = insn->operands.target[i];
        if (target == GS_OPERAND_NONE)
            continue;
        if (target == GS_OPERAND_HI || target == GS_OPERAND_LO) {
            t->hilo_from = later(t->hilo_from, execute + 1 + class->latency);
            continue;
        }
        t->forwarded[target] = execute + class->latency;
        t->written[target] = memory + 1;
        t->producer[target] = t->number;
        t->loaded[target] = load;
    }
    if (__builtin_expect(timing->view != NULL, 0)) {
        const gs_stage stages[] = {
            {'D', t->decode + 1, decode}, {'X', decode + 1, execute}, {'M', execute + 1, memory}};
        gs_timing_show(timing, timing->instructions - 1, s->pc, stages, 3);
    }
    t->decode = decode;
    t->execute = execute;
    t->memory = memory;
    t->number++;
    t->leftover = GS_STALL_STRUCTURAL;
    timing->now = memory;
}

static void redirect(gs_timing *timing, gs_redirect kind, uint64_t until)
{
    tiger *t = timing->state;
    if (kind == GS_REDIRECT_SLEEP) {
        if (until > timing->now) {
            gs_timing_charge(timing, GS_STALL_IDLE, until - timing->now);
            timing->now = until;
        }
    } else {
        t->next_known = t->slot = false;
        t->leftover = GS_STALL_TRAP;
    }
    uint64_t entry = kind == GS_REDIRECT_SLEEP ? 0 : timing->core->trap_entry;
    t->decode = t->execute = t->memory = timing->now + entry;
}

/* A head start of decode is worth no more than what execute and a fill can take. */
static uint64_t reach_of(const gs_timing *timing)
{
    const tiger *t = timing->state;
    uint64_t longest = 0;
    for (unsigned i = 0; i < GS_CLASS_COUNT; i++)
        longest = later(longest, timing->core->classes[i].cycles);
    return longest + t->ifill + t->dfill + 8;
}

static int serialize(const gs_timing *timing, uint32_t pc, uint8_t *to)
{
    const tiger *t = timing->state;
    if (t->slot || !t->next_known || t->next_pc != pc)
        return -1;
    gs_serializer f = {.to = to, .now = timing->now, .reach = reach_of(timing)};
    gs_serialize_cycle(&f, t->decode);
    gs_serialize_cycle(&f, t->execute);
    gs_serialize_cycle(&f, t->memory);
    gs_serialize_cycle(&f, t->load_from > t->memory ? t->load_from : 0);
    gs_serialize_cycle(&f, t->store_from > t->memory ? t->store_from : 0);
    gs_serialize_cycle(&f, t->hilo_from > t->memory ? t->hilo_from : 0);
    bool waits = t->load_from > t->memory || t->store_from > t->memory;
    gs_serialize_half(&f, waits ? (unsigned)t->write_wait : 0);
    if (timing->core->memory.shared) {
        gs_serialize_cycle(&f, t->port_free);
        gs_serialize_cycle(&f, t->port_before);
        gs_serialize_half(&f, (unsigned)t->last_fill);
    }
    gs_serialize_byte(&f, t->leftover);
    gs_serialize_byte(&f, t->last_target);
    uint64_t decode_from = later(t->decode + 1, t->execute);
    for (unsigned i = 1; i < GS_OPERAND_COUNT; i++) {
        uint64_t age = t->number - t->producer[i];
        bool young = age <= 2,
             waited = t->forwarded[i] > decode_from || t->written[i] > decode_from;
        if (!young && !waited)
            continue;
        gs_serialize_byte(&f, i);
        gs_serialize_byte(&f, (young ? (unsigned)age : 0) | (waited ? (unsigned)t->loaded[i] : 0)
                                                                << 2);
        gs_serialize_cycle(&f, waited ? t->forwarded[i] : 0);
        gs_serialize_cycle(&f, waited ? t->written[i] : 0);
    }
    gs_serialize_byte(&f, 0);
    return f.size;
}

static void deserialize(gs_timing *timing, uint32_t pc, const uint8_t *from)
{
    enum { NUMBER = 16 }; /* any that leaves room for producers before it */
    tiger *t = timing->state;
    *t = (tiger){.ifill = t->ifill, .dfill = t->dfill, .read = t->read, .number = NUMBER};
    gs_deserializer w = {.from = from, .now = timing->now, .reach = reach_of(timing)};
    t->decode = gs_deserialize_cycle(&w);
    t->execute = gs_deserialize_cycle(&w);
    t->memory = gs_deserialize_cycle(&w);
    t->load_from = gs_deserialize_cycle(&w);
    t->store_from = gs_deserialize_cycle(&w);
    t->hilo_from = gs_deserialize_cycle(&w);
    t->write_wait = gs_deserialize_half(&w);
    if (timing->core->memory.shared) {
        t->port_free = gs_deserialize_cycle(&w);
        t->port_before = gs_deserialize_cycle(&w);
        t->last_fill = gs_deserialize_half(&w);
    }
    t->next_known = true;
    t->next_pc = pc;
    t->leftover = (gs_stall)gs_deserialize_byte(&w);
    t->last_target = (uint8_t)gs_deserialize_byte(&w);
    for (unsigned i; (i = gs_deserialize_byte(&w)) != 0;) {
        unsigned what = gs_deserialize_byte(&w);
        t->producer[i] = what & 3 ? t->number - (what & 3) : 0;
        t->loaded[i] = what >> 2;
        t->forwarded[i] = gs_deserialize_cycle(&w);
        t->written[i] = gs_deserialize_cycle(&w);
    }
}

const gs_timing_model gs_timing_tiger = {.state_size = sizeof(tiger),
                                         .open = open,
                                         .step = step,
                                         .redirect = redirect,
                                         .serialize = serialize,
                                         .deserialize = deserialize,
                                         .looks_up = true,
                                         .fetches_ahead = true};
