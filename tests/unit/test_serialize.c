/*
 * A serialized pipeline has the same future once it is deserialized. Two instances of a model see
 * the same random instructions; at random points one is given the state of the other, serialized
 * and deserialized. From there on, too, every instruction must take the same cycles for the same
 * reasons. The caches of both see the same accesses all the time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "timing/timing.h"

enum { CODE = 0x1000, WORDS = 400, STEPS = 60000 };

typedef struct setting {
    const char *core;
    const char *set[10]; /* ends with NULL */
} setting;

typedef struct clone {
    gs_machine *machine;
    gs_core *core;
    gs_timing *one, *other;
    uint64_t random;
} clone;

static unsigned draw(clone *t, unsigned below)
{
    t->random = t->random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(t->random >> 33) % below;
}

/* Few registers, so that instructions wait for each other. */
static uint32_t rv_word(clone *t)
{
    uint32_t rd = 1 + draw(t, 5), rs1 = 1 + draw(t, 5), rs2 = 1 + draw(t, 5);
    uint32_t r = rs2 << 20 | rs1 << 15 | rd << 7;
    switch (draw(t, 9)) {
    case 0: return 0x02000033 | r;                                       /* mul */
    case 1: return 0x02004033 | r;                                       /* div */
    case 2: return 0x00001033 | r;                                       /* sll */
    case 3: return 0x00002003 | rs1 << 15 | rd << 7;                     /* lw */
    case 4: return 0x00002023 | rs2 << 20 | rs1 << 15;                   /* sw */
    case 5: return 0x00000063 | rs2 << 20 | rs1 << 15 | 0x800;           /* beq .+16 */
    case 6: return draw(t, 3) ? 0x00000033 | r : 0x0100006f;             /* add; j .+16 */
    case 7: return draw(t, 3) ? 0x00000033 | r : 0x00000067 | rs1 << 15; /* add; jr */
    default: return 0x00000033 | r;
    }
}

static uint32_t mips_word(clone *t)
{
    uint32_t rd = 1 + draw(t, 5), rs = 1 + draw(t, 5), rt = 1 + draw(t, 5);
    switch (draw(t, 8)) {
    case 0: return 0x00000018 | rs << 21 | rt << 16; /* mult */
    case 1: return 0x0000001a | rs << 21 | rt << 16; /* div */
    case 2: return 0x00000012 | rd << 11;            /* mflo */
    case 3: return 0x8c000000 | rs << 21 | rt << 16; /* lw */
    case 4: return 0xac000000 | rs << 21 | rt << 16; /* sw */
    case 5: return 0x10000003 | rs << 21 | rt << 16; /* beq .+16 */
    case 6: return 0x00000008 | rs << 21;            /* jr */
    default: return 0x00000021 | rs << 21 | rt << 16 | rd << 11;
    }
}

static void write_code(clone *t)
{
    bool mips = t->machine->isa->arch == GS_ARCH_MIPS32, slot = false;
    for (uint32_t i = 0; i < WORDS; i++) {
        uint32_t word = mips ? mips_word(t) : rv_word(t);
        bool jumps = mips && (word >> 26 == 4 || word == (word & 0x03e00000u) + 8);
        if (slot)
            word = 0x00221821; /* addu $3, $1, $2: no jump in a slot */
        slot = jumps && !slot;
        uint8_t bytes[] = {word & 0xff, word >> 8 & 0xff, word >> 16 & 0xff, (uint8_t)(word >> 24)};
        assert_true(gs_memory_poke(&t->machine->memory, CODE + 4 * i, bytes, 4));
    }
}

static void open_clone(clone *t, gs_arch arch, const setting *s, uint64_t seed)
{
    gs_error err = {0};
    unsigned count = 0;
    while (s->set[count])
        count++;
    t->random = seed;
    if (gs_core_open(&t->core, s->core, s->set, count, &err) != GS_OK)
        fail_msg("%s", err.message);
    gs_machine *m = t->machine = calloc(1, sizeof *m);
    assert_non_null(m);
    m->isa = gs_isa_for(arch);
    m->extensions = m->isa->all_extensions;
    gs_decoder_init(&m->decoder, m->isa, m->extensions);
    assert_int_equal(gs_memory_init(&m->memory, m->isa, false, &err), GS_OK);
    const unsigned all = GS_PROT_READ | GS_PROT_WRITE | GS_PROT_EXEC;
    assert_int_equal(gs_memory_map(&m->memory, CODE, 4 * WORDS, all, &err), GS_OK);
    assert_int_equal(gs_timing_open(&t->one, t->core, m, &err), GS_OK);
    assert_int_equal(gs_timing_open(&t->other, t->core, m, &err), GS_OK);
    write_code(t);
}

static void close_clone(clone *t)
{
    gs_timing_free(t->one);
    gs_timing_free(t->other);
    gs_memory_fini(&t->machine->memory);
    free(t->machine);
    gs_core_free(t->core);
}

/* Some place in the code that is no slot's. */
static uint32_t somewhere(clone *t)
{
    return CODE + 8 + 4 * draw(t, WORDS / 2);
}

/* Both retire the instruction at `pc`. Returns where a jump leaves for, or 0. */
static uint32_t retire(clone *t, uint32_t pc)
{
    const gs_machine *m = t->machine;
    gs_insn insn;
    uint32_t word;
    uint64_t goal = 0;
    assert_int_equal(gs_memory_fetch(&m->memory, m->isa, pc, &word), GS_ACCESS_OK);
    gs_decode(&insn, &m->decoder, word);
    gs_timing_step step = {.pc = pc, .value = {draw(t, 64), draw(t, 3) ? draw(t, 1 << 20) : 0}};
    unsigned class = m->isa->ops[insn.op].timing;
    if (class == GS_CLASS_LOAD || class == GS_CLASS_STORE)
        gs_timing_access(&step, class, 4 * draw(t, draw(t, 2) ? 64 : 4096), 4);
    gs_flow flow = m->isa->flow(&insn, pc, &goal);
    if (flow != GS_FLOW_NEXT) {
        step.taken = flow != GS_FLOW_BRANCH || draw(t, 2);
        step.goal = !step.taken ? 0 : goal ? (uint32_t)goal : somewhere(t);
    }
    gs_timing_step same = step;
    gs_timing_retired(t->one, &insn, &step);
    gs_timing_retired(t->other, &insn, &same);
    return step.goal;
}

/* It traps in both of them instead. */
static void trap(clone *t, uint32_t pc)
{
    static const gs_trap_kind kinds[] = {GS_TRAP_FETCH_FAULT, GS_TRAP_ILLEGAL, GS_TRAP_LOAD_FAULT};
    const gs_trap trap = {.kind = kinds[draw(t, 3)], .pc = pc, .value = pc};
    gs_timing_trapped(t->one, &trap);
    gs_timing_trapped(t->other, &trap);
}

static bool hand_over(clone *t, uint32_t pc)
{
    uint8_t bytes[GS_SERIALIZED_MAX], again[GS_SERIALIZED_MAX];
    const gs_timing_model *model = t->one->model;
    int size = model->serialize(t->one, pc, bytes);
    if (size < 0)
        return false;
    assert_true(size <= GS_SERIALIZED_MAX);
    model->deserialize(t->other, pc, bytes);
    assert_int_equal(model->serialize(t->other, pc, again), size);
    assert_memory_equal(bytes, again, (size_t)size);
    return true;
}

static void compare(gs_arch arch, const setting *s, uint64_t seed)
{
    clone t;
    open_clone(&t, arch, s, seed);
    const bool slots = t.machine->isa->delay_slots > 0;
    uint32_t pc = CODE, after_slot = 0;
    unsigned handed = 0;
    for (unsigned i = 0; i < STEPS; i++) {
        if (!after_slot && draw(&t, 19) == 0)
            trap(&t, pc);
        uint32_t goal = retire(&t, pc);
        if (t.one->now != t.other->now ||
            memcmp(t.one->stalls, t.other->stalls, sizeof t.one->stalls) != 0)
            fail_msg("%s %s..., seed %u: instruction %u at %x ends in cycle %llu and %llu", s->core,
                     s->set[0] ? s->set[0] : "", (unsigned)seed, i, pc,
                     (unsigned long long)t.one->now, (unsigned long long)t.other->now);
        uint32_t next = after_slot ? after_slot : pc + 4;
        after_slot = 0;
        if (goal && slots)
            after_slot = goal;
        else if (goal)
            next = goal;
        pc = next >= CODE + 4 * (WORDS - 8) && !after_slot ? CODE : next;
        if (next != pc) { /* the end of the code: both start again, as after a trap */
            gs_timing_redirected(t.one, GS_REDIRECT_TRAP, 0);
            gs_timing_redirected(t.other, GS_REDIRECT_TRAP, 0);
        } else if (draw(&t, 7) == 0) {
            handed += hand_over(&t, pc);
        }
    }
    assert_true(handed > STEPS / 100);
    close_clone(&t);
}

static void compare_all(gs_arch arch, const setting *settings, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (uint64_t seed = 1; seed <= 2; seed++)
            compare(arch, &settings[i], seed);
    }
}
#define COMPARE_ALL(arch, settings) \
    compare_all(arch, settings, sizeof(settings) / sizeof *(settings))

static void test_classic(void **state)
{
    (void)state;
    static const setting settings[] = {
        {"flatfoot", {NULL}},
        {"flatfoot", {"memory.first=200", "memory.buffer=0", NULL}},
        {"flatfoot", {"dcache.write=back", "dcache.allocate=yes", "dcache.size=256", NULL}},
        {"flatfoot", {"issue_width=2", NULL}},
        {"flatfoot", {"issue_width=3", "classes.LOAD.latency=5", "memory.buffer=7", NULL}},
        {"flatfoot", {"issue_width=4", "classes.ALU.busy=30", "classes.ALU.cycles=9", NULL}},
        {"flatfoot", {"icache=null", "fetch.wait=60", "classes.MUL.busy=90", NULL}},
        {"flatfoot", {"icache=null", "fetch.wait=9", "issue_width=2", NULL}},
        {"flatfoot", {"icache=null", "fetch.wait=2", "branch.resolve=decode", NULL}},
        {"flatfoot", {"branch.resolve=decode", "branch.predictor.scheme=btfn", NULL}},
        {"flatfoot",
         {"issue_width=3", "classes.ALU.busy=5",
          "units=[{name: both, count: 2, classes: [ALU, MUL]}]", NULL}},
    };
    COMPARE_ALL(GS_ARCH_RV32, settings);
    static const setting slots[] = {
        {"mips-4k", {NULL}},
        {"mips-4k", {"issue_width=3", "memory.first=100", "dcache.size=64", "dcache.ways=1", NULL}},
        {"mips-4k", {"branch.predictor.scheme=taken", "classes.DIV.busy=200", NULL}},
    };
    COMPARE_ALL(GS_ARCH_MIPS32, slots);
}

static void test_tiger(void **state)
{
    (void)state;
    static const setting settings[] = {
        {"tiger-mips", {NULL}},
        {"tiger-mips", {"memory.first=60", "icache.size=64", "dcache.size=64", NULL}},
        {"tiger-mips", {"memory.write=20", "classes.DIV.latency=90", NULL}},
        {"tiger-mips", {"classes.LOAD.latency=9", "classes.ALU.cycles=5", NULL}},
        {"tiger-mips-board", {NULL}},
        {"tiger-mips-board", {"memory.first=60", "dcache.size=64", NULL}},
    };
    COMPARE_ALL(GS_ARCH_MIPS32, settings);
}

static void test_vexriscv(void **state)
{
    (void)state;
    static const setting settings[] = {
        {"vexriscv", {NULL}},
        {"vexriscv", {"memory.first=60", "memory.buffer=5", "icache.size=64", NULL}},
        {"vexriscv", {"memory.first=9", "dcache.size=64", "memory.buffer=64", NULL}},
        {"vexriscv", {"branch.predictor.scheme=taken", "icache.size=256", NULL}},
        {"vexriscv", {"classes.ALU.cycles=9", "classes.LOAD.latency=7", NULL}},
    };
    COMPARE_ALL(GS_ARCH_RV32, settings);
}

static void test_without_stages(void **state)
{
    (void)state;
    static const setting settings[] = {
        {"ideal", {NULL}},
        {"ibex-small", {"memory.wait=3", NULL}},
        {"picorv32", {NULL}},
        {"picorv32-fast", {"memory.wait=2", NULL}},
    };
    COMPARE_ALL(GS_ARCH_RV32, settings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_classic),
        cmocka_unit_test(test_tiger),
        cmocka_unit_test(test_vexriscv),
        cmocka_unit_test(test_without_stages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
