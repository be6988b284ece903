/*
 * Cache studies and followers through their public headers: what one run says of other caches and
 * of a core like its own is what runs with those say.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "elf_builder.h"
#include "encode.h"
#include "gumshoe/explore.h"
#include "gumshoe/run.h"

enum { BASE = 0x80000000, CODE_WORDS = 16, INSTRUCTIONS = 20000 };
enum { A0 = 10, A1, A2, A3, SP = 2 };

static uint32_t sw(unsigned rs2, unsigned rs1)
{
    return 0x2023 | rs2 << 20 | rs1 << 15;
}

static uint32_t lw(unsigned rd, unsigned rs1)
{
    return 0x2003 | rd << 7 | rs1 << 15;
}

/* Loads and stores at two strides in 8 KB for ever. */
static gs_image *open_program(void)
{
    const uint32_t code[CODE_WORDS] = {
        rv_lui(A0, 0x80020),
        rv_lui(SP, 0x2), /* 8 KB, the mask of offsets in there */
        rv_addi(SP, SP, -4),
        rv_addi(A1, A1, 36), /* 0c: again */
        0x0025f5b3,          /* and a1, a1, sp */
        0x00b506b3,          /* add a3, a0, a1 */
        lw(A2, A3),
        rv_addi(A3, A3, 1024),
        sw(A2, A3),
        rv_addi(A3, A3, -964),
        lw(A2, A3),
        rv_jump(-32),
        RV_NOP,
        RV_NOP,
        RV_NOP,
        RV_NOP,
    };
    elf_builder elf;
    gs_image *image;
    gs_error err;
    size_t size;
    elf_start(&elf, EM_RISCV, false);
    elf.entry = BASE;
    elf_code(&elf, BASE, code, CODE_WORDS);
    elf_function(&elf, "_start", BASE, 4 * CODE_WORDS);
    uint8_t *bytes = elf_finish(&elf, &size);
    if (gs_image_open_memory(&image, bytes, size, "test.elf", &err) != GS_OK)
        fail_msg("%s", err.message);
    free(bytes);
    return image;
}

typedef struct run {
    gs_core *core;
    gs_machine *machine;
    gs_timing *timing;
} run;

static gs_core *open_core(const char *name, const char *const *set, size_t set_count)
{
    gs_core *core;
    gs_error err;
    if (gs_core_open(&core, name, set, set_count, &err) != GS_OK)
        fail_msg("%s", err.message);
    return core;
}

static run open_run(const gs_image *image, const char *name, const char *const *set, size_t count)
{
    run r = {.core = open_core(name, set, count)};
    gs_machine_options options = gs_machine_options_default();
    gs_error err;
    gs_core_configure(r.core, &options);
    options.env = GS_ENV_BARE;
    if (gs_machine_open(&r.machine, image, &options, &err) != GS_OK ||
        gs_timing_open(&r.timing, r.core, r.machine, &err) != GS_OK)
        fail_msg("%s", err.message);
    return r;
}

static void run_all(const run *r, gs_timing *const *followers, size_t count)
{
    gs_error err;
    const gs_run_options how = {.max_instructions = INSTRUCTIONS,
                                .timing = r->timing,
                                .followers = followers,
                                .follower_count = count};
    if (gs_run(r->machine, &how, &err) != GS_OK)
        fail_msg("%s", err.message);
}

static void close_run(run *r)
{
    gs_timing_free(r->timing);
    gs_machine_free(r->machine);
    gs_core_free(r->core);
}

/* A run of its own with these caches of data and instructions. */
static void compare_shape(const gs_image *image, const gs_cache_study *study,
                          const gs_cache_shape *shape)
{
    char text[6][40];
    const char *set[6];
    gs_cache_counts counts;
    gs_cache_misses misses;
    for (unsigned i = 0; i < 6; i++) {
        const char *key = (const char *[]){"size", "line", "ways"}[i / 2];
        const uint32_t value = (const uint32_t[]){shape->size, shape->line, shape->ways}[i / 2];
        snprintf(text[i], sizeof text[i], "%ccache.%s=%u", i & 1 ? 'i' : 'd', key, value);
        set[i] = text[i];
    }
    run r = open_run(image, "flatfoot", set, 6);
    run_all(&r, NULL, 0);
    assert_true(gs_timing_dcache(r.timing, &counts));
    assert_true(gs_cache_study_misses(study, true, shape, &misses));
    assert_int_equal(counts.misses, misses.read_misses + misses.write_misses);
    assert_true(misses.reads + misses.writes > INSTRUCTIONS / 4);
    assert_true(gs_timing_icache(r.timing, &counts));
    assert_true(gs_cache_study_misses(study, false, shape, &misses));
    assert_int_equal(counts.misses, misses.read_misses);
    close_run(&r);
}

static void test_misses_are_those_of_runs_with_each_cache(void **state)
{
    gs_image *image = open_program();
    run r = open_run(image, "flatfoot", NULL, 0);
    gs_cache_study *study;
    gs_cache_shape shape;
    gs_cache_misses misses;
    gs_error err;
    size_t followers, shapes = 0;
    (void)state;
    if (gs_cache_study_open(&study, "flatfoot", NULL, 0, r.machine, &err) != GS_OK)
        fail_msg("%s", err.message);
    assert_null(gs_cache_study_no_instructions(study));
    assert_false(gs_cache_study_allocates(study)); /* flatfoot's stores go around its cache */
    gs_timing *const *timings = gs_cache_study_followers(study, &followers);
    run_all(&r, timings, followers);
    assert_false(gs_machine_saw_time(r.machine));
    for (; gs_cache_study_shape(shapes, &shape); shapes++)
        if (shapes % 29 == 0 && shape.size >= shape.line * shape.ways)
            compare_shape(image, study, &shape);
    assert_true(shapes > 100);
    shape = (gs_cache_shape){.size = 3000, .line = 16, .ways = 1};
    assert_false(gs_cache_study_misses(study, true, &shape, &misses));
    gs_cache_study_free(study);
    close_run(&r);
    gs_image_free(image);
}

static void test_followers_of_a_core_alike(void **state)
{
    static const char *const slow[] = {"memory.first=20"};
    gs_image *image = open_program();
    run r = open_run(image, "flatfoot", NULL, 0), alone = open_run(image, "flatfoot", slow, 1);
    gs_core *slower = open_core("flatfoot", slow, 1), *other = open_core("picorv32", NULL, 0);
    gs_timing *follower;
    gs_error err;
    (void)state;
    assert_true(gs_core_is_alike(r.core, slower));
    assert_false(gs_core_is_alike(r.core, other)); /* it has compressed code */
    assert_int_equal(gs_timing_open(&follower, slower, r.machine, &err), GS_OK);
    run_all(&r, &follower, 1);
    run_all(&alone, NULL, 0);
    assert_int_equal(gs_timing_cycles(follower), gs_timing_cycles(alone.timing));
    assert_true(gs_timing_cycles(follower) > gs_timing_cycles(r.timing));
    gs_timing_free(follower);
    gs_core_free(slower);
    gs_core_free(other);
    close_run(&r);
    close_run(&alone);
    gs_image_free(image);
}

static void test_a_pipeline_without_caches_has_none_to_study(void **state)
{
    gs_image *image = open_program();
    run r = open_run(image, "picorv32", NULL, 0);
    gs_cache_study *study;
    gs_error err;
    (void)state;
    assert_int_equal(gs_cache_study_open(&study, "picorv32", NULL, 0, r.machine, &err),
                     GS_E_UNSUPPORTED);
    assert_null(study);
    close_run(&r);
    gs_image_free(image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_misses_are_those_of_runs_with_each_cache),
        cmocka_unit_test(test_followers_of_a_core_alike),
        cmocka_unit_test(test_a_pipeline_without_caches_has_none_to_study),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
