/*
 * shelf.h - the profile files that are served, and what was read of them lately.
 *
 * Runs never change once they are in a file, so a loaded profile, and rows made of it, are kept
 * until others need the room. A shelf is used by one thread at a time: the server's lock is held
 * while a request reads from it, which also bounds what all requests together may take.
 */
#ifndef GS_SERVE_SHELF_H
#define GS_SERVE_SHELF_H

#include <sys/stat.h>

#include "gumshoe/profile.h"
#include "report/views.h"

enum { GS_SHELF_FILES = 64, GS_SHELF_PROFILES = 4, GS_SHELF_TABLES = 4 };

/* Rows, in some order. */
typedef struct gs_sorted {
    const gs_profile *profile;
    gs_view view;
    bool inlines;
    uint32_t *order; /* of the view's rows */
    int sorted_by;   /* what `order` is of; 0: nothing yet */
    uint64_t used;
} gs_sorted;

typedef struct gs_stored {
    size_t file;
    int64_t run;
    dev_t device; /* of the file it was read from */
    ino_t inode;
    gs_profile *profile;
    uint64_t used; /* the larger the later */
} gs_stored;

typedef struct gs_shelf {
    char *files[GS_SHELF_FILES];
    size_t file_count;
    gs_stored profiles[GS_SHELF_PROFILES];
    gs_sorted tables[GS_SHELF_TABLES];
    uint64_t uses;
} gs_shelf;

/* A run in a file, as the API names it: "1.3", both from 1. */
typedef struct gs_run_name {
    size_t file; /* index */
    int64_t run;
} gs_run_name;

/* GS_E_ARGUMENT if there are too many files, and as gs_profile_file_open() fails for one. */
gs_status gs_shelf_open(gs_shelf *shelf, const char *const *files, size_t count, gs_error *err);
void gs_shelf_close(gs_shelf *shelf);

/* *out is borrowed, and lives until GS_SHELF_PROFILES others have been asked for. */
gs_status gs_shelf_profile(gs_shelf *shelf, const gs_profile **out, gs_run_name name,
                           gs_error *err);

/* The rows of one of its profiles. *out is borrowed until the next call. */
gs_status gs_shelf_table(gs_shelf *shelf, gs_sorted **out, const gs_profile *profile,
                         const gs_report_options *options, gs_error *err);

#endif
