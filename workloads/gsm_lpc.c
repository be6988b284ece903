/*
 * gsm_lpc.c - the linear prediction part of the GSM full-rate speech encoder.
 *
 * Stresses saturating 16-bit fixed-point arithmetic: autocorrelation (nested
 * multiply-accumulate), the Schur recursion (serial division), a lattice filter.
 * Follows ETSI 06.10, sections 4.2.1 to 4.2.10 and 4.3.4.
 * Check: the lattice is exactly invertible, so the synthesis filter must give
 * every input sample back; then a checksum over the coded log-area ratios.
 */
#include "workload.h"

#define NAME "gsm_lpc"

enum { FRAME = 160, ORDER = 8 };

typedef struct {
    int16_t previous_sample; /* offset compensation */
    int32_t offset_memory;
    int32_t emphasis_memory;
    int16_t log_area[ORDER]; /* of the previous frame, decoded */
    int16_t analysis[ORDER];
    int16_t synthesis[ORDER + 1];
} codec;

/* Table 4.1 of the standard: quantization of the log-area ratios. */
static const struct {
    int16_t a, b, minimum, maximum, inverse_a;
} quantizer[ORDER] = {
    {20480, 0, -32, 31, 13107},     {20480, 0, -32, 31, 13107},  {20480, 2048, -16, 15, 13107},
    {20480, -2560, -16, 15, 13107}, {13964, 94, -8, 7, 19223},   {15360, -1792, -8, 7, 17476},
    {8534, -341, -4, 3, 31454},     {9036, -1144, -4, 3, 29708},
};

static int16_t saturate(int32_t v)
{
    return (int16_t)(v < -32768 ? -32768 : v > 32767 ? 32767 : v);
}

static int16_t add(int16_t a, int16_t b)
{
    return saturate(a + b);
}

static int16_t subtract(int16_t a, int16_t b)
{
    return saturate(a - b);
}

/* Q15 product, rounded. */
static int16_t multiply_round(int16_t a, int16_t b)
{
    return saturate((a * b + 16384) >> 15);
}

static int16_t magnitude(int16_t a)
{
    return a == -32768 ? 32767 : (int16_t)(a < 0 ? -a : a);
}

/* How far a positive value can go left before it overflows. */
static int normalization(int32_t v)
{
    int n = 0;
    while (v < 0x40000000) {
        v <<= 1;
        n++;
    }
    return n;
}

/* Q15 quotient of 0 <= numerator <= denominator, one bit at a time. */
static NOINLINE int16_t divide(int16_t numerator, int16_t denominator)
{
    int32_t rest = numerator, quotient = 0;
    if (numerator == denominator)
        return 32767;
    for (int bit = 0; bit < 15; bit++) {
        quotient <<= 1;
        rest <<= 1;
        if (rest >= denominator) {
            rest -= denominator;
            quotient |= 1;
        }
    }
    return (int16_t)quotient;
}

/* 4.2.1 to 4.2.3: removes the offset and lifts the high frequencies. */
static NOINLINE void preprocess(codec *c, int16_t *frame)
{
    for (int i = 0; i < FRAME; i++) {
        int16_t sample = (int16_t)((frame[i] >> 3) * 4);
        int32_t change = (sample - c->previous_sample) * 32768;
        c->previous_sample = sample;
        int32_t high = c->offset_memory >> 15;
        int32_t low = c->offset_memory - high * 32768;
        c->offset_memory = change + high * 32735 + ((low * 32735 + 16384) >> 15);
        int32_t rounded = (c->offset_memory + 16384) >> 15;
        frame[i] = saturate(rounded + ((c->emphasis_memory * -28180 + 16384) >> 15));
        c->emphasis_memory = saturate(rounded);
    }
}

/* 4.2.4: nine autocorrelation values of a frame that is scaled for the purpose. */
static NOINLINE void autocorrelate(int32_t acf[ORDER + 1], const int16_t *frame)
{
    int16_t peak = 0, scaled[FRAME];
    for (int i = 0; i < FRAME; i++)
        if (magnitude(frame[i]) > peak)
            peak = magnitude(frame[i]);
    int shift = peak ? 4 - normalization((int32_t)peak << 16) : 0;
    for (int i = 0; i < FRAME; i++)
        scaled[i] =
            shift > 0 ? multiply_round(frame[i], (int16_t)(16384 >> (shift - 1))) : frame[i];
    for (int lag = 0; lag <= ORDER; lag++) {
        int32_t sum = 0;
        for (int i = lag; i < FRAME; i++)
            sum += scaled[i] * scaled[i - lag];
        acf[lag] = sum * 2;
    }
}

/* 4.2.5: the Schur recursion. */
static NOINLINE void reflect(int16_t r[ORDER], const int32_t acf[ORDER + 1])
{
    int16_t p[ORDER + 1], k[ORDER + 1];
    memset(r, 0, ORDER * sizeof r[0]);
    if (acf[0] == 0)
        return;
    int shift = normalization(acf[0]);
    for (int i = 0; i <= ORDER; i++)
        k[i] = p[i] = (int16_t)(acf[i] * (1 << shift) >> 16);

    for (int n = 0; n < ORDER; n++) {
        int16_t size = magnitude(p[1]);
        if (p[0] < size)
            return;
        r[n] = divide(size, p[0]);
        if (p[1] > 0)
            r[n] = (int16_t)-r[n];
        p[0] = add(p[0], multiply_round(p[1], r[n]));
        for (int m = 1; m < ORDER - n; m++) {
            p[m] = add(p[m + 1], multiply_round(k[m], r[n]));
            k[m] = add(k[m], multiply_round(p[m + 1], r[n]));
        }
    }
}

/* 4.2.6: a piecewise linear logarithm of the area ratio. */
static int16_t to_log_area(int16_t r)
{
    int32_t size = magnitude(r);
    if (size < 22118)
        size >>= 1;
    else if (size < 31130)
        size -= 11059;
    else
        size = (size - 26112) * 4;
    return (int16_t)(r < 0 ? -size : size);
}

/* 4.2.9.2: and back. */
static int16_t from_log_area(int16_t log_area)
{
    int32_t size = magnitude(log_area);
    if (size < 11059)
        size *= 2;
    else if (size < 20070)
        size += 11059;
    else
        size = (size >> 2) + 26112;
    size = saturate(size);
    return (int16_t)(log_area < 0 ? -size : size);
}

/* 4.2.7: quantizes, and leaves a number from 0 up. */
static int16_t code_log_area(int16_t log_area, int i)
{
    int16_t v = (int16_t)(quantizer[i].a * log_area >> 15);
    v = add(v, quantizer[i].b);
    v = (int16_t)(add(v, 256) >> 9);
    if (v > quantizer[i].maximum)
        v = quantizer[i].maximum;
    if (v < quantizer[i].minimum)
        v = quantizer[i].minimum;
    return (int16_t)(v - quantizer[i].minimum);
}

/* 4.2.8: the decoder's view of it. */
static int16_t decode_log_area(int16_t code, int i)
{
    int16_t v = (int16_t)((code + quantizer[i].minimum) * 1024);
    v = subtract(v, (int16_t)(quantizer[i].b * 2));
    v = multiply_round(quantizer[i].inverse_a, v);
    return add(v, v);
}

/* 4.2.10: one sample through the analysis lattice. */
static int16_t analyse(int16_t u[ORDER], const int16_t r[ORDER], int16_t sample)
{
    int16_t forward = sample, backward = sample;
    for (int i = 0; i < ORDER; i++) {
        int16_t old = u[i];
        u[i] = backward;
        backward = add(old, multiply_round(r[i], forward));
        forward = add(forward, multiply_round(r[i], old));
    }
    return forward;
}

/* 4.3.4: its inverse. */
static int16_t synthesise(int16_t v[ORDER + 1], const int16_t r[ORDER], int16_t residual)
{
    for (int i = ORDER - 1; i >= 0; i--) {
        residual = subtract(residual, multiply_round(r[i], v[i]));
        v[i + 1] = add(v[i], multiply_round(r[i], residual));
    }
    v[0] = residual;
    return residual;
}

/* 4.2.9: four segments of the frame, interpolated from the last frame to this. */
static NOINLINE bool filter_frame(codec *c, const int16_t coded[ORDER], const int16_t *frame,
                                  uint32_t *sum)
{
    static const uint8_t segment_end[4] = {13, 27, 40, FRAME};
    int16_t log_area[ORDER], r[ORDER];
    for (int i = 0; i < ORDER; i++)
        log_area[i] = decode_log_area(coded[i], i);

    for (int segment = 0, k = 0; segment < 4; segment++) {
        for (int i = 0; i < ORDER; i++) {
            int16_t old = c->log_area[i], new = log_area[i], v = new;
            if (segment == 0)
                v = add(add((int16_t)(old >> 2), (int16_t)(new >> 2)), (int16_t)(old >> 1));
            else if (segment == 1)
                v = add((int16_t)(old >> 1), (int16_t)(new >> 1));
            else if (segment == 2)
                v = add(add((int16_t)(old >> 2), (int16_t)(new >> 2)), (int16_t)(new >> 1));
            r[i] = from_log_area(v);
        }
        for (; k < segment_end[segment]; k++) {
            int16_t residual = analyse(c->analysis, r, frame[k]);
            *sum = checksum_add(*sum, (uint16_t)residual);
            if (synthesise(c->synthesis, r, residual) != frame[k])
                return false;
        }
    }
    memcpy(c->log_area, log_area, sizeof log_area);
    return true;
}

/* Glottal pulses or noise through one resonance that moves from frame to frame. */
static NOINLINE void synthesize_speech(int16_t *frame, uint32_t number, uint32_t *random)
{
    static int32_t y1, y2;
    int32_t pitch = 40 + (int32_t)(number * 7 % 50);
    int32_t colour = 12000 + (int32_t)(number * 1931 % 17000); /* 2 r cos(w), Q14 */
    bool voiced = number % 4 != 3;
    for (int i = 0; i < FRAME; i++) {
        int32_t noise = (int32_t)(random_next(random) >> 22) - 512;
        int32_t excitation = voiced ? (i % (int)pitch == 0 ? 2500 : noise >> 6) : noise;
        int32_t y = excitation + ((colour * y1 - 15000 * y2) >> 14);
        y2 = y1;
        y1 = saturate(y);
        frame[i] = saturate(y1 >> 1);
    }
}

int main(void)
{
    static codec c;
    static int16_t frame[FRAME];
    uint32_t random = 0x65a10610, sum = 0;
    for (uint32_t pass = 0; pass < WORKLOAD_PASSES(12); pass++) {
        int32_t acf[ORDER + 1];
        int16_t r[ORDER], coded[ORDER];
        synthesize_speech(frame, pass, &random);
        preprocess(&c, frame);
        autocorrelate(acf, frame);
        reflect(r, acf);
        for (int i = 0; i < ORDER; i++) {
            coded[i] = code_log_area(to_log_area(r[i]), i);
            sum = checksum_add(sum, (uint16_t)coded[i]);
        }
        if (!filter_frame(&c, coded, frame, &sum))
            return workload_fail(NAME, "synthesis");
    }
    return workload_report(NAME, sum, WORKLOAD_PICK(0x463aa138, 0x0805d3f6, 0x706a33a5));
}
