/*
 * config_tree.h - YAML texts as trees that remember where each part stood.
 *
 * One tree may come from several texts: a file, what it builds on, what the command
 * line changes. Nodes live in the arena they were made in; merging moves them. YAML
 * anchors and aliases are refused, so a tree is never larger than its text.
 */
#ifndef GS_BASE_CONFIG_TREE_H
#define GS_BASE_CONFIG_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"

typedef enum gs_config_kind {
    GS_CONFIG_VALUE,
    GS_CONFIG_LIST,
    GS_CONFIG_KEYS,
} gs_config_kind;

typedef struct gs_config_node gs_config_node;
struct gs_config_node {
    gs_config_kind kind;
    bool quoted;        /* a value in quotes, never taken for null */
    const char *origin; /* what it stood in: a file's name, "--set a.b=1" */
    unsigned line;      /* from 1; 0 if the origin has no lines */
    const char *key;    /* inside keys; else NULL */
    unsigned key_line;
    const char *text; /* of a value */
    gs_config_node *parent, *first, *last, *next;
};

/* One YAML document. `name` is for messages and is copied. */
gs_status gs_config_parse(gs_config_node **out, gs_arena *arena, const char *name, const char *text,
                          size_t size, gs_error *err);

/* The tree that "a.b=c" stands for; c is YAML. `option`, for messages, is what came before it. */
gs_status gs_config_parse_set(gs_config_node **out, gs_arena *arena, const char *option,
                              const char *set, gs_error *err);

/* Puts `over` on top of `base`, both with keys: keys go into keys, anything else replaces what was
 * there, and null (or ~) takes it away. `over` is used up. */
void gs_config_merge(gs_config_node *base, gs_config_node *over);

/* A new value below `keys`; false when memory is out. */
bool gs_config_add(gs_arena *arena, gs_config_node *keys, const char *key, const char *text,
                   const char *origin);

bool gs_config_is_null(const gs_config_node *node);
gs_config_node *gs_config_child(const gs_config_node *keys, const char *key); /* or NULL */
void gs_config_append(gs_config_node *parent, gs_config_node *child);
void gs_config_remove(gs_config_node *keys, const char *key);

/* What a path like "devices[2].base" leads to, as far as it leads. */
const gs_config_node *gs_config_find(const gs_config_node *root, const char *path);

/* Back to YAML, without comments. *out is the caller's to free() and has a NUL after its end. */
gs_status gs_config_print(char **out, size_t *size, const gs_config_node *root, gs_error *err);

#endif
