/*
 * g3fax.c - Group 3 facsimile, one-dimensional (modified Huffman) coding.
 *
 * Stresses bit-serial decoding down a code tree (one unpredictable branch per
 * bit) and filling runs of pixels.
 * Check: the code tables are those of ITU-T T.4, tables 2 and 3; every line
 * must come back unchanged.
 */
#include "workload.h"

#define NAME "g3fax"

enum {
    WIDTH = 1728,
    LINE_BYTES = WIDTH / 8,
    LINES = 4,
    EOL_BITS = 12,
    CODES = 64 + 27, /* runs of 0 to 63, then 64, 128, ... 1728 */
    TREE_NODES = 256,
    CODED_BYTES = LINES * WIDTH, /* at worst nine bits for two pixels */
};

typedef struct {
    uint8_t length;
    uint8_t bits; /* no code has more than eight significant bits */
} code;

typedef struct {
    uint8_t *bytes;
    size_t position; /* in bits */
} bit_stream;

/* A link above 0 is a node, below 0 a leaf for run -link - 1; 0 is no code. */
typedef struct {
    int16_t link[TREE_NODES][2];
    int used;
} code_tree;

static const code white_codes[CODES] = {
    {8, 0x35}, {6, 0x07}, {4, 0x07}, {4, 0x08}, {4, 0x0b}, {4, 0x0c}, {4, 0x0e}, {4, 0x0f},
    {5, 0x13}, {5, 0x14}, {5, 0x07}, {5, 0x08}, {6, 0x08}, {6, 0x03}, {6, 0x34}, {6, 0x35},
    {6, 0x2a}, {6, 0x2b}, {7, 0x27}, {7, 0x0c}, {7, 0x08}, {7, 0x17}, {7, 0x03}, {7, 0x04},
    {7, 0x28}, {7, 0x2b}, {7, 0x13}, {7, 0x24}, {7, 0x18}, {8, 0x02}, {8, 0x03}, {8, 0x1a},
    {8, 0x1b}, {8, 0x12}, {8, 0x13}, {8, 0x14}, {8, 0x15}, {8, 0x16}, {8, 0x17}, {8, 0x28},
    {8, 0x29}, {8, 0x2a}, {8, 0x2b}, {8, 0x2c}, {8, 0x2d}, {8, 0x04}, {8, 0x05}, {8, 0x0a},
    {8, 0x0b}, {8, 0x52}, {8, 0x53}, {8, 0x54}, {8, 0x55}, {8, 0x24}, {8, 0x25}, {8, 0x58},
    {8, 0x59}, {8, 0x5a}, {8, 0x5b}, {8, 0x4a}, {8, 0x4b}, {8, 0x32}, {8, 0x33}, {8, 0x34},
    {5, 0x1b}, {5, 0x12}, {6, 0x17}, {7, 0x37}, {8, 0x36}, {8, 0x37}, {8, 0x64}, {8, 0x65},
    {8, 0x68}, {8, 0x67}, {9, 0xcc}, {9, 0xcd}, {9, 0xd2}, {9, 0xd3}, {9, 0xd4}, {9, 0xd5},
    {9, 0xd6}, {9, 0xd7}, {9, 0xd8}, {9, 0xd9}, {9, 0xda}, {9, 0xdb}, {9, 0x98}, {9, 0x99},
    {9, 0x9a}, {6, 0x18}, {9, 0x9b},
};
static const code black_codes[CODES] = {
    {10, 0x37}, {3, 0x02},  {2, 0x03},  {2, 0x02},  {3, 0x03},  {4, 0x03},  {4, 0x02},  {5, 0x03},
    {6, 0x05},  {6, 0x04},  {7, 0x04},  {7, 0x05},  {7, 0x07},  {8, 0x04},  {8, 0x07},  {9, 0x18},
    {10, 0x17}, {10, 0x18}, {10, 0x08}, {11, 0x67}, {11, 0x68}, {11, 0x6c}, {11, 0x37}, {11, 0x28},
    {11, 0x17}, {11, 0x18}, {12, 0xca}, {12, 0xcb}, {12, 0xcc}, {12, 0xcd}, {12, 0x68}, {12, 0x69},
    {12, 0x6a}, {12, 0x6b}, {12, 0xd2}, {12, 0xd3}, {12, 0xd4}, {12, 0xd5}, {12, 0xd6}, {12, 0xd7},
    {12, 0x6c}, {12, 0x6d}, {12, 0xda}, {12, 0xdb}, {12, 0x54}, {12, 0x55}, {12, 0x56}, {12, 0x57},
    {12, 0x64}, {12, 0x65}, {12, 0x52}, {12, 0x53}, {12, 0x24}, {12, 0x37}, {12, 0x38}, {12, 0x27},
    {12, 0x28}, {12, 0x58}, {12, 0x59}, {12, 0x2b}, {12, 0x2c}, {12, 0x5a}, {12, 0x66}, {12, 0x67},
    {10, 0x0f}, {12, 0xc8}, {12, 0xc9}, {12, 0x5b}, {12, 0x33}, {12, 0x34}, {12, 0x35}, {13, 0x6c},
    {13, 0x6d}, {13, 0x4a}, {13, 0x4b}, {13, 0x4c}, {13, 0x4d}, {13, 0x72}, {13, 0x73}, {13, 0x74},
    {13, 0x75}, {13, 0x76}, {13, 0x77}, {13, 0x52}, {13, 0x53}, {13, 0x54}, {13, 0x55}, {13, 0x5a},
    {13, 0x5b}, {13, 0x64}, {13, 0x65},
};

static code_tree trees[2]; /* white, black */

static int run_of(int index)
{
    return index < 64 ? index : (index - 63) * 64;
}

static void plant(code_tree *tree, const code *codes)
{
    tree->used = 1;
    for (int i = 0; i < CODES; i++) {
        int node = 0;
        for (int bit = codes[i].length - 1; bit >= 0; bit--) {
            int16_t *link = &tree->link[node][codes[i].bits >> bit & 1];
            if (bit == 0)
                *link = (int16_t)(-run_of(i) - 1);
            else if (*link == 0)
                *link = (int16_t)tree->used++;
            node = *link;
        }
    }
}

static void put_bits(bit_stream *s, unsigned value, unsigned width)
{
    for (; width; width--, s->position++) {
        unsigned bit = value >> (width - 1) & 1;
        if (s->position % 8 == 0)
            s->bytes[s->position / 8] = 0;
        s->bytes[s->position / 8] |= (uint8_t)(bit << (7 - s->position % 8));
    }
}

static unsigned get_bit(bit_stream *s)
{
    unsigned bit = (unsigned)s->bytes[s->position / 8] >> (7 - s->position % 8) & 1;
    s->position++;
    return bit;
}

static unsigned pixel(const uint8_t *line, int x)
{
    return (unsigned)line[x / 8] >> (7 - x % 8) & 1;
}

static NOINLINE int measure_run(const uint8_t *line, int x, unsigned colour)
{
    int start = x;
    while (x < WIDTH && pixel(line, x) == colour)
        x++;
    return x - start;
}

static NOINLINE void put_run(bit_stream *out, const code *codes, int run)
{
    if (run >= 64) {
        const code *makeup = &codes[63 + run / 64];
        put_bits(out, makeup->bits, makeup->length);
    }
    put_bits(out, codes[run % 64].bits, codes[run % 64].length);
}

static NOINLINE void encode_line(bit_stream *out, const uint8_t *line)
{
    put_bits(out, 1, EOL_BITS);
    unsigned colour = 0;
    for (int x = 0; x < WIDTH; colour ^= 1) {
        int run = measure_run(line, x, colour);
        put_run(out, colour ? black_codes : white_codes, run);
        x += run;
    }
}

/* A run is any number of make-up codes and one terminating code; -1 is no code. */
static NOINLINE int get_run(bit_stream *in, const code_tree *tree)
{
    int total = 0;
    for (;;) {
        int node = 0;
        do {
            node = tree->link[node][get_bit(in)];
            if (node == 0)
                return -1;
        } while (node > 0);
        int run = -node - 1;
        total += run;
        if (run < 64)
            return total;
    }
}

static NOINLINE void blacken(uint8_t *line, int from, int to)
{
    for (; from < to && from % 8; from++)
        line[from / 8] |= (uint8_t)(0x80 >> from % 8);
    for (; from + 8 <= to; from += 8)
        line[from / 8] = 0xff;
    for (; from < to; from++)
        line[from / 8] |= (uint8_t)(0x80 >> from % 8);
}

static NOINLINE bool decode_line(uint8_t *line, bit_stream *in)
{
    memset(line, 0, LINE_BYTES);
    for (int i = 1; i < EOL_BITS; i++)
        if (get_bit(in) != 0)
            return false;
    if (get_bit(in) != 1)
        return false;
    unsigned colour = 0;
    for (int x = 0; x < WIDTH; colour ^= 1) {
        int run = get_run(in, &trees[colour]);
        if (run < 0 || run > WIDTH - x)
            return false;
        if (colour)
            blacken(line, x, x + run);
        x += run;
    }
    return true;
}

/* Strokes of text in a margin, sometimes a rule across the page. */
static NOINLINE void draw_line(uint8_t *line, uint32_t *random)
{
    memset(line, 0, LINE_BYTES);
    uint32_t kind = random_next(random) >> 28;
    if (kind == 0) {
        blacken(line, 0, WIDTH);
        return;
    }
    for (int x = 100 + (int)kind; x < WIDTH - 100;) {
        uint32_t r = random_next(random);
        int stroke = 1 + (int)(r & 7), gap = 2 + (int)(r >> 8 & 15);
        if ((r >> 28) == 0)
            gap += (int)(r >> 16 & 511);
        blacken(line, x, x + stroke);
        x += stroke + gap;
    }
}

int main(void)
{
    static uint8_t page[LINES][LINE_BYTES], decoded[LINE_BYTES], coded[CODED_BYTES];
    plant(&trees[0], white_codes);
    plant(&trees[1], black_codes);

    uint32_t random = 0x63fa0001, sum = 0;
    for (uint32_t pass = 0; pass < WORKLOAD_PASSES(4); pass++) {
        bit_stream out = {coded, 0}, in = {coded, 0};
        for (int y = 0; y < LINES; y++) {
            draw_line(page[y], &random);
            encode_line(&out, page[y]);
        }
        for (int y = 0; y < LINES; y++)
            if (!decode_line(decoded, &in) || memcmp(decoded, page[y], LINE_BYTES) != 0)
                return workload_fail(NAME, "decoded line");
        sum = checksum_bytes(sum, coded, (out.position + 7) / 8);
    }
    return workload_report(NAME, sum, WORKLOAD_PICK(0xf06810c4, 0x1a6065a1, 0xe2d88fff));
}
