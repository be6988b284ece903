/* gumshoe replay: makes a profile of instructions that were retired elsewhere. */
#include <stdlib.h>
#include <string.h>

#include "tool/observe.h"

static const char before_options[] =
    "Usage: gumshoe replay [OPTIONS] --elf PROGRAM TRACE\n"
    "\n"
    "Makes the profile of a run out of its trace: of what 'gumshoe run --record'\n"
    "wrote, of the RTL simulation of any core that has the signals of RVFI, of other\n"
    "simulators and of the QEMU plugin. Everything that 'gumshoe run' keeps and shows\n"
    "follows from it: call tree, loops, lines, units, timeline. TRACE may be - for\n"
    "standard input. Its format is found out by its beginning.\n"
    "\n"
    "Options:\n";

static const char after_options[] =
    "\n"
    "Cycles that the trace has are the truth; --core then says which core they are\n"
    "of. Of a trace without cycles, --core times the instructions on that core's\n"
    "model, for RV32 and MIPS; without --core, an instruction is a tick.\n"
    "\n"
    "Exit status: 0; 2 if the command line is wrong; 3 if the trace or the program\n"
    "cannot be read, or do not belong together. Of a trace that is damaged or cut,\n"
    "what comes before that is profiled.\n"
    "\n"
    "Examples:\n"
    "  gumshoe run --core flatfoot --record app.trace app.elf\n"
    "  gumshoe replay --elf app.elf app.trace\n"
    "  gumshoe replay --elf app.elf -o gumshoe.db --prefix rvfi_ sim.vcd\n"
    "  spike -l app.elf 2>&1 | gumshoe replay --elf app.elf -\n";

typedef struct replay_arguments {
    gs_run_arguments run; /* first: its rows are this command's as well */
    gs_replay_options replay;
    const char *elf;
} replay_arguments;

static int set_format(void *member, const gs_command *command, const gs_option *option,
                      const char *value)
{
    for (size_t i = 0; i < gs_replay_format_count(); i++) {
        if (strcmp(gs_replay_format_name(i), value) == 0) {
            *(const char **)member = value;
            return -1;
        }
    }
    return gs_usage_error(command,
                          "--%s wants gumshoe, vcd, rvfi, spike, ibex, cva6, tarmac or qemu, not "
                          "'%s'",
                          option->name, value);
}

static const gs_option table[] = {
    {"elf", .argument = "PROGRAM", .value = GS_VALUE_FILE, GS_TO_TEXT(replay_arguments, elf),
     .text = "the program that was run, as an ELF file."},
    {"format", .argument = "FORMAT", GS_TO_CALL(replay_arguments, replay.format, set_format),
     .text = "the format of the trace, if its beginning does not tell: gumshoe; vcd, a waveform "
             "with RVFI's signals (of a file NAME.fst as well); rvfi, the same as text; spike, its "
             "log of "
             "commits or of -l; ibex and cva6, of these cores' tracers; tarmac; qemu, of -d "
             "exec,nochain.",
     .more = "An FST file is read with the program fst2vcd, of the package gtkwave. "
             "docs/trace.md says of each format what is read."},
    {"prefix", .argument = "TEXT", GS_TO_TEXT(replay_arguments, replay.prefix),
     .text = "what stands before the names of RVFI's signals; found out unless told."},
    {"core", .argument = "NAME|FILE", .value = GS_VALUE_CORE,
     GS_TO_TEXT(replay_arguments, run.target.core),
     .text = "the core that the trace's cycles are of or, without cycles, the core to time it on."},
    {"set", .argument = "KEY=VALUE", GS_TO_LIST(replay_arguments, run.target.set),
     .text = "change one key of the core's description. May be given several times."},
    {"board", .argument = "NAME|FILE", .value = GS_VALUE_BOARD,
     GS_TO_TEXT(replay_arguments, replay.board),
     .text = "where memory and devices are, for a core that times a trace of bare hardware."},
    {"changing-code", GS_TO_SWITCH(replay_arguments, replay.changing_code),
     .text = "the program changes its own code: other code than the ELF file has is no sign of "
             "another program."},
    GS_ROWS(gs_result_options),
    GS_GROUP(replay_arguments, run.target, gs_limit_options),
    GS_GROUP(replay_arguments, run.target, gs_region_options),
    GS_ROWS(gs_result_more_options),
    {0},
};

static gs_status open_target(gs_target *target, replay_arguments *arguments, const char *trace,
                             gs_error *err)
{
    const gs_target_arguments *wanted = &arguments->run.target;
    gs_status status = GS_OK;
    if (wanted->core)
        status = gs_core_open(&target->core, wanted->core, wanted->set.at, wanted->set.count, err);
    if (status == GS_OK)
        status = gs_image_open(&target->image, arguments->elf, err);
    arguments->replay.core = target->core;
    if (status == GS_OK)
        status =
            gs_replay_open(&arguments->run.replay, trace, target->image, &arguments->replay, err);
    if (status == GS_OK && (wanted->from || wanted->to))
        status = gs_region_open(&target->region, target->image, wanted->from, wanted->to, err);
    if (status != GS_OK)
        return status;
    target->machine = gs_replay_machine(arguments->run.replay);
    target->timing = gs_replay_timing(arguments->run.replay);
    return GS_OK;
}

static int parse(int argc, char **argv, replay_arguments *arguments, gs_rest *rest)
{
    gs_target_arguments *target = &arguments->run.target;
    int usage = gs_command_parse(&gs_cmd_replay, argc, argv, arguments, rest);
    if (usage < 0)
        usage = gs_observe_check(&arguments->run, &gs_cmd_replay);
    if (usage < 0)
        usage = gs_target_region(target, &gs_cmd_replay);
    if (usage >= 0)
        return usage;
    if (rest->count != 1)
        return gs_usage_error(&gs_cmd_replay, "it wants one trace");
    if (!arguments->elf)
        return gs_usage_error(&gs_cmd_replay, "--elf has to say which program was run");
    if (target->set.count > 0 && (!target->core || gs_target_untimed(target)))
        return gs_usage_error(&gs_cmd_replay, "--set changes a core, and needs --core");
    if (gs_target_untimed(target))
        target->core = NULL;
    return -1;
}

static int replay(int argc, char **argv)
{
    replay_arguments arguments = {
        .run = {.top = 10, .target.machine = gs_machine_options_default()},
    };
    gs_rest rest;
    gs_target target = {0};
    gs_error err = {0};
    int usage = parse(argc, argv, &arguments, &rest);
    if (usage >= 0)
        return usage;
    gs_status status = open_target(&target, &arguments, rest.at[0], &err);
    if (status == GS_OK)
        status = gs_observe(&target, &arguments.run, &err);
    gs_region_free(target.region);
    gs_replay_free(arguments.run.replay); /* machine and timing are its own */
    gs_image_free(target.image);
    gs_core_free(target.core);
    free(arguments.run.commit);
    return status == GS_OK ? GS_TOOL_OK : gs_tool_fail(&err);
}

const gs_command gs_cmd_replay = {
    .name = "replay",
    .summary = "profile a trace",
    .before = before_options,
    .options = table,
    .after = after_options,
    .run = replay,
    .argument = GS_VALUE_FILE,
    .usage_status = GS_TOOL_USAGE,
};
