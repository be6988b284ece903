/*
 * blowfish.c - Blowfish: key setup and counter-mode encryption.
 *
 * Stresses a 4 KB table read at random (a cache-size probe) and a short,
 * unrollable loop; key setup is 521 dependent encryptions.
 * Check: three of the variable-key vectors published with the algorithm
 * (Schneier and Young).
 */
#include "workload.h"

#include "blowfish_pi.h"

#define NAME "blowfish"

enum { ROUNDS = 16, MESSAGE_WORDS = 64 };

typedef struct {
    uint32_t p[ROUNDS + 2];
    uint32_t s[4][256];
} blowfish_key;

static uint32_t mangle(const blowfish_key *key, uint32_t x)
{
    uint32_t a = key->s[0][x >> 24], b = key->s[1][x >> 16 & 255];
    uint32_t c = key->s[2][x >> 8 & 255], d = key->s[3][x & 255];
    return ((a + b) ^ c) + d;
}

static NOINLINE void encrypt(const blowfish_key *key, uint32_t block[2])
{
    uint32_t left = block[0], right = block[1];
    for (int i = 0; i < ROUNDS; i += 2) {
        left ^= key->p[i];
        right ^= mangle(key, left) ^ key->p[i + 1];
        left ^= mangle(key, right);
    }
    block[0] = right ^ key->p[ROUNDS + 1];
    block[1] = left ^ key->p[ROUNDS];
}

static NOINLINE void decrypt(const blowfish_key *key, uint32_t block[2])
{
    uint32_t left = block[0], right = block[1];
    for (int i = ROUNDS + 1; i > 1; i -= 2) {
        left ^= key->p[i];
        right ^= mangle(key, left) ^ key->p[i - 1];
        left ^= mangle(key, right);
    }
    block[0] = right ^ key->p[0];
    block[1] = left ^ key->p[1];
}

static NOINLINE void setup_key(blowfish_key *key, const uint8_t *bytes, size_t length)
{
    size_t next = 0;
    for (int i = 0; i < ROUNDS + 2; i++) {
        uint32_t word = 0;
        for (int j = 0; j < 4; j++) {
            word = word << 8 | bytes[next];
            next = next + 1 == length ? 0 : next + 1;
        }
        key->p[i] = blowfish_pi[i] ^ word;
    }
    memcpy(key->s, blowfish_pi + ROUNDS + 2, sizeof key->s);

    uint32_t block[2] = {0, 0};
    for (int i = 0; i < ROUNDS + 2; i += 2) {
        encrypt(key, block);
        key->p[i] = block[0];
        key->p[i + 1] = block[1];
    }
    for (int box = 0; box < 4; box++)
        for (int i = 0; i < 256; i += 2) {
            encrypt(key, block);
            key->s[box][i] = block[0];
            key->s[box][i + 1] = block[1];
        }
}

static blowfish_key key;

static bool vector_ok(const uint8_t bytes[8], uint32_t plain, uint32_t high, uint32_t low)
{
    uint32_t block[2] = {plain, plain};
    setup_key(&key, bytes, 8);
    encrypt(&key, block);
    if (block[0] != high || block[1] != low)
        return false;
    decrypt(&key, block);
    return block[0] == plain && block[1] == plain;
}

int main(void)
{
    static const uint8_t zeros[8] = {0};
    static const uint8_t ones[8] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    static const uint8_t count[8] = {0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef};
    if (!vector_ok(zeros, 0, 0x4ef99745, 0x6198dd78) ||
        !vector_ok(ones, 0xffffffff, 0x51866fd5, 0xb85ecb8a) ||
        !vector_ok(count, 0x11111111, 0x61f9c380, 0x2281b096))
        return workload_fail(NAME, "published vector");

    static uint32_t message[MESSAGE_WORDS];
    uint32_t sum = 0, counter = 0;
    for (uint32_t pass = 0; pass < WORKLOAD_PASSES(60); pass++) {
        for (size_t i = 0; i < MESSAGE_WORDS; i += 2) {
            uint32_t pad[2] = {sum, counter++};
            encrypt(&key, pad);
            message[i] ^= pad[0];
            message[i + 1] ^= pad[1];
        }
        for (size_t i = 0; i < MESSAGE_WORDS; i++)
            sum = checksum_add(sum, message[i]);
    }
    return workload_report(NAME, sum, WORKLOAD_PICK(0xd886bac3, 0x5a3a139b, 0xb51286ba));
}
