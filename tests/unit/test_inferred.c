/*
 * Ways out of superblocks that need not be counted: what is inferred is what would have been
 * counted, in code of any shape, whatever comes and goes otherwise.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/arena.h"
#include "engine/fast/translate/inferred.h"

enum { SUPERBLOCKS = 12, WAYS = 3, CELLS = SUPERBLOCKS * (WAYS + 1), MOVES = 2000, SEEDS = 400 };

typedef struct rig {
    gs_superblock superblocks[SUPERBLOCKS];
    gs_sb_exit exits[SUPERBLOCKS][WAYS];
    _Alignas(gs_entry_states) char predicted[SUPERBLOCKS][sizeof(gs_entry_states) +
                                                          WAYS * sizeof(gs_predicted_exit)];
    gs_code code;
    gs_arena arena;
    bool at_any_time;
    uint64_t counted[CELLS], true_times[CELLS];
    uint32_t random;
} rig;

static unsigned draw(rig *r, unsigned below)
{
    r->random = r->random * 1664525u + 1013904223u;
    return (r->random >> 16) % below;
}

/* Some transition; what it says is of no interest here. */
static gs_transition *any_transition(void)
{
    static char transition;
    return (gs_transition *)(void *)&transition;
}

static void make_way(rig *r, unsigned superblock, unsigned exit)
{
    gs_superblock *s = &r->superblocks[superblock];
    const unsigned kind = draw(r, 10);
    s->exits[exit] = (gs_sb_exit){.kind = GS_SB_EXIT_ONWARD};
    s->predicted->exits[exit] = (gs_predicted_exit){.transition = any_transition()};
    if (kind == 0) { /* its goal is not known: it is counted elsewhere */
        s->exits[exit].kind = GS_SB_EXIT_INDIRECT;
        s->predicted->exits[exit].transition = NULL;
    } else if (kind == 1) {
        s->exits[exit].kind = GS_SB_EXIT_CALL;
        s->exits[exit].back = r->superblocks[draw(r, SUPERBLOCKS)].pc;
    } else if (kind > 2) {
        s->predicted->exits[exit].goal = &r->superblocks[draw(r, SUPERBLOCKS)];
    }
}

static void open(rig *r, uint32_t seed)
{
    *r = (rig){.random = seed};
    for (unsigned i = 0; i < SUPERBLOCKS; i++) {
        const bool clone = i == SUPERBLOCKS - 1;
        r->superblocks[i] =
            (gs_superblock){.pc = clone ? 0x110 : 0x100 + 0x10 * i,
                            .exit_count = (uint8_t)(1 + draw(r, WAYS)),
                            .entry = i == 0 || (!clone && draw(r, 6) == 0),
                            .clone = clone,
                            .exits = r->exits[i],
                            .predicted = (gs_entry_states *)(void *)r->predicted[i]};
        r->superblocks[i].predicted->cell = i * WAYS;
        r->superblocks[i].predicted->otherwise = SUPERBLOCKS * WAYS + i;
    }
    for (unsigned i = 0; i < SUPERBLOCKS; i++) {
        for (unsigned k = 0; k < r->superblocks[i].exit_count; k++)
            make_way(r, i, k);
    }
    r->code = (gs_code){.superblocks = r->superblocks, .count = SUPERBLOCKS - 1, .clones = 1};
    r->at_any_time = seed % 2;
    assert_true(gs_inferred_find(&r->code, r->at_any_time, &r->arena));
}

static void move_otherwise(rig *r, const gs_superblock *s, int64_t times)
{
    r->counted[s->predicted->otherwise] += (uint64_t)times;
}

/* Control comes in somewhere, and moves on until it leaves. */
static void walk(rig *r)
{
    gs_superblock *s = &r->superblocks[draw(r, SUPERBLOCKS)];
    while (!s->entry)
        s = &r->superblocks[draw(r, SUPERBLOCKS)];
    move_otherwise(r, s, 1);
    for (unsigned i = 0; s && i < 100; i++) {
        const unsigned exit = draw(r, s->exit_count);
        gs_predicted_exit *predicted = &s->predicted->exits[exit];
        const uint32_t cell = s->predicted->cell + exit;
        gs_superblock *next = gs_predict_next(predicted);
        const unsigned how = draw(r, 20);
        if (how == 0 || i == 99) { /* in the middle of it */
            move_otherwise(r, s, -1);
            return;
        }
        if (how == 1 && predicted->transition) { /* the exit is taken slowly */
            move_otherwise(r, s, -1);
            if (next)
                move_otherwise(r, next, 1);
        } else if (predicted->transition) {
            r->counted[cell] += !predicted->inferred;
            r->true_times[cell]++;
        }
        if (s->exits[exit].kind == GS_SB_EXIT_CALL) {
            const bool comes_back = draw(r, 8) > 0;
            if (r->at_any_time) /* and that is not counted */
                next = comes_back ? gs_code_at(&r->code, s->exits[exit].back) : NULL;
            else if (!comes_back)
                move_otherwise(r, next, -1);
            next = comes_back ? next : NULL;
        }
        s = next;
    }
}

static void test_inferred_is_what_would_be_counted(void **state)
{
    (void)state;
    unsigned inferred = 0, exits = 0;
    static rig r;
    for (uint32_t seed = 1; seed <= SEEDS; seed++) {
        open(&r, seed);
        for (unsigned i = 0; i < MOVES / 100; i++)
            walk(&r);
        uint64_t balance[SUPERBLOCKS];
        gs_inferred_complete(r.superblocks, SUPERBLOCKS, r.code.inferred, r.code.inferred_count,
                             r.counted, balance);
        for (unsigned i = 0; i < SUPERBLOCKS; i++) {
            for (unsigned k = 0; k < r.superblocks[i].exit_count; k++) {
                const uint32_t cell = r.superblocks[i].predicted->cell + k;
                inferred += r.superblocks[i].predicted->exits[k].inferred;
                exits++;
                if (r.counted[cell] != r.true_times[cell])
                    fail_msg("seed %u: exit %u of superblock %u: %llu, not %llu", seed, k, i,
                             (unsigned long long)r.counted[cell],
                             (unsigned long long)r.true_times[cell]);
            }
        }
        gs_arena_free(&r.arena);
    }
    assert_true(inferred > exits / 4); /* it is worth it */
}

/* 0 -> 1 -> 2 -> 0, and 1 -> 0: all that is counted is which exit 1 takes. */
static void test_a_round_counts_once(void **state)
{
    (void)state;
    static rig r;
    static const struct {
        unsigned superblock, exit, goal;
    } edges[] = {{0, 0, 1}, {1, 0, 2}, {1, 1, 0}, {2, 0, 0}};
    r = (rig){.random = 1};
    for (unsigned i = 0; i < 3; i++) {
        r.superblocks[i] = (gs_superblock){.pc = 0x100 + 0x10 * i,
                                           .exit_count = i == 1 ? 2 : 1,
                                           .entry = i == 0,
                                           .exits = r.exits[i],
                                           .predicted = (gs_entry_states *)(void *)r.predicted[i]};
    }
    for (unsigned i = 0; i < sizeof edges / sizeof *edges; i++)
        r.superblocks[edges[i].superblock].predicted->exits[edges[i].exit] = (gs_predicted_exit){
            .transition = any_transition(), .goal = &r.superblocks[edges[i].goal]};
    r.code = (gs_code){.superblocks = r.superblocks, .count = 3};
    assert_true(gs_inferred_find(&r.code, false, &r.arena));
    assert_int_equal(r.code.inferred_count, 2);
    assert_true(r.superblocks[0].predicted->exits[0].inferred);
    assert_true(r.superblocks[2].predicted->exits[0].inferred);
    gs_arena_free(&r.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inferred_is_what_would_be_counted),
        cmocka_unit_test(test_a_round_counts_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
