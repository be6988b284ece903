/*
 * core.h - processor cores, described in YAML files.
 *
 * A description is opened by name or path, optionally with some of its keys changed
 * (docs/cores.md). A gs_core is the caller's and read-only from then on: any thread may ask it, and
 * any number of timings may share it, which it must outlive. Texts are borrowed from it.
 */
#ifndef GUMSHOE_CORE_H
#define GUMSHOE_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "gumshoe/arch.h"
#include "gumshoe/error.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

typedef struct gs_core gs_core;

/* The descriptions that are built in, by name, in alphabetical order; NULL from gs_core_count() on.
 * Constant texts, never freed. */
size_t gs_core_count(void);
const char *gs_core_builtin(size_t index);

/* Opens the core `name`: a built-in one, or a file's path if it has a '/' or ends in ".yaml". Each
 * of the `set_count` texts in `set` (NULL if there are none) is "key.key=value" and overrides the
 * file. Nothing of the arguments is needed afterwards. *out is the caller's, NULL on failure:
 * GS_E_NOT_FOUND if there is no such core or file, GS_E_IO, GS_E_FORMAT for a description or a
 * setting that cannot be, with the place and what would be allowed, GS_E_NO_MEMORY. */
gs_status gs_core_open(gs_core **out, const char *name, const char *const *set, size_t set_count,
                       gs_error *err);
void gs_core_free(gs_core *core); /* NULL is fine */

/* What the description says. None of these fails. */
const char *gs_core_name(const gs_core *core);
const char *gs_core_title(const gs_core *core);   /* the name, with " (estimate)" if it is one: */
bool gs_core_estimates(const gs_core *core);      /* cycles on it are; see docs/vliw.md */
const char *gs_core_summary(const gs_core *core); /* one line */
const char *gs_core_isa(const gs_core *core);     /* "rv32imc" */
bool gs_core_runs(const gs_core *core, gs_arch arch); /* such programs at all */
uint64_t gs_core_clock_hz(const gs_core *core);
bool gs_core_verified(const gs_core *core); /* against RTL, with the `set` texts it has */

/* How instructions and data that no cache holds are reached, such as "tightly coupled memory" or
 * "no data cache: a load takes 10 cycles"; "" with both caches. Returns `text`. */
enum { GS_CORE_MEMORY_TEXT = 128 };
const char *gs_core_memory_text(const gs_core *core, char text[GS_CORE_MEMORY_TEXT]);

/* Whether a machine for one core does the same on the other, as long as it does not see time: both
 * run the same instructions, and trap on the same. */
bool gs_core_is_alike(const gs_core *core, const gs_core *other);

struct gs_image;

/* Fails with GS_E_UNSUPPORTED if the program is for another architecture, or has instructions where
 * it can be reached, of extensions it says it was compiled for, that the core does not have: names
 * them, built-in cores that have them, and flags for a compiler. A program without such a statement
 * is taken at its instructions. */
gs_status gs_core_check_image(const gs_core *core, const struct gs_image *image, gs_error *err);

/* The built-in core for a program for which none is chosen: the first of flatfoot, ibex-small,
 * rocket-rv32, mips-4k, mips-24kf and ideal that has what it needs. *name is a constant text. */
gs_status gs_core_choose(const char **name, const struct gs_image *image, gs_error *err);

/* The files that the description was read from, with those that it extends; NULL behind the last,
 * and for a built-in core. */
const char *gs_core_file(const gs_core *core, size_t index);

/* The whole description as one YAML text: equal cores have equal texts. */
const char *gs_core_yaml(const gs_core *core);

/* Write the description for people (pipeline, costs and their reasons, branches, caches, memory,
 * evidence) and for programs. `to` stays the caller's. GS_E_IO if it fails, GS_E_NO_MEMORY. */
gs_status gs_report_core(FILE *to, const gs_core *core, bool colour, gs_error *err);
gs_status gs_report_core_json(FILE *to, const gs_core *core, gs_error *err);

/* Writes into what bundles a compiler for the core would put a program: all functions as a table,
 * or the one of that name bundle by bundle. As JSON, with every instruction. GS_E_UNSUPPORTED for a
 * core whose cycles are not an estimate, or a program it does not run; GS_E_NOT_FOUND if there is
 * no such function; GS_E_IO, GS_E_NO_MEMORY. */
gs_status gs_report_schedule(FILE *to, const struct gs_image *image, const gs_core *core,
                             const char *function, bool json, gs_error *err);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
