#include "tool/choice.h"

#include <getopt.h>

static int take_top(gs_choice *choice, const gs_command *command)
{
    uint64_t top;
    if (!gs_parse_count(optarg, &top) || top > SIZE_MAX)
        return gs_usage_error(command, "--top wants a number, not '%s'", optarg);
    choice->top = (size_t)top;
    choice->top_given = true;
    return -1;
}

int gs_choice_option(gs_choice *choice, const gs_command *command, int option, char **argv)
{
    switch (option) {
    case GS_OPT_PROFILE: choice->file = optarg; return -1;
    case GS_OPT_RUN: choice->run = optarg; return -1;
    case GS_OPT_METRIC: choice->metric = optarg; return gs_check_metric(command, optarg);
    case GS_OPT_TOP: return take_top(choice, command);
    case GS_OPT_COLOUR:
    case GS_OPT_NO_PAGER: return gs_terminal_option(&choice->terminal, command, option, optarg);
    case 'h': fputs(command->help, stdout); return GS_TOOL_OK;
    case ':': return gs_usage_error(command, "%s wants a value", argv[optind - 1]);
    default: return gs_usage_error(command, "there is no option %s", argv[optind - 1]);
    }
}

int gs_choice_file(gs_choice *choice, const gs_command *command, int argc, char **argv)
{
    if (argc - optind > 1)
        return gs_usage_error(command, "one profile file at a time");
    if (optind < argc)
        choice->file = argv[optind];
    return -1;
}

const char *gs_choice_path(const gs_choice *choice)
{
    return choice->file ? choice->file : GS_DEFAULT_PROFILE;
}

gs_status gs_choice_load(gs_profile **out, const gs_choice *choice, gs_error *err)
{
    return gs_profile_load(out, gs_choice_path(choice), choice->run ? choice->run : "last", err);
}
