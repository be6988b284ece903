/* Looks up metrics by name, and makes names and texts from files safe to print. */
#include "report/names.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/error.h"

enum { TAB = 4 }; /* columns */

static const char *const by_names[GS_REPORT_BY_COUNT] = {
    [GS_REPORT_BY_FUNCTION] = "function", [GS_REPORT_BY_CALL] = "call",
    [GS_REPORT_BY_LINE] = "line",         [GS_REPORT_BY_LOOP] = "loop",
    [GS_REPORT_BY_BLOCK] = "block",       [GS_REPORT_BY_INSTRUCTION] = "instruction",
    [GS_REPORT_BY_STALL] = "stall",       [GS_REPORT_BY_THREAD] = "thread",
};

const char *gs_report_by_name(gs_report_by by)
{
    return by_names[by];
}

bool gs_report_by_find(const char *name, gs_report_by *by)
{
    for (unsigned i = 0; i < GS_REPORT_BY_COUNT; i++) {
        if (strcmp(by_names[i], name) == 0) {
            *by = (gs_report_by)i;
            return true;
        }
    }
    return false;
}

bool gs_report_is_timed(const gs_profile *profile)
{
    return profile->run.core[0] != '\0';
}

uint32_t gs_report_counted(const gs_profile *profile)
{
    const uint32_t without_model = UINT32_C(1) << GS_METRIC_INSTRUCTIONS | UINT32_C(1)
                                                                               << GS_METRIC_TRAPS;
    return gs_report_is_timed(profile) ? (UINT32_C(1) << GS_METRIC_COUNT) - 1 : without_model;
}

gs_status gs_report_metric(const gs_profile *profile, const gs_report_options *options,
                           gs_metric *metric, gs_error *err)
{
    gs_status status = gs_report_find_metric(options->metric, metric, err);
    const uint64_t *total = profile->total.value;
    if (status == GS_OK && !gs_report_is_timed(profile)) {
        if (!options->metric)
            *metric = GS_METRIC_INSTRUCTIONS;
        if (*metric != GS_METRIC_ENERGY && !(gs_report_counted(profile) >> *metric & 1))
            return gs_fail(err, GS_E_UNSUPPORTED,
                           "this run was not timed, so it has no '%s'; 'gumshoe run' times one "
                           "unless it is told --core none",
                           gs_metric_key(*metric));
    }
    if (status != GS_OK || *metric != GS_METRIC_ENERGY || total[GS_METRIC_ENERGY] > 0 ||
        total[GS_METRIC_INSTRUCTIONS] == 0)
        return status;
    if (!profile->run.core[0])
        return gs_fail(err, GS_E_UNSUPPORTED, "this run has no energy, because it was not timed");
    return gs_fail(err, GS_E_UNSUPPORTED,
                   "core %.100s has no energy table; 'gumshoe energy fit' makes one from "
                   "measurements",
                   profile->run.core);
}

gs_status gs_report_find_metric(const char *key, gs_metric *metric, gs_error *err)
{
    *metric = GS_METRIC_CYCLES;
    if (!key || gs_metric_find(key, metric))
        return GS_OK;
    char known[512] = "";
    size_t at = 0;
    for (unsigned i = 0; i < GS_METRIC_COUNT && at < sizeof known; i++)
        at += (size_t)snprintf(known + at, sizeof known - at, "%s%s", i > 0 ? ", " : "",
                               gs_metric_key((gs_metric)i));
    return gs_fail(err, GS_E_ARGUMENT, "there is no metric '%.60s'; there are %s", key, known);
}

uint32_t gs_report_inlined_id(const gs_profile *profile, uint32_t call)
{
    return (uint32_t)profile->functions.count + call;
}

bool gs_report_is_inlined(const gs_profile *profile, uint32_t function)
{
    return function >= profile->functions.count &&
           function - profile->functions.count < profile->inlines.count;
}

static uint32_t first_thread_id(const gs_profile *profile)
{
    return (uint32_t)(profile->functions.count + profile->inlines.count);
}

uint32_t gs_report_thread_id(const gs_profile *profile, uint32_t thread)
{
    return first_thread_id(profile) +
           (thread == GS_PROFILE_NONE ? (uint32_t)profile->threads.count : thread);
}

bool gs_report_is_thread(const gs_profile *profile, uint32_t function)
{
    return profile->threads.count > 0 && function >= first_thread_id(profile) &&
           function - first_thread_id(profile) <= profile->threads.count;
}

uint32_t gs_report_function_of(const gs_profile *profile, const gs_profile_node *node)
{
    return node->kind == GS_FRAME_THREAD ? gs_report_thread_id(profile, node->thread)
                                         : node->function;
}

const char *gs_report_function_name(const gs_profile *profile, uint32_t function)
{
    if (gs_report_is_thread(profile, function)) {
        const uint32_t thread = function - first_thread_id(profile);
        return thread < profile->threads.count ? profile->threads.items[thread].label
                                               : "[all threads]";
    }
    if (gs_report_is_inlined(profile, function))
        return profile->inlines.items[function - profile->functions.count].function;
    return function < profile->functions.count ? profile->functions.items[function].name
                                               : "(no function)";
}

const char *gs_report_file_name(const gs_profile *profile, uint32_t file)
{
    return file < profile->files.count ? profile->files.items[file] : "";
}

const char *gs_report_last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

unsigned gs_report_utf8_length(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    if (s[0] < 0x80)
        return 1;
    if (s[0] < 0xc2 || s[0] > 0xf4)
        return 0;
    unsigned length = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    uint32_t point = s[0] & (0x7fu >> length);
    for (unsigned i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        point = point << 6 | (s[i] & 0x3f);
    }
    bool overlong = point < (length == 4 ? 0x10000u : length == 3 ? 0x800u : 0x80u);
    bool surrogate = point >= 0xd800 && point < 0xe000;
    return overlong || surrogate || point > 0x10ffff ? 0 : length;
}

/* Controls are those of ASCII and of Latin-1, with which a terminal can be told as much. */
static bool is_harmless(const char *text, unsigned length)
{
    unsigned char first = (unsigned char)text[0];
    if (length == 2 && first == 0xc2)
        return (unsigned char)text[1] >= 0xa0;
    return length > 1 || (length == 1 && first >= 0x20 && first != 0x7f);
}

void gs_report_put(FILE *to, const char *text, const char *others)
{
    while (*text) {
        unsigned length = gs_report_utf8_length(text);
        if (is_harmless(text, length) && !(length == 1 && strchr(others, *text)))
            fwrite(text, 1, length, to);
        else
            fputc('?', to);
        text += length ? length : 1;
    }
}

void gs_report_put_csv(FILE *to, const char *text)
{
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', to);
        fputc((unsigned char)*text < 0x20 ? '?' : *text, to);
    }
}

void gs_report_put_xml(FILE *to, const char *text)
{
    while (*text) {
        unsigned length = gs_report_utf8_length(text);
        bool control = length == 1 && ((unsigned char)*text < 0x20 || *text == 0x7f);
        bool noncharacter = length == 3 && (memcmp(text, "\xef\xbf\xbe", 3) == 0 ||
                                            memcmp(text, "\xef\xbf\xbf", 3) == 0);
        if (length == 0 || control || noncharacter)
            fputs("\xef\xbf\xbd", to);
        else if (*text == '<')
            fputs("&lt;", to);
        else if (*text == '>')
            fputs("&gt;", to);
        else if (*text == '&')
            fputs("&amp;", to);
        else if (*text == '"')
            fputs("&quot;", to);
        else
            fwrite(text, 1, length, to);
        text += length ? length : 1;
    }
}

double gs_report_percent(uint64_t part, uint64_t whole)
{
    return whole ? 100 * (double)part / (double)whole : 0;
}

uint64_t gs_report_stalls(const gs_metrics *cost, gs_metric *most)
{
    uint64_t sum = 0, largest = 0;
    for (unsigned m = GS_METRIC_FIRST_STALL; m < GS_METRIC_COUNT; m++) {
        sum += cost->value[m];
        if (cost->value[m] > largest) {
            largest = cost->value[m];
            *most = (gs_metric)m;
        }
    }
    return sum;
}

const char *gs_report_cause(gs_metric stall)
{
    return gs_metric_key(stall) + strlen("stall:");
}

/* Columns of `text`, and where it would have to be cut to fit into `room` of them. */
static unsigned measure(const char *text, unsigned room, const char **cut)
{
    unsigned column = 0;
    *cut = text;
    while (*text) {
        unsigned length = gs_report_utf8_length(text);
        column += *text == '\t' ? TAB - column % TAB : 1;
        text += length ? length : 1;
        if (column <= room)
            *cut = text;
    }
    return column;
}

void gs_report_put_fitted(FILE *to, const char *text, unsigned room)
{
    const char *cut = NULL;
    bool fits = room == 0 || measure(text, room, &cut) <= room;
    if (!fits)
        measure(text, room > 2 ? room - 2 : 0, &cut);
    unsigned column = 0;
    while (*text && (fits || text < cut)) {
        unsigned length = gs_report_utf8_length(text);
        if (*text == '\t') {
            unsigned step = TAB - column % TAB;
            fprintf(to, "%*s", (int)step, "");
            column += step;
        } else {
            if (is_harmless(text, length))
                fwrite(text, 1, length, to);
            else
                fputc('?', to);
            column++;
        }
        text += length ? length : 1;
    }
    if (!fits)
        fputs("..", to);
}

void gs_report_put_run(FILE *to, const gs_profile_run *run)
{
    gs_report_put(to, gs_report_last_part(run->program), "");
    if (run->core[0]) {
        fputs(" on ", to);
        gs_report_put(to, run->core, "");
    }
    if (run->id)
        fprintf(to, ", run %" PRId64, run->id);
    if (run->label[0]) {
        fputs(" (", to);
        gs_report_put(to, run->label, "");
        fputc(')', to);
    }
    if (run->region[0]) {
        fputs(", counted ", to);
        gs_report_put(to, run->region, "");
    }
}

gs_status gs_report_end(FILE *to, gs_error *err)
{
    if (fflush(to) != 0 || ferror(to))
        return gs_fail(err, GS_E_IO, "cannot write the report: %s", strerror(errno));
    return GS_OK;
}
