/*
 * error.h - filling in a gs_error.
 *
 * gs_fail() returns the status it was given, so a failing function ends with
 * `return gs_fail(err, GS_E_FORMAT, "...")`. Safe with err == NULL. Control characters in what the
 * message quotes, line breaks aside, become '?'.
 */
#ifndef GS_BASE_ERROR_H
#define GS_BASE_ERROR_H

#include "gumshoe/error.h"

gs_status gs_fail(gs_error *err, gs_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for a failed allocation, which needs no words of its own. */
gs_status gs_fail_no_memory(gs_error *err);

#endif
