/*
 * outfile.h - output files that are whole or not there.
 *
 * A file is written beside its final name and moved there when it is complete, so a
 * failed or killed run never leaves half a file. "-" is standard output, and what is
 * not a regular file (a pipe, /dev/null) is written to directly.
 */
#ifndef GS_TOOL_OUTFILE_H
#define GS_TOOL_OUTFILE_H

#include <stdio.h>

#include "gumshoe/error.h"

typedef struct gs_outfile {
    FILE *stream;
    const char *path; /* borrowed */
    char *temporary;  /* NULL when written directly */
} gs_outfile;

/* Errors name the path and what the host said. */
gs_status gs_outfile_open(gs_outfile *file, const char *path, gs_error *err);

/* Completes the file and moves it into place. The file is closed whatever happens. */
gs_status gs_outfile_commit(gs_outfile *file, gs_error *err);

/* Removes the files beside the final names of all that is open. For signal handlers that end the
 * process. */
void gs_outfile_remove_temporaries(void);

/* Gives up: nothing appears under the final name. Fine for a file never opened (zeroed). */
void gs_outfile_abandon(gs_outfile *file);

#endif
