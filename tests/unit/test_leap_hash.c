/*
 * LEAP's perfect hash: found for every set of distinct addresses, hostile ones too.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "units/leap/address_hash.h"

enum { MOST = 16384 };

static uint32_t addresses[MOST];
static unsigned slack = 1; /* how much longer than published tab may be */

/* xorshift32: the same sets everywhere. */
static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    return *state ^= *state << 5;
}

/* The formula of the specification, written out once more. */
static uint32_t formula(const gs_leap_hash *h, uint32_t address)
{
    uint64_t mask = UINT32_MAX;
    uint64_t x = (address + (uint64_t)h->v) & mask;
    x = (x + (x << 8)) & mask;
    x ^= x >> 4;
    uint64_t b = (x >> h->b1) & h->b2;
    uint64_t a = ((x + ((x << h->a1) & mask)) & mask) >> h->a2;
    return (uint32_t)a ^ h->tab[b];
}

static void check_hash(const gs_leap_hash *hash, size_t count)
{
    static uint8_t taken[GS_LEAP_ENTRIES_MAX];
    memset(taken, 0, sizeof taken);
    for (size_t i = 0; i < count; i++) {
        uint32_t number = gs_leap_hash_of(hash, addresses[i]);
        assert_int_equal(number, formula(hash, addresses[i]));
        assert_in_range(number, 0, hash->entries - 1);
        assert_false(taken[number]++);
    }
    for (uint64_t i = 0; i < gs_leap_tab_length(hash); i++)
        assert_true(hash->tab[i] < hash->entries);
}

static void check_perfect(size_t count, uint32_t entries)
{
    gs_leap_hash hash;
    gs_error err;
    if (gs_leap_hash_find(&hash, addresses, count, entries, &err) != GS_OK)
        fail_msg("%zu addresses, %u entries: %s", count, entries, err.message);
    check_hash(&hash, count);
    assert_true(entries > 256 || gs_leap_tab_bits(&hash) <= 8);
    assert_true(gs_leap_tab_length(&hash) <= slack * entries);
    gs_leap_hash_fini(&hash);
}

static void check_both(size_t count)
{
    uint32_t entries = gs_leap_entries_for(count);
    check_perfect(count, entries);
    if (entries * 4 <= GS_LEAP_ENTRIES_MAX)
        check_perfect(count, entries * 4);
}

static void test_few(void **state)
{
    (void)state;
    check_perfect(0, 1);
    addresses[0] = 0x80000000;
    check_perfect(1, 1);
    check_perfect(1, 64);
    addresses[1] = 0x80000002;
    check_perfect(2, 2);
    addresses[1] = 0;
    check_perfect(2, 2);
}

/* Random functions, as many as there are numbers and fewer. */
static void test_random(void **state)
{
    (void)state;
    uint32_t seed = 2026;
    static const size_t counts[] = {2, 3, 7, 16, 31, 32, 64, 100, 128, 200, 255, 256, 1024, 1500};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        for (unsigned round = 0; round < 3; round++) {
            uint32_t at = next_random(&seed) & ~3u;
            for (size_t i = 0; i < counts[c]; i++)
                addresses[i] = at += 4 + (next_random(&seed) & 0x3fc);
            check_both(counts[c]);
        }
    }
}

/* Sets that leave most bits of the address without information. */
static void test_regular(void **state)
{
    (void)state;
    slack = 16; /* when every number is taken */
    for (size_t count = 16; count <= 256; count *= 4) {
        for (unsigned shift = 1; shift + 10 < 32; shift += 2) {
            for (uint32_t i = 0; i < count; i++)
                addresses[i] = i << shift; /* equal steps */
            check_both(count);
            for (uint32_t i = 0; i < count; i++)
                addresses[i] = (i & 1) << 31 | (i >> 1) << shift; /* two copies far apart */
            check_both(count);
        }
    }
    for (unsigned i = 0; i < 32; i++)
        addresses[i] = UINT32_C(1) << i;
    check_both(32);
    for (unsigned i = 0; i < 32; i++)
        addresses[i] = ~(UINT32_C(1) << i);
    check_both(32);
    for (uint32_t i = 0; i < 512; i++) { /* only the upper bits differ, in reverse order */
        uint32_t reversed = 0;
        for (unsigned bit = 0; bit < 9; bit++)
            reversed |= (i >> bit & 1) << (31 - bit);
        addresses[i] = reversed;
    }
    check_both(512);
    slack = 1;
}

/* Undoes the mixing for the first V, so that all keys agree in the bits the hash looks at. */
static uint32_t unmix(uint32_t x)
{
    uint32_t y = x;
    for (unsigned i = 0; i < 8; i++)
        y = x ^ y >> 4;
    y *= 0xff00ff01u; /* 1/257 modulo 2^32 */
    return y - 0x9E3779B9u;
}

static void test_adversary(void **state)
{
    (void)state;
    assert_int_equal(257u * 0xff00ff01u, 1);
    for (unsigned shift = 0; shift <= 20; shift += 4) {
        for (uint32_t i = 0; i < 256; i++)
            addresses[i] = unmix(i << shift);
        check_both(256);
    }
}

/* Without a search: the length of tab for `count` addresses. */
static uint64_t direct_length(size_t count, uint32_t entries)
{
    gs_leap_hash hash;
    gs_error err;
    if (gs_leap_hash_find_within(&hash, addresses, count, entries, 0, &err) != GS_OK)
        fail_msg("%zu addresses, %u entries: %s", count, entries, err.message);
    check_hash(&hash, count);
    uint64_t length = gs_leap_tab_length(&hash);
    gs_leap_hash_fini(&hash);
    return length;
}

/* What is left when a search ends without a hash. V is 0 there: addresses can be chosen so that
 * their mixed values are 0, 1 and 1 << 23, which only a window of 24 bits tells apart. */
static void test_direct(void **state)
{
    (void)state;
    const uint32_t golden = 0x9E3779B9u; /* unmix() is for a V of that */
    uint32_t seed = 4, at = 0x80000000;
    assert_int_equal(direct_length(0, 1), 1);
    addresses[0] = 0xfffffffe;
    assert_int_equal(direct_length(1, 1), 1);
    assert_int_equal(direct_length(1, 64), 1);
    addresses[0] = unmix(0) + golden;
    addresses[1] = unmix(1) + golden;
    assert_int_equal(direct_length(2, 2), 2);
    addresses[2] = unmix(1u << 23) + golden;
    assert_int_equal(direct_length(3, 4), 1u << 24);
    for (uint32_t i = 0; i < 256; i++)
        addresses[i] = unmix(i << 24) + golden; /* one window of 8 bits: the highest */
    assert_int_equal(direct_length(256, 256), 256);
    for (unsigned shift = 0; shift + 8 <= 32; shift += 4) {
        for (uint32_t i = 0; i < 256; i++)
            addresses[i] = i << shift;
        assert_true(direct_length(256, 256) >= 256);
    }
    for (size_t i = 0; i < 256; i++)
        addresses[i] = at += 2 + (next_random(&seed) & 0x1fe);
    assert_true(direct_length(256, 256) >= 256);
}

/* The largest programs in mind, with room and without; docs/units/leap.md has how long that takes.
 */
static void test_ten_thousand(void **state)
{
    (void)state;
    uint32_t seed = 7, at = 0x80000000;
    for (size_t i = 0; i < 10000; i++)
        addresses[i] = at += 2 + (next_random(&seed) & 0x1fe);
    check_perfect(10000, 16384);
    for (size_t i = 10000; i < MOST; i++)
        addresses[i] = at += 2 + (next_random(&seed) & 0x1fe);
    check_perfect(MOST, MOST);
}

static void test_refusals(void **state)
{
    (void)state;
    gs_leap_hash hash;
    gs_error err;
    addresses[0] = addresses[1] = 4;
    assert_int_equal(gs_leap_hash_find(&hash, addresses, 2, 4, &err), GS_E_ARGUMENT);
    assert_string_equal(err.message, "no hash of addresses of which two are the same");
    addresses[1] = 8;
    assert_int_equal(gs_leap_hash_find(&hash, addresses, 2, 3, &err), GS_E_ARGUMENT);
    assert_int_equal(gs_leap_hash_find(&hash, addresses, 2, 1, &err), GS_E_ARGUMENT);
    assert_int_equal(gs_leap_hash_find(&hash, addresses, 2, 0, &err), GS_E_ARGUMENT);
    assert_null(hash.tab);
    assert_int_equal(gs_leap_entries_for(0), 1);
    assert_int_equal(gs_leap_entries_for(33), 64);
    assert_int_equal(gs_leap_entries_for(64), 64);
}

static char *written(void (*write)(FILE *, const gs_leap_hash *, const char *),
                     const gs_leap_hash *hash)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    write(to, hash, "x.elf");
    assert_int_equal(fclose(to), 0);
    return text;
}

static void test_formats(void **state)
{
    (void)state;
    uint16_t tab[] = {5, 0};
    gs_leap_hash hash = {.entries = 8, .v = 0x9e3779b9, .a1 = 32, .a2 = 29, .b1 = 3, .b2 = 1};
    hash.tab = tab;
    char *text = written(gs_leap_hash_write_text, &hash);
    assert_string_equal(text, "# LEAP address hash of x.elf\nentries 8\nV 0x9e3779b9\nA1 32\n"
                              "A2 29\nB1 3\nB2 0x1\ntab 2 entries of 3 bits\n5 0\n");
    free(text);
    text = written(gs_leap_hash_write_c, &hash);
    assert_non_null(strstr(text, "#define LEAP_V 0x9e3779b9u\n"));
    assert_non_null(strstr(text, "static const uint8_t leap_tab[2] = {\n    5, 0,\n};\n"));
    free(text);
    text = written(gs_leap_hash_write_memory, &hash);
    assert_string_equal(text, "// LEAP address hash of x.elf\n9e3779b9 // V\n00000020 // A1\n"
                              "0000001d // A2\n00000003 // B1\n00000001 // B2\n"
                              "00000008 // entries\n00000002 // tab length\n"
                              "00000000 // reserved\n00000005\n00000000\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_few),          cmocka_unit_test(test_random),
        cmocka_unit_test(test_regular),      cmocka_unit_test(test_adversary),
        cmocka_unit_test(test_ten_thousand), cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_formats),      cmocka_unit_test(test_direct),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
