/*
 * internal.h - the inside of a gs_image, for the files of this directory only.
 *
 * An image owns a copy of the file. Segments and symbol names point into it, so
 * it lives as long as the image; libelf's handle on it does too, because names
 * of symbols are libelf's to keep. Nothing calls libelf after opening.
 */
#ifndef GS_IMAGE_INTERNAL_H
#define GS_IMAGE_INTERNAL_H

#include <libelf.h>
#include <pthread.h>

#include "image/image.h"
#include "image/strings.h"

typedef struct gs_address_range {
    uint64_t start, end;
} gs_address_range;

/* A defined symbol, as the file has it. Section and file symbols are left out. */
typedef struct gs_symbol {
    uint64_t value, size;
    const char *name; /* never empty */
    uint16_t section; /* st_shndx */
    uint8_t type, bind, other;
} gs_symbol;

/* A range of code that comes from one place in the source. */
typedef struct gs_line_range {
    uint64_t start, end;
    const char *file;
    unsigned line, column;
} gs_line_range;

/* A range of code that is the inlined body of a function. */
typedef struct gs_inline_range {
    uint64_t start, end;
    gs_inline frame;
    uint32_t depth;  /* how many inlined calls around this one, while collecting */
    uint32_t parent; /* the range around this one, or GS_NO_RANGE */
} gs_inline_range;

#define GS_NO_RANGE UINT32_MAX

typedef struct gs_line_ranges {
    gs_line_range *items; /* sorted and disjoint */
    size_t count, capacity;
} gs_line_ranges;

typedef struct gs_inline_ranges {
    gs_inline_range *items; /* sorted by start; properly nested */
    size_t count, capacity;
} gs_inline_ranges;

typedef struct gs_function_list {
    gs_function *items; /* sorted and disjoint */
    size_t count, capacity;
} gs_function_list;

struct gs_image {
    char *name;
    uint8_t *file;
    size_t file_size;
    Elf *elf; /* over `file` */

    gs_arch arch;
    const gs_isa *isa;
    gs_decoder decoder;  /* of `extensions`: what a core lacks is the engine's business */
    uint64_t extensions; /* all that there are, of two that share encodings the likelier one */
    bool big_endian;
    bool linux_mark; /* the file itself says that it is a Linux program */
    uint64_t entry;
    uint32_t flags;
    uint64_t phdr_address;
    unsigned phdr_count;
    uint32_t global_pointer; /* MIPS: of position-independent code; 0 if not known */
    uint64_t claims;         /* extensions the file says it was made for; all, if it does not */

    struct {
        gs_segment *items; /* sorted and disjoint */
        size_t count, capacity;
    } segments;
    struct {
        gs_address_range *items; /* executable sections, or segments that have none */
        size_t count, capacity;
    } code;
    struct {
        gs_symbol *items;
        size_t count, capacity;
    } symbols;
    gs_function_list functions;
    gs_strings strings;

    pthread_mutex_t loading; /* held while the debug information is read */
    bool lines_loaded;
    gs_line_ranges lines;
    gs_inline_ranges inlines;
};

/* gs_fail() with the image's name in front, cut if it would crowd out the message. */
gs_status gs_image_fail(const char *name, gs_error *err, gs_status status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* elf.c: headers, segments and code ranges from image->file. */
gs_status gs_image_load_elf(gs_image *image, gs_error *err);

/* symbols.c */
gs_status gs_image_load_symbols(gs_image *image, gs_error *err);

/* functions.c: the function table from the symbols. */
gs_status gs_image_load_functions(gs_image *image, gs_error *err);

/* discover.c: functions for reachable code that no symbol covers. */
gs_status gs_image_discover_functions(gs_image *image, gs_error *err);

/* Whether what is at `pc` makes sense as code: a guess for where nothing says so. */
bool gs_image_looks_like_code(const gs_image *image, uint64_t pc);

/* platform.c: what notes and headers say about the operating system. */
bool gs_image_has_linux_mark(const gs_image *image);

/* constants.c: what the file records of $gp. */
uint32_t gs_image_read_global_pointer(const gs_image *image);

/* needs.c: what attributes and flags say the program was made for. */
uint64_t gs_image_read_claims(const gs_image *image);

/* The extensions the file's code is to be read with, once `claims` are known. */
uint64_t gs_image_choose_extensions(const gs_image *image);

/* The segment whose file bytes hold `address`, or NULL. */
const gs_segment *gs_image_segment_at(const gs_image *image, uint64_t address);

/* The code range that holds `address`, or NULL. */
const gs_address_range *gs_image_code_at(const gs_image *image, uint64_t address);

/* One instruction at `offset` of a segment; false if it does not fit into its bytes. */
bool gs_image_fetch(const gs_image *image, const gs_segment *segment, uint64_t offset,
                    gs_insn *insn);

/* A word of guest memory as the file initialises it; false if the file does not. */
bool gs_image_word_at(const gs_image *image, uint64_t address, uint32_t *word);

#endif
