/*
 * Which I-cache lines need no second lookup: looked up on every exit that leads there, and not
 * displaced since.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/fast/translate/icache_lines.h"

enum { SHIFT = 4, SUPERBLOCKS = 6 };

/* What a superblock is made of: lines it looks up, one for each of its instructions, and where its
 * ways lead. */
typedef struct plan {
    unsigned lines[3], line_count;
    unsigned first_way; /* after so many instructions */
    int goals[2];       /* or -1: out of the function */
    bool entry, calls;
    unsigned wrong_path; /* a line fetch may stray to; 0: none */
} plan;

typedef struct rig {
    gs_superblock superblocks[SUPERBLOCKS];
    gs_site sites[SUPERBLOCKS][3];
    gs_step steps[SUPERBLOCKS][3];
    gs_sb_exit exits[SUPERBLOCKS][2];
    uint8_t lines[SUPERBLOCKS][3];
    gs_wrong_path wrong_path[SUPERBLOCKS];
    _Alignas(gs_entry_states) char predicted[SUPERBLOCKS][sizeof(gs_entry_states) +
                                                          2 * sizeof(gs_predicted_exit)];
    gs_code code;
    gs_cache cache;
    gs_icache_lines known;
} rig;

static gs_entry_states *entry_states_of(rig *r, unsigned number)
{
    return (gs_entry_states *)(void *)r->predicted[number];
}

static void make(rig *r, unsigned number, const plan *p)
{
    gs_superblock *s = &r->superblocks[number];
    *s = (gs_superblock){.pc = p->lines[0] << SHIFT,
                         .step_count = (uint8_t)p->line_count,
                         .site_count = (uint8_t)p->line_count,
                         .exit_count = 2,
                         .entry = p->entry,
                         .steps = r->steps[number],
                         .exits = r->exits[number],
                         .sites = r->sites[number],
                         .lines = r->lines[number],
                         .wrong_path = &r->wrong_path[number],
                         .wrong_path_count = p->wrong_path > 0,
                         .predicted = entry_states_of(r, number)};
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
    r->wrong_path[number] = (gs_wrong_path){.count = 1, .pc = {p->wrong_path << SHIFT}};
    for (unsigned k = 0; k < 2; k++) {
        gs_superblock *goal = p->goals[k] < 0 ? NULL : &r->superblocks[p->goals[k]];
        r->exits[number][k] =
            (gs_sb_exit){.kind = p->calls && k == 0 ? GS_SB_EXIT_CALL : GS_SB_EXIT_ONWARD,
                         .steps = (uint8_t)(k == 0 ? p->first_way : p->line_count),
                         .fetch = -1,
                         .wrong_path = -1};
        if (p->calls && k == 0)
            r->exits[number][k].back = goal->pc;
        else
            entry_states_of(r, number)->exits[k].goal = goal;
    }
}

/* The last `clones` of them are that. */
static void open(rig *r, const plan *plans, unsigned count, unsigned clones, gs_addr sets)
{
    *r = (rig){.code = {.low = 0x10, .high = 0x200, .superblocks = r->superblocks}};
    for (unsigned i = 0; i < count; i++)
        make(r, i, &plans[i]);
    for (unsigned i = 0; i < count; i++) /* a goal has its pc only now */
        if (plans[i].calls)
            r->exits[i][0].back = r->superblocks[plans[i].goals[0]].pc;
    r->code.count = count - clones;
    r->code.clones = clones;
    r->cache = (gs_cache){.line_shift = SHIFT, .set_mask = sets - 1, .ways = 1};
    assert_true(gs_icache_lines_open(&r->known, &r->code, &r->cache));
}

static bool is_new(const rig *r, unsigned superblock, unsigned step)
{
    return gs_icache_lines_is_new(&r->known, &r->superblocks[superblock],
                                  &r->sites[superblock][step]);
}

static bool are_known(const rig *r, unsigned goal, unsigned from, unsigned exit)
{
    return gs_icache_lines_are_known(&r->known, &r->superblocks[goal], &r->superblocks[from], exit);
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
    assert_true(are_known(&r, 1, 2, 0)); /* but not where control comes back */
    assert_true(is_new(&r, 2, 0));       /* in the first round */
    for (unsigned i = 0; i < 3; i++)
        assert_false(is_new(&r, 3, i));
    assert_true(are_known(&r, 3, 1, 1));
    assert_false(are_known(&r, 2, 1, 0));
    gs_icache_lines_close(&r.known);
}

static void test_lines_in_the_way(void **state)
{
    (void)state;
    static rig r;
    open(&r, loop, 4, 0, 2); /* 2 and 4 are of one set, and so are 1 and 3 */
    assert_false(are_known(&r, 1, 2, 0));
    assert_true(is_new(&r, 3, 2));
    assert_true(is_new(&r, 3, 0)); /* 1 will be in its exit, whatever is known */
    assert_false(is_new(&r, 3, 1));
    gs_icache_lines_close(&r.known);
}

static void test_fetch_strays(void **state)
{
    (void)state;
    static rig r;
    plan wrong_path[4];
    for (unsigned i = 0; i < 4; i++)
        wrong_path[i] = loop[i];
    wrong_path[2].wrong_path = 2 + 64; /* in the exit of 2 */
    open(&r, wrong_path, 4, 0, 64);
    assert_false(are_known(&r, 1, 2, 0));
    assert_false(is_new(&r, 3, 1)); /* it has been looked up again since */
    gs_icache_lines_close(&r.known);
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
    gs_icache_lines_close(&r.known);
}

static void test_clones_are_entered_like_each_other(void **state)
{
    (void)state;
    static const plan clones[] = {
        {.lines = {1}, .line_count = 1, .first_way = 1, .goals = {2, -1}, .entry = true},
        {.lines = {2}, .line_count = 1, .first_way = 1, .goals = {-1, -1}, .entry = true},
        {.lines = {2, 1}, .line_count = 2, .first_way = 2, .goals = {-1, -1}},
    };
    static rig r;
    open(&r, clones, 3, 1, 64);
    assert_true(is_new(&r, 2, 1)); /* by 0 it is known, but by the other clone's entry it is not */
    assert_true(gs_icache_lines_is_new_later(&r.known, &r.superblocks[0], &r.sites[2][0]));
    assert_false(gs_icache_lines_is_new_later(&r.known, &r.superblocks[0], &r.sites[2][1]));
    gs_icache_lines_close(&r.known);
}

static void test_without_a_cache(void **state)
{
    (void)state;
    gs_icache_lines none;
    assert_true(gs_icache_lines_open(&none, &(gs_code){.count = 0}, NULL));
    gs_icache_lines_close(&none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_loop_looks_once),
        cmocka_unit_test(test_lines_in_the_way),
        cmocka_unit_test(test_fetch_strays),
        cmocka_unit_test(test_calls_come_back_to_nothing),
        cmocka_unit_test(test_clones_are_entered_like_each_other),
        cmocka_unit_test(test_without_a_cache),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
