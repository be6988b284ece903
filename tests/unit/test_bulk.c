/*
 * Observers from outside the library that keep the fast engine: what they count through bulk.h and
 * run.h is, instruction by instruction, what they count on the reference engine.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "elf_builder.h"
#include "encode.h"
#include "gumshoe/bulk.h"
#include "gumshoe/profile.h"
#include "gumshoe/run.h"

enum { BASE = 0x80000000, CODE_WORDS = 20, ROUNDS = 6000 };
enum { A0 = 10, A2 = 12, A3, A5 = 15, SP = 2 };

static uint32_t sw(unsigned rs2, unsigned rs1)
{
    return 0x2023 | rs2 << 20 | rs1 << 15;
}

static uint32_t lw(unsigned rd, unsigned rs1)
{
    return 0x2003 | rd << 7 | rs1 << 15;
}

static uint32_t bnez(unsigned rs1, int32_t offset)
{
    return (rv_beq(offset) & ~0x01ff8000u) | 0x1000 | rs1 << 15;
}

/* Calls a function that walks over memory, ROUNDS times; every other time with a jump more. */
static gs_image *open_program(void)
{
    const uint32_t code[CODE_WORDS] = {
        rv_lui(SP, 0x80010),
        rv_lui(A3, 0x80020),
        rv_lui(A0, ROUNDS >> 12),
        rv_addi(A0, A0, ROUNDS & 0x7ff),
        rv_call(0x1c), /* 10 */
        rv_addi(A0, A0, -1),
        bnez(A0, -8),
        rv_lui(A5, 0xf0000),
        sw(0, A5), /* 20: ends the run */
        rv_jump(0),
        RV_NOP,
        rv_addi(A3, A3, 36), /* 2c: walk */
        sw(A0, A3),
        rv_addi(A2, A0, 0),
        0x00167613,  /* 38: andi a2, a2, 1, */
        bnez(A2, 8), /* but of a2 itself */
        lw(A2, SP),  /* 40 */
        lw(A2, A3),  /* 44: used at once */
        rv_addi(A2, A2, 1),
        RV_RET,
    };
    elf_builder elf;
    gs_image *image;
    gs_error err;
    size_t size;
    elf_start(&elf, EM_RISCV, false);
    elf.entry = BASE;
    elf_code(&elf, BASE, code, CODE_WORDS);
    elf_function(&elf, "_start", BASE, 0x2c);
    elf_function(&elf, "walk", BASE + 0x2c, 4 * CODE_WORDS - 0x2c);
    uint8_t *bytes = elf_finish(&elf, &size);
    if (gs_image_open_memory(&image, bytes, size, "test.elf", &err) != GS_OK)
        fail_msg("%s", err.message);
    free(bytes);
    return image;
}

/* -- an observer: executions, cycles and misses by instruction -- */

typedef struct counted {
    uint64_t executions, taken, cycles, d_misses;
} counted;

typedef struct counter {
    const gs_timing *timing;
    counted insns[CODE_WORDS];
    uint64_t cycles, d_misses; /* when they were read last */
    uint64_t before;           /* d_misses at begin_adding() */
    uint64_t added;            /* runs */
} counter;

static counted *at(counter *c, uint64_t pc)
{
    assert_true(pc >= BASE && pc < BASE + 4 * CODE_WORDS);
    return &c->insns[(pc - BASE) / 4];
}

static uint64_t d_misses(const counter *c)
{
    gs_cache_counts counts = {0};
    (void)gs_timing_dcache(c->timing, &counts);
    return counts.misses;
}

static void on_retired(void *self, const gs_machine *machine, const gs_retired *event)
{
    counter *c = self;
    counted *insn = at(c, event->pc);
    const uint64_t cycles = gs_timing_cycles(c->timing), misses = d_misses(c);
    (void)machine;
    insn->executions++;
    insn->taken += event->taken;
    insn->cycles += cycles - c->cycles;
    insn->d_misses += misses - c->d_misses;
    c->cycles = cycles;
    c->d_misses = misses;
}

static void on_resume(void *self)
{
    counter *c = self;
    c->cycles = gs_timing_cycles(c->timing);
    c->d_misses = d_misses(c);
}

static void on_begin_adding(void *self)
{
    counter *c = self;
    c->before = d_misses(c);
}

static void on_end_adding(void *self)
{
    counter *c = self;
    c->d_misses += d_misses(c) - c->before;
}

static void on_add(void *self, const gs_bulk_run *run)
{
    counter *c = self;
    const uint64_t times = (uint64_t)gs_bulk_run_times(run);
    const int taken = gs_bulk_run_taken(run);
    const size_t length = gs_bulk_run_length(run);
    int64_t cycles = (int64_t)length;
    uint64_t pc;
    c->added++;
    for (size_t i = 0; i < length; i++) {
        assert_int_equal(gs_insn_length(gs_bulk_run_insn(run, i, &pc)), 4);
        counted *insn = at(c, pc);
        insn->executions += times;
        insn->cycles += times;
        insn->taken += taken == (int)i ? times : 0;
    }
    for (size_t i = 0; i < gs_bulk_run_charge_count(run); i++) {
        const gs_charge *charge = gs_bulk_run_charge(run, i);
        (void)gs_bulk_run_insn(run, charge->insn, &pc);
        if (charge->kind == GS_CHARGE_CYCLES) {
            cycles += charge->amount;
            at(c, pc)->cycles += times * (uint64_t)charge->amount;
        } else if (charge->kind == GS_CHARGE_D_MISSES) {
            at(c, pc)->d_misses += times * (uint64_t)charge->amount;
        }
    }
    assert_int_equal(gs_bulk_run_cycles(run), cycles);
}

static const gs_bulk_observer counter_bulk = {
    .resume = on_resume,
    .begin_adding = on_begin_adding,
    .add = on_add,
    .end_adding = on_end_adding,
};

static gs_observer observer_of(counter *c)
{
    return (gs_observer){.retired = on_retired, .self = c, .bulk = &counter_bulk};
}

/* -- an observer: instructions by name -- */

typedef struct mix {
    uint64_t loads, stores, branches, others;
} mix;

static void count_in_mix(mix *m, const gs_insn *insn, uint64_t times)
{
    uint64_t *count = gs_insn_is_load(GS_ARCH_RV32, insn)     ? &m->loads
                      : gs_insn_is_store(GS_ARCH_RV32, insn)  ? &m->stores
                      : gs_insn_is_branch(GS_ARCH_RV32, insn) ? &m->branches
                                                              : &m->others;
    *count += times;
}

static void mix_retired(void *self, const gs_machine *machine, const gs_retired *event)
{
    (void)machine;
    count_in_mix(self, event->insn, 1);
}

static void mix_add(void *self, const gs_bulk_run *run)
{
    for (size_t i = 0; i < gs_bulk_run_length(run); i++)
        count_in_mix(self, gs_bulk_run_insn(run, i, NULL), (uint64_t)gs_bulk_run_times(run));
}

static const gs_bulk_observer mix_bulk = {.add = mix_add};

/* -- runs -- */

typedef struct rig {
    gs_image *image;
    gs_core *core;
    gs_machine *machine;
    gs_timing *timing; /* NULL without a core */
} rig;

static void must(gs_status status, const gs_error *err)
{
    if (status != GS_OK)
        fail_msg("%s", err->message);
}

static void open_rig(rig *r, const char *core)
{
    gs_error err;
    gs_machine_options how = {.env = GS_ENV_BARE, .stdio = {0, 1, 2}};
    *r = (rig){.image = open_program()};
    if (core) {
        must(gs_core_open(&r->core, core, NULL, 0, &err), &err);
        gs_core_configure(r->core, &how);
    }
    must(gs_machine_open(&r->machine, r->image, &how, &err), &err);
    if (core)
        must(gs_timing_open(&r->timing, r->core, r->machine, &err), &err);
}

static void close_rig(rig *r)
{
    gs_timing_free(r->timing);
    gs_machine_free(r->machine);
    gs_core_free(r->core);
    gs_image_free(r->image);
}

/* Runs the program watched by a counter and a mix, and a recorder if `profiles`. */
static void run_watched(const char *core, gs_engine engine, bool profiles, counter *c, mix *m)
{
    rig r;
    gs_error err;
    gs_recorder *recorder = NULL;
    open_rig(&r, core);
    *c = (counter){.timing = r.timing};
    *m = (mix){0};
    const gs_observer counts = observer_of(c),
                      mixes = {.retired = mix_retired, .self = m, .bulk = &mix_bulk};
    const gs_observer *observers[3] = {&counts, &mixes};
    if (profiles) {
        must(gs_recorder_open(&recorder, r.machine, r.timing, &err), &err);
        observers[2] = gs_recorder_observer(recorder);
    }
    const gs_run_options run = {.timing = r.timing,
                                .engine = engine,
                                .observers = observers,
                                .observer_count = profiles ? 3 : 2};
    must(gs_run(r.machine, &run, &err), &err);
    assert_int_equal(gs_machine_exit(r.machine)->kind, GS_EXIT_CODE);
    assert_null(gs_machine_reference_reason(r.machine));
    uint64_t cycles = 0, executions = 0;
    for (size_t i = 0; i < CODE_WORDS; i++) {
        cycles += c->insns[i].cycles;
        executions += c->insns[i].executions;
    }
    assert_int_equal(cycles, gs_timing_cycles(r.timing));
    assert_int_equal(executions, gs_machine_instructions(r.machine));
    assert_int_equal(m->loads + m->stores + m->branches + m->others, executions);
    gs_recorder_free(recorder);
    close_rig(&r);
}

static void test_counts_are_the_reference_engines(void **state)
{
    static const char *const cores[] = {"flatfoot", "vexriscv", "ibex-small"};
    (void)state;
    for (size_t i = 0; i < sizeof cores / sizeof *cores; i++) {
        counter slow, fast;
        mix slow_mix, fast_mix;
        run_watched(cores[i], GS_ENGINE_REFERENCE, false, &slow, &slow_mix);
        assert_int_equal(slow.added, 0);
        for (int profiles = 0; profiles < 2; profiles++) {
            run_watched(cores[i], GS_ENGINE_FAST, profiles, &fast, &fast_mix);
            assert_true(fast.added > 0);
            assert_memory_equal(slow.insns, fast.insns, sizeof slow.insns);
            assert_memory_equal(&slow_mix, &fast_mix, sizeof slow_mix);
        }
    }
}

/* -- an observer that only adds up: all instructions and cycles, known every so many cycles -- */

enum { EVERY = 700, EXECUTED = 0, CYCLES, SUMS };

typedef struct summer {
    const gs_timing *timing;
    uint64_t sums[SUMS];
    uint64_t read; /* cycles */
    uint64_t due;
    unsigned asked,
        crossed; /* how often due() was called, and translated code came to that cycle */
} summer;

static void sum_retired(void *self, const gs_machine *machine, const gs_retired *event)
{
    summer *s = self;
    const uint64_t now = gs_timing_cycles(s->timing);
    (void)machine;
    (void)event;
    s->sums[EXECUTED]++;
    s->sums[CYCLES] += now - s->read;
    s->read = now;
}

static void sum_resume(void *self)
{
    summer *s = self;
    s->read = gs_timing_cycles(s->timing);
}

static uint32_t sum_weights(void *self, size_t *count)
{
    (void)self;
    *count = SUMS;
    return 1;
}

static void sum_weigh(void *self, const gs_bulk_run *run, int64_t *sums)
{
    (void)self;
    sums[EXECUTED] += (int64_t)gs_bulk_run_length(run);
    sums[CYCLES] += gs_bulk_run_cycles(run);
}

static void sum_collect(void *self, const int64_t *sums, const gs_bulk_run *last)
{
    summer *s = self;
    const uint64_t now = gs_timing_cycles(s->timing);
    for (unsigned i = 0; i < SUMS; i++)
        s->sums[i] += (uint64_t)sums[i];
    if (!last)
        return;
    s->crossed++;
    assert_true(now >= s->due && now - (uint64_t)gs_bulk_run_cycles(last) < s->due);
    assert_in_range(gs_bulk_run_next(last), BASE, BASE + 4 * CODE_WORDS - 4);
}

static uint64_t sum_due(void *self)
{
    summer *s = self;
    const uint64_t now = gs_timing_cycles(s->timing);
    s->asked++;
    assert_int_equal(s->sums[CYCLES], now);
    while (s->due <= now)
        s->due += EVERY;
    return s->due;
}

static void test_sums_are_known_when_due(void **state)
{
    static const char *const cores[] = {"flatfoot", "vexriscv", "ibex-small"};
    static const gs_bulk_observer bulk = {.resume = sum_resume,
                                          .weights = sum_weights,
                                          .weigh = sum_weigh,
                                          .collect = sum_collect,
                                          .due = sum_due};
    (void)state;
    for (size_t i = 0; i < sizeof cores / sizeof *cores; i++) {
        for (int profiles = 0; profiles < 2; profiles++) {
            rig r;
            gs_error err;
            gs_recorder *recorder = NULL;
            open_rig(&r, cores[i]);
            summer s = {.timing = r.timing};
            const gs_observer sums = {.retired = sum_retired, .self = &s, .bulk = &bulk};
            const gs_observer *observers[2] = {&sums};
            if (profiles) {
                must(gs_recorder_open(&recorder, r.machine, r.timing, &err), &err);
                observers[1] = gs_recorder_observer(recorder);
            }
            const gs_run_options run = {.timing = r.timing,
                                        .engine = GS_ENGINE_FAST,
                                        .observers = observers,
                                        .observer_count = profiles ? 2 : 1};
            must(gs_run(r.machine, &run, &err), &err);
            assert_int_equal(s.sums[EXECUTED], gs_machine_instructions(r.machine));
            assert_int_equal(s.sums[CYCLES], gs_timing_cycles(r.timing));
            assert_true(s.crossed > 20);
            assert_true(s.asked >= gs_timing_cycles(r.timing) / EVERY);
            gs_recorder_free(recorder);
            close_rig(&r);
        }
    }
}

/* -- observers that force the reference engine -- */

static void expect_reason(const char *core, const gs_observer *const *observers, size_t count,
                          const char *reason)
{
    rig r;
    gs_error err;
    char message[200];
    open_rig(&r, core);
    gs_run_options run = {.timing = r.timing,
                          .engine = GS_ENGINE_FAST,
                          .observers = observers,
                          .observer_count = count,
                          .max_instructions = 100};
    snprintf(message, sizeof message, "cannot use the fast engine: %s", reason);
    assert_int_equal(gs_run(r.machine, &run, &err), GS_E_UNSUPPORTED);
    assert_string_equal(err.message, message);
    run.engine = GS_ENGINE_AUTO;
    must(gs_run(r.machine, &run, &err), &err);
    assert_string_equal(gs_machine_reference_reason(r.machine), reason);
    run.engine = GS_ENGINE_REFERENCE;
    run.max_instructions = 200;
    must(gs_run(r.machine, &run, &err), &err);
    assert_null(gs_machine_reference_reason(r.machine));
    close_rig(&r);
}

static void nothing_retired(void *self, const gs_machine *machine, const gs_retired *event)
{
    (void)self, (void)machine, (void)event;
}

static void test_a_run_says_why_it_is_slow(void **state)
{
    mix m = {0};
    const gs_observer named = {.retired = nothing_retired, .name = "a trace"},
                      unnamed = {.retired = nothing_retired},
                      in_bulk = {.retired = mix_retired, .self = &m, .bulk = &mix_bulk};
    (void)state;
    const gs_observer *all[] = {&in_bulk, &named}, *one[] = {&unnamed};
    expect_reason("flatfoot", all, 2, "a trace is told of every instruction");
    expect_reason("flatfoot", one, 1, "an observer is told of every instruction");
    expect_reason(NULL, all, 1,
                  "an observer is told of every instruction where no core is modelled");
}

/* An observer of traps needs no counts. */
static void test_an_observer_of_traps_keeps_the_fast_engine(void **state)
{
    rig r;
    gs_error err;
    (void)state;
    open_rig(&r, "flatfoot");
    const gs_observer traps = {.name = "traps"};
    const gs_observer *observers[] = {&traps};
    const gs_run_options run = {
        .timing = r.timing, .engine = GS_ENGINE_FAST, .observers = observers, .observer_count = 1};
    must(gs_run(r.machine, &run, &err), &err);
    assert_int_equal(gs_machine_exit(r.machine)->kind, GS_EXIT_CODE);
    close_rig(&r);
}

/* -- a cache of translations for these tests alone -- */

/* Runs the program on the fast engine, with compilers of its own if there are none. */
static gs_status run_fast(gs_compilers *compilers, const char *confined_to, gs_confinement *done)
{
    rig r;
    gs_error err;
    gs_status status = GS_OK;
    open_rig(&r, "flatfoot");
    const gs_sandbox_path own = {confined_to, false};
    const gs_run_options run = {
        .timing = r.timing, .engine = GS_ENGINE_FAST, .compilers = compilers};
    if (confined_to)
        status = gs_sandbox_confine_process(gs_machine_sandbox(r.machine), &own, 1, done, &err);
    if (status == GS_OK)
        status = gs_run(r.machine, &run, &err);
    close_rig(&r);
    return status;
}

/* A process that can start no more compilers has those that it has started before, for all runs. */
static void test_compilers_serve_several_runs(void **state)
{
    (void)state;
    int status;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        gs_compilers *compilers;
        gs_confinement done;
        gs_error err;
        must(gs_compilers_start(&compilers, &err), &err);
        bool good = run_fast(compilers, gs_compilers_cache(compilers), &done) == GS_OK;
        for (int i = 0; i < 2 && good; i++)
            good = run_fast(compilers, NULL, NULL) == GS_OK;
        if (done.calls)
            good = good && run_fast(NULL, NULL, NULL) == GS_E_UNSUPPORTED;
        gs_compilers_stop(compilers);
        _exit(good ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static char cache[] = "/tmp/gumshoe-test-bulk-XXXXXX";

static int open_cache(void **state)
{
    (void)state;
    if (!mkdtemp(cache) || setenv("XDG_CACHE_HOME", cache, 1) != 0)
        return -1;
    return setenv("GUMSHOE_TRANSLATE_AFTER", "1", 1);
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *where)
{
    (void)info, (void)type, (void)where;
    return remove(path);
}

static int remove_cache(void **state)
{
    (void)state;
    return nftw(cache, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts_are_the_reference_engines),
        cmocka_unit_test(test_sums_are_known_when_due),
        cmocka_unit_test(test_a_run_says_why_it_is_slow),
        cmocka_unit_test(test_an_observer_of_traps_keeps_the_fast_engine),
        cmocka_unit_test(test_compilers_serve_several_runs),
    };
    return cmocka_run_group_tests(tests, open_cache, remove_cache);
}
