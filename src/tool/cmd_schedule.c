/* gumshoe schedule: what a compiler for a VLIW core would make of a program. */
#include "gumshoe/core.h"
#include "gumshoe/image.h"
#include "gumshoe/report.h"
#include "tool/terminal.h"

static const char before_options[] =
    "Usage: gumshoe schedule [OPTIONS] PROGRAM [FUNCTION]\n"
    "\n"
    "Shows the bundles into which a compiler for a statically scheduled core would\n"
    "put PROGRAM, an RV32 executable: an estimate, by which 'gumshoe run' times it\n"
    "on that core. Without FUNCTION all functions are listed, with their operations,\n"
    "bundles and bytes of code. With it every region of the function is drawn, a\n"
    "bundle per line and a column per slot, with what keeps it from being shorter.\n"
    "\n"
    "Options:\n";

static const char after_options[] =
    "\n"
    "Exit status: 0; 2 if the command line is wrong; 3 if the program or the core\n"
    "cannot be read, the core is not a VLIW, or there is no such function.\n";

typedef struct schedule_arguments {
    const char *core;
    gs_list set;
    bool json;
    gs_terminal terminal;
} schedule_arguments;

static const gs_option table[] = {
    {"core", .argument = "NAME|FILE", .value = GS_VALUE_CORE, GS_TO_TEXT(schedule_arguments, core),
     .text = "schedule for this core, vliw4 unless told otherwise; 'gumshoe cores' lists the "
             "built-in ones."},
    {"set", .argument = "KEY=VALUE", GS_TO_LIST(schedule_arguments, set),
     .text = "change one key of the core's description, such as issue_width=2. May be given "
             "several times."},
    {"json", GS_TO_SWITCH(schedule_arguments, json),
     .text = "write it as JSON, with every instruction's cycle and slot: of FUNCTION, or of all."},
    GS_GROUP(schedule_arguments, terminal, gs_terminal_options),
    {0},
};

static int schedule(int argc, char **argv)
{
    schedule_arguments arguments = {.core = "vliw4"};
    gs_core *core = NULL;
    gs_image *image = NULL;
    gs_rest rest;
    gs_error err;
    int usage = gs_command_parse(&gs_cmd_schedule, argc, argv, &arguments, &rest);
    if (usage >= 0)
        return usage;
    if (rest.count < 1 || rest.count > 2)
        return gs_usage_error(&gs_cmd_schedule, "it wants a program, and at most one function");
    gs_status status =
        gs_core_open(&core, arguments.core, arguments.set.at, arguments.set.count, &err);
    if (status == GS_OK)
        status = gs_image_open(&image, rest.at[0], &err);
    if (status == GS_OK) {
        gs_terminal_start(&arguments.terminal);
        status = gs_report_schedule(stdout, image, core, rest.count > 1 ? rest.at[1] : NULL,
                                    arguments.json, &err);
    }
    gs_image_free(image);
    gs_core_free(core);
    return status == GS_OK ? GS_TOOL_OK : gs_tool_fail(&err);
}

const gs_command gs_cmd_schedule = {
    .name = "schedule",
    .summary = "show a program in the bundles of a VLIW core",
    .before = before_options,
    .options = table,
    .after = after_options,
    .run = schedule,
    .argument = GS_VALUE_FILE,
    .usage_status = GS_TOOL_USAGE,
};
