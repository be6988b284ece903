/*
 * aes.c - AES in CBC mode, byte by byte, with all three key lengths.
 *
 * Stresses byte loads and stores, table lookups and GF(2^8) arithmetic with
 * data-dependent branches in the inverse MixColumns.
 * Check: FIPS 197, appendix C.1 to C.3, both ways; then every message is
 * decrypted again and compared.
 */
#include "workload.h"

#define NAME "aes"

enum { BLOCK = 16, MAX_ROUNDS = 14, MESSAGE_BYTES = 128 };

typedef struct {
    int rounds;
    uint8_t round_key[MAX_ROUNDS + 1][BLOCK];
} aes_key;

static uint8_t sbox[256], inverse_sbox[256];

/* Multiplies by x in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1. */
static uint8_t times_x(uint8_t v)
{
    return (uint8_t)(v << 1 ^ (v & 0x80 ? 0x1b : 0));
}

static uint8_t gf_multiply(uint8_t a, uint8_t b)
{
    uint8_t product = 0;
    for (; b; b >>= 1, a = times_x(a))
        if (b & 1)
            product ^= a;
    return product;
}

/* Walks the powers of the generator 3 and of its inverse side by side. */
static NOINLINE void make_sboxes(void)
{
    uint8_t power = 1, inverse = 1;
    do {
        power ^= times_x(power);
        inverse ^= (uint8_t)(inverse << 1);
        inverse ^= (uint8_t)(inverse << 2);
        inverse ^= (uint8_t)(inverse << 4);
        if (inverse & 0x80)
            inverse ^= 0x09;
        unsigned doubled = inverse * 0x101u;
        uint8_t s =
            (uint8_t)(inverse ^ doubled >> 7 ^ doubled >> 6 ^ doubled >> 5 ^ doubled >> 4 ^ 0x63);
        sbox[power] = s;
        inverse_sbox[s] = power;
    } while (power != 1);
    sbox[0] = 0x63;
    inverse_sbox[0x63] = 0;
}

static NOINLINE void expand_key(aes_key *key, const uint8_t *bytes, int length)
{
    uint8_t *w = &key->round_key[0][0];
    key->rounds = length / 4 + 6;
    memcpy(w, bytes, (size_t)length);

    uint8_t constant = 1;
    for (int i = length; i < BLOCK * (key->rounds + 1); i += 4) {
        uint8_t t[4];
        memcpy(t, w + i - 4, 4);
        if (i % length == 0) {
            uint8_t first = t[0];
            t[0] = sbox[t[1]] ^ constant;
            t[1] = sbox[t[2]];
            t[2] = sbox[t[3]];
            t[3] = sbox[first];
            constant = times_x(constant);
        } else if (length > 24 && i % length == 16) {
            for (int j = 0; j < 4; j++)
                t[j] = sbox[t[j]];
        }
        for (int j = 0; j < 4; j++)
            w[i + j] = w[i + j - length] ^ t[j];
    }
}

static void add_round_key(uint8_t state[BLOCK], const uint8_t key[BLOCK])
{
    for (int i = 0; i < BLOCK; i++)
        state[i] ^= key[i];
}

/* Substitutes and moves row r by r columns: left to encrypt, right to decrypt. */
static NOINLINE void substitute_shift(uint8_t state[BLOCK], const uint8_t box[256], int step)
{
    uint8_t old[BLOCK];
    memcpy(old, state, BLOCK);
    for (int column = 0; column < 4; column++)
        for (int row = 0; row < 4; row++)
            state[4 * column + row] = box[old[(4 * (column + step * row) & 15) + row]];
}

static NOINLINE void mix_columns(uint8_t state[BLOCK])
{
    for (uint8_t *c = state; c < state + BLOCK; c += 4) {
        uint8_t all = c[0] ^ c[1] ^ c[2] ^ c[3], first = c[0];
        c[0] ^= all ^ times_x(c[0] ^ c[1]);
        c[1] ^= all ^ times_x(c[1] ^ c[2]);
        c[2] ^= all ^ times_x(c[2] ^ c[3]);
        c[3] ^= all ^ times_x(c[3] ^ first);
    }
}

static NOINLINE void inverse_mix_columns(uint8_t state[BLOCK])
{
    static const uint8_t row[7] = {14, 11, 13, 9, 14, 11, 13};
    for (uint8_t *c = state; c < state + BLOCK; c += 4) {
        uint8_t out[4];
        for (int i = 0; i < 4; i++) {
            out[i] = 0;
            for (int j = 0; j < 4; j++)
                out[i] ^= gf_multiply(c[j], row[(j - i) & 3]);
        }
        memcpy(c, out, 4);
    }
}

static NOINLINE void encrypt_block(const aes_key *key, uint8_t state[BLOCK])
{
    add_round_key(state, key->round_key[0]);
    for (int round = 1; round <= key->rounds; round++) {
        substitute_shift(state, sbox, 1);
        if (round < key->rounds)
            mix_columns(state);
        add_round_key(state, key->round_key[round]);
    }
}

static NOINLINE void decrypt_block(const aes_key *key, uint8_t state[BLOCK])
{
    for (int round = key->rounds; round >= 1; round--) {
        add_round_key(state, key->round_key[round]);
        if (round < key->rounds)
            inverse_mix_columns(state);
        substitute_shift(state, inverse_sbox, -1);
    }
    add_round_key(state, key->round_key[0]);
}

static void cbc_encrypt(const aes_key *key, const uint8_t iv[BLOCK], uint8_t *data, size_t length)
{
    for (const uint8_t *previous = iv; length; previous = data, data += BLOCK, length -= BLOCK) {
        add_round_key(data, previous);
        encrypt_block(key, data);
    }
}

static void cbc_decrypt(const aes_key *key, const uint8_t iv[BLOCK], uint8_t *data, size_t length)
{
    uint8_t previous[BLOCK], current[BLOCK];
    memcpy(previous, iv, BLOCK);
    for (; length; data += BLOCK, length -= BLOCK) {
        memcpy(current, data, BLOCK);
        decrypt_block(key, data);
        add_round_key(data, previous);
        memcpy(previous, current, BLOCK);
    }
}

/* FIPS 197 appendix C: key 00 01 02 ..., plaintext 00 11 22 ... */
static bool vector_ok(int key_bytes, const uint8_t want[BLOCK])
{
    uint8_t key_material[32], block[BLOCK], plain[BLOCK];
    aes_key key;
    for (int i = 0; i < 32; i++)
        key_material[i] = (uint8_t)i;
    for (int i = 0; i < BLOCK; i++)
        plain[i] = (uint8_t)(i * 0x11);
    expand_key(&key, key_material, key_bytes);
    memcpy(block, plain, BLOCK);
    encrypt_block(&key, block);
    if (memcmp(block, want, BLOCK) != 0)
        return false;
    decrypt_block(&key, block);
    return memcmp(block, plain, BLOCK) == 0;
}

int main(void)
{
    static const uint8_t c1[BLOCK] = {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30,
                                      0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a};
    static const uint8_t c2[BLOCK] = {0xdd, 0xa9, 0x7c, 0xa4, 0x86, 0x4c, 0xdf, 0xe0,
                                      0x6e, 0xaf, 0x70, 0xa0, 0xec, 0x0d, 0x71, 0x91};
    static const uint8_t c3[BLOCK] = {0x8e, 0xa2, 0xb7, 0xca, 0x51, 0x67, 0x45, 0xbf,
                                      0xea, 0xfc, 0x49, 0x90, 0x4b, 0x49, 0x60, 0x89};
    make_sboxes();
    if (!vector_ok(16, c1) || !vector_ok(24, c2) || !vector_ok(32, c3))
        return workload_fail(NAME, "FIPS 197 vector");

    static uint8_t message[MESSAGE_BYTES], work[MESSAGE_BYTES];
    uint8_t key_material[32], iv[BLOCK];
    uint32_t random = 0x2545f491, sum = 0;
    for (uint32_t pass = 0; pass < WORKLOAD_PASSES(2); pass++) {
        aes_key key;
        for (size_t i = 0; i < sizeof key_material; i++)
            key_material[i] = (uint8_t)(random_next(&random) >> 24);
        for (size_t i = 0; i < sizeof iv; i++)
            iv[i] = (uint8_t)(random_next(&random) >> 24);
        for (size_t i = 0; i < sizeof message; i++)
            message[i] = (uint8_t)(i + pass);

        expand_key(&key, key_material, 16 + 8 * (int)(pass % 3));
        memcpy(work, message, sizeof message);
        cbc_encrypt(&key, iv, work, sizeof work);
        sum = checksum_bytes(sum, work, sizeof work);
        cbc_decrypt(&key, iv, work, sizeof work);
        if (memcmp(work, message, sizeof work) != 0)
            return workload_fail(NAME, "decryption");
    }
    return workload_report(NAME, sum, WORKLOAD_PICK(0x3d1eec21, 0xd048402d, 0x0bb66fbb));
}
