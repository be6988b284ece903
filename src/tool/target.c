#include "tool/target.h"

#include <string.h>

static bool parse_env(const char *text, gs_env *env)
{
    static const char *const names[] = {
        [GS_ENV_AUTO] = "auto", [GS_ENV_BARE] = "bare", [GS_ENV_LINUX] = "linux"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(text, names[i]) == 0) {
            *env = (gs_env)i;
            return true;
        }
    }
    return false;
}

int gs_target_option(gs_target_arguments *arguments, const gs_command *command, int option,
                     const char *value)
{
    switch (option) {
    case GS_OPT_ENV:
        if (!parse_env(value, &arguments->machine.env))
            return gs_usage_error(command, "--env is auto, bare or linux, not '%s'", value);
        break;
    case GS_OPT_BOARD: arguments->machine.board = value; break;
    case GS_OPT_RAM:
        if (!gs_parse_size(value, &arguments->machine.ram_size))
            return gs_usage_error(command, "--ram wants a size such as 64M, not '%s'", value);
        break;
    case GS_OPT_CORE: arguments->core = value; break;
    case GS_OPT_SET:
        if (arguments->set_count == GS_TARGET_SETTINGS)
            return gs_usage_error(command, "--set at most %d times", GS_TARGET_SETTINGS);
        arguments->set[arguments->set_count++] = value;
        break;
    case GS_OPT_MAX_INSTRUCTIONS:
        if (!gs_parse_count(value, &arguments->max_instructions) ||
            arguments->max_instructions == 0)
            return gs_usage_error(command,
                                  "--max-instructions wants a number such as 10M, not '%s'", value);
        break;
    case GS_OPT_MAX_CYCLES:
        if (!gs_parse_count(value, &arguments->max_cycles) || arguments->max_cycles == 0)
            return gs_usage_error(command, "--max-cycles wants a number such as 10M, not '%s'",
                                  value);
        break;
    default: break;
    }
    return -1;
}

int gs_target_program(gs_target_arguments *arguments, const gs_command *command, int argc,
                      char **argv)
{
    const char *timed = arguments->set_count > 0 ? "--set"
                        : arguments->max_cycles  ? "--max-cycles"
                                                 : NULL;
    if (timed && !arguments->core)
        return gs_usage_error(command, "%s needs --core", timed);
    if (optind >= argc)
        return gs_usage_error(command, "which program?");
    arguments->program = argv[optind];
    arguments->machine.argc = argc - optind;
    arguments->machine.argv = (const char *const *)(argv + optind);
    return -1;
}

gs_status gs_target_open(gs_target *target, const gs_target_arguments *arguments, gs_error *err)
{
    gs_machine_options options = arguments->machine;
    gs_status status = GS_OK;
    *target = (gs_target){0};
    if (arguments->core) {
        status =
            gs_core_open(&target->core, arguments->core, arguments->set, arguments->set_count, err);
        if (status != GS_OK)
            return status;
        gs_core_configure(target->core, &options);
    }
    status = gs_image_open(&target->image, arguments->program, err);
    if (status == GS_OK)
        status = gs_machine_open(&target->machine, target->image, &options, err);
    if (status == GS_OK && target->core)
        status = gs_timing_open(&target->timing, target->core, target->machine, err);
    return status;
}

void gs_target_close(gs_target *target)
{
    gs_timing_free(target->timing);
    gs_machine_free(target->machine);
    gs_image_free(target->image);
    gs_core_free(target->core);
    *target = (gs_target){0};
}

static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal)
{
    interrupted = signal;
}

const volatile sig_atomic_t *gs_catch_interrupts(void)
{
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    return &interrupted;
}
