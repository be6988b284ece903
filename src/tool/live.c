/* The options with which a run sends what it counts over a network. */
#include "tool/live.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gumshoe/text.h"

static int set_speed(void *member, const gs_command *command, const gs_option *option,
                     const char *value)
{
    double *speed = member;
    char *end;
    *speed = 0;
    if (strcmp(value, "max") == 0)
        return -1;
    *speed = strtod(value, &end);
    if (end != value && !*end && isfinite(*speed) && *speed > 0)
        return -1;
    return gs_usage_error(command,
                          "--%s wants how many times real time, such as 1 or 0.5, or max, "
                          "not '%s'",
                          option->name, value);
}

const gs_option gs_live_rows[] = {
    {"live", .argument = "HOST:PORT", GS_TO_TEXT(gs_live_arguments, to),
     .text =
         "send what a Statistics Module counts to a collector there while the program runs, and "
         "be told by it what to count; see 'gumshoe collect'. Both engines count the same; hits of "
         "caches are counted by the reference engine.",
     .more =
         "Results are UDP datagrams, one for each interval, as docs/live.md specifies; a run "
         "needs no collector. A run that a collector has been heard in waits at its end until "
         "that has got everything, for two seconds at most after it was heard last; another one "
         "for a tenth of a second. The socket is opened before the program begins; the program "
         "itself has no network."},
    {"live-stats", .argument = "OPTIONS", GS_TO_TEXT(gs_live_arguments, stats),
     GS_GIVEN(gs_live_arguments, more_given),
     .text = "what the module has and counts at first, as for --unit stats:OPTIONS, such as "
             "count=cycle@main,count=d-miss,interval=100000."},
    {"live-key", .argument = "FILE", .value = GS_VALUE_FILE, GS_TO_TEXT(gs_live_arguments, key),
     GS_GIVEN(gs_live_arguments, more_given),
     .text = "the key that device and collector have in common, 32 hexadecimal digits; "
             "~/.config/gumshoe/live.key unless told otherwise, which is made if there is none."},
    {"live-device", .argument = "N", GS_TO_COUNT(gs_live_arguments, device), .least = 1,
     GS_GIVEN(gs_live_arguments, more_given),
     .text =
         "the number of the device; 1 unless told otherwise. Devices that send to one collector "
         "at a time need different ones to be told apart by it."},
    {"live-speed", .argument = "N|max", GS_TO_CALL(gs_live_arguments, speed, set_speed),
     GS_GIVEN(gs_live_arguments, more_given),
     .text = "run at N times the speed of the core's clock, or as fast as possible, which is the "
             "default."},
    {"live-wait", .argument = "SECONDS", GS_TO_COUNT(gs_live_arguments, wait), .most = 86400,
     GS_GIVEN(gs_live_arguments, more_given),
     .text = "wait so long at most for a collector before the program begins."},
    {0},
};

int gs_live_check(const gs_live_arguments *arguments, const gs_command *command)
{
    if (arguments->more_given && !arguments->to)
        return gs_usage_error(command, "the options --live-... need --live HOST:PORT");
    return -1;
}

gs_status gs_live_begin(gs_live **out, gs_machine *machine, const gs_timing *timing,
                        const gs_live_arguments *arguments, gs_error *err)
{
    gs_live_options options = {.to = arguments->to,
                               .device = arguments->device ? arguments->device : 1,
                               .stats = arguments->stats,
                               .speed = arguments->speed,
                               .wait_seconds = (double)arguments->wait};
    gs_status status = gs_live_key_read(&options.key, arguments->key, err);
    if (status == GS_OK)
        status = gs_live_open(out, machine, timing, &options, err);
    if (status == GS_OK && arguments->wait > 0 && !gs_live_wait(*out))
        gs_complain("no collector has answered at %s", arguments->to);
    return status;
}

void gs_live_tell(const gs_live *live, const gs_live_arguments *arguments)
{
    const gs_live_counts counts = gs_live_count(live);
    fprintf(stderr, "gumshoe: sent %s interval%s to %s: %s\n", GS_TEXT_DIGITS(counts.sent),
            counts.sent == 1 ? "" : "s", arguments->to,
            counts.delivered ? "a collector has them"
            : counts.heard   ? "a collector may miss the last ones"
                             : "no collector was heard");
    if (counts.skipped)
        fprintf(stderr, "gumshoe: left out %s intervals in which the core slept\n",
                GS_TEXT_DIGITS(counts.skipped));
    if (counts.strangers + counts.old)
        fprintf(stderr, "gumshoe: heeded none of %s datagrams of strangers and %s old commands\n",
                GS_TEXT_DIGITS(counts.strangers), GS_TEXT_DIGITS(counts.old));
}
