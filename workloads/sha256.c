/*
 * sha256.c - SHA-256 over a chained buffer.
 *
 * Stresses rotates, xor and 32-bit adds in one long basic block; almost no
 * branches and a small working set.
 * Check: the "abc" and 448-bit messages of FIPS 180-4 (NIST's examples), then
 * a checksum over the chain.
 */
#include "workload.h"

#define NAME "sha256"

enum { BLOCK_BYTES = 64, BUFFER_BYTES = 1024 };

static const uint32_t round_constant[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate_right(uint32_t v, unsigned n)
{
    return v >> n | v << (32 - n);
}

static uint32_t load_be32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void store_be32(uint8_t *p, uint32_t v)
{
    p[0] = (uint8_t)(v >> 24);
    p[1] = (uint8_t)(v >> 16);
    p[2] = (uint8_t)(v >> 8);
    p[3] = (uint8_t)v;
}

static NOINLINE void expand_schedule(uint32_t w[64], const uint8_t *block)
{
    for (int t = 0; t < 16; t++)
        w[t] = load_be32(block + 4 * t);
    for (int t = 16; t < 64; t++) {
        uint32_t x = w[t - 15], y = w[t - 2];
        uint32_t s0 = rotate_right(x, 7) ^ rotate_right(x, 18) ^ x >> 3;
        uint32_t s1 = rotate_right(y, 17) ^ rotate_right(y, 19) ^ y >> 10;
        w[t] = s1 + w[t - 7] + s0 + w[t - 16];
    }
}

static NOINLINE void compress(uint32_t state[8], const uint8_t *block)
{
    uint32_t w[64];
    expand_schedule(w, block);

    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (int t = 0; t < 64; t++) {
        uint32_t s1 = rotate_right(e, 6) ^ rotate_right(e, 11) ^ rotate_right(e, 25);
        uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + round_constant[t] + w[t];
        uint32_t s0 = rotate_right(a, 2) ^ rotate_right(a, 13) ^ rotate_right(a, 22);
        uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + t2;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
    state[5] += f;
    state[6] += g;
    state[7] += h;
}

static void sha256(uint32_t digest[8], const uint8_t *message, size_t length)
{
    static const uint32_t initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(digest, initial, sizeof initial);

    size_t done = 0;
    for (; length - done >= BLOCK_BYTES; done += BLOCK_BYTES)
        compress(digest, message + done);

    uint8_t tail[2 * BLOCK_BYTES] = {0};
    size_t rest = length - done;
    memcpy(tail, message + done, rest);
    tail[rest] = 0x80;
    size_t tail_bytes = rest < BLOCK_BYTES - 8 ? BLOCK_BYTES : 2 * BLOCK_BYTES;
    store_be32(tail + tail_bytes - 4, (uint32_t)length << 3);
    for (size_t i = 0; i < tail_bytes; i += BLOCK_BYTES)
        compress(digest, tail + i);
}

static bool vector_ok(const char *message, const uint32_t want[8])
{
    uint32_t digest[8];
    sha256(digest, (const uint8_t *)message, strlen(message));
    return memcmp(digest, want, sizeof digest) == 0;
}

int main(void)
{
    static const uint32_t digest_abc[8] = {0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223,
                                           0xb00361a3, 0x96177a9c, 0xb410ff61, 0xf20015ad};
    static const uint32_t digest_448[8] = {0x248d6a61, 0xd20638b8, 0xe5c02693, 0x0c3e6039,
                                           0xa33ce459, 0x64ff2167, 0xf6ecedd4, 0x19db06c1};
    if (!vector_ok("abc", digest_abc) ||
        !vector_ok("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", digest_448))
        return workload_fail(NAME, "FIPS 180-4 vector");

    static uint8_t buffer[BUFFER_BYTES];
    for (size_t i = 0; i < sizeof buffer; i++)
        buffer[i] = (uint8_t)(i * 7 + 1);

    uint32_t digest[8], sum = 0;
    for (uint32_t pass = 0; pass < WORKLOAD_PASSES(14); pass++) {
        sha256(digest, buffer, sizeof buffer - pass % BLOCK_BYTES);
        for (size_t i = 0; i < 8; i++) {
            store_be32(buffer + 4 * i, digest[i]);
            sum = checksum_add(sum, digest[i]);
        }
    }
    return workload_report(NAME, sum, WORKLOAD_PICK(0xe826dc6b, 0xabaa7475, 0x820316b4));
}
