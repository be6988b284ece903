/*
 * store.h - what a collector keeps, in the live tables of a profile file.
 *
 * Rows are written in transactions that the owner ends, at least once a second. With write-ahead
 * logging, what has been committed is there even if the process is killed a moment later.
 */
#ifndef GS_LIVE_STORE_H
#define GS_LIVE_STORE_H

#include "gumshoe/live.h"

typedef struct gs_live_store gs_live_store;

/* *out is the caller's, NULL on failure. As gs_profile_file_check(). */
gs_status gs_live_store_open(gs_live_store **out, const char *path, gs_error *err);
/* Commits, and makes it one file again if no other process has it open. NULL is fine. */
gs_status gs_live_store_close(gs_live_store *store, gs_error *err);

/* Finds the stream by its name and adds what is known of it: id, began_us, next, received, lost,
 * late and doubled. Else it is new, and gets an id. */
gs_status gs_live_store_begin(gs_live_store *store, gs_live_stream *stream, gs_error *err);
/* What it counts. */
gs_status gs_live_store_counter(gs_live_store *store, const gs_live_stream *stream,
                                unsigned counter, const char *name, gs_error *err);
/* *fresh: it was not there yet. */
gs_status gs_live_store_add(gs_live_store *store, const gs_live_stream *stream,
                            const gs_live_interval *interval, bool *fresh, gs_error *err);
/* How the stream stands. */
gs_status gs_live_store_update(gs_live_store *store, const gs_live_stream *stream, gs_error *err);
/* Adds to what was refused for a reason. */
gs_status gs_live_store_refuse(gs_live_store *store, const char *reason, uint64_t datagrams,
                               gs_error *err);
gs_status gs_live_store_commit(gs_live_store *store, gs_error *err);

#endif
