/*
 * lzw.c - LZW compression with codes of 9 to 12 bits, and back.
 *
 * Stresses hashing with open addressing, a table of a few ten kilobytes, and
 * bit packing; decoding walks chains backwards.
 * Check: "TOBEORNOTTOBEORTOBEORNOT" must give the sixteen codes of the textbook
 * example; every text must come back unchanged.
 */
#include "text.h"

#define NAME "lzw"

enum {
    FIRST_CODE = 256,
    CODES = 4096,
    HASH_SIZE = 8192,
    NO_CODE = 0xffff,
    TEXT_BYTES = 3072,
    PACKED_BYTES = 2 * TEXT_BYTES,
};

typedef struct {
    uint8_t *bytes;
    size_t position; /* in bits */
} bit_stream;

/* A code stands for the string of its prefix and one more byte. */
static uint16_t prefix[CODES];
static uint8_t suffix[CODES];
static uint16_t hash_code[HASH_SIZE];
static uint8_t stack[CODES];

static NOINLINE void put_bits(bit_stream *s, unsigned value, unsigned width)
{
    for (; width; width--, s->position++) {
        unsigned bit = value >> (width - 1) & 1;
        uint8_t *byte = &s->bytes[s->position / 8];
        if (s->position % 8 == 0)
            *byte = 0;
        *byte = (uint8_t)(*byte | bit << (7 - s->position % 8));
    }
}

static NOINLINE unsigned get_bits(bit_stream *s, unsigned width)
{
    unsigned value = 0;
    for (; width; width--, s->position++)
        value = value << 1 | ((unsigned)s->bytes[s->position / 8] >> (7 - s->position % 8) & 1);
    return value;
}

/* Bits to write any code below `next`. */
static unsigned code_width(unsigned next)
{
    unsigned width = 9;
    while (1u << width < next)
        width++;
    return width;
}

/* The slot of (code, byte): either it is there or the slot is free. */
static NOINLINE unsigned find_slot(unsigned code, uint8_t byte)
{
    unsigned slot = (code * 0x9e37u ^ byte * 0x101u) % HASH_SIZE;
    while (hash_code[slot] != NO_CODE) {
        unsigned found = hash_code[slot];
        if (prefix[found] == code && suffix[found] == byte)
            break;
        slot = (slot + 1) % HASH_SIZE;
    }
    return slot;
}

static void forget_strings(void)
{
    memset(hash_code, 0xff, sizeof hash_code);
}

/* Returns the number of codes; the dictionary starts over when it is full. */
static NOINLINE unsigned compress(bit_stream *out, const uint8_t *text, size_t length)
{
    unsigned next = FIRST_CODE, count = 1, current = text[0];
    forget_strings();
    for (size_t i = 1; i < length; i++) {
        unsigned slot = find_slot(current, text[i]);
        if (hash_code[slot] != NO_CODE) {
            current = hash_code[slot];
            continue;
        }
        put_bits(out, current, code_width(next));
        count++;
        prefix[next] = (uint16_t)current;
        suffix[next] = text[i];
        hash_code[slot] = (uint16_t)next;
        if (++next == CODES) {
            forget_strings();
            next = FIRST_CODE;
        }
        current = text[i];
    }
    put_bits(out, current, code_width(next));
    return count;
}

/* Writes the string of `code` and returns its first byte. */
static NOINLINE uint8_t expand(unsigned code, uint8_t *text, size_t *length)
{
    size_t depth = 0;
    for (; code >= FIRST_CODE; code = prefix[code])
        stack[depth++] = suffix[code];
    uint8_t first = (uint8_t)code;
    text[(*length)++] = first;
    while (depth)
        text[(*length)++] = stack[--depth];
    return first;
}

/* One entry behind the compressor: a string is complete when the next begins. */
static NOINLINE size_t decompress(uint8_t *text, bit_stream *in, unsigned count)
{
    size_t length = 0;
    unsigned next = FIRST_CODE, previous = NO_CODE;
    while (count--) {
        bool fresh = previous == NO_CODE;
        unsigned code = get_bits(in, code_width(fresh ? next : next + 1));
        if (fresh) {
            expand(code, text, &length);
        } else {
            prefix[next] = (uint16_t)previous;
            if (code == next) { /* the string being defined: its last byte is its first */
                unsigned root = previous;
                while (root >= FIRST_CODE)
                    root = prefix[root];
                suffix[next] = (uint8_t)root;
                expand(code, text, &length);
            } else {
                suffix[next] = expand(code, text, &length);
            }
            next++;
        }
        previous = code;
        if (next + 1 == CODES) {
            next = FIRST_CODE;
            previous = NO_CODE;
        }
    }
    return length;
}

static uint8_t text[TEXT_BYTES], restored[TEXT_BYTES], packed[PACKED_BYTES];

static bool textbook_example_ok(void)
{
    static const char example[] = "TOBEORNOTTOBEORTOBEORNOT";
    static const uint16_t want[16] = {84, 79,  66,  69,  79,  82,  78,  79,
                                      84, 256, 258, 260, 265, 259, 261, 263};
    bit_stream s = {packed, 0};
    if (compress(&s, (const uint8_t *)example, sizeof example - 1) != COUNT_OF(want))
        return false;
    s.position = 0;
    for (size_t i = 0; i < COUNT_OF(want); i++)
        if (get_bits(&s, 9) != want[i])
            return false;
    return true;
}

int main(void)
{
    if (!textbook_example_ok())
        return workload_fail(NAME, "textbook example");

    uint32_t random = 0x12a77e1, sum = 0;
    for (uint32_t pass = 0; pass < WORKLOAD_PASSES(2); pass++) {
        text_make((char *)text, sizeof text, &random);
        bit_stream out = {packed, 0}, in = {packed, 0};
        unsigned count = compress(&out, text, sizeof text);
        if (decompress(restored, &in, count) != sizeof text ||
            memcmp(text, restored, sizeof text) != 0)
            return workload_fail(NAME, "decompression");
        sum = checksum_add(sum, count);
        sum = checksum_bytes(sum, packed, (out.position + 7) / 8);
    }
    return workload_report(NAME, sum, WORKLOAD_PICK(0xe34da3b9, 0x064049c7, 0x5e797562));
}
