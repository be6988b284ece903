/*
 * ELF files stay ELF files: words of headers and symbols get values that are wrong in interesting
 * ways, and what is in a section changes, or grows, within the section.
 */
#include "mutate.h"

#include <elf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { GROWTH = 64, PLAIN = 4 /* every how manieth change is libFuzzer's own */ };

typedef struct file {
    uint8_t *bytes;
    size_t size, max_size;
    bool is_big;
    fuzz_random random;
} file;

static uint32_t get(const file *f, size_t at, size_t width)
{
    uint32_t value = 0;
    for (size_t i = 0; i < width && at + width <= f->size; i++)
        value |= (uint32_t)f->bytes[at + i] << 8 * (f->is_big ? width - 1 - i : i);
    return value;
}

static void put(file *f, size_t at, uint32_t value)
{
    for (size_t i = 0; i < 4 && at + 4 <= f->size; i++)
        f->bytes[at + i] = (uint8_t)(value >> 8 * (f->is_big ? 3 - i : i));
}

#define HEADER(f, member) get(f, offsetof(Elf32_Ehdr, member), sizeof((Elf32_Ehdr *)0)->member)
#define SECTION(f, at, member) \
    get(f, (at) + offsetof(Elf32_Shdr, member), sizeof((Elf32_Shdr *)0)->member)

/* Where a section's header is, 0 if there is none. */
static size_t pick_section(file *f)
{
    size_t count = HEADER(f, e_shnum);
    size_t at = count ? HEADER(f, e_shoff) + fuzz_pick(&f->random, count) * sizeof(Elf32_Shdr) : 0;
    return at + sizeof(Elf32_Shdr) <= f->size ? at : 0;
}

static uint32_t new_value(file *f, uint32_t old)
{
    switch (fuzz_pick(&f->random, 5)) {
    case 0: return old + (uint32_t)fuzz_pick(&f->random, 17) - 8;
    case 1: return (uint32_t)f->size - (uint32_t)fuzz_pick(&f->random, 9);
    case 2: return get(f, fuzz_pick(&f->random, f->size) & ~(size_t)3, 4);
    case 3: return old ^ 1U << fuzz_pick(&f->random, 32);
    default: return (uint32_t)fuzz_number(&f->random);
    }
}

/* Changes a word of `size` bytes at `at`; narrower fields share theirs. */
static bool change_word(file *f, size_t at, size_t size)
{
    if (at > f->size || size < 4 || size > f->size - at)
        return false;
    at += fuzz_pick(&f->random, size / 4) * 4;
    put(f, at, new_value(f, get(f, at, 4)));
    return true;
}

static bool change_segment(file *f)
{
    size_t count = HEADER(f, e_phnum);
    return count &&
           change_word(f, HEADER(f, e_phoff) + fuzz_pick(&f->random, count) * sizeof(Elf32_Phdr),
                       sizeof(Elf32_Phdr));
}

static bool change_entry(file *f)
{
    size_t at = pick_section(f);
    size_t size = at ? SECTION(f, at, sh_size) : 0;
    return size >= sizeof(Elf32_Sym) &&
           change_word(f,
                       SECTION(f, at, sh_offset) +
                           fuzz_pick(&f->random, size / sizeof(Elf32_Sym)) * sizeof(Elf32_Sym),
                       sizeof(Elf32_Sym));
}

/* What is in a section changes where it is, or becomes longer and moves to the end of the file. */
static bool change_content(file *f)
{
    size_t at = pick_section(f);
    size_t offset = at ? SECTION(f, at, sh_offset) : 0, size = at ? SECTION(f, at, sh_size) : 0;
    if (size == 0 || offset > f->size || size > f->size - offset)
        return false;
    size_t room = f->max_size - f->size;
    bool grows = fuzz_pick(&f->random, 3) == 0 && room >= size + GROWTH;
    uint8_t *content = malloc(size + GROWTH);
    if (!content)
        return false;
    memcpy(content, f->bytes + offset, size);
    size_t now = LLVMFuzzerMutate(content, size, grows ? size + GROWTH : size);
    if (now > size) {
        offset = f->size;
        f->size += now;
        put(f, at + offsetof(Elf32_Shdr, sh_offset), (uint32_t)offset);
    }
    memcpy(f->bytes + offset, content, now);
    put(f, at + offsetof(Elf32_Shdr, sh_size), (uint32_t)now);
    free(content);
    return true;
}

static bool change(file *f)
{
    switch (fuzz_pick(&f->random, 8)) {
    case 0: return change_word(f, sizeof f->bytes[0] * EI_NIDENT, sizeof(Elf32_Ehdr) - EI_NIDENT);
    case 1: return change_segment(f);
    case 2: return change_word(f, pick_section(f), sizeof(Elf32_Shdr));
    case 3: return change_entry(f);
    default: return change_content(f);
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t max_size, unsigned seed)
{
    file f = {bytes, size, max_size, false, {seed}};
    if (size < sizeof(Elf32_Ehdr) || max_size < size || memcmp(bytes, ELFMAG, SELFMAG) != 0 ||
        fuzz_pick(&f.random, PLAIN) == 0)
        return LLVMFuzzerMutate(bytes, size, max_size);
    f.is_big = bytes[EI_DATA] == ELFDATA2MSB;
    return change(&f) ? f.size : LLVMFuzzerMutate(bytes, size, max_size);
}
