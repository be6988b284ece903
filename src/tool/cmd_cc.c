/* gumshoe cc: compiles a program for a core. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "gumshoe/machine.h"
#include "tool/compile.h"
#include "tool/outfile.h"
#include "tool/tool.h"

static const char before_options[] =
    "Usage: gumshoe cc FILE.c... [--core NAME|FILE] [-o PROGRAM] [-- FLAGS...]\n"
    "       gumshoe cc [--core NAME|FILE] -- COMPILER ARGUMENTS...\n"
    "\n"
    "Compiles C for a core: with its instruction set and calling convention, a C\n"
    "library, the memory map of the board, and debug information. The compiler is\n"
    "clang or the cross gcc, as they are installed; what it has to say, it says.\n"
    "The second form is a compiler for makefiles.\n"
    "\n"
    "Options:\n";

static const char after_options[] =
    "\n"
    "Without a flag -O, -O2 is used. A program is made again only if one of the files\n"
    "it is made of has changed; it is kept in $XDG_CACHE_HOME/gumshoe/cc or\n"
    "~/.cache/gumshoe/cc.\n"
    "\n"
    "Exit status: 0; the compiler's own if it found a mistake; 2 if the command line\n"
    "is wrong; 3 if there is no compiler, or a core or a file cannot be read.\n"
    "\n"
    "Examples:\n"
    "  gumshoe cc codec.c --core ibex-small -o codec.elf\n"
    "  gumshoe cc main.c filter.c -- -O3 -DTAPS=32\n"
    "  make CC='gumshoe cc --core flatfoot --'\n";

static const gs_word env_words[] = {
    [GS_ENV_AUTO] = {"auto", "Linux for MIPS, bare hardware for RISC-V (the default)"},
    [GS_ENV_BARE] = {"bare", "bare hardware with semihosting; for RISC-V"},
    [GS_ENV_LINUX] = {"linux", "a static Linux process"},
    {0},
};

static const gs_word compiler_words[] = {
    [GS_COMPILER_AUTO] = {"auto", "clang, and gcc where there is none (the default)"},
    [GS_COMPILER_CLANG] =
        {"clang", "clang, which links with riscv64-unknown-elf-ld, or with lld from version 15 on"},
    [GS_COMPILER_GCC] = {"gcc", "riscv64-unknown-elf-gcc"},
    {0},
};

typedef struct cc_arguments {
    gs_list set;
    gs_compile_request request;
    const char *output;
} cc_arguments;

static const gs_option table[] = {
    {"core", .argument = "NAME|FILE", .value = GS_VALUE_CORE,
     GS_TO_TEXT(cc_arguments, request.core),
     .text = "compile for this processor core; flatfoot unless told otherwise."},
    {"set", .argument = "KEY=VALUE", GS_TO_LIST(cc_arguments, set),
     .text = "change one key of the core's description, such as isa=rv32imc. May be given several "
             "times."},
    {"output", 'o', "FILE", .value = GS_VALUE_FILE, GS_TO_TEXT(cc_arguments, output),
     .text = "the program; the first source's name with .elf unless told otherwise."},
    {"env", GS_TO_WORD(cc_arguments, request.env, env_words),
     .text = "what the program is to run on:"},
    {"board", .argument = "NAME|FILE", .value = GS_VALUE_BOARD,
     GS_TO_TEXT(cc_arguments, request.board),
     .text = "the bare hardware: the program goes into its first memory."},
    {"ram", .argument = "SIZE", GS_TO_SIZE(cc_arguments, request.ram),
     .text = "memory of the board, such as 64K: the stack begins at its end."},
    {"big-endian", GS_TO_SWITCH(cc_arguments, request.big_endian),
     .text = "for MIPS: most significant byte first."},
    {"compiler", GS_TO_WORD(cc_arguments, request.compiler, compiler_words),
     .text = "which compiler for RISC-V:"},
    {0},
};

/* FILE.c becomes FILE.elf, here. */
static char *default_output(const char *source)
{
    const char *slash = strrchr(source, '/');
    const char *name = slash ? slash + 1 : source;
    char *path;
    return asprintf(&path, "%.*s.elf", (int)(strlen(name) - 2), name) < 0 ? NULL : path;
}

static gs_status copy_stream(FILE *to, const char *from, gs_error *err)
{
    char buffer[1 << 14];
    FILE *file = fopen(from, "rbe");
    size_t size;
    bool ok = file != NULL;
    while (ok && (size = fread(buffer, 1, sizeof buffer, file)) > 0)
        ok = fwrite(buffer, 1, size, to) == size;
    ok = ok && !ferror(file);
    if (file)
        fclose(file);
    if (!ok)
        *err = (gs_error){.status = GS_E_IO, .message = "the program cannot be copied"};
    return ok ? GS_OK : GS_E_IO;
}

static gs_status copy_program(const char *from, const char *to, gs_error *err)
{
    gs_outfile file = {0};
    gs_status status = gs_outfile_open(&file, to, err);
    if (status == GS_OK)
        status = copy_stream(file.stream, from, err);
    if (status == GS_OK)
        status = gs_outfile_commit(&file, err);
    else
        gs_outfile_abandon(&file);
    if (status == GS_OK)
        (void)chmod(to, 0755);
    return status;
}

static gs_status compile(cc_arguments *arguments, int *exit_status, gs_error *err)
{
    char *program, *output = NULL;
    gs_status status = gs_compile(&program, &arguments->request, exit_status, err);
    if (status != GS_OK)
        return status;
    if (!arguments->output)
        arguments->output = output = default_output(arguments->request.sources[0]);
    status = copy_program(program, arguments->output, err);
    free(output);
    free(program);
    return status;
}

/* Cuts off what stands behind "--". */
static int split(int argc, char **argv, gs_compile_request *request)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--") != 0)
            continue;
        request->flags = argv + i + 1;
        request->flag_count = (size_t)(argc - i - 1);
        return i;
    }
    return argc;
}

static int check(const cc_arguments *arguments)
{
    const gs_compile_request *request = &arguments->request;
    if (request->source_count == 0 && request->flag_count == 0)
        return gs_usage_error(&gs_cmd_cc, "which file?");
    if (request->source_count == 0 && arguments->output)
        return gs_usage_error(&gs_cmd_cc, "without a FILE.c, -o belongs behind --");
    for (size_t i = 0; i < request->source_count; i++) {
        if (!gs_compile_is_source(request->sources[i]))
            return gs_usage_error(&gs_cmd_cc, "%s is not a FILE.c; give other files behind --",
                                  request->sources[i]);
    }
    return -1;
}

static int cc(int argc, char **argv)
{
    cc_arguments arguments = {0};
    gs_error err = {0};
    gs_rest rest;
    int exit_status = 0;
    argc = split(argc, argv, &arguments.request);
    int usage = gs_command_parse(&gs_cmd_cc, argc, argv, &arguments, &rest);
    if (usage >= 0)
        return usage;
    arguments.request.set = &arguments.set;
    arguments.request.sources = rest.at;
    arguments.request.source_count = (size_t)rest.count;
    usage = check(&arguments);
    if (usage >= 0)
        return usage;
    gs_status status = rest.count > 0 ? compile(&arguments, &exit_status, &err)
                                      : gs_compile_as_cc(&arguments.request, &exit_status, &err);
    if (exit_status != 0)
        return exit_status;
    return status == GS_OK ? GS_TOOL_OK : gs_tool_fail(&err);
}

const gs_command gs_cmd_cc = {
    .name = "cc",
    .summary = "compile C for a core",
    .before = before_options,
    .options = table,
    .after = after_options,
    .run = cc,
    .argument = GS_VALUE_FILE,
    .usage_status = GS_TOOL_USAGE,
};
