/*
 * profile_reader.h - the rows of a profile file, one column after the other.
 *
 * Nothing is trusted: a value that cannot be makes the reader `bad`, the getters then return
 * something harmless, and gs_reader_close() turns it into an error. So the loader need not
 * check every single value.
 */
#ifndef GS_PROFILE_PROFILE_READER_H
#define GS_PROFILE_PROFILE_READER_H

#include "profile/profile_file.h"

typedef struct listed_run {
    gs_profile_run run;
    gs_metrics total;
    gs_run_info info; /* borrows from `run` */
} listed_run;

struct gs_profile_file {
    sqlite3 *db;
    char *path;
    uint64_t size;
    uint64_t steps_left; /* of SQLite's machine */
    uint64_t text_left;  /* bytes */
    struct {
        listed_run *items;
        size_t count, capacity;
    } runs;
};

/* The rows of a table, and the column that is read next. */
typedef struct gs_reader {
    gs_profile_file *file;
    sqlite3_stmt *query;
    const char *table;
    int next;
    bool bad, no_memory;
} gs_reader;

/* So much work and text, measured by the size of the file, is right for what comes next: listing
 * runs, loading one, and so on. */
void gs_reader_set_limits(gs_profile_file *file);

/* Hostile files have views and virtual tables where tables should be. */
bool gs_reader_has_table(const gs_profile_file *file, gs_profile_table table);

/* `rest` goes behind the SELECT; a parameter in it is the run. */
gs_status gs_reader_open(gs_reader *reader, gs_profile_file *file, gs_profile_table table,
                         const char *rest, int64_t run, gs_error *err);
/* The rows of a run, of a table whose first column says which run they are of. */
gs_status gs_reader_open_run(gs_reader *reader, gs_profile_file *file, gs_profile_table table,
                             const char *order, int64_t run, gs_error *err);
bool gs_reader_next(gs_reader *reader);        /* whether there is another row */
bool gs_reader_next_of_run(gs_reader *reader); /* the same, and passes over the column of the run */
/* After the last row, or where `status` is a failure. */
gs_status gs_reader_close(gs_reader *reader, gs_status status, gs_error *err);

/* The next column. */
int64_t gs_reader_int(gs_reader *reader, int64_t least, int64_t most);
uint64_t gs_reader_count(gs_reader *reader);
uint32_t gs_reader_u32(gs_reader *reader);
uint32_t gs_reader_index(gs_reader *reader, size_t count); /* below `count`, or none */
void gs_reader_expect(gs_reader *reader,
                      size_t number); /* a row's: it is the one that comes next */
void gs_reader_skip(gs_reader *reader);
void gs_reader_metrics(gs_reader *reader, gs_metrics *metrics);

/* A text to look at, never NULL; or to keep, NULL if the row is bad. */
const char *gs_reader_look(gs_reader *reader);
char *gs_reader_text(gs_reader *reader);

/* A part of gs_profile_file_load(). */
gs_status gs_profile_load_units(gs_profile *profile, gs_profile_file *file, int64_t run,
                                gs_error *err);

/* Whether so much more of the file's texts may be kept. */
bool gs_reader_may_keep(gs_reader *reader, size_t bytes);

#endif
