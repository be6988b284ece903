/*
 * Partitions: what descriptions may say, how many states code takes, and whether the choice is the
 * best there is.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <glpk.h>
#include <stdlib.h>
#include <string.h>

#include "partition/choose.h"
#include "partition/dataflow.h"

/* -- descriptions ----------------------------------------------------------------------------- */

static gs_hls *opened(const char *name)
{
    gs_hls *hls;
    gs_error err;
    if (gs_hls_open(&hls, name, &err) != GS_OK)
        fail_msg("%s", err.message);
    return hls;
}

static void test_builtin(void **state)
{
    (void)state;
    gs_hls *hls = opened("legup-cyclone2"), *other = opened("vitis-zynq7");
    assert_int_equal(hls->operators[GS_HLS_DIVIDE].cycles, 32);
    assert_int_equal(hls->operators[GS_HLS_ADD].interval, 1);
    assert_false(hls->pipelines);
    assert_true(other->pipelines);
    gs_hls_free(hls);
    gs_hls_free(other);
}

static void refused(const char *text, const char *message)
{
    gs_hls *hls;
    gs_error err;
    if (gs_hls_parse(&hls, "h.yaml", text, strlen(text), &err) == GS_OK)
        fail_msg("it was accepted: %s", text);
    if (!strstr(err.message, message))
        fail_msg("'%s' instead of '%s'", err.message, message);
    assert_null(hls);
}

static void test_refused(void **state)
{
    (void)state;
    gs_hls *hls;
    gs_error err;
    refused("name: a\ncolour: red\n",
            "h.yaml:2: unknown key 'colour'; allowed: name, summary, clock_ns");
    refused("name: a\n", "summary");
    refused("[]\n", "h.yaml");
    assert_int_equal(gs_hls_open(&hls, "legup", &err), GS_E_NOT_FOUND);
    assert_string_equal(err.message, "there is no description 'legup'; built in are "
                                     "legup-cyclone2, vitis-zynq7; a file's name ends in .yaml");
}

/* -- states ----------------------------------------------------------------------------------- */

enum { JR_A0 = 0x00050067 };
enum { A0 = 10, A1, A2, A3, A4, A5, SP = 2 };

static uint32_t r_type(unsigned funct7, unsigned funct3, unsigned rd, unsigned rs1, unsigned rs2)
{
    return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | 0x33;
}

static uint32_t add(unsigned rd, unsigned rs1, unsigned rs2)
{
    return r_type(0, 0, rd, rs1, rs2);
}

static uint32_t sltu(unsigned rd, unsigned rs1, unsigned rs2)
{
    return r_type(0, 3, rd, rs1, rs2);
}

static uint32_t mul(unsigned rd, unsigned rs1, unsigned rs2)
{
    return r_type(1, 0, rd, rs1, rs2);
}

static uint32_t divu(unsigned rd, unsigned rs1, unsigned rs2)
{
    return r_type(1, 5, rd, rs1, rs2);
}

static uint32_t addi(unsigned rd, unsigned rs1, unsigned imm)
{
    return (imm & 0xfff) << 20 | rs1 << 15 | rd << 7 | 0x13;
}

static uint32_t slli(unsigned rd, unsigned rs1, unsigned by)
{
    return by << 20 | rs1 << 15 | 1 << 12 | rd << 7 | 0x13;
}

static uint32_t lw(unsigned rd, unsigned rs1, unsigned imm)
{
    return imm << 20 | rs1 << 15 | 2 << 12 | rd << 7 | 0x03;
}

static uint32_t sw(unsigned rs2, unsigned rs1, unsigned imm)
{
    return imm >> 5 << 25 | rs2 << 20 | rs1 << 15 | 2 << 12 | (imm & 31) << 7 | 0x23;
}

static uint32_t bne(unsigned rs1, unsigned rs2, int offset)
{
    const uint32_t o = (uint32_t)offset;
    return (o >> 12 & 1) << 31 | (o >> 5 & 0x3f) << 25 | rs2 << 20 | rs1 << 15 | 1 << 12 |
           (o >> 1 & 0xf) << 8 | (o >> 11 & 1) << 7 | 0x63;
}

enum { LONGEST = 8 };

/* A block of these instructions, and its plan. A block that loops leads back to itself. */
static gs_hw_plan planned(const gs_hls *hls, const uint32_t *words, bool loops)
{
    char name[] = "f", isa[] = "rv32";
    gs_profile_insn insns[LONGEST] = {0};
    gs_profile_function function = {.name = name, .start = 0x1000, .end = 0x2000};
    gs_profile_block block = {.start = 0x1000, .executions = 10};
    gs_profile_edge edge = {0, 0, 9};
    gs_profile profile = {.run.isa = isa};
    gs_hw_code code;
    gs_hw_plan plan;
    gs_error err;
    size_t count = 0;
    for (; count < LONGEST && words[count]; count++)
        insns[count] = (gs_profile_insn){.pc = 0x1000 + 4 * (uint32_t)count,
                                         .word = words[count],
                                         .length = 4,
                                         .loop = GS_PROFILE_NONE};
    block.end = 0x1000 + 4 * (uint32_t)count;
    profile.insns.items = insns;
    profile.insns.count = count;
    profile.functions.items = &function;
    profile.functions.count = 1;
    profile.blocks.items = &block;
    profile.blocks.count = 1;
    profile.edges.items = &edge;
    profile.edges.count = loops;
    assert_int_equal(gs_hw_code_open(&code, &profile, hls, &err), GS_OK);
    assert_int_equal(code.region_count, 1);
    assert_true(gs_hw_plan_region(&plan, &code, hls, &code.regions[0]));
    gs_hw_code_close(&code);
    return plan;
}

static void test_states(void **state)
{
    (void)state;
    const struct {
        uint32_t words[LONGEST];
        uint32_t states;
    } cases[] = {
        {{add(A0, A0, A1)}, 1},
        {{addi(A0, 0, 5)}, 0},                   /* a constant */
        {{addi(A0, A1, 0), slli(A2, A0, 3)}, 0}, /* a move and wires */
        {{add(A0, A0, A1), add(A0, A0, A1), add(A0, A0, A1)}, 1},
        {{add(A0, A0, A1), add(A0, A0, A1), add(A0, A0, A1), add(A0, A0, A1)}, 2}, /* 18.4 ns */
        {{add(A0, A1, A2), add(A3, A1, A2), add(A4, A1, A2), add(A5, A1, A2)}, 1},
        {{add(A0, A0, A1), sltu(A2, A0, A1), add(A3, A3, A4), add(A3, A3, A2)}, 1}, /* 64 bits */
        {{sltu(A2, A0, A1), add(A3, A3, A4), add(A3, A3, A5), add(A3, A3, A3)}, 1},
        {{sltu(A2, A0, A1), add(A3, A0, A2), sltu(A2, A3, A5), add(A3, A5, A2)}, 1}, /* 11.2 ns */
        {{lw(A0, A1, 0)}, 2},
        {{lw(A0, A1, 0), add(A2, A2, A0)}, 3},
        {{lw(A0, A1, 0), lw(A2, A1, 4)}, 2},                /* two ports, */
        {{lw(A0, A1, 0), lw(A2, A1, 4), lw(A3, A1, 8)}, 3}, /* not three */
        {{sw(A0, A1, 0)}, 1},
        {{sw(A0, A1, 0), lw(A2, A1, 0)}, 3},                    /* the same word */
        {{sw(A0, A1, 0), lw(A2, A1, 4)}, 2},                    /* another one */
        {{sw(A0, A1, 0), lw(A2, A3, 4)}, 3},                    /* who knows */
        {{sw(A0, SP, 12), lw(A0, SP, 12), add(A0, A0, A1)}, 1}, /* a spilled value */
        {{mul(A0, A1, A2)}, 1},
        {{mul(A0, A1, A2), add(A0, A0, A1)}, 2},
        {{slli(A0, A0, 2), add(A0, A0, A1), lw(A0, A0, 0), JR_A0}, 0}, /* the next state */
        {{divu(A0, A1, A2)}, 32},
        {{divu(A0, A1, A2), divu(A3, A1, A2)}, 33}, /* one divider, with a stage for each bit */
        {{divu(A0, A1, A2), divu(A3, A0, A2)}, 64},
    };
    gs_hls *hls = opened("legup-cyclone2");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const gs_hw_plan plan = planned(hls, cases[i].words, false);
        if (plan.states != cases[i].states)
            fail_msg("case %zu: %u states instead of %u", i, plan.states, cases[i].states);
    }
    gs_hls_free(hls);
}

static void test_intervals(void **state)
{
    (void)state;
    const struct {
        uint32_t words[LONGEST];
        uint32_t interval;
    } cases[] = {
        /* a sum: one iteration a state */
        {{lw(A5, A0, 0), addi(A0, A0, 4), add(A2, A2, A5), bne(A0, A1, -12)}, 1},
        /* three accesses, two ports */
        {{lw(A5, A0, 0), lw(A4, A0, 64), add(A5, A5, A4), sw(A5, A0, 128), addi(A0, A0, 4),
          bne(A0, A1, -20)},
         2},
        /* a chain through memory: each iteration loads what the one before has stored */
        {{lw(A5, A0, 0), addi(A5, A5, 1), sw(A5, A0, 4), addi(A0, A0, 4), bne(A0, A1, -16)}, 2},
        /* a chain through the multiplier */
        {{mul(A2, A2, A3), addi(A0, A0, 1), bne(A0, A1, -8)}, 2},
    };
    gs_hls *hls = opened("vitis-zynq7"), *plain = opened("legup-cyclone2");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const gs_hw_plan plan = planned(hls, cases[i].words, true);
        const uint32_t interval = plan.interval ? plan.interval : plan.states;
        if (interval != cases[i].interval)
            fail_msg("case %zu: %u instead of %u", i, interval, cases[i].interval);
        assert_int_equal(planned(plain, cases[i].words, true).interval, 0);
    }
    gs_hls_free(hls);
    gs_hls_free(plain);
}

/* -- the choice ------------------------------------------------------------------------------- */

enum { MOST = 9 };

typedef struct example {
    gs_hw_choice_item items[MOST];
    bool exclude[MOST * MOST];
    gs_hw_choice choice;
} example;

static unsigned below(unsigned *seed, unsigned end)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % end;
}

static void make(example *e, unsigned *seed)
{
    memset(e, 0, sizeof *e);
    e->choice.count = 1 + below(seed, MOST);
    for (size_t i = 0; i < e->choice.count; i++) {
        e->items[i].gain = 1 + below(seed, 1000000);
        for (unsigned r = 0; r < GS_HLS_RESOURCE_COUNT; r++)
            e->items[i].area[r] = below(seed, 1000);
        for (size_t k = 0; k < i; k++)
            e->exclude[i * e->choice.count + k] = e->exclude[k * e->choice.count + i] =
                below(seed, 4) == 0;
    }
    for (unsigned r = 0; r < GS_HLS_RESOURCE_COUNT; r++)
        e->choice.budget[r] = below(seed, 3000);
    e->choice.items = e->items;
    e->choice.exclude = e->exclude;
}

/* What a choice gains; below 0: it is not allowed. */
static double gain_of(const example *e, unsigned set)
{
    const size_t count = e->choice.count;
    double gain = 0;
    uint64_t area[GS_HLS_RESOURCE_COUNT] = {0};
    for (size_t i = 0; i < count; i++) {
        if (!(set >> i & 1))
            continue;
        gain += e->items[i].gain;
        for (unsigned r = 0; r < GS_HLS_RESOURCE_COUNT; r++)
            area[r] += e->items[i].area[r];
        for (size_t k = 0; k < i; k++) {
            if (set >> k & 1 && e->exclude[i * count + k])
                return -1;
        }
    }
    for (unsigned r = 0; r < GS_HLS_RESOURCE_COUNT; r++) {
        if (area[r] > e->choice.budget[r])
            return -1;
    }
    return gain;
}

static void test_best(void **state)
{
    (void)state;
    unsigned seed = 1;
    for (unsigned round = 0; round < 300; round++) {
        example e;
        bool chosen[MOST] = {0};
        gs_error err;
        double best = 0;
        unsigned set = 0;
        make(&e, &seed);
        for (unsigned i = 0; i < 1u << e.choice.count; i++)
            best = gain_of(&e, i) > best ? gain_of(&e, i) : best;
        if (gs_hw_choose(&e.choice, chosen, &err) != GS_OK)
            fail_msg("%s", err.message);
        for (unsigned i = 0; i < e.choice.count; i++)
            set |= (unsigned)chosen[i] << i;
        if (gain_of(&e, set) != best)
            fail_msg("round %u: %g instead of %g", round, gain_of(&e, set), best);
    }
}

/* GLPK's settings of the calling thread stay as they were. */
static void test_own_environment(void **state)
{
    (void)state;
    example e;
    unsigned seed = 7;
    bool chosen[MOST];
    gs_error err;
    make(&e, &seed);
    glp_prob *own = glp_create_prob();
    glp_add_cols(own, 3);
    glp_term_out(GLP_ON);
    assert_int_equal(gs_hw_choose(&e.choice, chosen, &err), GS_OK);
    assert_int_equal(glp_term_out(GLP_ON), GLP_ON);
    assert_int_equal(glp_get_num_cols(own), 3);
    glp_delete_prob(own);
    glp_free_env();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_builtin), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_states),  cmocka_unit_test(test_intervals),
        cmocka_unit_test(test_best),    cmocka_unit_test(test_own_environment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
