/*
 * Ways out of stretches that need not be counted: what is inferred is what would have been counted,
 * in code of any shape, whatever comes and goes otherwise.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/arena.h"
#include "engine/fast/inferred.h"

enum { STRETCHES = 12, WAYS = 3, CELLS = STRETCHES * (WAYS + 1), MOVES = 2000, SEEDS = 400 };

typedef struct rig {
    gs_stretch stretches[STRETCHES];
    gs_way ways[STRETCHES][WAYS];
    _Alignas(gs_usual) char usual[STRETCHES][sizeof(gs_usual) + WAYS * sizeof(gs_usual_way)];
    gs_code code;
    gs_arena arena;
    uint64_t counted[CELLS], true_times[CELLS];
    uint32_t random;
} rig;

static unsigned draw(rig *r, unsigned below)
{
    r->random = r->random * 1664525u + 1013904223u;
    return (r->random >> 16) % below;
}

/* Some lesson; what it says is of no interest here. */
static gs_fast_lesson *any_lesson(void)
{
    static char lesson;
    return (gs_fast_lesson *)(void *)&lesson;
}

static void make_way(rig *r, unsigned stretch, unsigned way)
{
    gs_stretch *s = &r->stretches[stretch];
    const unsigned kind = draw(r, 10);
    s->ways[way] = (gs_way){.kind = GS_WAY_ONWARD};
    s->usual->ways[way] = (gs_usual_way){.lesson = any_lesson()};
    if (kind == 0) { /* nobody knows where to: it is counted elsewhere */
        s->ways[way].kind = GS_WAY_INDIRECT;
        s->usual->ways[way].lesson = NULL;
    } else if (kind == 1) {
        s->ways[way].kind = GS_WAY_CALL;
        s->ways[way].back = r->stretches[draw(r, STRETCHES)].pc;
    } else if (kind > 2) {
        s->usual->ways[way].goal = &r->stretches[draw(r, STRETCHES)];
    }
}

static void open(rig *r, uint32_t seed)
{
    *r = (rig){.random = seed};
    for (unsigned i = 0; i < STRETCHES; i++) {
        const bool twin = i == STRETCHES - 1;
        r->stretches[i] = (gs_stretch){.pc = twin ? 0x110 : 0x100 + 0x10 * i,
                                       .way_count = (uint8_t)(1 + draw(r, WAYS)),
                                       .entry = i == 0 || (!twin && draw(r, 6) == 0),
                                       .twin = twin,
                                       .ways = r->ways[i],
                                       .usual = (gs_usual *)(void *)r->usual[i]};
        r->stretches[i].usual->cell = i * WAYS;
        r->stretches[i].usual->otherwise = STRETCHES * WAYS + i;
    }
    for (unsigned i = 0; i < STRETCHES; i++) {
        for (unsigned k = 0; k < r->stretches[i].way_count; k++)
            make_way(r, i, k);
    }
    r->code = (gs_code){.stretches = r->stretches, .count = STRETCHES - 1, .twins = 1};
    assert_true(gs_inferred_find(&r->code, &r->arena));
}

static void move_otherwise(rig *r, const gs_stretch *s, int64_t times)
{
    r->counted[s->usual->otherwise] += (uint64_t)times;
}

/* Control comes in somewhere, and moves on until it leaves. */
static void walk(rig *r)
{
    gs_stretch *s = &r->stretches[draw(r, STRETCHES)];
    while (!s->entry)
        s = &r->stretches[draw(r, STRETCHES)];
    move_otherwise(r, s, 1);
    for (unsigned i = 0; s && i < 100; i++) {
        const unsigned way = draw(r, s->way_count);
        gs_usual_way *usual = &s->usual->ways[way];
        const uint32_t cell = s->usual->cell + way;
        gs_stretch *next = gs_usual_next(usual);
        const unsigned how = draw(r, 20);
        if (how == 0 || i == 99) { /* in the middle of it */
            move_otherwise(r, s, -1);
            return;
        }
        if (how == 1 && usual->lesson) { /* somebody else takes the way */
            move_otherwise(r, s, -1);
            if (next)
                move_otherwise(r, next, 1);
        } else if (usual->lesson) {
            r->counted[cell] += !usual->inferred;
            r->true_times[cell]++;
        }
        if (s->ways[way].kind == GS_WAY_CALL && draw(r, 8) == 0) { /* it does not come back */
            move_otherwise(r, next, -1);
            next = NULL;
        }
        s = next;
    }
}

static void test_inferred_is_what_would_be_counted(void **state)
{
    (void)state;
    unsigned inferred = 0, ways = 0;
    static rig r;
    for (uint32_t seed = 1; seed <= SEEDS; seed++) {
        open(&r, seed);
        for (unsigned i = 0; i < MOVES / 100; i++)
            walk(&r);
        uint64_t balance[STRETCHES];
        gs_inferred_complete(r.stretches, STRETCHES, r.code.inferred, r.code.inferred_count,
                             r.counted, balance);
        for (unsigned i = 0; i < STRETCHES; i++) {
            for (unsigned k = 0; k < r.stretches[i].way_count; k++) {
                const uint32_t cell = r.stretches[i].usual->cell + k;
                inferred += r.stretches[i].usual->ways[k].inferred;
                ways++;
                if (r.counted[cell] != r.true_times[cell])
                    fail_msg("seed %u: way %u of stretch %u: %llu, not %llu", seed, k, i,
                             (unsigned long long)r.counted[cell],
                             (unsigned long long)r.true_times[cell]);
            }
        }
        gs_arena_free(&r.arena);
    }
    assert_true(inferred > ways / 4); /* it is worth it */
}

/* 0 -> 1 -> 2 -> 0, and 1 -> 0: all that is counted is which way 1 takes. */
static void test_a_round_counts_once(void **state)
{
    (void)state;
    static rig r;
    static const struct {
        unsigned stretch, way, goal;
    } edges[] = {{0, 0, 1}, {1, 0, 2}, {1, 1, 0}, {2, 0, 0}};
    r = (rig){.random = 1};
    for (unsigned i = 0; i < 3; i++) {
        r.stretches[i] = (gs_stretch){.pc = 0x100 + 0x10 * i,
                                      .way_count = i == 1 ? 2 : 1,
                                      .entry = i == 0,
                                      .ways = r.ways[i],
                                      .usual = (gs_usual *)(void *)r.usual[i]};
    }
    for (unsigned i = 0; i < sizeof edges / sizeof *edges; i++)
        r.stretches[edges[i].stretch].usual->ways[edges[i].way] =
            (gs_usual_way){.lesson = any_lesson(), .goal = &r.stretches[edges[i].goal]};
    r.code = (gs_code){.stretches = r.stretches, .count = 3};
    assert_true(gs_inferred_find(&r.code, &r.arena));
    assert_int_equal(r.code.inferred_count, 2);
    assert_true(r.stretches[0].usual->ways[0].inferred);
    assert_true(r.stretches[2].usual->ways[0].inferred);
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
