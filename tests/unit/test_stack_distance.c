/*
 * The misses of all caches at once against the cache model, one cache after the other, over
 * accesses that are random, that walk, and that stay near each other; with and without stores that
 * allocate.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "explore/stack_distance.h"
#include "timing/cache.h"

enum { ACCESSES = 4000 };

typedef struct access {
    uint32_t address;
    bool write, empties;
} access;

static access accesses[ACCESSES];
static uint64_t random_state = 20250601;

static uint32_t below(uint32_t n)
{
    uint64_t z = random_state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((z ^ z >> 31) % n);
}

/* `spread` is the number of bytes that are touched; now and then everything is dropped. */
static void make_accesses(uint32_t spread, bool empties)
{
    uint32_t walk = 0, near = 0;
    for (unsigned i = 0; i < ACCESSES; i++) {
        switch (below(4)) {
        case 0: near = below(spread); break;
        case 1: near = walk += 4; break;
        default: near += below(9) - 4; break;
        }
        accesses[i] =
            (access){near % spread, below(3) == 0, empties && i > 0 && below(ACCESSES / 3) == 0};
    }
}

static uint64_t compare(uint32_t line, bool allocate)
{
    gs_stack_distance *stack;
    gs_error err;
    uint64_t compared = 0;
    assert_int_equal(gs_stack_open(&stack, line, allocate, &err), GS_OK);
    for (unsigned i = 0; i < ACCESSES; i++) {
        if (accesses[i].empties)
            gs_stack_invalidate(stack);
        gs_stack_access(stack, accesses[i].address, accesses[i].write);
    }
    for (uint32_t size = GS_STACK_MIN_SIZE; size <= GS_STACK_MAX_SIZE; size *= 2) {
        for (uint32_t ways = 1; ways <= GS_STACK_MAX_WAYS; ways *= 2) {
            gs_stack_counts counts;
            const bool followed = gs_stack_misses(stack, size, ways, &counts);
            assert_int_equal(followed, ways * line <= size);
            if (!followed)
                continue;
            const gs_cache_config config = {.size_bytes = size,
                                            .line_bytes = line,
                                            .ways = ways,
                                            .replacement = GS_CACHE_LRU,
                                            .write_allocate = allocate};
            gs_cache cache;
            assert_int_equal(gs_cache_init(&cache, &config, &err), GS_OK);
            for (unsigned i = 0; i < ACCESSES; i++) {
                if (accesses[i].empties)
                    gs_cache_invalidate_all(&cache);
                (void)gs_cache_access(&cache, accesses[i].address, accesses[i].write);
            }
            assert_int_equal(counts.reads, cache.stats.reads);
            assert_int_equal(counts.writes, cache.stats.writes);
            assert_int_equal(counts.read_misses, cache.stats.read_misses);
            assert_int_equal(counts.write_misses, cache.stats.write_misses);
            gs_cache_fini(&cache);
            compared++;
        }
    }
    gs_stack_free(stack);
    return compared;
}

static void test_all_caches_miss_as_the_model_does(void **state)
{
    static const uint32_t spreads[] = {300, 5000, 70000, 1 << 20};
    (void)state;
    for (unsigned s = 0; s < sizeof spreads / sizeof *spreads; s++) {
        make_accesses(spreads[s], s & 1);
        for (uint32_t line = GS_STACK_MIN_LINE; line <= GS_STACK_MAX_LINE; line *= 2) {
            assert_true(compare(line, true) >= 45);
            assert_true(compare(line, false) >= 45);
        }
    }
}

static void test_what_is_not_followed(void **state)
{
    gs_stack_distance *stack;
    gs_stack_counts counts;
    gs_error err;
    (void)state;
    assert_int_equal(gs_stack_open(&stack, 16, true, &err), GS_OK);
    assert_false(gs_stack_misses(stack, 128, 1, &counts));
    assert_false(gs_stack_misses(stack, 512 << 10, 1, &counts));
    assert_false(gs_stack_misses(stack, 4096, 0, &counts));
    assert_false(gs_stack_misses(stack, 4096, 3, &counts));
    assert_false(gs_stack_misses(stack, 4096, 32, &counts));
    assert_false(gs_stack_misses(stack, 5000, 1, &counts));
    gs_stack_free(stack);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_caches_miss_as_the_model_does),
        cmocka_unit_test(test_what_is_not_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
