/*
 * isa.h - what every instruction set looks like from outside.
 *
 * An instruction set is a table (rv/rv.def, mips/mips.def): one row per
 * instruction with encoding, operand format, timing class and semantics. This
 * header is what can be derived from a table without running anything: decode,
 * operands, control flow. The descriptors are constant; a gs_decoder is plain
 * memory of its owner's and read-only once initialised.
 */
#ifndef GS_ISA_ISA_H
#define GS_ISA_ISA_H

#include <stdbool.h>
#include <stdint.h>

#include "gumshoe/arch.h"
#include "gumshoe/insn.h"

typedef enum gs_timing_class {
#define CLASS(name, text) GS_CLASS_##name,
#include "isa/classes.def"
#undef CLASS
    GS_CLASS_COUNT
} gs_timing_class;

extern const char *const gs_class_names[GS_CLASS_COUNT];

/* The first operation numbers of every table mean the same. */
enum {
    GS_OP_UNDECODED, /* a slot of the decoded-code cache not filled yet */
    GS_OP_PAGE_END,  /* the slot after the last one of a page */
    GS_OP_ILLEGAL,   /* no row matches */
    GS_OP_FIRST      /* the first row */
};

/* A decoded instruction. Operands a format does not have are zero. */
struct gs_insn {
    uint16_t op;    /* row in the table, see above */
    uint8_t length; /* in bytes */
    uint8_t rd;     /* destination; writes to the zero register go to slot 32 */
    uint8_t rs1;
    uint8_t rs2;
    uint8_t rs3;
    uint8_t aux; /* rounding mode, shift amount, field position: the format says */
    int32_t imm;
    uint32_t raw; /* the instruction as it stands in memory, 16 or 32 bits */
};

/* The slot that swallows writes to the hard-wired zero register. */
enum { GS_REG_SINK = 32 };

/* What an operation may do: the bytes of memory it accesses, 0 if none, and these. All of it is
 * derived from the table's semantics; see effects.h. */
enum {
    GS_EFFECT_BYTES = 15,
    GS_EFFECT_LOADS = 1 << 4,
    GS_EFFECT_STORES = 1 << 5,      /* with LOADS: it is atomic */
    GS_EFFECT_OFFSET = 1 << 6,      /* the access is at rs1 + imm */
    GS_EFFECT_PART = 1 << 7,        /* it stores some bytes of the aligned word there */
    GS_EFFECT_CONDITIONAL = 1 << 8, /* it jumps if a condition holds */
    GS_EFFECT_DROPS_SLOT = 1 << 9,  /* without its delay slot if the condition does not hold */
    GS_EFFECT_LINKS = 1 << 10,      /* it jumps, and its target is where to come back to */
    GS_EFFECT_TRAPS = 1 << 11,      /* not only by its access; and so may all floating point */
    GS_EFFECT_FLOAT = 1 << 12,      /* floating point has to be on, */
    GS_EFFECT_WIDE_FLOAT = 1 << 13, /* with registers of 64 bits */
    GS_EFFECT_SYSTEM = 1 << 14,     /* it needs state that only the reference engine has */
};

typedef struct gs_op_info {
    const char *name; /* as the manual writes it, in lower case, with '_' for '.' */
    uint8_t format;   /* numbered per instruction set */
    uint8_t timing;   /* gs_timing_class */
    uint16_t effects; /* GS_EFFECT_* */
} gs_op_info;

/* One encoding. Several may lead to one operation, as compressed ones do. */
typedef struct gs_encoding {
    uint32_t match;
    uint32_t mask;
    uint16_t op;
    uint8_t format;
    uint8_t extension; /* bit number in the set given to gs_decoder_init() */
} gs_encoding;

typedef struct gs_isa {
    gs_arch arch;
    const char *name;
    unsigned unit;        /* the smallest instruction in bytes: alignment of code */
    unsigned delay_slots; /* 0 or 1 */
    unsigned op_count;
    const gs_op_info *ops; /* indexed by gs_insn.op, [0..op_count) */
    unsigned encoding_count;
    const gs_encoding *encodings;
    uint64_t all_extensions; /* everything in the table */

    unsigned (*length)(uint32_t word);  /* in bytes, from the first two bytes */
    unsigned (*key)(uint32_t word);     /* a decoder bucket, below GS_DECODER_KEYS */
    uint32_t (*key_mask)(unsigned key); /* the bits of the word that make up this key, */
    uint32_t (*key_bits)(unsigned key); /* and their values */
    void (*extract)(gs_insn *insn, unsigned format); /* operands from insn->raw */
    gs_operands (*operands)(const gs_insn *insn);
    gs_flow (*flow)(const gs_insn *insn, uint64_t pc, uint64_t *target);
} gs_isa;

const gs_isa *gs_isa_for(gs_arch arch);

/* Whether an operation has any of these effects. */
static inline bool gs_op_may(const gs_isa *isa, unsigned op, unsigned effects)
{
    return (isa->ops[op].effects & effects) != 0;
}

/* How many bytes of memory it accesses; 0 if none. */
static inline unsigned gs_op_access_bytes(const gs_isa *isa, unsigned op)
{
    return isa->ops[op].effects & GS_EFFECT_BYTES;
}

/* Encodings sorted into buckets, for the extensions a core has. */
enum { GS_DECODER_KEYS = 64, GS_DECODER_SLOTS = 2048 };
typedef struct gs_decoder {
    const gs_isa *isa;
    uint16_t start[GS_DECODER_KEYS + 1];
    uint16_t slots[GS_DECODER_SLOTS]; /* encoding numbers, in table order per bucket */
} gs_decoder;

void gs_decoder_init(gs_decoder *decoder, const gs_isa *isa, uint64_t extensions);

/* Never fails: what no row matches becomes GS_OP_ILLEGAL with its length and raw word.
 * `word` is in host order; for a 2-byte instruction the upper half is ignored. */
void gs_decode(gs_insn *out, const gs_decoder *decoder, uint32_t word);

#endif
