/*
 * Ranges as people name them: whatever the text, it ends in a range that is not empty and within
 * the address space, or in a message of one line. In a program with two functions of one name, one
 * of a hostile name, and data with and without a size.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "elf_builder.h"
#include "units/ranges.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool condition)
{
    if (!condition)
        abort();
}

static gs_image *make_image(void)
{
    enum { CODE = 0x80000000, NOP = 0x13 };
    const uint32_t words[8] = {NOP, NOP, NOP, NOP, NOP, NOP, NOP, NOP};
    const unsigned object = ELF32_ST_INFO(STB_GLOBAL, STT_OBJECT);
    elf_builder elf;
    gs_image *image;
    gs_error err;
    size_t size;
    elf_start(&elf, EM_RISCV, false);
    elf.entry = CODE;
    uint16_t section = elf_code(&elf, CODE, words, 8);
    elf_function(&elf, "main", CODE, 8);
    elf_function(&elf, "same", CODE + 8, 8);
    elf_function(&elf, "same", CODE + 16, 8);
    elf_function(&elf, "a..b:1-2", CODE + 24, 8);
    elf_symbol(&elf, "table", 0x80001000, 64, object, section, 0);
    elf_symbol(&elf, "mark", 0x80001040, 0, object, section, 0);
    elf_symbol(&elf, "end", 0xfffffff0, 0x100, object, section, 0);
    uint8_t *file = elf_finish(&elf, &size);
    require(gs_image_open_memory(&image, file, size, "fuzz", &err) == GS_OK);
    free(file);
    return image;
}

static void try_text(const gs_image *image, const char *text, bool data)
{
    gs_arena arena = {0};
    gs_unit_range range;
    gs_error err = {.message = ""};
    if (gs_range_parse(&range, text, image, data, "who", &arena, &err) == GS_OK)
        require(range.first <= range.last && strcmp(range.name, text) == 0);
    else
        require(strncmp(err.message, "who: ", 5) == 0 && err.status == GS_E_ARGUMENT);
    gs_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static gs_image *image; /* kept until the end */
    if (!image)
        image = make_image();
    char *text = malloc(size + 1);
    require(text != NULL);
    if (size > 0)
        memcpy(text, bytes, size);
    text[size] = '\0';
    try_text(image, text, false);
    try_text(image, text, true);
    free(text);
    return 0;
}
