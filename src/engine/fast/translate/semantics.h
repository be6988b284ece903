/*
 * semantics.h - what instructions do, as text: the semantics column of the tables.
 */
#ifndef GS_ENGINE_SEMANTICS_H
#define GS_ENGINE_SEMANTICS_H

#include <stdbool.h>
#include <stddef.h>

#include "isa/isa.h"

/* The column of an operation, or NULL if it says something translated code cannot do: it then has
 * to be interpreted. */
const char *gs_semantics(const gs_isa *isa, unsigned op);

/* Whether it is for a hart whose floating point is on, or even has registers of 64 bits. */
typedef enum gs_float_use { GS_FLOAT_NONE, GS_FLOAT_ANY, GS_FLOAT_WIDE } gs_float_use;
gs_float_use gs_semantics_float(const gs_isa *isa, unsigned op);

/* How many bytes of memory the operation accesses; 0 if none. */
unsigned gs_semantics_access(const gs_isa *isa, unsigned op);

/* Whether that is at the first source plus the immediate. */
bool gs_semantics_has_offset(const gs_isa *isa, unsigned op);

/* The next identifier in `text`, its length in *length; NULL if there is none. */
const char *gs_semantics_word(const char *text, size_t *length);

#endif
