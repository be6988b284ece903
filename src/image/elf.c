/*
 * From the bytes of an ELF file to checked headers, segments and code ranges.
 *
 * What is damaged is GS_E_FORMAT, what is sound but not for us GS_E_UNSUPPORTED.
 * Checks run from the outside in, so that the message names the first thing a
 * user can act on: an x86-64 program is told about its machine, not its class.
 */
#include "image/internal.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

#define ADDRESS_SPACE ((uint64_t)1 << 32)

/* Flags of MIPS that <elf.h> lacks. */
enum {
    MIPS_32BITMODE = 0x100,
    MIPS_ABI = 0xf000,
    MIPS_ABI_O64 = 0x2000,
    MIPS_ABI_EABI64 = 0x4000,
    MIPS_MICROMIPS = 0x02000000,
    MIPS_MIPS16 = 0x04000000,
};
#define MIPS_ARCH_32R6 0x90000000u
#define MIPS_ARCH_64R6 0xa0000000u

static const char *machine_name(unsigned machine)
{
    static const struct {
        unsigned machine;
        const char *name;
    } names[] = {
        {EM_386, "x86"},
        {EM_X86_64, "x86-64"},
        {EM_ARM, "ARM"},
        {EM_AARCH64, "AArch64"},
        {EM_PPC, "PowerPC"},
        {EM_SPARC, "SPARC"},
        {EM_MICROBLAZE, "MicroBlaze"},
        {EM_ALTERA_NIOS2, "Nios II"},
        {EM_XTENSA, "Xtensa"},
        {EM_AVR, "AVR"},
        {EM_68K, "68000"},
        {EM_OPENRISC, "OpenRISC"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].machine == machine)
            return names[i].name;
    return NULL;
}

static gs_status check_machine(gs_image *image, const GElf_Ehdr *header, gs_error *err)
{
    const char *name = image->name;
    bool wide = header->e_ident[EI_CLASS] == ELFCLASS64;
    switch (header->e_machine) {
    case EM_RISCV:
        if (wide)
            return gs_image_fail(name, err, GS_E_UNSUPPORTED,
                                 "is a 64-bit RISC-V program, and Gumshoe runs 32-bit programs: "
                                 "compile with -march=rv32im -mabi=ilp32");
        image->arch = GS_ARCH_RV32;
        break;
    case EM_MIPS:
        if (wide)
            return gs_image_fail(name, err, GS_E_UNSUPPORTED,
                                 "is a 64-bit MIPS program, and Gumshoe runs 32-bit programs: "
                                 "compile with -march=mips32r2 -mabi=32");
        image->arch = GS_ARCH_MIPS32;
        break;
    default: {
        const char *machine = machine_name(header->e_machine);
        if (machine)
            return gs_image_fail(name, err, GS_E_UNSUPPORTED,
                                 "is for %s, and Gumshoe runs RISC-V and MIPS programs: use a "
                                 "cross compiler",
                                 machine);
        return gs_image_fail(name, err, GS_E_UNSUPPORTED,
                             "is for machine number %u, and Gumshoe runs RISC-V and MIPS "
                             "programs: use a cross compiler",
                             (unsigned)header->e_machine);
    }
    }
    image->big_endian = header->e_ident[EI_DATA] == ELFDATA2MSB;
    if (image->arch == GS_ARCH_RV32 && image->big_endian)
        return gs_image_fail(name, err, GS_E_UNSUPPORTED,
                             "is a big-endian RISC-V program: compile with -mlittle-endian");
    return GS_OK;
}

static gs_status check_mips_flags(const char *name, uint32_t flags, gs_error *err)
{
    if (flags & EF_MIPS_ABI2)
        return gs_image_fail(name, err, GS_E_UNSUPPORTED,
                             "uses the n32 ABI, which needs 64-bit registers: compile with "
                             "-mabi=32");
    uint32_t abi = flags & MIPS_ABI;
    if (abi == MIPS_ABI_O64 || abi == MIPS_ABI_EABI64)
        return gs_image_fail(name, err, GS_E_UNSUPPORTED,
                             "uses a 64-bit MIPS ABI: compile with -mabi=32");
    if (flags & MIPS_MICROMIPS)
        return gs_image_fail(name, err, GS_E_UNSUPPORTED,
                             "has microMIPS code, which is not supported: compile with "
                             "-mno-micromips");
    if (flags & MIPS_MIPS16)
        return gs_image_fail(name, err, GS_E_UNSUPPORTED,
                             "has MIPS16 code, which is not supported: compile with -mno-mips16");
    uint32_t arch = flags & EF_MIPS_ARCH;
    if (arch == MIPS_ARCH_32R6 || arch == MIPS_ARCH_64R6)
        return gs_image_fail(name, err, GS_E_UNSUPPORTED,
                             "is for MIPS release 6, which encodes instructions differently: "
                             "compile with -march=mips32r2");
    bool wide_registers = arch == EF_MIPS_ARCH_3 || arch == EF_MIPS_ARCH_4 ||
                          arch == EF_MIPS_ARCH_5 || arch == EF_MIPS_ARCH_64 ||
                          arch == EF_MIPS_ARCH_64R2;
    if (wide_registers && !(flags & MIPS_32BITMODE))
        return gs_image_fail(name, err, GS_E_UNSUPPORTED,
                             "uses 64-bit MIPS instructions: compile with -march=mips32r2");
    return GS_OK;
}

static bool has_program_header(const gs_image *image, uint32_t type)
{
    GElf_Phdr header;
    for (unsigned i = 0; i < image->phdr_count; i++)
        if (gelf_getphdr(image->elf, (int)i, &header) && header.p_type == type)
            return true;
    return false;
}

static gs_status check_type(const gs_image *image, unsigned type, gs_error *err)
{
    bool interpreted = has_program_header(image, PT_INTERP);
    switch (type) {
    case ET_EXEC:
    case ET_DYN:
        if (interpreted)
            return gs_image_fail(image->name, err, GS_E_UNSUPPORTED,
                                 "is dynamically linked, and its libraries are not here: link it "
                                 "with -static");
        if (type == ET_DYN)
            return gs_image_fail(image->name, err, GS_E_UNSUPPORTED,
                                 "is a shared library or a position-independent program, with no "
                                 "address of its own: link it with -static -no-pie");
        return GS_OK;
    case ET_REL:
        return gs_image_fail(image->name, err, GS_E_UNSUPPORTED,
                             "is a relocatable object, not a program: link it first");
    case ET_CORE:
        return gs_image_fail(image->name, err, GS_E_UNSUPPORTED,
                             "is a core file: give the program that wrote it");
    default:
        return gs_image_fail(image->name, err, GS_E_FORMAT,
                             "has ELF file type %u, which is no program", type);
    }
}

static gs_status open_elf(gs_image *image, gs_error *err)
{
    const char *name = image->name;
    if (image->file_size == 0)
        return gs_image_fail(name, err, GS_E_FORMAT, "is empty: give a RISC-V or MIPS ELF program");
    if (image->file_size >= 8 && memcmp(image->file, "!<arch>\n", 8) == 0)
        return gs_image_fail(name, err, GS_E_FORMAT,
                             "is an archive of objects, not a program: link it first");
    if (image->file_size < SELFMAG || memcmp(image->file, ELFMAG, SELFMAG) != 0)
        return gs_image_fail(name, err, GS_E_FORMAT,
                             "is not an ELF file: give a RISC-V or MIPS ELF program");
    elf_version(EV_CURRENT);
    image->elf = elf_memory((char *)image->file, image->file_size);
    if (!image->elf || elf_kind(image->elf) != ELF_K_ELF)
        return gs_image_fail(name, err, GS_E_FORMAT,
                             "is not a complete ELF file: its header is damaged");
    return GS_OK;
}

static gs_status read_header(gs_image *image, gs_error *err)
{
    GElf_Ehdr header;
    if (!gelf_getehdr(image->elf, &header))
        return gs_image_fail(image->name, err, GS_E_FORMAT,
                             "is not a complete ELF file: its header is damaged");
    gs_status status = check_machine(image, &header, err);
    if (status)
        return status;

    uint64_t table_end = header.e_phoff + (uint64_t)header.e_phnum * sizeof(Elf32_Phdr);
    if (header.e_phnum && header.e_phoff &&
        (header.e_phentsize != sizeof(Elf32_Phdr) || table_end > image->file_size))
        return gs_image_fail(image->name, err, GS_E_FORMAT,
                             "is damaged or cut short: its program headers at offset 0x%llx are "
                             "not in the file",
                             (unsigned long long)header.e_phoff);
    table_end = header.e_shoff + (uint64_t)header.e_shnum * sizeof(Elf32_Shdr);
    if (header.e_shnum && header.e_shoff && table_end > image->file_size)
        return gs_image_fail(image->name, err, GS_E_FORMAT,
                             "is damaged or cut short: its section headers at offset 0x%llx are "
                             "not in the file",
                             (unsigned long long)header.e_shoff);

    size_t count = 0;
    if (elf_getphdrnum(image->elf, &count) != 0 || count > image->file_size / sizeof(Elf32_Phdr))
        count = 0;
    image->phdr_count = (unsigned)count;
    image->entry = header.e_entry;
    image->flags = header.e_flags;

    status = check_type(image, header.e_type, err);
    if (!status && image->arch == GS_ARCH_MIPS32)
        status = check_mips_flags(image->name, image->flags, err);
    return status;
}

static gs_status check_segment(const gs_image *image, unsigned index, const GElf_Phdr *header,
                               gs_error *err)
{
    unsigned long long address = header->p_vaddr;
    if (header->p_memsz < header->p_filesz)
        return gs_image_fail(image->name, err, GS_E_FORMAT,
                             "is damaged: segment %u at 0x%08llx has more bytes in the file than "
                             "in memory",
                             index, address);
    if (header->p_offset > image->file_size ||
        header->p_filesz > image->file_size - header->p_offset)
        return gs_image_fail(image->name, err, GS_E_FORMAT,
                             "is damaged or cut short: segment %u at 0x%08llx needs %llu bytes at "
                             "offset 0x%llx, and the file has %zu",
                             index, address, (unsigned long long)header->p_filesz,
                             (unsigned long long)header->p_offset, image->file_size);
    if (header->p_vaddr + header->p_memsz > ADDRESS_SPACE)
        return gs_image_fail(image->name, err, GS_E_FORMAT,
                             "is damaged: segment %u at 0x%08llx with 0x%llx bytes goes beyond "
                             "4 GiB",
                             index, address, (unsigned long long)header->p_memsz);
    return GS_OK;
}

static int by_address(const void *a, const void *b)
{
    const gs_segment *left = a, *right = b;
    return (left->address > right->address) - (left->address < right->address);
}

static gs_status load_segments(gs_image *image, gs_error *err)
{
    for (unsigned i = 0; i < image->phdr_count; i++) {
        GElf_Phdr header;
        if (!gelf_getphdr(image->elf, (int)i, &header))
            return gs_image_fail(image->name, err, GS_E_FORMAT,
                                 "is damaged: program header %u cannot be read", i);
        if (header.p_type != PT_LOAD || header.p_memsz == 0)
            continue;
        gs_status status = check_segment(image, i, &header, err);
        if (status)
            return status;
        gs_segment segment = {
            .address = header.p_vaddr,
            .physical = header.p_paddr,
            .file_size = header.p_filesz,
            .memory_size = header.p_memsz,
            .read = header.p_flags & PF_R,
            .write = header.p_flags & PF_W,
            .execute = header.p_flags & PF_X || header.p_flags == 0,
            .no_flags = header.p_flags == 0,
            .bytes = image->file + header.p_offset,
        };
        if (!gs_vec_push(&image->segments, segment))
            return gs_fail_no_memory(err);
    }
    if (image->segments.count == 0)
        return gs_image_fail(image->name, err, GS_E_FORMAT,
                             "has no loadable segment, so there is nothing to run: link it with a "
                             "linker script that places its sections");

    gs_segment *segments = image->segments.items;
    qsort(segments, image->segments.count, sizeof *segments, by_address);
    for (size_t i = 1; i < image->segments.count; i++)
        if (segments[i].address - segments[i - 1].address < segments[i - 1].memory_size)
            return gs_image_fail(image->name, err, GS_E_FORMAT,
                                 "has overlapping segments: the one at 0x%08llx reaches into the "
                                 "one at 0x%08llx; mend the linker script",
                                 (unsigned long long)segments[i - 1].address,
                                 (unsigned long long)segments[i].address);
    return GS_OK;
}

static gs_status check_entry(const gs_image *image, gs_error *err)
{
    unsigned long long entry = image->entry;
    if (image->arch == GS_ARCH_MIPS32 && (entry & 1))
        return gs_image_fail(image->name, err, GS_E_UNSUPPORTED,
                             "starts in MIPS16 or microMIPS code at 0x%08llx, which is not "
                             "supported: compile with -mno-mips16 -mno-micromips",
                             entry);
    const gs_segment *segment = gs_image_segment_at(image, image->entry);
    if (!segment || !segment->execute || entry % image->isa->unit != 0)
        return gs_image_fail(image->name, err, GS_E_FORMAT,
                             "starts at 0x%08llx, where there is no code: set the entry point "
                             "when linking (ENTRY or -e)",
                             entry);
    return GS_OK;
}

/* Linux passes the program headers' address to a program; they are usually in its first segment. */
static void locate_program_headers(gs_image *image)
{
    GElf_Ehdr file_header;
    if (!gelf_getehdr(image->elf, &file_header))
        return;
    uint64_t table = file_header.e_phoff;
    uint64_t size = (uint64_t)image->phdr_count * sizeof(Elf32_Phdr);
    for (size_t i = 0; i < image->segments.count; i++) {
        const gs_segment *segment = &image->segments.items[i];
        uint64_t offset = (uint64_t)(segment->bytes - image->file);
        if (table >= offset && table - offset + size <= segment->file_size) {
            image->phdr_address = segment->address + (table - offset);
            return;
        }
    }
}

static int by_start(const void *a, const void *b)
{
    const gs_address_range *left = a, *right = b;
    if (left->start != right->start)
        return left->start < right->start ? -1 : 1;
    return (left->end > right->end) - (left->end < right->end);
}

static void merge_code(gs_image *image)
{
    gs_address_range *ranges = image->code.items;
    size_t kept = 0;
    if (image->code.count == 0)
        return;
    qsort(ranges, image->code.count, sizeof *ranges, by_start);
    for (size_t i = 1; i < image->code.count; i++) {
        if (ranges[i].start >= ranges[kept].end)
            ranges[++kept] = ranges[i];
        else if (ranges[i].end > ranges[kept].end)
            ranges[kept].end = ranges[i].end;
    }
    image->code.count = kept + 1;
}

/*
 * Where instructions are: a segment may mix code and constants, its sections tell
 * them apart. A segment without executable sections counts as a whole.
 */
static gs_status find_code(gs_image *image, gs_error *err)
{
    bool *has_sections = calloc(image->segments.count, sizeof *has_sections);
    if (!has_sections)
        return gs_fail_no_memory(err);

    bool pushed = true;
    for (Elf_Scn *section = NULL; pushed && (section = elf_nextscn(image->elf, section));) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || header.sh_type == SHT_NOBITS ||
            !(header.sh_flags & SHF_ALLOC) || !(header.sh_flags & SHF_EXECINSTR) ||
            header.sh_size == 0)
            continue;
        const gs_segment *segment = gs_image_segment_at(image, header.sh_addr);
        if (!segment || !segment->execute)
            continue;
        uint64_t segment_end = segment->address + segment->file_size;
        uint64_t end = header.sh_addr + header.sh_size;
        gs_address_range range = {header.sh_addr, end < segment_end ? end : segment_end};
        pushed = gs_vec_push(&image->code, range);
        has_sections[segment - image->segments.items] = true;
    }
    for (size_t i = 0; pushed && i < image->segments.count; i++) {
        const gs_segment *segment = &image->segments.items[i];
        if (!segment->execute || has_sections[i] || segment->file_size == 0)
            continue;
        gs_address_range range = {segment->address, segment->address + segment->file_size};
        pushed = gs_vec_push(&image->code, range);
    }
    free(has_sections);
    if (!pushed)
        return gs_fail_no_memory(err);
    merge_code(image);
    return GS_OK;
}

gs_status gs_image_load_elf(gs_image *image, gs_error *err)
{
    gs_status status = open_elf(image, err);
    if (!status)
        status = read_header(image, err);
    if (status)
        return status;
    image->isa = gs_isa_for(image->arch);
    status = load_segments(image, err);
    if (!status)
        status = check_entry(image, err);
    if (status)
        return status;
    locate_program_headers(image);
    if (image->arch == GS_ARCH_MIPS32)
        image->global_pointer = gs_image_read_global_pointer(image);
    image->claims = gs_image_read_claims(image);
    image->extensions = gs_image_choose_extensions(image);
    gs_decoder_init(&image->decoder, image->isa, image->extensions);
    return find_code(image, err);
}
