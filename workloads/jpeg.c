/*
 * jpeg.c - baseline JPEG: draws a picture, encodes it and decodes it again.
 *
 * Stresses the whole chain: colour conversion, 8x8 DCT (nested loops of
 * multiplies), division by quantizers, Huffman coding bit by bit, marker
 * parsing, and strided writes. YCbCr with 4:2:0 subsampling.
 * Tables and procedures are those of ITU-T T.81, annexes A, B, F and K; the
 * encoded files are readable by libjpeg.
 * Check: the decoded picture must be near the drawn one; then a checksum over
 * both the file and the picture.
 */
#include "workload.h"

#define NAME "jpeg"

enum {
    WIDTH = 48,
    HEIGHT = 32,
    MCU = 16,
    COMPONENTS = 3,
    FILE_BYTES = 8192,
    DCT_SHIFT = 13,   /* fraction bits of the cosines */
    DCT_EXTRA = 3,    /* fraction bits kept between rows and columns */
    ERROR_LIMIT = 12, /* mean absolute error per sample */
};

enum { M_SOF0 = 0xc0, M_DHT = 0xc4, M_SOI = 0xd8, M_EOI = 0xd9, M_SOS = 0xda, M_DQT = 0xdb };

typedef struct {
    uint8_t count[16]; /* codes of 1 to 16 bits */
    uint8_t symbol[162];
} huffman_spec;

static const uint8_t zigzag[64] = {
    0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
    41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
    30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
};

/* Tables K.1 and K.2, row by row. */
static const uint8_t base_quantizer[2][64] = {
    {16, 11, 10, 16, 24,  40,  51,  61,  12, 12, 14, 19, 26,  58,  60,  55,
     14, 13, 16, 24, 40,  57,  69,  56,  14, 17, 22, 29, 51,  87,  80,  62,
     18, 22, 37, 56, 68,  109, 103, 77,  24, 35, 55, 64, 81,  104, 113, 92,
     49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99},
    {17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99,
     99, 99, 47, 66, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
     99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99},
};

/* Tables K.3 to K.6: [chrominance][AC]. */
static const huffman_spec huffman_specs[2][2] = {
    {
        {{0, 1, 5, 1, 1, 1, 1, 1, 1}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
        {{0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125},
         {0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61,
          0x07, 0x22, 0x71, 0x14, 0x32, 0x81, 0x91, 0xa1, 0x08, 0x23, 0x42, 0xb1, 0xc1, 0x15, 0x52,
          0xd1, 0xf0, 0x24, 0x33, 0x62, 0x72, 0x82, 0x09, 0x0a, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x25,
          0x26, 0x27, 0x28, 0x29, 0x2a, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3a, 0x43, 0x44, 0x45,
          0x46, 0x47, 0x48, 0x49, 0x4a, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5a, 0x63, 0x64,
          0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7a, 0x83,
          0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99,
          0x9a, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6,
          0xb7, 0xb8, 0xb9, 0xba, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xd2, 0xd3,
          0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda, 0xe1, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8,
          0xe9, 0xea, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa}},
    },
    {
        {{0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}},
        {{0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119},
         {0x00, 0x01, 0x02, 0x03, 0x11, 0x04, 0x05, 0x21, 0x31, 0x06, 0x12, 0x41, 0x51, 0x07, 0x61,
          0x71, 0x13, 0x22, 0x32, 0x81, 0x08, 0x14, 0x42, 0x91, 0xa1, 0xb1, 0xc1, 0x09, 0x23, 0x33,
          0x52, 0xf0, 0x15, 0x62, 0x72, 0xd1, 0x0a, 0x16, 0x24, 0x34, 0xe1, 0x25, 0xf1, 0x17, 0x18,
          0x19, 0x1a, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3a, 0x43, 0x44,
          0x45, 0x46, 0x47, 0x48, 0x49, 0x4a, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5a, 0x63,
          0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7a,
          0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97,
          0x98, 0x99, 0x9a, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xb2, 0xb3, 0xb4,
          0xb5, 0xb6, 0xb7, 0xb8, 0xb9, 0xba, 0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca,
          0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7,
          0xe8, 0xe9, 0xea, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa}},
    },
};

typedef struct {
    uint8_t red, green, blue;
} rgb;

static rgb drawn[HEIGHT][WIDTH], decoded[HEIGHT][WIDTH];
static uint8_t file[FILE_BYTES];

static int32_t clamp_byte(int32_t v)
{
    return v < 0 ? 0 : v > 255 ? 255 : v;
}

/* --- discrete cosine transform ----------------------------------------- */

/* cosine[u][x] = C(u)/2 cos((2x+1) u pi/16); the right half mirrors the left. */
static int16_t cosine[8][4];

static void make_cosines(void)
{
    /* 4096 cos(k pi/16); the DC row has 4096 cos(4 pi/16) throughout */
    static const int16_t quarter[9] = {4096, 4017, 3784, 3406, 2896, 2276, 1567, 799, 0};
    for (int u = 0; u < 8; u++)
        for (int x = 0; x < 4; x++) {
            int angle = u ? (2 * x + 1) * u % 32 : 4;
            if (angle > 16)
                angle = 32 - angle;
            cosine[u][x] = (int16_t)(angle <= 8 ? quarter[angle] : -quarter[16 - angle]);
        }
}

static int32_t round_shift(int32_t v, int n)
{
    return (v + (1 << (n - 1))) >> n;
}

/* One row or column; `step` apart, result scaled down by 2^shift. */
static NOINLINE void forward_dct_1d(int32_t *v, int step, int shift)
{
    int32_t half[2][4]; /* sums for the even frequencies, differences for the odd */
    for (int x = 0; x < 4; x++) {
        half[0][x] = v[x * step] + v[(7 - x) * step];
        half[1][x] = v[x * step] - v[(7 - x) * step];
    }
    for (int u = 0; u < 8; u++) {
        int32_t sum = 0;
        for (int x = 0; x < 4; x++)
            sum += cosine[u][x] * half[u & 1][x];
        v[u * step] = round_shift(sum, shift);
    }
}

static NOINLINE void inverse_dct_1d(int32_t *v, int step, int shift)
{
    int32_t out[8];
    for (int x = 0; x < 4; x++) {
        int32_t sum[2] = {0, 0};
        for (int u = 0; u < 8; u++)
            sum[u & 1] += cosine[u][x] * v[u * step];
        out[x] = sum[0] + sum[1];
        out[7 - x] = sum[0] - sum[1];
    }
    for (int x = 0; x < 8; x++)
        v[x * step] = round_shift(out[x], shift);
}

static void transform(int32_t block[64], void pass(int32_t *, int, int))
{
    for (int y = 0; y < 8; y++)
        pass(block + 8 * y, 1, DCT_SHIFT - DCT_EXTRA);
    for (int x = 0; x < 8; x++)
        pass(block + x, 8, DCT_SHIFT + DCT_EXTRA);
}

/* --- encoder ------------------------------------------------------------ */

typedef struct {
    size_t length;
    uint32_t bits;
    int bit_count;
    uint8_t quantizer[2][64];
    uint16_t code[2][2][256]; /* [chrominance][AC][symbol] */
    uint8_t code_bits[2][2][256];
    int previous_dc[COMPONENTS];
} encoder;

static encoder enc;

static void put_byte(unsigned byte)
{
    file[enc.length] = (uint8_t)byte;
    if (enc.length < FILE_BYTES - 1)
        enc.length++;
}

static void put_word(unsigned word)
{
    put_byte(word >> 8);
    put_byte(word & 255);
}

static void put_segment(unsigned marker, unsigned payload_bytes)
{
    put_word(0xff00 | marker);
    put_word(payload_bytes + 2);
}

static void build_codes(const huffman_spec *spec, uint16_t *code, uint8_t *code_bits)
{
    unsigned next = 0, k = 0;
    for (unsigned bits = 1; bits <= 16; bits++, next <<= 1)
        for (unsigned i = 0; i < spec->count[bits - 1]; i++, k++, next++) {
            code[spec->symbol[k]] = (uint16_t)next;
            code_bits[spec->symbol[k]] = (uint8_t)bits;
        }
}

static unsigned symbol_count(const huffman_spec *spec)
{
    unsigned n = 0;
    for (int i = 0; i < 16; i++)
        n += spec->count[i];
    return n;
}

static NOINLINE void put_headers(int scale)
{
    put_word(0xff00 | M_SOI);
    for (unsigned t = 0; t < 2; t++) {
        put_segment(M_DQT, 65);
        put_byte(t);
        for (int k = 0; k < 64; k++) {
            int q = (base_quantizer[t][zigzag[k]] * scale + 50) / 100;
            q = q < 1 ? 1 : q > 255 ? 255 : q;
            enc.quantizer[t][zigzag[k]] = (uint8_t)q;
            put_byte((unsigned)q);
        }
    }
    put_segment(M_SOF0, 6 + 3 * COMPONENTS);
    put_byte(8);
    put_word(HEIGHT);
    put_word(WIDTH);
    put_byte(COMPONENTS);
    for (unsigned c = 0; c < COMPONENTS; c++) {
        put_byte(c + 1);
        put_byte(c ? 0x11 : 0x22);
        put_byte(c != 0);
    }
    for (unsigned t = 0; t < 2; t++)
        for (unsigned ac = 0; ac < 2; ac++) {
            const huffman_spec *spec = &huffman_specs[t][ac];
            unsigned n = symbol_count(spec);
            put_segment(M_DHT, 17 + n);
            put_byte(ac << 4 | t);
            for (int i = 0; i < 16; i++)
                put_byte(spec->count[i]);
            for (unsigned i = 0; i < n; i++)
                put_byte(spec->symbol[i]);
            build_codes(spec, enc.code[t][ac], enc.code_bits[t][ac]);
        }
    put_segment(M_SOS, 4 + 2 * COMPONENTS);
    put_byte(COMPONENTS);
    for (unsigned c = 0; c < COMPONENTS; c++) {
        put_byte(c + 1);
        put_byte(c ? 0x11 : 0x00);
    }
    put_byte(0);
    put_byte(63);
    put_byte(0);
}

/* A byte of ones is followed by a zero, so that no marker appears in the data. */
static NOINLINE void put_bits(unsigned value, int count)
{
    enc.bits = enc.bits << count | value;
    enc.bit_count += count;
    while (enc.bit_count >= 8) {
        enc.bit_count -= 8;
        unsigned byte = enc.bits >> enc.bit_count & 255;
        put_byte(byte);
        if (byte == 255)
            put_byte(0);
    }
}

static int bit_size(int v)
{
    int n = 0;
    for (unsigned size = (unsigned)(v < 0 ? -v : v); size; size >>= 1)
        n++;
    return n;
}

/* A Huffman code for run and size, then the value in `size` bits (F.1.2). */
static void put_coefficient(int table, int ac, int run, int value)
{
    int size = bit_size(value);
    int symbol = run << 4 | size;
    put_bits(enc.code[table][ac][symbol], enc.code_bits[table][ac][symbol]);
    if (size)
        put_bits((unsigned)(value < 0 ? value + (1 << size) - 1 : value), size);
}

static NOINLINE void encode_block(int component, int32_t block[64])
{
    int table = component != 0, run = 0;
    transform(block, forward_dct_1d);
    for (int k = 0; k < 64; k++) {
        int32_t q = enc.quantizer[table][zigzag[k]], v = block[zigzag[k]];
        int value = v < 0 ? -((-v + q / 2) / q) : (v + q / 2) / q;
        if (k == 0) {
            put_coefficient(table, 0, 0, value - enc.previous_dc[component]);
            enc.previous_dc[component] = value;
        } else if (value == 0) {
            run++;
        } else {
            for (; run >= 16; run -= 16)
                put_bits(enc.code[table][1][0xf0], enc.code_bits[table][1][0xf0]);
            put_coefficient(table, 1, run, value);
            run = 0;
        }
    }
    if (run)
        put_bits(enc.code[table][1][0], enc.code_bits[table][1][0]);
}

/* ITU-R BT.601 as in JFIF, 16 fraction bits; shifted so that 0 is grey. */
static int32_t component_of(rgb p, int component)
{
    switch (component) {
    case 0: return round_shift(19595 * p.red + 38470 * p.green + 7471 * p.blue, 16) - 128;
    case 1: return round_shift(-11059 * p.red - 21709 * p.green + 32768 * p.blue, 16);
    default: return round_shift(32768 * p.red - 27439 * p.green - 5329 * p.blue, 16);
    }
}

static NOINLINE void encode_mcu(int left, int top)
{
    int32_t block[64];
    for (int b = 0; b < 4; b++) {
        for (int i = 0; i < 64; i++)
            block[i] =
                component_of(drawn[top + (b >> 1) * 8 + i / 8][left + (b & 1) * 8 + i % 8], 0);
        encode_block(0, block);
    }
    for (int c = 1; c < COMPONENTS; c++) {
        for (int i = 0; i < 64; i++) {
            int y = top + i / 8 * 2, x = left + i % 8 * 2;
            int32_t sum = component_of(drawn[y][x], c) + component_of(drawn[y][x + 1], c) +
                          component_of(drawn[y + 1][x], c) + component_of(drawn[y + 1][x + 1], c);
            block[i] = round_shift(sum, 2);
        }
        encode_block(c, block);
    }
}

static NOINLINE void encode(int scale)
{
    memset(&enc, 0, sizeof enc);
    put_headers(scale);
    for (int y = 0; y < HEIGHT; y += MCU)
        for (int x = 0; x < WIDTH; x += MCU)
            encode_mcu(x, y);
    put_bits(0x7f, 7);
    put_word(0xff00 | M_EOI);
}

/* --- decoder ------------------------------------------------------------ */

typedef struct {
    int32_t largest[17]; /* the largest code of each length, or -1 */
    int32_t offset[17];  /* from a code to the place of its symbol */
    uint8_t symbol[256];
} huffman_table;

typedef struct {
    const uint8_t *at, *end;
    uint32_t bits;
    int bit_count;
    int width, height;
    uint8_t quantizer[4][64];
    huffman_table huffman[2][2]; /* [AC][table] */
    struct {
        int horizontal, vertical, quantizer, dc_table, ac_table, previous_dc;
        uint8_t samples[MCU][MCU]; /* of one MCU, not yet enlarged */
    } component[COMPONENTS];
} decoder;

static decoder dec;

static unsigned get_byte(void)
{
    return dec.at < dec.end ? *dec.at++ : 0;
}

static unsigned get_word(void)
{
    unsigned high = get_byte();
    return high << 8 | get_byte();
}

static NOINLINE void read_huffman_table(huffman_table *table)
{
    uint8_t count[17];
    int total = 0, next = 0;
    for (int bits = 1; bits <= 16; bits++)
        count[bits] = (uint8_t)get_byte();
    for (int bits = 1; bits <= 16; bits++, next <<= 1) {
        table->offset[bits] = total - next;
        next += count[bits];
        total += count[bits];
        table->largest[bits] = count[bits] ? next - 1 : -1;
    }
    for (int i = 0; i < total && i < 256; i++)
        table->symbol[i] = (uint8_t)get_byte();
}

static NOINLINE bool read_headers(void)
{
    if (get_word() != (0xff00 | M_SOI))
        return false;
    for (;;) {
        unsigned marker = get_word();
        unsigned length = get_word();
        const uint8_t *next = dec.at + length - 2;
        if (marker < 0xff00 || next > dec.end)
            return false;
        switch (marker & 255) {
        case M_DQT:
            while (dec.at < next) {
                uint8_t *q = dec.quantizer[get_byte() & 3];
                for (int k = 0; k < 64; k++)
                    q[zigzag[k]] = (uint8_t)get_byte();
            }
            break;
        case M_DHT:
            while (dec.at < next) {
                unsigned id = get_byte();
                read_huffman_table(&dec.huffman[id >> 4 & 1][id & 1]);
            }
            break;
        case M_SOF0:
            get_byte();
            dec.height = (int)get_word();
            dec.width = (int)get_word();
            if (dec.height != HEIGHT || dec.width != WIDTH || get_byte() != COMPONENTS)
                return false;
            for (int c = 0; c < COMPONENTS; c++) {
                get_byte();
                unsigned factors = get_byte();
                dec.component[c].horizontal = (int)(factors >> 4);
                dec.component[c].vertical = (int)(factors & 15);
                dec.component[c].quantizer = (int)(get_byte() & 3);
            }
            break;
        case M_SOS:
            get_byte();
            for (int c = 0; c < COMPONENTS; c++) {
                get_byte();
                unsigned tables = get_byte();
                dec.component[c].dc_table = (int)(tables >> 4 & 1);
                dec.component[c].ac_table = (int)(tables & 1);
            }
            dec.at = next;
            return true;
        default: break;
        }
        dec.at = next;
    }
}

static unsigned get_bit(void)
{
    if (dec.bit_count == 0) {
        dec.bits = get_byte();
        dec.bit_count = 8;
        if (dec.bits == 255)
            get_byte(); /* the stuffed zero */
    }
    return dec.bits >> --dec.bit_count & 1;
}

/* Annex F.2.2.3: longer and longer codes until one is in the table. */
static NOINLINE unsigned get_symbol(const huffman_table *table)
{
    int32_t code = 0;
    for (int bits = 1; bits <= 16; bits++) {
        code = code << 1 | (int32_t)get_bit();
        if (code <= table->largest[bits])
            return table->symbol[(code + table->offset[bits]) & 255];
    }
    return 0;
}

static NOINLINE int get_value(unsigned size)
{
    int value = 0;
    for (unsigned i = 0; i < size; i++)
        value = value << 1 | (int)get_bit();
    return size && value < 1 << (size - 1) ? value - (1 << size) + 1 : value;
}

static NOINLINE void decode_block(int c, int32_t block[64])
{
    const uint8_t *quantizer = dec.quantizer[dec.component[c].quantizer];
    memset(block, 0, 64 * sizeof block[0]);
    unsigned dc_size = get_symbol(&dec.huffman[0][dec.component[c].dc_table]) & 15;
    dec.component[c].previous_dc += get_value(dc_size);
    block[0] = dec.component[c].previous_dc * quantizer[0];
    const huffman_table *ac = &dec.huffman[1][dec.component[c].ac_table];
    for (unsigned k = 1; k < 64; k++) {
        unsigned symbol = get_symbol(ac);
        if (symbol == 0)
            break;
        k += symbol >> 4;
        if (k > 63)
            break;
        block[zigzag[k]] = get_value(symbol & 15) * quantizer[zigzag[k]];
    }
    transform(block, inverse_dct_1d);
}

static NOINLINE void write_pixels(int left, int top)
{
    for (int y = 0; y < MCU; y++)
        for (int x = 0; x < MCU; x++) {
            int32_t v[COMPONENTS];
            for (int c = 0; c < COMPONENTS; c++)
                v[c] = dec.component[c].samples[y * dec.component[c].vertical / 2]
                                               [x * dec.component[c].horizontal / 2];
            int32_t blue = v[1] - 128, red = v[2] - 128;
            decoded[top + y][left + x] = (rgb){
                .red = (uint8_t)clamp_byte(v[0] + round_shift(91881 * red, 16)),
                .green = (uint8_t)clamp_byte(v[0] - round_shift(22554 * blue + 46802 * red, 16)),
                .blue = (uint8_t)clamp_byte(v[0] + round_shift(116130 * blue, 16)),
            };
        }
}

static NOINLINE bool decode(void)
{
    memset(&dec, 0, sizeof dec);
    dec.at = file;
    dec.end = file + enc.length;
    if (!read_headers())
        return false;
    for (int top = 0; top < dec.height; top += MCU)
        for (int left = 0; left < dec.width; left += MCU) {
            for (int c = 0; c < COMPONENTS; c++)
                for (int v = 0; v < dec.component[c].vertical; v++)
                    for (int h = 0; h < dec.component[c].horizontal; h++) {
                        int32_t block[64];
                        decode_block(c, block);
                        for (int i = 0; i < 64; i++)
                            dec.component[c].samples[v * 8 + i / 8][h * 8 + i % 8] =
                                (uint8_t)clamp_byte(block[i] + 128);
                    }
            write_pixels(left, top);
        }
    return get_word() == (0xff00 | M_EOI);
}

/* ------------------------------------------------------------------------ */

/* A sky, a ground, a disc, and a texture that changes from picture to picture. */
static NOINLINE void draw(uint32_t number, uint32_t *random)
{
    int centre_x = (int)(number * 7 % WIDTH), centre_y = (int)(number * 5 % HEIGHT);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            int dx = x - centre_x, dy = y - centre_y, grain = (int)(random_next(random) >> 28);
            rgb p = {(uint8_t)(60 + y * 2), (uint8_t)(120 + x), (uint8_t)(230 - y * 3)};
            if (y > HEIGHT / 2)
                p = (rgb){(uint8_t)(90 + grain), (uint8_t)(140 - y + grain), (uint8_t)(40 + x / 2)};
            if (dx * dx + dy * dy < 64)
                p = (rgb){240, (uint8_t)(200 + dx * 4), (uint8_t)(50 + dy * 4)};
            drawn[y][x] = p;
        }
}

static uint32_t picture_error(void)
{
    uint32_t sum = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            int red = drawn[y][x].red - decoded[y][x].red;
            int green = drawn[y][x].green - decoded[y][x].green;
            int blue = drawn[y][x].blue - decoded[y][x].blue;
            sum += (uint32_t)((red < 0 ? -red : red) + (green < 0 ? -green : green) +
                              (blue < 0 ? -blue : blue));
        }
    return sum;
}

int main(void)
{
    static const uint8_t scales[3] = {50, 25, 100};
    make_cosines();
    uint32_t random = 0x19e6, sum = 0;
    for (uint32_t pass = 0; pass < WORKLOAD_PASSES(1); pass++) {
        draw(pass, &random);
        encode(scales[pass % COUNT_OF(scales)]);
        if (!decode() || picture_error() > ERROR_LIMIT * WIDTH * HEIGHT * COMPONENTS)
            return workload_fail(NAME, "decoded picture");
        sum = checksum_bytes(sum, file, enc.length);
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x += 3)
                sum =
                    checksum_add(sum, (uint32_t)decoded[y][x].red << 16 |
                                          (uint32_t)decoded[y][x].green << 8 | decoded[y][x].blue);
    }
    return workload_report(NAME, sum, WORKLOAD_PICK(0xa366baf9, 0x73f97a72, 0x3df13479));
}
