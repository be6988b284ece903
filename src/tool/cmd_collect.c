/* gumshoe collect: receives from Statistics Modules into a profile file. */
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "gumshoe/live.h"
#include "gumshoe/profile.h"
#include "gumshoe/text.h"
#include "tool/target.h"
#include "tool/tool.h"

static const char before_options[] =
    "Usage: gumshoe collect [OPTIONS]\n"
    "       gumshoe collect --make-key FILE\n"
    "\n"
    "Receives what Statistics Modules count, from runs with 'gumshoe run --live' and\n"
    "from hardware, and appends it to a profile file as it comes. 'gumshoe report\n"
    "--by live' shows it. Ctrl-C ends it.\n"
    "\n"
    "Options:\n";

static const char after_options[] =
    "\n"
    "Exit status: 0; 1 if a device did not do what --set asks, or did not answer;\n"
    "2 if the command line is wrong; 3 if a socket or file cannot be used.\n"
    "\n"
    "Examples:\n"
    "  gumshoe collect -o live.db\n"
    "  gumshoe collect --listen 0.0.0.0:4750 --key board.key --device 10.0.0.2:4750 \\\n"
    "      --program firmware.elf --set count=cycle@main,count=d-miss,interval=100K\n";

typedef struct collect_arguments {
    const char *listen, *output, *key, *new_key, *set;
    gs_list devices, programs;
    uint64_t seconds;
    bool until_end, quiet;
} collect_arguments;

#define LISTEN_DEFAULT "127.0.0.1:4750"

static const gs_option table[] = {
    {"listen", .argument = "ADDRESS:PORT", GS_TO_TEXT(collect_arguments, listen),
     .text = "where to listen; " LISTEN_DEFAULT " unless told otherwise. 0.0.0.0 stands for all "
             "addresses of this machine, a port of 0 for any that is free."},
    {"output", 'o', "FILE", .value = GS_VALUE_FILE, GS_TO_TEXT(collect_arguments, output),
     .text = "the profile file, which is made if there is none; gumshoe.db unless told otherwise.",
     .more = "What has come is in the file half a second later. A stream that is there already, "
             "because the collector ended before it, goes on."},
    {"key", .argument = "FILE", .value = GS_VALUE_FILE, GS_TO_TEXT(collect_arguments, key),
     .text = "the key that devices and collector have in common, 32 hexadecimal digits; "
             "~/.config/gumshoe/live.key unless told otherwise, which is made if there is none."},
    {"make-key", .argument = "FILE", .value = GS_VALUE_FILE, GS_TO_TEXT(collect_arguments, new_key),
     .text = "make a new key in this file, and end."},
    {"device", .argument = "HOST:PORT", GS_TO_LIST(collect_arguments, devices),
     .text = "ask for a device there, which then sends to this collector. May be given several "
             "times. Devices that send by themselves are heard without it."},
    {"program", .argument = "FILE", .value = GS_VALUE_FILE, GS_TO_LIST(collect_arguments, programs),
     .text = "a program that devices run, for the names of its functions. May be given several "
             "times; each device gets its own, by the hash it sends."},
    {"set", .argument = "OPTIONS", GS_TO_TEXT(collect_arguments, set),
     .text = "tell every device that is heard of for the first time to count this, and to start "
             "anew: as for --unit stats:OPTIONS, such as count=cycle@main,interval=100K.",
     .more = "Functions and lines are those of the device's program if that is one of --program; "
             "those of the only one there, if the device does not know what it runs."},
    {"max-seconds", .argument = "N", GS_TO_COUNT(collect_arguments, seconds), .least = 1,
     .text = "end after so many seconds."},
    {"until-end", GS_TO_SWITCH(collect_arguments, until_end),
     .text = "end when all devices that have been heard have come to the end of their programs."},
    {"quiet", 'q', GS_TO_SWITCH(collect_arguments, quiet),
     .text = "say nothing but what went wrong."},
    {0},
};

/* What the calls from the collector need. */
typedef struct session {
    const collect_arguments *arguments;
    gs_collector *collector;
    size_t told; /* streams that have been announced */
    size_t set;  /* streams that have been looked at for --set */
    bool failed;
} session;

static void tell_begun(session *s)
{
    for (; s->told < gs_collector_stream_count(s->collector); s->told++) {
        const gs_live_stream *stream = gs_collector_stream(s->collector, s->told);
        if (!s->arguments->quiet)
            fprintf(stderr, "gumshoe: stream %" PRId64 ": device %" PRIu64 " at %s\n", stream->id,
                    stream->device, stream->address);
    }
}

/* The program whose functions --set means. */
static const gs_image *image_of(const session *s, const gs_live_stream *stream)
{
    return gs_collector_program(s->collector, &stream->program);
}

static bool is_new_device(const session *s, size_t index)
{
    const gs_live_stream *stream = gs_collector_stream(s->collector, index);
    for (size_t i = 0; i < index; i++) {
        const gs_live_stream *other = gs_collector_stream(s->collector, i);
        if (other->device == stream->device && other->session == stream->session)
            return false;
    }
    return !stream->program_ended;
}

static void fail_device(session *s, const gs_live_stream *stream, const char *why)
{
    s->failed = true;
    gs_complain("device %" PRIu64 " at %s is not set: %s", stream->device, stream->address, why);
}

/* What new devices are told. */
static void set_new(session *s)
{
    const unsigned here = GS_LIVE_TO_SENDER, anew = GS_LIVE_SET | GS_LIVE_START;
    const char *set = s->arguments->set;
    for (; s->set < gs_collector_stream_count(s->collector); s->set++) {
        const gs_live_stream *stream = gs_collector_stream(s->collector, s->set);
        gs_live_setting setting;
        gs_error err;
        uint64_t number;
        if (!is_new_device(s, s->set) || (!set && s->arguments->devices.count == 0))
            continue;
        gs_status status =
            set ? gs_live_setting_parse(&setting, set, image_of(s, stream), &err) : GS_OK;
        if (status == GS_OK)
            status = gs_collector_command(s->collector, s->set, set ? here | anew : here,
                                          set ? &setting : NULL, &number, &err);
        if (status != GS_OK)
            fail_device(s, stream, err.message);
    }
}

/* Whether a command is still to be answered. Complains about those that failed, once. */
static bool mind_commands(session *s, bool told[], size_t count)
{
    bool pending = false;
    for (size_t i = 0; i < s->set && i < count; i++) {
        const gs_live_outcome outcome = gs_collector_outcome(s->collector, i);
        pending |= outcome == GS_LIVE_PENDING;
        if (outcome != GS_LIVE_DONE && outcome != GS_LIVE_PENDING && !told[i]) {
            fail_device(s, gs_collector_stream(s->collector, i), gs_live_outcome_text(outcome));
            told[i] = true;
        }
    }
    return pending;
}

static bool all_ended(const session *s)
{
    const size_t count = gs_collector_stream_count(s->collector);
    for (size_t i = 0; i < count; i++) {
        const gs_live_stream *stream = gs_collector_stream(s->collector, i);
        if (stream->running || (stream->ended && !stream->program_ended))
            return false;
    }
    return count > 0;
}

static void summarise(const session *s)
{
    const gs_collector_refused refused = gs_collector_refusals(s->collector);
    for (size_t i = 0; i < gs_collector_stream_count(s->collector); i++) {
        const gs_live_stream *stream = gs_collector_stream(s->collector, i);
        fprintf(stderr,
                "gumshoe: stream %" PRId64 ": %s intervals received, %s lost, %s late, %s doubled; "
                "%s not sent%s\n",
                stream->id, GS_TEXT_DIGITS(stream->received), GS_TEXT_DIGITS(stream->lost),
                GS_TEXT_DIGITS(stream->late), GS_TEXT_DIGITS(stream->doubled),
                GS_TEXT_DIGITS(stream->skipped),
                stream->ended     ? ""
                : stream->running ? "; goes on"
                                  : "; its end did not come");
    }
    if (refused.foreign + refused.forged + refused.unanswered + refused.overrun > 0)
        fprintf(stderr,
                "gumshoe: refused %s foreign or damaged datagrams, %s with a wrong tag, %s of "
                "devices that did not answer; had no room for %s\n",
                GS_TEXT_DIGITS(refused.foreign), GS_TEXT_DIGITS(refused.forged),
                GS_TEXT_DIGITS(refused.unanswered), GS_TEXT_DIGITS(refused.overrun));
}

static gs_status serve(session *s, const volatile sig_atomic_t *cancel, gs_error *err)
{
    enum { WAIT_MS = 200, MIND = 4096 };
    static bool told[MIND];
    const time_t end = time(NULL) + (time_t)s->arguments->seconds;
    gs_status status = GS_OK;
    bool pending = false;
    while (status == GS_OK && !*cancel) {
        if (s->arguments->seconds && time(NULL) >= end)
            break;
        if (s->arguments->until_end && !pending && all_ended(s))
            break;
        status = gs_collector_serve(s->collector, WAIT_MS, err);
        tell_begun(s);
        set_new(s);
        pending = mind_commands(s, told, MIND);
    }
    return status;
}

static gs_status begin(session *s, const collect_arguments *arguments, gs_error *err)
{
    gs_collector_options options = {
        .listen = arguments->listen ? arguments->listen : LISTEN_DEFAULT,
        .file = arguments->output ? arguments->output : GS_DEFAULT_PROFILE};
    gs_status status = gs_live_key_read(&options.key, arguments->key, err);
    if (status == GS_OK)
        status = gs_collector_open(&s->collector, &options, err);
    for (size_t i = 0; i < arguments->programs.count && status == GS_OK; i++)
        status = gs_collector_add_program(s->collector, arguments->programs.at[i], err);
    for (size_t i = 0; i < arguments->devices.count && status == GS_OK; i++)
        status = gs_collector_greet(s->collector, arguments->devices.at[i], err);
    if (status == GS_OK && !arguments->quiet)
        fprintf(stderr, "gumshoe: listening at %s\n", gs_collector_address(s->collector));
    return status;
}

static int collect(int argc, char **argv)
{
    collect_arguments arguments = {0};
    gs_rest rest;
    gs_error err = {0};
    int usage = gs_command_parse(&gs_cmd_collect, argc, argv, &arguments, &rest);
    if (usage >= 0)
        return usage;
    if (rest.count > 0)
        return gs_usage_error(&gs_cmd_collect, "there is no argument '%s'; the file is -o FILE",
                              rest.at[0]);
    if (arguments.new_key)
        return gs_live_key_make(arguments.new_key, &err) == GS_OK ? GS_TOOL_OK : gs_tool_fail(&err);
    session s = {.arguments = &arguments};
    const volatile sig_atomic_t *cancel = gs_catch_interrupts();
    gs_status status = begin(&s, &arguments, &err);
    if (status == GS_OK)
        status = serve(&s, cancel, &err);
    if (s.collector && !arguments.quiet)
        summarise(&s);
    const gs_status closed = gs_collector_close(s.collector, status == GS_OK ? &err : NULL);
    if (status != GS_OK || closed != GS_OK)
        return gs_tool_fail(&err);
    return s.failed ? GS_TOOL_FAILED : GS_TOOL_OK;
}

const gs_command gs_cmd_collect = {
    .name = "collect",
    .summary = "receive what Statistics Modules count, while they do",
    .before = before_options,
    .options = table,
    .after = after_options,
    .run = collect,
    .usage_status = GS_TOOL_USAGE,
};
