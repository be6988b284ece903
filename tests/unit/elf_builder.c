/* Writes the ELF files that elf_builder.h describes. */
#include "elf_builder.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_PARTS = 64, MAX_SYMBOLS = 256, MAX_NAMES = 16384 };

typedef struct part {
    Elf32_Phdr segment;
    Elf32_Shdr section;
    uint8_t *bytes;
    size_t size;
} part;

struct elf_parts {
    part segments[MAX_PARTS];
    unsigned segment_count;
    part sections[MAX_PARTS]; /* [0] is the null section */
    unsigned section_count;
    Elf32_Sym symbols[MAX_SYMBOLS]; /* [0] is the null symbol */
    unsigned symbol_count;
    char names[MAX_NAMES]; /* of sections and symbols */
    size_t names_size;
};

static void *need(void *memory)
{
    if (!memory)
        abort();
    return memory;
}

static void *copy_of(const void *bytes, size_t size)
{
    void *copy = need(malloc(size + 1));
    if (size)
        memcpy(copy, bytes, size);
    return copy;
}

static uint32_t add_name(elf_builder *elf, const char *name)
{
    struct elf_parts *p = elf->parts;
    size_t size = strlen(name) + 1;
    if (p->names_size + size > MAX_NAMES)
        abort();
    memcpy(p->names + p->names_size, name, size);
    p->names_size += size;
    return (uint32_t)(p->names_size - size);
}

void elf_start(elf_builder *elf, uint16_t machine, bool big_endian)
{
    *elf = (elf_builder){.big_endian = big_endian, .type = ET_EXEC, .machine = machine};
    if (machine == EM_MIPS)
        elf->flags = EF_MIPS_ARCH_32R2 | 0x1000; /* o32 */
    elf->parts = need(calloc(1, sizeof *elf->parts));
    elf->parts->section_count = 1;
    elf->parts->symbol_count = 1;
    elf->parts->names_size = 1;
}

unsigned elf_segment(elf_builder *elf, uint32_t type, uint32_t flags, uint32_t address,
                     const void *bytes, size_t size, uint32_t memory_size)
{
    struct elf_parts *p = elf->parts;
    if (p->segment_count == MAX_PARTS)
        abort();
    p->segments[p->segment_count] = (part){
        .segment = {.p_type = type,
                    .p_flags = flags,
                    .p_vaddr = address,
                    .p_paddr = address,
                    .p_filesz = (uint32_t)size,
                    .p_memsz = memory_size,
                    .p_align = 4},
        .bytes = copy_of(bytes, size),
        .size = size,
    };
    return p->segment_count++;
}

static uint16_t push_section(elf_builder *elf, Elf32_Shdr header, const void *bytes, size_t size)
{
    struct elf_parts *p = elf->parts;
    if (p->section_count == MAX_PARTS)
        abort();
    p->sections[p->section_count] = (part){
        .section = header,
        .bytes = bytes ? copy_of(bytes, size) : NULL,
        .size = bytes ? size : 0,
    };
    return (uint16_t)p->section_count++;
}

uint16_t elf_section(elf_builder *elf, const char *name, uint32_t type, uint32_t flags,
                     uint32_t address, uint32_t size)
{
    Elf32_Shdr header = {
        .sh_name = add_name(elf, name),
        .sh_type = type,
        .sh_flags = flags,
        .sh_addr = address,
        .sh_size = size,
    };
    return push_section(elf, header, NULL, 0);
}

uint16_t elf_loose_section(elf_builder *elf, const char *name, const void *bytes, size_t size)
{
    Elf32_Shdr header = {
        .sh_name = add_name(elf, name),
        .sh_type = SHT_PROGBITS,
        .sh_size = (uint32_t)size,
        .sh_addralign = 1,
    };
    return push_section(elf, header, bytes, size);
}

uint16_t elf_code(elf_builder *elf, uint32_t address, const uint32_t *words, size_t count)
{
    uint8_t *bytes = need(malloc(count * 4));
    for (size_t i = 0; i < count; i++)
        elf_put32(elf, bytes + 4 * i, words[i]);
    elf_segment(elf, PT_LOAD, PF_R | PF_X, address, bytes, count * 4, (uint32_t)count * 4);
    free(bytes);
    return elf_section(elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, address,
                       (uint32_t)count * 4);
}

void elf_symbol(elf_builder *elf, const char *name, uint32_t value, uint32_t size, unsigned info,
                uint16_t section, uint8_t other)
{
    struct elf_parts *p = elf->parts;
    if (p->symbol_count == MAX_SYMBOLS)
        abort();
    p->symbols[p->symbol_count++] = (Elf32_Sym){
        .st_name = add_name(elf, name),
        .st_value = value,
        .st_size = size,
        .st_info = (uint8_t)info,
        .st_other = other,
        .st_shndx = section,
    };
}

void elf_function(elf_builder *elf, const char *name, uint32_t value, uint32_t size)
{
    elf_symbol(elf, name, value, size, ELF32_ST_INFO(STB_GLOBAL, STT_FUNC), 1, 0);
}

void elf_put16(const elf_builder *elf, uint8_t *at, uint16_t value)
{
    at[elf->big_endian ? 1 : 0] = (uint8_t)value;
    at[elf->big_endian ? 0 : 1] = (uint8_t)(value >> 8);
}

void elf_put32(const elf_builder *elf, uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[elf->big_endian ? 3 - i : i] = (uint8_t)(value >> (8 * i));
}

/* A growing file. */
typedef struct file {
    const elf_builder *elf;
    uint8_t *bytes;
    size_t size;
} file;

static uint8_t *reserve(file *f, size_t size)
{
    f->bytes = need(realloc(f->bytes, f->size + size + 1));
    memset(f->bytes + f->size, 0, size);
    f->size += size;
    return f->bytes + f->size - size;
}

static uint32_t append(file *f, const void *bytes, size_t size)
{
    reserve(f, (4 - f->size % 4) % 4);
    uint8_t *at = reserve(f, size);
    if (size)
        memcpy(at, bytes, size);
    return (uint32_t)(f->size - size);
}

static void put_words(file *f, size_t offset, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        elf_put32(f->elf, f->bytes + offset + 4 * i, words[i]);
}

static uint32_t append_symbols(file *f, const struct elf_parts *p)
{
    uint32_t offset = append(f, NULL, 0);
    for (unsigned i = 0; i < p->symbol_count; i++) {
        const Elf32_Sym *s = &p->symbols[i];
        uint8_t *at = reserve(f, sizeof *s);
        elf_put32(f->elf, at, s->st_name);
        elf_put32(f->elf, at + 4, s->st_value);
        elf_put32(f->elf, at + 8, s->st_size);
        at[12] = s->st_info;
        at[13] = s->st_other;
        elf_put16(f->elf, at + 14, s->st_shndx);
    }
    return offset;
}

/* Contents of a section that lies in a segment are already in the file. */
static uint32_t offset_in_segment(const struct elf_parts *p, const Elf32_Shdr *section)
{
    for (unsigned i = 0; i < p->segment_count; i++) {
        const Elf32_Phdr *s = &p->segments[i].segment;
        if (s->p_type == PT_LOAD && section->sh_addr >= s->p_vaddr &&
            section->sh_addr - s->p_vaddr < s->p_filesz)
            return s->p_offset + (section->sh_addr - s->p_vaddr);
    }
    return 0;
}

static uint32_t append_sections(file *f, elf_builder *elf)
{
    struct elf_parts *p = elf->parts;
    if (p->symbol_count > 1) {
        Elf32_Shdr symbols = {
            .sh_name = add_name(elf, ".symtab"),
            .sh_type = SHT_SYMTAB,
            .sh_offset = append_symbols(f, p),
            .sh_size = (uint32_t)(p->symbol_count * sizeof(Elf32_Sym)),
            .sh_link = p->section_count + 1,
            .sh_entsize = sizeof(Elf32_Sym),
        };
        push_section(elf, symbols, NULL, 0);
    }
    Elf32_Shdr names = {.sh_name = add_name(elf, ".strtab"), .sh_type = SHT_STRTAB};
    names.sh_offset = append(f, p->names, p->names_size);
    names.sh_size = (uint32_t)p->names_size;
    push_section(elf, names, NULL, 0);

    for (unsigned i = 1; i < p->section_count; i++) {
        part *section = &p->sections[i];
        if (section->bytes)
            section->section.sh_offset = append(f, section->bytes, section->size);
        else if (!section->section.sh_offset)
            section->section.sh_offset = offset_in_segment(p, &section->section);
    }
    uint32_t offset = append(f, NULL, 0);
    reserve(f, p->section_count * sizeof(Elf32_Shdr));
    for (unsigned i = 0; i < p->section_count; i++) {
        const Elf32_Shdr *s = &p->sections[i].section;
        const uint32_t words[] = {s->sh_name,      s->sh_type,   s->sh_flags, s->sh_addr,
                                  s->sh_offset,    s->sh_size,   s->sh_link,  s->sh_info,
                                  s->sh_addralign, s->sh_entsize};
        put_words(f, offset + i * sizeof *s, words, 10);
    }
    return offset;
}

static void write_header(file *f, const elf_builder *elf, uint32_t section_offset)
{
    const struct elf_parts *p = elf->parts;
    uint8_t *at = f->bytes;
    memcpy(at, ELFMAG, SELFMAG);
    at[EI_CLASS] = ELFCLASS32;
    at[EI_DATA] = elf->big_endian ? ELFDATA2MSB : ELFDATA2LSB;
    at[EI_VERSION] = EV_CURRENT;
    at[EI_OSABI] = elf->os_abi;
    elf_put16(elf, at + offsetof(Elf32_Ehdr, e_type), elf->type);
    elf_put16(elf, at + offsetof(Elf32_Ehdr, e_machine), elf->machine);
    elf_put32(elf, at + offsetof(Elf32_Ehdr, e_version), EV_CURRENT);
    elf_put32(elf, at + offsetof(Elf32_Ehdr, e_entry), elf->entry);
    elf_put32(elf, at + offsetof(Elf32_Ehdr, e_phoff), p->segment_count ? sizeof(Elf32_Ehdr) : 0);
    elf_put32(elf, at + offsetof(Elf32_Ehdr, e_shoff), section_offset);
    elf_put32(elf, at + offsetof(Elf32_Ehdr, e_flags), elf->flags);
    elf_put16(elf, at + offsetof(Elf32_Ehdr, e_ehsize), sizeof(Elf32_Ehdr));
    elf_put16(elf, at + offsetof(Elf32_Ehdr, e_phentsize), sizeof(Elf32_Phdr));
    elf_put16(elf, at + offsetof(Elf32_Ehdr, e_phnum), (uint16_t)p->segment_count);
    elf_put16(elf, at + offsetof(Elf32_Ehdr, e_shentsize), sizeof(Elf32_Shdr));
    if (section_offset) {
        elf_put16(elf, at + offsetof(Elf32_Ehdr, e_shnum), (uint16_t)p->section_count);
        elf_put16(elf, at + offsetof(Elf32_Ehdr, e_shstrndx), (uint16_t)(p->section_count - 1));
    }
}

uint8_t *elf_finish(elf_builder *elf, size_t *size)
{
    struct elf_parts *p = elf->parts;
    file f = {.elf = elf};
    reserve(&f, sizeof(Elf32_Ehdr) + p->segment_count * sizeof(Elf32_Phdr));
    for (unsigned i = 0; i < p->segment_count; i++) {
        Elf32_Phdr *s = &p->segments[i].segment;
        s->p_offset = append(&f, p->segments[i].bytes, p->segments[i].size);
        const uint32_t words[] = {s->p_type,   s->p_offset, s->p_vaddr, s->p_paddr,
                                  s->p_filesz, s->p_memsz,  s->p_flags, s->p_align};
        put_words(&f, sizeof(Elf32_Ehdr) + i * sizeof *s, words, 8);
    }
    write_header(&f, elf, elf->no_sections ? 0 : append_sections(&f, elf));

    for (unsigned i = 0; i < MAX_PARTS; i++) {
        free(p->segments[i].bytes);
        free(p->sections[i].bytes);
    }
    free(p);
    elf->parts = NULL;
    *size = f.size;
    return f.bytes;
}
