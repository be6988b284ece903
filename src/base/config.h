/*
 * config.h - YAML files that people write.
 *
 * libcyaml turns a tree (config_tree.h) into structs, by a schema. Before that the tree
 * is compared with the same schema, to say on one line which file, which line, which
 * key, what is wrong there and what would be allowed: libcyaml says none of it well.
 * A gs_config is plain data and borrows all it points to.
 */
#ifndef GS_BASE_CONFIG_H
#define GS_BASE_CONFIG_H

#include <cyaml/cyaml.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/config_tree.h"
#include "base/error.h"

typedef struct gs_config {
    const cyaml_schema_value_t *schema; /* a mapping with CYAML_FLAG_POINTER */
    const gs_config_node *root;
} gs_config;

/* Whether everything in the tree is as the schema wants it. Of a part of a description, to be
 * merged into the rest, no key is required and null is allowed everywhere. */
gs_status gs_config_check(const gs_config *config, bool part, gs_error *err);

/* Puts keys into the order the schema has them in. To be called on what was checked. */
void gs_config_order(gs_config_node *root, const cyaml_schema_value_t *schema);

/* Whether "a.b.c" leads to something the schema has. */
bool gs_config_knows(const cyaml_schema_value_t *schema, const char *path);

/* *out is the schema's struct, to be freed with gs_config_free(); NULL on failure. */
gs_status gs_config_load(const gs_config *config, void **out, gs_error *err);
void gs_config_free(const gs_config *config, void *data);

/* For what a schema cannot express: fails with "name:line: path: ...". A path is like
 * "devices[2].base"; of one that leads nowhere the part that exists gives the line. */
gs_status gs_config_fail(const gs_config *config, gs_error *err, const char *path,
                         const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The same for a node that is at hand. */
gs_status gs_config_fail_at(const gs_config_node *node, gs_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reads a number that the schema has as a string (see base/number.h), from `min` to `max`. */
gs_status gs_config_number(const gs_config *config, const char *path, const char *text,
                           uint64_t min, uint64_t max, uint64_t *value, gs_error *err);

#endif
