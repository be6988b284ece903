/*
 * names.h - what the writers of profiles share: names, and texts from program files made safe.
 *
 * A function's or file's name is whatever the program file says, so no byte of it is taken
 * for granted.
 */
#ifndef GS_REPORT_NAMES_H
#define GS_REPORT_NAMES_H

#include "gumshoe/report.h"
#include "gumshoe/text.h"
#include "profile/profile.h"

/* "(no function)" and "" for GS_PROFILE_NONE. A function may be an inlined one or a thread, see
 * below. */
const char *gs_report_function_name(const gs_profile *profile, uint32_t function);
/* What stands for the function of an inlined call where functions are expected. */
uint32_t gs_report_inlined_id(const gs_profile *profile, uint32_t call);
bool gs_report_is_inlined(const gs_profile *profile, uint32_t function);
/* What stands for the function where a path begins with a thread, or with all of them. */
uint32_t gs_report_thread_id(const gs_profile *profile, uint32_t thread); /* GS_PROFILE_NONE: all */
bool gs_report_is_thread(const gs_profile *profile, uint32_t function);
/* The function of a node, or what stands for it. */
uint32_t gs_report_function_of(const gs_profile *profile, const gs_profile_node *node);
const char *gs_report_file_name(const gs_profile *profile, uint32_t file);
const char *gs_report_last_part(const char *path);

/* The options' metric. An error if the profile cannot have it: energy without a table. */
bool gs_report_is_timed(const gs_profile *profile);
/* The metrics that were counted, a bit for each: without a core only what needs no model of one. */
uint32_t gs_report_counted(const gs_profile *profile);
gs_status gs_report_metric(const gs_profile *profile, const gs_report_options *options,
                           gs_metric *metric, gs_error *err);
gs_status gs_report_find_metric(const char *key, gs_metric *metric,
                                gs_error *err); /* NULL: cycles */

/* Control characters and what is no UTF-8 become '?', and so does what is in `others`. */
void gs_report_put(FILE *to, const char *text, const char *others);

/* Length of the valid UTF-8 sequence at `text`, or 0. */
unsigned gs_report_utf8_length(const char *text);

/* For inside the quotes of a CSV field (RFC 4180): quotes are doubled, control characters '?'. */
void gs_report_put_csv(FILE *to, const char *text);

/* For an element or attribute; what XML cannot hold becomes U+FFFD. */
void gs_report_put_xml(FILE *to, const char *text);

double gs_report_percent(uint64_t part, uint64_t whole);

/* Cycles lost to all causes, and to which most (untouched if none). */
uint64_t gs_report_stalls(const gs_metrics *cost, gs_metric *most);

/* "load-use" for the metric "stall:load-use". */
const char *gs_report_cause(gs_metric stall);

/* `text` for a table: tabs expanded, control characters as '?', cut with ".." to `room` columns
 * unless that is 0. */
void gs_report_put_fitted(FILE *to, const char *text, unsigned room);

/* "core.elf on flatfoot, run 1 (before)" */
void gs_report_put_run(FILE *to, const gs_profile_run *run);

/* The last call of a writer: flushes. */
gs_status gs_report_end(FILE *to, gs_error *err);

#endif
