/*
 * compile.h - from C source to a program for a core, kept in a cache.
 *
 * A result stands in $XDG_CACHE_HOME/gumshoe/cc, or ~/.cache/gumshoe/cc, with a list of all files
 * it was made of and a hash of each; while those are the same it is taken again, and the compiler's
 * warnings are repeated. Everything here writes to standard error what the compiler does.
 */
#ifndef GS_TOOL_COMPILE_H
#define GS_TOOL_COMPILE_H

#include "tool/option.h"
#include "tool/toolchain.h"

/* What is asked for. Texts are borrowed. */
typedef struct gs_compile_request {
    const char *core; /* a name or a file; NULL for flatfoot */
    const gs_list *set;
    const char *board; /* NULL for the architecture's default */
    uint64_t ram;      /* bytes of the board's memory; 0 for what the board has */
    unsigned env;      /* gs_env; automatic is Linux for MIPS and bare metal for RISC-V */
    bool big_endian;
    unsigned compiler; /* gs_compiler_choice */
    char *const *sources;
    size_t source_count;
    char *const *flags; /* for the compiler */
    size_t flag_count;
} gs_compile_request;

/* Whether a file's name is that of C source. */
bool gs_compile_is_source(const char *path);

/* Compiles and links. *program is the path in the cache, for free(). GS_E_ARGUMENT if the compiler
 * or the linker found a mistake, which it has told; *exit_status is then its own. */
gs_status gs_compile(char **program, const gs_compile_request *request, int *exit_status,
                     gs_error *err);

/* Runs the compiler with the flags, which name sources, objects and the output: for makefiles.
 * *exit status is the compiler's. */
gs_status gs_compile_as_cc(const gs_compile_request *request, int *exit_status, gs_error *err);

#endif
