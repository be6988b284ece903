/* The markers of a profile, as a table and as JSON. */
#include "report/markers.h"

#include "report/names.h"

enum { SHOWN = 4 };

static void put_marker(FILE *to, const gs_profile *profile, size_t index)
{
    const gs_marker *marker = &profile->markers.items[index];
    char digits[28];
    bool timed = profile->run.core[0];
    fprintf(to, "%s %u at %s %s", index ? "," : ":", marker->value, timed ? "cycle" : "instruction",
            gs_text_digits(digits, timed ? marker->cycle : marker->instruction));
}

void gs_report_put_markers(FILE *to, const gs_profile *profile)
{
    char digits[28];
    size_t count = profile->markers.count;
    if (count == 0)
        return;
    fprintf(to, "\n%s%s marker%s", gs_text_digits(digits, count),
            count == GS_PROFILE_MARKERS ? " or more" : "", count == 1 ? "" : "s");
    for (size_t i = 0; i < count && i < SHOWN; i++)
        put_marker(to, profile, i);
    fputs(count > SHOWN ? ", ...\n" : "\n", to);
}

void gs_report_json_markers(gs_json *json, const gs_marker *markers, size_t count, bool timed)
{
    gs_json_open_array(json, "markers");
    for (size_t i = 0; i < count; i++) {
        gs_json_open_object(json, NULL);
        gs_json_uint(json, "value", markers[i].value);
        gs_json_uint(json, "instruction", markers[i].instruction);
        if (timed)
            gs_json_uint(json, "cycle", markers[i].cycle);
        gs_json_close_object(json);
    }
    gs_json_close_array(json);
}
