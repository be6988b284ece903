#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "gumshoe/rtl.h"
#include "tool/outfile.h"
#include "tool/tool.h"
#include "tool/unit_options.h"

static const char help[] =
    "Usage: gumshoe rtl\n"
    "       gumshoe rtl UNIT --help\n"
    "       gumshoe rtl UNIT --for PROGRAM [OPTIONS] -o DIRECTORY\n"
    "       gumshoe rtl UNIT --registers FORMAT\n"
    "\n"
    "Writes the Verilog of an on-chip profiler, configured for PROGRAM: its sources, a\n"
    "module with the parameters set, an example of how it is connected, what firmware\n"
    "needs to use it, and a page about its registers. The directory needs nothing else.\n"
    "Without a unit, those that exist in Verilog are listed; 'gumshoe rtl UNIT --help'\n"
    "tells about the options of one, which are those of its model in 'gumshoe unit', so\n"
    "that a size can be tried there before it is built.\n"
    "\n"
    "Options of every unit:\n"
    "  --for PROGRAM           the program that is to be profiled.\n"
    "  -o, --output DIRECTORY  where to write; it is made if there is none, and files of\n"
    "                          the same names are replaced.\n"
    "  --bus NAME              how the registers are reached: plain (the unit's own\n"
    "                          interface, the default), wishbone or axi4lite.\n"
    "  --core NAME|FILE        the processor core, where it matters: in energy profiles.\n"
    "  --module NAME           of the module with the parameters; the unit's own name with\n"
    "                          _configured behind it unless told otherwise.\n"
    "  --registers FORMAT      print the registers alone, as verilog, c or markdown.\n"
    "  -h, --help              this text, or that of a unit.\n"
    "\n"
    "Exit status: 0; 2 if the command line is wrong, or asks for something the hardware\n"
    "cannot be; 3 if the program cannot be read or something cannot be written.\n"
    "\n"
    "Examples:\n"
    "  gumshoe rtl leap --for firmware.elf --functions 64 -o profiler\n"
    "  gumshoe rtl snoopp --for firmware.elf --range main --bus wishbone -o profiler\n"
    "  gumshoe rtl leap --registers c > leap_registers.h\n";

enum { OPT_FOR = 256, OPT_BUS, OPT_CORE, OPT_MODULE, OPT_REGISTERS };

static const struct option common[] = {
    {"for", required_argument, NULL, OPT_FOR},
    {"output", required_argument, NULL, 'o'},
    {"bus", required_argument, NULL, OPT_BUS},
    {"core", required_argument, NULL, OPT_CORE},
    {"module", required_argument, NULL, OPT_MODULE},
    {"registers", required_argument, NULL, OPT_REGISTERS},
    {"help", no_argument, NULL, 'h'},
};
enum { COMMON_COUNT = sizeof common / sizeof *common, MAX_OPTIONS = 64 };

typedef struct rtl_arguments {
    size_t kind;
    char *options; /* of the unit, as a text; owned */
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

static void help_unit(size_t kind)
{
    printf("Usage: gumshoe rtl %s --for PROGRAM [OPTIONS] -o DIRECTORY\n\n%s.\n\nOptions:\n",
           gs_unit_kind_name(kind), gs_unit_kind_summary(kind));
    for (size_t i = 0; i < gs_unit_option_count(kind); i++) {
        gs_unit_option_info option = gs_unit_option_at(kind, i);
        if (gs_rtl_takes(kind, i))
            gs_unit_print_option(option.name, option.argument, option.help);
    }
    printf("\n'gumshoe rtl --help' has the options of every unit.\n");
}

/* -1 to go on, or the exit status. */
static int take_option(rtl_arguments *arguments, int option, char **argv)
{
    switch (option) {
    case OPT_FOR: arguments->program = optarg; return -1;
    case 'o': arguments->directory = optarg; return -1;
    case OPT_CORE: arguments->core = optarg; return -1;
    case OPT_BUS: arguments->how.bus = optarg; return -1;
    case OPT_MODULE: arguments->how.module = optarg; return -1;
    case OPT_REGISTERS: arguments->registers = optarg; return -1;
    case 'h': help_unit(arguments->kind); return GS_TOOL_OK;
    case ':': return gs_usage_error(&gs_cmd_rtl, "%s wants a value", argv[optind - 1]);
    case '?':
        return gs_usage_error(&gs_cmd_rtl, "%s has no option %s in Verilog",
                              gs_unit_kind_name(arguments->kind), argv[optind - 1]);
    default: break;
    }
    gs_unit_option_info info = gs_unit_option_at(arguments->kind, (size_t)(option - GS_OPT_UNIT));
    if (gs_unit_append_option(&arguments->options, info.name, info.argument ? optarg : NULL))
        return -1;
    gs_complain("no memory left");
    return GS_TOOL_INPUT;
}

/* -1 to go on, or the exit status. */
static int parse(int argc, char **argv, rtl_arguments *arguments)
{
    struct option options[MAX_OPTIONS] = {0};
    int option, status = gs_unit_find_kind(&arguments->kind, argv[0], gs_rtl_exists, &gs_cmd_rtl);
    if (status >= 0)
        return status;
    memcpy(options, common, sizeof common);
    gs_unit_add_options(options, COMMON_COUNT, MAX_OPTIONS - 1, arguments->kind, gs_rtl_takes);
    opterr = 0;
    optind = 1;
    while (status < 0 && (option = getopt_long(argc, argv, "+:o:h", options, NULL)) != -1)
        status = take_option(arguments, option, argv);
    if (status >= 0)
        return status;
    if (optind < argc)
        return gs_usage_error(&gs_cmd_rtl, "what is '%s'? The program goes behind --for",
                              argv[optind]);
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
    if (status == GS_OK)
        status = gs_rtl_make(&rtl, arguments->kind, arguments->options, image, &how, err);
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
    .help = help,
    .run = rtl,
    .usage_status = GS_TOOL_USAGE,
};
