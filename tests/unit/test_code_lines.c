/*
 * Which lines of code need no second look: looked up on every way that leads there, and nobody in
 * the way of them since.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/fast/code_lines.h"

enum { SHIFT = 4, STRETCHES = 6 };

/* What a stretch is made of: lines it looks up, one for each of its instructions, and where its
 * ways lead. */
typedef struct plan {
    unsigned lines[3], line_count;
    unsigned first_way; /* after so many instructions */
    int goals[2];       /* or -1: out of the function */
    bool entry, calls;
    unsigned stray; /* a line fetch may stray to; 0: none */
} plan;

typedef struct rig {
    gs_stretch stretches[STRETCHES];
    gs_site sites[STRETCHES][3];
    gs_step steps[STRETCHES][3];
    gs_way ways[STRETCHES][2];
    uint8_t lines[STRETCHES][3];
    gs_strays strays[STRETCHES];
    _Alignas(gs_usual) char usual[STRETCHES][sizeof(gs_usual) + 2 * sizeof(gs_usual_way)];
    gs_code code;
    gs_cache cache;
    gs_code_lines known;
} rig;

static gs_usual *usual_of(rig *r, unsigned number)
{
    return (gs_usual *)(void *)r->usual[number];
}

static void make(rig *r, unsigned number, const plan *p)
{
    gs_stretch *s = &r->stretches[number];
    *s = (gs_stretch){.pc = p->lines[0] << SHIFT,
                      .step_count = (uint8_t)p->line_count,
                      .site_count = (uint8_t)p->line_count,
                      .way_count = 2,
                      .entry = p->entry,
                      .steps = r->steps[number],
                      .ways = r->ways[number],
                      .sites = r->sites[number],
                      .lines = r->lines[number],
                      .strays = &r->strays[number],
                      .strays_count = p->stray > 0,
                      .usual = usual_of(r, number)};
    for (unsigned i = 0; i < p->line_count; i++) {
        r->sites[number][i] = (gs_site){.kind = GS_SITE_FETCH,
                                        .step = (uint8_t)i,
                                        .owner = (uint8_t)i,
                                        .address = p->lines[i] << SHIFT};
        r->steps[number][i] =
            (gs_step){.pc = p->lines[i] << SHIFT, .fetch = (int8_t)i, .second = -1};
        if (i < p->first_way)
            r->lines[number][s->line_count++] = (uint8_t)i;
    }
    r->strays[number] = (gs_strays){.count = 1, .pc = {p->stray << SHIFT}};
    for (unsigned k = 0; k < 2; k++) {
        gs_stretch *goal = p->goals[k] < 0 ? NULL : &r->stretches[p->goals[k]];
        r->ways[number][k] = (gs_way){.kind = p->calls && k == 0 ? GS_WAY_CALL : GS_WAY_ONWARD,
                                      .steps = (uint8_t)(k == 0 ? p->first_way : p->line_count),
                                      .fetch = -1,
                                      .stray = -1};
        if (p->calls && k == 0)
            r->ways[number][k].back = goal->pc;
        else
            usual_of(r, number)->ways[k].goal = goal;
    }
}

/* The last `twins` of them are that. */
static void open(rig *r, const plan *plans, unsigned count, unsigned twins, gs_addr sets)
{
    *r = (rig){.code = {.low = 0x10, .high = 0x200, .stretches = r->stretches}};
    for (unsigned i = 0; i < count; i++)
        make(r, i, &plans[i]);
    for (unsigned i = 0; i < count; i++) /* a goal has its pc only now */
        if (plans[i].calls)
            r->ways[i][0].back = r->stretches[plans[i].goals[0]].pc;
    r->code.count = count - twins;
    r->code.twins = twins;
    r->cache = (gs_cache){.line_shift = SHIFT, .set_mask = sets - 1, .ways = 1};
    assert_true(gs_code_lines_open(&r->known, &r->code, &r->cache));
}

static bool is_new(const rig *r, unsigned stretch, unsigned step)
{
    return gs_code_lines_is_new(&r->known, &r->stretches[stretch], &r->sites[stretch][step]);
}

static bool are_known(const rig *r, unsigned goal, unsigned from, unsigned way)
{
    return gs_code_lines_are_known(&r->known, &r->stretches[goal], &r->stretches[from], way);
}

/* 0 -> 1 -> 2 -> 1, and 1 -> 3 behind its second line. */
static const plan loop[] = {
    {.lines = {1}, .line_count = 1, .first_way = 1, .goals = {1, -1}, .entry = true},
    {.lines = {2, 3}, .line_count = 2, .first_way = 1, .goals = {2, 3}},
    {.lines = {4}, .line_count = 1, .first_way = 1, .goals = {1, -1}},
    {.lines = {3, 2, 1}, .line_count = 3, .first_way = 3, .goals = {-1, -1}},
};

static void test_a_loop_looks_once(void **state)
{
    (void)state;
    static rig r;
    open(&r, loop, 4, 0, 64);
    assert_true(is_new(&r, 0, 0)); /* control comes in */
    assert_true(is_new(&r, 1, 0)); /* from 0, */
    assert_false(are_known(&r, 1, 0, 0));
    assert_true(are_known(&r, 1, 2, 0)); /* but not for who comes back */
    assert_true(is_new(&r, 2, 0));       /* in the first round */
    for (unsigned i = 0; i < 3; i++)
        assert_false(is_new(&r, 3, i));
    assert_true(are_known(&r, 3, 1, 1));
    assert_false(are_known(&r, 2, 1, 0));
    gs_code_lines_close(&r.known);
}

static void test_lines_in_the_way(void **state)
{
    (void)state;
    static rig r;
    open(&r, loop, 4, 0, 2); /* 2 and 4 are of one set, and so are 1 and 3 */
    assert_false(are_known(&r, 1, 2, 0));
    assert_true(is_new(&r, 3, 2));
    assert_true(is_new(&r, 3, 0)); /* 1 will be in its way, whatever is known */
    assert_false(is_new(&r, 3, 1));
    gs_code_lines_close(&r.known);
}

static void test_fetch_strays(void **state)
{
    (void)state;
    static rig r;
    plan strays[4];
    for (unsigned i = 0; i < 4; i++)
        strays[i] = loop[i];
    strays[2].stray = 2 + 64; /* in the way of 2 */
    open(&r, strays, 4, 0, 64);
    assert_false(are_known(&r, 1, 2, 0));
    assert_false(is_new(&r, 3, 1)); /* it has been looked up again since */
    gs_code_lines_close(&r.known);
}

static void test_calls_come_back_to_nothing(void **state)
{
    (void)state;
    static const plan calls[] = {
        {.lines = {1}, .line_count = 1, .first_way = 1, .goals = {1, -1}, .entry = true},
        {.lines = {2}, .line_count = 1, .first_way = 1, .goals = {2, -1}, .calls = true},
        {.lines = {3, 2}, .line_count = 2, .first_way = 2, .goals = {3, -1}},
        {.lines = {4, 2, 1}, .line_count = 3, .first_way = 3, .goals = {-1, -1}},
    };
    static rig r;
    open(&r, calls, 4, 0, 64);
    assert_true(is_new(&r, 2, 0) && is_new(&r, 2, 1));
    assert_true(is_new(&r, 3, 0) && is_new(&r, 3, 2));
    assert_false(is_new(&r, 3, 1));
    gs_code_lines_close(&r.known);
}

static void test_twins_are_entered_like_each_other(void **state)
{
    (void)state;
    static const plan twins[] = {
        {.lines = {1}, .line_count = 1, .first_way = 1, .goals = {2, -1}, .entry = true},
        {.lines = {2}, .line_count = 1, .first_way = 1, .goals = {-1, -1}, .entry = true},
        {.lines = {2, 1}, .line_count = 2, .first_way = 2, .goals = {-1, -1}},
    };
    static rig r;
    open(&r, twins, 3, 1, 64);
    assert_true(is_new(&r, 2, 1)); /* by 0 it is known, but by the other twin's entry it is not */
    assert_true(gs_code_lines_is_new_later(&r.known, &r.stretches[0], &r.sites[2][0]));
    assert_false(gs_code_lines_is_new_later(&r.known, &r.stretches[0], &r.sites[2][1]));
    gs_code_lines_close(&r.known);
}

static void test_without_a_cache(void **state)
{
    (void)state;
    gs_code_lines none;
    assert_true(gs_code_lines_open(&none, &(gs_code){.count = 0}, NULL));
    gs_code_lines_close(&none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_loop_looks_once),
        cmocka_unit_test(test_lines_in_the_way),
        cmocka_unit_test(test_fetch_strays),
        cmocka_unit_test(test_calls_come_back_to_nothing),
        cmocka_unit_test(test_twins_are_entered_like_each_other),
        cmocka_unit_test(test_without_a_cache),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
