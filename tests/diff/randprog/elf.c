/*
 * Writes the program as an ELF file: two segments, and the sections and symbols that
 * let a disassembler show a stream.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "randprog.h"

void store16(uint8_t *to, uint32_t value, bool big_endian)
{
    to[big_endian ? 1 : 0] = (uint8_t)value;
    to[big_endian ? 0 : 1] = (uint8_t)(value >> 8);
}

void store32(uint8_t *to, uint32_t value, bool big_endian)
{
    store16(to + (big_endian ? 2 : 0), value, big_endian);
    store16(to + (big_endian ? 0 : 2), value >> 16, big_endian);
}

void store64(uint8_t *to, uint64_t value, bool big_endian)
{
    store32(to + (big_endian ? 4 : 0), (uint32_t)value, big_endian);
    store32(to + (big_endian ? 0 : 4), (uint32_t)(value >> 32), big_endian);
}

typedef struct writer {
    FILE *file;
    bool big_endian;
    long at;
} writer;

static void put(writer *w, const void *bytes, size_t size)
{
    fwrite(bytes, 1, size, w->file);
    w->at += (long)size;
}

static void put16(writer *w, uint32_t value)
{
    uint8_t bytes[2];
    store16(bytes, value, w->big_endian);
    put(w, bytes, sizeof bytes);
}

static void put32(writer *w, uint32_t value)
{
    uint8_t bytes[4];
    store32(bytes, value, w->big_endian);
    put(w, bytes, sizeof bytes);
}

static void pad(writer *w, long until)
{
    static const uint8_t zeros[4096];
    while (w->at < until)
        put(w, zeros,
            (size_t)(until - w->at) < sizeof zeros ? (size_t)(until - w->at) : sizeof zeros);
}

static void put_segment(writer *w, uint32_t type, uint32_t offset, uint32_t address, size_t size,
                        uint32_t flags)
{
    put32(w, type);
    put32(w, offset);
    put32(w, address);
    put32(w, address);
    put32(w, (uint32_t)size);
    put32(w, (uint32_t)size);
    put32(w, flags);
    put32(w, 0x1000);
}

/* How wide the floating point registers are. Without this, QEMU makes it 64 bits. */
enum { ABI_FLAGS_SIZE = 24, ABI_FLAGS_AT = 0x800 };

static void put_abi_flags(writer *w, bool wide)
{
    enum { FP_DOUBLE = 1, FP_64 = 6, REG_32 = 1, REG_64 = 2 };
    const uint8_t bytes[] = {
        32, 2, REG_32, wide ? REG_64 : REG_32, 0, wide ? FP_64 : FP_DOUBLE, /* MIPS32r2 */
    };
    pad(w, ABI_FLAGS_AT);
    put16(w, 0);
    put(w, bytes, sizeof bytes);
    for (unsigned i = 0; i < 4; i++)
        put32(w, 0);
}

typedef struct section {
    const char *name;
    uint32_t type, flags, address, offset, size, link, info, align, entry_size;
} section;

static void put_section(writer *w, const section *s, uint32_t name)
{
    const uint32_t words[] = {name,    s->type, s->flags, s->address, s->offset,
                              s->size, s->link, s->info,  s->align,   s->entry_size};
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        put32(w, words[i]);
}

static void put_symbol(writer *w, uint32_t name, uint32_t value, uint32_t size)
{
    put32(w, name);
    put32(w, value);
    put32(w, size);
    put(w, &(uint8_t){name ? ELF32_ST_INFO(STB_GLOBAL, STT_FUNC) : 0}, 1);
    put(w, &(uint8_t){0}, 1);
    put16(w, name ? 1 : 0); /* .text */
}

enum { SYMBOL_NAME = 16 };

static uint32_t aligned(uint32_t value, uint32_t to)
{
    return (value + to - 1) & ~(to - 1);
}

bool program_write(const rp_program *p, const char *path)
{
    static const char section_names[] = "\0.text\0.data\0.symtab\0.strtab";
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    writer w = {.file = file, .big_endian = p->target->big_endian};

    const bool is_mips = p->target->elf_machine == EM_MIPS;
    const uint32_t text_at = 0x1000;
    const uint32_t data_at = aligned(text_at + (uint32_t)p->text_size, 0x1000);
    const uint32_t symbols_at = data_at + (uint32_t)p->data_size;
    const uint32_t symbols_size = (p->count + 1) * (uint32_t)sizeof(Elf32_Sym);
    const uint32_t strings_at = symbols_at + symbols_size;
    const uint32_t strings_size = (uint32_t)sizeof section_names + p->count * SYMBOL_NAME;
    const uint32_t sections_at = aligned(strings_at + strings_size, 4);
    const section sections[] = {
        {.name = ""},
        {".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, p->text_address, text_at,
         (uint32_t)p->text_size, 0, 0, 4, 0},
        {".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, p->data_address, data_at,
         (uint32_t)p->data_size, 0, 0, 64, 0},
        {".symtab", SHT_SYMTAB, 0, 0, symbols_at, symbols_size, 4, 1, 4, sizeof(Elf32_Sym)},
        {".strtab", SHT_STRTAB, 0, 0, strings_at, strings_size, 0, 0, 1, 0},
    };
    const unsigned section_count = sizeof sections / sizeof *sections;

    const uint8_t ident[EI_NIDENT] = {
        ELFMAG0,   ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS32, w.big_endian ? ELFDATA2MSB : ELFDATA2LSB,
        EV_CURRENT};
    put(&w, ident, sizeof ident);
    put16(&w, ET_EXEC);
    put16(&w, p->target->elf_machine);
    put32(&w, EV_CURRENT);
    put32(&w, p->entry);
    put32(&w, sizeof(Elf32_Ehdr)); /* program headers */
    put32(&w, sections_at);
    put32(&w, p->target->elf_flags);
    put16(&w, sizeof(Elf32_Ehdr));
    put16(&w, sizeof(Elf32_Phdr));
    put16(&w, is_mips ? 3 : 2);
    put16(&w, sizeof(Elf32_Shdr));
    put16(&w, section_count);
    put16(&w, section_count - 1); /* names are in .strtab */
    /* The headers are in memory, below the code: some look for them there. */
    const uint32_t headers = p->text_address - text_at;
    if (is_mips)
        put_segment(&w, PT_MIPS_ABIFLAGS, ABI_FLAGS_AT, headers + ABI_FLAGS_AT, ABI_FLAGS_SIZE,
                    PF_R);
    put_segment(&w, PT_LOAD, 0, headers, text_at + p->text_size, PF_R | PF_X);
    put_segment(&w, PT_LOAD, data_at, p->data_address, p->data_size, PF_R | PF_W);
    if (is_mips)
        put_abi_flags(&w, p->target->wide);

    pad(&w, text_at);
    put(&w, p->text, p->text_size);
    pad(&w, data_at);
    put(&w, p->data, p->data_size);
    put_symbol(&w, 0, 0, 0);
    for (unsigned i = 0; i < p->count; i++)
        put_symbol(&w, (uint32_t)sizeof section_names + i * SYMBOL_NAME, p->starts[i],
                   p->starts[i + 1] - p->starts[i]);
    put(&w, section_names, sizeof section_names);
    for (unsigned i = 0; i < p->count; i++) {
        char name[SYMBOL_NAME] = {0};
        snprintf(name, sizeof name, "stream_%u", p->first + i);
        put(&w, name, sizeof name);
    }
    pad(&w, sections_at);
    uint32_t name = 0;
    for (unsigned i = 0; i < section_count; i++) {
        put_section(&w, &sections[i], name);
        name += (uint32_t)strlen(sections[i].name) + 1;
    }
    bool written = !ferror(file);
    return fclose(file) == 0 && written;
}
