/*
 * strsearch.c - four ways to find all places of a word in a text.
 *
 * Stresses byte loads, early-exit loops and small tables; the four searches are
 * called through a table of function pointers.
 * Check: naive, Knuth-Morris-Pratt, Horspool and Rabin-Karp must find the same
 * places; then a checksum over them.
 */
#include "text.h"

#define NAME "strsearch"

enum { TEXT_BYTES = 2048, MAX_PATTERN = 32 };

/* Folds the places found into a checksum, in ascending order. */
typedef uint32_t search_function(const char *text, size_t n, const char *pattern, size_t m);

static NOINLINE uint32_t search_naive(const char *text, size_t n, const char *pattern, size_t m)
{
    uint32_t found = 0;
    for (size_t i = 0; i + m <= n; i++) {
        size_t j = 0;
        while (j < m && text[i + j] == pattern[j])
            j++;
        if (j == m)
            found = checksum_add(found, (uint32_t)i);
    }
    return found;
}

static NOINLINE uint32_t search_kmp(const char *text, size_t n, const char *pattern, size_t m)
{
    uint8_t border[MAX_PATTERN + 1]; /* border[j]: the longest border of pattern[0..j) */
    border[0] = border[1] = 0;
    for (size_t j = 1, k = 0; j < m; j++) {
        while (k && pattern[j] != pattern[k])
            k = border[k];
        if (pattern[j] == pattern[k])
            k++;
        border[j + 1] = (uint8_t)k;
    }
    uint32_t found = 0;
    for (size_t i = 0, k = 0; i < n; i++) {
        while (k && text[i] != pattern[k])
            k = border[k];
        if (text[i] == pattern[k])
            k++;
        if (k == m) {
            found = checksum_add(found, (uint32_t)(i + 1 - m));
            k = border[k];
        }
    }
    return found;
}

static NOINLINE uint32_t search_horspool(const char *text, size_t n, const char *pattern, size_t m)
{
    uint8_t shift[128];
    memset(shift, (int)m, sizeof shift);
    for (size_t j = 0; j + 1 < m; j++)
        shift[pattern[j] & 127] = (uint8_t)(m - 1 - j);
    uint32_t found = 0;
    for (size_t i = 0; i + m <= n; i += shift[text[i + m - 1] & 127])
        if (text[i + m - 1] == pattern[m - 1] && memcmp(text + i, pattern, m - 1) == 0)
            found = checksum_add(found, (uint32_t)i);
    return found;
}

static NOINLINE uint32_t search_rabin_karp(const char *text, size_t n, const char *pattern,
                                           size_t m)
{
    const uint32_t base = 257, modulus = 4194301; /* 2 * base * modulus fits in 32 bits */
    uint32_t want = 0, have = 0, lead = 1;
    for (size_t j = 0; j < m; j++) {
        want = (want * base + (uint8_t)pattern[j]) % modulus;
        have = (have * base + (uint8_t)text[j]) % modulus;
        if (j)
            lead = lead * base % modulus;
    }
    uint32_t found = 0;
    for (size_t i = 0;; i++) {
        if (have == want && memcmp(text + i, pattern, m) == 0)
            found = checksum_add(found, (uint32_t)i);
        if (i + m >= n)
            return found;
        uint32_t gone = lead * (uint8_t)text[i] % modulus;
        have = ((have + modulus - gone) * base + (uint8_t)text[i + m]) % modulus;
    }
}

int main(void)
{
    static search_function *const searches[] = {search_naive, search_kmp, search_horspool,
                                                search_rabin_karp};
    static const char *const patterns[] = {"the",   "cache line", "branch taken ",
                                           "xyzzy", "e",          "aabaabaaab"};
    static char text[TEXT_BYTES];

    uint32_t random = 0x5ea2c4, sum = 0;
    for (uint32_t pass = 0; pass < WORKLOAD_PASSES(2); pass++) {
        text_make(text, sizeof text, &random);
        for (size_t p = 0; p < COUNT_OF(patterns); p++) {
            uint32_t found = 0;
            for (size_t s = 0; s < COUNT_OF(searches); s++) {
                uint32_t here = searches[s](text, sizeof text, patterns[p], strlen(patterns[p]));
                if (s && here != found)
                    return workload_fail(NAME, patterns[p]);
                found = here;
            }
            sum = checksum_add(sum, found);
        }
    }
    return workload_report(NAME, sum, WORKLOAD_PICK(0xc6251b11, 0xe2769c57, 0x05f3c4ad));
}
