/*
 * SnoopP, beat by beat: sequences worked out by hand against its counters and bus registers; and
 * hunts for hot functions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "elf_builder.h"
#include "gumshoe/firmware/snoopp.h"
#include "units/snoopp/hunt.h"
#include "units/snoopp/snoopp.h"

enum { FUNCTIONS = 250 };

static void set_range(gs_snoopp *s, unsigned i, uint32_t first, uint32_t last)
{
    s->first[i] = first;
    s->last[i] = last;
    s->count = i + 1;
}

static void beat(gs_snoopp *s, uint32_t pc, uint64_t cycles)
{
    gs_port port = {.valid = true, .pc = pc, .cycles = cycles};
    if (cycles > 1)
        port.stall[GS_STALL_I_MISS] = cycles - 1;
    gs_snoopp_beat(s, &port);
}

/*
 * Ranges: 0 is 100..1ff, 1 is 180..18f inside it, 2 is one instruction, 3 is all there is.
 *
 * pc        cycles   0    1    2    3
 * 0fe       1                       1
 * 100       2        2              3
 * 180       3        5    3         6
 * 18f       1        6    4         7
 * 190       1        7         1    8
 * 1ff       10       17             18
 * 200       5                       23
 * ffffffff  1                       24
 */
static const struct {
    uint32_t pc;
    uint64_t cycles;
} sequence[] = {{0xfe, 1},  {0x100, 2},  {0x180, 3}, {0x18f, 1},
                {0x190, 1}, {0x1ff, 10}, {0x200, 5}, {UINT32_MAX, 1}};

static void test_ranges(void **state)
{
    (void)state;
    static const struct {
        gs_amount amount;
        uint64_t wanted[4];
    } cases[] = {
        {GS_AMOUNT_CYCLES, {17, 4, 1, 24}}, {GS_AMOUNT_INSTRUCTIONS, {5, 2, 1, 8}},
        {GS_AMOUNT_STALLS, {12, 2, 0, 16}}, {GS_AMOUNT_I_STALLS, {12, 2, 0, 16}},
        {GS_AMOUNT_D_STALLS, {0, 0, 0, 0}},
    };
    static gs_snoopp s;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        s = (gs_snoopp){.amount = cases[c].amount, .width = 64};
        set_range(&s, 0, 0x100, 0x1ff);
        set_range(&s, 1, 0x180, 0x18f);
        set_range(&s, 2, 0x190, 0x190);
        set_range(&s, 3, 0, UINT32_MAX);
        gs_snoopp_reset_state(&s);
        for (size_t i = 0; i < sizeof sequence / sizeof *sequence; i++)
            beat(&s, sequence[i].pc, sequence[i].cycles);
        gs_port trap = {.trap = true, .pc = 0x180, .cycles = 7};
        gs_snoopp_beat(&s, &trap); /* nothing retired */
        for (unsigned i = 0; i < 4; i++)
            assert_int_equal(s.counter[i], cases[c].wanted[i]);
    }
}

/* Data: accesses at 0x1000 and 0x1003 are inside, 0x0fff and 0x1004 are not; without an access an
 * address means nothing. */
static void test_data(void **state)
{
    (void)state;
    static gs_snoopp s;
    static const struct {
        uint32_t address;
        uint8_t size;
    } accesses[] = {{0x0fff, 1}, {0x1000, 4}, {0x1003, 1}, {0x1004, 4}, {0x1000, 0}};
    s = (gs_snoopp){.width = 64, .data = true};
    set_range(&s, 0, 0x1000, 0x1003);
    gs_snoopp_reset_state(&s);
    for (size_t i = 0; i < sizeof accesses / sizeof *accesses; i++) {
        gs_port port = {.valid = true,
                        .pc = 0x1000,
                        .cycles = 9,
                        .address = accesses[i].address,
                        .size = accesses[i].size};
        gs_snoopp_beat(&s, &port);
    }
    assert_int_equal(s.counter[0], 2);
}

static void test_wrap(void **state)
{
    (void)state;
    static gs_snoopp s;
    s = (gs_snoopp){.amount = GS_AMOUNT_CYCLES, .width = 32};
    set_range(&s, 0, 0, UINT32_MAX);
    gs_snoopp_reset_state(&s);
    beat(&s, 0, UINT32_MAX);
    assert_int_equal(s.counter[0], UINT32_MAX);
    beat(&s, 0, 3);
    assert_int_equal(s.counter[0], 2);
}

static uint64_t load(gs_snoopp *s, uint32_t offset)
{
    uint64_t value;
    assert_true(gs_snoopp_load(s, offset, 4, &value));
    return value;
}

static void test_bus(void **state)
{
    (void)state;
    static gs_snoopp s;
    uint64_t value;
    const uint32_t second = GS_SNOOPP_COUNTER + GS_SNOOPP_COUNTER_STRIDE;
    s = (gs_snoopp){.amount = GS_AMOUNT_CYCLES, .width = 64};
    set_range(&s, 0, 0x100, 0x1ff);
    set_range(&s, 1, 0x200, 0x2ff);
    gs_snoopp_reset_state(&s);
    assert_int_equal(load(&s, GS_SNOOPP_ID), GS_SNOOPP_MAGIC);
    assert_int_equal(load(&s, GS_SNOOPP_CONFIG), 2 | 64 << 16);
    assert_int_equal(load(&s, GS_SNOOPP_CONTROL), GS_SNOOPP_RUN);
    assert_int_equal(load(&s, second + GS_SNOOPP_FIRST), 0x200);
    assert_int_equal(load(&s, second + GS_SNOOPP_LAST), 0x2ff);

    /* The upper half is that of the moment the lower one was read. */
    beat(&s, 0x200, 0x1ffffffff);
    assert_int_equal(load(&s, second + GS_SNOOPP_LOW), 0xffffffff);
    beat(&s, 0x200, 1);
    assert_int_equal(load(&s, second + GS_SNOOPP_HIGH), 1);
    assert_int_equal(load(&s, second + GS_SNOOPP_LOW), 0);
    assert_int_equal(load(&s, second + GS_SNOOPP_HIGH), 2);

    beat(&s, 0x100, 5);
    assert_true(gs_snoopp_store(&s, second + GS_SNOOPP_HIGH, 4, 77)); /* resets one */
    assert_int_equal(s.counter[1], 0);
    assert_int_equal(s.counter[0], 5);
    assert_true(gs_snoopp_store(&s, GS_SNOOPP_CONTROL, 4, GS_SNOOPP_RESET)); /* all, and stops */
    assert_int_equal(s.counter[0], 0);
    beat(&s, 0x100, 5);
    assert_int_equal(s.counter[0], 0);
    assert_true(gs_snoopp_store(&s, GS_SNOOPP_CONTROL, 4, GS_SNOOPP_RUN));
    beat(&s, 0x100, 5);
    assert_int_equal(s.counter[0], 5);

    /* Bounds are wired, registers are words, and beyond the counters there is nothing. */
    assert_false(gs_snoopp_store(&s, second + GS_SNOOPP_FIRST, 4, 0));
    assert_false(gs_snoopp_store(&s, GS_SNOOPP_ID, 4, 0));
    assert_false(gs_snoopp_store(&s, GS_SNOOPP_CONTROL, 1, 1));
    assert_false(gs_snoopp_load(&s, GS_SNOOPP_ID, 8, &value));
    assert_false(gs_snoopp_load(&s, GS_SNOOPP_ID, 2, &value));
    assert_false(gs_snoopp_load(&s, second + GS_SNOOPP_COUNTER_STRIDE, 4, &value));
    assert_false(gs_snoopp_load(&s, 0x0c, 4, &value));
}

/* An image of `count` functions of 16 bytes each. */
static gs_image *make_image(size_t count)
{
    static uint32_t code[4 * FUNCTIONS];
    elf_builder elf;
    gs_image *image;
    gs_error err;
    size_t size;
    for (size_t i = 0; i < 4 * count; i++)
        code[i] = 0x13;
    elf_start(&elf, EM_RISCV, false);
    elf.entry = 0x1000;
    elf_code(&elf, 0x1000, code, 4 * count);
    for (size_t i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "f%zu", i);
        elf_function(&elf, name, 0x1000 + 16 * (uint32_t)i, 16);
    }
    uint8_t *bytes = elf_finish(&elf, &size);
    assert_int_equal(gs_image_open_memory(&image, bytes, size, "hunt.elf", &err), GS_OK);
    free(bytes);
    return image;
}

/* Plays the runs of a hunt on a program whose function i takes heat[i]. */
static void hunt_down(gs_hunt *hunt, const gs_image *image, unsigned counters, double threshold,
                      const uint64_t *heat)
{
    assert_true(gs_hunt_begin(hunt, image, counters, threshold));
    while (!gs_hunt_done(hunt)) {
        uint64_t counts[64] = {0};
        assert_in_range(hunt->aimed.count, 1, counters);
        for (size_t i = 0; i < hunt->aimed.count; i++) {
            const gs_hunt_group *group = &hunt->aimed.items[i];
            assert_true(group->first <= group->last);
            for (size_t f = group->first; f <= group->last; f++)
                counts[i] += heat[f];
        }
        gs_hunt copy;
        assert_true(gs_hunt_copy(&copy, hunt)); /* as from one run to the next */
        gs_hunt_fini(hunt);
        *hunt = copy;
        assert_true(gs_hunt_learn(hunt, counts));
        assert_in_range(hunt->runs, 1, FUNCTIONS);
    }
}

/* Two hot functions among 250: sixteen counters narrow 250 to 16 to 2 functions each, so three
 * runs find them. */
static void test_hunt(void **state)
{
    (void)state;
    gs_image *image = make_image(FUNCTIONS);
    static uint64_t heat[FUNCTIONS];
    gs_hunt hunt;
    memset(heat, 0, sizeof heat);
    heat[77] = 600;
    heat[200] = 395;
    heat[10] = 5; /* below one percent */
    hunt_down(&hunt, image, 16, 0.01, heat);
    assert_int_equal(hunt.runs, 3);
    assert_int_equal(hunt.total, 1000);
    assert_int_equal(hunt.found.count, 2);
    assert_int_equal(hunt.found.items[0].first, 77);
    assert_int_equal(hunt.found.items[0].count, 600);
    assert_int_equal(hunt.found.items[1].first, 200);
    gs_hunt_fini(&hunt);

    /* Everything equally warm, with few counters: all functions are found in the end. */
    for (size_t i = 0; i < FUNCTIONS; i++)
        heat[i] = 10;
    hunt_down(&hunt, image, 3, 0, heat);
    assert_int_equal(hunt.found.count, FUNCTIONS);
    gs_hunt_fini(&hunt);
    gs_image_free(image);
}

/* Fewer functions than counters: one run. */
static void test_small_hunt(void **state)
{
    (void)state;
    gs_image *image = make_image(5);
    static const uint64_t heat[5] = {1, 2, 3, 4, 90};
    gs_hunt hunt;
    hunt_down(&hunt, image, 16, 0.03, heat);
    assert_int_equal(hunt.runs, 1);
    assert_int_equal(hunt.found.count, 3);
    assert_int_equal(hunt.found.items[0].first, 4);
    gs_hunt_fini(&hunt);
    gs_image_free(image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranges), cmocka_unit_test(test_data),
        cmocka_unit_test(test_wrap),   cmocka_unit_test(test_bus),
        cmocka_unit_test(test_hunt),   cmocka_unit_test(test_small_hunt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
