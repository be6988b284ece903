/* gumshoe rtl: writes the Verilog of a unit for a program. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "gumshoe/rtl.h"
#include "tool/outfile.h"
#include "tool/tool.h"
#include "tool/unit_options.h"

static const char before_options[] =
    "Usage: gumshoe rtl\n"
    "       gumshoe rtl UNIT --help\n"
    "       gumshoe rtl UNIT --for PROGRAM [OPTIONS] -o DIRECTORY\n"
    "       gumshoe rtl UNIT[:OPTIONS] UNIT... --for PROGRAM [OPTIONS] -o DIRECTORY\n"
    "       gumshoe rtl UNIT --registers FORMAT\n"
    "\n"
    "Writes the Verilog of an on-chip profiler, configured for PROGRAM: its sources,\n"
    "a module with the parameters set, an example of how it is connected, what\n"
    "firmware needs to use it, and a page about its registers. The directory needs\n"
    "nothing else. Without a unit, those that exist in Verilog are listed; 'gumshoe\n"
    "rtl UNIT --help' tells about the options of one, which are those of its model\n"
    "in 'gumshoe unit', so that a size can be tried there before it is built.\n"
    "Several units share one directory and one bus; their options follow their\n"
    "names then, as in leap:functions=64,hier.\n"
    "\n"
    "Options of every unit:\n";

static const char after_options[] =
    "\n"
    "Exit status: 0; 2 if the command line is wrong, or asks for something the\n"
    "hardware cannot be; 3 if the program cannot be read or something cannot be\n"
    "written.\n"
    "\n"
    "Examples:\n"
    "  gumshoe rtl leap --for firmware.elf --functions 64 -o profiler\n"
    "  gumshoe rtl snoopp --for firmware.elf --range main --bus wishbone -o profiler\n"
    "  gumshoe rtl stats --for firmware.elf --bus udp -o profiler\n"
    "  gumshoe rtl leap:hier snoopp:range=main stats --for firmware.elf -o profiler\n"
    "  gumshoe rtl leap --registers c > leap_registers.h\n";

typedef struct rtl_arguments {
    size_t kind;
    char *options; /* of the unit, as a text; owned */
    gs_rtl_unit units[GS_OPTIONS_MAX];
    size_t unit_count; /* if they were named in a row; else there is the one above */
    const char *program, *directory, *core, *registers;
    gs_rtl_options how;
} rtl_arguments;

static void list_units(void)
{
    for (size_t i = 0; i < gs_unit_kind_count(); i++) {
        if (gs_rtl_exists(i))
            printf("%-10s %s\n", gs_unit_kind_name(i), gs_unit_kind_summary(i));
    }
}

static void kind_options(gs_option rows[GS_OPTIONS_MAX], size_t kind)
{
    gs_unit_options_make(rows, kind, gs_rtl_takes, offsetof(rtl_arguments, options));
}

static void help_kind(const void *self)
{
    size_t kind = ((const rtl_arguments *)self)->kind;
    gs_option rows[GS_OPTIONS_MAX] = {0};
    kind_options(rows, kind);
    printf("Usage: gumshoe rtl %s --for PROGRAM [OPTIONS] -o DIRECTORY\n\n%s.\n\nOptions:\n",
           gs_unit_kind_name(kind), gs_unit_kind_summary(kind));
    gs_options_print(stdout, rows);
    printf("\n'gumshoe rtl --help' has the options of every unit.\n");
}

static const gs_word bus_words[] = {{"plain", "the unit's own interface (the default)"},
                                    {"wishbone", "Wishbone"},
                                    {"axi4lite", "AXI4-Lite"},
                                    {"udp", "over a network, by datagrams; of stats only"},
                                    {0}};
static const gs_word register_words[] = {
    {.name = "verilog"}, {.name = "c"}, {.name = "markdown"}, {0}};

static const gs_option table[] = {
    {"for", .argument = "PROGRAM", .value = GS_VALUE_FILE, GS_TO_TEXT(rtl_arguments, program),
     .text = "the program that is to be profiled. It is read, not run."},
    {"output", 'o', "DIRECTORY", .value = GS_VALUE_DIRECTORY, GS_TO_TEXT(rtl_arguments, directory),
     .text = "where to write; it is made if there is none, and files of the same names are "
             "replaced."},
    {"bus", .argument = "NAME", GS_TO_TEXT(rtl_arguments, how.bus), .words = bus_words,
     .text = "how the registers are reached:"},
    {"boot", GS_TO_SWITCH(rtl_arguments, how.boot),
     .text = "set the unit up from a ROM after reset and start it, so that no software is needed.",
     .more = "The core is to be held in reset until the output boot_done_o is 1."},
    {"core", .argument = "NAME|FILE", .value = GS_VALUE_CORE, GS_TO_TEXT(rtl_arguments, core),
     .text = "the processor core, where it matters: in energy profiles.",
     .more = "LEAP's energy profiles have a counter for each group of the core's energy table."},
    {"module", .argument = "NAME", GS_TO_TEXT(rtl_arguments, how.module),
     .text = "what the module with the parameters is called; the unit's own name with _configured "
             "behind it unless told otherwise."},
    {"registers", .argument = "FORMAT", GS_TO_TEXT(rtl_arguments, registers),
     .words = register_words, .text = "print the registers alone, as verilog, c or markdown."},
    {0},
};

/* Whether units are named in a row, or with their options: leap:hier snoopp stats. */
static bool is_row(int argc, char **argv)
{
    return strchr(argv[0], ':') || (argc > 1 && argv[1][0] != '-');
}

static int parse_unit(rtl_arguments *arguments, char *text)
{
    char *colon = strchr(text, ':');
    gs_rtl_unit *unit = &arguments->units[arguments->unit_count++];
    unit->options = colon ? colon + 1 : NULL;
    if (colon)
        *colon = '\0';
    const int status = gs_unit_find_kind(&unit->kind, text, gs_rtl_exists, &gs_cmd_rtl);
    if (colon)
        *colon = ':';
    return status;
}

/* The units, then what options are about all of them. */
static int parse_row(int argc, char **argv, rtl_arguments *arguments, gs_rest *rest)
{
    const gs_option all[] = {{.rows = table}, {.rows = gs_help_options}, {0}};
    const gs_syntax syntax = {.command = &gs_cmd_rtl, .table = all};
    int named = 0;
    while (named < argc && argv[named][0] != '-' && named < GS_OPTIONS_MAX) {
        const int status = parse_unit(arguments, argv[named++]);
        if (status >= 0)
            return status;
    }
    return gs_options_parse(&syntax, argc - named + 1, argv + named - 1, arguments, rest);
}

static int parse_one(int argc, char **argv, rtl_arguments *arguments, gs_rest *rest)
{
    const int status = gs_unit_find_kind(&arguments->kind, argv[0], gs_rtl_exists, &gs_cmd_rtl);
    return status >= 0 ? status
                       : gs_unit_parse(&gs_cmd_rtl, arguments->kind, help_kind, argc, argv,
                                       arguments, rest);
}

/* -1 to go on, or the exit status. */
static int parse(int argc, char **argv, rtl_arguments *arguments)
{
    gs_rest rest;
    const bool row = is_row(argc, argv);
    int status =
        row ? parse_row(argc, argv, arguments, &rest) : parse_one(argc, argv, arguments, &rest);
    if (status >= 0)
        return status;
    if (rest.count > 0)
        return gs_usage_error(&gs_cmd_rtl, "what is '%s'? The program goes behind --for",
                              rest.at[0]);
    if (arguments->registers && row)
        return gs_usage_error(&gs_cmd_rtl, "--registers is about one unit");
    if (arguments->registers)
        return -1;
    if (!arguments->program)
        return gs_usage_error(&gs_cmd_rtl, "--for PROGRAM says what is to be profiled");
    if (!arguments->directory)
        return gs_usage_error(&gs_cmd_rtl, "-o DIRECTORY says where to write");
    return -1;
}

/* The command line, for the files; NULL when memory is out. */
static char *command_line(int argc, char **argv)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return NULL;
    fprintf(to, "gumshoe");
    for (int i = 0; i < argc; i++) {
        /* What is written must not depend on where it is written to, or from. */
        if (strcmp(argv[i], "-o") == 0 || strcmp(argv[i], "--output") == 0) {
            i++;
            continue;
        }
        bool file = i > 0 && (!strcmp(argv[i - 1], "--for") || !strcmp(argv[i - 1], "--core"));
        const char *slash = file ? strrchr(argv[i], '/') : NULL;
        fprintf(to, " %s", slash ? slash + 1 : argv[i]);
    }
    if (fclose(to) == 0)
        return text;
    free(text);
    return NULL;
}

static gs_status fail(gs_error *err, const char *path, const char *what)
{
    err->status = GS_E_IO;
    snprintf(err->message, sizeof err->message, "%s: cannot %s: %s", path, what, strerror(errno));
    return GS_E_IO;
}

static gs_status make_directory(const char *path, gs_error *err)
{
    struct stat st;
    if (mkdir(path, 0777) == 0)
        return GS_OK;
    if (errno != EEXIST)
        return fail(err, path, "make this directory");
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        return GS_OK;
    errno = ENOTDIR;
    return fail(err, path, "write files there");
}

static gs_status write_file(const char *directory, gs_rtl_file file, gs_error *err)
{
    gs_outfile out;
    char *path = NULL;
    if (asprintf(&path, "%s/%s", directory, file.name) < 0)
        return fail(err, file.name, "write");
    gs_status status = gs_outfile_open(&out, path, err);
    if (status == GS_OK) {
        fwrite(file.text, 1, file.size, out.stream);
        status = gs_outfile_commit(&out, err);
    }
    free(path);
    return status;
}

static gs_status write_files(const char *directory, const gs_rtl *rtl, gs_error *err)
{
    gs_status status = make_directory(directory, err);
    for (size_t i = 0; i < gs_rtl_file_count(rtl) && status == GS_OK; i++)
        status = write_file(directory, gs_rtl_file_at(rtl, i), err);
    return status;
}

static gs_status configure(const rtl_arguments *arguments, gs_error *err)
{
    gs_image *image = NULL;
    gs_core *core = NULL;
    gs_rtl *rtl = NULL;
    gs_rtl_options how = arguments->how;
    gs_status status = gs_image_open(&image, arguments->program, err);
    if (status == GS_OK && arguments->core)
        status = gs_core_open(&core, arguments->core, NULL, 0, err);
    how.core = core;
    const gs_rtl_unit one = {arguments->kind, arguments->options};
    const bool row = arguments->unit_count > 0;
    if (status == GS_OK)
        status = gs_rtl_make(&rtl, row ? arguments->units : &one, row ? arguments->unit_count : 1,
                             image, &how, err);
    if (status == GS_OK)
        status = write_files(arguments->directory, rtl, err);
    if (status == GS_OK)
        printf("%zu files in %s, to start with README.md\n", gs_rtl_file_count(rtl),
               arguments->directory);
    gs_rtl_free(rtl);
    gs_core_free(core);
    gs_image_free(image);
    return status;
}

static int rtl(int argc, char **argv)
{
    rtl_arguments arguments = {0};
    gs_error err = {0};
    if (argc < 2) {
        list_units();
        return GS_TOOL_OK;
    }
    char *command = command_line(argc, argv);
    arguments.how.command = command;
    int status = parse(argc - 1, argv + 1, &arguments);
    if (status < 0) {
        gs_status done = arguments.registers ? gs_rtl_write_registers(stdout, arguments.kind,
                                                                      arguments.registers, &err)
                                             : configure(&arguments, &err);
        status = done == GS_OK           ? GS_TOOL_OK
                 : done == GS_E_ARGUMENT ? gs_usage_error(&gs_cmd_rtl, "%s", err.message)
                                         : gs_tool_fail(&err);
    }
    free(arguments.options);
    free(command);
    return status;
}

const gs_command gs_cmd_rtl = {
    .name = "rtl",
    .summary = "write the Verilog of an on-chip profiler for a program",
    .before = before_options,
    .options = table,
    .after = after_options,
    .run = rtl,
    .program = true,
    .has_kind = gs_rtl_exists,
    .kind_options = kind_options,
    .where = " in Verilog",
    .usage_status = GS_TOOL_USAGE,
};
