/*
 * profile_journal.h - what a process that died left beside a profile file.
 *
 * SQLite undoes a transaction that was not finished with the journal beside the file: it writes
 * pages back, deletes the journal, and, if the journal names another file in which several
 * databases were to be committed together (a super-journal), deletes that file, wherever it is. A
 * journal that came along with a profile file from elsewhere can name any file.
 */
#ifndef GS_PROFILE_PROFILE_JOURNAL_H
#define GS_PROFILE_PROFILE_JOURNAL_H

#include <sqlite3.h>

#include "gumshoe/error.h"

/* Before `db`, just opened, is used for writing: fails if what is beside it is not a journal that
 * Gumshoe can have written. `path` is what the user calls the file. */
gs_status gs_journal_check(sqlite3 *db, const char *path, gs_error *err);

/* Opens a copy of a file and of its journal, for reading a file whose last transaction is to be
 * undone first: nothing at `path` or beside it is changed. The copy is gone when *out is closed. */
gs_status gs_journal_open_copy(sqlite3 **out, const char *path, gs_error *err);

#endif
