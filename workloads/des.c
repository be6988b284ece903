/*
 * des.c - DES and triple DES (EDE) over a small message.
 *
 * Stresses bit permutations driven by tables (nested loops of shifts and
 * masks) and eight parallel table lookups per round.
 * Check: Rivest's "Testing implementations of DES" (1985), a chain of 16
 * encryptions and decryptions that exposes any wrong bit in any table.
 */
#include "workload.h"

#define NAME "des"

enum { ROUNDS = 16, MESSAGE_BLOCKS = 8 };

typedef struct {
    uint8_t chunk[ROUNDS][8]; /* 48 bits per round as eight groups of six */
} des_key;

/* FIPS 46-3. Bit 1 is the most significant bit of the source. */
static const uint8_t initial_permutation[64] = {
    58, 50, 42, 34, 26, 18, 10, 2,  60, 52, 44, 36, 28, 20, 12, 4,  62, 54, 46, 38, 30, 22,
    14, 6,  64, 56, 48, 40, 32, 24, 16, 8,  57, 49, 41, 33, 25, 17, 9,  1,  59, 51, 43, 35,
    27, 19, 11, 3,  61, 53, 45, 37, 29, 21, 13, 5,  63, 55, 47, 39, 31, 23, 15, 7,
};
static const uint8_t final_permutation[64] = {
    40, 8,  48, 16, 56, 24, 64, 32, 39, 7,  47, 15, 55, 23, 63, 31, 38, 6,  46, 14, 54, 22,
    62, 30, 37, 5,  45, 13, 53, 21, 61, 29, 36, 4,  44, 12, 52, 20, 60, 28, 35, 3,  43, 11,
    51, 19, 59, 27, 34, 2,  42, 10, 50, 18, 58, 26, 33, 1,  41, 9,  49, 17, 57, 25,
};
static const uint8_t permutation_p[32] = {
    16, 7, 20, 21, 29, 12, 28, 17, 1,  15, 23, 26, 5,  18, 31, 10,
    2,  8, 24, 14, 32, 27, 3,  9,  19, 13, 30, 6,  22, 11, 4,  25,
};
static const uint8_t permuted_choice_1[56] = {
    57, 49, 41, 33, 25, 17, 9,  1,  58, 50, 42, 34, 26, 18, 10, 2,  59, 51, 43,
    35, 27, 19, 11, 3,  60, 52, 44, 36, 63, 55, 47, 39, 31, 23, 15, 7,  62, 54,
    46, 38, 30, 22, 14, 6,  61, 53, 45, 37, 29, 21, 13, 5,  28, 20, 12, 4,
};
static const uint8_t permuted_choice_2[48] = {
    14, 17, 11, 24, 1,  5,  3,  28, 15, 6,  21, 10, 23, 19, 12, 4,  26, 8,  16, 7,  27, 20, 13, 2,
    41, 52, 31, 37, 47, 55, 30, 40, 51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32,
};
static const uint8_t key_shifts[ROUNDS] = {1, 1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 1};
/* clang-format off */
static const uint8_t substitution[8][4][16] = {
    {{14,  4, 13,  1,  2, 15, 11,  8,  3, 10,  6, 12,  5,  9,  0,  7},
     { 0, 15,  7,  4, 14,  2, 13,  1, 10,  6, 12, 11,  9,  5,  3,  8},
     { 4,  1, 14,  8, 13,  6,  2, 11, 15, 12,  9,  7,  3, 10,  5,  0},
     {15, 12,  8,  2,  4,  9,  1,  7,  5, 11,  3, 14, 10,  0,  6, 13}},
    {{15,  1,  8, 14,  6, 11,  3,  4,  9,  7,  2, 13, 12,  0,  5, 10},
     { 3, 13,  4,  7, 15,  2,  8, 14, 12,  0,  1, 10,  6,  9, 11,  5},
     { 0, 14,  7, 11, 10,  4, 13,  1,  5,  8, 12,  6,  9,  3,  2, 15},
     {13,  8, 10,  1,  3, 15,  4,  2, 11,  6,  7, 12,  0,  5, 14,  9}},
    {{10,  0,  9, 14,  6,  3, 15,  5,  1, 13, 12,  7, 11,  4,  2,  8},
     {13,  7,  0,  9,  3,  4,  6, 10,  2,  8,  5, 14, 12, 11, 15,  1},
     {13,  6,  4,  9,  8, 15,  3,  0, 11,  1,  2, 12,  5, 10, 14,  7},
     { 1, 10, 13,  0,  6,  9,  8,  7,  4, 15, 14,  3, 11,  5,  2, 12}},
    {{ 7, 13, 14,  3,  0,  6,  9, 10,  1,  2,  8,  5, 11, 12,  4, 15},
     {13,  8, 11,  5,  6, 15,  0,  3,  4,  7,  2, 12,  1, 10, 14,  9},
     {10,  6,  9,  0, 12, 11,  7, 13, 15,  1,  3, 14,  5,  2,  8,  4},
     { 3, 15,  0,  6, 10,  1, 13,  8,  9,  4,  5, 11, 12,  7,  2, 14}},
    {{ 2, 12,  4,  1,  7, 10, 11,  6,  8,  5,  3, 15, 13,  0, 14,  9},
     {14, 11,  2, 12,  4,  7, 13,  1,  5,  0, 15, 10,  3,  9,  8,  6},
     { 4,  2,  1, 11, 10, 13,  7,  8, 15,  9, 12,  5,  6,  3,  0, 14},
     {11,  8, 12,  7,  1, 14,  2, 13,  6, 15,  0,  9, 10,  4,  5,  3}},
    {{12,  1, 10, 15,  9,  2,  6,  8,  0, 13,  3,  4, 14,  7,  5, 11},
     {10, 15,  4,  2,  7, 12,  9,  5,  6,  1, 13, 14,  0, 11,  3,  8},
     { 9, 14, 15,  5,  2,  8, 12,  3,  7,  0,  4, 10,  1, 13, 11,  6},
     { 4,  3,  2, 12,  9,  5, 15, 10, 11, 14,  1,  7,  6,  0,  8, 13}},
    {{ 4, 11,  2, 14, 15,  0,  8, 13,  3, 12,  9,  7,  5, 10,  6,  1},
     {13,  0, 11,  7,  4,  9,  1, 10, 14,  3,  5, 12,  2, 15,  8,  6},
     { 1,  4, 11, 13, 12,  3,  7, 14, 10, 15,  6,  8,  0,  5,  9,  2},
     { 6, 11, 13,  8,  1,  4, 10,  7,  9,  5,  0, 15, 14,  2,  3, 12}},
    {{13,  2,  8,  4,  6, 15, 11,  1, 10,  9,  3, 14,  5,  0, 12,  7},
     { 1, 15, 13,  8, 10,  3,  7,  4, 12,  5,  6, 11,  0, 14,  9,  2},
     { 7, 11,  4,  1,  9, 12, 14,  2,  0,  6, 10, 13, 15,  3,  5,  8},
     { 2,  1, 14,  7,  4, 10,  8, 13, 15, 12,  9,  0,  3,  5,  6, 11}},
};
/* clang-format on */

/* Substitution and permutation P in one lookup. */
static uint32_t sp_table[8][64];

static NOINLINE uint64_t permute(uint64_t from, int from_bits, const uint8_t *table, int to_bits)
{
    uint64_t to = 0;
    for (int i = 0; i < to_bits; i++)
        to = to << 1 | (from >> (from_bits - table[i]) & 1);
    return to;
}

static void make_sp_table(void)
{
    for (int box = 0; box < 8; box++)
        for (unsigned six = 0; six < 64; six++) {
            unsigned row = (six >> 4 & 2) | (six & 1), column = six >> 1 & 15;
            uint32_t nibble = (uint32_t)substitution[box][row][column] << (28 - 4 * box);
            sp_table[box][six] = (uint32_t)permute(nibble, 32, permutation_p, 32);
        }
}

static uint32_t rotate_left_28(uint32_t v, unsigned n)
{
    return (v << n | v >> (28 - n)) & 0x0fffffff;
}

static NOINLINE void expand_key(des_key *key, uint64_t bits)
{
    uint64_t chosen = permute(bits, 64, permuted_choice_1, 56);
    uint32_t c = (uint32_t)(chosen >> 28), d = (uint32_t)chosen & 0x0fffffff;
    for (int round = 0; round < ROUNDS; round++) {
        c = rotate_left_28(c, key_shifts[round]);
        d = rotate_left_28(d, key_shifts[round]);
        uint64_t subkey = permute((uint64_t)c << 28 | d, 56, permuted_choice_2, 48);
        for (int group = 0; group < 8; group++)
            key->chunk[round][group] = (uint8_t)(subkey >> (42 - 6 * group) & 63);
    }
}

/* The six bits of the expansion E are neighbours: take them with one rotate. */
static NOINLINE uint32_t feistel(uint32_t half, const uint8_t chunk[8])
{
    uint32_t out = 0;
    uint32_t window = half << 31 | half >> 1; /* bit 32 in front of bit 1 */
    for (int group = 0; group < 8; group++) {
        out ^= sp_table[group][(window >> 26) ^ chunk[group]];
        window = window << 4 | window >> 28;
    }
    return out;
}

static NOINLINE uint64_t crypt_block(const des_key *key, uint64_t block, bool decrypt)
{
    block = permute(block, 64, initial_permutation, 64);
    uint32_t left = (uint32_t)(block >> 32), right = (uint32_t)block;
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t next = left ^ feistel(right, key->chunk[decrypt ? ROUNDS - 1 - round : round]);
        left = right;
        right = next;
    }
    return permute((uint64_t)right << 32 | left, 64, final_permutation, 64);
}

static uint64_t triple_encrypt(const des_key key[3], uint64_t block)
{
    block = crypt_block(&key[0], block, false);
    block = crypt_block(&key[1], block, true);
    return crypt_block(&key[2], block, false);
}

static uint64_t triple_decrypt(const des_key key[3], uint64_t block)
{
    block = crypt_block(&key[2], block, true);
    block = crypt_block(&key[1], block, false);
    return crypt_block(&key[0], block, true);
}

static bool rivest_chain_ok(void)
{
    uint64_t x = 0x9474b8e8c73bca7d;
    for (int i = 0; i < 16; i++) {
        des_key key;
        expand_key(&key, x);
        x = crypt_block(&key, x, i & 1);
    }
    return x == 0x1b1a2ddb4c642438;
}

static uint64_t random_64(uint32_t *random)
{
    uint64_t high = random_next(random);
    return high << 32 | random_next(random);
}

int main(void)
{
    make_sp_table();
    if (!rivest_chain_ok())
        return workload_fail(NAME, "Rivest's test");

    uint32_t random = 0x9e3779b9, sum = 0;
    for (uint32_t pass = 0; pass < WORKLOAD_PASSES(6); pass++) {
        des_key key[3];
        for (int i = 0; i < 3; i++)
            expand_key(&key[i], random_64(&random));
        uint64_t chain = random_64(&random);
        for (int i = 0; i < MESSAGE_BLOCKS; i++) {
            uint64_t plain = chain ^ ((uint64_t)pass << 16 | (uint64_t)i);
            chain = triple_encrypt(key, plain);
            if (i == 0 && triple_decrypt(key, chain) != plain)
                return workload_fail(NAME, "decryption");
            sum = checksum_add(sum, (uint32_t)(chain >> 32) ^ (uint32_t)chain);
        }
    }
    return workload_report(NAME, sum, WORKLOAD_PICK(0xa8a1036c, 0x1ede527a, 0x112e7c0d));
}
