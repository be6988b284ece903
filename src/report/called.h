/*
 * called.h - whether a function has the name that its author knows it by.
 *
 * A program file has more than that name: a C++ function's parameters, a template's arguments and
 * what it returns, and the suffixes of a function that the compiler copied (crc32.constprop.0) or
 * took apart (crc32.part.0, crc32.cold). All of it may be left out, from the end.
 */
#ifndef GS_REPORT_CALLED_H
#define GS_REPORT_CALLED_H

#include "profile/profile.h"

bool gs_report_is_called(const char *name, const char *wanted);

/* Whether `name` is that of a piece (.part, .cold) that was split from a function: entering it from
 * the rest of the function is no call of that function. */
bool gs_report_is_split(const char *name);

/* Says why no function is called `wanted`, and where to look instead. */
void gs_report_explain_missing(const gs_profile *profile, const char *wanted, char *to,
                               size_t size);

#endif
