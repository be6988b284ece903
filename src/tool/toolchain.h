/*
 * toolchain.h - the compiler, linker and C library for programs of a core, as they are on this
 * host.
 *
 * For RISC-V that is clang, or the cross gcc, with picolibc; for MIPS the cross gcc with glibc,
 * which makes Linux programs only. Nothing is run here: a gs_toolchain is words for command lines.
 * It is released with gs_toolchain_free().
 */
#ifndef GS_TOOL_TOOLCHAIN_H
#define GS_TOOL_TOOLCHAIN_H

#include "gumshoe/board.h"
#include "gumshoe/core.h"

/* Words of a command line, which ends with NULL. */
enum { GS_WORDS_MAX = 512 };
typedef struct gs_words {
    char *at[GS_WORDS_MAX + 1];
    size_t count;
} gs_words;

/* Adds a copy of the text that `format` makes. What is too much for the list is left out; then
 * gs_words_full() says so. */
void gs_words_add(gs_words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool gs_words_full(const gs_words *words);
void gs_words_free(gs_words *words);

typedef enum gs_compiler_choice {
    GS_COMPILER_AUTO,
    GS_COMPILER_CLANG,
    GS_COMPILER_GCC
} gs_compiler_choice;

/* What a program is to run on. */
typedef struct gs_toolchain_request {
    const char *isa; /* as gs_core_isa() says it */
    bool for_linux;
    bool big_endian;             /* MIPS only */
    uint64_t base, size;         /* of the board's memory; bare metal only */
    gs_compiler_choice compiler; /* RISC-V only */
    bool no_library;             /* the program is not linked here, or brings its own */
} gs_toolchain_request;

typedef struct gs_toolchain {
    gs_words compile;   /* the compiler, and what it needs to know of the target */
    gs_words link;      /* what is added when linking, before the objects, */
    gs_words libraries; /* and behind them */
    bool needs_layout;  /* guest/layout.ld comes with it, as -T FILE */
    const char *start;  /* "rv32_bare": guest/rv32_bare.c has to be compiled, too; or NULL */
} gs_toolchain;

/* GS_E_NOT_FOUND says which packages are missing, GS_E_UNSUPPORTED that there is no C library. */
gs_status gs_toolchain_find(gs_toolchain *out, const gs_toolchain_request *request, gs_error *err);
void gs_toolchain_free(gs_toolchain *toolchain);

/* The path of a program on $PATH, for free(); or NULL. */
char *gs_toolchain_program(const char *name);

#endif
