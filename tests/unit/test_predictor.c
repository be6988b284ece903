/*
 * Each predictor against sequences worked out by hand; the derivations stand
 * beside them. A sequence is written as a string of outcomes, T and N, and its
 * predictions as another.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "timing/predictor.h"

static gs_predictor make(gs_predictor_config config)
{
    gs_predictor predictor;
    gs_error err;
    if (config.unit_bytes == 0)
        config.unit_bytes = 2;
    if (gs_predictor_init(&predictor, &config, &err) != GS_OK)
        fail_msg("%s", err.message);
    return predictor;
}

static gs_branch conditional(gs_addr pc, gs_addr target)
{
    return (gs_branch){.pc = pc, .target = target, .next = pc + 4, .flow = GS_FLOW_BRANCH};
}

/* Runs one branch through `outcomes` and compares what was predicted each time. */
static void follow(gs_predictor *predictor, gs_addr pc, const char *outcomes, const char *expected)
{
    gs_branch branch = conditional(pc, pc + 64);
    char predicted[64];
    size_t n = strlen(outcomes);
    assert_true(n < sizeof predicted);
    for (size_t i = 0; i < n; i++) {
        predicted[i] = gs_predictor_predict(predictor, &branch).taken ? 'T' : 'N';
        gs_predictor_update(predictor, &branch, outcomes[i] == 'T', branch.target);
    }
    predicted[n] = 0;
    assert_string_equal(predicted, expected);
}

static void assert_prediction(const gs_predictor *predictor, gs_branch branch, bool taken,
                              gs_target_source source, gs_addr target)
{
    gs_prediction got = gs_predictor_predict(predictor, &branch);
    assert_int_equal(got.taken, taken);
    assert_int_equal(got.source, source);
    assert_int_equal(got.target, target);
}

/* Static schemes */

static void test_not_taken_and_taken(void **state)
{
    (void)state;
    gs_predictor predictor = make((gs_predictor_config){.scheme = GS_PREDICTOR_NOT_TAKEN});
    follow(&predictor, 0x1000, "TTNT", "NNNN");
    gs_predictor_fini(&predictor);
    predictor = make((gs_predictor_config){.scheme = GS_PREDICTOR_TAKEN});
    follow(&predictor, 0x1000, "NNTN", "TTTT");
    gs_predictor_fini(&predictor);
}

static bool btfn(uint32_t delay_slots, gs_addr pc, gs_addr target)
{
    gs_predictor predictor = make((gs_predictor_config){
        .scheme = GS_PREDICTOR_BTFN, .unit_bytes = 4, .delay_slots = delay_slots});
    gs_branch branch = conditional(pc, target);
    gs_prediction prediction = gs_predictor_predict(&predictor, &branch);
    gs_predictor_fini(&predictor);
    return prediction.taken;
}

static void test_backward_taken(void **state)
{
    (void)state;
    assert_true(btfn(0, 0x1000, 0x0ffc));
    assert_false(btfn(0, 0x1000, 0x1008));
    /* RISC-V: the offset counts from the branch, so a branch to itself has offset 0. */
    assert_false(btfn(0, 0x1000, 0x1000));
    /* MIPS: it counts from the delay slot, so there it is -4, and to the slot it is 0. */
    assert_true(btfn(1, 0x1000, 0x1000));
    assert_false(btfn(1, 0x1000, 0x1004));
    /* Backward over the start of the address space, forward over its end, and not fooled by
     * addresses on both sides of the middle. */
    assert_true(btfn(0, 0x10, 0xfffffff0));
    assert_false(btfn(0, 0xfffffff0, 0x10));
    assert_true(btfn(0, 0x80000010, 0x7ffffff0));
    assert_false(btfn(0, 0x7ffffff0, 0x80000010));
}

/* Bimodal */

static gs_predictor bimodal(uint32_t entries, uint32_t bits, uint32_t start)
{
    return make((gs_predictor_config){.scheme = GS_PREDICTOR_BIMODAL,
                                      .unit_bytes = 4,
                                      .entries = entries,
                                      .counter_bits = bits,
                                      .counter_start = start});
}

static void test_bimodal_counters(void **state)
{
    (void)state;
    /* 1 bit: the outcome before, and the start value first. */
    gs_predictor predictor = bimodal(16, 1, 0);
    follow(&predictor, 0x1000, "TTNTNN", "NTTNTN");
    gs_predictor_fini(&predictor);

    /* 2 bits from 1 (weakly not taken), taken from 2 on:
     *   outcome    T  T  N  T  N  N  N  N  T  T  T  T  T  N  N
     *   before     1  2  3  2  3  2  1  0  0  1  2  3  3  3  2
     *   predicted  N  T  T  T  T  T  N  N  N  N  T  T  T  T  T
     *   after      2  3  2  3  2  1  0  0  1  2  3  3  3  2  1 */
    predictor = bimodal(16, 2, 1);
    follow(&predictor, 0x1000, "TTNTNNNNTTTTTNN", "NTTTTTNNNNTTTTT");
    assert_int_equal(predictor.counters[0], 1);
    gs_predictor_fini(&predictor);

    /* 3 bits from 7, taken from 4 on: four N bring it to 3, four more to 0 and keep it there, and
     * then four T are needed:
     *   outcome    N  N  N  N  N  N  N  N  T  T  T  T  T
     *   before     7  6  5  4  3  2  1  0  0  1  2  3  4
     *   predicted  T  T  T  T  N  N  N  N  N  N  N  N  T */
    predictor = bimodal(16, 3, 7);
    follow(&predictor, 0x1000, "NNNNNNNNTTTTT", "TTTTNNNNNNNNT");
    gs_predictor_fini(&predictor);

    /* A loop of four, three times over: a 2-bit counter at 3 misses only the exit (3, 3, 3, 3 ->
     * 2, then 2, 3, 3, 3 -> 2), a 1-bit counter also the first iteration after it. */
    predictor = bimodal(16, 2, 3);
    follow(&predictor, 0x1000, "TTTNTTTNTTTN", "TTTTTTTTTTTT");
    gs_predictor_fini(&predictor);
    predictor = bimodal(16, 1, 1);
    follow(&predictor, 0x1000, "TTTNTTTNTTTN", "TTTTNTTTNTTT");
    gs_predictor_fini(&predictor);
}

static void test_bimodal_index(void **state)
{
    (void)state;
    /* Units of 4 bytes, 4 counters: 0x1000 has counter 0, 0x1004 counter 1, 0x1010 counter 0
     * again (0x1010 >> 2 = 0x404, & 3 = 0) and sees what 0x1000 did. */
    gs_predictor predictor = bimodal(4, 2, 0);
    follow(&predictor, 0x1000, "TTT", "NNT");
    follow(&predictor, 0x1004, "N", "N");
    follow(&predictor, 0x1010, "TN", "TT");
    assert_memory_equal(predictor.counters, ((uint8_t[]){2, 0, 0, 0}), 4);
    gs_predictor_fini(&predictor);

    /* Units of 2 bytes: 0x1002 >> 1 = 0x801, counter 1, and 0x1008 >> 1 = 0x804, counter 0. */
    predictor = make((gs_predictor_config){
        .scheme = GS_PREDICTOR_BIMODAL, .unit_bytes = 2, .entries = 4, .counter_bits = 2});
    follow(&predictor, 0x1002, "TT", "NN");
    follow(&predictor, 0x1008, "T", "N");
    assert_memory_equal(predictor.counters, ((uint8_t[]){1, 2, 0, 0}), 4);
    gs_predictor_fini(&predictor);

    /* One counter for all. */
    predictor = bimodal(1, 1, 0);
    follow(&predictor, 0x1000, "T", "N");
    follow(&predictor, 0x2468, "T", "T");
    gs_predictor_fini(&predictor);
}

/* Gshare */

static void test_gshare_learns_a_pattern(void **state)
{
    (void)state;
    /*
     * One branch at 0x1000, units of 4: number 0x400, so with 8 counters the index is the history
     * itself. Two bits of history, newest in bit 0; 1-bit counters from 0. Outcomes alternate:
     *
     *   outcome         T   N   T   N   T   N   T
     *   history before  00  01  10  01  10  01  10
     *   counter before  0   0   0   0   1   0   1
     *   predicted       N   N   N   N   T   N   T
     *   counter after   1   0   1   0   1   0   1
     *
     * From the fifth on all are right, where a bimodal counter would go on being wrong.
     */
    gs_predictor predictor = make((gs_predictor_config){.scheme = GS_PREDICTOR_GSHARE,
                                                        .unit_bytes = 4,
                                                        .entries = 8,
                                                        .counter_bits = 1,
                                                        .history_bits = 2});
    follow(&predictor, 0x1000, "TNTNTNT", "NNNNTNT");
    assert_int_equal(predictor.history, 1);
    assert_memory_equal(predictor.counters, ((uint8_t[]){1, 0, 1, 0, 0, 0, 0, 0}), 8);

    /* A branch at 0x1014, number 0x405, after it: index (5 ^ 01) & 7 = 4, then, after T, with
     * history 11, 5 ^ 3 = 6, then, after N, with history 10, 5 ^ 2 = 7. */
    follow(&predictor, 0x1014, "TNT", "NNN");
    assert_memory_equal(predictor.counters, ((uint8_t[]){1, 0, 1, 0, 1, 0, 0, 1}), 8);
    assert_int_equal(predictor.history, 1);
    gs_predictor_fini(&predictor);
}

static void test_gshare_history_is_of_conditional_branches(void **state)
{
    (void)state;
    gs_predictor predictor = make((gs_predictor_config){.scheme = GS_PREDICTOR_GSHARE,
                                                        .unit_bytes = 4,
                                                        .entries = 16,
                                                        .counter_bits = 2,
                                                        .history_bits = 4,
                                                        .btb_entries = 4,
                                                        .stack_depth = 4});
    static const gs_flow others[] = {
        GS_FLOW_NEXT,          GS_FLOW_JUMP,   GS_FLOW_CALL,        GS_FLOW_JUMP_INDIRECT,
        GS_FLOW_CALL_INDIRECT, GS_FLOW_RETURN, GS_FLOW_RETURN_CALL, GS_FLOW_TRAP,
        GS_FLOW_TRAP_RETURN,   GS_FLOW_ILLEGAL};
    gs_branch branch = {.pc = 0x40, .target = 0x80, .next = 0x44};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        branch.flow = others[i];
        gs_predictor_update(&predictor, &branch, true, 0x80);
    }
    assert_int_equal(predictor.history, 0);
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(predictor.counters[i], 0);

    /* A conditional call counts as well. 0x40 >> 2 = 0x10: counter 0. The history drops what is
     * more than four branches ago: T N T T N is 0110. */
    branch.flow = GS_FLOW_BRANCH_CALL;
    for (const char *outcome = "TNTTN"; *outcome; outcome++)
        gs_predictor_update(&predictor, &branch, *outcome == 'T', 0x80);
    assert_int_equal(predictor.counters[0], 1);
    assert_int_equal(predictor.history, 6);
    gs_predictor_fini(&predictor);
}

/* Targets */

static void test_targets_without_btb(void **state)
{
    (void)state;
    gs_predictor predictor = make((gs_predictor_config){0});
    static const struct {
        gs_flow flow;
        bool taken;
        gs_target_source source;
        gs_addr target;
    } cases[] = {
        {GS_FLOW_NEXT, false, GS_TARGET_UNKNOWN, 0},
        {GS_FLOW_BRANCH, false, GS_TARGET_DECODE, 0x200},
        {GS_FLOW_JUMP, true, GS_TARGET_DECODE, 0x200},
        {GS_FLOW_CALL, true, GS_TARGET_DECODE, 0x200},
        {GS_FLOW_BRANCH_CALL, false, GS_TARGET_DECODE, 0x200},
        {GS_FLOW_JUMP_INDIRECT, true, GS_TARGET_UNKNOWN, 0},
        {GS_FLOW_CALL_INDIRECT, true, GS_TARGET_UNKNOWN, 0},
        {GS_FLOW_RETURN, true, GS_TARGET_UNKNOWN, 0},
        {GS_FLOW_RETURN_CALL, true, GS_TARGET_UNKNOWN, 0},
        {GS_FLOW_TRAP, false, GS_TARGET_UNKNOWN, 0},
        {GS_FLOW_TRAP_RETURN, false, GS_TARGET_UNKNOWN, 0},
        {GS_FLOW_ILLEGAL, false, GS_TARGET_UNKNOWN, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gs_branch branch = {.pc = 0x100, .target = 0x200, .next = 0x104, .flow = cases[i].flow};
        assert_prediction(&predictor, branch, cases[i].taken, cases[i].source, cases[i].target);
        gs_predictor_update(&predictor, &branch, true, 0x300);
        assert_prediction(&predictor, branch, cases[i].taken, cases[i].source, cases[i].target);
    }
    gs_predictor_fini(&predictor);
}

static void test_btb(void **state)
{
    (void)state;
    gs_predictor predictor = make((gs_predictor_config){.unit_bytes = 4, .btb_entries = 4});

    /* A jump through a register is unknown once, then goes where it last went. */
    gs_branch jump = {.pc = 0x100, .next = 0x104, .flow = GS_FLOW_JUMP_INDIRECT};
    assert_prediction(&predictor, jump, true, GS_TARGET_UNKNOWN, 0);
    gs_predictor_update(&predictor, &jump, true, 0x800);
    assert_prediction(&predictor, jump, true, GS_TARGET_BTB, 0x800);
    gs_predictor_update(&predictor, &jump, true, 0x900);
    assert_prediction(&predictor, jump, true, GS_TARGET_BTB, 0x900);

    /* 0x110 >> 2 = 0x44 has the same entry, 0, but another tag: a miss, and a conditional branch
     * not taken does not claim the entry. Taken, it does. */
    gs_branch branch = conditional(0x110, 0x40);
    assert_prediction(&predictor, branch, false, GS_TARGET_DECODE, 0x40);
    gs_predictor_update(&predictor, &branch, false, 0);
    assert_prediction(&predictor, jump, true, GS_TARGET_BTB, 0x900);
    gs_predictor_update(&predictor, &branch, true, 0x40);
    assert_prediction(&predictor, jump, true, GS_TARGET_UNKNOWN, 0);
    assert_prediction(&predictor, branch, false, GS_TARGET_BTB, 0x40);

    /* Falling through later leaves the entry there. */
    gs_predictor_update(&predictor, &branch, false, 0);
    assert_prediction(&predictor, branch, false, GS_TARGET_BTB, 0x40);

    /* 0x104 is the neighbouring entry. Without a return stack a return uses the BTB. */
    gs_branch back = {.pc = 0x104, .next = 0x108, .flow = GS_FLOW_RETURN};
    gs_predictor_update(&predictor, &back, true, 0x500);
    assert_prediction(&predictor, back, true, GS_TARGET_BTB, 0x500);
    assert_prediction(&predictor, branch, false, GS_TARGET_BTB, 0x40);

    /* What is no branch never enters. */
    gs_branch trap = {.pc = 0x108, .next = 0x10c, .flow = GS_FLOW_TRAP_RETURN};
    gs_predictor_update(&predictor, &trap, true, 0x700);
    assert_prediction(&predictor, trap, false, GS_TARGET_UNKNOWN, 0);
    assert_int_equal(predictor.btb_tags[2], GS_PREDICTOR_NO_TAG);
    gs_predictor_fini(&predictor);
}

/* The very last pc is not taken for an empty entry, whose tag is all ones. */
static void test_btb_last_pc(void **state)
{
    (void)state;
    gs_predictor predictor = make((gs_predictor_config){.unit_bytes = 2, .btb_entries = 1});
    gs_branch jump = {.pc = 0xfffffffe, .flow = GS_FLOW_JUMP_INDIRECT};
    assert_prediction(&predictor, jump, true, GS_TARGET_UNKNOWN, 0);
    gs_predictor_fini(&predictor);
}

static void call(gs_predictor *predictor, gs_addr next)
{
    gs_branch branch = {.pc = next - 4, .target = 0x4000, .next = next, .flow = GS_FLOW_CALL};
    gs_predictor_update(predictor, &branch, true, 0x4000);
}

static const gs_branch a_return = {.pc = 0x4010, .next = 0x4014, .flow = GS_FLOW_RETURN};

static void returns_to(gs_predictor *predictor, gs_addr expected)
{
    assert_prediction(predictor, a_return, true, GS_TARGET_STACK, expected);
    gs_predictor_update(predictor, &a_return, true, expected);
}

static void test_return_stack(void **state)
{
    (void)state;
    gs_predictor predictor = make((gs_predictor_config){.btb_entries = 16, .stack_depth = 3});

    /* Empty: unknown, and popping nothing does no harm. Returns stay out of the BTB. */
    assert_prediction(&predictor, a_return, true, GS_TARGET_UNKNOWN, 0);
    gs_predictor_update(&predictor, &a_return, true, 0x111);
    assert_prediction(&predictor, a_return, true, GS_TARGET_UNKNOWN, 0);
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(predictor.btb_tags[i], GS_PREDICTOR_NO_TAG);

    call(&predictor, 0x104);
    call(&predictor, 0x204);
    returns_to(&predictor, 0x204);
    call(&predictor, 0x304);
    returns_to(&predictor, 0x304);
    returns_to(&predictor, 0x104);
    assert_prediction(&predictor, a_return, true, GS_TARGET_UNKNOWN, 0);

    /* Five calls into three entries: the two oldest are lost. */
    for (gs_addr i = 1; i <= 5; i++)
        call(&predictor, i * 0x100 + 4);
    returns_to(&predictor, 0x504);
    returns_to(&predictor, 0x404);
    returns_to(&predictor, 0x304);
    assert_prediction(&predictor, a_return, true, GS_TARGET_UNKNOWN, 0);

    /* A coroutine switch pops, then pushes: [104 204] -> [104 4024]. */
    call(&predictor, 0x104);
    call(&predictor, 0x204);
    gs_branch swap = {.pc = 0x4020, .next = 0x4024, .flow = GS_FLOW_RETURN_CALL};
    assert_prediction(&predictor, swap, true, GS_TARGET_STACK, 0x204);
    gs_predictor_update(&predictor, &swap, true, 0x204);
    returns_to(&predictor, 0x4024);
    returns_to(&predictor, 0x104);

    /* A conditional call pushes if it is taken, an indirect one always; where to is a matter for
     * the BTB. */
    gs_branch maybe = {.pc = 0x600, .target = 0x40, .next = 0x608, .flow = GS_FLOW_BRANCH_CALL};
    gs_predictor_update(&predictor, &maybe, false, 0);
    assert_prediction(&predictor, a_return, true, GS_TARGET_UNKNOWN, 0);
    gs_predictor_update(&predictor, &maybe, true, 0x40);
    returns_to(&predictor, 0x608);
    gs_branch through = {.pc = 0x702, .next = 0x704, .flow = GS_FLOW_CALL_INDIRECT};
    gs_predictor_update(&predictor, &through, true, 0x900);
    assert_prediction(&predictor, through, true, GS_TARGET_BTB, 0x900);
    returns_to(&predictor, 0x704);

    /* Jumps move nothing. */
    call(&predictor, 0x104);
    gs_branch jump = {.pc = 0x700, .target = 0x40, .next = 0x704, .flow = GS_FLOW_JUMP};
    gs_predictor_update(&predictor, &jump, true, 0x40);
    returns_to(&predictor, 0x104);
    gs_predictor_fini(&predictor);
}

static void test_return_stack_of_one(void **state)
{
    (void)state;
    gs_predictor predictor = make((gs_predictor_config){.stack_depth = 1});
    call(&predictor, 0x104);
    call(&predictor, 0x204);
    returns_to(&predictor, 0x204);
    assert_prediction(&predictor, a_return, true, GS_TARGET_UNKNOWN, 0);
    gs_predictor_fini(&predictor);
    gs_predictor_fini(&predictor); /* nothing left: fine */
}

/* Configurations */

/* Guesses: what a prediction was worth, with the update done. */

static void assert_guess(gs_predictor *predictor, gs_branch branch, bool taken, gs_addr target,
                         gs_guess expected)
{
    assert_int_equal(gs_predictor_guess(predictor, &branch, taken, target), expected);
}

static void test_guesses_of_branches(void **state)
{
    (void)state;
    gs_predictor predictor = make((gs_predictor_config){
        .scheme = GS_PREDICTOR_BIMODAL, .entries = 4, .counter_bits = 1, .btb_entries = 4});
    gs_branch branch = conditional(0x1000, 0x2000);
    assert_true(gs_predictor_learns(&predictor));
    assert_int_equal(gs_predictor_at_best(&predictor, GS_FLOW_BRANCH), GS_GUESS_EARLY);
    assert_guess(&predictor, branch, false, 0x2000, GS_GUESS_RIGHT);
    assert_guess(&predictor, branch, true, 0x2000, GS_GUESS_WRONG);
    assert_guess(&predictor, branch, true, 0x2000, GS_GUESS_EARLY);
    assert_guess(&predictor, branch, false, 0x2000, GS_GUESS_WRONG);
    assert_guess(&predictor, branch, false, 0x2000, GS_GUESS_EARLY); /* it stays in the BTB */
    gs_predictor_fini(&predictor);
}

static void test_guesses_of_jumps(void **state)
{
    (void)state;
    gs_predictor predictor = make((gs_predictor_config){.stack_depth = 2});
    const gs_branch jump = {.pc = 0x1000, .target = 0x3000, .next = 0x1004, .flow = GS_FLOW_JUMP};
    const gs_branch call = {.pc = 0x1010, .target = 0x3000, .next = 0x1014, .flow = GS_FLOW_CALL};
    const gs_branch away = {.pc = 0x1020, .next = 0x1024, .flow = GS_FLOW_JUMP_INDIRECT};
    const gs_branch back = {.pc = 0x3000, .next = 0x3004, .flow = GS_FLOW_RETURN};
    assert_guess(&predictor, jump, true, 0x3000, GS_GUESS_RIGHT);
    assert_guess(&predictor, away, true, 0x5000, GS_GUESS_NONE);
    assert_guess(&predictor, back, true, 0x1014, GS_GUESS_NONE); /* the stack is empty */
    assert_guess(&predictor, call, true, 0x3000, GS_GUESS_RIGHT);
    assert_guess(&predictor, back, true, 0x1014, GS_GUESS_RIGHT);
    assert_guess(&predictor, call, true, 0x3000, GS_GUESS_RIGHT);
    assert_guess(&predictor, back, true, 0x1018, GS_GUESS_WRONG);

    /* What it need not be told of is always worth what it is at best. */
    assert_false(gs_predictor_minds(&predictor, GS_FLOW_JUMP));
    assert_false(gs_predictor_minds(&predictor, GS_FLOW_JUMP_INDIRECT));
    assert_true(gs_predictor_minds(&predictor, GS_FLOW_CALL));
    assert_true(gs_predictor_minds(&predictor, GS_FLOW_RETURN));
    assert_true(gs_predictor_minds(&predictor, GS_FLOW_BRANCH));
    assert_int_equal(gs_predictor_at_best(&predictor, GS_FLOW_JUMP), GS_GUESS_RIGHT);
    assert_int_equal(gs_predictor_at_best(&predictor, GS_FLOW_JUMP_INDIRECT), GS_GUESS_NONE);
    assert_int_equal(gs_predictor_at_best(&predictor, GS_FLOW_RETURN), GS_GUESS_RIGHT);
    gs_predictor_fini(&predictor);
    predictor = make((gs_predictor_config){.scheme = GS_PREDICTOR_TAKEN});
    assert_false(gs_predictor_learns(&predictor));
    gs_predictor_fini(&predictor);
}

static void refused(gs_predictor_config config, const char *message)
{
    gs_predictor predictor;
    gs_error err;
    memset(&err, 0, sizeof err);
    assert_int_equal(gs_predictor_check(&config, &err), GS_E_ARGUMENT);
    assert_int_equal(err.status, GS_E_ARGUMENT);
    assert_string_equal(err.message, message);
    assert_int_equal(gs_predictor_init(&predictor, &config, NULL), GS_E_ARGUMENT);
    gs_predictor_fini(&predictor);
}

static void test_refused_configurations(void **state)
{
    (void)state;
    const gs_predictor_config good = {.scheme = GS_PREDICTOR_GSHARE,
                                      .unit_bytes = 2,
                                      .entries = 16,
                                      .counter_bits = 2,
                                      .counter_start = 1,
                                      .history_bits = 4,
                                      .btb_entries = 8,
                                      .stack_depth = 2};
    gs_predictor_config bad;
    assert_int_equal(gs_predictor_check(&good, NULL), GS_OK);

#define REFUSED(field, value, message) (bad = good, bad.field = (value), refused(bad, (message)))
    REFUSED(scheme, (gs_predictor_scheme)5,
            "there is no branch prediction scheme number 5: allowed are not taken, taken, backward "
            "taken, bimodal and gshare");
    REFUSED(unit_bytes, 0,
            "a branch predictor cannot count in units of 0 bytes: allowed are 2 and 4, the size of "
            "the smallest instruction");
    REFUSED(unit_bytes, 3,
            "a branch predictor cannot count in units of 3 bytes: allowed are 2 and 4, the size of "
            "the smallest instruction");
    REFUSED(delay_slots, 2, "a branch predictor cannot have 2 delay slots: allowed are 0 and 1");
    REFUSED(entries, 0,
            "a gshare predictor of 0 entries is not possible: allowed are powers of two from 2 to "
            "1048576");
    REFUSED(entries, 1,
            "a gshare predictor of 1 entries is not possible: allowed are powers of two from 2 to "
            "1048576");
    REFUSED(entries, 100,
            "a gshare predictor of 100 entries is not possible: allowed are powers of two from 2 "
            "to 1048576");
    REFUSED(entries, 1u << 21,
            "a gshare predictor of 2097152 entries is not possible: allowed are powers of two from "
            "2 to 1048576");
    REFUSED(counter_bits, 0,
            "a gshare predictor with counters of 0 bits is not possible: allowed are 1 to 3");
    REFUSED(counter_bits, 4,
            "a gshare predictor with counters of 4 bits is not possible: allowed are 1 to 3");
    REFUSED(counter_start, 4,
            "a gshare predictor's counters of 2 bits cannot start at 4: allowed are 0 to 3");
    REFUSED(history_bits, 0,
            "a gshare predictor of 16 entries cannot use 0 bits of history: allowed are 1 to 4");
    REFUSED(history_bits, 5,
            "a gshare predictor of 16 entries cannot use 5 bits of history: allowed are 1 to 4");
    REFUSED(btb_entries, 12,
            "a branch target buffer of 12 entries is not possible: allowed are 0 and powers of two "
            "up to 65536");
    REFUSED(btb_entries, 1u << 17,
            "a branch target buffer of 131072 entries is not possible: allowed are 0 and powers of "
            "two up to 65536");
    REFUSED(stack_depth, 1025,
            "a return stack of 1025 entries is not possible: allowed are 0 to 1024");
#undef REFUSED

    bad = good;
    bad.scheme = GS_PREDICTOR_BIMODAL;
    bad.entries = 3;
    refused(bad, "a bimodal predictor of 3 entries is not possible: allowed are powers of two from "
                 "1 to 1048576");

    /* What a scheme does not use is not looked at. */
    bad.scheme = GS_PREDICTOR_BTFN;
    assert_int_equal(gs_predictor_check(&bad, NULL), GS_OK);
    bad = good;
    bad.scheme = GS_PREDICTOR_BIMODAL;
    bad.history_bits = 99;
    assert_int_equal(gs_predictor_check(&bad, NULL), GS_OK);
}

/* The largest of everything. */
static void test_accepted_configuration(void **state)
{
    (void)state;
    gs_predictor predictor =
        make((gs_predictor_config){.scheme = GS_PREDICTOR_GSHARE,
                                   .entries = GS_PREDICTOR_MAX_ENTRIES,
                                   .counter_bits = 3,
                                   .counter_start = 7,
                                   .history_bits = 20,
                                   .btb_entries = GS_PREDICTOR_MAX_BTB_ENTRIES,
                                   .stack_depth = GS_PREDICTOR_MAX_STACK_DEPTH});
    assert_int_equal(predictor.counter_max, 7);
    assert_int_equal(predictor.taken_from, 4);
    assert_int_equal(predictor.history_mask, 0xfffff);
    /* 0xfffffffe >> 1 is all ones in the 20 bits of the index, then the history is 1. */
    follow(&predictor, 0xfffffffe, "TN", "TT");
    assert_int_equal(predictor.counters[0xfffff], 7);
    assert_int_equal(predictor.counters[0xffffe], 6);
    gs_predictor_fini(&predictor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_not_taken_and_taken),
        cmocka_unit_test(test_backward_taken),
        cmocka_unit_test(test_bimodal_counters),
        cmocka_unit_test(test_bimodal_index),
        cmocka_unit_test(test_gshare_learns_a_pattern),
        cmocka_unit_test(test_gshare_history_is_of_conditional_branches),
        cmocka_unit_test(test_targets_without_btb),
        cmocka_unit_test(test_btb),
        cmocka_unit_test(test_btb_last_pc),
        cmocka_unit_test(test_return_stack),
        cmocka_unit_test(test_return_stack_of_one),
        cmocka_unit_test(test_guesses_of_branches),
        cmocka_unit_test(test_guesses_of_jumps),
        cmocka_unit_test(test_refused_configurations),
        cmocka_unit_test(test_accepted_configuration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
