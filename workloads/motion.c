/*
 * motion.c - MPEG-2 motion vectors: variable-length decoding and half-pel prediction.
 *
 * Stresses a bit reader with a lookup by leading bits, sign and wrap-around
 * branches, and byte averaging over 16x16 blocks with strided access.
 * Check: motion codes are those of ISO/IEC 13818-2, table B-10; the vectors
 * decoded must be those that were coded; then a checksum over the prediction.
 */
#include "workload.h"

#define NAME "motion"

enum {
    WIDTH = 64,
    HEIGHT = 64,
    BLOCK = 16,
    VECTORS = 16,
    F_CODE = 3,
    RESIDUAL_BITS = F_CODE - 1,
    RANGE = 16 << RESIDUAL_BITS, /* vectors are in [-RANGE, RANGE) half pixels */
    STREAM_BYTES = VECTORS * 8,
};

typedef struct {
    int x, y;
} vector;

typedef struct {
    uint8_t *bytes;
    size_t position; /* in bits */
} bit_stream;

/* The code of a magnitude, without its sign bit. */
static const struct {
    uint8_t bits, length;
} motion_code[17] = {
    {1, 1},  {1, 2}, {1, 3},   {1, 4},   {3, 6},   {5, 7},   {4, 7},   {3, 7},   {11, 9},
    {10, 9}, {9, 9}, {17, 10}, {16, 10}, {15, 10}, {14, 10}, {13, 10}, {12, 10},
};

enum { MAX_CODE_BITS = 10, NO_MAGNITUDE = 0xff };

static uint8_t magnitude_by_prefix[1 << MAX_CODE_BITS];

static void make_prefix_table(void)
{
    memset(magnitude_by_prefix, NO_MAGNITUDE, sizeof magnitude_by_prefix);
    for (unsigned m = 0; m < COUNT_OF(motion_code); m++) {
        unsigned free_bits = (unsigned)MAX_CODE_BITS - motion_code[m].length;
        memset(magnitude_by_prefix + ((size_t)motion_code[m].bits << free_bits), (int)m,
               (size_t)1 << free_bits);
    }
}

static void put_bits(bit_stream *s, unsigned value, unsigned width)
{
    for (; width; width--, s->position++) {
        unsigned mask = 0x80u >> s->position % 8;
        uint8_t *byte = &s->bytes[s->position / 8];
        *byte = (uint8_t)(value >> (width - 1) & 1 ? *byte | mask : *byte & ~mask);
    }
}

static NOINLINE unsigned peek_bits(const bit_stream *s, unsigned width)
{
    const uint8_t *p = s->bytes + s->position / 8;
    uint32_t window = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
    return window << s->position % 8 >> (32 - width);
}

static unsigned get_bits(bit_stream *s, unsigned width)
{
    unsigned value = peek_bits(s, width);
    s->position += width;
    return value;
}

/* Codes a component as its distance from the prediction, modulo the range. */
static NOINLINE void put_component(bit_stream *s, int value, int prediction)
{
    int delta = value - prediction;
    if (delta < -RANGE)
        delta += 2 * RANGE;
    else if (delta >= RANGE)
        delta -= 2 * RANGE;
    int size = delta < 0 ? -delta : delta;
    unsigned code = size ? (unsigned)(((size - 1) >> RESIDUAL_BITS) + 1) : 0;
    put_bits(s, motion_code[code].bits, motion_code[code].length);
    if (code) {
        put_bits(s, delta < 0, 1);
        put_bits(s, (unsigned)(size - 1), RESIDUAL_BITS);
    }
}

/* ISO/IEC 13818-2, 7.6.3.1. */
static NOINLINE int get_component(bit_stream *s, int prediction)
{
    unsigned code = magnitude_by_prefix[peek_bits(s, MAX_CODE_BITS)];
    if (code == NO_MAGNITUDE)
        return RANGE;
    s->position += motion_code[code].length;
    if (code == 0)
        return prediction;
    bool negative = get_bits(s, 1);
    int size = (int)(((code - 1) << RESIDUAL_BITS) + get_bits(s, RESIDUAL_BITS) + 1);
    int value = negative ? prediction - size : prediction + size;
    if (value < -RANGE)
        value += 2 * RANGE;
    else if (value >= RANGE)
        value -= 2 * RANGE;
    return value;
}

static int clamp(int v, int low, int high)
{
    return v < low ? low : v > high ? high : v;
}

/* Averages one, two or four neighbours, depending on the half-pel bits. */
static NOINLINE void predict_block(uint8_t out[BLOCK][BLOCK], uint8_t reference[HEIGHT][WIDTH],
                                   int x, int y, vector v)
{
    int left = clamp(x + (v.x >> 1), 0, WIDTH - BLOCK - 1);
    int top = clamp(y + (v.y >> 1), 0, HEIGHT - BLOCK - 1);
    int right_step = v.x & 1, down_step = v.y & 1;
    for (int row = 0; row < BLOCK; row++) {
        const uint8_t *p = &reference[top + row][left];
        const uint8_t *q = &reference[top + row + down_step][left];
        for (int column = 0; column < BLOCK; column++) {
            int next = column + right_step;
            out[row][column] = (uint8_t)((p[column] + p[next] + q[column] + q[next] + 2) >> 2);
        }
    }
}

int main(void)
{
    static uint8_t reference[HEIGHT][WIDTH], prediction[BLOCK][BLOCK];
    static uint8_t stream[STREAM_BYTES + 4]; /* peek_bits looks four bytes ahead */
    make_prefix_table();
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            reference[y][x] = (uint8_t)(x * 3 ^ y * 5);

    uint32_t random = 0x307105, sum = 0;
    for (uint32_t pass = 0; pass < WORKLOAD_PASSES(12); pass++) {
        vector coded[VECTORS], last = {0, 0};
        bit_stream s = {stream, 0};
        for (int i = 0; i < VECTORS; i++) {
            uint32_t r = random_next(&random);
            unsigned narrow = r >> 28 & 7;
            coded[i].x = ((int)(r & 127) - RANGE) >> narrow;
            coded[i].y = ((int)(r >> 8 & 127) - RANGE) >> narrow;
            put_component(&s, coded[i].x, last.x);
            put_component(&s, coded[i].y, last.y);
            last = coded[i];
        }

        s.position = 0;
        last = (vector){0, 0};
        for (int i = 0; i < VECTORS; i++) {
            last.x = get_component(&s, last.x);
            last.y = get_component(&s, last.y);
            if (last.x != coded[i].x || last.y != coded[i].y)
                return workload_fail(NAME, "decoded vector");
            predict_block(prediction, reference, i % 4 * BLOCK, i / 4 * BLOCK, last);
            for (int k = 0; k < BLOCK; k++)
                sum = checksum_add(sum, prediction[k][(k * 5 + i) % BLOCK]);
        }
        memcpy(reference[pass % (HEIGHT - BLOCK)] + pass % (WIDTH - BLOCK), prediction[0], BLOCK);
    }
    return workload_report(NAME, sum, WORKLOAD_PICK(0x369be059, 0x5d1783ab, 0xc1a0e481));
}
