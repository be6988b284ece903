/*
 * compiler_helper.h - the process that starts compilers, and its messages; see compiler.h.
 *
 * It is forked from the process that runs the guest and shares nothing with it but one end of a
 * socket pair, over which requests come and replies go. When the other end is closed, it kills
 * what it has started and ends. The other end may come to belong to a guest, by an error in
 * translated code: so requests name files of one directory, and Landlock holds this process and
 * compilers to writing there and to reading what compilers are made of.
 */
#ifndef GS_ENGINE_COMPILER_HELPER_H
#define GS_ENGINE_COMPILER_HELPER_H

#include <stdint.h>

typedef struct gs_helper_settings {
    const char *command;
    const char *file;         /* which that is, or NULL */
    const char *prefix;       /* where the rest of it is, if that is no place of the system's */
    const char *directory;    /* where sources, objects and temporary files lie: an absolute path */
    char *const *environment; /* of compilers */
    unsigned time_limit;      /* of a compilation, in seconds */
} gs_helper_settings;

enum { GS_HELPER_NAME = 64 };

typedef struct gs_helper_request {
    uint32_t number;
    /* Names in the directory. With neither, it ends the compilation in progress; there is no reply.
     */
    char source[GS_HELPER_NAME], object[GS_HELPER_NAME];
} gs_helper_request;

typedef enum gs_helper_end { GS_HELPER_DONE, GS_HELPER_FAILED, GS_HELPER_TOO_SLOW } gs_helper_end;

typedef struct gs_helper_reply {
    uint32_t number; /* of the request */
    uint32_t end;    /* gs_helper_end */
    uint64_t microseconds;
} gs_helper_reply;

/* Runs the helper process after fork(); does not return. */
_Noreturn void gs_compiler_help(int socket, const gs_helper_settings *settings);

#endif
