/* Opens a program file, and answers questions about its segments and code. */
#include "image/image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/search.h"
#include "image/internal.h"

/* A 32-bit program needs no more, and /dev/zero has no end. */
#define MAX_FILE_BYTES ((size_t)4 << 30)

enum { NAME_SHOWN = 200 };

gs_status gs_image_fail(const char *name, gs_error *err, gs_status status, const char *format, ...)
{
    char text[320];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);

    size_t length = strlen(name);
    bool cut = length > NAME_SHOWN;
    return gs_fail(err, status, "%s%s: %s", cut ? "..." : "",
                   cut ? name + length - NAME_SHOWN : name, text);
}

/* Everything after the file's bytes are in image->file. Frees the image on failure. */
static gs_status open_image(gs_image **out, gs_image *image, gs_error *err)
{
    gs_status status = gs_image_load_elf(image, err);
    if (!status)
        status = gs_image_load_symbols(image, err);
    if (!status)
        status = gs_image_load_functions(image, err);
    if (!status)
        status = gs_image_discover_functions(image, err);
    if (status) {
        gs_image_free(image);
        return status;
    }
    image->linux_mark = gs_image_has_linux_mark(image);
    *out = image;
    return GS_OK;
}

static gs_image *new_image(const char *name)
{
    gs_image *image = calloc(1, sizeof *image);
    if (image && !(image->name = strdup(name))) {
        free(image);
        image = NULL;
    }
    if (image)
        pthread_mutex_init(&image->loading, NULL); /* cannot fail without attributes */
    return image;
}

static gs_status grow_file(gs_image *image, size_t *capacity, gs_error *err)
{
    size_t wanted = *capacity * 2;
    uint8_t *grown = realloc(image->file, wanted);
    if (!grown)
        return gs_fail_no_memory(err);
    image->file = grown;
    *capacity = wanted;
    return GS_OK;
}

/* Reads to the end, whatever `fd` is; stops early at what cannot be an ELF file. */
static gs_status read_file(gs_image *image, int fd, gs_error *err)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return gs_image_fail(image->name, err, GS_E_IO, "cannot be read: %s", strerror(errno));
    if (S_ISREG(info.st_mode) && (uint64_t)info.st_size > MAX_FILE_BYTES)
        return gs_image_fail(image->name, err, GS_E_UNSUPPORTED,
                             "is larger than 4 GiB, too large for a 32-bit program");

    /* One byte more than a regular file has, so that the read that finds the end fits. */
    size_t capacity = S_ISREG(info.st_mode) ? (size_t)info.st_size + 1 : 64 * 1024;
    image->file = malloc(capacity);
    if (!image->file)
        return gs_fail_no_memory(err);

    for (;;) {
        if (image->file_size == capacity) {
            gs_status status = grow_file(image, &capacity, err);
            if (status)
                return status;
        }
        ssize_t got = read(fd, image->file + image->file_size, capacity - image->file_size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return gs_image_fail(image->name, err, GS_E_IO, "cannot be read: %s", strerror(errno));
        image->file_size += (size_t)got;
        bool hopeless = image->file_size >= SELFMAG && memcmp(image->file, ELFMAG, SELFMAG) != 0;
        if (got == 0 || hopeless)
            return GS_OK;
        if (image->file_size > MAX_FILE_BYTES)
            return gs_image_fail(image->name, err, GS_E_UNSUPPORTED,
                                 "is larger than 4 GiB, too large for a 32-bit program");
    }
}

gs_status gs_image_open(gs_image **out, const char *path, gs_error *err)
{
    *out = NULL;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        gs_status status = errno == ENOENT || errno == ENOTDIR ? GS_E_NOT_FOUND : GS_E_IO;
        return gs_image_fail(path, err, status, "cannot be opened: %s", strerror(errno));
    }
    gs_image *image = new_image(path);
    gs_status status = image ? read_file(image, fd, err) : gs_fail_no_memory(err);
    close(fd);
    if (status) {
        gs_image_free(image);
        return status;
    }
    return open_image(out, image, err);
}

gs_status gs_image_open_memory(gs_image **out, const void *bytes, size_t size, const char *name,
                               gs_error *err)
{
    *out = NULL;
    gs_image *image = new_image(name);
    if (!image)
        return gs_fail_no_memory(err);
    image->file = malloc(size ? size : 1);
    if (!image->file) {
        gs_image_free(image);
        return gs_fail_no_memory(err);
    }
    if (size)
        memcpy(image->file, bytes, size);
    image->file_size = size;
    return open_image(out, image, err);
}

void gs_image_free(gs_image *image)
{
    if (!image)
        return;
    pthread_mutex_destroy(&image->loading);
    elf_end(image->elf);
    gs_strings_free(&image->strings);
    free(image->segments.items);
    free(image->code.items);
    free(image->symbols.items);
    free(image->functions.items);
    free(image->lines.items);
    free(image->inlines.items);
    free(image->file);
    free(image->name);
    free(image);
}

const char *gs_image_name(const gs_image *image)
{
    return image->name;
}

gs_arch gs_image_arch(const gs_image *image)
{
    return image->arch;
}

bool gs_image_big_endian(const gs_image *image)
{
    return image->big_endian;
}

const gs_segment *gs_image_segment_at(const gs_image *image, uint64_t address)
{
    const size_t low =
        gs_count_up_to(image->segments.items, image->segments.count, address, address);
    if (low == 0)
        return NULL;
    const gs_segment *segment = &image->segments.items[low - 1];
    return address - segment->address < segment->file_size ? segment : NULL;
}

size_t gs_image_segment_count(const gs_image *image)
{
    return image->segments.count;
}

const gs_segment *gs_image_segment(const gs_image *image, size_t index)
{
    return &image->segments.items[index];
}

const gs_address_range *gs_image_code_at(const gs_image *image, uint64_t address)
{
    const size_t low = gs_count_up_to(image->code.items, image->code.count, start, address);
    if (low == 0 || address >= image->code.items[low - 1].end)
        return NULL;
    return &image->code.items[low - 1];
}

uint64_t gs_image_entry(const gs_image *image)
{
    return image->entry;
}

uint32_t gs_image_flags(const gs_image *image)
{
    return image->flags;
}

uint64_t gs_image_phdr_address(const gs_image *image)
{
    return image->phdr_address;
}

unsigned gs_image_phdr_count(const gs_image *image)
{
    return image->phdr_count;
}

static uint32_t read_word(const uint8_t *bytes, bool big_endian)
{
    if (big_endian)
        return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 |
               bytes[3];
    return (uint32_t)bytes[3] << 24 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[1] << 8 | bytes[0];
}

bool gs_image_word_at(const gs_image *image, uint64_t address, uint32_t *word)
{
    const gs_segment *segment = gs_image_segment_at(image, address);
    if (!segment)
        return false;
    uint64_t offset = address - segment->address;
    if (segment->file_size - offset < 4)
        return false;
    *word = read_word(segment->bytes + offset, image->big_endian);
    return true;
}

bool gs_image_fetch(const gs_image *image, const gs_segment *segment, uint64_t offset,
                    gs_insn *insn)
{
    uint64_t left = segment->file_size - offset;
    const uint8_t *bytes = segment->bytes + offset;
    if (left >= 4) {
        gs_decode(insn, &image->decoder, read_word(bytes, image->big_endian));
        return insn->length <= left;
    }
    /* The last instruction of a segment may be a compressed one. */
    if (left < 2 || image->isa->unit != 2)
        return false;
    gs_decode(insn, &image->decoder, (uint32_t)bytes[1] << 8 | bytes[0]);
    return insn->length <= left;
}

bool gs_image_insn_at(const gs_image *image, uint64_t pc, gs_insn *insn)
{
    const gs_segment *segment = gs_image_segment_at(image, pc);
    if (!segment || !segment->execute || pc % image->isa->unit != 0)
        return false;
    return gs_image_fetch(image, segment, pc - segment->address, insn);
}
