/*
 * compiler_helper.h - the process that starts compilers, and its messages; see compiler.h.
 *
 * It is forked from the process that runs the guest and shares nothing with it but one end of a
 * socket pair, over which requests come and replies go. When the other end is closed, it kills
 * what it has started and ends.
 */
#ifndef GS_ENGINE_COMPILER_HELPER_H
#define GS_ENGINE_COMPILER_HELPER_H

#include <limits.h>
#include <stdint.h>

typedef struct gs_helper_settings {
    const char *command;
    unsigned time_limit; /* of a compilation, in seconds */
} gs_helper_settings;

typedef struct gs_helper_request {
    uint32_t number;
    char source[PATH_MAX], object[PATH_MAX];
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
