/* gumshoe cores: lists the cores, and shows one. */
#include <string.h>

#include "gumshoe/core.h"
#include "tool/terminal.h"

static const char before_options[] =
    "Usage: gumshoe cores\n"
    "       gumshoe cores show NAME|FILE [--set KEY=VALUE]... [--json|--yaml]\n"
    "\n"
    "Lists the built-in processor cores, or shows one: its pipeline, what each class\n"
    "of instructions costs and why, branches, caches, memory, and what the numbers\n"
    "rest on. Choose one with 'gumshoe run --core', or write your own YAML file that\n"
    "extends a built-in one and says only what differs.\n"
    "\n"
    "Options:\n";

static const char after_options[] =
    "\n"
    "Exit status: 0; 2 if the command line is wrong; 3 if a core cannot be read.\n";

typedef struct show_arguments {
    const char *name;
    gs_list set;
    bool json, yaml;
    gs_terminal terminal;
} show_arguments;

enum { ISA_WIDTH = 23 };

/* An instruction set, of which as many whole words are left as fit its column. */
static void fit_isa(char to[ISA_WIDTH + 1], const char *isa)
{
    static const char rest[] = "...";
    size_t length = strlen(isa);
    if (length > ISA_WIDTH) {
        length = ISA_WIDTH - strlen(rest);
        while (length > 0 && isa[length - 1] != '_')
            length--;
    }
    snprintf(to, ISA_WIDTH + 1, "%.*s%s", (int)length, isa, isa[length] ? rest : "");
}

/* What is known of the model's cycles. */
static const char *checked_text(const gs_core *core)
{
    if (gs_core_estimates(core))
        return "estimate";
    return gs_core_verified(core) ? "against RTL" : "no";
}

static int list(void)
{
    printf("%-17s %-*s %9s  %s\n", "NAME", ISA_WIDTH, "ISA", "CLOCK", "VERIFIED");
    for (size_t i = 0; i < gs_core_count(); i++) {
        gs_core *core;
        gs_error err;
        char clock[32], isa[ISA_WIDTH + 1];
        if (gs_core_open(&core, gs_core_builtin(i), NULL, 0, &err) != GS_OK)
            return gs_tool_fail(&err);
        snprintf(clock, sizeof clock, "%g MHz", (double)gs_core_clock_hz(core) * 1e-6);
        fit_isa(isa, gs_core_isa(core));
        printf("%-17s %-*s %9s  %s\n    %s\n", gs_core_name(core), ISA_WIDTH, isa, clock,
               checked_text(core), gs_core_summary(core));
        gs_core_free(core);
    }
    return GS_TOOL_OK;
}

static int show(show_arguments *arguments)
{
    gs_core *core;
    gs_error err;
    gs_status status =
        gs_core_open(&core, arguments->name, arguments->set.at, arguments->set.count, &err);
    if (status != GS_OK)
        return gs_tool_fail(&err);
    gs_terminal_start(&arguments->terminal);
    if (arguments->yaml)
        fputs(gs_core_yaml(core), stdout);
    else if (arguments->json)
        status = gs_report_core_json(stdout, core, &err);
    else
        status = gs_report_core(stdout, core, arguments->terminal.colour, &err);
    gs_core_free(core);
    return status == GS_OK ? GS_TOOL_OK : gs_tool_fail(&err);
}

static const gs_word actions[] = {{"show", "one core"}, {0}};

static const gs_option table[] = {
    {"set", .argument = "KEY=VALUE", GS_TO_LIST(show_arguments, set), .only = "show",
     .text = "change one key of the description, such as dcache.size=16K; may be given several "
             "times. null takes a key away.",
     .more = "The value is YAML; of two for the same key the later one counts. A core changed in a "
             "key that was not varied when it was verified no longer counts as verified."},
    {"json", GS_TO_SWITCH(show_arguments, json), .only = "show",
     .text = "for programs: every number the pipeline uses, defaults included."},
    {"yaml", GS_TO_SWITCH(show_arguments, yaml), .only = "show",
     .text = "the description with all that it extends, as one file.",
     .more = "It has all settings, and describes the same core."},
    GS_GROUP(show_arguments, terminal, gs_terminal_options),
    {0},
};

static int cores(int argc, char **argv)
{
    show_arguments arguments = {0};
    gs_rest rest;
    int usage = gs_command_parse(&gs_cmd_cores, argc, argv, &arguments, &rest);
    if (usage >= 0)
        return usage;
    if (!actions[rest.action].name)
        return list();
    if (rest.count != 1)
        return gs_usage_error(&gs_cmd_cores, "show takes one core");
    if (arguments.json && arguments.yaml)
        return gs_usage_error(&gs_cmd_cores, "--json and --yaml are two different things");
    arguments.name = rest.at[0];
    return show(&arguments);
}

const gs_command gs_cmd_cores = {
    .name = "cores",
    .summary = "list and show the processor cores programs can be timed on",
    .before = before_options,
    .options = table,
    .after = after_options,
    .run = cores,
    .actions = actions,
    .argument = GS_VALUE_CORE,
    .usage_status = GS_TOOL_USAGE,
};
