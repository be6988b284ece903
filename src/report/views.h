/*
 * views.h - a profile as rows of one kind, for the tabular formats.
 *
 * Rows are sorted by the metric, largest first, and cut to the number asked for; call paths
 * stay a tree, of which the largest part is kept. Self costs of all rows, those that were cut
 * included, add up to the total of the profile.
 */
#ifndef GS_REPORT_VIEWS_H
#define GS_REPORT_VIEWS_H

#include "base/json.h"
#include "gumshoe/report.h"
#include "profile/profile.h"

/* Which of these a row has depends on the view. */
typedef struct gs_view_row {
    uint32_t id, parent;   /* calls: number of the path and of the one above it */
    uint32_t depth;        /* calls: paths above it; loops: the outermost has 1 */
    uint32_t function;     /* index in the profile, or GS_PROFILE_NONE; lines, stalls: the one with
                              most */
    bool others;           /* lines: they are in other functions as well, inlined or as copies */
    uint32_t file, line;   /* index, or GS_PROFILE_NONE */
    uint32_t inlined;      /* lines, if asked for: the inlined call it is in, or GS_PROFILE_NONE */
    bool estimated;        /* calls, with inlined ones: its own cost is a share of its function's */
    uint32_t address, end; /* a loop's header */
    uint32_t around;       /* loops: the header of the one around it, if its depth is more than 1 */
    const char *text;      /* instruction; cause of a stall; name of a thread. Borrowed */
    uint64_t count;        /* calls, executions, iterations; threads: switches to it */
    uint64_t other;        /* instructions: taken; loops: entries; threads: cost in handlers */
    uint64_t min_trips, max_trips; /* loops: iterations of one entry; 0 if not known */
    gs_metrics self;
    gs_metrics inclusive;
} gs_view_row;

/* What a view's rows are told apart by and counted with, in the order of writing. */
typedef enum gs_view_field {
    GS_VIEW_END_OF_FIELDS,
    GS_VIEW_ID,
    GS_VIEW_PARENT,
    GS_VIEW_DEPTH,
    GS_VIEW_AROUND,
    GS_VIEW_CAUSE,
    GS_VIEW_THREAD, /* its name */
    GS_VIEW_FUNCTION,
    GS_VIEW_INLINED,    /* the inlined calls around a line */
    GS_VIEW_IS_INLINED, /* whether a path is one */
    GS_VIEW_ESTIMATED,
    GS_VIEW_FILE,
    GS_VIEW_LINE,
    GS_VIEW_ADDRESS,
    GS_VIEW_END,
    GS_VIEW_TEXT,
    GS_VIEW_CALLS,
    GS_VIEW_SWITCHES,
    GS_VIEW_HANDLERS, /* of its cost, what was in handlers of traps and interrupts */
    GS_VIEW_ENTRIES,
    GS_VIEW_ITERATIONS,
    GS_VIEW_MIN_TRIPS,
    GS_VIEW_MEAN_TRIPS,
    GS_VIEW_MAX_TRIPS,
    GS_VIEW_EXECUTIONS,
    GS_VIEW_TAKEN,
} gs_view_field;

typedef struct gs_view {
    gs_report_by by;
    gs_metric metric;
    const gs_view_field *fields; /* up to GS_VIEW_END_OF_FIELDS */
    bool has_inclusive;
    bool inlines;     /* inlined calls are told apart */
    uint32_t metrics; /* those that a row has, a bit for each */
    gs_view_row *items;
    size_t count, capacity;
    size_t all; /* rows there would be */
} gs_view;

gs_status gs_view_open(gs_view *view, const gs_profile *profile, const gs_report_options *options,
                       gs_error *err);
void gs_view_close(gs_view *view);

/* The rows of threads (view_threads.c), one at least. False when memory is out. */
bool gs_view_make_threads(gs_view *view, const gs_profile *profile, gs_error *err);
/* Below them: how often control went from one to another, as a matrix. */
gs_status gs_view_put_switches(FILE *to, const gs_profile *profile, unsigned width, gs_error *err);
void gs_view_put_json_switches(gs_json *json, const gs_profile *profile);

/* A row as an object, as in `gumshoe report --format json`, or only what is in it. */
void gs_view_put_json_members(gs_json *json, const gs_view *view, const gs_profile *profile,
                              const gs_view_row *row);
void gs_view_put_json_row(gs_json *json, const gs_view *view, const gs_profile *profile,
                          const gs_view_row *row);

const char *gs_view_field_name(gs_view_field field);

/* A loop or block that stands for all that is in none: its text says so, and it has costs only. */
static inline bool gs_view_is_rest(const gs_view *view, const gs_view_row *row)
{
    return row->text && (view->by == GS_REPORT_BY_LOOP || view->by == GS_REPORT_BY_BLOCK);
}

/* "crc16_word at core.c:164, ...": the inlined calls around a line, innermost first, and where they
 * stood. `put` writes a part that comes from the program. */
typedef void gs_view_put(FILE *to, const char *text);
void gs_view_put_inlined(FILE *to, const gs_profile *profile, uint32_t inlined, gs_view_put *put);

#endif
