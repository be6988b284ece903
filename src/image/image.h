/*
 * image.h - what the rest of the library sees of a program file.
 *
 * The public part is in gumshoe/image.h; here is what loading, control flow
 * analysis and environments need besides. All of it is read-only after opening.
 */
#ifndef GS_IMAGE_IMAGE_H
#define GS_IMAGE_IMAGE_H

#include "base/error.h"
#include "gumshoe/image.h"
#include "isa/isa.h"

/* A PT_LOAD segment. `bytes` has file_size bytes; the rest up to memory_size is zero. */
typedef struct gs_segment {
    uint64_t address;
    uint64_t physical; /* where it lies in a ROM before start-up code copies it */
    uint64_t file_size, memory_size;
    bool read, write, execute;
    bool no_flags; /* none given: memory of any kind on bare metal, no access on Linux */
    const uint8_t *bytes;
} gs_segment;

size_t gs_image_segment_count(const gs_image *image);
const gs_segment *gs_image_segment(const gs_image *image, size_t index); /* by address */

uint32_t gs_image_flags(const gs_image *image); /* e_flags */

/* The program headers in guest memory, for the auxiliary vector; 0 if not loaded. */
uint64_t gs_image_phdr_address(const gs_image *image);
unsigned gs_image_phdr_count(const gs_image *image);

/* The value of any named symbol, function or not; false if there is none. */
bool gs_image_find_symbol(const gs_image *image, const char *name, uint64_t *value);

/* One instruction from the file's own bytes, whatever has happened to them since.
 * False outside executable segments. */
bool gs_image_insn_at(const gs_image *image, uint64_t pc, gs_insn *insn);

/* All extensions the program's code may be read with. Zcmp and compressed D share encodings: the
 * file's attributes say which it means, else its calling convention does. */
uint64_t gs_image_extensions(const gs_image *image);

/* The instruction set extensions that code which can be reached needs: bits as the decoder takes
 * them. What the file says it was not made for is left out. */
gs_status gs_image_needs(const gs_image *image, uint64_t *extensions, gs_error *err);

/* Whether the program expects a Linux kernel beneath it rather than bare hardware. */
bool gs_image_wants_linux(const gs_image *image);

#endif
