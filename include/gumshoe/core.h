/*
 * core.h - processor cores, described in YAML files.
 *
 * A description is opened by name or path, optionally with some of its keys changed,
 * and is read-only from then on: machines may share it.
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

typedef struct gs_core gs_core;

/* Names of the built-in descriptions, in alphabetical order. */
size_t gs_core_count(void);
const char *gs_core_builtin(size_t index);

/* `name` is a built-in core's, or a file's path if it has a '/' or ends in ".yaml". Each of the
 * `set` texts is "key.key=value" and overrides the file. *out is the caller's. */
gs_status gs_core_open(gs_core **out, const char *name, const char *const *set, size_t set_count,
                       gs_error *err);
void gs_core_free(gs_core *core);

const char *gs_core_name(const gs_core *core);
const char *gs_core_summary(const gs_core *core);
const char *gs_core_isa(const gs_core *core); /* "rv32imc" */
gs_arch gs_core_arch(const gs_core *core);
bool gs_core_runs(const gs_core *core, gs_arch arch);
uint64_t gs_core_clock_hz(const gs_core *core);
bool gs_core_verified(const gs_core *core); /* against RTL, with the `set` texts it has */

/* The whole description as one YAML text: equal cores have equal texts. Borrowed. */
const char *gs_core_yaml(const gs_core *core);

/* The description for people: pipeline, costs and their reasons, branches, caches, memory,
 * evidence. The other one is for programs. */
gs_status gs_report_core(FILE *to, const gs_core *core, bool colour, gs_error *err);
gs_status gs_report_core_json(FILE *to, const gs_core *core, gs_error *err);

#pragma GCC visibility pop

#endif
