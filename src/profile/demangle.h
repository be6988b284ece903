/*
 * demangle.h - C++ names as their authors wrote them.
 */
#ifndef GS_PROFILE_DEMANGLE_H
#define GS_PROFILE_DEMANGLE_H

/* A copy of `name`, readable if it is a mangled C++ (or Rust) one. free() it; NULL when memory is
 * out. */
char *gs_demangle(const char *name);

#endif
