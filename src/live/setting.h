/*
 * setting.h - what a module is to count, from the options of the unit stats.
 */
#ifndef GS_LIVE_SETTING_H
#define GS_LIVE_SETTING_H

#include "gumshoe/live.h"

/* As gs_live_setting_parse(); *made is how a module with these options is made, its CONFIG. */
gs_status gs_live_stats_parse(gs_live_setting *setting, uint32_t *made, const char *options,
                              const gs_image *image, gs_error *err);

#endif
