/*
 * short_name.h - names of functions in tables: the whole one where it fits, else what tells most.
 */
#ifndef GS_REPORT_SHORT_NAME_H
#define GS_REPORT_SHORT_NAME_H

#include <stdio.h>

/*
 * Writes `name` in at most `room` columns; 0 for as many as it needs. Of a C++ name that is longer,
 * the parameters go first, then template arguments, the type returned and the scopes; what is still
 * too long is cut with "..". Control characters become '?'. Returns the columns written.
 */
unsigned gs_report_put_short(FILE *to, const char *name, unsigned room);

/* The same for a sentence: at most GS_SHORT_NAME columns, into a buffer of so many bytes and more,
 * which is also returned. */
enum { GS_SHORT_NAME = 60, GS_SHORT_BYTES = 4 * GS_SHORT_NAME + 1 };
char *gs_report_shorten(char to[GS_SHORT_BYTES], const char *name);

/* The columns that the whole name takes. */
unsigned gs_report_columns(const char *name);

#endif
