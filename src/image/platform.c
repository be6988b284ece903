/*
 * Linux process or bare metal?
 *
 * The file may say so itself: a note, an OS/ABI byte, a C library's start-up
 * function. A program at the addresses of a kernel, or with a `tohost` word, or
 * one that reaches privileged instructions, expects bare hardware. Of what is
 * left, a program that makes system calls expects an operating system.
 *
 * Only instructions that can be reached count: constants between functions look
 * like anything.
 */
#include "image/internal.h"

#include <gelf.h>
#include <string.h>

#include "image/walk.h"

/* MIPS: kernel segments, without an MMU. RISC-V: where boards have their RAM, and above what
 * Linux gives a 32-bit process. */
#define KERNEL_ADDRESSES 0x80000000u

enum {
    RV_ECALL = 0x00000073,
    RV_EBREAK = 0x00100073,
    RV_SEMIHOST_BEFORE = 0x01f01013, /* slli zero, zero, 0x1f */
    RV_SEMIHOST_AFTER = 0x40705013,  /* srai zero, zero, 7 */
    RV_MRET = 0x30200073,
    RV_WFI = 0x10500073,
};

typedef enum instruction_kind { ORDINARY, SYSTEM_CALL, PRIVILEGED } instruction_kind;

/* Whether notes of one kind, ELF_T_NHDR or ELF_T_NHDR8, have GNU's tag that names Linux. */
static bool has_linux_tag(Elf_Data *data)
{
    GElf_Nhdr note;
    size_t name, text, offset = 0;
    while (data && (offset = gelf_getnote(data, offset, &note, &name, &text)) > 0) {
        uint32_t system;
        if (note.n_type != NT_GNU_ABI_TAG || note.n_namesz != sizeof "GNU" ||
            note.n_descsz < sizeof system ||
            memcmp((const char *)data->d_buf + name, "GNU", sizeof "GNU") != 0)
            continue;
        memcpy(&system, (const char *)data->d_buf + text, sizeof system);
        if (system == ELF_NOTE_OS_LINUX) /* 0, in any order of bytes */
            return true;
    }
    return false;
}

bool gs_image_has_linux_mark(const gs_image *image)
{
    GElf_Ehdr file_header;
    if (gelf_getehdr(image->elf, &file_header) && file_header.e_ident[EI_OSABI] == ELFOSABI_LINUX)
        return true;
    for (unsigned i = 0; i < image->phdr_count; i++) {
        GElf_Phdr header;
        if (!gelf_getphdr(image->elf, (int)i, &header) || header.p_type != PT_NOTE ||
            header.p_offset > image->file_size ||
            header.p_filesz > image->file_size - header.p_offset)
            continue;
        Elf_Type type = header.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR;
        if (has_linux_tag(
                elf_getdata_rawchunk(image->elf, (int64_t)header.p_offset, header.p_filesz, type)))
            return true;
    }
    /* glibc and musl, uClibc. Bare-metal C libraries start up without these. */
    return gs_image_find_symbol(image, "__libc_start_main", NULL) ||
           gs_image_find_symbol(image, "__uClibc_main", NULL);
}

/* Machine mode only, numbered as in the privileged architecture, chapter 2. */
static bool is_machine_csr(uint32_t number)
{
    return (number >= 0x300 && number <= 0x3ff) || (number >= 0x7a0 && number <= 0x7bf) ||
           (number >= 0xb00 && number <= 0xbff) || (number >= 0xf10 && number <= 0xf1f);
}

static bool is_semihosting(const gs_image *image, uint64_t ebreak)
{
    gs_insn before, after;
    return gs_image_insn_at(image, ebreak - 4, &before) && before.raw == RV_SEMIHOST_BEFORE &&
           gs_image_insn_at(image, ebreak + 4, &after) && after.raw == RV_SEMIHOST_AFTER;
}

static instruction_kind classify_rv(const gs_image *image, uint64_t pc, uint32_t raw)
{
    if ((raw & 0x7f) != 0x73)
        return ORDINARY;
    if (raw == RV_ECALL)
        return SYSTEM_CALL;
    if (raw == RV_MRET || raw == RV_WFI)
        return PRIVILEGED;
    if (raw == RV_EBREAK)
        return is_semihosting(image, pc) ? PRIVILEGED : ORDINARY;
    bool csr = (raw >> 12 & 3) != 0;
    return csr && is_machine_csr(raw >> 20) ? PRIVILEGED : ORDINARY;
}

static instruction_kind classify_mips(uint32_t raw)
{
    uint32_t opcode = raw >> 26, function = raw & 0x3f;
    if (opcode == 0x00 && function == 0x0c)
        return SYSTEM_CALL;
    if (opcode == 0x10) /* COP0: mfc0, mtc0, eret, wait, di, ei, tlb... */
        return PRIVILEGED;
    if (opcode == 0x1c && function == 0x3f) /* sdbbp: semihosting */
        return PRIVILEGED;
    return ORDINARY;
}

static instruction_kind classify(const gs_image *image, uint64_t pc, const gs_insn *insn)
{
    return image->arch == GS_ARCH_RV32 ? classify_rv(image, pc, insn->raw)
                                       : classify_mips(insn->raw);
}

/* The most telling instruction among those that can be reached. */
static instruction_kind look_through(const gs_walk *walk)
{
    const gs_image *image = walk->image;
    instruction_kind most = ORDINARY;
    for (size_t i = 0; i < image->segments.count; i++) {
        const gs_segment *segment = &image->segments.items[i];
        for (size_t m = 0; walk->marks[i] && m < gs_walk_mark_count(walk, i); m++) {
            if (!(walk->marks[i][m] & GS_WALK_INSN))
                continue;
            uint64_t pc = segment->address + m * image->isa->unit;
            gs_insn insn;
            uint64_t target;
            if (!gs_image_insn_at(image, pc, &insn))
                continue;
            instruction_kind kind = classify(image, pc, &insn);
            if (kind == ORDINARY && image->isa->delay_slots &&
                gs_flow_has_slot(image->isa->flow(&insn, pc, &target)) &&
                gs_image_insn_at(image, pc + insn.length, &insn))
                kind = classify(image, pc + 4, &insn);
            if (kind == PRIVILEGED)
                return PRIVILEGED;
            if (kind > most)
                most = kind;
        }
    }
    return most;
}

bool gs_image_wants_linux(const gs_image *image)
{
    if (image->segments.items[image->segments.count - 1].address >= KERNEL_ADDRESSES)
        return false;
    if (image->linux_mark)
        return true;
    if (gs_image_find_symbol(image, "tohost", NULL))
        return false;

    gs_walk walk;
    if (gs_walk_open(&walk, image, NULL))
        return false;
    instruction_kind kind = ORDINARY;
    if (!gs_walk_from_functions(&walk, NULL))
        kind = look_through(&walk);
    gs_walk_close(&walk);
    return kind == SYSTEM_CALL;
}
