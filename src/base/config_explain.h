/*
 * config_explain.h - finding the place of a mistake in a YAML text.
 *
 * Private to config*.c.
 */
#ifndef GS_BASE_CONFIG_EXPLAIN_H
#define GS_BASE_CONFIG_EXPLAIN_H

#include <stdbool.h>

#include "base/config.h"

typedef struct gs_config_place {
    unsigned line; /* from 1; 0 if unknown */
    char path[128];
    char problem[320];
} gs_config_place;

/* The first thing in the text that its schema does not allow; false if there is none. */
bool gs_config_explain(const gs_config *config, gs_config_place *place);

/* The line of what `path` leads to, as far as it leads; 0 if the text cannot be read. */
unsigned gs_config_line(const gs_config *config, const char *path);

#endif
