/*
 * Units on whole programs: what comes out of the trace port, and what LEAP and SnoopP make of
 * programs that do what they cannot follow.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "profile_rig.h"
#include "units/units.h"

/* A run that is over, with everything it left behind. */
typedef struct session {
    gs_core *core;
    gs_image *image;
    gs_machine *machine;
    gs_timing *timing;
    gs_recorder *recorder;
    gs_units *units;
} session;

static void open_program(session *s, const profile_program *p)
{
    elf_builder elf;
    gs_error err;
    size_t size;
    *s = (session){0};
    elf_start(&elf, p->machine, false);
    elf.entry = PROFILE_BASE;
    elf_code(&elf, PROFILE_BASE, p->code, p->words);
    for (size_t i = 0; i < 4 && p->functions[i].name; i++)
        elf_function(&elf, p->functions[i].name, PROFILE_BASE + p->functions[i].offset,
                     p->functions[i].size);
    uint8_t *bytes = elf_finish(&elf, &size);
    check(gs_image_open_memory(&s->image, bytes, size, "test.elf", &err), &err);
    free(bytes);
    gs_machine_options how = {.env = GS_ENV_BARE, .stdio = {0, 1, 2}};
    if (p->core) {
        check(gs_core_open(&s->core, p->core, NULL, 0, &err), &err);
        gs_core_configure(s->core, &how);
    }
    check(gs_machine_open(&s->machine, s->image, &how, &err), &err);
    if (s->core)
        check(gs_timing_open(&s->timing, s->core, s->machine, &err), &err);
    check(gs_recorder_open(&s->recorder, s->machine, s->timing, &err), &err);
    check(gs_units_open(&s->units, s->machine, s->timing, &err), &err);
}

static void close_session(session *s)
{
    gs_units_free(s->units);
    gs_recorder_free(s->recorder);
    gs_timing_free(s->timing);
    gs_machine_free(s->machine);
    gs_image_free(s->image);
    gs_core_free(s->core);
}

static void run(session *s, const profile_program *p, const gs_observer *more)
{
    gs_error err;
    const gs_observer *observers[] = {gs_units_observer(s->units),
                                      gs_recorder_observer(s->recorder), more};
    gs_run_options how = {
        .timing = s->timing,
        .observers = observers,
        .observer_count = more ? 3 : 2,
        .max_instructions = p->limit,
    };
    check(gs_run(s->machine, &how, &err), &err);
    check(gs_recorder_finish(s->recorder, &err), &err);
    check(gs_units_conclude(s->units, s->recorder, &err), &err);
}

static void watch(session *s, const profile_program *p, const char *unit)
{
    gs_error err;
    open_program(s, p);
    check(gs_units_add(s->units, unit, &err), &err);
    run(s, p, NULL);
}

/* A cell of the first unit's table, by the row's name and the column's key; 0 where there is no
 * such column. */
static int64_t cell(const session *s, const char *table_key, const char *name, const char *key)
{
    const gs_result_table *table = gs_units_result(s->units, 0)->tables;
    while (table && strcmp(table->key, table_key) != 0)
        table = table->next;
    assert_non_null(table);
    for (size_t row = 0; row < table->row_count; row++) {
        const gs_cell *cells = &table->cells[row * table->column_count];
        if (strcmp(cells[table->column_count - 1].text, name) != 0)
            continue;
        for (size_t i = 0; i < table->column_count; i++) {
            if (strcmp(table->columns[i].key, key) == 0)
                return cells[i].difference;
        }
        return 0;
    }
    fail_msg("%s has no row %s", table_key, name);
    return 0;
}

static bool has_remark(const session *s, const char *words)
{
    for (const gs_remark *r = gs_units_result(s->units, 0)->remarks; r; r = r->next) {
        if (strstr(r->text, words))
            return true;
    }
    return false;
}

typedef struct sums {
    uint64_t beats, cycles, stalls[GS_STALL_COUNT], reads, writes, cycle;
    uint64_t ihits, imisses, dhits, dmisses;
    uint32_t next_pc;
} sums;

static void add_beat(void *self, const gs_port *port)
{
    sums *s = self;
    assert_true(port->valid);
    if (s->beats > 0)
        assert_int_equal(port->pc, s->next_pc);
    assert_int_equal(port->cycles, 1 + gs_port_stalls(port));
    s->next_pc = port->next_pc;
    s->beats++;
    s->cycles += port->cycles;
    s->cycle = port->cycle;
    for (unsigned i = 0; i < GS_STALL_COUNT; i++)
        s->stalls[i] += port->stall[i];
    s->reads += port->read;
    s->writes += port->write;
    s->ihits += port->icache_hits;
    s->imisses += port->icache_misses;
    s->dhits += port->dcache_hits;
    s->dmisses += port->dcache_misses;
}

/* down(3) stores and loads three times; the program stores once more, to end. */
static void test_port(void **state)
{
    (void)state;
    profile_program p = recursive_program();
    session s;
    sums got = {0};
    gs_port_feed feed;
    open_program(&s, &p);
    gs_port_feed_init(&feed, s.machine, s.timing, add_beat, &got);
    run(&s, &p, &feed.observer);
    assert_int_equal(got.beats, gs_machine_instructions(s.machine));
    assert_int_equal(got.cycles, gs_timing_cycles(s.timing));
    assert_int_equal(got.cycle, gs_timing_cycles(s.timing));
    for (unsigned i = 0; i < GS_STALL_COUNT; i++)
        assert_int_equal(got.stalls[i], gs_timing_stalls(s.timing, i));
    assert_int_equal(got.reads, 3);
    assert_int_equal(got.writes, 4);
    gs_cache_counts counts;
    assert_true(gs_timing_icache(s.timing, &counts));
    assert_int_equal(got.ihits, counts.hits);
    assert_int_equal(got.imisses, counts.misses);
    assert_true(gs_timing_dcache(s.timing, &counts));
    assert_int_equal(got.dhits, counts.hits);
    assert_int_equal(got.dmisses, counts.misses);
    close_session(&s);
}

static const char down[] = "_ZN3gum4downEi";

/* Four activations of down inside each other. */
static void test_recursion(void **state)
{
    (void)state;
    profile_program p = recursive_program();
    session s;
    watch(&s, &p, "leap");
    assert_int_equal(cell(&s, "functions", down, "difference"), 0);
    assert_int_equal(cell(&s, "functions", "_start", "difference"), 0);
    int64_t total =
        cell(&s, "functions", "_start", "counted") + cell(&s, "functions", down, "counted");
    assert_int_equal(total, gs_timing_cycles(s.timing));
    close_session(&s);

    watch(&s, &p, "leap:hier");
    assert_int_equal(cell(&s, "functions", "_start", "counted"), total);
    assert_true(cell(&s, "functions", down, "difference") > 0);
    assert_int_equal(cell(&s, "functions", down, "recursion"),
                     cell(&s, "functions", down, "difference"));
    assert_int_equal(cell(&s, "functions", down, "other"), 0);
    close_session(&s);

    watch(&s, &p, "leap:count=calls");
    assert_int_equal(cell(&s, "functions", down, "counted"), 4);
    assert_int_equal(cell(&s, "functions", down, "difference"), 0);
    close_session(&s);

    /* Two frames for calls four deep: _start is forgotten, and down gets what it does at the end.
     */
    watch(&s, &p, "leap:depth=2");
    assert_true(has_remark(&s, "a call found the stack of 2 frames full"));
    assert_true(cell(&s, "functions", down, "overflow") > 0);
    assert_int_equal(cell(&s, "functions", down, "overflow"),
                     cell(&s, "functions", down, "difference"));
    assert_int_equal(cell(&s, "functions", "_start", "overflow"),
                     -cell(&s, "functions", down, "overflow"));
    close_session(&s);
}

/* first jumps to second, which returns to _start: 2 instructions of it for first. */
static void test_tail_call(void **state)
{
    (void)state;
    uint32_t code[] = {
        rv_call(0x10),
        rv_call(0x0c),
        rv_lui(RV_A5, 0xf0000),
        rv_sw(0, RV_A5), /* 00 */
        rv_addi(RV_A0, RV_A0, 1),
        rv_jump(0x04), /* 10: first */
        rv_addi(RV_A0, RV_A0, 10),
        RV_RET, /* 18: second */
    };
    profile_program p = {
        .machine = EM_RISCV,
        .code = code,
        .words = sizeof code / sizeof *code,
        .functions = {{"_start", 0, 0x10}, {"first", 0x10, 8}, {"second", 0x18, 8}},
    };
    session s;
    watch(&s, &p, "leap");
    assert_int_equal(cell(&s, "functions", "first", "counted"), 2 + 2 + 2 + 2);
    assert_int_equal(cell(&s, "functions", "first", "tail_call"), 4);
    assert_int_equal(cell(&s, "functions", "second", "tail_call"), -4);
    assert_int_equal(cell(&s, "functions", "second", "other"), 0);
    assert_true(has_remark(&s, "2 times: control went to another function without a call"));
    close_session(&s);
    watch(&s, &p, "leap:only=_start,only=second");
    assert_true(has_remark(&s, "an address was called that is no listed function's"));
    close_session(&s);
}

/* f leaves by way of a register that is no link register, back to where _start goes on: to LEAP, f
 * never returns. Then g returns, and its frame says f. */
static void test_odd_return(void **state)
{
    (void)state;
    uint32_t code[] = {
        rv_call(0x18),
        rv_call(0x20),
        rv_lui(RV_A5, 0xf0000),
        rv_sw(0, RV_A5), /* 00 */
        rv_jump(0),
        0x13, /* 10 */
        rv_addi(RV_A0, RV_RA, 0),
        rv_jalr(0, RV_A0, 0),
        0x13,   /* 18: f */
        RV_RET, /* 24: g */
    };
    profile_program p = {
        .machine = EM_RISCV,
        .code = code,
        .words = sizeof code / sizeof *code,
        .functions = {{"_start", 0, 0x18}, {"f", 0x18, 0xc}, {"g", 0x24, 4}},
    };
    session s;
    watch(&s, &p, "leap");
    /* After f: call g, and lui, sw after g's return, count for f. */
    assert_int_equal(cell(&s, "functions", "f", "counted"), 2 + 3);
    assert_int_equal(cell(&s, "functions", "g", "counted"), 1);
    assert_int_equal(cell(&s, "functions", "f", "difference"), 3);
    assert_int_equal(cell(&s, "functions", "f", "other"), 0);
    close_session(&s);
}

/* Two ranges, one inside the other, and the whole program around both. */
static void test_snoopp(void **state)
{
    (void)state;
    profile_program p = recursive_program();
    session s;
    watch(&s, &p, "snoopp:range=_ZN3gum4downEi,range=0x80000020+4,range=_start.._ZN3gum4downEi");
    assert_int_equal(cell(&s, "ranges", "_start.._ZN3gum4downEi", "counted"),
                     gs_timing_cycles(s.timing));
    assert_int_equal(cell(&s, "ranges", down, "difference"), 0);
    assert_true(cell(&s, "ranges", "0x80000020+4", "counted") >= 3);
    assert_true(has_remark(&s, "_ZN3gum4downEi and 0x80000020+4 overlap"));
    assert_false(gs_units_again(s.units, 0));
    close_session(&s);
}

/* Without a range, a second run looks at the hottest functions of the first. */
static void test_again(void **state)
{
    (void)state;
    profile_program p = recursive_program();
    session first, second;
    gs_error err;
    watch(&first, &p, "snoopp:counters=1");
    assert_true(gs_units_again(first.units, 0));
    open_program(&second, &p);
    check(gs_units_add_again(second.units, first.units, 0, &err), &err);
    run(&second, &p, NULL);
    assert_false(gs_units_again(second.units, 0));
    const gs_result_table *table = gs_units_result(second.units, 0)->tables;
    assert_int_equal(table->row_count, 1);
    assert_int_equal(table->cells[2].difference, 0);
    assert_true(table->cells[0].count * 2 > gs_timing_cycles(second.timing));
    close_session(&second);
    close_session(&first);
}

static void test_refusals(void **state)
{
    (void)state;
    profile_program p = recursive_program();
    static const struct {
        const char *unit, *message;
    } cases[] = {
        {"lamp", "there is no unit 'lamp'"},
        {"", "there is no unit ''"},
        {"leap:functions=1", "leap: test.elf has 2 functions, more than 1 entries"},
        {"leap:count=energy", "leap: flatfoot has no energy table"},
        {"snoopp:range=main", "snoopp: test.elf has no function 'main'"},
        {"snoopp:range=0x10-0x10", "snoopp: the range '0x10-0x10' is empty"},
        {"snoopp:range=0xfffffff0+0x11", "snoopp: the range '0xfffffff0+0x11' is empty or"},
        {"snoopp:range=0x10-x", "snoopp: '0x10-x' is no range of addresses"},
        {"snoopp:range=x.c:1", "snoopp: test.elf has no code for x.c:1"},
        {"snoopp:data", "snoopp: data wants ranges"},
        {"snoopp:range=_start,data,count=stalls", "snoopp: data counts accesses, not stalls"},
        {"snoopp:range=_start,map=0x10", "snoopp: map wants a number from 4096"},
        {"snoopp:range=_start,map=0x12345", "snoopp: map=0x12345 is no multiple of 4096"},
        {"snoopp:range=_start,range=_start,counters=1", "snoopp: 2 ranges for 1 counters"},
        {"snoopp:hunt,counters=1", "snoopp: a hunt needs two counters"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        session s;
        gs_error err = {.message = ""};
        open_program(&s, &p);
        assert_int_equal(gs_units_add(s.units, cases[i].unit, &err), GS_E_ARGUMENT);
        if (strncmp(err.message, cases[i].message, strlen(cases[i].message)) != 0)
            fail_msg("%s: %s", cases[i].unit, err.message);
        assert_int_equal(gs_units_count(s.units), 0);
        close_session(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_port),      cmocka_unit_test(test_recursion),
        cmocka_unit_test(test_tail_call), cmocka_unit_test(test_odd_return),
        cmocka_unit_test(test_snoopp),    cmocka_unit_test(test_again),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
