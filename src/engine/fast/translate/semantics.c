#include "engine/fast/translate/semantics.h"

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
    "FS_S",
    "FT_S",
    "FR_S",
    "FS_D",
    "FT_D",
    "FR_D",
    "FS_HIGH",
    "SET_HIGH",
    "RESULT_S",
    "RESULT_D",
    "COMPARE_S",
    "COMPARE_D",
    "QUIET",
    "SIGNALLING",
    "LT",
    "EQ",
    "UN",
    "CC",
    "GS_FP_RNE",
    "GS_FP_RTZ",
    "GS_FP_RDN",
    "GS_FP_RUP",
    "int64_t",
    "uint64_t",
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
#include "engine/fast/runtime/helpers.def"
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

/* MIPS' links work on state that translated code does not have. */
static bool is_foreign(const gs_isa *isa, unsigned op)
{
    return isa->arch == GS_ARCH_MIPS32 && isa->ops[op].timing == GS_CLASS_ATOMIC;
}

static unsigned extension_of(const gs_isa *isa, unsigned op)
{
    unsigned i = 0;
    while (isa->encodings[i].op != op)
        i++;
    return isa->encodings[i].extension;
}

gs_float_use gs_semantics_float(const gs_isa *isa, unsigned op)
{
    if (isa->arch == GS_ARCH_RV32)
        return isa->ops[op].timing >= GS_CLASS_FP_MOVE ? GS_FLOAT_ANY : GS_FLOAT_NONE;
    switch (extension_of(isa, op)) {
    case GS_MIPS_FPU:
    case GS_MIPS_FPUX: return GS_FLOAT_ANY;
    case GS_MIPS_FPU64: return GS_FLOAT_WIDE;
    default: return GS_FLOAT_NONE;
    }
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

bool gs_semantics_has_offset(const gs_isa *isa, unsigned op)
{
    const char *text = op < isa->op_count ? column(isa, op) : NULL;
    static const char *const addresses[] = {"(ADDR)", "(ADDR,", "(RS1 + (UX)IMM)",
                                            "(RS1 + (UX)IMM,"};
    for (size_t i = 0; text && i < sizeof addresses / sizeof *addresses; i++) {
        const char *found = strstr(text, addresses[i]);
        if (found && (found[-1] >= '0' && found[-1] <= '9')) /* LOAD8, STORE64 */
            return true;
    }
    return false;
}
