/* Decoders, from the rows of both instruction tables sorted into buckets. */
#include "isa/isa.h"

#include <assert.h>

#include "isa/mips/mips.h"
#include "isa/rv/rv.h"

const char *const gs_class_names[GS_CLASS_COUNT] = {
#define CLASS(name, text) #name,
#include "isa/classes.def"
#undef CLASS
};

const gs_isa *gs_isa_for(gs_arch arch)
{
    return arch == GS_ARCH_RV32 ? &gs_isa_rv32 : &gs_isa_mips32;
}

/* An encoding belongs to every bucket whose bits it does not contradict. */
static bool fits_key(const gs_isa *isa, const gs_encoding *encoding, unsigned key)
{
    uint32_t decided = encoding->mask & isa->key_mask(key);
    return ((encoding->match ^ isa->key_bits(key)) & decided) == 0;
}

void gs_decoder_init(gs_decoder *decoder, const gs_isa *isa, uint64_t extensions)
{
    unsigned filled = 0;
    decoder->isa = isa;
    for (unsigned key = 0; key < GS_DECODER_KEYS; key++) {
        decoder->start[key] = (uint16_t)filled;
        for (unsigned i = 0; i < isa->encoding_count; i++) {
            const gs_encoding *encoding = &isa->encodings[i];
            if (!(extensions >> encoding->extension & 1) || !fits_key(isa, encoding, key))
                continue;
            assert(filled < GS_DECODER_SLOTS);
            decoder->slots[filled++] = (uint16_t)i;
        }
    }
    decoder->start[GS_DECODER_KEYS] = (uint16_t)filled;
}

void gs_decode(gs_insn *out, const gs_decoder *decoder, uint32_t word)
{
    const gs_isa *isa = decoder->isa;
    unsigned length = isa->length(word);
    if (length == 2)
        word &= 0xffff;
    *out = (gs_insn){.op = GS_OP_ILLEGAL, .length = (uint8_t)length, .raw = word};

    unsigned key = isa->key(word);
    for (unsigned i = decoder->start[key]; i < decoder->start[key + 1]; i++) {
        const gs_encoding *encoding = &isa->encodings[decoder->slots[i]];
        if ((word & encoding->mask) == encoding->match) {
            out->op = encoding->op;
            if (encoding->op != GS_OP_ILLEGAL)
                isa->extract(out, encoding->format);
            return;
        }
    }
}
