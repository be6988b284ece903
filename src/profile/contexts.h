/*
 * contexts.h - from where within itself a recursive function was called, as small numbers.
 *
 * While a function is active more than once, each activation but the last is waiting at some call,
 * perhaps in a loop. A context is the set of the innermost loops around those calls, by their
 * headers; 0 is the empty one, and the only one of a function that is not recursive. With costs
 * kept per context, a loop's cost with everything it called can be told from that of the same loop
 * further down in a recursion.
 */
#ifndef GS_PROFILE_CONTEXTS_H
#define GS_PROFILE_CONTEXTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef struct gs_contexts gs_contexts;

gs_status gs_contexts_open(gs_contexts **out, gs_error *err);
void gs_contexts_free(gs_contexts *contexts);

/* `context` with the loop of that header in it. GS_CONTEXT_NONE if there are too many, or no
 * memory. */
#define GS_CONTEXT_NONE UINT32_MAX
uint32_t gs_contexts_with(gs_contexts *contexts, uint32_t context, uint32_t header);

/* Sorted, and borrowed until the next context is made. */
const uint32_t *gs_contexts_headers(const gs_contexts *contexts, uint32_t context, size_t *count);

#endif
