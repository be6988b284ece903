/*
 * source.h - the source files of a profile, as they are now.
 *
 * Read on demand and kept. A file that cannot be found or read has no lines and says why; one
 * that is younger than the program is marked, because its lines may not fit any more.
 */
#ifndef GS_REPORT_SOURCE_H
#define GS_REPORT_SOURCE_H

#include "profile/profile.h"
#include "report/roots.h"

typedef struct gs_source {
    char *path;         /* where it was found; NULL if it was not */
    char *text;         /* lines end with NUL */
    const char **lines; /* [0] is line 1 */
    size_t line_count;
    bool looked_for;
    bool changed;    /* after the program was built */
    char reason[80]; /* why there are no lines */
} gs_source;

typedef struct gs_sources {
    const gs_profile *profile;
    const char *folder;    /* where to look besides; or NULL */
    const gs_roots *roots; /* where to look only; or NULL */
    gs_source *files;      /* per file of the profile */
} gs_sources;

/* Everything but the error is borrowed. With `roots`, which may be NULL, `folder` is not used. */
gs_status gs_sources_open(gs_sources *sources, const gs_profile *profile, const char *folder,
                          const gs_roots *roots, gs_error *err);
void gs_sources_close(gs_sources *sources);

/* NULL for GS_PROFILE_NONE. Valid until closing. */
const gs_source *gs_sources_get(gs_sources *sources, uint32_t file);

/* The text of a line, without its end; NULL if there is none. */
const char *gs_source_line(const gs_source *source, uint32_t line);

#endif
