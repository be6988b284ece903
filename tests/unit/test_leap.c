/*
 * LEAP, beat by beat: sequences worked out by hand against the hardware's registers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "encode.h"
#include "units/leap/leap.h"

enum { MAIN = 0x1000, F = 0x1100, G = 0x1200, H = 0x1300, ELSEWHERE = 0x1f00 };

typedef struct rig {
    gs_leap_hash hash;
    gs_decoder decoder;
    gs_leap leap;
    gs_leap_parameters parameters;
} rig;

static uint32_t number_of(const rig *r, uint32_t address)
{
    return gs_leap_hash_of(&r->hash, address);
}

static void set_up(rig *r, const gs_isa *isa)
{
    static const uint32_t addresses[] = {MAIN, F, G, H};
    gs_error err;
    *r = (rig){0};
    gs_decoder_init(&r->decoder, isa, isa->all_extensions);
    assert_int_equal(gs_leap_hash_find(&r->hash, addresses, 4, 4, &err), GS_OK);
    r->parameters = (gs_leap_parameters){
        .hash = &r->hash,
        .isa = isa,
        .count = GS_LEAP_COUNT_CYCLES,
        .width = 32,
        .depth = 32,
    };
}

static void start(rig *r)
{
    assert_true(gs_leap_init(&r->leap, &r->parameters));
}

static void tear_down(rig *r)
{
    gs_leap_fini(&r->leap);
    gs_leap_hash_fini(&r->hash);
}

static gs_leap_event beat(rig *r, uint32_t pc, uint32_t next_pc, uint32_t word, uint64_t cycles)
{
    gs_insn insn;
    gs_leap_event event;
    gs_decode(&insn, &r->decoder, word);
    gs_port port = {
        .valid = true,
        .pc = pc,
        .next_pc = next_pc,
        .insn = word,
        .decoded = &insn,
        .cycles = cycles,
    };
    if (cycles > 1)
        port.stall[GS_STALL_D_READ] = cycles - 1;
    gs_leap_beat(&r->leap, &port, &event);
    return event;
}

static void trap(rig *r, uint32_t pc, uint32_t handler)
{
    gs_leap_event event;
    gs_port port = {.trap = true, .pc = pc, .next_pc = handler};
    gs_leap_beat(&r->leap, &port, &event);
}

static void drain(rig *r)
{
    gs_leap_event event;
    while (gs_leap_drain(&r->leap, &event))
        continue;
}

static uint64_t counted(const rig *r, uint32_t function)
{
    return gs_leap_storage_read(&r->leap.storage, number_of(r, function), 0);
}

static const uint32_t nop = 0x13;
static const uint32_t call = 0xef;            /* jal ra: where to is in next_pc */
static const uint32_t jump = 0x6f;            /* jal zero */
static const uint32_t ret = 0x8067;           /* jalr zero, ra */
static const uint32_t coroutine = 0x000280e7; /* jalr ra, t0: returns and calls */

/*
 * pc          cycles  what         Data Counter after  storage
 * main        1                    1
 * main+4      2       call f       0                   main += 3
 * f           1                    1
 * f+4         5       call g       0                   f += 6
 * g           3       return       0                   g += 3
 * f+8         1       return       0                   f += 1
 * main+8      4                    4
 * the end                          0                   main += 4
 */
static void play(rig *r)
{
    beat(r, MAIN, MAIN + 4, nop, 1);
    beat(r, MAIN + 4, F, call, 2);
    beat(r, F, F + 4, nop, 1);
    beat(r, F + 4, G, call, 5);
    beat(r, G, F + 8, ret, 3);
    beat(r, F + 8, MAIN + 8, ret, 1);
    beat(r, MAIN + 8, MAIN + 12, nop, 4);
}

static void test_flat(void **state)
{
    (void)state;
    rig r;
    set_up(&r, gs_isa_for(GS_ARCH_RV32));
    start(&r);
    play(&r);
    assert_int_equal(counted(&r, MAIN), 3); /* the last 4 are still in the Data Counter */
    assert_int_equal(r.leap.counter.value.lane[0], 4);
    assert_int_equal(r.leap.stack.used, 0);
    drain(&r);
    assert_int_equal(counted(&r, MAIN), 7);
    assert_int_equal(counted(&r, F), 7);
    assert_int_equal(counted(&r, G), 3);
    assert_int_equal(counted(&r, H), 0);
    tear_down(&r);
}

/* As above, but calls save the Data Counter: g 3, f 6 + 3 + 1 = 10, main 3 + 10 + 4 = 17. */
static void test_hierarchical(void **state)
{
    (void)state;
    rig r;
    set_up(&r, gs_isa_for(GS_ARCH_RV32));
    r.parameters.hierarchical = true;
    start(&r);
    play(&r);
    drain(&r);
    assert_int_equal(counted(&r, MAIN), 17);
    assert_int_equal(counted(&r, F), 10);
    assert_int_equal(counted(&r, G), 3);
    tear_down(&r);
}

/* Every kind of Data Counter on one sequence of 7 instructions with 10 cycles of stalls. */
static void test_counts(void **state)
{
    (void)state;
    static const struct {
        gs_leap_count count;
        uint64_t main, f, g;
    } cases[] = {
        {GS_LEAP_COUNT_INSTRUCTIONS, 3, 3, 1}, {GS_LEAP_COUNT_STALLS, 4, 4, 2},
        {GS_LEAP_COUNT_CACHE_STALLS, 4, 4, 2}, {GS_LEAP_COUNT_D_STALLS, 4, 4, 2},
        {GS_LEAP_COUNT_I_STALLS, 0, 0, 0},     {GS_LEAP_COUNT_CALLS, 0, 1, 1},
        {GS_LEAP_COUNT_LOOPS, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rig r;
        set_up(&r, gs_isa_for(GS_ARCH_RV32));
        r.parameters.count = cases[i].count;
        start(&r);
        play(&r);
        drain(&r);
        assert_int_equal(counted(&r, MAIN), cases[i].main);
        assert_int_equal(counted(&r, F), cases[i].f);
        assert_int_equal(counted(&r, G), cases[i].g);
        tear_down(&r);
    }
}

/* A loop of three rounds: bnez taken twice backwards, then not; a jump forwards is no iteration. */
static void test_branches(void **state)
{
    (void)state;
    for (unsigned loops = 0; loops < 2; loops++) {
        rig r;
        uint32_t branch = 0x63; /* beq: taken or not is in next_pc */
        set_up(&r, gs_isa_for(GS_ARCH_RV32));
        r.parameters.count = loops ? GS_LEAP_COUNT_LOOPS : GS_LEAP_COUNT_BRANCHES;
        start(&r);
        for (unsigned round = 0; round < 3; round++) {
            beat(&r, MAIN, MAIN + 4, nop, 1);
            beat(&r, MAIN + 4, round < 2 ? MAIN : MAIN + 8, branch, 1);
        }
        beat(&r, MAIN + 8, MAIN + 16, jump, 1);
        beat(&r, MAIN + 16, MAIN + 8, jump, 1); /* backwards: one more iteration */
        drain(&r);
        assert_int_equal(counted(&r, MAIN), loops ? 3 : 2);
        if (!loops)
            assert_int_equal(gs_leap_storage_read(&r.leap.storage, number_of(&r, MAIN), 1), 1);
        tear_down(&r);
    }
}

/*
 * MIPS: a jump takes effect with its delay slot, which belongs to where it stands.
 *
 * main     1  jal f       pending
 * main+4   1  nop (slot)  2 for main, now in f
 * f        1  bgezal, not taken: pending
 * f+4      1  nop (slot)  goes straight on: no call
 * f+8      1  jr $31      pending
 * f+12     1  nop (slot)  4 for f, back in main
 */
static void test_delay_slots(void **state)
{
    (void)state;
    rig r;
    const uint32_t jal = 0x0c000000, jr = 0x03e00008, bgezal = 0x04910004;
    set_up(&r, gs_isa_for(GS_ARCH_MIPS32));
    start(&r);
    beat(&r, MAIN, MAIN + 4, jal, 1);
    assert_int_equal(r.leap.decoder.pending, GS_LEAP_PENDING_CALL);
    beat(&r, MAIN + 4, F, 0, 1);
    assert_int_equal(counted(&r, MAIN), 2);
    beat(&r, F, F + 4, bgezal, 1);
    gs_leap_event event = beat(&r, F + 4, F + 8, 0, 1);
    assert_false(event.op.call);
    beat(&r, F + 8, F + 12, jr, 1);
    beat(&r, F + 12, MAIN + 8, 0, 1);
    assert_int_equal(counted(&r, F), 4);
    assert_int_equal(r.leap.current.number, number_of(&r, MAIN));
    /* A trap between a jump and its slot: the jump is done again, so it counts once. */
    beat(&r, MAIN + 8, MAIN + 12, jal, 1);
    trap(&r, MAIN + 8, H);
    assert_int_equal(r.leap.decoder.pending, GS_LEAP_PENDING_NONE);
    tear_down(&r);
}

/* f calls itself once. Flat counts each cycle once; hierarchical counts the inner activation in
 * its own return and again in the outer one's: 2 + (3 + 2) = 7 instead of 5. */
static void test_recursion(void **state)
{
    (void)state;
    for (unsigned hierarchical = 0; hierarchical < 2; hierarchical++) {
        rig r;
        set_up(&r, gs_isa_for(GS_ARCH_RV32));
        r.parameters.hierarchical = hierarchical;
        start(&r);
        beat(&r, MAIN, F, call, 1);
        beat(&r, F, F, call, 2);
        beat(&r, F, F + 4, ret, 2);
        beat(&r, F + 4, MAIN + 4, ret, 1);
        drain(&r);
        assert_int_equal(counted(&r, F), hierarchical ? 7 : 5);
        assert_int_equal(counted(&r, MAIN), hierarchical ? 6 : 1);
        tear_down(&r);
    }
}

/*
 * main calls f calls g calls h, with a stack of two frames; all return.
 *
 * oldest lost: h's call writes g over main. The returns lead to g, f, and then nowhere: the
 *   return from f finds an empty stack, and main's cycles go on being f's.
 * newest lost: the call of h finds no room and is ignored, as is its return: h's cycles are g's.
 */
static void test_overflow(void **state)
{
    (void)state;
    for (unsigned newest = 0; newest < 2; newest++) {
        rig r;
        set_up(&r, gs_isa_for(GS_ARCH_RV32));
        r.parameters.depth = 2;
        r.parameters.overflow = newest ? GS_LEAP_LOSE_NEWEST : GS_LEAP_LOSE_OLDEST;
        start(&r);
        beat(&r, MAIN, F, call, 1);
        beat(&r, F, G, call, 1);
        gs_leap_event event = beat(&r, G, H, call, 1);
        assert_int_equal(event.pushed, GS_LEAP_STACK_OVERFLOW);
        event = beat(&r, H, G + 4, ret, 10);
        assert_int_equal(event.popped, newest ? GS_LEAP_STACK_LOST : GS_LEAP_STACK_OK);
        beat(&r, G + 4, F + 4, ret, 1);
        event = beat(&r, F + 4, MAIN + 4, ret, 1);
        assert_int_equal(event.popped, newest ? GS_LEAP_STACK_OK : GS_LEAP_STACK_UNDERFLOW);
        beat(&r, MAIN + 4, MAIN + 8, nop, 100);
        drain(&r);
        assert_int_equal(counted(&r, MAIN), newest ? 101 : 1);
        assert_int_equal(counted(&r, F), newest ? 2 : 102);
        assert_int_equal(counted(&r, G), newest ? 12 : 2);
        assert_int_equal(counted(&r, H), newest ? 0 : 10);
        tear_down(&r);
    }
}

/* A call to an address that is no function's counts for whatever number comes out of the hash; with
 * tags, for none. */
static void test_unlisted(void **state)
{
    (void)state;
    for (unsigned tagged = 0; tagged < 2; tagged++) {
        rig r;
        uint32_t tags[4];
        set_up(&r, gs_isa_for(GS_ARCH_RV32));
        static const uint32_t addresses[] = {MAIN, F, G, H};
        for (unsigned i = 0; i < 4; i++)
            tags[number_of(&r, addresses[i])] = addresses[i];
        r.parameters.tags = tagged ? tags : NULL;
        start(&r);
        beat(&r, MAIN, ELSEWHERE, call, 1);
        beat(&r, ELSEWHERE, MAIN + 4, ret, 50);
        beat(&r, MAIN + 4, MAIN + 8, nop, 1);
        drain(&r);
        uint64_t sum = 0;
        for (unsigned i = 0; i < 4; i++)
            sum += counted(&r, addresses[i]);
        assert_int_equal(sum, tagged ? 2 : 52);
        assert_int_equal(gs_leap_storage_read(&r.leap.storage, number_of(&r, ELSEWHERE), 0),
                         number_of(&r, ELSEWHERE) == number_of(&r, MAIN) ? 52u - 50u * tagged
                         : tagged                                        ? 0u
                                                                         : 50u);
        tear_down(&r);
    }
}

/* A jump into another function is none of LEAP's business, nor is a trap: the cycles stay where the
 * last call put them. */
static void test_tail_and_trap(void **state)
{
    (void)state;
    rig r;
    set_up(&r, gs_isa_for(GS_ARCH_RV32));
    start(&r);
    beat(&r, MAIN, F, call, 1);
    beat(&r, F, G, jump, 2);
    beat(&r, G, MAIN + 4, ret, 4);
    trap(&r, MAIN + 4, H);
    beat(&r, H, MAIN + 4, 0x30200073, 8); /* mret */
    beat(&r, MAIN + 4, MAIN + 8, nop, 16);
    drain(&r);
    assert_int_equal(counted(&r, MAIN), 1 + 8 + 16);
    assert_int_equal(counted(&r, F), 2 + 4);
    assert_int_equal(counted(&r, G), 0);
    assert_int_equal(counted(&r, H), 0);
    tear_down(&r);
}

/* f switches to a coroutine in g: the return leads to main, the call from there to g. */
static void test_coroutine(void **state)
{
    (void)state;
    rig r;
    set_up(&r, gs_isa_for(GS_ARCH_RV32));
    start(&r);
    beat(&r, MAIN, F, call, 1);
    gs_leap_event event = beat(&r, F, G, coroutine, 2);
    assert_true(event.op.call && event.op.ret);
    assert_int_equal(counted(&r, F), 2);
    assert_int_equal(r.leap.stack.used, 1);
    beat(&r, G, MAIN + 4, ret, 4);
    assert_int_equal(counted(&r, G), 4);
    assert_int_equal(r.leap.current.number, number_of(&r, MAIN));
    tear_down(&r);
}

/* 16 bits: 70000 cycles in f are 70000 - 65536 = 4464. */
static void test_wrap(void **state)
{
    (void)state;
    rig r;
    set_up(&r, gs_isa_for(GS_ARCH_RV32));
    r.parameters.width = 16;
    start(&r);
    beat(&r, MAIN, F, call, 1);
    beat(&r, F, F + 4, nop, 70000);
    assert_int_equal(r.leap.counter.value.lane[0], 4464);
    beat(&r, F + 4, MAIN + 4, ret, 1);
    drain(&r);
    assert_int_equal(counted(&r, F), 4465);
    assert_int_equal(counted(&r, MAIN), 1);
    tear_down(&r);
}

/*
 * 16 bits, shifted when full:
 *   main 7               stored: main 7
 *   f 70000              does not fit: everything halves, main 3, units of 2; 70000 is 35000
 *   f 1                  half a unit: stays in the fraction
 *   f 1 (returns)        the fraction makes a unit: 35001
 *   main 2               one unit more
 * read back: f 70002, main (3 + 1) * 2 = 8 of 9.
 */
static void test_shift(void **state)
{
    (void)state;
    rig r;
    set_up(&r, gs_isa_for(GS_ARCH_RV32));
    r.parameters.width = 16;
    r.parameters.full = GS_LEAP_SHIFT;
    start(&r);
    beat(&r, MAIN, F, call, 7);
    beat(&r, F, F + 4, nop, 70000);
    assert_int_equal(r.leap.storage.shift, 1);
    assert_int_equal(r.leap.counter.value.lane[0], 35000);
    beat(&r, F + 4, F + 8, nop, 1);
    assert_int_equal(r.leap.counter.fraction.lane[0], 1);
    beat(&r, F + 8, MAIN + 4, ret, 1);
    beat(&r, MAIN + 4, MAIN + 8, nop, 2);
    drain(&r);
    assert_int_equal(counted(&r, F), 70002);
    assert_int_equal(counted(&r, MAIN), 8);
    tear_down(&r);
}

/* The storage fills before the Data Counter does: f 40000 three times is 120000, units of 2; and in
 * a hierarchical profile the saved counters are halved with the rest. */
static void test_shift_storage(void **state)
{
    (void)state;
    for (unsigned hierarchical = 0; hierarchical < 2; hierarchical++) {
        rig r;
        set_up(&r, gs_isa_for(GS_ARCH_RV32));
        r.parameters.width = 16;
        r.parameters.full = GS_LEAP_SHIFT;
        r.parameters.hierarchical = hierarchical;
        start(&r);
        for (unsigned i = 0; i < 3; i++) {
            beat(&r, MAIN, F, call, 1000);
            beat(&r, F, MAIN, ret, 40000);
        }
        drain(&r);
        assert_int_equal(r.leap.storage.shift, 1);
        assert_int_equal(counted(&r, F), 120000);
        assert_int_equal(counted(&r, MAIN), hierarchical ? 123000 : 3000);
        tear_down(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flat),          cmocka_unit_test(test_hierarchical),
        cmocka_unit_test(test_counts),        cmocka_unit_test(test_branches),
        cmocka_unit_test(test_delay_slots),   cmocka_unit_test(test_recursion),
        cmocka_unit_test(test_overflow),      cmocka_unit_test(test_unlisted),
        cmocka_unit_test(test_tail_and_trap), cmocka_unit_test(test_coroutine),
        cmocka_unit_test(test_wrap),          cmocka_unit_test(test_shift),
        cmocka_unit_test(test_shift_storage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
