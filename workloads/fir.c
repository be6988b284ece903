/*
 * fir.c - fixed-point filters: a 35-tap FIR, a decimating FIR, a biquad cascade.
 *
 * Stresses multiply-accumulate in tight nested loops with unit-stride loads.
 * Check: an impulse must bring back the taps and a constant must pass
 * unchanged (the taps add up to one); then a checksum over the outputs.
 */
#include "workload.h"

#define NAME "fir"

enum { TAPS = 35, BLOCK = 128, SECTIONS = 4, DECIMATION = 4 };

/* Low pass at a fifth of the sample rate, Hamming window, Q15. */
static const int16_t taps[TAPS] = {
    29,  54,    0,     -105, -94,  134,   301,  0,    -547,  -445,  582, 1229,
    0,   -2177, -1899, 2964, 9820, 13076, 9820, 2964, -1899, -2177, 0,   1229,
    582, -445,  -547,  0,    301,  134,   -94,  -105, 0,     54,    29,
};

typedef struct {
    int16_t b[3], a[2]; /* Q14; the coefficient of the output itself is 1 */
} biquad;

typedef struct {
    int32_t x[2], y[2];
} biquad_state;

/* Eighth-order Butterworth low pass at 0.15 of the sample rate. */
static const biquad sections[SECTIONS] = {
    {{1883, 3766, 1883}, {-10739, 1887}},
    {{2019, 4038, 2019}, {-11514, 3206}},
    {{2330, 4659, 2330}, {-13288, 6223}},
    {{2917, 5833, 2917}, {-16635, 11917}},
};

static int16_t saturate(int32_t v)
{
    return (int16_t)(v < -32768 ? -32768 : v > 32767 ? 32767 : v);
}

/* The sum of all |tap| is below 2 in Q15, so 32 bits hold any input. */
static int32_t dot_taps(const int16_t *newest)
{
    int32_t sum = 1 << 14;
    for (int i = 0; i < TAPS; i++)
        sum += taps[i] * newest[-i];
    return sum >> 15;
}

/* `in` is preceded by the TAPS - 1 samples before it. */
static NOINLINE void filter_fir(int16_t *out, const int16_t *in, int n, int stride)
{
    for (int i = 0; i < n; i += stride)
        *out++ = saturate(dot_taps(in + i));
}

static NOINLINE void filter_biquads(biquad_state state[SECTIONS], int16_t *samples, int n)
{
    for (int i = 0; i < n; i++) {
        int32_t v = samples[i];
        for (int s = 0; s < SECTIONS; s++) {
            const biquad *c = &sections[s];
            biquad_state *z = &state[s];
            int32_t sum = c->b[0] * v + c->b[1] * z->x[0] + c->b[2] * z->x[1];
            sum -= c->a[0] * z->y[0] + c->a[1] * z->y[1];
            z->x[1] = z->x[0];
            z->x[0] = v;
            z->y[1] = z->y[0];
            v = z->y[0] = saturate((sum + (1 << 13)) >> 14);
        }
        samples[i] = (int16_t)v;
    }
}

static bool impulse_and_step_ok(void)
{
    static int16_t in[TAPS - 1 + BLOCK], out[BLOCK];
    int16_t *start = in + TAPS - 1;
    start[0] = 32767;
    filter_fir(out, start, BLOCK, 1);
    for (int i = 0; i < BLOCK; i++) {
        int difference = out[i] - (i < TAPS ? taps[i] : 0);
        if (difference < -1 || difference > 1)
            return false;
    }
    for (size_t i = 0; i < COUNT_OF(in); i++)
        in[i] = 1000;
    filter_fir(out, start, BLOCK, 1);
    return out[0] == 1000 && out[BLOCK - 1] == 1000;
}

int main(void)
{
    if (!impulse_and_step_ok())
        return workload_fail(NAME, "impulse or step response");

    static int16_t history[TAPS - 1 + BLOCK], smooth[BLOCK], slow[BLOCK / DECIMATION];
    static biquad_state state[SECTIONS];
    int16_t *block = history + TAPS - 1;
    uint32_t random = 0xf117e12, sum = 0;
    for (uint32_t pass = 0; pass < WORKLOAD_PASSES(16); pass++) {
        memmove(history, history + BLOCK, (TAPS - 1) * sizeof history[0]);
        for (int i = 0; i < BLOCK; i++) /* a sawtooth with noise, at half scale */
            block[i] = (int16_t)((i * 512 & 16383) - 8192 + (int32_t)(random_next(&random) >> 19));

        filter_fir(smooth, block, BLOCK, 1);
        filter_fir(slow, block, BLOCK, DECIMATION);
        filter_biquads(state, smooth, BLOCK);
        for (int i = 0; i < BLOCK; i++)
            sum = checksum_add(sum, (uint16_t)smooth[i]);
        for (int i = 0; i < BLOCK / DECIMATION; i++)
            sum = checksum_add(sum, (uint16_t)slow[i]);
    }
    return workload_report(NAME, sum, WORKLOAD_PICK(0x9667e2ee, 0x66694b43, 0x94c4a3f2));
}
