/* sweep_store.h - the results of a sweep in a profile file. For the files that write them only. */
#ifndef GS_EXPLORE_SWEEP_STORE_H
#define GS_EXPLORE_SWEEP_STORE_H

#include "explore/sweep.h"
#include "profile/profile_file.h"

struct gs_sweep_store {
    sqlite3 *db;
    char *path;
    const gs_sweep *sweep;
    int64_t id, first_run; /* of the sweep; of a run, its point's number more */
    sqlite3_stmt *find, *find_run, *insert;
};

/* The key of a sweep as the file has it. */
enum { GS_SWEEP_KEY_TEXT = 2 * 32 + 1 };
void gs_sweep_key_text(const gs_sweep *sweep, char to[GS_SWEEP_KEY_TEXT]);

#endif
