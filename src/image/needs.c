/*
 * What a program needs of a processor, before it has run an instruction.
 *
 * A toolchain's claim is not enough: it names what libraries were compiled with, used or not. Nor
 * is an instruction that can be reached: a program may ask first whether it is there. An extension
 * is needed if the file claims it, or claims nothing, and an instruction of it can be reached from
 * the entry point or from main. Calls through a register are followed where its value is a
 * constant, as in position-independent MIPS code.
 */
#include "image/internal.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "image/constants.h"
#include "image/walk.h"
#include "isa/mips/mips.h"
#include "isa/rv/rv.h"

#define BIT(extension) (UINT64_C(1) << (extension))

/* The bytes of the program header or section `type`; NULL if there is none. */
static const uint8_t *find_part(const gs_image *image, uint32_t type, size_t *size)
{
    GElf_Phdr header;
    Elf_Scn *section = NULL;
    for (unsigned i = 0; i < image->phdr_count; i++) {
        if (gelf_getphdr(image->elf, (int)i, &header) && header.p_type == type &&
            header.p_offset <= image->file_size &&
            header.p_filesz <= image->file_size - header.p_offset) {
            *size = header.p_filesz;
            return image->file + header.p_offset;
        }
    }
    while ((section = elf_nextscn(image->elf, section)) != NULL) {
        GElf_Shdr head;
        if (gelf_getshdr(section, &head) && head.sh_type == type &&
            head.sh_offset <= image->file_size &&
            head.sh_size <= image->file_size - head.sh_offset) {
            *size = head.sh_size;
            return image->file + head.sh_offset;
        }
    }
    return NULL;
}

/* RISC-V: .riscv.attributes, as the psABI describes it. */

typedef struct bytes {
    const uint8_t *at, *end;
} bytes;

static uint64_t take_uleb(bytes *b)
{
    uint64_t value = 0;
    for (unsigned shift = 0; b->at < b->end; shift += 7) {
        uint8_t byte = *b->at++;
        if (shift < 63)
            value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            break;
    }
    return value;
}

/* A text with its NUL; NULL if that is missing. */
static const char *take_text(bytes *b)
{
    const uint8_t *end = memchr(b->at, 0, (size_t)(b->end - b->at));
    const char *text = (const char *)b->at;
    b->at = end ? end + 1 : b->end;
    return end ? text : NULL;
}

static uint32_t take_length(bytes *b)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < 4 && b->at < b->end; i++)
        value |= (uint32_t)*b->at++ << 8 * i;
    return value;
}

/* The text of Tag_RISCV_arch, or NULL. */
static const char *find_arch_text(const uint8_t *part, size_t size)
{
    enum { TAG_FILE = 1, TAG_ARCH = 5 };
    bytes b = {part, part + size};
    if (b.at == b.end || *b.at++ != 'A')
        return NULL;
    take_length(&b);
    const char *vendor = take_text(&b);
    if (!vendor || strcmp(vendor, "riscv") != 0 || take_uleb(&b) != TAG_FILE)
        return NULL;
    take_length(&b);
    while (b.at < b.end) {
        uint64_t tag = take_uleb(&b);
        const char *text = NULL;
        if (tag & 1)
            text = take_text(&b);
        else
            take_uleb(&b);
        if (tag == TAG_ARCH)
            return text;
    }
    return NULL;
}

static uint64_t letter_extension(char letter)
{
    switch (letter) {
    case 'm': return BIT(GS_RV_M);
    case 'a': return BIT(GS_RV_A);
    case 'f': return BIT(GS_RV_F);
    case 'd': return BIT(GS_RV_D);
    case 'c': return BIT(GS_RV_C);
    case 'b': return BIT(GS_RV_ZBA) | BIT(GS_RV_ZBB) | BIT(GS_RV_ZBB_ZBKB) | BIT(GS_RV_ZBS);
    case 'g': return BIT(GS_RV_M) | BIT(GS_RV_A) | BIT(GS_RV_F) | BIT(GS_RV_D);
    default: return 0;
    }
}

static uint64_t word_extension(const char *word, size_t length)
{
    static const struct {
        const char *name;
        uint64_t extensions;
    } words[] = {
        {"zba", BIT(GS_RV_ZBA)},       {"zbb", BIT(GS_RV_ZBB) | BIT(GS_RV_ZBB_ZBKB)},
        {"zbs", BIT(GS_RV_ZBS)},       {"zbkb", BIT(GS_RV_ZBKB) | BIT(GS_RV_ZBB_ZBKB)},
        {"zicond", BIT(GS_RV_ZICOND)}, {"zmmul", BIT(GS_RV_M)},
        {"zca", BIT(GS_RV_C)},         {"zcb", BIT(GS_RV_ZCB)},
        {"zcmp", BIT(GS_RV_ZCMP)},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i].name) == length && strncmp(words[i].name, word, length) == 0)
            return words[i].extensions;
    }
    return 0;
}

/* "rv32i2p1_m2p0_c2p0_zicsr2p0", with or without underscores between letters. Control registers and
 * fence.i were part of the base once, so files claim them without a word. */
static uint64_t read_arch_text(const char *at)
{
    uint64_t found = BIT(GS_RV_I) | BIT(GS_RV_ZICSR) | BIT(GS_RV_ZIFENCEI) | BIT(GS_RV_PRIV);
    if (strncmp(at, "rv32", 4) == 0)
        at += 4;
    while (*at) {
        size_t length = strcspn(at, "_");
        if (*at == 'z' || *at == 's' || *at == 'x') {
            size_t name = strcspn(at, "_0123456789");
            found |= word_extension(at, name);
        } else {
            /* A version is digits, p, digits. */
            for (size_t i = 0; i < length; i++)
                found |= letter_extension(at[i]);
        }
        at += length + (at[length] == '_');
    }
    return found;
}

static uint64_t rv_claims(const gs_image *image)
{
    enum { RISCV_ATTRIBUTES = 0x70000003 };
    size_t size;
    const uint8_t *part = find_part(image, RISCV_ATTRIBUTES, &size);
    const char *text = part ? find_arch_text(part, size) : NULL;
    return text ? read_arch_text(text) : UINT64_MAX;
}

/* MIPS: e_flags name the instruction set, .MIPS.abiflags says whether an FPU is used. */
static uint64_t mips_claims(const gs_image *image)
{
    enum { ABIFLAGS_SECTION = 0x7000002a, ABIFLAGS_SEGMENT = 0x70000003 };
    enum { ABIFLAGS_SIZE = 24, FP_ABI = 7, FP_SOFT = 3 };
    const uint64_t fpu = BIT(GS_MIPS_FPU) | BIT(GS_MIPS_FPUX) | BIT(GS_MIPS_FPU64);
    size_t size;
    const uint8_t *flags = find_part(image, ABIFLAGS_SECTION, &size);
    if (!flags)
        flags = find_part(image, ABIFLAGS_SEGMENT, &size);
    if (flags && size < ABIFLAGS_SIZE)
        flags = NULL;
    uint64_t claims = BIT(GS_MIPS_I) | BIT(GS_MIPS_CP0);
    switch (image->flags & EF_MIPS_ARCH) {
    case EF_MIPS_ARCH_1: break;
    case EF_MIPS_ARCH_2: claims |= BIT(GS_MIPS_II); break;
    case EF_MIPS_ARCH_32: claims |= BIT(GS_MIPS_II) | BIT(GS_MIPS_R1); break;
    default: claims |= BIT(GS_MIPS_II) | BIT(GS_MIPS_R1) | BIT(GS_MIPS_R2); break;
    }
    if (!flags || flags[FP_ABI] != FP_SOFT)
        claims |= fpu;
    return claims;
}

uint64_t gs_image_read_claims(const gs_image *image)
{
    return image->arch == GS_ARCH_RV32 ? rv_claims(image) : mips_claims(image);
}

uint64_t gs_image_choose_extensions(const gs_image *image)
{
    enum {
        RISCV_DOUBLES = 4
    }; /* in e_flags: arguments go in floating point registers of 64 bits */
    const uint64_t all = image->isa->all_extensions;
    if (image->arch != GS_ARCH_RV32)
        return all;
    const bool is_silent = image->claims == UINT64_MAX;
    const bool zcmp = is_silent ? !(image->flags & RISCV_DOUBLES) : image->claims >> GS_RV_ZCMP & 1;
    return all & ~BIT(zcmp ? GS_RV_CD : GS_RV_ZCMP);
}

uint64_t gs_image_extensions(const gs_image *image)
{
    return image->extensions;
}

/* Some compressed instructions belong to two extensions. */
static uint64_t with_parts(const gs_isa *isa, unsigned extension)
{
    if (isa->arch == GS_ARCH_RV32 && extension == GS_RV_CF)
        return BIT(GS_RV_C) | BIT(GS_RV_F);
    if (isa->arch == GS_ARCH_RV32 && extension == GS_RV_CD)
        return BIT(GS_RV_C) | BIT(GS_RV_D);
    if (isa->arch == GS_ARCH_RV32 && extension == GS_RV_ZCB_M)
        return BIT(GS_RV_ZCB) | BIT(GS_RV_M);
    if (isa->arch == GS_ARCH_RV32 && extension == GS_RV_ZCB_ZBB)
        return BIT(GS_RV_ZCB) | BIT(GS_RV_ZBB);
    return BIT(extension);
}

/* What the control register of an instruction belongs to, if that is not there on every core. */
static uint64_t register_extension(const gs_isa *isa, const gs_insn *insn)
{
    enum { FCSR = 3 }; /* and 1, 2: its parts */
    const bool is_float = isa->arch == GS_ARCH_RV32 && insn->op >= GS_OP_FIRST &&
                          isa->ops[insn->op].timing == GS_CLASS_CSR && insn->imm >= 1 &&
                          insn->imm <= FCSR;
    return is_float ? BIT(GS_RV_F) : 0;
}

/* The extensions that have an instruction. */
static uint64_t extension_of(const gs_isa *isa, const gs_insn *insn)
{
    for (unsigned i = 0; i < isa->encoding_count; i++) {
        const gs_encoding *encoding = &isa->encodings[i];
        if (encoding->op == insn->op && (insn->raw & encoding->mask) == encoding->match &&
            isa->length(encoding->match) == insn->length)
            return with_parts(isa, encoding->extension);
    }
    return 0;
}

/* Where a reached call or jump through a register leads, if that is a constant. */
static bool constant_target(const gs_constants *constants, const gs_insn *insn, gs_flow flow,
                            uint64_t *target)
{
    bool indirect = flow == GS_FLOW_CALL_INDIRECT || flow == GS_FLOW_JUMP_INDIRECT;
    if (!indirect || insn->rs1 >= 32 || !(constants->known >> insn->rs1 & 1))
        return false;
    *target = constants->value[insn->rs1] + (uint32_t)insn->imm;
    return true;
}

/* What a pass has found. */
typedef struct findings {
    uint64_t extensions;
    uint8_t *seen; /* by operation: 1 for one of 4 bytes, 2 for one of 2 */
    bool more;     /* code that had not been reached before */
} findings;

static void note(findings *found, const gs_isa *isa, const gs_insn *insn)
{
    uint8_t bit = insn->length == 2 ? 2 : 1;
    found->extensions |= register_extension(isa, insn);
    if (insn->op < GS_OP_FIRST || found->seen[insn->op] & bit)
        return;
    found->seen[insn->op] |= bit;
    found->extensions |= extension_of(isa, insn);
}

/* One pass over the reached code: walks on behind calls through registers, adds up what extensions
 * there are. */
static gs_status pass(gs_walk *walk, findings *found, gs_error *err)
{
    const gs_image *image = walk->image;
    const gs_isa *isa = image->isa;
    gs_status status = GS_OK;
    for (size_t i = 0; i < image->segments.count && !status; i++) {
        const gs_segment *segment = &image->segments.items[i];
        gs_constants constants;
        gs_constants_start(&constants, image);
        bool slot = false;
        for (size_t m = 0; walk->marks[i] && m < gs_walk_mark_count(walk, i) && !status; m++) {
            uint64_t pc = segment->address + m * isa->unit, target = 0, address;
            gs_insn insn;
            if (!(walk->marks[i][m] & GS_WALK_INSN) && !slot)
                continue;
            if (!gs_image_insn_at(image, pc, &insn))
                continue;
            slot = false;
            note(found, isa, &insn);
            gs_flow flow = isa->flow(&insn, pc, &target);
            if (constant_target(&constants, &insn, flow, &target)) {
                const uint8_t *mark = gs_walk_marks_at(walk, target);
                if (mark && !(*mark & GS_WALK_INSN)) {
                    found->more = true;
                    status = gs_walk_from(walk, target, GS_WALK_CALLED, err);
                }
            }
            (void)gs_constants_step(&constants, pc, &insn, &address);
            slot = isa->delay_slots && gs_flow_has_slot(flow);
        }
    }
    return status;
}

gs_status gs_image_needs(const gs_image *image, uint64_t *extensions, gs_error *err)
{
    enum { MAX_PASSES = 64 };
    gs_walk walk;
    uint64_t start;
    *extensions = 0;
    gs_status status = gs_walk_open(&walk, image, err);
    if (status)
        return status;
    status = gs_walk_from(&walk, image->entry, GS_WALK_CALLED, err);
    if (!status && gs_image_find_symbol(image, "main", &start))
        status = gs_walk_from(&walk, start, GS_WALK_CALLED, err);
    findings found = {.seen = calloc(image->isa->op_count, 1), .more = true};
    if (!found.seen)
        status = gs_fail_no_memory(err);
    for (int i = 0; i < MAX_PASSES && found.more && !status; i++) {
        found.more = false;
        status = pass(&walk, &found, err);
    }
    free(found.seen);
    *extensions = found.extensions & image->claims;
    gs_walk_close(&walk);
    return status;
}
