/*
 * description.h - a system as its YAML file tells it: cores, a bus, and what lies on it.
 *
 * docs/many-cores.md has the keys. Everything in it makes sense: harts are numbered without doubles
 * and stand in the order of their numbers, parts of the bus lie on whole pages of their own. It is
 * the caller's, and read-only.
 */
#ifndef GS_SYSTEM_DESCRIPTION_H
#define GS_SYSTEM_DESCRIPTION_H

#include <stddef.h>

#include "base/error.h"
#include "system/bus.h"

enum { GS_SYSTEM_PARTS_MAX = 32, GS_SYSTEM_SET_MAX = 32, GS_SYSTEM_COUNT_MAX = 512 };

typedef struct gs_core_entry {
    char *name;
    char *core;    /* a description's name or path */
    char *board;   /* of what is the core's own; NULL: the default for the program */
    char *program; /* NULL: the one that is given for all that have none */
    unsigned hart, priority;
    unsigned set_count;
    char *set[GS_SYSTEM_SET_MAX];
} gs_core_entry;

typedef enum gs_bus_part_type {
    GS_PART_MEMORY,
    GS_PART_CLINT,
    GS_PART_MUTEXES,
    GS_PART_MAILBOXES,
    GS_PART_BARRIERS,
    GS_PART_TEST,
} gs_bus_part_type;

typedef struct gs_bus_part_entry {
    gs_bus_part_type type;
    char *name;
    uint32_t base, size;
    unsigned first, next, write; /* cycles: docs/many-cores.md */
    unsigned count;              /* mutexes, barriers */
    unsigned depth;              /* words that a mailbox holds */
} gs_bus_part_entry;

typedef struct gs_system_description {
    char *name;
    char *summary; /* or NULL */
    unsigned core_count, part_count;
    gs_core_entry cores[GS_BUS_CORES_MAX];
    gs_bus_rules bus;
    gs_bus_part_entry parts[GS_SYSTEM_PARTS_MAX];
} gs_system_description;

const char *gs_bus_part_type_name(gs_bus_part_type type);

/* Paths of cores, boards and programs that stand in the file are relative to it. *out is the
 * caller's, NULL on failure: GS_E_IO, GS_E_NOT_FOUND, GS_E_FORMAT with file, line and key. */
gs_status gs_system_describe(gs_system_description **out, const char *path, gs_error *err);

/* The same for a text; `file` is for messages and for what paths are relative to. */
gs_status gs_system_parse(gs_system_description **out, const char *file, const char *text,
                          size_t size, gs_error *err);
void gs_system_description_free(gs_system_description *description); /* NULL is fine */

#endif
