/* The options that choose a run, a metric and a part of a profile. */
#include "tool/choice.h"

#include "tool/progress.h"

const gs_option gs_choice_profile[] = {
    {"profile", 'p', "FILE", .value = GS_VALUE_FILE, GS_TO_TEXT(gs_choice, file),
     .text = "the profile file; gumshoe.db unless told otherwise."},
    {0},
};

const gs_option gs_choice_run[] = {
    {"run", .argument = "RUN", .value = GS_VALUE_RUN, GS_TO_TEXT(gs_choice, run),
     .text = "which run of the file: its number, its label, or last, which is the default."},
    {0},
};

int gs_choice_file(gs_choice *choice, const gs_command *command, const gs_rest *rest)
{
    if (rest->count > 1)
        return gs_usage_error(command, "one profile file at a time");
    if (rest->count == 1)
        choice->file = rest->at[0];
    return -1;
}

const char *gs_choice_path(const gs_choice *choice)
{
    return choice->file ? choice->file : GS_DEFAULT_PROFILE;
}

gs_status gs_choice_load(gs_profile **out, const gs_choice *choice, gs_error *err)
{
    const char *path = gs_choice_path(choice);
    gs_progress_start("reading %s", path);
    gs_status status = gs_profile_load(out, path, choice->run ? choice->run : "last", err);
    gs_progress_start("writing the report");
    return status;
}
