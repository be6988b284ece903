/* Finds the compilers and C libraries of the host. */
#include "tool/toolchain.h"

#include <ctype.h>
#include <dirent.h>
#include <glob.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void gs_words_add(gs_words *words, const char *format, ...)
{
    va_list args;
    char *text = NULL;
    va_start(args, format);
    int size = vasprintf(&text, format, args);
    va_end(args);
    if (size < 0)
        text = NULL;
    if (text && words->count < GS_WORDS_MAX)
        words->at[words->count] = text;
    else
        free(text);
    words->count++;
}

bool gs_words_full(const gs_words *words)
{
    return words->count > GS_WORDS_MAX;
}

void gs_words_free(gs_words *words)
{
    for (size_t i = 0; i < words->count && i < GS_WORDS_MAX; i++)
        free(words->at[i]);
    *words = (gs_words){0};
}

void gs_toolchain_free(gs_toolchain *toolchain)
{
    gs_words_free(&toolchain->compile);
    gs_words_free(&toolchain->link);
    gs_words_free(&toolchain->libraries);
}

char *gs_toolchain_program(const char *name)
{
    const char *path = getenv("PATH");
    while (path && *path) {
        size_t length = strcspn(path, ":");
        char *file = NULL;
        if (asprintf(&file, "%.*s/%s", (int)length, path, name) >= 0) {
            if (access(file, X_OK) == 0)
                return file;
            free(file);
        }
        path += length + (path[length] == ':');
    }
    return NULL;
}

static bool has_program(const char *name)
{
    char *file = gs_toolchain_program(name);
    free(file);
    return file != NULL;
}

static gs_status fail(gs_error *err, gs_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static gs_status fail(gs_error *err, gs_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    return err->status = status;
}

/* -- RISC-V --------------------------------------------------------------------------------------
 */

static const char picolibc[] = "/usr/lib/picolibc/riscv64-unknown-elf";
static const char riscv_gcc[] = "riscv64-unknown-elf-gcc", riscv_ld[] = "riscv64-unknown-elf-ld";

/* The letters of the base and the single-letter extensions: "imc" of rv32imc_zicsr. */
static size_t letters_of(const char *isa, char *to, size_t size)
{
    size_t count = strlen(isa) > 4 ? strcspn(isa + 4, "_") : 0;
    if (count >= size)
        count = size - 1;
    memcpy(to, isa + 4, count);
    to[count] = '\0';
    return count;
}

static const char *abi_of(const char *letters)
{
    return strchr(letters, 'd') ? "ilp32d" : strchr(letters, 'f') ? "ilp32f" : "ilp32";
}

static bool is_subset(const char *some, const char *all)
{
    return strspn(some, all) == strlen(some);
}

/* The directory of the library built for most of what the core has, "rv32im/ilp32"; "" if there is
 * none at all. */
static void find_multilib(const char *letters, char *to, size_t size)
{
    char path[512];
    size_t best = 0;
    to[0] = '\0';
    snprintf(path, sizeof path, "%s/lib", picolibc);
    DIR *directory = opendir(path);
    if (!directory)
        return;
    for (struct dirent *entry; (entry = readdir(directory));) {
        const char *name = entry->d_name;
        if (strncmp(name, "rv32", 4) != 0 || strlen(name) < best || !is_subset(name + 4, letters))
            continue;
        snprintf(path, sizeof path, "%s/lib/%s/%s/libc.a", picolibc, name, abi_of(letters));
        if (access(path, R_OK) != 0)
            continue;
        const int length = snprintf(path, sizeof path, "%s/%s", name, abi_of(letters));
        if (length < 0 || (size_t)length >= size)
            continue; /* no library of picolibc has such a name */
        best = strlen(name) + 1;
        memcpy(to, path, (size_t)length + 1);
    }
    closedir(directory);
}

/* Arithmetic that the core has no instructions for: gcc's, if it is there. */
static void add_arithmetic(gs_words *libraries, const char *multilib)
{
    char pattern[256];
    glob_t found;
    snprintf(pattern, sizeof pattern, "/usr/lib/gcc/riscv64-unknown-elf/*/%s/libgcc.a", multilib);
    if (glob(pattern, 0, NULL, &found) == 0)
        gs_words_add(libraries, "%s", found.gl_pathv[found.gl_pathc - 1]);
    globfree(&found);
}

static void add_riscv_libraries(gs_toolchain *t, const gs_toolchain_request *request,
                                const char *multilib)
{
    gs_words_add(&t->libraries, "-Wl,--start-group");
    static const char *const names[] = {"c", "semihost"}; /* libm.a is empty */
    for (size_t i = 0; i < (request->for_linux ? 1 : 2); i++)
        gs_words_add(&t->libraries, "%s/lib/%s/lib%s.a", picolibc, multilib, names[i]);
    add_arithmetic(&t->libraries, multilib);
    gs_words_add(&t->libraries, "-Wl,--end-group");
}

static void add_riscv_link(gs_toolchain *t, const gs_toolchain_request *request)
{
    const uint64_t top = 0x80000000, process = 0x10000;
    gs_words_add(&t->link, "-static");
    gs_words_add(&t->link, "-nostdlib");
    gs_words_add(&t->link, "-Wl,--defsym=__base=%#llx",
                 (unsigned long long)(request->for_linux ? process : request->base));
    gs_words_add(&t->link, "-Wl,--defsym=__size=%#llx",
                 (unsigned long long)(request->for_linux ? top - process : request->size));
    t->needs_layout = true;
    t->start = request->for_linux ? "rv32_linux" : "rv32_bare";
}

/* -march with those parts of an instruction set that a compiler has names for: `known` of those
 * with more than a letter. The program runs without the others. */
static void add_arch(gs_words *compile, const char *isa, const char *letters, const char *known)
{
    char arch[128];
    size_t at = (size_t)snprintf(arch, sizeof arch, "rv32");
    for (; *letters; letters++) {
        if (*letters != 'b')
            arch[at++] = *letters;
    }
    arch[at] = '\0';
    if (strchr(isa + 4, 'b') && strchr(isa + 4, 'b') < isa + strcspn(isa, "_"))
        at += (size_t)snprintf(arch + at, sizeof arch - at, "_zba_zbb_zbs");
    for (const char *word = isa + strcspn(isa, "_"); *word && at < sizeof arch;) {
        char key[32];
        const int length = 1 + (int)strcspn(word + 1, "_");
        snprintf(key, sizeof key, "%.*s_", length, word);
        if (strstr(known, key))
            at += (size_t)snprintf(arch + at, sizeof arch - at, "%.*s", length, word);
        word += length;
    }
    gs_words_add(compile, "-march=%s", arch);
}

enum { OLDEST = 14, NEWEST = 40 };

/* The newest clang. */
static int find_clang(char *name, size_t size)
{
    for (int version = NEWEST; version > OLDEST; version--) {
        snprintf(name, size, "clang-%d", version);
        if (has_program(name))
            return version;
    }
    snprintf(name, size, "clang");
    return OLDEST;
}

static void add_clang(gs_toolchain *t, const char *isa, const char *letters)
{
    enum { CONDITIONAL = 18 }; /* since then it has Zicond's final form */
    char name[16];
    const int version = find_clang(name, sizeof name);
    gs_words_add(&t->compile, "%s", name);
    gs_words_add(&t->compile, "--target=riscv32-unknown-elf");
    add_arch(&t->compile, isa, letters,
             version >= CONDITIONAL ? "_zba_zbb_zbc_zbs_zicond_" : "_zba_zbb_zbc_zbs_");
    gs_words_add(&t->compile, "-mno-relax");
    /* GNU ld 2.40 crashes on objects of clang 19, and lld 14 cannot relax. */
    snprintf(name, sizeof name, "ld.lld-%d", version);
    char *ld = gs_toolchain_program(version > OLDEST && has_program(name) ? name : riscv_ld);
    if (ld)
        gs_words_add(&t->link, "--ld-path=%s", ld);
    else
        gs_words_add(&t->link, "-fuse-ld=lld");
    gs_words_add(&t->link, "-Wl,-m,elf32lriscv");
    free(ld);
}

static gs_status find_riscv(gs_toolchain *t, const gs_toolchain_request *request, gs_error *err)
{
    char letters[32], multilib[64];
    const char *isa = strcmp(request->isa, "any") == 0 ? "rv32im" : request->isa;
    char clang_name[16];
    (void)find_clang(clang_name, sizeof clang_name);
    const bool has_clang =
        has_program(clang_name) && (has_program(riscv_ld) || has_program("ld.lld"));
    const bool clang = request->compiler != GS_COMPILER_GCC && has_clang;
    if (!clang && (request->compiler == GS_COMPILER_CLANG || !has_program(riscv_gcc)))
        return fail(err, GS_E_NOT_FOUND,
                    "there is no C compiler for RISC-V: neither clang with %s or ld.lld, nor %s is "
                    "on the PATH that --compiler allows; on Debian: apt install "
                    "gcc-riscv64-unknown-elf; lld has to be 15 or newer",
                    riscv_ld, riscv_gcc);
    letters_of(isa, letters, sizeof letters);
    find_multilib(letters, multilib, sizeof multilib);
    if (!multilib[0])
        return fail(err, GS_E_NOT_FOUND,
                    "there is no C library for %s with the calling convention %s in %s; on Debian: "
                    "apt install picolibc-riscv64-unknown-elf",
                    isa, abi_of(letters), picolibc);
    if (clang) {
        add_clang(t, isa, letters);
    } else {
        gs_words_add(&t->compile, riscv_gcc);
        add_arch(&t->compile, isa, letters, "_zicsr_zifencei_zba_zbb_zbc_zbs_zbkb_zbkc_");
    }
    gs_words_add(&t->compile, "-mabi=%s", abi_of(letters));
    gs_words_add(&t->compile, "-isystem");
    gs_words_add(&t->compile, "%s/include", picolibc);
    add_riscv_link(t, request);
    add_riscv_libraries(t, request, multilib);
    return GS_OK;
}

/* -- MIPS ----------------------------------------------------------------------------------------
 */

static const char glibc_isa[] = "mips32r2_fpu";

static gs_status find_mips(gs_toolchain *t, const gs_toolchain_request *request, gs_error *err)
{
    const char *name = request->big_endian ? "mips-linux-gnu" : "mipsel-linux-gnu";
    char gcc[64];
    snprintf(gcc, sizeof gcc, "%s-gcc", name);
    if (!request->no_library && strcmp(request->isa, glibc_isa) != 0)
        return fail(err, GS_E_UNSUPPORTED,
                    "there is no C library for %s: Debian's for MIPS takes mips32r2 with an FPU, "
                    "as --core mips-24kf has it. A program that brings its own is compiled with "
                    "-nostdlib behind --",
                    request->isa);
    if (!request->no_library && !request->for_linux)
        return fail(err, GS_E_UNSUPPORTED,
                    "there is no C library for bare MIPS hardware; --env linux makes a program for "
                    "Linux on a MIPS core");
    if (!has_program(gcc))
        return fail(err, GS_E_NOT_FOUND,
                    "there is no C compiler for MIPS: %s is not on the PATH; on Debian: apt "
                    "install gcc-%s libc6-dev-%s-cross",
                    gcc, name, request->big_endian ? "mips" : "mipsel");
    gs_words_add(&t->compile, "%s", gcc);
    gs_words_add(&t->compile, "-march=%.*s", (int)strcspn(request->isa, "_"), request->isa);
    if (!strstr(request->isa, "_fpu"))
        gs_words_add(&t->compile, "-msoft-float");
    gs_words_add(&t->link, "-static");
    if (!request->no_library)
        gs_words_add(&t->libraries, "-lm");
    return GS_OK;
}

gs_status gs_toolchain_find(gs_toolchain *out, const gs_toolchain_request *request, gs_error *err)
{
    *out = (gs_toolchain){0};
    const bool mips = strncmp(request->isa, "mips", 4) == 0;
    gs_status status = mips ? find_mips(out, request, err) : find_riscv(out, request, err);
    if (status != GS_OK)
        gs_toolchain_free(out);
    return status;
}
