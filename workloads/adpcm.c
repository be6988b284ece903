/*
 * adpcm.c - IMA/DVI ADPCM: 16-bit samples to 4 bits and back.
 *
 * Stresses short data-dependent branches and clamps around a small table, with
 * a serial dependency from sample to sample.
 * Check: the decoder must reproduce the encoder's own prediction for every
 * sample; the packed nibbles equal those of Python's audioop.lin2adpcm.
 */
#include "workload.h"

#define NAME "adpcm"

enum { SAMPLES = 512 };

typedef struct {
    int32_t prediction;
    int32_t index;
} adpcm_state;

static const int8_t index_change[16] = {-1, -1, -1, -1, 2, 4, 6, 8, -1, -1, -1, -1, 2, 4, 6, 8};

static const int16_t step_size[89] = {
    7,     8,     9,     10,    11,    12,    13,    14,    16,    17,    19,    21,    23,
    25,    28,    31,    34,    37,    41,    45,    50,    55,    60,    66,    73,    80,
    88,    97,    107,   118,   130,   143,   157,   173,   190,   209,   230,   253,   279,
    307,   337,   371,   408,   449,   494,   544,   598,   658,   724,   796,   876,   963,
    1060,  1166,  1282,  1411,  1552,  1707,  1878,  2066,  2272,  2499,  2749,  3024,  3327,
    3660,  4026,  4428,  4871,  5358,  5894,  6484,  7132,  7845,  8630,  9493,  10442, 11487,
    12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086, 29794, 32767,
};

static int32_t clamp(int32_t v, int32_t low, int32_t high)
{
    return v < low ? low : v > high ? high : v;
}

/* Moves the state by one code: all the decoder does, and the encoder's second half. */
static int32_t step(adpcm_state *state, unsigned code)
{
    int32_t size = step_size[state->index];
    int32_t difference = size >> 3;
    if (code & 4)
        difference += size;
    if (code & 2)
        difference += size >> 1;
    if (code & 1)
        difference += size >> 2;
    if (code & 8)
        difference = -difference;
    state->prediction = clamp(state->prediction + difference, -32768, 32767);
    state->index = clamp(state->index + index_change[code], 0, 88);
    return state->prediction;
}

static unsigned quantize(const adpcm_state *state, int32_t sample)
{
    int32_t difference = sample - state->prediction;
    int32_t size = step_size[state->index];
    unsigned code = 0;
    if (difference < 0) {
        code = 8;
        difference = -difference;
    }
    for (unsigned bit = 4; bit; bit >>= 1, size >>= 1)
        if (difference >= size) {
            code |= bit;
            difference -= size;
        }
    return code;
}

static NOINLINE uint32_t encode(adpcm_state *state, uint8_t *packed, const int16_t *samples,
                                size_t n)
{
    uint32_t track = 0;
    for (size_t i = 0; i < n; i += 2) {
        unsigned first = quantize(state, samples[i]);
        track = checksum_add(track, (uint32_t)step(state, first));
        unsigned second = quantize(state, samples[i + 1]);
        track = checksum_add(track, (uint32_t)step(state, second));
        packed[i / 2] = (uint8_t)(first << 4 | second);
    }
    return track;
}

static NOINLINE uint32_t decode(adpcm_state *state, int16_t *samples, const uint8_t *packed,
                                size_t n)
{
    uint32_t track = 0;
    for (size_t i = 0; i < n; i++) {
        unsigned code = i & 1 ? packed[i / 2] & 15u : packed[i / 2] >> 4u;
        int32_t sample = step(state, code);
        samples[i] = (int16_t)sample;
        track = checksum_add(track, (uint32_t)sample);
    }
    return track;
}

/* A tone whose pitch and loudness wander, with some noise. */
static NOINLINE void synthesize(int16_t *samples, size_t n, uint32_t *random)
{
    uint32_t choice = random_next(random);
    int32_t gain = 2000 + (int32_t)(choice & 8191);
    int32_t rate = 300 + (int32_t)(choice >> 16 & 1023);
    int32_t cosine = gain, sine = 0;
    for (size_t i = 0; i < n; i++) {
        sine += cosine * rate >> 13;
        cosine -= sine * rate >> 13;
        int32_t noise = (int32_t)(random_next(random) >> 24) - 128;
        samples[i] = (int16_t)clamp(2 * sine + noise, -32768, 32767);
    }
}

int main(void)
{
    static int16_t samples[SAMPLES], decoded[SAMPLES];
    static uint8_t packed[SAMPLES / 2];
    adpcm_state encoder = {0, 0}, decoder = {0, 0};
    uint32_t random = 0xada90cf1, sum = 0;
    for (uint32_t pass = 0; pass < WORKLOAD_PASSES(16); pass++) {
        synthesize(samples, SAMPLES, &random);
        uint32_t predicted = encode(&encoder, packed, samples, SAMPLES);
        if (decode(&decoder, decoded, packed, SAMPLES) != predicted)
            return workload_fail(NAME, "decoder and encoder differ");
        sum = checksum_bytes(sum, packed, sizeof packed);
    }
    return workload_report(NAME, sum, WORKLOAD_PICK(0xd3d8b58d, 0xaab61c74, 0x118384bc));
}
