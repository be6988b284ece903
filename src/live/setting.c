/* Turns the options of the unit stats into a module's setting. */
#include "live/setting.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "live/module.h"
#include "units/stats/stats_unit.h"

size_t gs_live_signal_count(void)
{
    return GS_STATS_SIGNAL_COUNT;
}

const char *gs_live_signal_key(size_t signal)
{
    return gs_stats_signal_key((unsigned)signal);
}

const char *gs_live_signal_text(size_t signal)
{
    return gs_stats_signal_text((unsigned)signal);
}

static void take(gs_live_setting *to, const gs_stats *chosen, unsigned ranges)
{
    *to = (gs_live_setting){.interval = chosen->interval, .counters = chosen->count};
    for (unsigned i = 0; i < chosen->count; i++)
        to->selector[i].select = (uint32_t)chosen->range_of[i] << 8 | chosen->signal_of[i];
    for (unsigned i = 0; i < ranges; i++) {
        to->range[i].first = chosen->range[i].first;
        to->range[i].last = chosen->range[i].last;
    }
}

/* Ranges that are no addresses need a program. */
static gs_status check_ranges(const gs_stats_config *config, const gs_image *image, gs_error *err)
{
    for (size_t i = 0; !image && i < config->counts.count; i++) {
        const char *at = strchr(config->counts.items[i], '@');
        if (at && !isdigit((unsigned char)at[1]))
            return gs_fail(err, GS_E_ARGUMENT,
                           "'%.80s': functions and lines can be looked up in a program only, and "
                           "none was given",
                           config->counts.items[i]);
    }
    return GS_OK;
}

gs_status gs_live_stats_parse(gs_live_setting *setting, uint32_t *made, const char *options,
                              const gs_image *image, gs_error *err)
{
    gs_arena arena = {0};
    gs_stats_config config;
    void *unit = NULL;
    const gs_unit_context context = {.image = image};
    gs_status status = gs_options_parse(&config, gs_unit_stats.options, gs_unit_stats.option_count,
                                        gs_unit_stats.name, options, &arena, err);
    if (status == GS_OK)
        status = check_ranges(&config, image, err);
    if (status == GS_OK)
        status = gs_unit_open(&unit, &gs_unit_stats, &config, &context, NULL, err);
    if (status == GS_OK) {
        unsigned ranges;
        const gs_stats *chosen = gs_stats_chosen(unit, &ranges);
        take(setting, chosen, ranges);
        *made =
            (uint32_t)config.width << 16 | (uint32_t)config.ranges << 8 | (uint32_t)config.counters;
    }
    gs_unit_close(&gs_unit_stats, unit);
    gs_arena_free(&arena);
    return status;
}

gs_status gs_live_setting_parse(gs_live_setting *out, const char *options, const gs_image *image,
                                gs_error *err)
{
    uint32_t made;
    return gs_live_stats_parse(out, &made, options, image, err);
}

char *gs_live_counter_name(char name[GS_LIVE_NAME], const gs_live_setting *setting, size_t counter,
                           const gs_image *image)
{
    const uint32_t select = setting->selector[counter].select;
    const unsigned range = gs_live_range_of(select), signal = gs_live_signal_of(select);
    const uint32_t first = setting->range[range].first, last = setting->range[range].last;
    const char *key = signal < GS_STATS_SIGNAL_COUNT ? gs_stats_signal_key(signal) : "?";
    const gs_function *function = image ? gs_image_function_at(image, first) : NULL;
    if (first == 0 && last == UINT32_MAX)
        snprintf(name, GS_LIVE_NAME, "%s", key);
    else if (function && function->start == first && function->end == (uint64_t)last + 1)
        snprintf(name, GS_LIVE_NAME, "%s@%s", key, function->name);
    else
        snprintf(name, GS_LIVE_NAME, "%s@0x%" PRIx32 "-0x%" PRIx64, key, first, (uint64_t)last + 1);
    return name;
}
