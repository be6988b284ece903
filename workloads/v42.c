/*
 * v42.c - modem data compression in the manner of V.42bis, and its inverse.
 *
 * Stresses a tree of linked siblings in arrays (pointer chasing), recycling of
 * leaves when the dictionary is full, and bit packing.
 * After ITU-T V.42bis: codewords 0 to 2 are commands, 3 to 258 the characters,
 * the rest strings; codewords grow by a step-up command; data that would grow
 * is sent in the clear for a while. The framing is our own. The dictionaries
 * live on from text to text, as on a line that stays up.
 * Check: every text must come back unchanged.
 */
#include "text.h"

#define NAME "v42"

enum {
    COMMAND_CLEAR = 0,   /* the next block is not compressed */
    COMMAND_FLUSH = 1,   /* the end */
    COMMAND_STEP_UP = 2, /* codewords are one bit longer from here on */
    FIRST_CHARACTER = 3,
    FIRST_STRING = FIRST_CHARACTER + 256,
    CODEWORDS = 1024, /* V.42bis N2 */
    MAX_STRING = 16,  /* V.42bis N7 */
    START_WIDTH = 9,
    BLOCK = 128, /* characters between two looks at the gain */
    TEXT_BYTES = 2048,
    PACKED_BYTES = 2 * TEXT_BYTES,
};

typedef struct {
    uint16_t parent, child, sibling; /* 0 is none */
    uint8_t character, length;
} node;

typedef struct {
    node nodes[CODEWORDS];
    unsigned fresh;   /* the next codeword never used, or CODEWORDS */
    unsigned recycle; /* where to look for the next leaf to reuse */
    unsigned width;   /* of a codeword, in bits */
} dictionary;

typedef struct {
    uint8_t *bytes;
    size_t position; /* in bits */
} bit_stream;

static dictionary sender, receiver;

static void put_bits(bit_stream *s, unsigned value, unsigned width)
{
    for (unsigned i = 0; i < width; i++, s->position++) {
        unsigned mask = 1u << s->position % 8;
        uint8_t *byte = &s->bytes[s->position / 8];
        *byte = (uint8_t)(value >> i & 1 ? *byte | mask : *byte & ~mask);
    }
}

static unsigned get_bits(bit_stream *s, unsigned width)
{
    unsigned value = 0;
    for (unsigned i = 0; i < width; i++, s->position++)
        value |= ((unsigned)s->bytes[s->position / 8] >> s->position % 8 & 1) << i;
    return value;
}

static void dictionary_reset(dictionary *d)
{
    memset(d, 0, sizeof *d);
    for (unsigned i = 0; i < 256; i++)
        d->nodes[FIRST_CHARACTER + i] = (node){.character = (uint8_t)i, .length = 1};
    d->fresh = d->recycle = FIRST_STRING;
    d->width = START_WIDTH;
}

static NOINLINE unsigned find_child(const dictionary *d, unsigned parent, uint8_t character)
{
    unsigned child = d->nodes[parent].child;
    while (child && d->nodes[child].character != character)
        child = d->nodes[child].sibling;
    return child;
}

static NOINLINE void unlink_leaf(dictionary *d, unsigned leaf)
{
    uint16_t *link = &d->nodes[d->nodes[leaf].parent].child;
    while (*link != leaf)
        link = &d->nodes[*link].sibling;
    *link = d->nodes[leaf].sibling;
}

/* The next leaf in turn that is not `keep`. */
static NOINLINE unsigned recycle_leaf(dictionary *d, unsigned keep)
{
    unsigned leaf;
    do {
        leaf = d->recycle++;
        if (d->recycle == CODEWORDS)
            d->recycle = FIRST_STRING;
    } while (d->nodes[leaf].child || leaf == keep);
    unlink_leaf(d, leaf);
    return leaf;
}

/* Adds parent + character unless it is there or too long; returns the new codeword or 0. */
static NOINLINE unsigned add_string(dictionary *d, unsigned parent, uint8_t character)
{
    if (d->nodes[parent].length >= MAX_STRING || find_child(d, parent, character))
        return 0;
    unsigned new = d->fresh < CODEWORDS ? d->fresh++ : recycle_leaf(d, parent);
    d->nodes[new] = (node){
        .parent = (uint16_t)parent,
        .sibling = d->nodes[parent].child,
        .character = character,
        .length = (uint8_t)(d->nodes[parent].length + 1),
    };
    d->nodes[parent].child = (uint16_t) new;
    return new;
}

static void send(bit_stream *out, unsigned codeword)
{
    for (; codeword >> sender.width; sender.width++)
        put_bits(out, COMMAND_STEP_UP, sender.width);
    put_bits(out, codeword, sender.width);
}

/*
 * One block in codewords. The receiver learns a string one codeword later than
 * the sender, so the string added last must not be used at once.
 */
static NOINLINE void send_block(bit_stream *out, const uint8_t *text, size_t n)
{
    unsigned current = FIRST_CHARACTER + text[0], newest = 0;
    for (size_t i = 1; i < n; i++) {
        unsigned longer = find_child(&sender, current, text[i]);
        if (longer && longer != newest) {
            current = longer;
            continue;
        }
        send(out, current);
        newest = add_string(&sender, current, text[i]);
        current = FIRST_CHARACTER + text[i];
    }
    send(out, current);
}

static NOINLINE void compress(bit_stream *out, const uint8_t *text, size_t length)
{
    bool clear = false;
    for (size_t at = 0; at < length; at += BLOCK) {
        size_t n = length - at < BLOCK ? length - at : BLOCK, before = out->position;
        if (clear) {
            put_bits(out, COMMAND_CLEAR, sender.width);
            for (size_t i = 0; i < n; i++)
                put_bits(out, text[at + i], 8);
            clear = false;
        } else {
            send_block(out, text + at, n);
            clear = out->position - before > 8 * n;
        }
    }
    put_bits(out, COMMAND_FLUSH, sender.width);
}

/* Writes the string of a codeword; returns its length. */
static NOINLINE size_t write_string(uint8_t *text, unsigned codeword)
{
    size_t n = receiver.nodes[codeword].length;
    for (size_t i = n; i; codeword = receiver.nodes[codeword].parent)
        text[--i] = receiver.nodes[codeword].character;
    return n;
}

static NOINLINE size_t decompress(uint8_t *text, bit_stream *in)
{
    unsigned previous = 0;
    size_t length = 0;
    for (;;) {
        if (length % BLOCK == 0)
            previous = 0; /* strings do not reach across blocks */
        unsigned codeword = get_bits(in, receiver.width);
        switch (codeword) {
        case COMMAND_FLUSH: return length;
        case COMMAND_STEP_UP: receiver.width++; break;
        case COMMAND_CLEAR:
            for (int i = 0; i < BLOCK; i++)
                text[length++] = (uint8_t)get_bits(in, 8);
            break;
        default: {
            size_t n = write_string(text + length, codeword);
            if (previous)
                add_string(&receiver, previous, text[length]);
            previous = codeword;
            length += n;
        }
        }
    }
}

int main(void)
{
    static uint8_t text[TEXT_BYTES], restored[TEXT_BYTES + MAX_STRING], packed[PACKED_BYTES];
    dictionary_reset(&sender);
    dictionary_reset(&receiver);
    uint32_t random = 0x42b15, sum = 0;
    for (uint32_t pass = 0; pass < WORKLOAD_PASSES(2); pass++) {
        text_make((char *)text, sizeof text, &random);
        for (size_t i = 512; i < 768; i++) /* a part that cannot be compressed */
            text[i] = (uint8_t)(random_next(&random) >> 24);
        bit_stream out = {packed, 0}, in = {packed, 0};
        compress(&out, text, sizeof text);
        if (decompress(restored, &in) != sizeof text || memcmp(text, restored, sizeof text) != 0)
            return workload_fail(NAME, "decompression");
        sum = checksum_bytes(sum, packed, out.position / 8);
    }
    return workload_report(NAME, sum, WORKLOAD_PICK(0x24ae93fd, 0x203fa0f6, 0x97bb86ba));
}
