/*
 * markers.h - the markers that a program set.
 */
#ifndef GS_REPORT_MARKERS_H
#define GS_REPORT_MARKERS_H

#include "base/json.h"
#include "profile/profile.h"

/* A line with the first ones; nothing if there are none. */
void gs_report_put_markers(FILE *to, const gs_profile *profile);

/* "markers": value, instruction and, on a core, cycle. */
void gs_report_json_markers(gs_json *json, const gs_marker *markers, size_t count, bool timed);

#endif
