/*
 * json_parts.h - what several JSON reports have in common, so that it looks the same in all.
 */
#ifndef GS_REPORT_JSON_PARTS_H
#define GS_REPORT_JSON_PARTS_H

#include "base/json.h"
#include "gumshoe/unit.h"
#include "profile/profile.h"

/* Begins a document: an object that opens with the name of its schema. */
void gs_report_json_begin(gs_json *json, FILE *to, const char *schema);

/* What the guest was given: "inherited" and "variables". */
void gs_report_json_guest(gs_json *json, const char *inherited, const char *variables);

/* How the run came about. */
void gs_report_json_run(gs_json *json, const char *key, const gs_profile_run *run);

/* The metrics that have a bit in `counted`, each by its key. */
void gs_report_json_metrics(gs_json *json, const char *key, const gs_metrics *metrics,
                            uint32_t counted);

/* "0x80000000" */
void gs_report_json_address(gs_json *json, const char *key, uint32_t address);

/* The inlined calls around something, innermost first, as an array; `inlined` may be none. */
void gs_report_json_inlined(gs_json *json, const char *key, const gs_profile *profile,
                            uint32_t inlined);

/* What each unit says, as an array. */
void gs_report_json_units(gs_json *json, const char *key, const gs_units *units);

#endif
