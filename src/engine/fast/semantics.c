#include "engine/fast/semantics.h"

#include <ctype.h>
#include <string.h>

#include "isa/mips/mips.h"
#include "isa/rv/rv.h"

static const char *const rv_column[GS_RV_OP_COUNT] = {
#define INSN(ext, name, match, mask, format, class, ...) [GS_RV_##name] = #__VA_ARGS__,
#define RVC(...)
#include "isa/rv/rv.def"
#undef INSN
#undef RVC
};

static const char *const mips_column[GS_MIPS_OP_COUNT] = {
#define INSN(ext, name, match, mask, format, class, ...) [GS_MIPS_##name] = #__VA_ARGS__,
#include "isa/mips/mips.def"
#undef INSN
};

/* What the prelude of translated code knows, beside the C language; see translate.c. */
static const char *const words[] = {
    "RD",
    "RS1",
    "RS2",
    "RS1_FIELD",
    "IMM",
    "AUX",
    "PC",
    "LEN",
    "RS",
    "RT",
    "RAW",
    "ADDR",
    "HI",
    "LO",
    "HILO",
    "SET_HILO",
    "UX",
    "SX",
    "UX2",
    "SX2",
    "XLEN",
    "LOAD8",
    "LOAD16",
    "LOAD32",
    "STORE8",
    "STORE16",
    "STORE32",
    "BRANCH_IF",
    "LINK_JUMP",
    "JUMP",
    "CLZ",
    "CTZ",
    "POPCOUNT",
    "BSWAP",
    "ORC_B",
    "PRODUCT",
    "QUOTIENT",
    "TRAP",
    "OVERFLOW",
    "CONDITION",
    "ILLEGAL",
    "MERGE_LEFT",
    "MERGE_RIGHT",
    "STORE_LEFT",
    "STORE_RIGHT",
    "LEADING_ZEROS",
    "ADD_OVERFLOWS",
    "SUB_OVERFLOWS",
    "SIGNED_PRODUCT",
    "SIGNED_QUOTIENT",
    "LINK_BRANCH_IF",
    "BRANCH_LIKELY_IF",
    "LINK_BRANCH_LIKELY_IF",
    "if",
    "else",
    "void",
    "int8_t",
    "int16_t",
    "int32_t",
    "uint8_t",
    "uint16_t",
    "uint32_t",
    "AMO32",
    "LR32",
    "SC32",
    "OLD",
    "LOAD64",
    "STORE64",
    "FS1_S",
    "FS2_S",
    "FS3_S",
    "FS1_D",
    "FS2_D",
    "FS3_D",
    "SET_S",
    "SET_D",
    "FP",
    "RM",
    "FP_RM",
    "GS_FP_NEGATE_PRODUCT",
    "GS_FP_NEGATE_ADDEND",
#define HELPER(name) #name,
#include "engine/fast/helpers.def"
};

const char *gs_semantics_word(const char *text, size_t *length)
{
    while (*text) {
        if (isdigit((unsigned char)*text)) {
            while (isalnum((unsigned char)*text))
                text++;
        } else if (isalpha((unsigned char)*text) || *text == '_') {
            *length = 0;
            while (isalnum((unsigned char)text[*length]) || text[*length] == '_')
                ++*length;
            return text;
        } else {
            text++;
        }
    }
    return NULL;
}

static bool is_known(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i]) == length && memcmp(words[i], word, length) == 0)
            return true;
    }
    return false;
}

static const char *column(const gs_isa *isa, unsigned op)
{
    return isa->arch == GS_ARCH_RV32 ? rv_column[op] : mips_column[op];
}

static unsigned extension_of(const gs_isa *isa, unsigned op)
{
    unsigned i = 0;
    while (isa->encodings[i].op != op)
        i++;
    return isa->encodings[i].extension;
}

/* MIPS' floating point and links work on state that translated code does not have. To some rows it
 * matters only whether floating point is on. */
static bool is_foreign(const gs_isa *isa, unsigned op)
{
    if (isa->arch != GS_ARCH_MIPS32)
        return false;
    const unsigned extension = extension_of(isa, op);
    return extension == GS_MIPS_FPU || extension == GS_MIPS_FPUX || extension == GS_MIPS_FPU64 ||
           isa->ops[op].timing == GS_CLASS_ATOMIC;
}

bool gs_semantics_float(const gs_isa *isa, unsigned op)
{
    return isa->ops[op].timing >= GS_CLASS_FP_MOVE;
}

const char *gs_semantics(const gs_isa *isa, unsigned op)
{
    const char *text = op < isa->op_count ? column(isa, op) : NULL;
    if (!text || strncmp(text, "TRAP", 4) == 0 || is_foreign(isa, op))
        return NULL;
    size_t length;
    for (const char *at = text; (at = gs_semantics_word(at, &length)) != NULL; at += length) {
        if (!is_known(at, length))
            return NULL;
    }
    return text;
}

unsigned gs_semantics_access(const gs_isa *isa, unsigned op)
{
    const char *text = op < isa->op_count ? column(isa, op) : NULL;
    if (!text)
        return 0;
    static const struct {
        const char *word;
        unsigned bytes;
    } accesses[] = {{"LOAD8(", 1},   {"LOAD16(", 2},  {"LOAD32(", 4},     {"STORE8(", 1},
                    {"STORE16(", 2}, {"STORE32(", 4}, {"STORE_LEFT(", 4}, {"STORE_RIGHT(", 4},
                    {"LOAD64(", 8},  {"STORE64(", 8}, {"AMO32(", 4},      {"LR32(", 4},
                    {"SC32(", 4}};
    for (size_t i = 0; i < sizeof accesses / sizeof *accesses; i++) {
        if (strstr(text, accesses[i].word))
            return accesses[i].bytes;
    }
    return 0;
}
