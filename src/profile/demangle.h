/*
 * demangle.h - C++ names as their authors wrote them.
 *
 * Names come from program files and may be hostile: input, output, memory and time are bounded.
 */
#ifndef GS_PROFILE_DEMANGLE_H
#define GS_PROFILE_DEMANGLE_H

enum {
    GS_DEMANGLE_MAX_INPUT = 1024, /* characters; the demangler's stack grows with their square */
    GS_DEMANGLE_MAX_OUTPUT = 8192,
};

/* A copy of `name`, readable if it is a mangled C++ (or Rust) one and within the bounds. free() it;
 * NULL when memory is out. */
char *gs_demangle(const char *name);

#endif
